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
import '../hint/hint-element.js';
import type { MarkWithTooltip } from '../../../report/marks/mark-with-tooltip.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { marksStyles } from './marks.styles.js';
import { MarksController } from './marks-controller.js';
import { standaloneSvg } from './standalone-svg.js';

/** Tracks the size of an element in whole px: 0 by 0 before layout. */
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

  /** Width, in px. */
  get width(): number {
    return this.#width;
  }

  /** Height, in px. */
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
    // A hidden element has no size; its last size still applies when it is shown again.
    if (width === 0 || height === 0 || (width === this.#width && height === this.#height)) return;
    cancelAnimationFrame(this.#frame);
    // Apply the first size synchronously, so that no blank frame is painted. Apply later sizes in a separate frame,
    // because they can cause layout changes.
    if (this.#width === 0) this.#take(width, height);
    else this.#frame = requestAnimationFrame(() => this.#take(width, height));
  }

  #take(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#host.requestUpdate();
  }
}

/**
 * Base class of template-rendered drawings of marks that fill their tile, such as maps and Sankey diagrams. Subclasses
 * provide the marks.
 */
export abstract class MarkedDrawing extends LitElement {
  static override styles: CSSResultGroup = [tooltipStyles, marksStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  protected readonly elementSize = new ElementSizeController(this);
  protected readonly marks = new MarksController(this, {
    marks: () => this.marksWithTooltips,
    onPick: pick => this.onPick(pick),
  });

  /** The published report. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Rows of the report; `null` while loading. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Accessible name of the drawing. */
  @property({ attribute: false }) label = '';
  /** Selected marks; the others fade. */
  @property({ attribute: false }) selected: readonly Mark[] = [];
  /** Called after new content was rendered. */
  @property({ attribute: false }) onRendered: () => void = () => {};
  /** Called if the drawing cannot be rendered. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};
  /** Called when the viewer picks a mark. */
  @property({ attribute: false }) onPick: (pick: Pick) => void = () => {};

  #problem: Problem | null = null;
  #isNew = false;

  /** Interactive marks, in keyboard order. */
  protected abstract get marksWithTooltips(): readonly MarkWithTooltip[];

  /** Language of the element (BCP 47). */
  protected get locale(): string {
    return this.#outer.value.locale;
  }

  protected override updated(): void {
    const problem = this.#problem;
    this.#problem = null;
    if (problem) this.onFailed(problem);
    if (!this.#isNew || this.elementSize.width === 0) return;
    this.#isNew = false;
    this.onRendered();
  }

  /** Returns the drawing as a standalone SVG file in the current colors of the page; empty before the first render. */
  toSvg(): string {
    const drawing = this.renderRoot.querySelector<SVGSVGElement>('.drawing > svg');
    return drawing ? standaloneSvg(drawing, this.label) : '';
  }

  /** Runs a step of the rendering and returns whether it succeeded. `onFailed` is called after the update. */
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

  /** Marks new content as pending: `onRendered` is called after it is rendered. */
  protected expectDrawing(): void {
    this.#isNew = true;
  }

  protected isSelected({ mark }: MarkWithTooltip): boolean {
    return this.selected.some(other => isSameMark(other, mark));
  }

  /**
   * Renders the box of the drawing and its tooltip. The box handles focus events, because an `<svg>` with a focus
   * listener would be a tab stop.
   */
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

  /** Renders interactive marks. Each has its index in `marksWithTooltips` as `data-mark`. */
  protected renderMarks(
    content: unknown,
    { summary, kind }: { readonly summary: string; readonly kind: string },
  ): TemplateResult {
    return html`<svg
      role="group"
      class=${kind}
      viewBox="0 0 ${this.elementSize.width} ${this.elementSize.height}"
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
