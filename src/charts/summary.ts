import type { RowSet } from '../contract/row-set.js';
import { columnPrinter, columnTitle, type Presentation } from '../report/table.js';

/** What one column of a chart shows. */
export type ColumnFacts =
  | { readonly kind: 'range'; readonly title: string; readonly from: string; readonly to: string }
  | { readonly kind: 'values'; readonly title: string; readonly count: number };

/** What a chart shows, in facts that can be put in words of any language. */
export interface ChartFacts {
  /** Number of marks that are drawn: bars, points, lines. */
  readonly marks: number;
  readonly columns: readonly ColumnFacts[];
}

const mostColumns = 4;

/** Facts of a chart for those who don't see it: each column's range, or how many values it has. */
export function chartFacts(marks: number, rowSet: RowSet, presentation: Presentation): ChartFacts {
  const columns = rowSet.columns.slice(0, mostColumns).flatMap((column): ColumnFacts[] => {
    const title = columnTitle(column);
    const cells = rowSet.rows.map(row => row[column.member] ?? null).filter(cell => cell !== null);
    if (cells.length === 0) return [];
    const { type } = column.annotation;
    if (type !== 'number' && type !== 'time') return [{ kind: 'values', title, count: new Set(cells).size }];
    const print = columnPrinter(column, presentation);
    const order = type === 'number' ? Number : (cell: unknown) => String(cell);
    const [first = null, ...others] = cells;
    let [from, to] = [first, first];
    for (const cell of others) {
      if (order(cell) < order(from)) from = cell;
      if (order(cell) > order(to)) to = cell;
    }
    return [{ kind: 'range', title, from: print(from), to: print(to) }];
  });
  return { marks, columns };
}
