import type { Cell } from '../contract/data.js';
import { figureOf, type Table, type TableCell } from './table.js';

/** By which column a table is sorted. */
export interface TableSort {
  /** Index among the table's columns. */
  readonly column: number;
  readonly descending: boolean;
}

/**
 * A table in another order: numbers as numbers, text as `locale` has it, what is missing last either way, equal rows as they were. Totals
 * stay where they are. In a pivot whose measures stand below one another, they stay together and go by the first.
 */
export function sortTable(table: Table, sort: TableSort | null, locale: string): Table {
  if (!sort || !table.columns[sort.column]) return table;
  const order = sortedGroups(table, sort, locale);
  const { groupSize, headerCount, rowCount } = table;
  const source = (index: number): number => {
    const group = order[Math.floor(index / groupSize)];
    return group === undefined ? index : group * groupSize + (index % groupSize);
  };
  return {
    ...table,
    value: (row, column) => table.value(source(row), column),
    mark: (row, column) => table.mark(source(row), column),
    row: index => {
      if (index < 0 || index >= rowCount) return null;
      const row = table.row(source(index));
      if (!row || headerCount === 0 || row.kind === 'total') return row;
      const headers = Array.from({ length: headerCount }, (_, column) => column);
      const above = index === 0 ? null : headers.map(column => table.value(source(index - 1), column));
      return { ...row, cells: withRepeats(row.cells, above, headerCount) };
    },
  };
}

/** Says of each header whether it is that of the row above, by the values of the headers there; none is behind one that differs. */
export function withRepeats(
  cells: readonly TableCell[],
  above: readonly Cell[] | null,
  headerCount: number,
): readonly TableCell[] {
  let same = above !== null;
  return cells.map((cell, index) => {
    if (index >= headerCount) return cell;
    same &&= above?.[index] === cell.value;
    // The last header tells rows apart.
    const repeats = same && index < headerCount - 1;
    return cell.repeats === repeats ? cell : { ...cell, repeats };
  });
}

function sortedGroups(table: Table, sort: TableSort, locale: string): number[] {
  const { groupSize, sections, rowCount, totalCount, value } = table;
  const groups = Array.from({ length: Math.floor((rowCount - totalCount) / groupSize) }, (_, group) => group);
  const section = groups.length / sections;
  const values = groups.map(group => value(group * groupSize, sort.column));
  const texts = new Intl.Collator(locale, { numeric: true });
  const figures = values.map(figureOf);
  const compare = (a: number, b: number): number => {
    const [one, other] = [values[a] ?? null, values[b] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const [figure, otherFigure] = [figures[a] ?? null, figures[b] ?? null];
    const ascending =
      figure !== null && otherFigure !== null
        ? figure - otherFigure || compareIntegers(one, other)
        : Number(figure === null) - Number(otherFigure === null) || texts.compare(String(one), String(other));
    return sort.descending ? -ascending : ascending;
  };
  return groups.sort((a, b) => Math.floor(a / section) - Math.floor(b / section) || compare(a, b));
}

/** Integers that are one double, as the digits that they have. */
function compareIntegers(one: Cell, other: Cell): number {
  const isInteger = (cell: Cell): cell is string => typeof cell === 'string' && /^-?\d{16,400}$/.test(cell);
  if (!isInteger(one) || !isInteger(other)) return 0;
  const difference = BigInt(one) - BigInt(other);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
