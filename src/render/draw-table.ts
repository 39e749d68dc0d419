import type { ReportSnapshot } from '../contract/dashboards.js';
import { safeHref } from '../report/format/safe-href.js';
import type { ReportData } from '../report/query/report-data.js';
import { barOf, cellTone, heatOf, lineOf, linePath, maxScaleShare, scaleSteps } from '../report/table/cell-graphics.js';
import { columnRooms, layOutColumns, type MeasuredTexts } from '../report/table/column-layout.js';
import { columnNeeds } from '../report/table/column-needs.js';
import { reportTable, selectColumns } from '../report/table/report-table.js';
import type { Table, TableCell, TableColumn, TableHead } from '../report/table/table.js';
import { plainLook } from '../report/table/table-look.js';
import { type FontWeight, plainText } from './fonts.js';
import { mixColors } from './render-colors.js';
import { atEnd, atStart, type RenderContext, type TextOptions, textLine } from './render-context.js';
import { element, groupAt, round, type SvgElement, type SvgNode } from './svg.js';
import type { Flow, Strip, TileBody } from './tile-body.js';

/** Maximum number of rows of a table in a file. */
const maxTableRows = 2_000;
/** Maximum number of cells of a table. */
const maxTableCells = 60_000;
/** Minimum number of rows of a table, if other tables have used up the cells of the file. */
const minTableRows = 20;

const textSize = 13;
const headingSize = 12;
const rowHeight = 28;
const lineHeight = 18;
const cellPadding = 10;
const maxCellLines = 6;
/** Smallest scale of a table. If its columns do not fit then, they continue in another table below. */
const minScale = 0.72;

/** Creates the table of a report, with all rows up to the limit. */
export function tableBody(context: RenderContext, snapshot: ReportSnapshot, data: ReportData): TileBody {
  const { formatter, messages, locale } = context;
  const presentation = {
    formatter,
    preferences: snapshot.preferences,
    totalTitle: messages.table.total,
  };
  const table = reportTable(data, snapshot, presentation);
  const rows = printedRows(table, takeRows(context, table));
  const leftOut = table.rowCount - rows.length;
  const count = (value: number) => new Intl.NumberFormat(locale).format(value);
  const notes = [
    ...table.filters,
    ...(table.cut ? [messages.table.cut] : []),
    ...(leftOut > 0 ? [messages.table.leftOut(leftOut, count(leftOut))] : []),
  ];
  return {
    type: 'flow',
    layOut: width => columnParts(context, table, width).map(part => drawPart(context, table, { ...part, rows })),
    html: () => [htmlTable(context, table, rows)],
    description: messages.print.rowsInFile(count(rows.length), count(table.rowCount)),
    notes,
  };
}

/** Returns how many rows of a table the file has space for, and reserves their cells. */
function takeRows({ cells }: RenderContext, { columns, rowCount }: Table): number {
  const width = Math.max(1, columns.length);
  const free = Math.floor(Math.min(maxTableCells, cells.left) / width);
  const rows = Math.min(rowCount, maxTableRows, Math.max(free, minTableRows));
  cells.left = Math.max(0, cells.left - rows * width);
  return rows;
}

/** Indexes of the rows in a file: the first rows, and the totals. */
function printedRows({ rowCount, totalCount }: Table, maxRows: number): readonly number[] {
  const totals = Math.min(totalCount, maxRows);
  const body = Math.min(rowCount - totalCount, maxRows - totals);
  return [
    ...Array.from({ length: body }, (_, index) => index),
    ...Array.from({ length: totals }, (_, index) => rowCount - totalCount + index),
  ];
}

/** Columns that are drawn next to each other, with their widths before scaling. */
interface ColumnPart {
  readonly columns: readonly number[];
  readonly widths: readonly number[];
  readonly scale: number;
}

/** Divides the columns of a table into parts that fit a width. The row headers are repeated in each part. */
function columnParts({ fonts }: RenderContext, table: Table, width: number): ColumnPart[] {
  const texts: MeasuredTexts = {
    digit: fonts.width('0', { size: textSize }),
    of: ({ text, style }) =>
      fonts.width(text, {
        size: style === 'heading' ? headingSize : textSize,
        weight: style === 'body' ? 400 : 600,
      }),
  };
  const needs = columnNeeds(table);
  const own = table.columns.map(({ look }) => look.width);
  const measure = (room: number) => layOutColumns(own, columnRooms(needs, texts, room), room);
  const all = table.columns.map((_, index) => index);
  const fitting = measure(width);
  const total = sum(fitting);
  if (total <= width / minScale) return [{ columns: all, widths: fitting, scale: Math.min(1, width / total) }];
  const room = width / minScale;
  const widths = measure(room);
  const leading = leadingColumns(table, widths, room);
  const parts: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const column of all.slice(leading.length)) {
    const needed = widths[column] ?? 0;
    if (used + needed > room) {
      parts.push([...leading]);
      used = sum(leading.map(index => widths[index] ?? 0));
    }
    parts.at(-1)?.push(column);
    used += needed;
  }
  return parts.map(columns => {
    const chosen = columns.map(index => widths[index] ?? 0);
    const scale = Math.max(minScale, Math.min(1, width / sum(chosen)));
    // A column is at most as wide as the page; its text wraps.
    const maxWidth = width / scale;
    return { columns, widths: chosen.map(each => Math.min(each, maxWidth)), scale };
  });
}

/** The columns that each part repeats: the row headers of a pivot, otherwise the first column. */
function leadingColumns({ headerCount }: Table, widths: readonly number[], room: number): readonly number[] {
  const count = Math.max(1, headerCount);
  return sum(widths.slice(0, count)) < room / 2 ? Array.from({ length: count }, (_, index) => index) : [];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Draws a part of the columns. */
function drawPart(
  context: RenderContext,
  whole: Table,
  { columns, widths, scale, rows }: ColumnPart & { readonly rows: readonly number[] },
): Flow {
  const table = selectColumns(whole, columns);
  const grid = gridOf(context, table, widths);
  const head = [...table.heads.map(level => levelStrip(grid, level)), headingStrip(grid)];
  return {
    head: head.map(strip => scaled(strip, scale)),
    strips: rows.flatMap(index => {
      const strip = rowStrip(grid, index);
      return strip ? [scaled(strip, scale)] : [];
    }),
  };
}

function scaled({ height, nodes, topNodes }: Strip, scale: number): Strip {
  if (scale === 1) return topNodes ? { height, nodes, topNodes } : { height, nodes };
  const apply = (drawn: readonly SvgElement[]) => [element('g', { transform: `scale(${scale.toFixed(4)})` }, drawn)];
  return { height: height * scale, nodes: apply(nodes), ...(topNodes && { topNodes: apply(topNodes) }) };
}

/** A table with the positions of its columns. */
interface Grid {
  readonly context: RenderContext;
  readonly table: Table;
  readonly width: number;
  /** Left edge of each column. */
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
}

function gridOf(context: RenderContext, table: Table, widths: readonly number[]): Grid {
  const width = sum(widths);
  let x = 0;
  const lefts = widths.map(each => {
    const left = context.direction === 'rtl' ? width - x - each : x;
    x += each;
    return left;
  });
  return { context, table, width, lefts, widths };
}

function rule({ context, width }: Grid, y: number, color = context.colors.line): SvgElement {
  return element('rect', { x: 0, y: round(y - 0.5), width: round(width), height: 1, fill: color });
}

/** Draws a level of the headings of a pivot. */
function levelStrip(grid: Grid, level: readonly TableHead[]): Strip {
  const { context, lefts, widths } = grid;
  const { fonts, colors } = context;
  const cells = level.flatMap(({ title, from, span }) => {
    const columns = Array.from({ length: span }, (_, index) => from + index);
    const left = Math.min(...columns.map(column => lefts[column] ?? 0));
    const width = sum(columns.map(column => widths[column] ?? 0));
    const room = width - 2 * cellPadding;
    const text = fonts.truncate(fonts.drawable(title, 600), room, { size: headingSize, weight: 600 });
    const style = { y: 18, size: headingSize, weight: 600, fill: colors.muted } as const;
    const underline = element('rect', {
      x: round(left + 4),
      y: rowHeight - 1,
      width: round(Math.max(0, width - 8)),
      height: 1,
      fill: colors.line,
    });
    return title === ''
      ? []
      : [
          underline,
          cellText('TH', [textLine(context, text, { ...style, ...atStart(context, left + cellPadding, room) })]),
        ];
  });
  return { height: rowHeight, nodes: [row(cells)] };
}

/** Groups the cells of a row for the structure of a PDF. */
function row(cells: readonly SvgElement[]): SvgElement {
  return element('g', { 'pdf:role': 'TR' }, cells);
}

function cellText(role: 'TH' | 'TD', lines: readonly SvgElement[]): SvgElement {
  return element('g', { 'pdf:role': role }, lines);
}

/** Draws the headings of the columns. */
function headingStrip(grid: Grid): Strip {
  const { context, table, lefts, widths } = grid;
  const { fonts, colors } = context;
  const style = { size: headingSize, weight: 600 } as const;
  const headings = table.columns.map(({ title, align }, index) => {
    const room = (widths[index] ?? 0) - 2 * cellPadding;
    const lines = fonts.wrap(fonts.drawable(title, 600), room, style, 3);
    return { lines, align, x: (lefts[index] ?? 0) + cellPadding, room };
  });
  const lineCount = Math.max(1, ...headings.map(({ lines }) => lines.length));
  const height = 14 + lineCount * 15;
  const cells = headings.map(({ lines, align, x, room }) =>
    cellText(
      'TH',
      lines.map((line, index) =>
        textLine(context, line, {
          ...aligned(context, align, x, room),
          ...style,
          y: height - 10 - (lines.length - 1 - index) * 15,
          fill: colors.muted,
        }),
      ),
    ),
  );
  return { height, nodes: [row(cells), rule(grid, height, colors.muted)] };
}

function aligned(
  context: RenderContext,
  align: TableColumn['align'],
  x: number,
  room: number,
): Pick<TextOptions, 'x' | 'anchor'> {
  if (align === 'center') return { x: x + room / 2, anchor: 'middle' };
  return align === 'end' ? atEnd(context, x, room) : atStart(context, x, room);
}

/** Draws a row; `null` if it does not exist. */
function rowStrip(grid: Grid, index: number): Strip | null {
  const { context, table } = grid;
  const line = table.row(index);
  if (!line) return null;
  const isTotal = line.kind === 'total';
  const cells = line.cells.map((cell, column) => readCell(grid, cell, { column, isTotal }));
  const lineCount = Math.max(1, ...cells.map(({ lines }) => lines.length));
  const height = rowHeight + (lineCount - 1) * lineHeight;
  const draw = (which: (cell: PrintedCell) => boolean): SvgElement[] => [
    row(cells.flatMap(cell => drawCell(grid, cell, { height, isShown: which(cell) }))),
    ...(isTotal ? [rule(grid, 0, context.colors.muted)] : []),
    rule(grid, height),
  ];
  const nodes = draw(({ cell }) => !cell.repeats);
  return cells.some(({ cell }) => cell.repeats) ? { height, nodes, topNodes: draw(() => true) } : { height, nodes };
}

/** A cell with the lines of its text. */
interface PrintedCell {
  readonly cell: TableCell;
  readonly column: TableColumn;
  readonly index: number;
  readonly lines: readonly string[];
  readonly weight: FontWeight;
}

function readCell(
  { context, table, widths }: Grid,
  cell: TableCell,
  { column: index, isTotal }: { readonly column: number; readonly isTotal: boolean },
): PrintedCell {
  const { fonts } = context;
  const column = table.columns[index] ?? noColumn;
  const tone = cellTone(cell, column);
  const isStrong = isTotal || cell.kind === 'total' || (tone !== null && tone !== 'muted');
  const weight: FontWeight = isStrong ? 600 : 400;
  const room = roomOf(cell, column, widths[index] ?? 0);
  const text = fonts.drawable(cell.text, weight);
  const style = { size: textSize, weight };
  if (sparklinePath(cell, column) !== '') return { cell, column, index, lines: [], weight };
  const isWhole = cell.kind === 'figure' || column.isTime === true;
  const lines = isWhole ? [fonts.truncate(text, room, style)] : fonts.wrap(text, room, style, maxCellLines);
  return { cell, column, index, lines, weight };
}

const noColumn: TableColumn = { member: '', title: '', align: 'start', kind: 'text', look: plainLook };

/** Width for the text of a cell: a bar takes half of its cell. */
function roomOf({ kind }: TableCell, { look }: TableColumn, width: number): number {
  const room = Math.max(8, width - 2 * cellPadding);
  return look.display === 'bar' && kind === 'figure' ? room / 2 - 4 : room + 2;
}

/** Draws a cell: its background, its text, or its drawing. */
function drawCell(
  grid: Grid,
  { cell, column, index, lines, weight }: PrintedCell,
  { height, isShown }: { readonly height: number; readonly isShown: boolean },
): SvgElement[] {
  const { context, lefts, widths } = grid;
  const { colors } = context;
  const [left, width] = [lefts[index] ?? 0, widths[index] ?? 0];
  const look = cellColors(grid, cell, column, index);
  const nodes: SvgElement[] = [];
  if (look.background) {
    nodes.push(element('rect', { x: round(left), y: 0, width: round(width), height, fill: look.background }));
  }
  if (!isShown) return nodes;
  const x = left + cellPadding;
  const room = width - 2 * cellPadding;
  const drawing =
    cell.kind === 'figure' || cell.kind === 'text' ? drawingOf(grid, cell, { column, index, x, room }) : null;
  if (drawing) nodes.push(drawing.node);
  if (drawing?.isComplete) return nodes;
  const href = column.look.display === 'link' && cell.kind !== 'total' ? webAddress(cell.address) : null;
  const text = lines.map((line, at) =>
    textLine(context, line, {
      ...aligned(context, column.align, x, room),
      y: 18.5 + at * lineHeight,
      size: textSize,
      weight,
      fill: href ? colors.accent : look.text,
      href,
    }),
  );
  return [...nodes, cellText(cell.kind === 'header' ? 'TH' : 'TD', text)];
}

/** The address of a link; `null` unless it leads to a web site or a mail program. */
function webAddress(address: string | null): string | null {
  const href = address === null ? null : safeHref(address);
  return href !== null && /^(?:https?|mailto):/i.test(href) ? href : null;
}

interface CellColors {
  readonly background: string | null;
  readonly text: string;
}

function cellColors({ context, table }: Grid, cell: TableCell, column: TableColumn, index: number): CellColors {
  const { colors } = context;
  const plain = { background: null, text: colors.text };
  if (cell.kind === 'total' || cell.kind === 'header') return plain;
  const tone = cellTone(cell, column);
  if (tone === 'muted') return { ...plain, text: colors.muted };
  if (tone !== null) {
    const tones = {
      positive: colors.success,
      negative: colors.danger,
      warning: colors.warn,
      accent: colors.accent,
    } as const;
    return { background: mixColors(tones[tone], 0.1, colors.surface), text: tones[tone] };
  }
  const heat = column.look.scale === null ? null : heatOf(column.look.scale, cell.value, table.range(index));
  if (heat === null) return plain;
  const [kind, step] = heat.split('-');
  const share = (maxScaleShare / 100) * (Number(step) / scaleSteps);
  return {
    ...plain,
    background: mixColors(kind === 'cold' ? colors.danger : colors.accent, share, colors.surface),
  };
}

interface DrawingInput {
  readonly column: TableColumn;
  readonly index: number;
  readonly x: number;
  readonly room: number;
}

/** Draws the bar or the sparkline of a cell; `null` if it has none. */
function drawingOf(
  { context, table }: Grid,
  cell: TableCell,
  { column, index, x, room }: DrawingInput,
): { readonly node: SvgElement; readonly isComplete: boolean } | null {
  const { colors, direction } = context;
  if (column.look.display === 'bar' && cell.kind === 'figure') {
    const bar = barOf(cell.value, table.range(index));
    if (!bar) return null;
    const half = room / 2;
    const start = bar.from * half;
    const length = bar.length * half;
    const fill = mixColors(bar.isNegative ? colors.danger : colors.accent, 0.55, colors.surface);
    const left = direction === 'rtl' ? x + room - start - length : x + start;
    return {
      node: element('rect', { x: round(left), y: 8, width: round(length), height: 12, fill }),
      isComplete: false,
    };
  }
  const d = sparklinePath(cell, column).replace(
    /([ML])([\d.]+) ([\d.]+)/g,
    (_, command: string, px: string, py: string) => `${command}${round((Number(px) * room) / 100)} ${py}`,
  );
  if (d === '') return null;
  const line = element('path', {
    d,
    fill: 'none',
    stroke: colors.accent,
    'stroke-width': 1.5,
    'stroke-linejoin': 'round',
  });
  return { node: groupAt(x, 4, [line]), isComplete: true };
}

/** The path of the sparkline in a cell, in a box of 100 by 20; empty if it has none. */
function sparklinePath(cell: TableCell, column: TableColumn): string {
  return column.look.display === 'sparkline' && cell.kind !== 'header' ? linePath(lineOf(cell.value)) : '';
}

/** Writes a table with its headings for HTML. */
function htmlTable({ direction }: RenderContext, table: Table, rows: readonly number[]): SvgNode {
  const end = direction === 'rtl' ? 'left' : 'right';
  const alignOf = (column: number): string | undefined =>
    table.columns[column]?.align === 'end' ? `text-align:${end}` : undefined;
  const levels = table.heads.map(level =>
    element(
      'tr',
      {},
      level.map(({ title, span }) => element('th', { colspan: span, scope: 'colgroup' }, [plainText(title)])),
    ),
  );
  const headings = table.columns.map(({ title }, index) =>
    element('th', { scope: 'col', style: alignOf(index) }, [plainText(title)]),
  );
  const body = rows.flatMap(index => {
    const line = table.row(index);
    if (!line) return [];
    const cells = line.cells.map(({ text: given, kind, address }, column) => {
      const text = plainText(given);
      const href = table.columns[column]?.look.display === 'link' ? webAddress(address) : null;
      const content =
        href && kind !== 'total' ? element('a', { href, rel: 'noopener noreferrer nofollow' }, [text]) : text;
      return kind === 'header'
        ? element('th', { scope: 'row' }, [content])
        : element('td', { style: alignOf(column) }, [content]);
    });
    return [element('tr', line.kind === 'total' ? { class: 'total' } : {}, cells)];
  });
  const content = [element('thead', {}, [...levels, element('tr', {}, headings)]), element('tbody', {}, body)];
  return element('div', { class: 'wide' }, [element('table', {}, content)]);
}
