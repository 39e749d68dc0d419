import { SqlDialect } from '../engines/engine.js';

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

/** Whether an interval is one of months: those are not all of one length. */
function hasMonths(interval: string): boolean {
  return /month|quarter|year/.test(interval);
}

/** An interval as a literal: no engine but DuckDB knows quarters. */
export function intervalSql(interval: string): string {
  const known = interval.replace(/(-?\d+) quarters?/g, (_, count: string) => `${3 * Number(count)} months`);
  return `INTERVAL '${known}'`;
}

const matchers = {
  [TextMatch.contains]: 'contains',
  [TextMatch.startsWith]: 'starts_with',
  [TextMatch.endsWith]: 'ends_with',
} as const;

/** DuckDB's SQL. */
const duckdb: Dialect = {
  name: SqlDialect.duckdb,
  decimal: 'DOUBLE',
  match: (how, text, part) => `${matchers[how]}(${text}, ${part})`,
  fence: ' OFFSET 0',
  countDistinctApprox: sql => `approx_count_distinct(${sql})`,
  bin(interval, time, origin) {
    const bucket = (at: string, from: string) => `time_bucket(${intervalSql(interval)}, ${at}, ${from})`;
    if (!hasMonths(interval)) return bucket(time, `TIMESTAMP '${origin}'`);
    // It counts months from the month of an origin, whatever its day.
    const month = `TIMESTAMP '${origin.slice(0, 7)}-01'`;
    const shift = `(TIMESTAMP '${origin}' - ${month})`;
    return `(${bucket(`(${time} - ${shift})`, month)} + ${shift})`;
  },
  series: (first, last, interval) => `unnest(generate_series(${first}, ${last}, ${intervalSql(interval)}))`,
  same: (left, right) => `${left} IS NOT DISTINCT FROM ${right}`,
};

const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Postgres' SQL, from version 14 on; sessions are in UTC. */
const postgres: Dialect = {
  name: SqlDialect.postgres,
  // Exact, and it finds its way through an index of numbers, which a double would not.
  decimal: 'NUMERIC',
  match(how, text, part) {
    if (how === TextMatch.contains) return `position(${part} IN ${text}) > 0`;
    return `${how === TextMatch.startsWith ? 'left' : 'right'}(${text}, length(${part})) = ${part}`;
  },
  // It puts the conditions of both selects into one, and the cheapest first.
  fence: ' OFFSET 0',
  // It has no estimate without an extension.
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
  // A FULL JOIN takes nothing but equality that can be hashed; arrays are equal where both hold NULL.
  same: (left, right) => `ARRAY[${left}] = ARRAY[${right}]`,
};

/** The texts of a dialect. */
export function dialectOf(name: SqlDialect): Dialect {
  return name === SqlDialect.postgres ? postgres : duckdb;
}
