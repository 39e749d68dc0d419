import type { SelectStmt } from 'libpg-query';
import { commonType } from '../expression/common-type.js';
import { SqlProblem } from '../sql-problem.js';
import type { SelectStatement, SetOperation } from '../tree.js';
import { placeOf } from './place.js';
import type { Reading } from './reading.js';
import { withTypes } from './table-select.js';

const operators: Readonly<Record<string, SetOperation['operator']>> = {
  SETOP_UNION: 'union',
  SETOP_INTERSECT: 'intersect',
  SETOP_EXCEPT: 'except',
};

/** What a select does with the rows of two others; undefined for one that reads its own. */
export function operatorOf({ op = 'SETOP_NONE' }: SelectStmt): SetOperation['operator'] | undefined {
  return operators[op];
}

/** Rows of two selects together. Its columns are called as those of the left side; both sides are of one type. */
export function setOf(
  reading: Reading,
  select: SelectStmt,
  left: SelectStatement,
  right: SelectStatement,
): SelectStatement {
  const operator = operatorOf(select) ?? 'union';
  const at = placeOf(select.rarg ?? {});
  if (left.columns.length !== right.columns.length)
    throw new SqlProblem(`each side of ${operator.toUpperCase()} must have the same number of columns`, at);
  const types = left.columns.map(({ type }, index) => commonType([type, right.columns[index]?.type ?? type], at));
  const [a, b] = [left, right].map(side => withTypes(side, types, reading.next));
  return {
    with: [],
    body: { kind: 'set', operator, all: select.all === true, left: a ?? left, right: b ?? right },
    order: [],
    limit: null,
    offset: 0,
    columns: left.columns.map(({ name }, index) => ({ name, type: types[index] ?? 'text' })),
  };
}
