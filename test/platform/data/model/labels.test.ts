import { describe, expect, it } from 'vitest';
import { formatDescriptionOf, formatOf, titleize } from '../../../../src/platform/data/model/labels.js';

describe('a title', () => {
  it.each([
    ['count', 'Count'],
    ['avg_delay', 'Avg Delay'],
    ['avgDelay', 'Avg Delay'],
    ['order_id', 'Order ID'],
    ['ids', 'IDs'],
    ['_x__y', 'X Y'],
  ])('of %s is %s', (name, title) => {
    expect(titleize(name)).toBe(title);
  });
});

describe('a format', () => {
  it.each([
    ['percent', 'number', 'percent'],
    ['currency', 'number', 'currency'],
    ['percent_1', 'number', { type: 'custom-numeric', value: '.1~%', alias: 'percent_1' }],
    ['percent_0', 'number', { type: 'custom-numeric', value: '.0%', alias: 'percent_0' }],
    ['abbr', 'number', { type: 'custom-numeric', value: '.2~s', alias: 'abbr' }],
    ['abbr_0', 'number', { type: 'custom-numeric', value: '.0~s', alias: 'abbr_0' }],
    ['accounting_2', 'number', { type: 'custom-numeric', value: '(,.2~f', alias: 'accounting_2' }],
    ['$,.1f', 'number', { type: 'custom-numeric', value: '$,.1f' }],
    ['%Y', 'time', { type: 'custom-time', value: '%Y' }],
    ['imageUrl', 'string', 'imageUrl'],
    ['anything', 'string', 'anything'],
  ] as const)('%s of a %s is sent as %j', (format, type, sent) => {
    expect(formatOf(format, type)).toEqual(sent);
  });

  it('is sent unchanged if it is custom', () => {
    expect(formatOf({ type: 'link', label: 'Open' }, 'string')).toEqual({ type: 'link', label: 'Open' });
    expect(formatOf(undefined, 'number')).toBeUndefined();
  });
});

describe('the description of a format', () => {
  it.each([
    [undefined, 'number', ',.2~f'],
    ['number', 'number', ',.2~f'],
    ['link', 'number', ',.2~f'],
    ['percent', 'percent', '.2~%'],
    ['currency', 'currency', '$,.2~f'],
    ['id', 'id', '.0f'],
    ['abbr', 'abbr', '.2~s'],
    ['currency_0', 'currency_0', '$,.0f'],
    [{ type: 'custom-numeric', value: '.1~%', alias: 'percent_1' }, 'percent_1', '.1~%'],
    ['$,.3f', 'custom', '$,.3f'],
    [{ type: 'link', label: 'Open' }, 'number', ',.2~f'],
  ] as const)('%j of a number is %s with %s', (format, name, specifier) => {
    expect(formatDescriptionOf(format, 'number')).toEqual({ name, specifier });
  });

  it('includes the currency, and is undefined for non-numeric types', () => {
    expect(formatDescriptionOf('currency', 'number', 'EUR')).toEqual({
      name: 'currency',
      specifier: '$,.2~f',
      currency: 'EUR',
    });
    for (const type of ['string', 'time', 'boolean'] as const)
      expect(formatDescriptionOf('%Y', type, 'EUR')).toBeUndefined();
  });
});
