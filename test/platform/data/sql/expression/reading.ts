import { loadModule, type Node, parseSync } from 'libpg-query';
import { readExpression } from '../../../../../src/platform/data/sql/expression/read-expression.js';
import { Clause, type Scope } from '../../../../../src/platform/data/sql/scope.js';
import { SqlProblem } from '../../../../../src/platform/data/sql/sql-problem.js';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';
import type { Expression } from '../../../../../src/platform/data/sql/tree.js';

await loadModule();

/** Columns of the table that expressions use. */
export const columns: readonly (readonly [name: string, type: SqlType])[] = [
  ['id', SqlType.integer],
  ['i', SqlType.integer],
  ['j', SqlType.integer],
  ['b', SqlType.bigint],
  ['n', SqlType.numeric],
  ['m', SqlType.numeric],
  ['d', SqlType.double],
  ['e', SqlType.double],
  ['s', SqlType.text],
  ['u', SqlType.text],
  ['f', SqlType.boolean],
  ['g', SqlType.boolean],
  ['dt', SqlType.date],
  ['ts', SqlType.timestamp],
  ['us', SqlType.timestamp],
  ['odd', SqlType.other],
];

/** Resolves names in a test. */
export function scopeOf(others: Partial<Scope> = {}): Scope {
  return {
    clause: Clause.select,
    now: '2024-02-29T13:14:15.678',
    column: ([name, ...rest], at) => {
      const column = columns.findIndex(([known]) => known === name);
      const type = columns[column]?.[1];
      if (type === undefined || rest.length > 0) throw new SqlProblem(`There is no ${name}`, at);
      return { kind: 'column', type, source: 0, column };
    },
    measure: () => null,
    countRows: () => null,
    statement: (_, at) => {
      throw new SqlProblem('no select here', at);
    },
    window: (name, at) => {
      throw new SqlProblem(`Window "${name}" does not exist`, at);
    },
    ...others,
  };
}

/** Returns the parse tree of the first value of a select list. */
export function nodeOf(text: string): Node {
  const statement = parseSync(`SELECT ${text}`).stmts?.[0]?.stmt;
  const target = statement && 'SelectStmt' in statement ? statement.SelectStmt.targetList?.[0] : undefined;
  const value = target && 'ResTarget' in target ? target.ResTarget.val : undefined;
  if (!value) throw new Error(`no expression: ${text}`);
  return value;
}

export function read(text: string, scope: Partial<Scope> = {}): Expression {
  return readExpression(nodeOf(text), scopeOf(scope));
}

/** Returns the message for a rejected expression. */
export function problemOf(text: string, scope: Partial<Scope> = {}): string {
  try {
    read(text, scope);
  } catch (error) {
    if (error instanceof SqlProblem) return error.message;
    throw error;
  }
  throw new Error(`${text} was read`);
}
