import type { ReportSnapshot } from '../contract/dashboards.js';
import type { Cell, Row } from '../contract/data.js';
import type { RowSet } from '../contract/row-set.js';
import { compareCells } from './decimal.js';
import { scaledPrinter } from './display-scale.js';
import { cellOf, keyOf, rowKey } from './groups.js';
import type { Mark } from './mark.js';
import { type Leaf, leafColumns, leafHeads, leavesOf } from './pivot-heads.js';
import { type PivotItems, pivotLayout, pivotTotals } from './pivot-layout.js';
import { groupKey, type ReportData } from './report-data.js';
import {
  addressOf,
  columnTitle,
  figureOf,
  type Presentation,
  rangesOf,
  type Table,
  type TableCell,
  type TableColumn,
  tableColumn,
} from './table.js';
import { plainLook, type TableLook } from './table-look.js';
import { withRepeats } from './table-sort.js';

/** Most columns that a pivot has. */
export const mostPivotColumns = 2000;

/** What a pivot is made from, beside its rows. */
export interface PivotOptions {
  readonly items: PivotItems;
  readonly look: TableLook;
  readonly presentation: Presentation;
  readonly snapshot: ReportSnapshot | null;
}

/** One line: the values that head it, and which measure it shows where measures stand below one another. */
interface Line {
  /** A row with its values; null for totals. */
  readonly row: Row | null;
  readonly measure: string | null;
}

/** A column that heads lines; the one of measures has no name. */
interface Header {
  readonly name: string | null;
  readonly column: TableColumn;
}

/** Lays rows out crosswise: rows in the order in which they came, columns in that of their values. */
export function toPivot({ rowSet, totals }: ReportData, options: PivotOptions): Table {
  const { items, look, presentation } = options;
  const all = pivotLayout(items, rowSet.columns);
  const measures = all.measures.filter(measure => look.columns.get(measure)?.hidden !== true);
  const layout = { ...all, measures };
  const columns = new Map(rowSet.columns.map(column => [column.member, column]));
  const isDown = items.measuresAxis === 'rows' && measures.length > 0;
  const isFirst = items.measuresPosition === 'before';
  const known = new Map(
    pivotTotals(items, layout).flatMap(groups => {
      const found = totals.get(groupKey(groups));
      return found ? [[groupKey(groups), new Map(found.rows.map(row => [rowKey(row, groups), row]))]] : [];
    }),
  );
  const printers = new Map(
    rowSet.columns.map(column => [column.member, scaledPrinter(column, presentation, items.scale)]),
  );
  const print = (member: string, value: Cell): string => printers.get(member)?.(value) ?? '';
  const measureTitle = (member: string): string => {
    const column = columns.get(member);
    return look.columns.get(member)?.title ?? (column ? columnTitle(column, presentation.formatter.locale) : member);
  };
  const across = acrossOf(rowSet, layout.columns, options);
  const most = Math.floor(mostPivotColumns / (isDown ? 1 : Math.max(1, measures.length)));
  const leaves = leavesOf({
    across: across.slice(0, most),
    columns: layout.columns,
    measures: isDown ? null : measures,
    measuresFirst: isFirst,
    withTotals: layout.columns.length > 0 && known.has(groupKey(layout.rows)),
    titleOf: (column, row) => print(column, cellOf(row, column)),
    measureTitle,
    totalTitle: presentation.totalTitle ?? '',
  });
  const heads = firstOf(rowSet.rows, layout.rows);
  const cells = new Map(rowSet.rows.map(row => [cellKey(row, row), row]));
  const perHead = isDown ? measures.length : 1;
  const sections = isDown && isFirst ? perHead : 1;
  const body = heads.length * perHead;
  const totalCount = layout.rows.length > 0 && known.has(groupKey(layout.columns)) ? perHead : 0;
  const headers = headersOf();

  function cellKey(row: Row, over: Row): string {
    return rowKey(row, layout.rows) + rowKey(over, layout.columns);
  }

  function headersOf(): Header[] {
    const named = layout.rows.flatMap((name): Header[] => {
      const column = columns.get(name);
      return column ? [{ name, column: { ...tableColumn(column, look, presentation), kind: 'header' } }] : [];
    });
    if (!isDown) return named;
    const blank: TableColumn = { member: '', title: '', align: 'start', kind: 'header', look: plainLook };
    const measure: Header = { name: null, column: blank };
    return isFirst ? [measure, ...named] : [...named, measure];
  }

  function lineAt(index: number): Line | null {
    if (index < 0 || index >= body + totalCount) return null;
    if (index >= body) return { row: null, measure: isDown ? (measures[index - body] ?? null) : null };
    if (sections > 1) {
      return { row: heads[index % heads.length] ?? null, measure: measures[Math.floor(index / heads.length)] ?? null };
    }
    const row = heads[Math.floor(index / perHead)] ?? null;
    return { row, measure: isDown ? (measures[index % perHead] ?? null) : null };
  }

  /** The row that holds a line's figure in a column; null where there is none. */
  function source({ row }: Line, leaf: Leaf): Row | null {
    if (row && leaf.across) return cells.get(cellKey(row, leaf.across)) ?? null;
    if (row) return known.get(groupKey(layout.rows))?.get(rowKey(row, layout.rows)) ?? null;
    if (leaf.across) return known.get(groupKey(layout.columns))?.get(rowKey(leaf.across, layout.columns)) ?? null;
    return known.get(groupKey([]))?.get(rowKey({}, [])) ?? null;
  }

  function headerCells(line: Line): TableCell[] {
    return headers.map(({ name, column: { look: own } }, index): TableCell => {
      const blank = { kind: 'header', repeats: false, address: null } as const;
      if (name === null) {
        const title = line.measure === null ? '' : measureTitle(line.measure);
        return { ...blank, text: title, value: title };
      }
      const isFirstName = index === headers.findIndex(header => header.name !== null);
      if (!line.row) return { ...blank, text: isFirstName ? (presentation.totalTitle ?? '') : '', value: null };
      const value = cellOf(line.row, name);
      const address = addressOf(own.url === null ? value : cellOf(line.row, own.url));
      return { ...blank, text: print(name, value), value, address };
    });
  }

  function figureCell(line: Line, leaf: Leaf): TableCell {
    const measure = leaf.measure ?? line.measure ?? '';
    const row = source(line, leaf);
    const value = row ? cellOf(row, measure) : null;
    const isTotal = !line.row || leaf.kind === 'total';
    // Where nothing was counted there is no figure, not one that is missing.
    const text = row && Object.hasOwn(row, measure) ? print(measure, value) : '';
    return { text, value, kind: isTotal ? 'total' : 'figure', repeats: false, address: addressOf(value) };
  }

  function valueAt(index: number, column: number): Cell {
    const line = lineAt(index);
    const header = headers[column];
    if (!line) return null;
    if (header) return header.name === null || !line.row ? null : cellOf(line.row, header.name);
    const leaf = leaves[column - headers.length];
    const row = leaf ? source(line, leaf) : null;
    return row && leaf ? cellOf(row, leaf.measure ?? line.measure ?? '') : null;
  }

  function markAt(index: number, column: number): Mark | null {
    const line = lineAt(index);
    const leaf = leaves[column - headers.length];
    const header = headers[column];
    if (!line || (!leaf && (!header || !line.row))) return null;
    const upTo = header?.name ? layout.rows.slice(0, layout.rows.indexOf(header.name) + 1) : layout.rows;
    const row = line.row;
    const over = leaf?.across ?? null;
    return {
      values: Object.fromEntries([
        ...(row ? upTo.map((name): [string, Cell] => [name, cellOf(row, name)]) : []),
        ...(over ? layout.columns.map((name): [string, Cell] => [name, cellOf(over, name)]) : []),
      ]),
      measure: leaf || header?.name === null ? (leaf?.measure ?? line.measure) : null,
    };
  }

  return {
    columns: [...headers.map(header => header.column), ...leafColumns(leaves, columns, look)],
    heads: leafHeads(leaves, headers.length),
    headerCount: headers.length,
    rowCount: body + totalCount,
    totalCount,
    groupSize: sections > 1 ? 1 : perHead,
    sections,
    cut: across.length > most,
    filters: [],
    value: valueAt,
    mark: markAt,
    range: rangesOf(body, (row, column) => (column < headers.length ? null : valueAt(row, column))),
    row: index => {
      const line = lineAt(index);
      if (!line) return null;
      const above = lineAt(index - 1);
      const own = withRepeats(headerCells(line), above?.row ? headerCells(above) : null, headers.length);
      const figures = leaves.map(leaf => figureCell(line, leaf));
      return { kind: line.row ? 'body' : 'total', cells: [...own, ...figures] };
    },
  };
}

/** The first row of each combination of values, in the order in which they come. */
function firstOf(rows: readonly Row[], columns: readonly string[]): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const key = rowKey(row, columns);
    if (!found.has(key)) found.set(key, row);
  }
  return [...found.values()];
}

/** Rows with the combinations that stand across, by their values: up, unless the query orders them down. */
function acrossOf(
  rowSet: RowSet,
  columns: readonly string[],
  { snapshot, presentation }: PivotOptions,
): readonly Row[] {
  if (columns.length === 0) return [{}];
  const texts = new Intl.Collator(presentation.formatter.locale, { numeric: true });
  const compare = (a: Cell, b: Cell): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return figureOf(a) !== null && figureOf(b) !== null ? compareCells(a, b) : texts.compare(String(a), String(b));
  };
  const down = columns.map(column => isDescending(snapshot, column));
  return firstOf(rowSet.rows, columns).sort((one, other) => {
    for (const [index, column] of columns.entries()) {
      const [a, b] = [cellOf(one, column), cellOf(other, column)];
      const order = compare(a, b);
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
