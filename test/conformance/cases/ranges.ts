import type { Case } from './case.js';

/** Creates a case with a date range of trips and its bounds. */
function trips(name: string, dateRange: string | readonly string[], from: string, before: string): Case {
  return {
    name,
    query: { measures: ['trips.count'], timeDimensions: [{ dimension: 'trips.departure', dateRange }] },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date >= '${from}' AND date < '${before}'`,
  };
}

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
/** A bound of a range: the start of the current unit plus an offset. */
type Edge = readonly [Unit, string?];

/** Creates a case with a relative date range and its bounds, in UTC or in the query's time zone. */
function phrase(
  dateRange: string,
  [from, shift = '0 days']: Edge,
  [before, last = '0 days']: Edge,
  timezone = 'UTC',
): Case {
  const beat = `timezone('${timezone}', timezone('UTC', beat))`;
  const now = `timezone('${timezone}', now())`;
  return {
    name: timezone === 'UTC' ? dateRange : `${dateRange} in ${timezone}`,
    query: {
      measures: ['pulses.count', 'pulses.first', 'pulses.last'],
      timeDimensions: [{ dimension: 'pulses.beat', dateRange }],
      ...(timezone !== 'UTC' && { timezone }),
    },
    sql: `SELECT count(*) AS "pulses.count", min(beat) AS "pulses.first", max(beat) AS "pulses.last" FROM pulses
      WHERE tenant = 'acme' AND ${beat} >= date_trunc('${from}', ${now}) + INTERVAL '${shift}'
      AND ${beat} < date_trunc('${before}', ${now}) + INTERVAL '${last}'`,
  };
}

/** Date ranges: one date, two dates, and every relative range. */
export const ranges: readonly Case[] = [
  trips('two days', ['2001-02-01', '2001-02-03'], '2001-02-01', '2001-02-04'),
  trips('the same day twice', ['2001-02-01', '2001-02-01'], '2001-02-01', '2001-02-02'),
  trips('one date in a list', ['2001-02-01'], '2001-02-01', '2001-02-02'),
  trips('one date', '2001-02-01', '2001-02-01', '2001-02-02'),
  trips(
    'from a minute to a minute',
    ['2001-02-01T10:00:00.000', '2001-02-01T11:29:59.999'],
    '2001-02-01 10:00',
    '2001-02-01 11:30',
  ),
  trips('a day to a minute', ['2001-02-01', '2001-02-02T11:59:59.999'], '2001-02-01', '2001-02-02 12:00'),
  trips('a phrase of two dates', 'from 2001-02-01 to 2001-02-10', '2001-02-01', '2001-02-11'),
  {
    name: 'a phrase from a date to today',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', dateRange: 'from 2001-06-01 to today' }],
    },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date >= '2001-06-01'`,
  },
  phrase('today', ['day'], ['day', '1 day']),
  phrase('Today', ['day'], ['day', '1 day']),
  phrase('yesterday', ['day', '-1 day'], ['day']),
  phrase('tomorrow', ['day', '1 day'], ['day', '2 days']),
  phrase('this day', ['day'], ['day', '1 day']),
  phrase('this week', ['week'], ['week', '7 days']),
  phrase('this month', ['month'], ['month', '1 month']),
  phrase('this quarter', ['quarter'], ['quarter', '3 months']),
  phrase('this year', ['year'], ['year', '1 year']),
  phrase('this hour', ['hour'], ['hour', '1 hour']),
  phrase('this minute', ['minute'], ['minute', '1 minute']),
  phrase('last day', ['day', '-1 day'], ['day']),
  phrase('last week', ['week', '-7 days'], ['week']),
  phrase('last month', ['month', '-1 month'], ['month']),
  phrase('last quarter', ['quarter', '-3 months'], ['quarter']),
  phrase('last year', ['year', '-1 year'], ['year']),
  phrase('last hour', ['hour', '-1 hour'], ['hour']),
  phrase('next week', ['week', '7 days'], ['week', '14 days']),
  phrase('next month', ['month', '1 month'], ['month', '2 months']),
  phrase('next quarter', ['quarter', '3 months'], ['quarter', '6 months']),
  phrase('next year', ['year', '1 year'], ['year', '2 years']),
  phrase('last 7 days', ['day', '-7 days'], ['day']),
  phrase('last 30 days', ['day', '-30 days'], ['day']),
  phrase('last 360 days', ['day', '-360 days'], ['day']),
  phrase('last 2 weeks', ['week', '-14 days'], ['week']),
  phrase('last 6 months', ['month', '-6 months'], ['month']),
  phrase('last 2 quarters', ['quarter', '-6 months'], ['quarter']),
  phrase('last 2 years', ['year', '-2 years'], ['year']),
  phrase('last 24 hours', ['hour', '-24 hours'], ['hour']),
  phrase('last 90 minutes', ['minute', '-90 minutes'], ['minute']),
  phrase('next 10 days', ['day', '1 day'], ['day', '11 days']),
  phrase('next 3 months', ['month', '1 month'], ['month', '4 months']),
  phrase('from 7 days ago to now', ['day', '-7 days'], ['day', '1 day']),
  phrase('from 10 days ago to yesterday', ['day', '-10 days'], ['day']),
  phrase('from 3 hours ago to now', ['hour', '-3 hours'], ['hour', '1 hour']),
  phrase('from 1 year ago to today', ['day', '-1 year'], ['day', '1 day']),
  phrase('from today to 3 days from now', ['day'], ['day', '4 days']),
  phrase('2 days ago', ['day', '-2 days'], ['day', '-1 day']),
  phrase('today', ['day'], ['day', '1 day'], 'Pacific/Auckland'),
  phrase('last 7 days', ['day', '-7 days'], ['day'], 'America/Los_Angeles'),
  phrase('this month', ['month'], ['month', '1 month'], 'Asia/Kolkata'),
  phrase('from 7 days ago to now', ['day', '-7 days'], ['day', '1 day'], 'Australia/Sydney'),
  {
    name: 'a phrase with a granularity',
    query: {
      measures: ['pulses.total'],
      timeDimensions: [{ dimension: 'pulses.beat', granularity: 'month', dateRange: 'last 12 months' }],
    },
    sql: `SELECT date_trunc('month', beat) AS "pulses.beat.month", sum(value) AS "pulses.total" FROM pulses WHERE tenant = 'acme'
      AND beat >= date_trunc('month', now()::TIMESTAMP) - INTERVAL 12 MONTH AND beat < date_trunc('month', now()::TIMESTAMP)
      GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'a phrase in a filter',
    query: {
      measures: ['pulses.count'],
      filters: [{ member: 'pulses.beat', operator: 'inDateRange', values: ['last 7 days'] }],
    },
    sql: `SELECT count(*) AS "pulses.count" FROM pulses WHERE tenant = 'acme'
      AND beat >= current_date - INTERVAL 7 DAY AND beat < current_date`,
  },
  {
    name: 'a phrase before which a filter looks',
    query: {
      measures: ['pulses.count'],
      filters: [{ member: 'pulses.beat', operator: 'beforeDate', values: ['today'] }],
    },
    sql: `SELECT count(*) AS "pulses.count" FROM pulses WHERE tenant = 'acme' AND beat < current_date`,
  },
];
