import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { ChartTheme } from '../../../controllers/chart-controller.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { chunkProblem, drawingProblem, type Problem } from '../../../controllers/problem.js';
import type { Pick } from '../../../report/mark.js';
import { catalog } from '../../messages/catalog.js';
import { chartStyles, probeColors } from '../chart/chart.styles.js';
import { readTheme } from '../chart/read-theme.js';
import { CustomDrawing } from './custom-drawing.js';
import { type RendererInput, rendererOf } from './renderers.js';

/**
 * A report of a host's own kind, drawn by what the host registered for it. Whatever goes wrong there is a message in this tile.
 *
 * @summary A report of a host's own kind, inside a tile.
 * @tagname pa-tile-custom
 * @csspart custom - What the host's renderer draws into.
 */
export class PaTileCustom extends LitElement {
  static override styles = chartStyles;

  readonly #locale = new LocaleConsumer(this, catalog);
  readonly #drawing = new CustomDrawing({
    onDrawn: () => this.onDrawn(),
    onFailed: (reason, error) => this.#handleFailure(reason, error),
  });

  /** The report as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Its rows; null while they are on their way. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Name of the tile. */
  @property({ attribute: false }) label = '';
  /** Called after it was drawn. */
  @property({ attribute: false }) onDrawn: () => void = () => {};
  /** Called when it can't be drawn. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};
  /** Called when somebody chooses a part of the drawing. */
  @property({ attribute: false }) onPick: (pick: Pick) => void = () => {};

  #observer: ResizeObserver | null = null;
  /** The theme that it was drawn in last, as text. */
  #wornTheme = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(() => this.requestUpdate());
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = null;
    // What is only moved is connected again before this runs.
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
    // Without room there is nothing to draw on.
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
    this.#wornTheme = JSON.stringify(theme);
    return theme;
  }

  /** Of colours that change together each is told, and the first has brought all. */
  #handleRestyle(): void {
    const worn = this.#wornTheme;
    this.#readTheme();
    if (this.#wornTheme !== worn) this.requestUpdate();
  }

  readonly #pick: RendererInput['pick'] = (mark, anchor, extend) => {
    this.onPick({ mark, intent: 'choose', extend: extend === 'add', anchor: anchor.getBoundingClientRect() });
  };

  /** The page's console has the error itself; the tile says that it was the renderer. */
  #handleFailure(reason: 'loading' | 'drawing', error: unknown): void {
    reportError(error);
    const kind = this.snapshot?.kind ?? '';
    this.onFailed(reason === 'loading' ? chunkProblem() : drawingProblem(`The renderer of kind "${kind}" failed.`));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-custom': PaTileCustom;
  }
}
