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

/** As the caller is told: a 400 that shows where. */
export function toldOf(problem: SqlProblem, text: string): PlatformError {
  const { message, at } = problem;
  const options = problem instanceof NoLoadQuery ? { code: ErrorCode.noLoadQuery } : {};
  if (at === undefined || at < 0) return new PlatformError(400, `${message}.`, options);
  const before = Buffer.from(text).subarray(0, at).toString();
  const lines = before.split('\n');
  return new PlatformError(
    400,
    `${message} (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}).`,
    options,
  );
}
