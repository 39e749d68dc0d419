import type { Cell } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { extremesOf } from '../../report/chart/downsample.js';
import { columnPrinter, columnTitle, type Presentation } from '../../report/table/table.js';
import { columnNumbers } from '../chart-rows.js';
import { dataMarks, isLine, type SceneMark } from '../scene.js';

/** Kind of a mark, for the description of a chart. */
export type MarkKind = 'bar' | 'line' | 'area' | 'point' | 'slice' | 'cell' | 'mark';

/** Summary of one column of a chart. */
export type ColumnFacts =
  | { readonly kind: 'range'; readonly title: string; readonly from: string; readonly to: string }
  | { readonly kind: 'values'; readonly title: string; readonly count: number };

/** Language-independent facts about a chart. */
export interface ChartFacts {
  /** Kinds of marks and their counts. */
  readonly marks: readonly { readonly kind: MarkKind; readonly count: number }[];
  /** Category and value of the maximum; `null` unless the chart draws exactly one measure. */
  readonly highest: { readonly name: string; readonly value: string } | null;
  readonly columns: readonly ColumnFacts[];
}

const maxColumns = 4;
const maxKinds = 3;

/**
 * Returns the facts for the text alternative of a chart: its marks, its maximum, and for each column the range or the
 * number of values.
 * @param isReferenced Returns true for columns that the marks of the chart reference.
 */
export function chartFacts(
  root: SceneMark,
  rowSet: RowSet,
  presentation: Presentation,
  isReferenced: (column: Column) => boolean = () => true,
): ChartFacts {
  const ends = new Map<Column, Extremes>();
  const columns = rowSet.columns.slice(0, maxColumns).flatMap((column): ColumnFacts[] => {
    const title = columnTitle(column);
    const { type } = column.annotation;
    if (type !== 'number' && type !== 'time') {
      const count = countValues(rowSet, column);
      return count === 0 ? [] : [{ kind: 'values', title, count }];
    }
    const found = extremesOfColumn(rowSet, column);
    if (!found) return [];
    ends.set(column, found);
    const print = columnPrinter(column, presentation);
    return [{ kind: 'range', title, from: print(found.min), to: print(found.max) }];
  });
  return { marks: kindsOf(root), highest: highestOf(rowSet, presentation, isReferenced, ends), columns };
}

/** Minimum and maximum of a column, and the row of the maximum. */
interface Extremes {
  readonly min: Cell;
  readonly max: Cell;
  readonly row: number;
}

function extremesOfColumn(rowSet: RowSet, column: Column): Extremes | null {
  const { low, high } = extremesOf(columnNumbers(rowSet, column));
  const cellAt = (row: number) => rowSet.rows[row]?.[column.member] ?? null;
  return high < 0 ? null : { min: cellAt(low), max: cellAt(high), row: high };
}

function countValues({ rows }: RowSet, { member }: Column): number {
  const values = new Set<Cell>();
  for (const row of rows) values.add(row[member] ?? null);
  values.delete(null);
  return values.size;
}

function highestOf(
  rowSet: RowSet,
  presentation: Presentation,
  isReferenced: (column: Column) => boolean,
  ends: ReadonlyMap<Column, Extremes>,
): ChartFacts['highest'] {
  const referenced = rowSet.columns.filter(isReferenced);
  const [measure, ...others] = referenced.filter(
    ({ kind, annotation }) => kind === 'measure' && annotation.type === 'number',
  );
  const end = measure && others.length === 0 ? (ends.get(measure) ?? extremesOfColumn(rowSet, measure)) : null;
  const row = end && rowSet.rows[end.row];
  if (!measure || !row || rowSet.rows.length < 2) return null;
  const names = referenced.filter(({ kind }) => kind !== 'measure');
  const name = names.map(column => columnPrinter(column, presentation)(row[column.member] ?? null)).join(', ');
  return name === '' ? null : { name, value: columnPrinter(measure, presentation)(end.max) };
}

function kindsOf(root: SceneMark): ChartFacts['marks'] {
  const counts = new Map<MarkKind | 'label', number>();
  for (const { mark } of dataMarks(root)) {
    const kind = kindOf(mark);
    counts.set(kind, (counts.get(kind) ?? 0) + (isLine(mark.marktype) ? 1 : (mark.items?.length ?? 0)));
  }
  // Text and rule marks annotate other marks; they count only if there are no other marks.
  const labels = counts.get('label') ?? 0;
  counts.delete('label');
  if (counts.size === 0 && labels > 0) counts.set('mark', labels);
  // The edge of an area and the points on a line are not counted separately.
  if (counts.has('area') && counts.get('area') === counts.get('line')) counts.delete('line');
  if (counts.has('line') || counts.has('area')) counts.delete('point');
  const named = [...counts] as [MarkKind, number][];
  return named.slice(0, maxKinds).map(([kind, count]) => ({ kind, count }));
}

function kindOf(mark: SceneMark): MarkKind | 'label' {
  switch (mark.marktype) {
    case 'rect':
      return isGrid(mark) ? 'cell' : 'bar';
    case 'line':
    case 'trail':
      return 'line';
    case 'area':
      return 'area';
    case 'symbol':
      return 'point';
    case 'arc':
      return 'slice';
    case 'text':
    case 'rule':
      return 'label';
    default:
      return 'mark';
  }
}

/**
 * True for the cells of a heat map: rectangles of equal size in several rows and columns. Bars differ in size or share
 * an edge.
 */
function isGrid({ items = [] }: SceneMark): boolean {
  const few = items.slice(0, 500);
  const differ = (of: (item: (typeof few)[number]) => number | undefined) => new Set(few.map(of)).size;
  return (
    few.length > 3 &&
    differ(({ width }) => Math.round(width ?? 0)) === 1 &&
    differ(({ height }) => Math.round(height ?? 0)) === 1 &&
    differ(({ x }) => x) > 1 &&
    differ(({ y }) => y) > 1
  );
}
