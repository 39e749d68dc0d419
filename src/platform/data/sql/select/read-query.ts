import type { SelectStmt } from 'libpg-query';
import { isoTime } from '../../model/dates.js';
import { Clause } from '../scope.js';
import type { MemberTypes, SqlModel } from '../sql-model.js';
import { SqlProblem } from '../sql-problem.js';
import type { CubeQuery, SelectStatement } from '../tree.js';
import { checkClauses, limitsOf } from './clauses.js';
import { readWith } from './common-tables.js';
import { readOrder } from './keys.js';
import { Level } from './level.js';
import { placeOf } from './place.js';
import { readSelect } from './read-select.js';
import type { Around, Places, Reading } from './reading.js';
import { namesOf, SelectScope } from './select-scope.js';
import { operatorOf, setOf } from './set-operation.js';
import { columnsOf, selectOver } from './table-select.js';

/** Each is a select, a table of WITH or something in FROM. */
const maxSources = 200;

/** A statement, and all that it asks of cubes and views. */
export interface ReadQuery {
  readonly statement: SelectStatement;
  readonly queries: readonly CubeQuery[];
  readonly places: Places;
}

/**
 * Reads the parser's tree of a SELECT into ours.
 * @param types - of the members that may occur in it, by path.
 * @throws SqlProblem for everything that is not on our list, and for what Postgres would refuse.
 */
export function readQuery(select: SelectStmt, model: SqlModel, types: ReadonlyMap<string, MemberTypes>): ReadQuery {
  const { access, now, timezone } = model;
  const queries: CubeQuery[] = [];
  const places: Places = new WeakMap();
  let last = 0;
  const reading: Reading = {
    model,
    cubes: { access, types, queries },
    now: isoTime(now.getTime() + timezone.offsetAt(now.getTime())),
    places,
    next: () => {
      if (++last > maxSources) throw new SqlProblem(`a statement may hold ${maxSources} tables and selects`);
      return last;
    },
    statement: (inside, around) => readWhole(reading, inside, { around, keepsUnknown: false }),
  };
  return { statement: reading.statement(select, { tables: new Map(), outer: null }), queries, places };
}

interface WholeOptions {
  readonly around: Around;
  readonly keepsUnknown: boolean;
}

function readWhole(reading: Reading, select: SelectStmt, { around, keepsUnknown }: WholeOptions): SelectStatement {
  checkClauses(select);
  const common = readWith(reading, select.withClause, around);
  const inner = { ...around, tables: common.names };
  const cut = limitsOf(select);
  if (operatorOf(select) !== undefined) {
    const statement = readSet(reading, select, inner);
    return { ...statement, ...cut, with: common.tables };
  }
  const read = readSelect(reading, select, { around: inner, keepsUnknown });
  return { ...read, ...cut, with: [...common.tables, ...read.with] };
}

function readSet(reading: Reading, select: SelectStmt, around: Around): SelectStatement {
  const { larg = {}, rarg = {}, sortClause = [] } = select;
  const [left, right] = [larg, rarg].map(side => readWhole(reading, side, { around, keepsUnknown: true }));
  if (left === undefined || right === undefined) throw new Error('a set operation has two sides');
  const set = setOf(reading, select, left, right);
  if (sortClause.length === 0) return set;
  const source = reading.next();
  const values = columnsOf(source, set.columns);
  const level = new Level([], null);
  const order = readOrder(
    {
      level,
      targets: values.map((value, index) => ({ name: set.columns[index]?.name ?? '', value })),
      scope: clause => new SelectScope(clause, namesOf(reading, around, level)),
      read: node => {
        throw new SqlProblem(`${Clause.order} of a set operation takes names or places of its columns`, placeOf(node));
      },
    },
    sortClause,
  );
  return { ...selectOver({ kind: 'statement', source, statement: set }, values, set.columns), order };
}
