import { shown } from './select/names.js';
import { NoLoadQuery } from './sql-problem.js';
import type { CubeColumn, CubeQuery, Expression, Select, SelectStatement } from './tree.js';

/** A column of a cube that a load query has, too. */
export type LoadColumn = Exclude<CubeColumn, { kind: 'computed' }>;

/** A statement that is one select over one cube or view, and shows nothing but members. */
export interface PlainSelect {
  readonly statement: SelectStatement;
  readonly select: Select;
  readonly source: number;
  readonly query: CubeQuery;
  /** What the columns of the statement are. */
  readonly columns: readonly LoadColumn[];
}

/** @throws NoLoadQuery that says which part of a statement is more than that. */
export function plainSelectOf(statement: SelectStatement): PlainSelect {
  const { body, with: tables } = statement;
  if (body.kind === 'set') throw new NoLoadQuery('a load query is one select: UNION, INTERSECT and EXCEPT are not');
  if (tables.length > 0)
    throw new NoLoadQuery('a load query is one select: take apart what stands in WITH or in a sub-select');
  const { from, distinct } = body;
  if (from?.kind !== 'cube')
    throw new NoLoadQuery('a load query is of one cube or view: without joins, sub-selects and aggregates over rows');
  if (distinct) throw new NoLoadQuery('a load query has DISTINCT for dimensions only');
  const { source, query } = from;
  const columns = body.columns.map((value, index) => {
    const column = loadColumnOf({ source, query }, value);
    if (column) return column;
    throw new NoLoadQuery(
      `no member is the same as column ${index + 1}, ${shown(statement.columns[index]?.name ?? '')}`,
    );
  });
  checkKeys(query, columns);
  return { statement, select: body, source, query, columns };
}

/** The column of a load query that a value is; undefined for what is worked out. */
export function loadColumnOf(
  { source, query }: Pick<PlainSelect, 'source' | 'query'>,
  value: Expression,
): LoadColumn | undefined {
  const column = value.kind === 'column' && value.source === source ? query.columns[value.column] : undefined;
  return column?.kind === 'computed' ? undefined : column;
}

function checkKeys({ grouped, columns }: CubeQuery, shown: readonly LoadColumn[]): void {
  const hidden = columns.find(column => column.kind !== 'measure' && !shown.some(one => one === column));
  if (grouped && hidden)
    throw new NoLoadQuery('a load query shows what it groups by: put all of GROUP BY into the select list');
}
