import { describe, expect, it, vi } from 'vitest';
import {
  countFormat,
  dayPattern,
  formatList,
  formattingLocale,
  languageOf,
  localeDirections,
  numberLocale,
  pluralRule,
  timeLocale,
} from '../../../src/report/format/locale.js';

describe('numberLocale', () => {
  it('reads separators and grouping from Intl', () => {
    expect(numberLocale('de')).toMatchObject({ decimal: ',', thousands: '.' });
    expect(numberLocale('en-IN').grouping).toEqual([3, 2, 2, 2, 2]);
  });

  it('places the currency symbol as in the locale', () => {
    expect(numberLocale('en', 'USD').currency).toEqual(['$', '']);
    expect(numberLocale('de', 'EUR').currency).toEqual(['', '\u00a0€']);
  });

  it('falls back to English for an unknown or invalid tag', () => {
    expect(numberLocale('not a tag!!')).toEqual(numberLocale('en'));
    expect(numberLocale('')).toEqual(numberLocale('en'));
  });
});

describe('formattingLocale', () => {
  it.each(['ar', 'ar-EG', 'ar-SA', 'ar-u-nu-arab', 'fa', 'mr', 'bn', 'th', 'ja-u-ca-japanese', 'en'])(
    'formats numbers and dates of %s with Latin digits and Gregorian years',
    locale => {
      const tag = formattingLocale(locale);
      expect(new Intl.NumberFormat(tag).format(1234.5)).toMatch(/^1\D?234\D5$/);
      const date = new Intl.DateTimeFormat(tag, { year: 'numeric', day: 'numeric' }).format(Date.UTC(2001, 2, 29, 12));
      expect(date.match(/\d+/g)?.toSorted()).toEqual(['2001', '29']);
      expect(new Intl.RelativeTimeFormat(tag).format(-3, 'month')).toContain('3');
    },
  );

  it('keeps a tag with these defaults', () => {
    expect(formattingLocale('de-CH')).toBe('de-CH');
    expect(formattingLocale('EN-us')).toBe('en-US');
    expect(formattingLocale('not a tag!!')).toBe('en');
  });
});

// cspell:ignore Sonntag März
describe('timeLocale', () => {
  it('starts days with Sunday and months with January', () => {
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

it('calls Intl once per locale, and stays correct beyond the size of the cache', () => {
  const first = [timeLocale('sv'), numberLocale('sv', 'SEK'), formattingLocale('sv')];
  const dates = vi.spyOn(Intl, 'DateTimeFormat');
  const numbers = vi.spyOn(Intl, 'NumberFormat');
  expect([timeLocale('sv'), numberLocale('sv', 'SEK'), formattingLocale('sv')]).toEqual(first);
  expect([dates.mock.calls.length, numbers.mock.calls.length]).toEqual([0, 0]);
  vi.restoreAllMocks();
  for (let index = 0; index < 300; index += 1) expect(formattingLocale(`x-tag${index}`)).toBe('en');
  expect(numberLocale('sv', 'EUR').currency).not.toEqual(numberLocale('sv', 'SEK').currency);
});

describe('the constants of English', () => {
  // These tags have the definitions of English, but `Intl` is used for them.
  const same = { en: 'en-u-nu-latn', 'en-US': 'en-US-u-nu-latn' } as const;

  it.each(Object.entries(same))('of %s equal those of Intl', (tag, other) => {
    expect(numberLocale(tag)).toEqual(numberLocale(other));
    expect(timeLocale(tag)).toEqual(timeLocale(other));
    for (const show of ['monthDay', 'yearMonthDay'] as const)
      expect(dayPattern(tag, show)).toBe(dayPattern(other, show));
    expect(localeDirections(tag)).toEqual(localeDirections(other));
    expect(languageOf(tag)).toBe(languageOf(other));
    for (const count of [0, 1, -1, 2, 1.5, 999, 1000, -1234567, 1e21, Number.NaN]) {
      expect(countFormat(tag)(count)).toBe(countFormat(other)(count));
      expect(pluralRule(tag)(count)).toBe(pluralRule(other)(count));
    }
    for (const texts of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      expect(formatList(tag, texts)).toBe(formatList(other, texts));
      expect(formatList(tag, texts, 'long')).toBe(formatList(other, texts, 'long'));
    }
  });

  it('are used without Intl', () => {
    const uses = ['NumberFormat', 'DateTimeFormat', 'Locale', 'PluralRules', 'ListFormat'] as const;
    const spies = uses.map(name => vi.spyOn(Intl, name));
    numberLocale('en');
    timeLocale('en');
    dayPattern('en');
    formattingLocale('en');
    localeDirections('en');
    countFormat('en')(1000);
    pluralRule('en')(1);
    formatList('en', ['a', 'b']);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
