import type { SqlDialect } from '../../engine.js';

/** How a text is looked for in another. */
export const TextMatch = { contains: 'contains', startsWith: 'startsWith', endsWith: 'endsWith' } as const;
/** How a text is looked for in another. */
export type TextMatch = (typeof TextMatch)[keyof typeof TextMatch];

/**
 * The few texts in which engines differ; all else of a statement is one text for all of them. What is handed in is SQL of ours, or was
 * checked: intervals are those of a model, origins are times.
 */
export interface Dialect {
  readonly name: SqlDialect;
  /** Type of numbers that are no whole ones of up to 18 digits. */
  readonly decimal: string;
  /** Whether a text has another in it, at its start or at its end; no wildcards. */
  match(how: TextMatch, text: string, part: string): string;
  /** How many different values there are, about or exactly. */
  countDistinctApprox(sql: string): string;
  /** The start of the span that a time lies in; spans of `interval` follow one another from `origin` on, both ways. */
  bin(interval: string, time: string, origin: string): string;
  /** The times from `first` to `last`, `interval` apart, as a column of a SELECT. */
  series(first: string, last: string, interval: string): string;
  /**
   * Stands at the end of a select that has a WHERE, to keep the engine from working out what stands around on rows that this WHERE leaves
   * out: an error would tell of them.
   */
  readonly fence: string;
  /** Whether two values are the same, NULL and NULL too, in a form that a FULL JOIN takes. */
  same(left: string, right: string): string;
}
