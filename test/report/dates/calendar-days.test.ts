import { afterEach, describe, expect, it } from 'vitest';
import { phrases } from '../../../src/elements/parts/controls/controls-messages.js';
import { relativeRange } from '../../../src/platform/data/time/relative-dates.js';
import { utcZone } from '../../../src/platform/data/time/time-zone.js';
import { isPhrase } from '../../../src/report/controls/filter-condition.js';
import {
  addDays,
  addMonths,
  dayIn,
  dayTime,
  firstWeekday,
  phraseDays,
  weeksOf,
} from '../../../src/report/dates/calendar-days.js';
import fc, { casesAtDepth } from '../../property.js';

const days = fc
  .integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) })
  .map(time => new Date(time).toISOString().slice(0, 10));

describe('relative dates of a filter', () => {
  it.each(phrases)('match the days of "%s" in the Data API', phrase => {
    expect(isPhrase(phrase)).toBe(true);
    fc.assert(
      fc.property(days, today => {
        const clock = { now: new Date(`${today}T12:00:00Z`), timezone: utcZone };
        const range = relativeRange(phrase, clock)?.map(time => time.slice(0, 10));
        expect(phraseDays(phrase, today)).toEqual(range);
      }),
      { numRuns: casesAtDepth(300) },
    );
  });

  it('are null if only the Data API can resolve them', () => {
    expect(phraseDays('last tuesday', '2024-02-29')).toBeNull();
  });
});

describe('days', () => {
  const restored: (() => void)[] = [];
  afterEach(() => {
    for (const restore of restored.splice(0)) restore();
  });

  it('start at midnight in the time zone', () => {
    const moment = Date.UTC(2024, 0, 1, 3);
    expect(dayIn('America/New_York', moment)).toBe('2023-12-31');
    expect(dayIn('Asia/Tokyo', moment)).toBe('2024-01-01');
  });

  it('are limited to the last day of shorter months, and to years of four digits', () => {
    expect(addMonths('2024-01-31', 1)).toBe('2024-02-29');
    expect(addMonths('2024-02-29', -12)).toBe('2023-02-28');
    expect(addDays('9999-12-31', 1)).toBe('9999-12-31');
    expect(addMonths('1000-01-15', -1)).toBe('1000-01-01');
    expect(dayTime('2023-02-29')).toBeNaN();
    expect(dayTime('gone')).toBeNaN();
  });

  it('of a month are in weeks that start on the first weekday of the locale', () => {
    const [first, second] = weeksOf('2024-02-10', 1);
    expect(first).toEqual([null, null, null, '2024-02-01', '2024-02-02', '2024-02-03', '2024-02-04']);
    expect(second?.[0]).toBe('2024-02-05');
    expect(weeksOf('2024-02-10', 0)[0]?.filter(day => day !== null)).toEqual([
      '2024-02-01',
      '2024-02-02',
      '2024-02-03',
    ]);
  });

  it('start a week as in the locale, also without browser support', () => {
    const locales = ['en', 'en-GB', 'de', 'es', 'es-MX', 'fr', 'fr-CA', 'ja', 'ar', 'ar-SA', 'he', 'fa', 'pt-BR'];
    const known = locales.map(firstWeekday);
    expect(known.slice(0, 2)).toEqual([0, 1]);
    for (const name of ['getWeekInfo', 'weekInfo']) {
      const property = Object.getOwnPropertyDescriptor(Intl.Locale.prototype, name);
      if (!property) continue;
      Object.defineProperty(Intl.Locale.prototype, name, { configurable: true, value: undefined });
      restored.push(() => Object.defineProperty(Intl.Locale.prototype, name, property));
    }
    expect(locales.map(firstWeekday)).toEqual(known);
  });
});
