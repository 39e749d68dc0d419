import { abortedError, PlatformError } from '../../errors.js';

/** Reason why a statement was stopped before it ended. */
export const StopReason = { aborted: 'aborted', timeout: 'timeout', closed: 'closed' } as const;
/** Reason why a statement was stopped before it ended. */
export type StopReason = (typeof StopReason)[keyof typeof StopReason];

/** Returns the error for a stopped statement. */
export function stoppedProblem(reason: StopReason): PlatformError {
  switch (reason) {
    case StopReason.aborted:
      return abortedError();
    case StopReason.timeout:
      return new PlatformError(400, 'The query took too long. Narrow it with a filter or a shorter date range.');
    case StopReason.closed:
      return new PlatformError(503, 'The platform is shutting down. Try again in a moment.');
  }
}

/** Errors that a query can cause on any engine. */
export const QueryProblem = {
  memory: 'The query needs too much memory. Narrow it with a filter, or group by fewer dimensions.',
  value: 'A value does not have the type that the query requires. Check the values of its filters.',
  rows: 'A subquery that is used as a value returned more than one row. Filter or aggregate its rows.',
  fullJoin: 'The data source does not support this join: a FULL JOIN requires an equality condition.',
  result: 'The result is too large. Select fewer columns, or set a smaller limit.',
} as const;

/**
 * Errors that generated SQL raises for the value of a row. They arrive as `Invalid Input Error` of DuckDB.
 * Callers see them unchanged, so they must not contain a value.
 */
export const ValueProblem = {
  division: 'The query divides by zero. Exclude such rows with a filter, or divide by NULLIF(x, 0).',
  range: 'A result of the query is out of range. Exclude such rows with a filter.',
  logarithm: 'The query takes the logarithm of zero or a negative number. Exclude such rows with a filter.',
  root: 'The query takes the root of a negative number, or an undefined power. Exclude such rows with a filter.',
  text: 'The query casts text to a type for which it is not valid. Exclude such rows with a filter.',
  length: 'The query builds a string that is too long. Exclude such rows with a filter.',
  pattern:
    'A pattern is too complex for a string of this length. Use fewer wildcards or repetitions, or exclude long strings with a filter.',
  part: 'The query takes a substring of negative length. Exclude such rows with a filter.',
} as const;
/** Errors that generated SQL raises for the value of a row. */
export type ValueProblem = (typeof ValueProblem)[keyof typeof ValueProblem];

/** Returns DuckDB SQL that fails the statement with a message. */
export function raise(problem: ValueProblem): string {
  return `error('${problem}')`;
}
