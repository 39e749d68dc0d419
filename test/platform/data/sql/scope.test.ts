import { describe, expect, it } from 'vitest';
import { findByName, quoteName } from '../../../../src/platform/data/sql/scope.js';

const find = (names: readonly string[], name: string) => findByName(names, name, one => one);

describe('a name', () => {
  it('is matched exactly first', () => {
    expect(find(['Region', 'region'], 'region')).toEqual(['region']);
    expect(find(['Region', 'region'], 'Region')).toEqual(['Region']);
  });

  it('in lower case is matched case-insensitively', () => {
    expect(find(['Region', 'paid'], 'region')).toEqual(['Region']);
    expect(find(['Region', 'REGION'], 'region')).toEqual(['Region', 'REGION']);
  });

  it('with capitals was quoted, and must match exactly', () => {
    expect(find(['region'], 'Region')).toEqual([]);
  });
});

describe('a name in a message', () => {
  it.each([
    [['orders', 'region'], '"orders.region"'],
    [['my table'], '"my table"'],
    [[' '], '" "'],
    [['größe'], '"größe"'],
    [['a\u2028b\u0000\u202ec\n'], '"a?b??c?"'],
    [['x'.repeat(500)], `"${'x'.repeat(100)}"`],
  ])('is quoted: %j becomes %s', (names, expected) => {
    expect(quoteName(...names)).toBe(expected);
  });
});
