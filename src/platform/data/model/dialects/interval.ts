/** Whether an interval is one of months: those are not all of one length. */
export function hasMonths(interval: string): boolean {
  return /month|quarter|year/.test(interval);
}

/** An interval as a literal: no engine but DuckDB knows quarters. */
export function intervalSql(interval: string): string {
  const known = interval.replace(/(-?\d+) quarters?/g, (_, count: string) => `${3 * Number(count)} months`);
  return `INTERVAL '${known}'`;
}
