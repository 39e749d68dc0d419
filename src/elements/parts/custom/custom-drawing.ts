import { retried } from '../tile/retried.js';
import type { Rendered, Renderer, RendererInput } from './renderers.js';

/** All that a drawing depends on, beside how long it is wanted. */
export type DrawingInput = Omit<RendererInput, 'signal'>;

/** What a drawing tells. */
export interface DrawingOptions {
  readonly onDrawn: () => void;
  readonly onFailed: (reason: 'loading' | 'drawing', error: unknown) => void;
}

/** One drawing by a host's renderer: made once, given what is new, taken away. The latest call wins. */
export class CustomDrawing {
  readonly #options: DrawingOptions;
  #life: AbortController | null = null;
  #container: HTMLElement | null = null;
  #drawn: DrawingInput | null = null;
  #rendered: Rendered | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: DrawingOptions) {
    this.#options = options;
  }

  /** Draws; does nothing where all is as it was. */
  async draw(renderer: Renderer, container: HTMLElement, input: DrawingInput): Promise<void> {
    if (this.#drawn && isSame(this.#drawn, input)) return;
    this.#drawn = input;
    this.#container = container;
    this.#life ??= new AbortController();
    const { signal } = this.#life;
    this.#turn = this.#turn.then(() => this.#run(renderer, container, input, signal));
    await this.#turn;
  }

  /** Takes the drawing away. */
  dispose(): void {
    const [life, rendered, container] = [this.#life, this.#rendered, this.#container];
    this.#life = null;
    this.#rendered = null;
    this.#drawn = null;
    life?.abort();
    try {
      rendered?.dispose?.();
    } catch (error) {
      // It is gone from the page all the same.
      reportError(error);
    }
    container?.replaceChildren();
  }

  /** One after the other: what is newer by the time that its turn comes is drawn in its place. */
  async #run(renderer: Renderer, container: HTMLElement, input: DrawingInput, signal: AbortSignal): Promise<void> {
    if (this.#drawn !== input || !(await this.#load(renderer, signal))) return;
    try {
      if (this.#rendered?.update) await this.#rendered.update({ ...input, signal });
      else await this.#make(renderer, container, { ...input, signal });
      if (this.#drawn === input) this.#options.onDrawn();
    } catch (error) {
      if (!signal.aborted && this.#drawn === input) this.#fail('drawing', error);
    }
  }

  async #load(renderer: Renderer, signal: AbortSignal): Promise<boolean> {
    try {
      if (renderer.load) await retried(renderer.load);
      return !signal.aborted;
    } catch (error) {
      if (!signal.aborted) this.#fail('loading', error);
      return false;
    }
  }

  /** A renderer that can't be updated begins again, in an empty container. */
  async #make(renderer: Renderer, container: HTMLElement, input: RendererInput): Promise<void> {
    this.#rendered?.dispose?.();
    this.#rendered = null;
    container.replaceChildren();
    const rendered = renderer.render
      ? await renderer.render(container, input)
      : elementDrawing(renderer.element, container, input);
    if (input.signal.aborted) rendered?.dispose?.();
    else this.#rendered = rendered ?? null;
  }

  #fail(reason: 'loading' | 'drawing', error: unknown): void {
    this.#drawn = null;
    this.#options.onFailed(reason, error);
  }
}

/** A host's element gets what it draws as its `input`. */
function elementDrawing(tag: string, container: HTMLElement, input: RendererInput): Rendered {
  const element = document.createElement(tag);
  const give = (next: RendererInput) => void Object.assign(element, { input: next });
  give(input);
  container.append(element);
  return { update: give };
}

function isSame(a: DrawingInput, b: DrawingInput): boolean {
  return (
    a.rows === b.rows &&
    a.spec === b.spec &&
    a.label === b.label &&
    a.locale === b.locale &&
    a.size.width === b.size.width &&
    a.size.height === b.size.height &&
    JSON.stringify(a.theme) === JSON.stringify(b.theme)
  );
}
