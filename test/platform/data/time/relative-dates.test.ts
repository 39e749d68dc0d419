import { describe, expect, it } from 'vitest';
import { localRange, relativeRange } from '../../../../src/platform/data/time/relative-dates.js';
import { TimeZones } from '../../../../src/platform/data/time/time-zone.js';
import fc, { casesAtDepth } from '../../../property.js';

const timezones = new TimeZones();

function scope(now: string, zone = 'UTC') {
  const timezone = timezones.find(zone);
  if (!timezone) throw new Error(`no time zone ${zone}`);
  return { now: new Date(now), timezone };
}

/** A Thursday. */
const thursday = scope('2024-02-29T15:20:30.500Z');

const day = (from: string, to = from) => [`${from}T00:00:00.000`, `${to}T23:59:59.999`];

describe('a relative date', () => {
  it.each([
    ['today', day('2024-02-29')],
    ['now', day('2024-02-29')],
    ['yesterday', day('2024-02-28')],
    ['Tomorrow', day('2024-03-01')],
    ['this day', day('2024-02-29')],
    ['this week', day('2024-02-26', '2024-03-03')],
    ['last week', day('2024-02-19', '2024-02-25')],
    ['next week', day('2024-03-04', '2024-03-10')],
    ['this month', day('2024-02-01', '2024-02-29')],
    ['last month', day('2024-01-01', '2024-01-31')],
    ['next month', day('2024-03-01', '2024-03-31')],
    ['this quarter', day('2024-01-01', '2024-03-31')],
    ['last quarter', day('2023-10-01', '2023-12-31')],
    ['next quarter', day('2024-04-01', '2024-06-30')],
    ['this year', day('2024-01-01', '2024-12-31')],
    ['last year', day('2023-01-01', '2023-12-31')],
    ['previous year', day('2023-01-01', '2023-12-31')],
    ['next year', day('2025-01-01', '2025-12-31')],
    ['last hour', ['2024-02-29T14:00:00.000', '2024-02-29T14:59:59.999']],
    ['this minute', ['2024-02-29T15:20:00.000', '2024-02-29T15:20:59.999']],
    ['next second', ['2024-02-29T15:20:31.000', '2024-02-29T15:20:31.999']],
  ])('%s is a whole calendar unit', (phrase, range) => {
    expect(relativeRange(phrase, thursday)).toEqual(range);
  });

  it.each([
    ['last 1 day', day('2024-02-28')],
    ['last 7 days', day('2024-02-22', '2024-02-28')],
    ['past 7 days', day('2024-02-22', '2024-02-28')],
    ['  Last  7   Days ', day('2024-02-22', '2024-02-28')],
    ['last 360 days', day('2023-03-06', '2024-02-28')],
    ['last 2 weeks', day('2024-02-12', '2024-02-25')],
    ['last 6 months', day('2023-08-01', '2024-01-31')],
    ['last 2 quarters', day('2023-07-01', '2023-12-31')],
    ['last 3 years', day('2021-01-01', '2023-12-31')],
    ['next 2 days', day('2024-03-01', '2024-03-02')],
    ['next 3 months', day('2024-03-01', '2024-05-31')],
    ['last 3 hours', ['2024-02-29T12:00:00.000', '2024-02-29T14:59:59.999']],
    ['last 30 minutes', ['2024-02-29T14:50:00.000', '2024-02-29T15:19:59.999']],
    ['next 10 seconds', ['2024-02-29T15:20:31.000', '2024-02-29T15:20:40.999']],
  ])('%s excludes the current unit', (phrase, range) => {
    expect(relativeRange(phrase, thursday)).toEqual(range);
  });

  it.each([
    ['from 7 days ago to now', day('2024-02-22', '2024-02-29')],
    ['from last monday to today', day('2024-02-26', '2024-02-29')],
    ['from 2001-01-01 to today', day('2001-01-01', '2024-02-29')],
    ['from 2001-01-01T08:00:00 to yesterday', ['2001-01-01T08:00:00.000', '2024-02-28T23:59:59.999']],
    ['from now to 2 weeks from now', day('2024-02-29', '2024-03-14')],
    ['from yesterday to tomorrow', day('2024-02-28', '2024-03-01')],
    ['from this month to now', day('2024-02-01', '2024-02-29')],
    ['from last month to now', day('2024-01-29', '2024-02-29')],
    ['from 1 year ago to 1 month ago', day('2023-02-28', '2024-01-29')],
    ['from 2 hours ago to now', ['2024-02-29T13:00:00.000', '2024-02-29T15:59:59.999']],
    ['from 90 minutes ago to in 5 minutes', ['2024-02-29T13:50:00.000', '2024-02-29T15:25:59.999']],
  ])('%s is a range between two dates', (phrase, range) => {
    expect(relativeRange(phrase, thursday)).toEqual(range);
  });

  it.each([
    ['7 days ago', day('2024-02-22')],
    ['in 2 weeks', day('2024-03-14')],
    ['3 hours ago', ['2024-02-29T12:00:00.000', '2024-02-29T12:59:59.999']],
    ['two weeks ago', day('2024-02-15')],
    ['last friday', day('2024-02-23')],
    ['3rd of may', day('2024-05-03')],
    ['march 5 2023', day('2023-03-05')],
    ['march 5 2023 - march 8 2023', day('2023-03-05', '2023-03-08')],
  ])('%s is a day, or as exact as its unit', (phrase, range) => {
    expect(relativeRange(phrase, thursday)).toEqual(range);
  });

  it.each([
    '',
    'soon',
    'last',
    'last 7',
    'last 7 fortnights',
    'last 9999999 days',
    'last 2000 years',
    'next 9000 years',
    'this last week',
    'today or tomorrow',
    'the day before yesterday at the office',
    '2001-02-30',
    '2001-13-01',
    'from 2001-02-30 to today',
    'from today',
    'from today to',
    'from soon to today',
    'today 5pm PST',
    'today 17:00 UTC',
    '__proto__',
    'constructor',
    "today'; DROP TABLE orders",
    `${'in '.repeat(40)}1 day`,
  ])('does not accept %j', phrase => {
    expect(relativeRange(phrase, thursday)).toBeUndefined();
  });

  it('uses the last day of the month if the other month is shorter', () => {
    expect(relativeRange('1 month ago', scope('2024-03-31T12:00:00Z'))).toEqual(day('2024-02-29'));
    expect(relativeRange('last 1 month', scope('2024-03-31T12:00:00Z'))).toEqual(day('2024-02-01', '2024-02-29'));
    expect(relativeRange('1 year ago', thursday)).toEqual(day('2023-02-28'));
  });

  it('is in the time zone, not in UTC', () => {
    const late = '2024-01-01T03:00:00Z';
    expect(relativeRange('today', scope(late, 'America/New_York'))).toEqual(day('2023-12-31'));
    expect(relativeRange('this year', scope(late, 'America/New_York'))).toEqual(day('2023-01-01', '2023-12-31'));
    expect(relativeRange('last monday', scope('2024-02-29T23:30:00Z', 'Asia/Tokyo'))).toEqual(day('2024-02-26'));
    expect(relativeRange('last hour', scope(late, 'Asia/Kathmandu'))).toEqual([
      '2024-01-01T07:00:00.000',
      '2024-01-01T07:59:59.999',
    ]);
  });

  it('counts elapsed hours across clock changes, and calendar days', () => {
    // Clocks moved from 2 to 3 at 01:00 UTC.
    const spring = scope('2024-03-31T02:30:00Z', 'Europe/Berlin');
    expect(relativeRange('last 3 hours', spring)).toEqual(['2024-03-31T00:00:00.000', '2024-03-31T03:59:59.999']);
    expect(relativeRange('yesterday', spring)).toEqual(day('2024-03-30'));
    // Clocks moved from 3 to 2 at 01:00 UTC.
    const autumn = scope('2024-10-27T02:30:00Z', 'Europe/Berlin');
    expect(relativeRange('last 3 hours', autumn)).toEqual(['2024-10-27T01:00:00.000', '2024-10-27T02:59:59.999']);
    expect(relativeRange('last 2 days', autumn)).toEqual(day('2024-10-25', '2024-10-26'));
  });

  it('includes its reference time, in every unit and zone', () => {
    const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia');
    const name = fc.constantFrom('second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year');
    const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zone, name, moment, fc.integer({ min: 1, max: 100 }), (timezone, unit, now, count) => {
        const clock = scope(now.toISOString(), timezone);
        const wall = new Date(now.getTime() + clock.timezone.offsetAt(now.getTime())).toISOString().slice(0, -1);
        const [from = '', to = ''] = relativeRange(`this ${unit}`, clock) ?? [];
        expect(from <= wall && wall <= to).toBe(true);
        const [, before = ''] = relativeRange(`last ${count} ${unit}s`, clock) ?? [];
        const [after = ''] = relativeRange(`next ${count} ${unit}`, clock) ?? [];
        // When clocks are set back, the previous hour has the same local time.
        if (!['second', 'minute', 'hour'].includes(unit)) expect(before < from && after > to).toBe(true);
      }),
    );
  });

  it('is parsed or rejected, for any text', () => {
    const words = fc.constantFrom(
      'from',
      'to',
      'last',
      'next',
      '7',
      'days',
      'ago',
      'monday',
      'may',
      '-',
      '9999',
      'at',
      '5pm',
      '2001-01-01',
    );
    const phrase = fc.oneof(
      fc.string({ maxLength: 100 }),
      fc.array(words, { maxLength: 12 }).map(list => list.join(' ')),
    );
    fc.assert(
      fc.property(phrase, text => {
        const [from, to] = relativeRange(text, thursday) ?? day('2024-01-01');
        expect(from).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
        expect(to).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
      }),
      { numRuns: casesAtDepth(300) },
    );
  });
});

describe('a range', () => {
  it('is one date, two dates or a phrase', () => {
    expect(localRange(['2001-01-01'], thursday)).toEqual(day('2001-01-01'));
    expect(localRange(['2001-01-01', '2001-01-03'], thursday)).toEqual(day('2001-01-01', '2001-01-03'));
    expect(localRange(['last 7 days'], thursday)).toEqual(day('2024-02-22', '2024-02-28'));
    expect(localRange(['7 days ago', 'this month'], thursday)).toEqual(day('2024-02-22', '2024-02-29'));
  });

  it('is rejected if it is empty, has three dates, or is relative without a reference time', () => {
    expect(localRange([], thursday)).toBeUndefined();
    expect(localRange(['2001-01-01', '2001-01-02', '2001-01-03'], thursday)).toBeUndefined();
    expect(localRange(['today'], { timezone: thursday.timezone })).toBeUndefined();
    expect(localRange(['2001-01-01', 'soon'], thursday)).toBeUndefined();
  });
});
