import { html, LitElement, nothing, type PropertyValues, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { drawingProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import { createFormatter } from '../../../report/format.js';
import { type Mark, type Pick, sameMark } from '../../../report/mark.js';
import { DrawingError } from '../../../report/report-columns.js';
import { type Flows, readFlows } from '../../../report/sankey.js';
import { type LinkShape, layOutFlows, type NodeShape, type SankeyShapes } from '../../../report/sankey-layout.js';
import { catalog } from '../../messages/catalog.js';
import { tooltipStyles } from '../tooltip.styles.js';
import '../hint/pa-hint.js';
import { marksStyles } from '../marks/marks.styles.js';
import { type DrawnMark, MarksController } from '../marks/marks-controller.js';
import { RoomController } from '../marks/room-controller.js';
import { standaloneSvg } from '../marks/standalone-svg.js';
import { notice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { tooltip } from '../tooltip.js';
import { sankeyCatalog } from './messages/catalog.js';
import { sankeyStyles } from './sankey.styles.js';
import { type DrawnFlow, type FlowWords, wordsOf } from './sankey-words.js';

/** As many places in the first column as there are colours to tell apart. */
const mostColors = 6;

/** Flows with the words they are told in. */
interface ToldFlows {
  readonly flows: Flows;
  readonly words: FlowWords;
  /** Places, then flows: the order of the keys. */
  readonly marks: readonly DrawnMark[];
}

/**
 * Flows between places, that fill their tile.
 *
 * @summary The flows of a report, inside a tile.
 * @tagname pa-tile-sankey
 * @csspart sankey - The flows.
 * @csspart tooltip - The tooltip.
 */
export class PaTileSankey extends LitElement {
  static override styles = [tooltipStyles, noticeStyles, marksStyles, sankeyStyles];

  readonly #outer = new LocaleConsumer(this, catalog);
  readonly #words = new LocaleController(this, sankeyCatalog, () => this.#outer.value.locale);
  readonly #room = new RoomController(this);
  readonly #marks = new MarksController(this, {
    marks: () => this.#told?.marks ?? [],
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
  /** Called after the flows were drawn. */
  @property({ attribute: false }) onDrawn: () => void = () => {};
  /** Called when they can't be drawn. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};
  /** Called when somebody points at a place or a flow. */
  @property({ attribute: false }) onPick: (pick: Pick) => void = () => {};

  #told: ToldFlows | null = null;
  #toldIn: unknown = null;
  #shapes: SankeyShapes | null = null;
  #size = '';
  #problem: Problem | null = null;
  #isNew = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    try {
      this.#tell(changed.has('snapshot') || changed.has('rowSet'));
      this.#layOut();
    } catch (error) {
      this.#told = null;
      this.#problem = error instanceof DrawingError ? drawingProblem(error.message) : toProblem(error);
    }
  }

  protected override updated(): void {
    const problem = this.#problem;
    this.#problem = null;
    if (problem) this.onFailed(problem);
    if (!this.#isNew || !this.#shapes) return;
    this.#isNew = false;
    this.onDrawn();
  }

  /** The flows as a file of their own (SVG), in the colours that the page has now; empty before they are drawn. */
  toSvg(): string {
    const drawing = this.renderRoot.querySelector('svg');
    return drawing ? standaloneSvg(drawing, this.label) : '';
  }

  override render(): TemplateResult {
    const [told, shapes] = [this.#told, this.#shapes];
    const isEmpty = told?.flows.links.length === 0;
    // An <svg> that listens for the focus itself would be a stop of the Tab key.
    return html`<div
        part="sankey"
        class="drawing"
        @focusin=${this.#marks.handleFocus}
        @focusout=${this.#marks.handleBlur}
      >
        ${told && shapes && !isEmpty ? this.#renderFlows(told, shapes) : nothing}
        ${told ? this.#renderNote(told.flows) : nothing}
      </div>
      ${isEmpty ? html`<div class="empty">${notice(this.#words.value.messages.nothingFlows)}</div>` : nothing}
      ${tooltip(this.#marks.tooltip)}`;
  }

  #renderFlows({ flows, words }: ToldFlows, shapes: SankeyShapes): TemplateResult {
    const colors = colorsOf(shapes);
    // Narrow flows stand above wide ones, so that none is hidden.
    const links = [...shapes.links].sort((a, b) => b.width - a.width);
    return html`<svg
      role="group"
      viewBox="0 0 ${this.#room.width} ${this.#room.height}"
      aria-label="${this.label}. ${words.summary}"
      @pointermove=${this.#marks.handlePointer}
      @pointerdown=${this.#marks.handlePointer}
      @pointerleave=${this.#marks.handleLeave}
      @click=${this.#marks.handleClick}
      @contextmenu=${this.#marks.handleMenu}
      @keydown=${this.#marks.handleKey}
    >
      ${links.map(link => {
        const color = colors.get(flows.links[link.index]?.source ?? -1) ?? '';
        return this.#renderLink(link, words.links[link.index], flows.nodes.length + link.index, color);
      })}
      ${shapes.nodes.map(node => this.#renderNode(node, words.nodes[node.index], colors.get(node.index) ?? ''))}
      ${shapes.nodes.map(({ label }) =>
        label
          ? svg`<text class="label" aria-hidden="true" x=${label.x} y=${label.y} dy="0.35em" text-anchor=${label.anchor}>${label.text}</text>`
          : nothing,
      )}
    </svg>`;
  }

  #renderLink(link: LinkShape, told: DrawnFlow | undefined, place: number, color: string): unknown {
    if (!told) return nothing;
    return svg`<path
      class="mark link ${color} ${this.#fading(told)}"
      d=${link.path}
      stroke-width=${link.width.toFixed(1)}
      data-mark=${place}
      role="button"
      tabindex=${place === this.#marks.active ? 0 : -1}
      aria-label=${told.words}
      aria-pressed=${this.#isSelected(told)}
    ></path>`;
  }

  #renderNode(node: NodeShape, told: DrawnFlow | undefined, color: string): SVGTemplateResult | typeof nothing {
    if (!told) return nothing;
    return svg`<rect
      class="mark node ${color} ${this.#fading(told)}"
      x=${node.left.toFixed(1)}
      y=${node.top.toFixed(1)}
      width=${node.width}
      height=${node.height.toFixed(1)}
      data-mark=${node.index}
      role="button"
      tabindex=${node.index === this.#marks.active ? 0 : -1}
      aria-label=${told.words}
      aria-pressed=${this.#isSelected(told)}
    ></rect>`;
  }

  #renderNote({ unusable, circular, omitted }: Flows): TemplateResult | typeof nothing {
    const { messages } = this.#words.value;
    const count = unusable + circular + omitted;
    if (count === 0) return nothing;
    const sentences = [
      unusable > 0 ? messages.unusable(unusable) : '',
      circular > 0 ? messages.circular(circular) : '',
      omitted > 0 ? messages.omitted(omitted) : '',
    ];
    return html`<pa-hint
      class="note"
      exportparts="mark"
      .label=${messages.notShown(count)}
      .explanation=${sentences.filter(Boolean).join(' ')}
    ></pa-hint>`;
  }

  /** A flow stands with its chosen place, and a place with its chosen flow. */
  #fading({ mark }: DrawnFlow): string {
    return this.selected.length === 0 || this.selected.some(other => touches(other, mark)) ? '' : 'faded';
  }

  #isSelected({ mark }: DrawnFlow): boolean {
    return this.selected.some(other => sameMark(other, mark));
  }

  #tell(isOther: boolean): void {
    const words = this.#words.value;
    if (!isOther && this.#toldIn === words) return;
    this.#toldIn = words;
    this.#told = null;
    this.#size = '';
    this.#marks.clear();
    if (!this.snapshot || !this.rowSet) return;
    const flows = readFlows(this.snapshot, this.rowSet);
    const { preferences } = this.snapshot;
    const told = wordsOf(flows, { formatter: createFormatter(words.locale), preferences }, words.messages);
    this.#told = { flows, words: told, marks: [...told.nodes, ...told.links] };
    this.#isNew = true;
  }

  #layOut(): void {
    const { width, height } = this.#room;
    const size = `${width} ${height}`;
    if (!this.#told || width === 0) this.#shapes = null;
    else if (size !== this.#size) {
      this.#size = size;
      const names = this.#told.words.nodes.map(({ name }) => name);
      this.#shapes = layOutFlows(this.#told.flows, names, { width, height });
    }
  }
}

/** Classes of the places in the first column that have a colour of their own: all of them, or none where they are many. */
function colorsOf({ nodes }: SankeyShapes): ReadonlyMap<number, string> {
  const first = nodes.filter(({ layer }) => layer === 0);
  if (first.length > mostColors) return new Map();
  return new Map(first.map(({ index }, place) => [index, `series-${place + 1}`]));
}

/** Whether what one mark stands for is part of what the other does. */
function touches(a: Mark, b: Mark): boolean {
  const shared = Object.keys(a.values).filter(key => Object.hasOwn(b.values, key));
  return shared.length > 0 && shared.every(key => a.values[key] === b.values[key]);
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-sankey': PaTileSankey;
  }
}
