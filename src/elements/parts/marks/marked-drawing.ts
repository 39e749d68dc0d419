import { type CSSResultGroup, html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { drawingProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import { type Mark, type Pick, sameMark } from '../../../report/mark.js';
import { DrawingError } from '../../../report/report-columns.js';
import { catalog } from '../../messages/catalog.js';
import { tooltipStyles } from '../tooltip.styles.js';
import '../hint/pa-hint.js';
import { tooltip } from '../tooltip.js';
import { marksStyles } from './marks.styles.js';
import { type DrawnMark, MarksController } from './marks-controller.js';
import { RoomController } from './room-controller.js';
import { standaloneSvg } from './standalone-svg.js';

/** A drawing of marks that fills its tile, drawn by templates: what maps and flows share. What there is to draw is its subclass's. */
export abstract class MarkedDrawing extends LitElement {
  static override styles: CSSResultGroup = [tooltipStyles, marksStyles];

  readonly #outer = new LocaleConsumer(this, catalog);
  protected readonly room = new RoomController(this);
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
    return this.selected.some(other => sameMark(other, mark));
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
