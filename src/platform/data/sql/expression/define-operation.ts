import type { SqlType } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';

/**
 * SQL template of an operation for one engine: `$1` is the first argument, and `$*` is all arguments separated by
 * commas. A function if the SQL depends on a constant argument.
 */
export type Text = string | ((call: Call) => string | Rewritten);

/** A template, with expressions that replace arguments. */
export interface Rewritten {
  readonly text: string;
  readonly args: readonly Expression[];
}

/**
 * A supported operation for given argument types. Defines the type of the result, and SQL for each engine with the
 * semantics of Postgres.
 */
export interface Operation {
  readonly name: string;
  /** Argument types. If `variadic`, the last type can repeat. `alike` means any number of values of one common type. */
  readonly args: readonly SqlType[] | 'alike';
  readonly variadic?: boolean;
  /** `same`: the common type of the arguments. */
  readonly result: SqlType | 'same';
  readonly duckdb: Text;
  readonly postgres: Text;
  /** SQL for DuckDB if an argument is a quotient, which in DuckDB is a DOUBLE instead of a DECIMAL. */
  readonly duckdbRatio?: Text;
  /** Whether the result is exact even if an argument is a quotient. */
  readonly exact?: boolean;
  /** Whether to reject quotients, which are not exact in DuckDB. */
  readonly exactOnly?: boolean;
  /** Whether the operation has its own syntax and cannot be called as a function. */
  readonly syntax?: boolean;
  /** Whether the second argument must not be zero. DuckDB would return NULL or infinity. */
  readonly divides?: boolean;
  /** Whether DuckDB may return infinity or NaN instead of an error. */
  readonly finite?: boolean;
  /** Whether the result can be longer than its longest argument. */
  readonly grows?: boolean;
}

/** Defines an operation. Both engines use the same SQL, unless `others` overrides it. */
export function operation(
  name: string,
  args: Operation['args'],
  result: Operation['result'],
  text: Text,
  others: Partial<Omit<Operation, 'name' | 'args' | 'result'>> = {},
): Operation {
  return { name, args, result, duckdb: text, postgres: text, ...others };
}
