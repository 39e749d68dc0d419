import type { SqlType } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';

/**
 * How an operation is written for one engine: `$1` is an argument, `$*` all of them with commas between. A function where the text hangs on
 * a constant among the arguments.
 */
export type Text = string | ((call: Call) => string | Rewritten);

/** A call that is written with other arguments than those that were read. */
export interface Rewritten {
  readonly text: string;
  readonly args: readonly Expression[];
}

/**
 * One operation of our list, for arguments of certain types: the only source of what may be called, what it gives, and how either engine
 * writes it so that it means what Postgres means.
 */
export interface Operation {
  readonly name: string;
  /** Types of the arguments; the last one may come again where `variadic`. `alike`: any number of values of one common type. */
  readonly args: readonly SqlType[] | 'alike';
  readonly variadic?: boolean;
  /** `same`: the common type of the arguments. */
  readonly result: SqlType | 'same';
  readonly duckdb: Text;
  readonly postgres: Text;
  /** For DuckDB, where an argument is a quotient: a double in place of an exact number. */
  readonly duckdbRatio?: Text;
  /** Whether a quotient among the arguments leaves the result exact. */
  readonly exact?: boolean;
  /** Whether it takes no quotient, since that is no exact number for DuckDB. */
  readonly exactOnly?: boolean;
  /** Whether it is written in another way than as a function of its name. */
  readonly syntax?: boolean;
  /** Whether the second argument must not be zero: DuckDB would give NULL or infinity. */
  readonly divides?: boolean;
  /** Whether DuckDB may give infinity or NaN where Postgres has an error. */
  readonly finite?: boolean;
  /** Whether a text may come out that is as long as several together. */
  readonly grows?: boolean;
}

/** An operation that both engines write alike, unless said otherwise. */
export function operation(
  name: string,
  args: Operation['args'],
  result: Operation['result'],
  text: Text,
  others: Partial<Omit<Operation, 'name' | 'args' | 'result'>> = {},
): Operation {
  return { name, args, result, duckdb: text, postgres: text, ...others };
}
