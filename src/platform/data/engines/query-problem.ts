import { abortedError, PlatformError } from '../../errors.js';

/** Why a statement was stopped before it ended. */
export const StopReason = { aborted: 'aborted', timeout: 'timeout', closed: 'closed' } as const;
/** Why a statement was stopped before it ended. */
export type StopReason = (typeof StopReason)[keyof typeof StopReason];

/** Returns the error for a stopped statement. */
export function stoppedProblem(reason: StopReason): PlatformError {
  switch (reason) {
    case StopReason.aborted:
      return abortedError();
    case StopReason.timeout:
      return new PlatformError(400, 'The query took too long: narrow it by a filter or a shorter date range.');
    case StopReason.closed:
      return new PlatformError(503, 'The platform is shutting down: try again in a moment.');
  }
}

/** Errors that a query can cause on any engine. */
export const QueryProblem = {
  memory: 'The query needs too much memory: narrow it by a filter, or group by fewer dimensions.',
  value: 'A value can not be read as the type that the query needs: check the values of its filters.',
  rows: 'A select that stands for one value has several rows: narrow it, or put an aggregate into it.',
  fullJoin: 'The data source has no such join: a FULL JOIN needs an equality of both sides.',
  result: 'The result is too large: ask for fewer columns, or set a smaller limit.',
} as const;

/**
 * Errors that a statement raises for the value of a row where DuckDB itself raises none (as `Invalid Input Error`).
 * Callers see them unchanged, so they must not contain a value.
 */
export const ValueProblem = {
  division: 'The query divides by zero: leave out the rows where it does by a filter, or divide by NULLIF(x, 0).',
  range: 'A result of the query is out of range: narrow it by a filter.',
  logarithm: 'A logarithm of zero or less can not be worked out: leave out the rows where it is by a filter.',
  root: 'A root of a negative number can not be worked out, nor a power that has no value: leave out such rows by a filter.',
  text: 'A text can not be read as the type that it is cast to: leave out the rows where it is another by a filter.',
  length: 'A text that the query puts together is too long: narrow it by a filter.',
  pattern:
    'A pattern is too complex for a text of this length: use fewer wildcards or repetitions, or leave out long texts by a filter.',
  part: 'A part of a text can not have a negative length: leave out the rows where it has by a filter.',
} as const;
/** Errors that a statement raises for the value of a row. */
export type ValueProblem = (typeof ValueProblem)[keyof typeof ValueProblem];

/** DuckDB SQL that fails the statement. */
export function raise(problem: ValueProblem): string {
  return `error('${problem}')`;
}
