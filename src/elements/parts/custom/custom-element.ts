import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { chunkProblem, drawingProblem, type Problem } from '../../../controllers/problem.js';
import type { ChartTheme } from '../../../controllers/report/chart-controller.js';
import type { Pick } from '../../../report/marks/mark.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { chartStyles, probeColors } from '../chart/chart.styles.js';
import { readTheme } from '../chart/read-theme.js';
import { retryLoad } from '../retry-load.js';
import { type Rendered, type Renderer, type RendererInput, rendererOf } from './renderers.js';

/** Everything that a rendering depends on, except its `signal`. */
type DrawingInput = Omit<RendererInput, 'signal'>;

/** Callbacks of a rendering. */
interface DrawingOptions {
  readonly onRendered: () => void;
  readonly onFailed: (reason: 'loading' | 'drawing', error: unknown) => void;
}

/** The output of a host's renderer: rendered once, updated with new input, then disposed. The latest call wins. */
class CustomDrawing {
  readonly #options: DrawingOptions;
  #life: AbortController | null = null;
  #container: HTMLElement | null = null;
  #renderedInput: DrawingInput | null = null;
  #rendered: Rendered | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: DrawingOptions) {
    this.#options = options;
  }

  /** Renders the input unless it is unchanged. */
  async draw(renderer: Renderer, container: HTMLElement, input: DrawingInput): Promise<void> {
    if (this.#renderedInput && isSame(this.#renderedInput, input)) return;
    this.#renderedInput = input;
    this.#container = container;
    this.#life ??= new AbortController();
    const { signal } = this.#life;
    this.#turn = this.#turn.then(() => this.#run(renderer, container, input, signal));
    await this.#turn;
  }

  /** Removes the output. */
  dispose(): void {
    const [life, rendered, container] = [this.#life, this.#rendered, this.#container];
    this.#life = null;
    this.#rendered = null;
    this.#renderedInput = null;
    life?.abort();
    try {
      rendered?.dispose?.();
    } catch (error) {
      // The container is cleared below even if `dispose` throws.
      reportError(error);
    }
    container?.replaceChildren();
  }

  /** Runs updates one after another. Skips an input if a newer one is waiting. */
  async #run(renderer: Renderer, container: HTMLElement, input: DrawingInput, signal: AbortSignal): Promise<void> {
    if (this.#renderedInput !== input || !(await this.#load(renderer, signal))) return;
    try {
      if (this.#rendered?.update) await this.#rendered.update({ ...input, signal });
      else await this.#make(renderer, container, { ...input, signal });
      if (this.#renderedInput === input) this.#options.onRendered();
    } catch (error) {
      if (!signal.aborted && this.#renderedInput === input) this.#fail('drawing', error);
    }
  }

  async #load(renderer: Renderer, signal: AbortSignal): Promise<boolean> {
    try {
      if (renderer.load) await retryLoad(renderer.load);
      return !signal.aborted;
    } catch (error) {
      if (!signal.aborted) this.#fail('loading', error);
      return false;
    }
  }

  /** Renders again in an empty container if the renderer cannot update. */
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
    this.#renderedInput = null;
    this.#options.onFailed(reason, error);
  }
}

/** Renders with a custom element, which receives its input as the property `input`. */
function elementDrawing(tag: string, container: HTMLElement, input: RendererInput): Rendered {
  const element = document.createElement(tag);
  const setInput = (next: RendererInput) => void Object.assign(element, { input: next });
  setInput(input);
  container.append(element);
  return { update: setInput };
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

/**
 * Renders a report of a custom kind with the renderer that the host registered. Errors of the renderer are shown as a
 * message in the tile.
 *
 * @summary A report of a custom kind, inside a tile.
 * @tagname pa-tile-custom
 * @csspart custom - The container of the renderer.
 */
export class PaTileCustom extends LitElement {
  static override styles = chartStyles;

  readonly #locale = new LocaleConsumer(this, pageCatalog);
  readonly #drawing = new CustomDrawing({
    onRendered: () => this.onRendered(),
    onFailed: (reason, error) => this.#handleFailure(reason, error),
  });

  /** The report as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Rows of the report; `null` while they load. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Name of the tile. */
  @property({ attribute: false }) label = '';
  /** Called after each render. */
  @property({ attribute: false }) onRendered: () => void = () => {};
  /** Called if rendering fails. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};
  /** Called when the viewer selects a part of the drawing. */
  @property({ attribute: false }) onPick: (pick: Pick) => void = () => {};

  #observer: ResizeObserver | null = null;
  /** The theme of the last render, serialized. */
  #renderedTheme = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(() => this.requestUpdate());
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = null;
    // If the element was only moved, it is reconnected before this microtask runs.
    queueMicrotask(() => {
      if (!this.isConnected) this.#drawing.dispose();
    });
  }

  protected override updated(changed: PropertyValues<this>): void {
    const renderer = rendererOf(this.snapshot?.kind);
    const container = this.renderRoot.querySelector<HTMLElement>('[part=custom]');
    const input = this.#input();
    if (!renderer || !container || !input) return;
    if (changed.has('snapshot')) this.#drawing.dispose();
    void this.#drawing.draw(renderer, container, input);
  }

  override render(): TemplateResult {
    return html`<div class="probe" aria-hidden="true" @transitionend=${this.#handleRestyle}>
        ${Array.from({ length: probeColors }, () => html`<i></i>`)}
      </div>
      <div part="custom" class="chart"></div>`;
  }

  #input(): Omit<RendererInput, 'signal'> | null {
    const { snapshot, rowSet, label, clientWidth: width, clientHeight: height } = this;
    // Nothing can be rendered without a size.
    if (!snapshot || !rowSet || width === 0 || height === 0) return null;
    return {
      rows: rowSet.rows,
      columns: rowSet.columns,
      spec: snapshot.spec,
      label,
      theme: this.#readTheme(),
      locale: this.#locale.value.locale,
      size: { width, height },
      pick: this.#pick,
    };
  }

  #readTheme(): ChartTheme {
    const theme = readTheme(this.renderRoot.querySelector('.probe') ?? this);
    this.#renderedTheme = JSON.stringify(theme);
    return theme;
  }

  /**
   * Reads the colors again. `transitionend` is fired for each color that changes; only the first event has an effect.
   */
  #handleRestyle(): void {
    const previous = this.#renderedTheme;
    this.#readTheme();
    if (this.#renderedTheme !== previous) this.requestUpdate();
  }

  readonly #pick: RendererInput['pick'] = (mark, anchor, extend) => {
    this.onPick({ mark, intent: 'choose', extend: extend === 'add', anchor: anchor.getBoundingClientRect() });
  };

  /** Reports the error to the console. The message in the tile contains the kind of the renderer, but not the error. */
  #handleFailure(reason: 'loading' | 'drawing', error: unknown): void {
    reportError(error);
    const kind = this.snapshot?.kind ?? '';
    this.onFailed(reason === 'loading' ? chunkProblem() : drawingProblem(`The renderer of kind "${kind}" failed.`));
  }
}

register('pa-tile-custom', PaTileCustom);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-custom': PaTileCustom;
  }
}
