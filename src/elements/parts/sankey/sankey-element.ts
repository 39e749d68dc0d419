import { css, html, nothing, type PropertyValues, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { createFormatter } from '../../../report/format/format.js';
import type { Mark } from '../../../report/marks/mark.js';
import type { MarkWithTooltip } from '../../../report/marks/mark-with-tooltip.js';
import {
  type Flows,
  type LinkShape,
  layOutFlows,
  type NodeShape,
  readFlows,
  type SankeyShapes,
  seriesOfNodes,
} from '../../../report/sankey/sankey.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { register } from '../../register.js';
import { MarkedDrawing } from '../marks/marked-drawing.js';
import { notice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { type FlowWords, type SankeyMark, sankeyMessages, wordsOf } from './sankey-messages.js';

const sankeyCatalog = defineCatalog(sankeyMessages, dashboardTranslations('sankey'));

/** Styles of Sankey diagrams. Nodes have series colors if there are few, otherwise a muted color. */
const sankeyStyles = css`
  .node {
    fill: color-mix(in srgb, var(--_muted) 75%, var(--_surface));
  }
  .link {
    fill: none;
    stroke: var(--_muted);
    stroke-opacity: 0.22;
  }
  .link:hover {
    stroke-opacity: 0.45;
  }
  .drawing .label {
    fill: var(--_text);
    paint-order: stroke;
    stroke: var(--_surface);
    stroke-width: 3px;
    stroke-linejoin: round;
  }
  .node.series-1 {
    fill: var(--_series-1);
  }
  .node.series-2 {
    fill: var(--_series-2);
  }
  .node.series-3 {
    fill: var(--_series-3);
  }
  .node.series-4 {
    fill: var(--_series-4);
  }
  .node.series-5 {
    fill: var(--_series-5);
  }
  .node.series-6 {
    fill: var(--_series-6);
  }
  .link.series-1 {
    stroke: var(--_series-1);
  }
  .link.series-2 {
    stroke: var(--_series-2);
  }
  .link.series-3 {
    stroke: var(--_series-3);
  }
  .link.series-4 {
    stroke: var(--_series-4);
  }
  .link.series-5 {
    stroke: var(--_series-5);
  }
  .link.series-6 {
    stroke: var(--_series-6);
  }
  .link.mark:focus-visible {
    stroke: var(--_accent);
    stroke-opacity: 0.7;
    stroke-width: inherit;
  }
  .empty {
    position: absolute;
    inset: 0;
    overflow: auto;
  }
`;

/** Flows with their labels. */
interface DescribedFlows {
  readonly flows: Flows;
  readonly words: FlowWords;
  /** Nodes, then links, in keyboard order. */
  readonly marks: readonly MarkWithTooltip[];
}

/**
 * A Sankey diagram that fills its tile.
 *
 * @summary The flows of a report, inside a tile.
 * @tagname pa-tile-sankey
 * @csspart sankey - The flows.
 * @csspart tooltip - The tooltip.
 */
export class PaTileSankey extends MarkedDrawing {
  static override styles = [MarkedDrawing.styles, noticeStyles, sankeyStyles];

  readonly #words = new LocaleController(this, sankeyCatalog, () => this.locale);

  #described: DescribedFlows | null = null;
  #describedIn: unknown = null;
  #shapes: SankeyShapes | null = null;
  #size = '';

  protected override get marksWithTooltips(): readonly MarkWithTooltip[] {
    return this.#described?.marks ?? [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isOther = changed.has('snapshot') || changed.has('rowSet');
    const isWell = this.attempt(() => {
      this.#labelFlows(isOther);
      this.#layOut();
    });
    if (!isWell) this.#described = null;
  }

  override render(): TemplateResult {
    const [described, shapes] = [this.#described, this.#shapes];
    const isEmpty = described?.flows.links.length === 0;
    const content = html`${described && shapes && !isEmpty ? this.#renderFlows(described, shapes) : nothing}
    ${described ? this.#renderNote(described.flows) : nothing}`;
    return html`${this.renderBox('sankey', content)}
    ${isEmpty ? html`<div class="empty">${notice(this.#words.value.messages.nothingFlows)}</div>` : nothing}`;
  }

  #renderFlows({ flows, words }: DescribedFlows, shapes: SankeyShapes): TemplateResult {
    const series = seriesOfNodes(shapes);
    const colorOf = (index: number): string => (series.has(index) ? `series-${series.get(index)}` : '');
    // Narrow links are drawn over wide ones, so that none is hidden.
    const links = [...shapes.links].sort((a, b) => b.width - a.width);
    const content = svg`
      ${links.map(link => {
        const color = colorOf(flows.links[link.index]?.source ?? -1);
        return this.#renderLink(link, words.links[link.index], flows.nodes.length + link.index, color);
      })}
      ${shapes.nodes.map(node => this.#renderNode(node, words.nodes[node.index], colorOf(node.index)))}
      ${shapes.nodes.map(({ label }) =>
        label
          ? svg`<text class="label" aria-hidden="true" x=${label.x} y=${label.y} dy="0.35em" text-anchor=${label.anchor}>${label.text}</text>`
          : nothing,
      )}`;
    return this.renderMarks(content, { summary: words.summary, kind: '' });
  }

  #renderLink(link: LinkShape, flow: SankeyMark | undefined, place: number, color: string): unknown {
    if (!flow) return nothing;
    return svg`<path
      class="mark link ${color} ${this.#fading(flow)}"
      d=${link.path}
      stroke-width=${link.width.toFixed(1)}
      data-mark=${place}
      role="button"
      tabindex=${place === this.marks.active ? 0 : -1}
      aria-label=${flow.words}
      aria-pressed=${this.isSelected(flow)}
    ></path>`;
  }

  #renderNode(node: NodeShape, flow: SankeyMark | undefined, color: string): SVGTemplateResult | typeof nothing {
    if (!flow) return nothing;
    return svg`<rect
      class="mark node ${color} ${this.#fading(flow)}"
      x=${node.left.toFixed(1)}
      y=${node.top.toFixed(1)}
      width=${node.width}
      height=${node.height.toFixed(1)}
      data-mark=${node.index}
      role="button"
      tabindex=${node.index === this.marks.active ? 0 : -1}
      aria-label=${flow.words}
      aria-pressed=${this.isSelected(flow)}
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

  /** Returns the class of a mark that fades. A link is not faded if its node is selected, nor a node if its link is. */
  #fading({ mark }: SankeyMark): string {
    return this.selected.length === 0 || this.selected.some(other => touches(other, mark)) ? '' : 'faded';
  }

  #labelFlows(isOther: boolean): void {
    const words = this.#words.value;
    if (!isOther && this.#describedIn === words) return;
    this.#describedIn = words;
    this.#described = null;
    this.#size = '';
    this.marks.clear();
    if (!this.snapshot || !this.rowSet) return;
    const flows = readFlows(this.snapshot, this.rowSet);
    const { preferences } = this.snapshot;
    const described = wordsOf(flows, { formatter: createFormatter(words.locale), preferences }, words.messages);
    this.#described = { flows, words: described, marks: [...described.nodes, ...described.links] };
    this.expectDrawing();
  }

  #layOut(): void {
    const { width, height } = this.elementSize;
    const size = `${width} ${height}`;
    if (!this.#described || width === 0) this.#shapes = null;
    else if (size !== this.#size) {
      this.#size = size;
      const names = this.#described.words.nodes.map(({ name }) => name);
      this.#shapes = layOutFlows(this.#described.flows, names, { width, height });
    }
  }
}

/** Returns whether two marks have members in common and the same values for all of them. */
function touches(a: Mark, b: Mark): boolean {
  const shared = Object.keys(a.values).filter(key => Object.hasOwn(b.values, key));
  return shared.length > 0 && shared.every(key => a.values[key] === b.values[key]);
}

register('pa-tile-sankey', PaTileSankey);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-sankey': PaTileSankey;
  }
}
