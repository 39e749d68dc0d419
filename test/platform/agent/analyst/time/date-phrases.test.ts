import { describe, expect, it } from 'vitest';
import { readDates } from '../../../../../src/platform/agent/analyst/time/date-phrases.js';
import { adjacentSpan, grainFor, wholeMonths } from '../../../../../src/platform/agent/analyst/time/date-span.js';
import { findTimezone, utcZone } from '../../../../../src/platform/data/time/time-zone.js';
import fc, { casesAtDepth } from '../../../../property.js';

const at = { now: new Date('2001-06-15T12:00:00Z'), timezone: utcZone, lastDay: '2001-06-15' };
const spans = (text: string) => readDates(text, at).map(({ span }) => [span.from, span.to]);

describe('dates in a question', () => {
  it.each([
    ['in March 2001', '2001-03-01', '2001-03-31'],
    ['in march', '2001-03-01', '2001-03-31'],
    ['in August', '2000-08-01', '2000-08-31'],
    ['in May', '2001-05-01', '2001-05-31'],
    ['Q1 2001', '2001-01-01', '2001-03-31'],
    ['2001 Q2', '2001-04-01', '2001-06-30'],
    ['the third quarter of 2000', '2000-07-01', '2000-09-30'],
    ['first half of 2001', '2001-01-01', '2001-06-30'],
    ['in H2 2000', '2000-07-01', '2000-12-31'],
    ['in 2000', '2000-01-01', '2000-12-31'],
    ['flights 2000', '2000-01-01', '2000-12-31'],
    ['2001-02', '2001-02-01', '2001-02-28'],
    ['on 2001-02-03', '2001-02-03', '2001-02-03'],
    ['3 March 2001', '2001-03-03', '2001-03-03'],
    ['on March 3rd', '2001-03-03', '2001-03-03'],
    ['on December 24', '2000-12-24', '2000-12-24'],
    ['from January to March 2001', '2001-01-01', '2001-03-31'],
    ['between 1 March 2001 and 15 April 2001', '2001-03-01', '2001-04-15'],
    ['March and April 2001', '2001-03-01', '2001-04-30'],
    ['since April 2001', '2001-04-01', '2001-06-15'],
    ['yesterday', '2001-06-14', '2001-06-14'],
    ['today', '2001-06-15', '2001-06-15'],
    ['last month', '2001-05-01', '2001-05-31'],
    ['the last 30 days', '2001-05-16', '2001-06-14'],
    ['past three months', '2001-03-01', '2001-05-31'],
    ['this week', '2001-06-11', '2001-06-17'],
    ['year to date', '2001-01-01', '2001-06-15'],
    ['until February 2001', null, '2001-02-28'],
    ['after March 2001', '2001-04-01', null],
    ['before 2001', null, '2000-12-31'],
  ])('%s', (text, from, to) => {
    expect(spans(text)).toEqual([[from, to]]);
  });

  it.each([
    'may I see the flights',
    'flights over 2000 miles',
    'more than 2000 flights',
    'top 5',
    'march on',
    'by month',
    'flights on Mondays',
    'per weekday',
    'within 15 minutes',
    'now by state',
    'as a second step',
  ])('are not found in: %s', text => {
    expect(spans(text)).toEqual([]);
  });

  it('have two dates in a comparison, and a missing year is taken from the other date', () => {
    expect(spans('May vs April 2000')).toEqual([
      ['2000-05-01', '2000-05-31'],
      ['2000-04-01', '2000-04-30'],
    ]);
    expect(spans('March compared with May')).toEqual([
      ['2001-03-01', '2001-03-31'],
      ['2001-05-01', '2001-05-31'],
    ]);
  });

  it('are relative to the current day in the time zone of the caller', () => {
    const auckland = findTimezone('Pacific/Auckland') ?? utcZone;
    const [date] = readDates('yesterday', { ...at, timezone: auckland, lastDay: '2001-06-16' });
    expect(date?.span).toEqual({ from: '2001-06-15', to: '2001-06-15' });
  });

  it('without a year resolve to the last year with data', () => {
    const [date] = readDates('in March', { ...at, now: new Date('2026-11-20T00:00:00Z'), lastDay: '2001-07-01' });
    expect(date?.span).toEqual({ from: '2001-03-01', to: '2001-03-31' });
  });

  it('never throw for any text', () => {
    const words = fc.constantFrom(
      'last',
      'next',
      '31',
      'feb',
      'February',
      '2001',
      'of',
      'to',
      'and',
      'between',
      '99999',
      'q4',
      'since',
      '-',
      '29',
      '/',
      '0',
      'week',
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(words, { maxLength: 40 }).map(list => list.join(' ')),
    );
    fc.assert(
      fc.property(texts, text => {
        for (const { span } of readDates(text, at)) {
          for (const day of [span.from, span.to]) expect(day === null || /^\d{4}-\d\d-\d\d/.test(day)).toBe(true);
        }
      }),
      { numRuns: casesAtDepth(300) },
    );
  });
});

describe('a span', () => {
  it('has an adjacent span of the same kind on either side', () => {
    expect(adjacentSpan({ from: '2001-03-01', to: '2001-03-31' }, -1)).toEqual({
      from: '2001-02-01',
      to: '2001-02-28',
    });
    expect(adjacentSpan({ from: '2001-03-01', to: '2001-03-31' }, -1, 'year')).toEqual({
      from: '2000-03-01',
      to: '2000-03-31',
    });
    expect(adjacentSpan({ from: '2001-01-01', to: '2001-03-31' }, 1)).toEqual({ from: '2001-04-01', to: '2001-06-30' });
    expect(adjacentSpan({ from: '2001-06-04', to: '2001-06-10' }, -1)).toEqual({
      from: '2001-05-28',
      to: '2001-06-03',
    });
    expect(adjacentSpan({ from: null, to: '2001-06-10' }, -1)).toBeNull();
  });

  it('has a number of whole months and a suitable granularity', () => {
    expect(wholeMonths({ from: '2000-12-01', to: '2001-01-31' })).toBe(2);
    expect(wholeMonths({ from: '2000-12-02', to: '2001-01-31' })).toBeNull();
    expect(
      ['2001-03-01', '2001-03-31', '2001-05-31', '2001-12-31'].map(to => grainFor({ from: '2001-03-01', to })),
    ).toEqual(['hour', 'day', 'week', 'month']);
  });
});
