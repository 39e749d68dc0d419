import type { Cell, Row } from '../../contract/data.js';
import type { Mark } from '../marks/mark.js';
import { cellOf } from '../query/groups.js';
import { groupKey, type ReportData } from '../query/report-data.js';
import { type Leaf, leafColumns, leafHeadings } from './pivot-headings.js';
import { type PivotGroup, type PivotOptions, type PivotShape, pivotShape } from './pivot-shape.js';
import { addressOf, rangesOf, type Table, type TableCell, type TableRow } from './table.js';
import { markRepeatedHeaders } from './table-sort.js';

/** A line of a pivot: its row header, and its measure if measures are in rows. */
interface Line {
  /** `null` for totals. */
  readonly head: PivotGroup | null;
  readonly measure: string | null;
}

const noGroups = JSON.stringify([]);

/** Creates a pivot table. */
export function toPivot(data: ReportData, options: PivotOptions): Table {
  const shape = pivotShape(data, options);
  const { headers, leaves, heads, measuresDown, measuresFirst } = shape;
  const perHead = measuresDown?.length ?? 1;
  const sections = measuresFirst ? perHead : 1;
  const body = heads.length * perHead;
  const totalCount = shape.withColumnTotals ? perHead : 0;
  const lineAt = (index: number): Line | null => {
    if (index < 0 || index >= body + totalCount) return null;
    if (index >= body) return { head: null, measure: measuresDown?.[index - body] ?? null };
    const [place, measure] =
      sections > 1
        ? [index % heads.length, Math.floor(index / heads.length)]
        : [Math.floor(index / perHead), index % perHead];
    return { head: heads[place] ?? null, measure: measuresDown?.[measure] ?? null };
  };
  const value = (row: number, column: number): Cell => {
    const line = lineAt(row);
    if (!line) return null;
    if (column < headers.length) return headerValue(shape, line, column);
    const leaf = leaves[column - headers.length];
    const source = leaf ? sourceOf(shape, line, leaf) : null;
    return source && leaf ? cellOf(source, measureOf(line, leaf)) : null;
  };
  return {
    columns: [...headers.map(({ column }) => column), ...leafColumns(leaves, shape.columns, options.settings)],
    heads: leafHeadings(leaves, headers.length),
    headerCount: headers.length,
    rowCount: body + totalCount,
    totalCount,
    groupSize: sections > 1 ? 1 : perHead,
    sections,
    cut: shape.cut,
    filters: [],
    value,
    mark: (row, column) => markOf(shape, lineAt(row), column),
    range: rangesOf(body, (row, column) => (column < headers.length ? null : value(row, column))),
    row: index => {
      const line = lineAt(index);
      const above = line?.head && index > 0 ? headers.map((_, column) => value(index - 1, column)) : null;
      return line && rowOf(shape, line, above);
    },
  };
}

function rowOf(shape: PivotShape, line: Line, above: readonly Cell[] | null): TableRow {
  const { headers, leaves } = shape;
  const own = markRepeatedHeaders(
    headers.map((_, index) => headerCell(shape, line, index)),
    above,
    headers.length,
  );
  return { kind: line.head ? 'body' : 'total', cells: [...own, ...leaves.map(leaf => figureCell(shape, line, leaf))] };
}

function headerValue({ headers, measureTitle }: PivotShape, { head, measure }: Line, index: number): Cell {
  const name = headers[index]?.name ?? null;
  if (name === null) return measure === null ? null : measureTitle(measure);
  return head ? cellOf(head.row, name) : null;
}

function headerCell(shape: PivotShape, line: Line, index: number): TableCell {
  const { headers, print, totalTitle } = shape;
  const { name = null, column = null } = headers[index] ?? {};
  const value = headerValue(shape, line, index);
  const cell = { value, kind: 'header', repeats: false, address: null } as const;
  if (name === null) return { ...cell, text: value === null ? '' : String(value) };
  if (!line.head) return { ...cell, text: name === shape.layout.rows[0] ? totalTitle : '' };
  const url = column?.settings.url ?? null;
  return { ...cell, text: print(name, value), address: addressOf(url === null ? value : cellOf(line.head.row, url)) };
}

/**
 * Returns the cell of a number. Its text is computed on demand, because only a few columns of a wide pivot are visible.
 */
function figureCell(shape: PivotShape, line: Line, leaf: Leaf): TableCell {
  const measure = measureOf(line, leaf);
  const row = sourceOf(shape, line, leaf);
  const value = row ? cellOf(row, measure) : null;
  return {
    value,
    kind: line.head && leaf.across ? 'figure' : 'total',
    repeats: false,
    address: addressOf(value),
    // A cell without data is empty. A missing value is shown as text.
    get text() {
      return row && Object.hasOwn(row, measure) ? shape.print(measure, value) : '';
    },
  };
}

function measureOf(line: Line, leaf: Leaf): string {
  return leaf.measure ?? line.measure ?? '';
}

/** Returns the row with the value of a cell; `null` if there is none. */
function sourceOf({ cells, totals, layout }: PivotShape, { head }: Line, { across }: Leaf): Row | null {
  if (head && across) return cells.get(head.key + across.key) ?? null;
  if (head) return totals.get(groupKey(layout.rows))?.get(head.key) ?? null;
  if (across) return totals.get(groupKey(layout.columns))?.get(across.key) ?? null;
  return totals.get(groupKey([]))?.get(noGroups) ?? null;
}

function markOf({ headers, leaves, layout }: PivotShape, line: Line | null, column: number): Mark | null {
  const leaf = leaves[column - headers.length];
  const header = headers[column];
  const head = line?.head ?? null;
  if (!line || (!leaf && !(header && head))) return null;
  const upTo = header?.name ? layout.rows.slice(0, layout.rows.indexOf(header.name) + 1) : layout.rows;
  const valuesOf = (group: PivotGroup | null, names: readonly string[]): [string, Cell][] =>
    group ? names.map(name => [name, cellOf(group.row, name)]) : [];
  return {
    values: Object.fromEntries([...valuesOf(head, upTo), ...valuesOf(leaf?.across ?? null, layout.columns)]),
    measure: header?.name ? null : (leaf?.measure ?? line.measure),
  };
}
