import {
  type CSSResultGroup,
  html,
  LitElement,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { drawingProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import { isSameMark, type Mark, type Pick } from '../../../report/marks/mark.js';
import { DrawingError } from '../../../report/table/report-columns.js';
import { tooltip, tooltipStyles } from '../tooltip.js';
import '../hint/pa-hint.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { marksStyles } from './marks.styles.js';
import { type DrawnMark, MarksController } from './marks-controller.js';
import { standaloneSvg } from './standalone-svg.js';

/** Keeps the size of an element, whole px: 0 by 0 until it is laid out. */
class ElementSizeController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #observer: ResizeObserver | null = null;
  #frame = 0;
  #width = 0;
  #height = 0;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** Width, px. */
  get width(): number {
    return this.#width;
  }

  /** Height, px. */
  get height(): number {
    return this.#height;
  }

  hostConnected(): void {
    this.#observer = new ResizeObserver(entries => this.#handleResize(entries));
    this.#observer.observe(this.#host);
  }

  hostDisconnected(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer?.disconnect();
    this.#observer = null;
  }

  #handleResize(entries: readonly ResizeObserverEntry[]): void {
    const box = entries.at(-1)?.contentRect;
    const [width, height] = [Math.floor(box?.width ?? 0), Math.floor(box?.height ?? 0)];
    // What is hidden measures nothing: what it showed before is what it will show again.
    if (width === 0 || height === 0 || (width === this.#width && height === this.#height)) return;
    cancelAnimationFrame(this.#frame);
    // At once the first time, so that nothing blank is painted; later in a frame of its own, as layouts can come of it.
    if (this.#width === 0) this.#take(width, height);
    else this.#frame = requestAnimationFrame(() => this.#take(width, height));
  }

  #take(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#host.requestUpdate();
  }
}

/** A drawing of marks that fills its tile, drawn by templates: what maps and flows share. What there is to draw is its subclass's. */
export abstract class MarkedDrawing extends LitElement {
  static override styles: CSSResultGroup = [tooltipStyles, marksStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  protected readonly room = new ElementSizeController(this);
  protected readonly marks = new MarksController(this, {
    marks: () => this.drawnMarks,
    onPick: pick => this.onPick(pick),
  });

  /** The report as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Its rows; null while they are on their way. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Name of the drawing. */
  @property({ attribute: false }) label = '';
  /** Marks that are chosen: the others fade. */
  @property({ attribute: false }) selected: readonly Mark[] = [];
  /** Called after something new was drawn. */
  @property({ attribute: false }) onDrawn: () => void = () => {};
  /** Called when it can't be drawn. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};
  /** Called when somebody points at a mark. */
  @property({ attribute: false }) onPick: (pick: Pick) => void = () => {};

  #problem: Problem | null = null;
  #isNew = false;

  /** What can be pointed at, in the order of the keys. */
  protected abstract get drawnMarks(): readonly DrawnMark[];

  /** Language of the element (BCP 47). */
  protected get locale(): string {
    return this.#outer.value.locale;
  }

  protected override updated(): void {
    const problem = this.#problem;
    this.#problem = null;
    if (problem) this.onFailed(problem);
    if (!this.#isNew || this.room.width === 0) return;
    this.#isNew = false;
    this.onDrawn();
  }

  /** The drawing as a file of its own (SVG), in the colours that the page has now; empty before it is drawn. */
  toSvg(): string {
    const drawing = this.renderRoot.querySelector<SVGSVGElement>('.drawing > svg');
    return drawing ? standaloneSvg(drawing, this.label) : '';
  }

  /** Takes a step on the way to the drawing; whether it went well. `onFailed` is told after the update. */
  protected attempt(step: () => void): boolean {
    try {
      step();
      return true;
    } catch (error) {
      this.#isNew = false;
      this.#problem = error instanceof DrawingError ? drawingProblem(error.message) : toProblem(error);
      return false;
    }
  }

  /** There is something new to draw: `onDrawn` is told once it is. */
  protected expectDrawing(): void {
    this.#isNew = true;
  }

  protected isSelected({ mark }: DrawnMark): boolean {
    return this.selected.some(other => isSameMark(other, mark));
  }

  /** The box of the drawing and its tooltip. An `<svg>` that listens for the focus itself would be a stop of the Tab key. */
  protected renderBox(part: string, content: unknown): TemplateResult {
    return html`<div
        part=${part}
        class="drawing"
        @focusin=${this.marks.handleFocus}
        @focusout=${this.marks.handleBlur}
      >
        ${content}
      </div>
      ${tooltip(this.marks.tooltip)}`;
  }

  /** Marks that pointer and keys reach. Each carries its place among `drawnMarks` as `data-mark`. */
  protected renderMarks(
    content: unknown,
    { summary, kind }: { readonly summary: string; readonly kind: string },
  ): TemplateResult {
    return html`<svg
      role="group"
      class=${kind}
      viewBox="0 0 ${this.room.width} ${this.room.height}"
      aria-label="${this.label}. ${summary}"
      @pointermove=${this.marks.handlePointer}
      @pointerdown=${this.marks.handlePointer}
      @pointerleave=${this.marks.handleLeave}
      @click=${this.marks.handleClick}
      @contextmenu=${this.marks.handleMenu}
      @keydown=${this.marks.handleKey}
    >
      ${content}
    </svg>`;
  }
}
