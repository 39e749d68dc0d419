import { SqlDialect } from '../../engine.js';
import { type Dialect, TextMatch } from './dialect.js';
import { hasMonths, intervalSql } from './interval.js';

const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Postgres' SQL, from version 14 on; sessions are in UTC. */
export const postgres: Dialect = {
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
