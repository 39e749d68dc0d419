import { SqlDialect } from '../../engine.js';
import { type Dialect, TextMatch } from './dialect.js';
import { hasMonths, intervalSql } from './interval.js';

const matchers = {
  [TextMatch.contains]: 'contains',
  [TextMatch.startsWith]: 'starts_with',
  [TextMatch.endsWith]: 'ends_with',
} as const;

/** DuckDB's SQL. */
export const duckdb: Dialect = {
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
