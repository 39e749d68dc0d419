/**
 * Type of a value in SQL, by Postgres' rules (PostgreSQL 18, chapters 8 and 10). `unknown` is a literal whose type hangs on what stands
 * beside it; `other` is what can only be read as text.
 */
export const SqlType = {
  boolean: 'boolean',
  /** Of four bytes or less. */
  integer: 'integer',
  bigint: 'bigint',
  /** Exact, with a fraction; also whole numbers that are longer than a bigint. */
  numeric: 'numeric',
  /**
   * Postgres' numeric, too, but one that DuckDB can't make exactly: a quotient, a mean, a root. It holds it as a double of 15 digits. To be
   * treated as `numeric` everywhere but in how an expression is printed.
   */
  ratio: 'ratio',
  double: 'double',
  text: 'text',
  date: 'date',
  /** Without a zone: time dimensions stand in the zone of the query. */
  timestamp: 'timestamp',
  interval: 'interval',
  unknown: 'unknown',
  other: 'other',
} as const;
/** Type of a value in SQL. */
export type SqlType = (typeof SqlType)[keyof typeof SqlType];
