import { locale as makeLocale } from 'vega-format';
import { describe, expect, it } from 'vitest';
import { chartLocale } from '../../src/charts/chart-locale.js';

const english = chartLocale(makeLocale, 'en');
const german = chartLocale(makeLocale, 'de');
const march = Date.UTC(2001, 2, 1);

describe('numbers', () => {
  it('abbreviates large values on axes and keeps small ones', () => {
    expect([0, 20_000].map(english.formatSpan(0, 40_000, 5))).toEqual(['0', '20k']);
    expect([0, 2_000].map(english.formatSpan(0, 8_000, 5))).toEqual(['0', '2,000']);
    expect([0, 0.25].map(english.formatSpan(0, 1, 4))).toEqual(['0.0', '0.3']);
  });

  it('follows a format of the author', () => {
    expect(english.formatSpan(0, 40_000, 5, ',d')(20_000)).toBe('20,000');
    expect(english.format('.1f')(2)).toBe('2.0');
  });

  it('groups the digits of numbers without a format as in the locale', () => {
    expect(english.format('')(1234.567)).toBe('1,234.57');
    expect(german.format('')(1234.567)).toBe('1.234,57');
  });
});

describe('times', () => {
  it('uses the shortest form that distinguishes ticks', () => {
    const print = english.utcFormat();
    expect([Date.UTC(2001, 0, 1), march, march + 86_400_000 * 4, march + 3_600_000 * 5].map(print)).toEqual([
      '2001',
      'Mar',
      'Mar 5',
      '05:00',
    ]);
    expect(german.utcFormat()(march + 86_400_000 * 4)).toBe('5. Mär');
  });

  it('prints a whole date in the order of the locale', () => {
    expect([english, german].map(locale => locale.utcFormat('%x')(march))).toEqual(['Mar 1, 2001', '1. Mär 2001']);
  });

  it('reads local time as UTC', () => {
    expect(english.timeFormat('%Y-%m-%d %H')(march)).toBe('2001-03-01 00');
    expect(english.timeParse('%Y-%m-%d')('2001-03-01')).toEqual(new Date(march));
  });
});

describe('every language', () => {
  const in24 = (locale: string) => {
    const made = chartLocale(makeLocale, locale);
    return [made.format('')(1234.5), made.utcFormat()(march), made.utcFormat('%x')(march + 86_400_000 * 4)];
  };

  it.each([
    ['de', ['1.234,5', 'Mär', '5. Mär 2001']],
    ['es', ['1.234,5', 'mar', '5 mar 2001']],
    ['fr', ['1\u202f234,5', 'mars', '5 mars 2001']],
    ['ja', ['1,234.5', '3月', '2001年3月5日']],
    ['ar-EG', ['1,234.5', 'مارس', '5 مارس 2001']],
    ['ar-AE', ['1,234.5', 'مارس', '5 مارس 2001']],
  ])('formats numbers and dates in %s with its separators and names', (locale, expected) => {
    expect(in24(locale)).toEqual(expected);
  });
});
