import type { ColumnFormat, ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Column, ColumnComparison, RowSet } from '../../contract/row-set.js';
import { isCalendar } from '../format/calendar-names.js';
import type { Formatter } from '../format/format.js';
import { toNumber } from '../format/numeric-value.js';
import type { Mark } from '../marks/mark.js';
import { cellOf } from '../query/groups.js';
import {
  type ColumnSettings,
  defaultColumnSettings,
  defaultTableSettings,
  type TableSettings,
} from './table-settings.js';

const signs: Readonly<Record<ColumnComparison['output'], string>> = {
  value: '',
  absoluteChange: 'Δ ',
  relativeChange: 'Δ% ',
};

/** Returns the title of a comparison column. Symbols indicate the kind of change, so that it needs no translation. */
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

/** How cells are formatted: the formatter of the viewer's locale, and the column formats of the report. */
export interface Presentation {
  readonly formatter: Formatter;
  readonly preferences?: ReportSnapshot['preferences'];
  /** Heading of totals in the viewer's language. */
  readonly totalTitle?: string;
}

/** One column of a table. */
export interface TableColumn {
  /** Name of the displayed column; several columns of a pivot can display the same one. */
  readonly member: string;
  readonly title: string;
  /** Numbers are aligned to the end, everything else to the start, unless the report sets an alignment. */
  readonly align: 'start' | 'center' | 'end';
  /** `header` contains row headers of a pivot; `total` contains totals over its columns. */
  readonly kind: 'header' | 'text' | 'figure' | 'total';
  /** True for times: like numbers, they are never truncated. */
  readonly isTime?: boolean;
  readonly settings: ColumnSettings;
}

/** A heading above columns of a pivot. */
export interface TableHead {
  readonly title: string;
  /** Index of the first column below it; `span` is the number of columns. */
  readonly from: number;
  readonly span: number;
  /** `corner` is above the row headers. */
  readonly kind: 'corner' | 'value' | 'measure' | 'total';
}

/** One cell. */
export interface TableCell {
  readonly text: string;
  /** The unformatted value. */
  readonly value: Cell;
  readonly kind: TableColumn['kind'];
  /** True for a header that repeats the header above, and can be omitted if that one is visible. */
  readonly repeats: boolean;
  /** URL of a link or image as in the data, not checked. */
  readonly address: string | null;
}

/** One row. */
export interface TableRow {
  readonly kind: 'body' | 'total';
  readonly cells: readonly TableCell[];
}

/** Minimum and maximum of a column. */
export interface ColumnRange {
  readonly min: number;
  readonly max: number;
}

/** Rows as a table or pivot. Rows are created on demand, so that a virtual list creates only visible rows. */
export interface Table {
  readonly columns: readonly TableColumn[];
  /**
   * Heading levels above the columns, outermost first; each level covers all columns. Empty unless the table is a
   * pivot.
   */
  readonly heads: readonly (readonly TableHead[])[];
  /** Number of leading columns with row headers. */
  readonly headerCount: number;
  /** Number of all rows; totals come last. */
  readonly rowCount: number;
  /** Number of trailing rows with totals. */
  readonly totalCount: number;
  /** Number of consecutive rows that are sorted as one: the measures of a row in a pivot. */
  readonly groupSize: number;
  /** Number of equal parts of the rows that are sorted separately: one per measure if measures come first. */
  readonly sections: number;
  /** Filters of the rows, as text. Empty if the report does not show them. */
  readonly filters: readonly string[];
  /** True if columns or rows of a pivot were omitted because of a limit. */
  readonly cut: boolean;
  /** Returns `null` beyond the last row. */
  row(index: number): TableRow | null;
  /** Returns the value of a cell without formatting it. */
  value(row: number, column: number): Cell;
  /** Returns the mark of a cell for drilling and filtering; `null` if it has none. */
  mark(row: number, column: number): Mark | null;
  /** Returns the range of a column without totals, for bars and scales; `null` if it contains no number. */
  range(column: number): ColumnRange | null;
}

/** Creates a table with columns in the order of the query, or of the specification, and an optional row of totals. */
export function toTable(
  rowSet: RowSet,
  presentation: Presentation,
  settings: TableSettings = defaultTableSettings,
  total: Row | null = null,
): Table {
  const { rows } = rowSet;
  const shown = shownColumns(rowSet.columns, settings);
  const columns = shown.map(column => tableColumn(column, settings, presentation));
  const lines = total ? [...rows, total] : rows;
  const printers = shown.map(column => alignedPrinter(column, presentation, lines));
  const value = (row: number, column: number): Cell =>
    cellAt(row === rows.length ? total : rows[row], columns[column]?.member);
  const body = (row: Row): TableCell[] =>
    columns.map(({ member, kind, settings: { url } }, index) => {
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

/**
 * Returns the title of a column as in the model. The title of a comparison column includes the period in the language
 * of `locale`.
 */
export function columnTitle({ annotation, member, comparison }: Column, locale?: string): string {
  const title = annotation.shortTitle || annotation.title || member;
  return comparison ? comparisonTitle(title, comparison, locale) : title;
}

/** True for numeric columns, except weekdays and months. */
export function isFigure(column: Column): boolean {
  return column.annotation.type === 'number' && !isCalendar(column);
}

/** Returns a function that formats the cells of a column by the report's format, otherwise the model's. */
export function columnPrinter(column: Column, presentation: Presentation): (value: Cell) => string {
  const { formatter, preferences } = presentation;
  return formatter.column(column, columnFormat(column, preferences));
}

/** Like `columnPrinter`, but aligns the decimals of these rows, unless the model's format sets them. */
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

/** Returns the report's format of a column. A comparison column inherits the format of its measure if it has none. */
export function columnFormat(
  { member, comparison }: Column,
  preferences: Presentation['preferences'],
): ColumnFormat | null {
  const formats = preferences?.columnFormats ?? {};
  const format = (name: string) => (Object.hasOwn(formats, name) ? (formats[name] ?? null) : null);
  if (!comparison || comparison.output === 'relativeChange') return format(member);
  return format(member) ?? format(comparison.measure);
}

/** Returns one heading per column, which joins the headings above it. */
export function columnHeadings({ columns, heads }: Table): string[] {
  return columns.map(({ title }, index) => {
    const above = heads.map(level => level.find(({ from, span }) => index >= from && index < from + span)?.title ?? '');
    return [...above, title].filter(text => text !== '').join(' / ');
  });
}

/** Creates a table column from a column of the rows. */
export function tableColumn(column: Column, { columns }: TableSettings, { formatter }: Presentation): TableColumn {
  const settings = columns.get(column.member) ?? defaultColumnSettings;
  return {
    member: column.member,
    title: settings.title ?? columnTitle(column, formatter.locale),
    align: settings.align ?? (isFigure(column) ? 'end' : 'start'),
    kind: isFigure(column) ? 'figure' : 'text',
    isTime: column.annotation.type === 'time',
    settings,
  };
}

/** Returns the mark of a cell: the dimensions of its row, and its measure if the column is one. */
export function rowMark(columns: readonly Column[], row: Row, column: Column | null): Mark {
  const dimensions = columns.filter(({ kind }) => kind !== 'measure');
  return {
    values: Object.fromEntries(dimensions.map(({ member }): [string, Cell] => [member, cellOf(row, member)])),
    measure: column?.kind === 'measure' ? column.member : null,
  };
}

/** Returns the URL in a cell; `null` if the cell is not a string. */
export function addressOf(cell: Cell): string | null {
  return typeof cell === 'string' && cell !== '' ? cell : null;
}

/** Returns a function that computes the ranges of columns with `rowCount` rows, with a cache. */
export function rangesOf(
  rowCount: number,
  value: (row: number, column: number) => Cell,
): (column: number) => ColumnRange | null {
  const known = new Map<number, ColumnRange | null>();
  return column => {
    const before = known.get(column);
    if (before !== undefined) return before;
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = 0; row < rowCount; row += 1) {
      const figure = toNumber(value(row, column));
      if (figure === null) continue;
      if (figure < min) min = figure;
      if (figure > max) max = figure;
    }
    const range = min <= max ? { min, max } : null;
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

function shownColumns(columns: readonly Column[], { columns: settings, order }: TableSettings): readonly Column[] {
  const places = new Map(order.map((name, index) => [name, index]));
  const place = ({ member }: Column): number => places.get(member) ?? order.length;
  return columns.filter(({ member }) => settings.get(member)?.hidden !== true).sort((a, b) => place(a) - place(b));
}
