import type { ColumnValue, CubeColumn, SelectStatement, Source } from './tree.js';

type Tables = ReadonlyMap<number, SelectStatement>;

/** The columns of cubes and views that the columns of a statement are, and nothing else: undefined for what is computed. */
export function columnOrigins(statement: SelectStatement): readonly (CubeColumn | undefined)[] {
  return statement.columns.map((_, index) => originOf(statement, index, new Map()));
}

function originOf(statement: SelectStatement, index: number, around: Tables): CubeColumn | undefined {
  const { body } = statement;
  if (body.kind === 'set' || body.from === null) return undefined;
  const value = body.columns[index];
  if (value?.kind !== 'column') return undefined;
  const tables = new Map(around);
  for (const table of statement.with) tables.set(table.id, table.statement);
  return inSource(body.from, value, tables);
}

function inSource(source: Source, value: ColumnValue, tables: Tables): CubeColumn | undefined {
  if (source.kind === 'join') return inSource(source.left, value, tables) ?? inSource(source.right, value, tables);
  if (source.source !== value.source) return undefined;
  if (source.kind === 'cube') return source.query.columns[value.column];
  const statement = source.kind === 'statement' ? source.statement : tables.get(source.id);
  return statement && originOf(statement, value.column, tables);
}
