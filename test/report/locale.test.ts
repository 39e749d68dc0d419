import { describe, expect, it } from 'vitest';
import { dayPattern, numberLocale, timeLocale } from '../../src/report/locale.js';

describe('numberLocale', () => {
  it('reads marks and grouping from Intl', () => {
    expect(numberLocale('de')).toMatchObject({ decimal: ',', thousands: '.' });
    expect(numberLocale('en-IN').grouping).toEqual([3, 2, 2, 2, 2]);
    expect(numberLocale('ar-EG').numerals?.[7]).toBe('٧');
  });

  it('sets the currency where the locale has it', () => {
    expect(numberLocale('en', 'USD').currency).toEqual(['$', '']);
    expect(numberLocale('de', 'EUR').currency).toEqual(['', '\u00a0€']);
  });

  it('reads an unknown or broken tag as English', () => {
    expect(numberLocale('not a tag!!')).toEqual(numberLocale('en'));
    expect(numberLocale('')).toEqual(numberLocale('en'));
  });
});

describe('timeLocale', () => {
  it('names days from Sunday and months from January', () => {
    const german = timeLocale('de');
    expect(german.days[0]).toBe('Sonntag');
    expect(german.months[2]).toBe('März');
    expect(german.date).toBe('%-d.%-m.%Y');
  });
});

describe('dayPattern', () => {
  it.each([
    ['en', '%b %-d'],
    ['de', '%-d. %b'],
    ['ja', '%-m月%-d日'],
  ])('orders day and month as %s does', (locale, pattern) => {
    expect(dayPattern(locale)).toBe(pattern);
  });

  it('adds the year', () => {
    expect(dayPattern('en', 'yearMonthDay')).toBe('%b %-d, %Y');
    expect(dayPattern('de', 'yearMonthDay')).toBe('%-d. %b %Y');
  });
});
