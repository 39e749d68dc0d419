import { describe, expect, it } from 'vitest';
import { dayTime } from '../../../src/report/dates/calendar-days.js';
import { dayFormat, dayText, readDay } from '../../../src/report/dates/date-input.js';
import fc, { casesAtDepth } from '../../property.js';

const locales = [
  'en',
  'en-GB',
  'de',
  'es',
  'fr',
  'ja',
  'ar',
  'ar-EG',
  'ar-SA',
  'fa',
  'th',
  'ko',
  'zh',
  'hu',
  'sv',
  'pt-BR',
];
const days = fc
  .integer({ min: Date.UTC(1930, 0), max: Date.UTC(2100, 0) })
  .map(time => new Date(time).toISOString().slice(0, 10));
const today = '2024-06-15';

describe('a typed day', () => {
  it.each(locales)('parses numeric dates and month names in %s', locale => {
    fc.assert(
      fc.property(days, day => {
        expect(readDay(dayText(day, locale), locale, today)).toBe(day);
        expect(readDay(day, locale, today)).toBe(day);
        for (const dateStyle of ['medium', 'long'] as const) {
          const text = dayFormat(locale, { dateStyle }).format(dayTime(day));
          expect([text, readDay(text, locale, today)]).toEqual([text, day]);
        }
      }),
      { numRuns: casesAtDepth(100) },
    );
  });

  it.each([
    ['1/2/2001', 'en', '2001-01-02'],
    ['1/2/2001', 'en-GB', '2001-02-01'],
    ['01.02.01', 'de', '2001-02-01'],
    [' 31 - 12 - 99 ', 'fr', '1999-12-31'],
    ['Feb 3', 'en', '2024-02-03'],
    ['3 febr 2001', 'en', '2001-02-03'],
    ['3. Februar', 'de', '2024-02-03'],
    ['3/4', 'en', '2024-03-04'],
    ['31 มี.ค. 1933', 'th', '1933-03-31'],
    ['20010203', 'en', '2001-02-03'],
    ['2001/2/3', 'en-GB', '2001-02-03'],
  ])('%s in %s is %s', (text, locale, day) => {
    expect(readDay(text, locale, today)).toBe(day);
  });

  it.each(['', 'soon', '2/30/2001', '13/1/2001', '1/2/3/4', '5', 'Feb', '1/1/0999', '1/1/20001', '٩'])(
    '"%s" is not a day',
    text => {
      expect(readDay(text, 'en', today)).toBeNull();
    },
  );
});
