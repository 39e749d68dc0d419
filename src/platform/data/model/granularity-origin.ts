import { movedMonths } from '../../../report/days.js';
import { isoTime } from './dates.js';
import type { Granularity } from './definition.js';

const monday = Date.UTC(2001, 0, 1);
const day = 86_400_000;
const lengths: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day, week: 7 * day };
const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/**
 * A granularity with a day that its weeks are counted from, where the model gives none: a Monday, and the offset from there. Clients
 * that lay out an axis by themselves count from the first of January, and would miss every week.
 */
export function withOrigin(granularity: Granularity): Granularity {
  const { offset = '', ...named } = granularity;
  // Other intervals than one of a unit need an origin in the model.
  if (named.origin !== undefined || !/^1 weeks?$/.test(named.interval)) return granularity;
  return { ...named, origin: isoTime(moved(monday, offset)) };
}

function moved(time: number, offset: string): number {
  let result = time;
  for (const [, count = '', unit = ''] of offset.matchAll(/(-?\d+) (\w+?)s?(?= |$)/g)) {
    result = movedMonths(result, Number(count) * (months[unit] ?? 0)) + Number(count) * (lengths[unit] ?? 0);
  }
  return result;
}
