import type { Node, SortBy } from 'libpg-query';
import { someOf } from '../rewrite.js';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression, SortKey } from '../tree.js';

/** What an expression stands in, of that which can't hold everything. */
export const Within = {
  clause: 'clause',
  aggregate: 'an aggregate',
  window: 'a window function',
} as const;
/** What an expression stands in, of that which can't hold everything. */
export type Within = (typeof Within)[keyof typeof Within];

/** Reads what stands in one place; made for each place anew. */
export interface Reader {
  readonly scope: Scope;
  readonly within: Within;
  /** Reads what stands inside. */
  read(node: Node): Expression;
  /** A reader of what stands inside an aggregate or a window function. */
  inside(within: Within): Reader;
}

/** Most arguments of a function: each may be written once for every other. */
const maxArguments = 100;

/**
 * Reads the arguments of a function.
 * @throws SqlProblem where there are too many.
 */
export function readArguments(
  nodes: readonly Node[] | undefined,
  reader: Reader,
  at: number | undefined,
): readonly Expression[] {
  if (nodes !== undefined && nodes.length > maxArguments)
    throw new SqlProblem(`A function takes ${maxArguments} arguments at most`, at);
  return (nodes ?? []).map(node => reader.read(node));
}

/** Place of a node in the text, in bytes; undefined where the parser keeps none. */
export function placeOf(node: Node): number | undefined {
  const [content]: unknown[] = Object.values(node);
  const location: unknown =
    typeof content === 'object' && content !== null && 'location' in content ? content.location : 0;
  return typeof location === 'number' && location >= 0 ? location : undefined;
}

/** The words of a name: `['pg_catalog', 'int4']`. Null for what isn't made of words alone. */
export function wordsOf(nodes: readonly Node[] | undefined): readonly string[] | null {
  const words: string[] = [];
  for (const node of nodes ?? []) {
    if (!('String' in node)) return null;
    words.push(node.String.sval ?? '');
  }
  return words;
}

/** The one word of a name that has no more. */
export function wordOf(nodes: readonly Node[] | undefined): string | null {
  const words = wordsOf(nodes);
  return words?.length === 1 ? (words[0] ?? null) : null;
}

/** What is there; SQL's parser leaves out nothing that its grammar asks for. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new SqlProblem('The statement is incomplete');
  return value;
}

/** A key of an order by a value that was read. NULL counts as greater than all values, unless it is said where it stands. */
export function sortKey(
  { sortby_dir: direction, sortby_nulls: nulls, location: at }: SortBy,
  value: Expression,
): SortKey {
  if (direction === 'SORTBY_USING') throw new SqlProblem('ORDER BY … USING is not supported: use ASC or DESC', at);
  const desc = direction === 'SORTBY_DESC';
  return { value, desc, nullsFirst: nulls === 'SORTBY_NULLS_FIRST' || (nulls !== 'SORTBY_NULLS_LAST' && desc) };
}

/** How many nodes of a tree one place of the text may become beyond its own. */
const maxExtra = 1000;
/** A select is planned each time that it stands somewhere. */
const nodesOfSelect = 100;

/**
 * Lets values stand in several places of the tree though they stand in the text once: what is written within one another that way would
 * grow beyond all bounds.
 * @throws SqlProblem where they are too large for that.
 */
export function checkRepetition(values: readonly Expression[], times: number, at: number | undefined): void {
  const most = maxExtra / Math.max(times, 1);
  let nodes = 0;
  const isTooLarge = values.some(value =>
    someOf(value, ({ kind }) => {
      nodes += kind === 'sub-select' ? nodesOfSelect : 1;
      return nodes - values.length > most;
    }),
  );
  if (isTooLarge)
    throw new SqlProblem('The statement is too complex here: make a column of a sub-select of what is repeated', at);
}
