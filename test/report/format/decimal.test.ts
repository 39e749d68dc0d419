import { describe, expect, it } from 'vitest';
import { compareCells, differenceOf, sumOf } from '../../../src/report/format/decimal.js';
import fc from '../../property.js';

describe('sumOf', () => {
  it('adds with full precision', () => {
    expect(sumOf(['0.1', '0.2'])).toBe('0.3');
    expect(sumOf(['9007199254740993', '1'])).toBe('9007199254740994');
    expect(sumOf(['99999999999999999999.99', '0.01', 1])).toBe('100000000000000000001');
    expect(sumOf(['1e3', '2.5E-1', '-0.25', '+1'])).toBe('1001');
    expect(sumOf(['-1.5', '0.25'])).toBe('-1.25');
    expect(sumOf(['-0.001', '0.001'])).toBe('0');
  });

  it('skips cells that are not numbers, and has no sum without numbers', () => {
    expect(sumOf([null, '2', 'x', true, ''])).toBe('2');
    expect(sumOf([null, 'x'])).toBeNull();
    expect(sumOf([])).toBeNull();
    expect(sumOf(['9'.repeat(401), '1e9999', '5'])).toBe('5');
  });

  it('does not depend on the order', () => {
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), amounts => {
        const texts = amounts.map(([digits, scale]) => `${digits}e-${scale}`);
        const expected = amounts.reduce((sum, [digits, scale]) => sum + digits * 10n ** BigInt(9 - scale), 0n);
        expect(differenceOf(sumOf(texts), `${expected}e-9`)).toBe('0');
        expect(sumOf(texts.toReversed())).toBe(sumOf(texts));
      }),
    );
  });
});

describe('differenceOf', () => {
  it('subtracts numbers with full precision', () => {
    expect(differenceOf('0.3', '0.1')).toBe('0.2');
    expect(differenceOf(5, '7')).toBe('-2');
    expect(differenceOf(null, '7')).toBeNull();
    expect(differenceOf('7', 'x')).toBeNull();
  });
});

describe('compareCells', () => {
  it('compares numbers with full precision, otherwise as text', () => {
    expect(compareCells('9007199254740993', '9007199254740992')).toBe(1);
    expect(compareCells('10', '9.5')).toBe(1);
    expect(compareCells('1.0', 1)).toBe(0);
    expect(compareCells('2001-02-01', '2001-10-01')).toBe(-1);
    expect(compareCells('b', 'a')).toBe(1);
  });
});
