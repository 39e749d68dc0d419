import type { Node, SortBy } from 'libpg-query';
import { someOf } from '../rewrite.js';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression, SortKey } from '../tree.js';

/** The innermost construct that contains an expression and restricts it. */
export const Within = {
  clause: 'clause',
  aggregate: 'an aggregate',
  window: 'a window function',
} as const;
/** The innermost construct that contains an expression and restricts it. */
export type Within = (typeof Within)[keyof typeof Within];

/** Reads expressions at one position. A new reader is created for each position. */
export interface Reader {
  readonly scope: Scope;
  readonly within: Within;
  /** Reads a nested expression. */
  read(node: Node): Expression;
  /** Returns a reader for expressions inside an aggregate or a window function. */
  inside(within: Within): Reader;
}

/** Maximum number of arguments of a function. Each may be printed once for every other argument. */
const maxArguments = 100;

/**
 * Reads the arguments of a function.
 * @throws SqlProblem if there are too many.
 */
export function readArguments(
  nodes: readonly Node[] | undefined,
  reader: Reader,
  at: number | undefined,
): readonly Expression[] {
  if (nodes !== undefined && nodes.length > maxArguments)
    throw new SqlProblem(`A function can have at most ${maxArguments} arguments`, at);
  return (nodes ?? []).map(node => reader.read(node));
}

/** Returns the location of a node in bytes, or `undefined` if the parser does not provide one. */
export function placeOf(node: Node): number | undefined {
  const [content]: unknown[] = Object.values(node);
  const location: unknown =
    typeof content === 'object' && content !== null && 'location' in content ? content.location : 0;
  return typeof location === 'number' && location >= 0 ? location : undefined;
}

/** Returns the parts of a qualified name, such as `['pg_catalog', 'int4']`, or `null` if it contains other nodes. */
export function wordsOf(nodes: readonly Node[] | undefined): readonly string[] | null {
  const words: string[] = [];
  for (const node of nodes ?? []) {
    if (!('String' in node)) return null;
    words.push(node.String.sval ?? '');
  }
  return words;
}

/** Returns an unqualified name, or `null` for any other name. */
export function wordOf(nodes: readonly Node[] | undefined): string | null {
  const words = wordsOf(nodes);
  return words?.length === 1 ? (words[0] ?? null) : null;
}

/** Returns a value that the parser always provides, because the grammar requires it. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new SqlProblem('The statement is incomplete');
  return value;
}

/** Builds a sort key. By default, NULL is greater than all values. */
export function sortKey(
  { sortby_dir: direction, sortby_nulls: nulls, location: at }: SortBy,
  value: Expression,
): SortKey {
  if (direction === 'SORTBY_USING') throw new SqlProblem('ORDER BY … USING is not supported: use ASC or DESC', at);
  const desc = direction === 'SORTBY_DESC';
  return { value, desc, nullsFirst: nulls === 'SORTBY_NULLS_FIRST' || (nulls !== 'SORTBY_NULLS_LAST' && desc) };
}

/** Maximum number of nodes that repetitions of one part of the text add to the tree. */
const maxExtra = 1000;
/** Number of nodes to count for a select, which the engine plans again for each repetition. */
const nodesOfSelect = 100;

/**
 * Checks that values can be repeated in the tree although they occur once in the text. Nested repetitions would grow
 * exponentially.
 * @throws SqlProblem if the values are too large.
 */
export function checkRepetition(values: readonly Expression[], times: number, at: number | undefined): void {
  const maxCopies = maxExtra / Math.max(times, 1);
  let nodes = 0;
  const isTooLarge = values.some(value =>
    someOf(value, ({ kind }) => {
      nodes += kind === 'subquery' ? nodesOfSelect : 1;
      return nodes - values.length > maxCopies;
    }),
  );
  if (isTooLarge) throw new SqlProblem('The expression is too complex: compute its repeated part in a subquery', at);
}
