import type { Band, BandItem, Box } from './bands.js';
import { type BandSpan, bandScales, fitBands, scaleBand } from './fit-bands.js';
import { atStart, type SceneContext, textLine } from './scene-context.js';
import { element, groupAt, round, type SvgElement } from './svg-element.js';
import { drawFlowSlice, drawTile, openFlow, type Tile, type TileFlow } from './tile.js';

/** The drawn content of a page, in px from the top left corner of its content. */
export interface PageContent {
  readonly nodes: SvgElement[];
  /** Height that the content takes. */
  height: number;
}

/** Options of a page flow. */
interface PageFlowOptions {
  readonly context: SceneContext;
  readonly width: number;
  /** Height of a page; infinite for one page as tall as its content. */
  readonly height: number;
  readonly tileOf: (key: string) => Tile | null;
  /** Called after a tile was drawn. */
  readonly onTile: (tile: Tile, failure: string | null) => void;
}

const headingSize = 16;
/** Minimum height of the first part of a table. If less space is left, the table begins on the next page. */
const minSlice = 160;
const maxPages = 1_000;

/** Position on the pages. */
interface Position {
  readonly page: number;
  readonly y: number;
}

/** An item of a band with its tile, if it has one. */
interface Placed {
  readonly item: BandItem;
  readonly box: Box;
  readonly tile: Tile | null;
  readonly flow: TileFlow | null;
}

/** Distributes bands across pages. A band is split only if it is taller than a page, or if a table needs more space. */
export class PageFlow {
  readonly pages: PageContent[] = [{ nodes: [], height: 0 }];
  readonly #options: PageFlowOptions;
  #end: Position = { page: 0, y: 0 };

  constructor(options: PageFlowOptions) {
    this.#options = options;
  }

  /** True if no more pages can be added. */
  get isFull(): boolean {
    return this.#end.page >= maxPages;
  }

  /** Adds content of a known height, without a page break in it. */
  addBlock(nodes: readonly SvgElement[], height: number): void {
    if (this.#end.y > 0 && this.#end.y + height > this.#options.height) this.#breakPage();
    this.#put(this.#end.page, groupAt(0, this.#end.y, nodes), this.#end.y + height);
    this.#end = { ...this.#end, y: this.#end.y + height };
  }

  /**
   * Returns the leading bands that fit the current page, scaled to fill it. On a single page as tall as its content,
   * returns the first band unchanged.
   */
  nextBands(bands: readonly Band[]): readonly Band[] {
    const { height } = this.#options;
    if (!Number.isFinite(height)) return bands.slice(0, 1);
    const spans: BandSpan[] = [];
    // Stop measuring when the bands exceed a page at their minimum heights.
    for (let index = 0, total = 0; index < bands.length && total <= height; index += 1) {
      const span = this.#spanOf(bands[index] ?? { items: [], height: 0, gap: 0 });
      if (!span) break;
      spans.push(span);
      total += span.fixed + span.elastic * span.minScale;
    }
    const isStart = this.#end.y === 0;
    const { count, scale } = fitBands(spans, height - this.#end.y, { isStart });
    if (count > 0) return bands.slice(0, count).map(band => scaleBand(band, scale));
    const [first] = spans;
    if (isStart || !first || first.fixed + first.elastic * first.minScale > height) return bands.slice(0, 1);
    this.#breakPage();
    return this.nextBands(bands);
  }

  /** Measures a band; returns `null` if it is split across pages. */
  #spanOf({ items, height, gap }: Band): BandSpan | null {
    const placed = items.map(item => this.#open(item));
    const [only] = placed;
    if (placed.length === 1 && only?.flow) {
      const isLong = only.flow.height > this.#options.height / 2;
      const fixed = Math.min(height, only.flow.height);
      return isLong ? null : { gap, fixed, elastic: 0, minScale: 0, isOpen: only.flow.height > height };
    }
    if (splitBelow(placed) !== null) return null;
    const flows = placed.flatMap(({ flow, box }) => (flow ? [flow.height / Math.max(1, box.height)] : []));
    const isOpen = flows.some(share => share > 1);
    const minScale = Math.max(bandScales.min, ...flows.filter(share => share <= 1));
    return { gap, fixed: 0, elastic: height, minScale, isOpen };
  }

  /** Adds the next band. */
  async addBand({ items, height, gap }: Band): Promise<void> {
    if (this.isFull) return;
    const placed = items.map(item => this.#open(item));
    const split = splitBelow(placed);
    if (split !== null) {
      await this.addBand(
        bandOf(
          items.filter(({ box }) => box.y < split),
          gap,
        ),
      );
      await this.addBand(
        bandOf(
          items.filter(({ box }) => box.y >= split),
          gap,
        ),
      );
      return;
    }
    const [only] = placed;
    const isOneFlow = placed.length === 1 && only?.flow ? only.flow : null;
    const needed = isOneFlow ? Math.min(height, isOneFlow.height) : height;
    const isFirst = this.#end.y === 0;
    const top = isFirst ? 0 : this.#end.y + gap;
    const remainingHeight = this.#options.height - top;
    if (needed > remainingHeight) {
      if (needed > this.#options.height && items.length > 1) return this.#addRows(items, gap);
      const isLong = isOneFlow !== null && isOneFlow.height > this.#options.height / 2;
      if (!isFirst && !(isLong && remainingHeight >= minSlice)) {
        this.#breakPage();
        return this.addBand({ items, height, gap });
      }
    }
    await this.#draw(placed, { page: this.#end.page, y: top }, isOneFlow ? needed : null);
  }

  /** Adds the items of a band that is taller than a page row by row. */
  async #addRows(items: readonly BandItem[], gap: number): Promise<void> {
    const tops = [...new Set(items.map(({ box }) => box.y))].sort((a, b) => a - b);
    for (const top of tops)
      await this.addBand(
        bandOf(
          items.filter(({ box }) => box.y === top),
          gap,
          this.#options.height,
        ),
      );
  }

  #open(item: BandItem): Placed {
    const { context, width, tileOf } = this.#options;
    const isMirrored = context.direction === 'rtl';
    const box = isMirrored ? { ...item.box, x: width - item.box.x - item.box.width } : item.box;
    const tile = item.type === 'tile' ? tileOf(item.node.key) : null;
    const flow = tile?.body.type === 'flow' ? openFlow(context, tile, box.width) : null;
    return { item, box, tile, flow };
  }

  async #draw(placed: readonly Placed[], start: Position, height: number | null): Promise<void> {
    let end: Position = start;
    for (const { item, box, tile, flow } of placed) {
      const at = { page: start.page, y: start.y + box.y };
      const last = flow
        ? this.#drawFlow(flow, box, { at, height: height ?? box.height })
        : await this.#drawFixed(item, tile, { at, box });
      if (last.page > end.page || (last.page === end.page && last.y > end.y)) end = last;
    }
    this.#end = end;
  }

  async #drawFixed(
    item: BandItem,
    tile: Tile | null,
    { at, box }: { readonly at: Position; readonly box: Box },
  ): Promise<Position> {
    const { context, onTile } = this.#options;
    const end = at.y + Math.min(box.height, this.#options.height);
    if (item.type === 'heading') {
      this.#put(at.page, groupAt(box.x, at.y, [drawHeading(context, item.text, box)]), end);
    } else if (item.type === 'divider') {
      const { colors } = context;
      const line = { x: 0, y: round(box.height / 2), width: round(box.width), height: 1, fill: colors.line };
      this.#put(at.page, groupAt(box.x, at.y, [element('rect', line)]), end);
    } else if (tile) {
      const size = { width: box.width, height: Math.min(box.height, this.#options.height) };
      const drawing = await drawTile(context, tile, size);
      onTile(tile, drawing.failure);
      this.#put(at.page, groupAt(box.x, at.y, [drawing.node]), end);
    }
    return { page: at.page, y: end };
  }

  /** Draws a table or text on as many pages as it needs. */
  #drawFlow(flow: TileFlow, box: Box, { at, height }: { readonly at: Position; readonly height: number }): Position {
    const { context, onTile } = this.#options;
    onTile(flow.tile, flow.tile.failure);
    let { page, y } = at;
    // Keep the heading of a table together with its first rows.
    if (y > 0 && this.#options.height - y < Math.min(flow.height, minSlice)) [page, y] = [page + 1, 0];
    for (let isFirst = true; isFirst || !flow.cursor.isDone; isFirst = false) {
      if (!isFirst) {
        page += 1;
        y = 0;
        if (page >= maxPages) break;
      }
      const availableHeight = this.#options.height - y;
      const minHeight = isFirst ? Math.min(height, availableHeight) : 0;
      const slice = drawFlowSlice(context, flow, { availableHeight, minHeight, isFirst, isWhole: y === 0 });
      this.#put(page, groupAt(box.x, y, [slice.node]), y + slice.height);
      y += slice.height;
    }
    return { page, y };
  }

  #put(page: number, node: SvgElement, end: number): void {
    while (this.pages.length <= page) this.pages.push({ nodes: [], height: 0 });
    const content = this.pages[page];
    if (!content) return;
    content.nodes.push(node);
    content.height = Math.max(content.height, end);
  }

  #breakPage(): void {
    this.#end = { page: this.#end.page + 1, y: 0 };
  }
}

/** Creates a band of items, with positions relative to the first of them. */
function bandOf(items: readonly BandItem[], gap: number, maxHeight = Number.POSITIVE_INFINITY): Band {
  const top = Math.min(...items.map(({ box }) => box.y));
  const moved = items.map(item => ({
    ...item,
    box: { ...item.box, y: item.box.y - top, height: Math.min(item.box.height, maxHeight) },
  }));
  return { items: moved, height: Math.max(0, ...moved.map(({ box }) => box.y + box.height)), gap };
}

/**
 * Returns where to split a band, so that a table with more rows than fit has nothing below it; `null` if there is no
 * such position.
 */
function splitBelow(placed: readonly Placed[]): number | null {
  for (const { box, flow } of placed) {
    const end = box.y + box.height;
    if (!flow || flow.height <= box.height) continue;
    const isAbove = placed.some(
      other => other.box.y >= end && other.box.x < box.x + box.width && box.x < other.box.x + other.box.width,
    );
    if (isAbove) return end;
  }
  return null;
}

function drawHeading(context: SceneContext, text: string, { width, height }: Box): SvgElement {
  const { fonts, colors } = context;
  const style = { size: headingSize, weight: 600 } as const;
  const line = textLine(context, fonts.truncate(fonts.drawable(text, 600), width, style), {
    ...atStart(context, 0, width),
    ...style,
    y: height - 12,
    fill: colors.text,
  });
  return element('g', { 'pdf:role': 'H2', 'pdf:bookmark': text, 'pdf:level': 1 }, [line]);
}
