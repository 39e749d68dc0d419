import type { ColumnFormat, ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Column, ColumnComparison, RowSet } from '../../contract/row-set.js';
import type { Formatter } from '../format/format.js';
import { toNumber } from '../format/numeric-value.js';
import type { Mark } from '../marks/mark.js';
import { cellOf } from '../query/groups.js';
import { type ColumnLook, plainLook, plainTableLook, type TableLook } from './table-look.js';

const signs: Readonly<Record<ColumnComparison['output'], string>> = {
  value: '',
  absoluteChange: 'Δ ',
  relativeChange: 'Δ% ',
};

/** Heading of a column that compares a measure with an earlier period. Signs say what changed, so that no words are needed for it. */
function comparisonTitle(title: string, { amount, unit, output }: ColumnComparison, locale = 'en'): string {
  return `${signs[output]}${title} (${agoText(amount, unit, locale)})`;
}

function agoText(amount: number, unit: string, locale: string): string {
  try {
    return new Intl.RelativeTimeFormat(locale).format(-amount, unit as Intl.RelativeTimeFormatUnit);
  } catch {
    return `−${amount} ${unit}`;
  }
}

/** How rows become text: the formatter of the viewer's locale, and the report's own column formats. */
export interface Presentation {
  readonly formatter: Formatter;
  readonly preferences?: ReportSnapshot['preferences'];
  /** Heading of totals, in the viewer's language. */
  readonly totalTitle?: string;
}

/** One column of a table. */
export interface TableColumn {
  /** Name of the column of the rows that it shows: of a pivot, several may show the same one. */
  readonly member: string;
  readonly title: string;
  /** Figures stand at the end of their cell, everything else at its start, unless the report says otherwise. */
  readonly align: 'start' | 'center' | 'end';
  /** `header` heads the rows of a pivot; `total` holds totals over its columns. */
  readonly kind: 'header' | 'text' | 'figure' | 'total';
  /** Its values are points in time: like figures, they are never cut. */
  readonly isTime?: boolean;
  readonly look: ColumnLook;
}

/** A heading above columns of a pivot. */
export interface TableHead {
  readonly title: string;
  /** Index of the first column below it, and how many there are. */
  readonly from: number;
  readonly span: number;
  /** `corner` stands above the headers of the rows. */
  readonly kind: 'corner' | 'value' | 'measure' | 'total';
}

/** One cell. */
export interface TableCell {
  readonly text: string;
  /** As the data has it. */
  readonly value: Cell;
  readonly kind: TableColumn['kind'];
  /** A header that says what the one above it says: it may be left out where that one is in sight. */
  readonly repeats: boolean;
  /** Where a link leads or an image is, as the data has it: not checked. */
  readonly address: string | null;
}

/** One row. */
export interface TableRow {
  readonly kind: 'body' | 'total';
  readonly cells: readonly TableCell[];
}

/** Least and most of a column. */
export interface ColumnRange {
  readonly least: number;
  readonly most: number;
}

/** Rows as a table; a pivot is one too. Rows are made when they are asked for, so that a virtual list pays for what it shows. */
export interface Table {
  readonly columns: readonly TableColumn[];
  /** Levels of headings above those of the columns, outermost first, each over all columns. None but in a pivot. */
  readonly heads: readonly (readonly TableHead[])[];
  /** How many of the columns, from the first, head the rows. */
  readonly headerCount: number;
  /** All rows, totals behind the others. */
  readonly rowCount: number;
  /** How many of the rows, from the last, hold totals. */
  readonly totalCount: number;
  /** How many rows in turn belong together: the measures of one row of a pivot. They are sorted as one. */
  readonly groupSize: number;
  /** Into how many parts of the same length the rows fall, each sorted for itself: one for each measure where these come first. */
  readonly sections: number;
  /** What the rows are filtered by, where the report wants it said. */
  readonly filters: readonly string[];
  /** True where a pivot had more columns or rows than a table holds. */
  readonly cut: boolean;
  /** Null beyond the last row. */
  row(index: number): TableRow | null;
  /** Value of a cell without its text. */
  value(row: number, column: number): Cell;
  /** What a cell stands for, to drill and to filter by; null where that is nothing. */
  mark(row: number, column: number): Mark | null;
  /** Least and most of a column but for its totals, for bars and scales; null where it holds no number. */
  range(column: number): ColumnRange | null;
}

/** Lays rows out in the order of the query, or as the report's specification says, above a row of totals where there is one. */
export function toTable(
  rowSet: RowSet,
  presentation: Presentation,
  look: TableLook = plainTableLook,
  total: Row | null = null,
): Table {
  const { rows } = rowSet;
  const shown = shownColumns(rowSet.columns, look);
  const columns = shown.map(column => tableColumn(column, look, presentation));
  const lines = total ? [...rows, total] : rows;
  const printers = shown.map(column => alignedPrinter(column, presentation, lines));
  const value = (row: number, column: number): Cell =>
    cellAt(row === rows.length ? total : rows[row], columns[column]?.member);
  const body = (row: Row): TableCell[] =>
    columns.map(({ member, kind, look: { url } }, index) => {
      const cell = cellOf(row, member);
      const address = addressOf(url === null ? cell : cellOf(row, url));
      return { text: printers[index]?.(cell) ?? '', value: cell, kind, repeats: false, address };
    });
  return {
    columns,
    heads: [],
    headerCount: 0,
    rowCount: rows.length + (total ? 1 : 0),
    totalCount: total ? 1 : 0,
    groupSize: 1,
    sections: 1,
    cut: false,
    filters: [],
    value,
    range: rangesOf(rows.length, value),
    row: index => {
      const row = rows[index];
      if (row) return { kind: 'body', cells: body(row) };
      if (index !== rows.length || !total) return null;
      return { kind: 'total', cells: totalCells(columns, printers, { total, title: presentation.totalTitle ?? '' }) };
    },
    mark: (index, column) => {
      const row = rows[index];
      return row ? rowMark(rowSet.columns, row, shown[column] ?? null) : null;
    },
  };
}

/** Heading of a column, as the model names it. What is compared with an earlier period says so in the language of `locale`. */
export function columnTitle({ annotation, member, comparison }: Column, locale?: string): string {
  const title = annotation.shortTitle || annotation.title || member;
  return comparison ? comparisonTitle(title, comparison, locale) : title;
}

/** True where the values of a column are numbers. */
export function isFigure({ annotation }: Column): boolean {
  return annotation.type === 'number';
}

/** Prints the cells of a column in the format of the report, else of the model. */
export function columnPrinter(column: Column, presentation: Presentation): (value: Cell) => string {
  const { formatter, preferences } = presentation;
  return formatter.column(column, columnFormat(column, preferences));
}

/** The same for values of these rows that are shown below one another: their decimals align, unless the model's format says otherwise. */
export function alignedPrinter(
  column: Column,
  { formatter, preferences }: Presentation,
  rows: Iterable<Row>,
  factor = 1,
): (value: Cell) => string {
  if (!isFigure(column)) return formatter.column(column, columnFormat(column, preferences));
  return formatter.column(column, columnFormat(column, preferences), cellsOf(rows, column.member, factor));
}

function* cellsOf(rows: Iterable<Row>, member: string, factor: number): Iterable<Cell> {
  for (const row of rows) {
    const cell = cellOf(row, member);
    const figure = factor === 1 ? null : toNumber(cell);
    yield figure === null ? cell : figure * factor;
  }
}

/** The report's own format of a column. An earlier figure and a change are written as their measure is, unless they have their own. */
function columnFormat({ member, comparison }: Column, preferences: Presentation['preferences']): ColumnFormat | null {
  const formats = preferences?.columnFormats ?? {};
  const format = (name: string) => (Object.hasOwn(formats, name) ? (formats[name] ?? null) : null);
  if (!comparison || comparison.output === 'relativeChange') return format(member);
  return format(member) ?? format(comparison.measure);
}

/** A column of a table that shows one of the rows' columns. */
export function tableColumn(column: Column, { columns }: TableLook, { formatter }: Presentation): TableColumn {
  const look = columns.get(column.member) ?? plainLook;
  return {
    member: column.member,
    title: look.title ?? columnTitle(column, formatter.locale),
    align: look.align ?? (isFigure(column) ? 'end' : 'start'),
    kind: isFigure(column) ? 'figure' : 'text',
    isTime: column.annotation.type === 'time',
    look,
  };
}

/** What a row's cell stands for: the row's dimensions, and the measure where it is one. */
export function rowMark(columns: readonly Column[], row: Row, column: Column | null): Mark {
  const dimensions = columns.filter(({ kind }) => kind !== 'measure');
  return {
    values: Object.fromEntries(dimensions.map(({ member }): [string, Cell] => [member, cellOf(row, member)])),
    measure: column?.kind === 'measure' ? column.member : null,
  };
}

/** Where a cell leads to, if it may be an address. */
export function addressOf(cell: Cell): string | null {
  return typeof cell === 'string' && cell !== '' ? cell : null;
}

/** Finds least and most of columns with `rowCount` rows, each once. */
export function rangesOf(
  rowCount: number,
  value: (row: number, column: number) => Cell,
): (column: number) => ColumnRange | null {
  const known = new Map<number, ColumnRange | null>();
  return column => {
    const before = known.get(column);
    if (before !== undefined) return before;
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = 0; row < rowCount; row += 1) {
      const figure = toNumber(value(row, column));
      if (figure === null) continue;
      if (figure < least) least = figure;
      if (figure > most) most = figure;
    }
    const range = least <= most ? { least, most } : null;
    known.set(column, range);
    return range;
  };
}

function cellAt(row: Row | null | undefined, member: string | undefined): Cell {
  return row && member !== undefined ? cellOf(row, member) : null;
}

function totalCells(
  columns: readonly TableColumn[],
  printers: readonly ((value: Cell) => string)[],
  { total, title }: { readonly total: Row; readonly title: string },
): TableCell[] {
  return columns.map(({ member, kind }, index): TableCell => {
    const value = cellOf(total, member);
    if (kind === 'figure' && Object.hasOwn(total, member)) {
      return { text: printers[index]?.(value) ?? '', value, kind: 'total', repeats: false, address: null };
    }
    return { text: index === 0 ? title : '', value: null, kind: 'header', repeats: false, address: null };
  });
}

function shownColumns(columns: readonly Column[], { columns: looks, order }: TableLook): readonly Column[] {
  const places = new Map(order.map((name, index) => [name, index]));
  const place = ({ member }: Column): number => places.get(member) ?? order.length;
  return columns.filter(({ member }) => looks.get(member)?.hidden !== true).sort((a, b) => place(a) - place(b));
}
