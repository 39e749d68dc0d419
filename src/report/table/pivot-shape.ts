import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { DisplayScale } from '../../contract/report-spec.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { compareCells } from '../format/decimal.js';
import { toNumber } from '../format/numeric-value.js';
import { cellOf, keyOf, rowKey } from '../query/groups.js';
import { groupKey, type ReportData } from '../query/report-data.js';
import { type Leaf, leavesOf } from './pivot-headings.js';
import { type PivotItems, type PivotLayout, pivotLayout, pivotTotals } from './pivot-layout.js';
import { alignedPrinter, columnTitle, isFigure, type Presentation, type TableColumn, tableColumn } from './table.js';
import { defaultColumnSettings, type TableSettings } from './table-settings.js';

const scales: Readonly<Record<string, { readonly by: number; readonly sign: string }>> = {
  thousands: { by: 1e3, sign: 'K' },
  millions: { by: 1e6, sign: 'M' },
  billions: { by: 1e9, sign: 'B' },
};

/**
 * Returns a formatter with a display scale: `model` uses the column format, `absolute` all digits, and other scales
 * divide the value and append the suffix of short numbers. Percentages are not scaled. The decimals of `rows` are
 * aligned.
 */
function scaledPrinter(
  column: Column,
  presentation: Presentation,
  scale: DisplayScale,
  rows: readonly Row[],
): (value: Cell) => string {
  if (scale === 'model' || !isFigure(column) || isShare(column, presentation))
    return alignedPrinter(column, presentation, rows);
  const { by, sign } = scales[scale] ?? { by: 1, sign: '' };
  const full = alignedPrinter(withoutAbbreviation(column), presentation, rows, 1 / by);
  if (by === 1) return full;
  return value => {
    const figure = toNumber(value);
    return figure === null ? full(value) : `${full(figure / by)}${sign}`;
  };
}

function isShare({ member, annotation }: Column, { preferences }: Presentation): boolean {
  const own = preferences?.columnFormats?.[member]?.type;
  if (own !== undefined) return own === 'percent';
  return (
    String(annotation.format).startsWith('percent') || annotation.formatDescription?.specifier.includes('%') === true
  );
}

/** Removes a format that abbreviates numbers. */
function withoutAbbreviation(column: Column): Column {
  const { format, formatDescription, ...annotation } = column.annotation;
  const shortens = String(format).startsWith('abbr') || formatDescription?.specifier.endsWith('s') === true;
  return shortens ? { ...column, annotation } : column;
}

/** Maximum number of value columns of a pivot. */
export const maxPivotColumns = 2000;

/** Options of `pivotShape`. */
export interface PivotOptions {
  readonly items: PivotItems;
  readonly settings: TableSettings;
  readonly presentation: Presentation;
  readonly snapshot: ReportSnapshot | null;
}

/** Values of row or column headers, given by a row that contains them. */
export interface PivotGroup {
  readonly row: Row;
  readonly key: string;
}

/** A column of row headers; `name` is `null` for the column of measures. */
interface PivotHeader {
  readonly name: string | null;
  readonly column: TableColumn;
}

/** Structure of a pivot. */
export interface PivotShape {
  readonly layout: PivotLayout;
  readonly columns: ReadonlyMap<string, Column>;
  readonly headers: readonly PivotHeader[];
  readonly heads: readonly PivotGroup[];
  readonly leaves: readonly Leaf[];
  /** Rows by the concatenated keys of their row and column headers. */
  readonly cells: ReadonlyMap<string, Row>;
  /** Totals by the key of their grouping, then by the key of their values. */
  readonly totals: ReadonlyMap<string, ReadonlyMap<string, Row>>;
  /** Measures in rows; `null` if measures are in columns. */
  readonly measuresDown: readonly string[] | null;
  readonly measuresFirst: boolean;
  readonly withColumnTotals: boolean;
  readonly cut: boolean;
  readonly print: (column: string, value: Cell) => string;
  readonly measureTitle: (measure: string) => string;
  readonly totalTitle: string;
}

/** Computes the structure of a pivot: rows in data order, columns in the order of their values. */
export function pivotShape({ rowSet, totals }: ReportData, options: PivotOptions): PivotShape {
  const { items, presentation } = options;
  const layout = shownLayout(rowSet, options);
  const columns = new Map(rowSet.columns.map(column => [column.member, column]));
  const measuresDown = items.measuresAxis === 'rows' && layout.measures.length > 0 ? layout.measures : null;
  const measuresFirst = items.measuresPosition === 'before';
  const known = knownTotals(totals, pivotTotals(items, layout));
  const print = printerOf(rowSet, known, options);
  const { heads, cells, ...found } = indexCells(rowSet.rows, layout);
  const across = sortAcross(found.across, layout.columns, options);
  const maxGroups = Math.floor(maxPivotColumns / (measuresDown ? 1 : Math.max(1, layout.measures.length)));
  const totalTitle = presentation.totalTitle ?? '';
  const measureTitle = titlesOf(columns, options);
  const leaves = leavesOf({
    across: across.slice(0, maxGroups),
    columns: layout.columns,
    measures: measuresDown ? null : layout.measures,
    measuresFirst,
    withTotals: layout.columns.length > 0 && known.has(groupKey(layout.rows)),
    titleOf: (column, row) => print(column, cellOf(row, column)),
    measureTitle,
    totalTitle,
  });
  return {
    layout,
    columns,
    headers: headersOf(layout, columns, { options, withMeasures: measuresDown !== null }),
    heads,
    leaves,
    cells,
    totals: known,
    measuresDown,
    measuresFirst,
    withColumnTotals: layout.rows.length > 0 && known.has(groupKey(layout.columns)),
    cut: across.length > maxGroups,
    print,
    measureTitle,
    totalTitle,
  };
}

function titlesOf(
  columns: ReadonlyMap<string, Column>,
  { settings, presentation }: PivotOptions,
): (measure: string) => string {
  return member => {
    const column = columns.get(member);
    return (
      settings.columns.get(member)?.title ?? (column ? columnTitle(column, presentation.formatter.locale) : member)
    );
  };
}

function shownLayout({ columns }: RowSet, { items, settings }: PivotOptions): PivotLayout {
  const layout = pivotLayout(items, columns);
  return { ...layout, measures: layout.measures.filter(measure => settings.columns.get(measure)?.hidden !== true) };
}

function knownTotals(
  totals: ReportData['totals'],
  groupings: readonly (readonly string[])[],
): ReadonlyMap<string, ReadonlyMap<string, Row>> {
  return new Map(
    groupings.flatMap((groups): [string, ReadonlyMap<string, Row>][] => {
      const found = totals.get(groupKey(groups));
      return found ? [[groupKey(groups), new Map(found.rows.map(row => [rowKey(row, groups), row]))]] : [];
    }),
  );
}

function printerOf(
  { columns, rows }: RowSet,
  totals: PivotShape['totals'],
  { presentation, items }: PivotOptions,
): PivotShape['print'] {
  const lines = [...rows, ...[...totals.values()].flatMap(found => [...found.values()])];
  const printers = new Map(
    columns.map(column => [column.member, scaledPrinter(column, presentation, items.scale, lines)]),
  );
  return (column, value) => printers.get(column)?.(value) ?? '';
}

function headersOf(
  { rows }: PivotLayout,
  columns: ReadonlyMap<string, Column>,
  { options, withMeasures }: { readonly options: PivotOptions; readonly withMeasures: boolean },
): PivotHeader[] {
  const { items, settings, presentation } = options;
  const named = rows.flatMap((name): PivotHeader[] => {
    const column = columns.get(name);
    return column ? [{ name, column: { ...tableColumn(column, settings, presentation), kind: 'header' } }] : [];
  });
  if (!withMeasures) return named;
  const blank: TableColumn = { member: '', title: '', align: 'start', kind: 'header', settings: defaultColumnSettings };
  const measure: PivotHeader = { name: null, column: blank };
  return items.measuresPosition === 'before' ? [measure, ...named] : [...named, measure];
}

/** Collects the combinations of row and column values in data order, and the row of each cell. */
function indexCells(rows: readonly Row[], { rows: down, columns }: PivotLayout) {
  const heads = new Map<string, PivotGroup>();
  const across = new Map<string, PivotGroup>();
  const cells = new Map<string, Row>();
  for (const row of rows) {
    const [head, above] = [rowKey(row, down), rowKey(row, columns)];
    if (!heads.has(head)) heads.set(head, { row, key: head });
    if (!across.has(above)) across.set(above, { row, key: above });
    cells.set(head + above, row);
  }
  return { heads: [...heads.values()], across: [...across.values()], cells };
}

/** Sorts the combinations of column values: ascending, unless the query sorts descending. */
function sortAcross(
  across: readonly PivotGroup[],
  columns: readonly string[],
  { snapshot, presentation }: PivotOptions,
): readonly PivotGroup[] {
  if (columns.length === 0) return [{ row: {}, key: rowKey({}, []) }];
  const texts = new Intl.Collator(presentation.formatter.locale, { numeric: true });
  const compare = (a: Cell, b: Cell): number =>
    toNumber(a) !== null && toNumber(b) !== null ? compareCells(a, b) : texts.compare(String(a), String(b));
  const down = columns.map(column => isDescending(snapshot, column));
  return [...across].sort(({ row: one }, { row: other }) => {
    for (const [index, column] of columns.entries()) {
      const [a, b] = [cellOf(one, column), cellOf(other, column)];
      // Missing values come last in both directions.
      const order = a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b);
      if (order !== 0) return down[index] && a !== null && b !== null ? -order : order;
    }
    return 0;
  });
}

function isDescending(snapshot: ReportSnapshot | null, column: string): boolean {
  const order: unknown = snapshot?.meta?.jsonQuery?.order ?? [];
  const key = keyOf(column, snapshot?.meta?.columns ?? null);
  const entries: unknown[] = Array.isArray(order) ? order : Object.entries(Object(order));
  return entries.some(entry =>
    Array.isArray(entry)
      ? entry[0] === key && entry[1] === 'desc'
      : Object(entry).id === key && Object(entry).desc === true,
  );
}
