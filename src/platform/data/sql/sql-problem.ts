import { ErrorCode } from '../../../contract/error-code.js';
import { PlatformError } from '../../errors.js';

/** An error in a SQL statement, with its location. */
export class SqlProblem extends Error {
  /**
   * @param message - what failed and how to fix it, without a final period. Must never contain a value of a row.
   * @param at - location in the text in UTF-8 bytes, as counted by the parser; `undefined` if unknown.
   */
  constructor(
    message: string,
    readonly at?: number,
  ) {
    super(message);
  }
}

/**
 * Thrown for a valid statement that has no equivalent load query. A separate class, because publishing a report
 * continues without a load query.
 */
export class NoLoadQuery extends SqlProblem {}

/**
 * Thrown for an unknown name without a similar known name. If the name is in double quotes, it may be intended as text.
 */
export class UnknownName extends SqlProblem {}

/** Converts a problem to a `PlatformError` 400 with line and column. */
export function toLocatedError(problem: SqlProblem, text: string): PlatformError {
  const { message, at } = problem;
  const options = problem instanceof NoLoadQuery ? { code: ErrorCode.noLoadQuery } : {};
  if (at === undefined || at < 0) return new PlatformError(400, `${message}.`, options);
  const bytes = Buffer.from(text);
  const lines = bytes.subarray(0, at).toString().split('\n');
  const isQuoted = problem instanceof UnknownName && bytes[at] === 0x22;
  return new PlatformError(
    400,
    `${message}${isQuoted ? ': use single quotes for text' : ''} (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}).`,
    options,
  );
}
