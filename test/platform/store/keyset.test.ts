import { expect, test } from 'vitest';
import { Keyset } from '../../../src/platform/store/keyset.js';
import { workbooks } from '../../../src/platform/store/schema.js';

const list = new Keyset<{ readonly id: number; readonly text: string }>('list', { id: workbooks.id }, 'asc');
const mebibyte = 1024 * 1024;
const rowsOf = (...mebibytes: number[]) =>
  mebibytes.map((size, id) => ({ id, text: '\u{e9}'.repeat((size * mebibyte) / 2) }));
const idsOf = (rows: ReturnType<typeof rowsOf>, first: number) => {
  const { items, pageInfo } = list.pageWithinBytes(rows, { first });
  return { ids: items.map(({ id }) => id), more: pageInfo.hasNextPage };
};

test('a page of large rows ends before it has more than 8 MB, with one row at least', () => {
  expect(idsOf(rowsOf(3, 3, 3, 3), 10)).toEqual({ ids: [0, 1], more: true });
  expect(idsOf(rowsOf(9, 1), 10)).toEqual({ ids: [0], more: true });
  expect(idsOf(rowsOf(9), 10)).toEqual({ ids: [0], more: false });
  expect(idsOf(rowsOf(1, 1, 1), 2)).toEqual({ ids: [0, 1], more: true });
  expect(idsOf(rowsOf(1, 1, 1), 3)).toEqual({ ids: [0, 1, 2], more: false });
  expect(idsOf([], 3)).toEqual({ ids: [], more: false });
});

test('a page without `first` has up to 1,000 rows, and says whether there are more', () => {
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
