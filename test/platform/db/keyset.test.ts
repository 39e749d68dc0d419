import { describe, expect, test } from 'vitest';
import { type KeyKind, Keyset, readCursor, writeCursor } from '../../../src/platform/db/keyset.js';
import { workbooks } from '../../../src/platform/db/schema.js';

const list = new Keyset<{ readonly id: number; readonly text: string }>('list', { id: workbooks.id }, 'asc');
const mebibyte = 1024 * 1024;
const rowsOf = (...mebibytes: number[]) =>
  mebibytes.map((size, id) => ({ id, text: '\u{e9}'.repeat((size * mebibyte) / 2) }));
const idsOf = (rows: ReturnType<typeof rowsOf>, first: number) => {
  const { items, pageInfo } = list.pageWithinBytes(rows, { first });
  return { ids: items.map(({ id }) => id), more: pageInfo.hasNextPage };
};

test('a page of large rows ends before it exceeds 8 MB, but has at least one row', () => {
  expect(idsOf(rowsOf(3, 3, 3, 3), 10)).toEqual({ ids: [0, 1], more: true });
  expect(idsOf(rowsOf(9, 1), 10)).toEqual({ ids: [0], more: true });
  expect(idsOf(rowsOf(9), 10)).toEqual({ ids: [0], more: false });
  expect(idsOf(rowsOf(1, 1, 1), 2)).toEqual({ ids: [0, 1], more: true });
  expect(idsOf(rowsOf(1, 1, 1), 3)).toEqual({ ids: [0, 1, 2], more: false });
  expect(idsOf([], 3)).toEqual({ ids: [], more: false });
});

test('a page without `first` has up to 1,000 rows, and reports whether there are more', () => {
  expect(list.limit({})).toBe(1_001);
  const rows = Array.from({ length: 1_001 }, (_, id) => ({ id, text: '' }));
  expect(list.page(rows, {})).toMatchObject({ items: rows.slice(0, 1_000), pageInfo: { hasNextPage: true } });
  expect(list.page(rows.slice(0, 1_000), {}).pageInfo.hasNextPage).toBe(false);
});

test('its cursor is that of its last row', () => {
  const rows = rowsOf(5, 5, 5);
  const { pageInfo } = list.pageWithinBytes(rows, { first: 3 });
  expect(pageInfo.endCursor).toBe(list.page(rows, { first: 1 }).pageInfo.endCursor);
});

const read = (kind: KeyKind, value: string) => readCursor('list', [kind], writeCursor('list', [value]));

describe('a cursor (spec 4.5)', () => {
  test('decodes to the keys of its item', () => {
    const at = new Date('2026-02-28T12:34:56.789Z');
    const cursor = writeCursor('list', ['a "name" \u{1f600}', 7, at, 12]);
    expect(readCursor('list', ['text', 'integer', 'moment', 'bigint'], cursor)).toEqual([
      'a "name" \u{1f600}',
      '7',
      at.toISOString(),
      '12',
    ]);
  });

  test('is valid only for its list and order', () => {
    const cursor = writeCursor('list', ['7', '8']);
    expect(readCursor('other list', ['bigint', 'bigint'], cursor)).toBeNull();
    expect(readCursor('list', ['bigint'], cursor)).toBeNull();
    for (const text of ['', 'nonsense', '[]', Buffer.from('["list",1,2]').toString('base64url')]) {
      expect(readCursor('list', ['bigint', 'bigint'], text), text).toBeNull();
    }
  });

  test.each<[KeyKind, string]>([
    ['integer', '2147483648'],
    ['integer', '1.5'],
    ['bigint', '1234567890123456'],
    ['bigint', ''],
    ['moment', '2026-02-30T00:00:00.000Z'],
    ['moment', '0000-01-01T00:00:00.000Z'],
    ['moment', '2026-01-01'],
    ['moment', 'now'],
    ['text', 'a\0b'],
    ['text', 'x'.repeat(10_001)],
  ])('rejects values that the database would reject: %s %s', (kind, value) => {
    expect(read(kind, value)).toBeNull();
  });
});
