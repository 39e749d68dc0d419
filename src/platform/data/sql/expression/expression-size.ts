import { SqlDialect } from '../../engines/engine.js';
import { rewrite } from '../rewrite.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';
import { alignDecimals } from './decimals.js';
import { printCall } from './print-call.js';
import { duckdbCast } from './print-cast.js';

/**
 * Number of nodes of the engine's tree that every expression may have in addition to `maxMultiple` times its own nodes.
 */
const maxExtra = 5000;
const maxMultiple = 5;

interface Weight {
  /** Number of nodes of the `Expression` tree. */
  readonly nodes: number;
  /**
   * Number of nodes of the engine's tree. Includes parts that are repeated in the printed SQL or by the engine's
   * binder.
   */
  readonly planned: number;
}

/**
 * Rejects expressions that are small in the text but grow exponentially in the engine. A binder that repeats a part
 * also repeats everything inside it, and it does not check time limits.
 * @throws SqlProblem if the expression would become too large.
 */
export function checkExpressionSize(expression: Expression, at: number | undefined): void {
  const { nodes, planned } = weigh(expression);
  if (planned > maxExtra + maxMultiple * nodes)
    throw new SqlProblem('The expression is nested too deeply: compute its inner part in a subquery', at);
}

/** Counts the nodes of an expression, including those in the engine's tree. */
export function plannedNodes(expression: Expression): number {
  return weigh(expression).planned;
}

function weigh(expression: Expression): Weight {
  const times = timesOf(expression);
  let place = 0;
  let nodes = 1;
  let planned = 1;
  rewrite(expression, part => {
    if (part === expression) return undefined;
    const inner = weigh(part);
    nodes += inner.nodes;
    planned += inner.planned * (times[place] ?? 1);
    place += 1;
    return part;
  });
  return { nodes, planned };
}

/**
 * Returns how often each part of an expression occurs in the engine's tree, in the order of `rewrite`. Parts without an
 * entry occur once.
 */
function timesOf(expression: Expression): readonly number[] {
  switch (expression.kind) {
    case 'call': {
      // Copy the arguments to distinguish them, because several can be the same object.
      const args = expression.args.map(arg => ({ ...arg }));
      const places = new Map<Expression, number>(args.map((arg, index) => [arg, index]));
      const sql = printCall({ ...expression, args }, arg => markOf(places.get(arg)), SqlDialect.duckdb);
      return countUses(args.length, sql).map((count, index) => count * boundTimes(expression, index));
    }
    case 'cast':
      return countUses(1, duckdbCast(expression, mark(0)));
    case 'case': {
      const { branches, otherwise } = expression;
      const values = [...branches.map(({ value }) => value), ...(otherwise ? [otherwise] : [])];
      const write = alignDecimals(values, mark);
      const times = countUses(values.length, values.map((_, index) => write(index)).join(' '));
      return times.flatMap((count, index) => (index < branches.length ? [1, count] : [count]));
    }
    default:
      return [];
  }
}

/** Returns the marker of an argument, or `''` for a constant that replaced an argument. */
function markOf(index: number | undefined): string {
  return index === undefined ? '' : mark(index);
}

function mark(index: number): string {
  return `\u0001${index};`;
}

function countUses(parts: number, sql: string): number[] {
  const times = Array<number>(parts).fill(0);
  for (const text of sql.split('\u0001').slice(1)) {
    const index = Number.parseInt(text, 10);
    times[index] = (times[index] ?? 0) + 1;
  }
  return times;
}

/** Returns how often DuckDB's binder repeats an argument of a function that it rewrites. */
function boundTimes({ name, args }: Call, index: number): number {
  switch (name) {
    case 'nullif':
    case 'split_part':
      return 2;
    case 'between':
      return index === 0 ? 2 : 1;
    case 'round':
    case 'trunc':
      return args[0]?.type === SqlType.double ? 4 : 1;
    default:
      return 1;
  }
}
