import { ErrorCode } from '../../../contract/error-code.js';
import { PlatformError } from '../../errors.js';

/** What is wrong with a statement, and where. */
export class SqlProblem extends Error {
  /**
   * @param message - what is wrong and what to do, without a full stop; never a value of a row.
   * @param at - place in the text in bytes of UTF-8, as the parser counts; undefined where there is none.
   */
  constructor(
    message: string,
    readonly at?: number,
  ) {
    super(message);
  }
}

/** A statement that is right and can be run, but is not what a load query can say: told apart, since publishing goes on without one. */
export class NoLoadQuery extends SqlProblem {}

/** A name that nothing has, nor anything like it: in double quotes, it may have been meant as text. */
export class UnknownName extends SqlProblem {}

/** As the caller is told: a 400 that shows where. */
export function toLocatedError(problem: SqlProblem, text: string): PlatformError {
  const { message, at } = problem;
  const options = problem instanceof NoLoadQuery ? { code: ErrorCode.noLoadQuery } : {};
  if (at === undefined || at < 0) return new PlatformError(400, `${message}.`, options);
  const bytes = Buffer.from(text);
  const lines = bytes.subarray(0, at).toString().split('\n');
  const isQuoted = problem instanceof UnknownName && bytes[at] === 0x22;
  return new PlatformError(
    400,
    `${message}${isQuoted ? ': text stands in single quotes' : ''} (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}).`,
    options,
  );
}
