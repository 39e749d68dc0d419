import { describe, expect, test } from 'vitest';
import { pageOfList } from '../../../src/platform/http/paging.js';

const list = ['a', 'b', 'c', 'd', 'e'];

describe('pageOfList (spec 4.5)', () => {
  test('returns all items without `first`, with the deprecated fields', () => {
    expect(pageOfList(list, {})).toMatchObject({ items: list, data: list, count: 5, pageInfo: { hasNextPage: false } });
  });

  test('following the cursors returns every item once', () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 3; pages++) {
      const page = pageOfList(list, { first: 2, after });
      seen.push(...page.items);
      expect(page.pageInfo.hasNextPage).toBe(pages < 2);
      expect(page.pageInfo.hasPreviousPage).toBe(pages > 0);
      after = page.pageInfo.endCursor ?? undefined;
    }
    expect(seen).toEqual(list);
  });

  test('rejects an invalid cursor', () => {
    expect(() => pageOfList(list, { after: 'nonsense' })).toThrow('query.after');
  });

  test('an empty list has no cursors', () => {
    expect(pageOfList([], { first: 1 }).pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false });
  });
});
