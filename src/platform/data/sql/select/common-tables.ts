import type { CommonTableExpr, WithClause } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import type { CommonTable } from '../tree.js';
import { renamed } from './from.js';
import { shown } from './names.js';
import { placeOf } from './place.js';
import type { Around, CommonTableName, Reading } from './reading.js';

/** WITH as it was read: its tables, and all that may be named beside them. */
export interface ReadWith {
  readonly tables: readonly CommonTable[];
  readonly names: ReadonlyMap<string, CommonTableName>;
}

/** Reads WITH: each table sees those before it, and none sees itself. */
export function readWith(reading: Reading, clause: WithClause | undefined, around: Around): ReadWith {
  const names = new Map(around.tables);
  if (clause?.recursive === true) throw new SqlProblem('WITH RECURSIVE is not supported', clause.location);
  const own = new Set<string>();
  const tables = (clause?.ctes ?? []).map(node => {
    if (!('CommonTableExpr' in node)) throw new SqlProblem('this is not a table of WITH', placeOf(node));
    const { CommonTableExpr: table } = node;
    const name = table.ctename ?? '';
    if (own.has(name)) throw new SqlProblem(`${shown(name)} stands in WITH more than once`, table.location);
    own.add(name);
    const statement = reading.statement(selectOf(table), { ...around, tables: new Map(names) });
    const alias = { aliasname: name, ...(table.aliascolnames && { colnames: table.aliascolnames }) };
    const id = reading.next();
    names.set(name, { id, columns: renamed(statement.columns, alias, table.location) });
    return { id, statement };
  });
  return { tables, names };
}

function selectOf({ ctequery, search_clause, cycle_clause, location }: CommonTableExpr) {
  if (search_clause || cycle_clause) throw new SqlProblem('SEARCH and CYCLE are not supported', location);
  if (ctequery === undefined || !('SelectStmt' in ctequery))
    throw new SqlProblem('only SELECT can stand in WITH', location);
  return ctequery.SelectStmt;
}
