import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

/** Private custom properties of an element, without their `--_`. */
export type Places = Readonly<Record<string, string | number>>;

class Placed extends Directive {
  #last: unknown = null;

  render(_key: unknown, _places: () => Places): unknown {
    return noChange;
  }

  override update({ element }: ElementPart, [key, places]: [unknown, () => Places]): unknown {
    if (key === this.#last || !(element instanceof HTMLElement)) return noChange;
    this.#last = key;
    for (const [name, value] of Object.entries(places())) element.style.setProperty(`--_${name}`, String(value));
    return noChange;
  }
}

/**
 * Sets custom properties of an element while it is rendered, anew when `key` is another object. A style attribute would need more than
 * a strict content security policy gives.
 */
export const placed = directive(Placed);
