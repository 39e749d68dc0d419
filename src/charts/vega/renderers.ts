// This module is loaded only with Vega. `vega.ts` replaces Vega's renderers with these.
import type { Loader } from 'vega';
import { CanvasRenderer, renderModule, SVGRenderer } from 'vega-scenegraph';

/**
 * Defers the drawing of a view until its rows settle. Vega draws after every run of its data flow, and runs it again
 * when axes become wider or rows are downsampled for the remaining width.
 */
export class Gate {
  #isHeld = false;
  #waiting: (() => void) | null = null;

  /** Draws now, or on release if the gate is held. */
  pass(draw: () => void): void {
    if (this.#isHeld) this.#waiting = draw;
    else draw();
  }

  hold(): void {
    this.#isHeld = true;
  }

  /** Runs the pending drawing, once. */
  release(): void {
    const draw = this.#waiting;
    this.drop();
    draw?.();
  }

  /** Releases the gate without running the pending drawing. */
  drop(): void {
    this.#isHeld = false;
    this.#waiting = null;
  }
}

const gates = new WeakMap<Loader, Gate>();

/**
 * Returns the gate of the view that owns this loader, which is the only property of a view that its renderer receives.
 */
export function gateOf(loader: Loader): Gate {
  const gate = gates.get(loader) ?? new Gate();
  gates.set(loader, gate);
  return gate;
}

class GatedSvg extends SVGRenderer {
  readonly #gate: Gate;

  constructor(loader: Loader) {
    super(loader);
    this.#gate = gateOf(loader);
  }

  override render(scene: unknown, markTypes?: unknown): this {
    this.#gate.pass(() => void super.render(scene, markTypes));
    return this;
  }
}

class GatedCanvas extends CanvasRenderer {
  readonly #gate: Gate;

  constructor(loader: Loader) {
    super(loader);
    this.#gate = gateOf(loader);
  }

  override render(scene: unknown, markTypes?: unknown): this {
    this.#gate.pass(() => void super.render(scene, markTypes));
    return this;
  }
}

/** Registers the gated renderers under Vega's names. */
export function registerRenderers(): void {
  renderModule('svg', { ...renderModule('svg'), renderer: GatedSvg });
  renderModule('canvas', { ...renderModule('canvas'), renderer: GatedCanvas });
}
