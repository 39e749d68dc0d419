import { SqlDialect } from '../engines/engine.js';

/** Positions at which a string must occur in another string. */
export const TextMatch = { contains: 'contains', startsWith: 'startsWith', endsWith: 'endsWith' } as const;
/** Position at which a string must occur in another string. */
export type TextMatch = (typeof TextMatch)[keyof typeof TextMatch];

/**
 * The SQL fragments that differ between engines; all other SQL is identical. Inputs are generated or validated SQL.
 * Intervals come from the model; origins are timestamps.
 */
export interface Dialect {
  readonly name: SqlDialect;
  /** Type of numbers that are not integers of up to 18 digits. */
  readonly decimal: string;
  /** Tests whether a string contains, starts with or ends with another string. Wildcards have no special meaning. */
  match(position: TextMatch, text: string, part: string): string;
  /** Counts distinct values, approximately if the engine supports it. */
  countDistinctApprox(sql: string): string;
  /**
   * Returns the start of the time bucket that contains a time. Buckets of length `interval` extend from `origin` in
   * both directions.
   */
  bin(interval: string, time: string, origin: string): string;
  /** Returns the times from `first` to `last` in steps of `interval`, as a column of a SELECT. */
  series(first: string, last: string, interval: string): string;
  /**
   * Appended to a SELECT with a WHERE clause, so that the engine does not evaluate surrounding expressions on rows that
   * the WHERE clause excludes. Errors of such expressions would reveal these rows.
   */
  readonly fence: string;
  /** Tests whether two values are equal, with NULL equal to NULL, in a form that a FULL JOIN accepts. */
  same(left: string, right: string): string;
}

/** Whether an interval contains months, which vary in length. */
function hasMonths(interval: string): boolean {
  return /month|quarter|year/.test(interval);
}

/** Returns an interval literal. Quarters become months, because only DuckDB supports them. */
export function intervalSql(interval: string): string {
  const portable = interval.replace(/(-?\d+) quarters?/g, (_, count: string) => `${3 * Number(count)} months`);
  return `INTERVAL '${portable}'`;
}

const matchers = {
  [TextMatch.contains]: 'contains',
  [TextMatch.startsWith]: 'starts_with',
  [TextMatch.endsWith]: 'ends_with',
} as const;

/** SQL fragments for DuckDB. */
const duckdb: Dialect = {
  name: SqlDialect.duckdb,
  decimal: 'DOUBLE',
  match: (position, text, part) => `${matchers[position]}(${text}, ${part})`,
  fence: ' OFFSET 0',
  countDistinctApprox: sql => `approx_count_distinct(${sql})`,
  bin(interval, time, origin) {
    const bucket = (at: string, from: string) => `time_bucket(${intervalSql(interval)}, ${at}, ${from})`;
    if (!hasMonths(interval)) return bucket(time, `TIMESTAMP '${origin}'`);
    // DuckDB counts months from the month of the origin and ignores the day of the origin.
    const month = `TIMESTAMP '${origin.slice(0, 7)}-01'`;
    const shift = `(TIMESTAMP '${origin}' - ${month})`;
    return `(${bucket(`(${time} - ${shift})`, month)} + ${shift})`;
  },
  series: (first, last, interval) => `unnest(generate_series(${first}, ${last}, ${intervalSql(interval)}))`,
  same: (left, right) => `${left} IS NOT DISTINCT FROM ${right}`,
};

const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** SQL fragments for Postgres 14 and later. Sessions use UTC. */
const postgres: Dialect = {
  name: SqlDialect.postgres,
  // NUMERIC is exact and can use an index on a numeric column; DOUBLE cannot.
  decimal: 'NUMERIC',
  match(position, text, part) {
    if (position === TextMatch.contains) return `position(${part} IN ${text}) > 0`;
    return `${position === TextMatch.startsWith ? 'left' : 'right'}(${text}, length(${part})) = ${part}`;
  },
  // Without a fence, Postgres merges the conditions of both SELECTs and evaluates the cheapest first.
  fence: ' OFFSET 0',
  // Postgres has no approximate distinct count without an extension.
  countDistinctApprox: sql => `count(DISTINCT ${sql})`,
  bin(interval, time, origin) {
    if (!hasMonths(interval)) return `date_bin(${intervalSql(interval)}, ${time}, TIMESTAMP '${origin}')`;
    const months = [...interval.matchAll(/(\d+) (month|quarter|year)/g)];
    const length = months.reduce((sum, [, count, unit = '']) => sum + Number(count) * (monthsOf[unit] ?? 0), 0);
    const month = `TIMESTAMP '${origin.slice(0, 7)}-01'`;
    const shift = `(TIMESTAMP '${origin}' - ${month})`;
    const local = `(${time} - ${shift})`;
    const first = 12 * Number(origin.slice(0, 4)) + Number(origin.slice(5, 7)) - 1;
    const passed = `(extract(year FROM ${local}) * 12 + extract(month FROM ${local}) - 1 - ${first})`;
    return `(${month} + floor(${passed} / ${length}) * INTERVAL '${length} months' + ${shift})`;
  },
  series: (first, last, interval) => `generate_series(${first}, ${last}, ${intervalSql(interval)})`,
  // Compare arrays, because a FULL JOIN requires a hashable equality and arrays are equal if both contain NULL.
  same: (left, right) => `ARRAY[${left}] = ARRAY[${right}]`,
};

/** Returns the SQL fragments of a dialect. */
export function dialectOf(name: SqlDialect): Dialect {
  return name === SqlDialect.postgres ? postgres : duckdb;
}
