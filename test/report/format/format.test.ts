import { describe, expect, it } from 'vitest';
import type { MemberFormat } from '../../../src/contract/data.js';
import { abbreviator, createFormatter } from '../../../src/report/format/format.js';
import { columnOf } from '../fixtures.js';

const english = createFormatter('en');
const german = createFormatter('de');
const number = (format?: MemberFormat) => columnOf('orders.total', 'number', { format });
const time = (granularity?: string) =>
  columnOf('orders.created', 'time', {
    granularity: granularity ? { name: granularity, title: granularity } : null,
  });

describe('numbers', () => {
  it.each<[MemberFormat | undefined, string, string]>([
    [undefined, '1234567.891', '1,234,567.89'],
    [undefined, '1200', '1,200'],
    ['number', '0.5', '0.5'],
    ['currency', '1234.5', '$1,234.5'],
    ['percent', '0.1234', '12.34%'],
    ['id', '1234567', '1234567'],
    ['number_0', '1234.5', '1,235'],
    ['number_3', '1.23456', '1.235'],
    ['percent_1', '0.12345', '12.3%'],
    ['percent_0', '0.5', '50%'],
    ['currency_0', '1234.56', '$1,235'],
    ['decimal_1', '1234.56', '1,234.6'],
    ['abbr', '1234567', '1.2M'],
    ['abbr_3', '1234567', '1.23M'],
    ['accounting', '-1234.5', '(1,234.5)'],
    ['accounting_0', '-1234.5', '(1,235)'],
    [{ type: 'custom-numeric', value: '.1f' }, '2.25', '2.3'],
  ])('prints format %j of %s as %s', (format, value, text) => {
    expect(english.cell(value, number(format))).toBe(text);
  });

  it('follows the locale, and the currency of the column', () => {
    expect(german.cell('1234567.891', number())).toBe('1.234.567,89');
    expect(german.cell('1234.5', columnOf('a.b', 'number', { format: 'currency', currency: 'eur' }))).toBe(
      '1.234,5\u00a0€',
    );
    expect(english.cell('3', columnOf('a.b', 'number', { format: 'currency', currency: 'not-iso' }))).toBe('3');
  });

  it('prints years without a thousands separator', () => {
    const year = (kind: 'dimension' | 'measure') => ({ ...columnOf('movies.release_year', 'number'), kind });
    expect(english.cell('1989', year('dimension'))).toBe('1989');
    expect(english.cell('1989', year('measure'))).toBe('1,989');
  });

  it('prefers the specifier of the Data API', () => {
    const column = columnOf('a.b', 'number', { format: 'number', formatDescription: { name: 'x', specifier: '.1f' } });
    expect(english.cell('2', column)).toBe('2.0');
  });

  it('lets the report override format and decimals of the model', () => {
    const column = number('percent');
    expect(english.cell('12.5', column, { type: 'currency', decimalPlaces: 2 })).toBe('$12.50');
    expect(english.cell('12.5', column, { type: 'number', decimalPlaces: 0 })).toBe('13');
    expect(english.cell('0.125', column, { type: 'percent', decimalPlaces: 1 })).toBe('12.5%');
    expect(english.cell('12.5', column, { type: 'number' })).toBe('12.5');
    expect(english.cell('0.125', column, { type: 'of a newer platform' })).toBe('12.5%');
  });

  it('keeps every digit of an integer beyond the safe range', () => {
    expect(english.cell('12345678901234567890', number())).toBe('12,345,678,901,234,567,890');
    expect(english.cell('12345678901234567890', number('id'))).toBe('12345678901234567890');
    expect(createFormatter('en').cell(-1e21, columnOf('n', 'number'))).toBe('-1,000,000,000,000,000,000,000');
  });

  it('formats in English for an unknown locale', () => {
    expect(createFormatter('not a tag!!').cell('12345678901234567890', number())).toBe('12,345,678,901,234,567,890');
    expect(createFormatter('').cell('1234.5', number())).toBe('1,234.5');
  });

  it.each(['n/a', '', '  ', '0x10', '1e999', true])('does not change %j', value => {
    expect(english.cell(value, number())).toBe(String(value));
  });

  it.each(['nonsense specifier', `0${'9'.repeat(60)}d`, '999999999d', '.2f'.repeat(100), '%%%'])(
    'falls back to plain text for the specifier %j',
    value => {
      expect(english.cell('1234.5', number({ type: 'custom-numeric', value }))).toBe('1234.5');
    },
  );
});

describe('times', () => {
  it.each([
    ['day', '2024-03-05'],
    ['week', '2024-03-05 W10'],
    ['month', '2024 Mar'],
    ['quarter', '2024-Q1'],
    ['year', '2024'],
    ['hour', '2024-03-05 00:00:00'],
    [undefined, '2024-03-05 00:00:00'],
  ])('prints granularity %s as %s', (granularity, text) => {
    expect(english.cell('2024-03-05T00:00:00.000', time(granularity))).toBe(text);
  });

  it('names months in the locale', () => {
    expect(german.cell('2024-03-05T00:00:00.000', time('month'))).toBe('2024 Mär');
  });

  it('uses a pattern of the model', () => {
    const column = columnOf('a.b', 'time', { format: { type: 'custom-time', value: '%d.%m.%y' } });
    expect(english.cell('2024-03-05T10:00:00.000', column)).toBe('05.03.24');
  });

  it('does not format invalid timestamps, or with a pattern that is too long', () => {
    expect(english.cell('soon', time('day'))).toBe('soon');
    const column = columnOf('a.b', 'time', { format: { type: 'custom-time', value: '%Y'.repeat(500) } });
    expect(english.cell('2024-03-05', column)).toBe('2024-03-05');
  });
});

describe('everything else', () => {
  it('formats text, booleans, links and images as text, and null as ∅', () => {
    expect(english.cell('new', columnOf('a.b', 'string'))).toBe('new');
    expect(english.cell('12', columnOf('a.b', 'string'))).toBe('12');
    expect(english.cell(true, columnOf('a.b', 'boolean'))).toBe('true');
    expect(english.cell('https://x.test', columnOf('a.b', 'string', { format: 'link' }))).toBe('https://x.test');
    expect(english.cell('x.png', columnOf('a.b', 'string', { format: 'imageUrl' }))).toBe('x.png');
    expect(english.cell('x', columnOf('a.b', 'string', { format: { type: 'link', label: 'go' } }))).toBe('x');
    expect(english.cell(null, number('currency'))).toBe('∅');
  });

  it('parses the format of a column only once', () => {
    const print = english.column(number('percent'));
    expect(['0.5', null, '1'].map(print)).toEqual(['50%', '∅', '100%']);
  });
});

describe('abbreviator', () => {
  const abbreviated = abbreviator('en');

  it.each([
    [0, '0'],
    [0.25, '0.25'],
    [999, '999'],
    [12_000, '12k'],
    [-12_345, '−12.3k'],
    [3_400_000, '3.4M'],
    [2_000_000_000, '2B'],
    [999_999, '1M'],
  ])('shortens %s to %s', (value, text) => {
    expect(abbreviated(value)).toBe(text);
  });

  it('handles zero, infinity and NaN', () => {
    expect(abbreviated(Number.NaN)).toBe('NaN');
    expect(abbreviated(1e40)).toBe('1e+40');
  });
});
