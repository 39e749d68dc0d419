import { DayEdge, localTime, utcZone } from './dates.js';

interface GranularitySource {
  readonly interval: string;
  readonly offset?: string | undefined;
  readonly origin?: string | undefined;
}

/** How many of a unit fill the next one: only then do all spans begin where the calendar's do. */
const whole: Readonly<Record<string, number>> = {
  second: 60,
  minute: 60,
  hour: 24,
  day: 1,
  week: 1,
  month: 12,
  quarter: 4,
};

/** What is wrong with a granularity of a model, if anything. */
export function problemOf({ interval, offset, origin }: GranularitySource): string | undefined {
  if (offset !== undefined && origin !== undefined) return 'needs offset or origin, not both';
  if (origin !== undefined && localTime(origin, DayEdge.start, utcZone) === undefined)
    return `has the origin ${origin}, which is not a day of the calendar`;
  const lengths = [...interval.matchAll(/(\d+) ([a-z]+?)s?(?= |$)/g)];
  const units = lengths.map(([, , unit = '']) => unit);
  const months = units.filter(unit => ['month', 'quarter', 'year'].includes(unit)).length;
  if (months > 0 && months < units.length) return 'is of unequal length: months can not be mixed with days and hours';
  const [[, count = '', unit = ''] = [], ...others] = lengths;
  const isNatural = others.length === 0 && (whole[unit] ?? Number(count)) % Number(count) === 0;
  return origin === undefined && !isNatural ? 'needs an origin, such as 2001-01-01, to count from' : undefined;
}
