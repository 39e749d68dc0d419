import type { Node } from 'libpg-query';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression } from '../tree.js';

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
