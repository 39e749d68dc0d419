import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/contract/data.js';
import { createFormatter } from '../../../src/report/format/format.js';
import { toNumber } from '../../../src/report/format/numeric-value.js';
import { toTable } from '../../../src/report/table/table.js';
import { sortTable } from '../../../src/report/table/table-sort.js';
import fc, { casesAtDepth } from '../../property.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const formatter = createFormatter('en');

function sorted(values: readonly Cell[], { descending = false, total = false } = {}): Cell[] {
  const rows = values.map((value, place) => ({ value, place }));
  const columns = [columnOf('value', 'number'), columnOf('place', 'number')];
  const table = toTable(rowSetOf(columns, rows), { formatter }, undefined, total ? { value: '0' } : null);
  const view = sortTable(table, { column: 0, descending }, 'en');
  return Array.from({ length: view.rowCount }, (_, row) => view.value(row, 0));
}

describe('sortTable', () => {
  it('sorts numbers as numbers, whether they are text or not', () => {
    expect(sorted(['10', 9, '-1', '1e3', '2.5'])).toEqual(['-1', '2.5', 9, '10', '1e3']);
    expect(sorted(['9007199254740993', '9007199254740992'])).toEqual(['9007199254740992', '9007199254740993']);
  });

  it('sorts text in the order of the language, after numbers', () => {
    expect(sorted(['b', 'Ä', 'a', 'C', '3'])).toEqual(['3', 'a', 'Ä', 'b', 'C']);
  });

  it('puts missing values last in both directions', () => {
    expect(sorted([null, '2', null, '1'])).toEqual(['1', '2', null, null]);
    expect(sorted([null, '2', null, '1'], { descending: true })).toEqual(['2', '1', null, null]);
  });

  it('does not move totals', () => {
    expect(sorted(['1', '2'], { descending: true, total: true })).toEqual(['2', '1', '0']);
  });

  it('is stable', () => {
    const rows = ['1', '0', '1', '0'].map((value, place) => ({ value, place }));
    const columns = [columnOf('value', 'number'), columnOf('place', 'number')];
    const table = toTable(rowSetOf(columns, rows), { formatter });
    const places = (descending: boolean) => {
      const view = sortTable(table, { column: 0, descending }, 'en');
      return [0, 1, 2, 3].map(row => view.value(row, 1));
    };
    expect(places(false)).toEqual([1, 3, 0, 2]);
    expect(places(true)).toEqual([0, 2, 1, 3]);
    expect(sortTable(table, { column: 7, descending: true }, 'en')).toBe(table);
    expect(sortTable(table, null, 'en')).toBe(table);
  });

  it('has the same order as a sort with a collator, in every language', () => {
    const word = fc.constantFrom('a', 'B', 'b', 'ä', 'é', 'e', 'ñ', 'z', '_', '-', ' ', 'ß', '東', 'ب', '٣', '²');
    const piece = fc.oneof(word, fc.nat({ max: 120 }).map(String), fc.constantFrom('007', '7', '00'));
    const text = fc.array(piece, { maxLength: 5 }).map(pieces => pieces.join(''));
    const day = fc.constantFrom('2024-01-31T00:00:00.000', '2024-02-01T00:00:00.000', '1999-12-31T23:59:59.999');
    const cell = fc.oneof(text, day, fc.constantFrom<Cell>(null, true, 0, '-1.5', '1e3', '9007199254740993'));
    const cells = fc.oneof(fc.array(cell, { maxLength: 40 }), fc.array(day, { maxLength: 10 }));
    fc.assert(
      fc.property(cells, fc.boolean(), fc.constantFrom('en', 'de', 'sv', 'ar', 'ja'), (values, descending, locale) => {
        const inOrder = values.map((value, place) => ({ value, place })).sort(plainly(descending, locale));
        expect(placesOf(values, descending, locale)).toEqual(inOrder.map(({ place }) => place));
      }),
      { numRuns: casesAtDepth(500) },
    );
  });

  it('keeps the groups of an outer total together', () => {
    const rows = [4, 3, 2, 1].map(place => ({ value: 'a', place }));
    const table = toTable(rowSetOf([columnOf('value', 'string'), columnOf('place', 'number')], rows), { formatter });
    const view = sortTable({ ...table, sections: 2 }, { column: 1, descending: false }, 'en');
    expect([0, 1, 2, 3].map(row => view.value(row, 1))).toEqual([3, 4, 1, 2]);
  });
});

/** The specified order: numbers, then strings, missing values last. */
function plainly(descending: boolean, locale: string) {
  const texts = new Intl.Collator(locale, { numeric: true });
  const kind = (value: Cell): number => {
    if (value === null) return 2;
    return toNumber(value) === null ? 1 : 0;
  };
  return ({ value: one }: { value: Cell }, { value: other }: { value: Cell }): number => {
    if (one === null || other === null) return kind(one) - kind(other);
    const byKind = kind(one) - kind(other);
    const byValue = kind(one) === 0 ? Number(one) - Number(other) : texts.compare(String(one), String(other));
    return (byKind || byValue) * (descending ? -1 : 1);
  };
}

function placesOf(values: readonly Cell[], descending: boolean, locale: string): Cell[] {
  const rows = values.map((value, place) => ({ value, place }));
  const table = toTable(rowSetOf([columnOf('value', 'string'), columnOf('place', 'number')], rows), { formatter });
  const view = sortTable(table, { column: 0, descending }, locale);
  return values.map((_, row) => view.value(row, 1));
}
