import type { Table, TableHead, TableRow } from './table.js';

/** A table that shows these columns of another one, in this order. Headings above them keep the columns that stand next to one another. */
export function selectColumns(table: Table, columns: readonly number[]): Table {
  if (isEveryColumn(table, columns)) return table;
  const source = (column: number): number => columns[column] ?? -1;
  const selected = ({ kind, cells }: TableRow): TableRow => ({
    kind,
    cells: columns.flatMap(column => cells[column] ?? []),
  });
  return {
    ...table,
    columns: columns.flatMap(column => table.columns[column] ?? []),
    heads: table.heads.map(level => selectHeads(level, columns)),
    value: (row, column) => table.value(row, source(column)),
    mark: (row, column) => table.mark(row, source(column)),
    range: column => table.range(source(column)),
    row: index => {
      const row = table.row(index);
      return row && selected(row);
    },
  };
}

/** The columns of figures under each outermost heading of a pivot; none unless there are several headings, one with several columns. */
export function columnGroups({ heads }: Table): readonly TableHead[] {
  const groups = heads[0]?.filter(({ kind }) => kind !== 'corner') ?? [];
  return groups.length > 1 && groups.some(({ span }) => span > 1) ? groups : [];
}

function isEveryColumn(table: Table, columns: readonly number[]): boolean {
  return columns.length === table.columns.length && columns.every((column, index) => column === index);
}

function selectHeads(level: readonly TableHead[], columns: readonly number[]): readonly TableHead[] {
  const heads: TableHead[] = [];
  let before: TableHead | undefined;
  columns.forEach((column, index) => {
    const head = level.find(({ from, span }) => column >= from && column < from + span);
    const last = heads.at(-1);
    if (head && last && head === before) heads[heads.length - 1] = { ...last, span: last.span + 1 };
    else if (head) heads.push({ ...head, from: index, span: 1 });
    before = head;
  });
  return heads;
}
