// Loaded with Vega alone: `vega.ts` registers these in the place of Vega's own.
import type { Loader } from 'vega';
import { CanvasRenderer, renderModule, SVGRenderer } from 'vega-scenegraph';

/**
 * Holds the drawing of a view back while its rows settle: Vega draws after every run of its data flow, and runs it again when axes
 * turn out wider or rows are thinned for the width that is left.
 */
export class Gate {
  #isHeld = false;
  #waiting: (() => void) | null = null;

  /** Draws, or remembers to do so. */
  pass(draw: () => void): void {
    if (this.#isHeld) this.#waiting = draw;
    else draw();
  }

  hold(): void {
    this.#isHeld = true;
  }

  /** Draws what waited, once. */
  release(): void {
    const draw = this.#waiting;
    this.drop();
    draw?.();
  }

  /** Lets drawings through again, and forgets what waited. */
  drop(): void {
    this.#isHeld = false;
    this.#waiting = null;
  }
}

const gates = new WeakMap<Loader, Gate>();

/** The gate of the view that was given this loader: a renderer knows of its view no more than that. */
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

/** Registers the renderers of charts under Vega's own names. */
export function registerRenderers(): void {
  renderModule('svg', { ...renderModule('svg'), renderer: GatedSvg });
  renderModule('canvas', { ...renderModule('canvas'), renderer: GatedCanvas });
}
