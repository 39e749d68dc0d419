import type { LitElement, ReactiveController, TemplateResult } from 'lit';
import {
  allColumns,
  type ColumnOrder,
  type ColumnWidthLimits,
  columnOrder,
  columnWidthLimits,
  layOutColumns,
  narrowBoxWidth,
} from '../../../report/table/column-layout.js';
import { type ColumnNeeds, columnNeeds } from '../../../report/table/column-needs.js';
import type { Table } from '../../../report/table/table.js';
import type { ColumnWidth } from '../../../report/table/table-settings.js';
import { type CellPosition, cellElement, type GridFrame, headRows, spanAt } from './grid-cells.js';
import { TextWidths } from './text-widths.js';
import {
  offsetShowing,
  type RowSpace,
  rowOffset,
  ScrollController,
  scrollOffset,
  type VisibleRange,
  visibleColumns,
  visibleRows,
} from './virtual-scroll.js';

/** Height of a row with one line of text, in px. */
export const rowHeight = 32;
/** Height of a row in a long table with wrapping columns, in px: three lines, since all rows have the same height. */
export const tallRowHeight = 68;
/**
 * Tables up to this number of rows and columns are rendered completely, so that find-in-page, text selection and screen
 * readers reach all cells.
 */
const wholeRows = 200;
const wholeColumns = 20;
/** Maximum number of rows to print. */
const printedRows = 1000;
/** Maximum number of pinned columns, and the maximum share of the box that they may take. */
export const maxPinnedColumns = 4;
const pinnedShare = 0.5;
/** The rendered part of the grid and its layout. */
export type GridExtent = Pick<GridFrame, 'pinned' | 'columns' | 'rows' | 'widths' | 'wraps' | 'table'>;

/** Provides the elements and widths that the layout needs. */
export interface LayoutHost {
  readonly root: () => ParentNode;
  /** Returns the width that the viewer set for a column, in px. */
  readonly chosenWidth: (key: string) => number | null;
  readonly isPrinting: () => boolean;
}

/** Lays out a table: computes the column widths and the rows and columns to render for the current scroll position. */
export class GridLayout implements ReactiveController {
  readonly #host: LitElement;
  readonly #from: LayoutHost;
  readonly #scroll: ScrollController;
  readonly #texts = new TextWidths();
  /** The table with all its columns. */
  #table: Table | null = null;
  #keys: readonly string[] = [];
  #needs: readonly ColumnNeeds[] = [];
  #order: ColumnOrder = { columns: [], group: null, isGrouped: false };
  #widths: readonly number[] = [];
  #wraps = false;
  /** Height of the table head, in px. */
  #head = rowHeight;
  #renderedExtent: GridExtent | null = null;
  /** Width of the box that the current element sizes were computed for. */
  #laidOutFor = 0;
  /** Inputs of the last measurement. */
  #measured: readonly unknown[] = [];
  #toReveal: CellPosition | null = null;

  constructor(host: LitElement, from: LayoutHost) {
    this.#host = host;
    this.#from = from;
    this.#scroll = new ScrollController(
      host,
      () => from.root().querySelector('.scroller'),
      () => this.#handleScroll(),
    );
    host.addController(this);
  }

  /** Keys of the visible columns. */
  get keys(): readonly string[] {
    return this.#order.columns.map(column => this.#keys[column] ?? '');
  }

  /** Strings whose widths have not been measured yet. */
  get probes(): TemplateResult {
    return this.#texts.render();
  }

  /** Width of each column, in px. */
  get widths(): readonly number[] {
    return this.#widths;
  }

  /** Number of rows per page. */
  get page(): number {
    return Math.max(1, Math.floor(this.#space.viewport / this.#rowHeight) - 1);
  }

  /** Classes of the table element. */
  get classes(): string {
    const isNarrow = this.#scroll.place.width <= narrowBoxWidth;
    return `${this.#isLong ? 'long' : 'whole'}${this.#wraps ? ' wraps' : ''}${isNarrow ? ' narrow' : ''}`;
  }

  hostDisconnected(): void {
    this.#toReveal = null;
  }

  /** Sets the table; `keys` are the keys of its columns. */
  take(table: Table, keys: readonly string[]): void {
    this.#table = table;
    this.#keys = keys;
    this.#needs = columnNeeds(table);
    this.#order = allColumns(table);
    this.#wraps = table.columns.some(({ settings }) => settings.overflow === 'wrap');
  }

  /** Arranges the columns for the available width. Returns the same object until a column moves. */
  arrange(group: number | null): ColumnOrder {
    const table = this.#table;
    if (!table) return this.#order;
    const { width } = this.#scroll.place;
    const widthLimits = columnWidthLimits(this.#needs, this.#texts, width);
    const widths = layOutColumns(this.#widthSettingsOf(allColumns(table).columns), widthLimits, width);
    const order = this.#from.isPrinting()
      ? allColumns(table)
      : columnOrder(table, widths, { availableWidth: width, chosen: group });
    const { columns } = this.#order;
    const isSame =
      columns.length === order.columns.length && columns.every((column, at) => column === order.columns[at]);
    this.#order = isSame ? { ...order, columns } : order;
    return this.#order;
  }

  /** Returns the part of the arranged table to render. */
  frame(table: Table): GridExtent {
    this.#renderedExtent = this.#extent(table);
    return this.#renderedExtent;
  }

  /** Returns whether the element of a cell is rendered. */
  isCellRendered({ row, column }: CellPosition): boolean {
    if (!this.#renderedExtent) return false;
    const { rows, columns, pinned, table } = this.#renderedExtent;
    const { from, span } = spanAt(table, { row, column });
    const isColumn = from < pinned || (from < columns.last && from + span > columns.first);
    return isColumn && (row < 0 ? row >= -headRows(table) : row >= rows.first && row < rows.last);
  }

  /** Applies sizes to the rendered elements. Call it after rendering. */
  apply(): void {
    const extent = this.#renderedExtent;
    const root = this.#from.root();
    if (!extent) return;
    const sizeOf: Readonly<Record<string, number>> = { before: extent.columns.before, after: extent.columns.after };
    for (const column of root.querySelectorAll<HTMLElement>('col')) {
      const name = column.dataset.column ?? '';
      column.style.setProperty('inline-size', `${sizeOf[name] ?? extent.widths[Number(name)] ?? 0}px`);
    }
    this.#reserveRows(extent.rows);
    this.#placePinned(extent);
    this.#measure();
    this.#markTop();
    this.#markEdges();
    this.#showRevealed();
  }

  /** Scrolls a cell into view, immediately or after it is rendered. */
  reveal(place: CellPosition): void {
    const scroller = this.#scroller;
    const extent = this.#renderedExtent;
    if (!scroller || !extent) return;
    const { top, start, width } = this.#scroll.place;
    if (this.#isLong && place.row >= 0) {
      const space = this.#space;
      const offset = rowOffset(space, top);
      const shown = offsetShowing(space, place.row, offset);
      if (shown !== offset) scroller.scrollTop = scrollOffset(space, shown);
    }
    const { pinned, widths } = extent;
    if (place.column >= pinned) {
      const sum = (first: number, last: number) => widths.slice(first, last).reduce((total, px) => total + px, 0);
      const from = sum(pinned, place.column);
      const to = from + (widths[place.column] ?? 0);
      const availableWidth = width - sum(0, pinned);
      const shown = nearestStart({ from, to }, start, availableWidth);
      if (shown !== start) scroller.scrollLeft = getComputedStyle(scroller).direction === 'rtl' ? -shown : shown;
    }
    this.#scroll.read();
    this.#toReveal = place;
    this.#host.requestUpdate();
  }

  /** Scrolls to the first row. */
  toTop(): void {
    const scroller = this.#scroller;
    if (scroller) scroller.scrollTop = 0;
    this.#scroll.read();
  }

  #handleScroll(): void {
    const extent = this.#renderedExtent;
    if (!extent) return;
    const next = this.#extent(extent.table);
    this.#markEdges();
    if (!isSameExtent(extent, next) || this.#scroll.place.width !== this.#laidOutFor) this.#host.requestUpdate();
    else {
      this.#renderedExtent = next;
      if (next.rows.before !== extent.rows.before) this.#reserveRows(next.rows);
      this.#markTop();
    }
  }

  #extent(table: Table): GridExtent {
    const { top, start, width } = this.#scroll.place;
    const isPrinting = this.#from.isPrinting();
    const count = table.columns.length;
    const widths = this.#layOut(width);
    const pinned = pinnedColumns(table, widths, width);
    const availableWidth = width - widths.slice(0, pinned).reduce((sum, px) => sum + px, 0);
    const columns =
      isPrinting || count <= wholeColumns
        ? { first: pinned, last: count, before: 0, after: 0 }
        : visibleColumns(widths, pinned, start, availableWidth);
    return { table, widths, pinned, columns, rows: this.#rowsOf(table, top), wraps: this.#wraps };
  }

  #rowsOf({ rowCount }: Table, top: number): VisibleRange {
    if (this.#isLong && !this.#from.isPrinting()) return visibleRows(this.#space, top);
    const last = this.#from.isPrinting() ? Math.min(printedRows, rowCount) : rowCount;
    return { first: 0, last, before: 0, after: 0 };
  }

  /** Returns the same array until a width changes. */
  #layOut(availableWidth: number): readonly number[] {
    const { columns } = this.#order;
    const needs = columns.flatMap(column => this.#needs[column] ?? []);
    const widthLimits = columnWidthLimits(needs, this.#texts, availableWidth).map(
      (column, at): ColumnWidthLimits =>
        this.#chosenWidth(columns[at]) === null ? column : { needed: column.needed, minWidth: 0 },
    );
    const widths = layOutColumns(this.#widthSettingsOf(columns), widthLimits, availableWidth);
    if (widths.length !== this.#widths.length || widths.some((px, index) => px !== this.#widths[index])) {
      this.#widths = widths;
    }
    return this.#widths;
  }

  /** Returns the column widths set by the viewer or, if not set, by the report. */
  #widthSettingsOf(columns: readonly number[]): (ColumnWidth | null)[] {
    return columns.map(column => {
      const size = this.#chosenWidth(column);
      return size === null ? (this.#table?.columns[column]?.settings.width ?? null) : { unit: 'px', size };
    });
  }

  #chosenWidth(column: number | undefined): number | null {
    const key = column === undefined ? undefined : this.#keys[column];
    return key === undefined ? null : this.#from.chosenWidth(key);
  }

  #reserveRows({ before, after }: VisibleRange): void {
    for (const [side, px] of [
      ['above', before],
      ['below', after],
    ] as const) {
      this.#from.root().querySelector<HTMLElement>(`tr.${side}`)?.style.setProperty('--_spacer-size', `${px}px`);
    }
  }

  #placePinned({ pinned, widths }: GridExtent): void {
    const table = this.#from.root().querySelector('table');
    const scroller = this.#scroller;
    if (!table || !scroller) return;
    let place = 0;
    for (let column = 0; column < maxPinnedColumns; column++) {
      if (column < pinned) {
        table.style.setProperty(`--_pin-${column}`, `${place}px`);
        place += widths[column] ?? 0;
      } else table.style.removeProperty(`--_pin-${column}`);
    }
    const box = scroller.parentElement;
    box?.style.setProperty('--_pinned', `${place}px`);
    box?.style.setProperty('--_width', `${this.#scroll.place.width}px`);
    this.#laidOutFor = this.#scroll.place.width;
    table.style.setProperty('--_inline-size', `${widths.reduce((sum, px) => sum + px, 0)}px`);
  }

  /** Marks the sides on which columns are out of view. */
  #markEdges(): void {
    const box = this.#scroller?.parentElement;
    const { start, width } = this.#scroll.place;
    const total = this.#widths.reduce((sum, px) => sum + px, 0);
    box?.toggleAttribute('data-before', start > 1);
    box?.toggleAttribute('data-after', total - width - start > 1);
  }

  /** Reads sizes only if their inputs have changed, because reading forces a layout. */
  #measure(): void {
    const of = [this.#table, this.#widths, this.#order.isGrouped, this.#scroll.place.width];
    if (of.every((part, index) => part === this.#measured[index])) return;
    this.#measured = of;
    const root = this.#from.root();
    const isMeasured = this.#texts.measure(root);
    const head = root.querySelector<HTMLElement>('thead')?.offsetHeight ?? 0;
    const { width, height } = this.#scroll.place;
    const now = this.#scroll.read();
    const isSame = !isMeasured && now.width === width && now.height === height;
    if (isSame && (head || this.#head) === this.#head) return;
    this.#head = head || this.#head;
    this.#scroller?.style.setProperty('--_head', `${this.#head}px`);
    this.#host.requestUpdate();
  }

  /** Shows the row headers of the first row in view, even if they repeat those of the row above. */
  #markTop(): void {
    const extent = this.#renderedExtent;
    if (!extent || extent.table.headerCount < 2) return;
    const root = this.#from.root();
    const offset = rowOffset(this.#space, this.#scroll.place.top);
    const row = Math.ceil((offset - 2) / this.#rowHeight);
    const line = cellElement(root, extent.table, { row, column: 0 })?.parentElement ?? null;
    const before = root.querySelector('[data-top]');
    if (line === before) return;
    before?.removeAttribute('data-top');
    line?.setAttribute('data-top', '');
  }

  #showRevealed(): void {
    const place = this.#toReveal;
    if (!place || !this.isCellRendered(place) || !this.#renderedExtent) return;
    this.#toReveal = null;
    const cell = cellElement(this.#from.root(), this.#renderedExtent.table, place);
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  get #scroller(): HTMLElement | null {
    return this.#from.root().querySelector<HTMLElement>('.scroller');
  }

  get #isLong(): boolean {
    return (this.#table?.rowCount ?? 0) > wholeRows;
  }

  get #rowHeight(): number {
    return this.#wraps ? tallRowHeight : rowHeight;
  }

  get #space(): RowSpace {
    const { height } = this.#scroll.place;
    const viewport = Math.max(0, height - this.#head);
    return { count: this.#table?.rowCount ?? 0, rowHeight: this.#rowHeight, viewport };
  }
}

/** Pins row headers, and the first column of a table that is wider than its box. */
function pinnedColumns({ headerCount }: Table, widths: readonly number[], availableWidth: number): number {
  const total = widths.reduce((sum, px) => sum + px, 0);
  const maxCount = Math.min(headerCount || (total > availableWidth + 1 ? 1 : 0), maxPinnedColumns);
  let [count, px] = [0, 0];
  while (count < maxCount) {
    px += widths[count] ?? 0;
    if (px > availableWidth * pinnedShare) break;
    count += 1;
  }
  return count;
}

function isSameExtent(a: GridExtent, b: GridExtent): boolean {
  return (
    a.rows.first === b.rows.first &&
    a.rows.last === b.rows.last &&
    a.columns.first === b.columns.first &&
    a.columns.last === b.columns.last &&
    a.pinned === b.pinned &&
    a.widths === b.widths
  );
}

/** Returns the scroll position closest to `start` that shows a span in a box of `availableWidth` px. */
function nearestStart(
  { from, to }: { readonly from: number; readonly to: number },
  start: number,
  availableWidth: number,
): number {
  if (from < start) return from;
  return to > start + availableWidth ? Math.min(from, to - availableWidth) : start;
}
