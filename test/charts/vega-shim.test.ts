import * as vega from 'vega';
import { describe, expect, it } from 'vitest';
import * as shim from '../../src/charts/vega-shim.js';

const { hasOwnProperty: hasOwn } = shim;
const values = [
  '',
  'a"b',
  'line\u2028end\u2029',
  0,
  1.5,
  true,
  null,
  undefined,
  {},
  { a: [1, 'b'] },
  [],
  ['a', 2, null],
  () => 1,
];

describe('the replacement for vega', () => {
  it.each(values)('classifies %j as vega does', value => {
    expect(shim.isObject(value)).toBe(vega.isObject(value));
    expect(shim.isString(value)).toBe(vega.isString(value));
  });

  it.each(values.filter(value => typeof value !== 'function'))('writes %j as vega does', value => {
    expect(shim.stringValue(value)).toBe(vega.stringValue(value));
  });

  it('finds own properties only', () => {
    expect(hasOwn({ a: 1 }, 'a')).toBe(true);
    expect(hasOwn({}, 'toString')).toBe(false);
  });
});
