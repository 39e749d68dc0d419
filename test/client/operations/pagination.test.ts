import { describe, expect, it, vi } from 'vitest';
import { eachItem, type Page, type PageRequest } from '../../../src/client/operations/pagination.js';

/** Returns a paginated list of numbers; `after` is the position of the last item. */
function numbers(count: number) {
  return vi.fn(async ({ first, after }: PageRequest): Promise<Page<number>> => {
    const start = after === undefined ? 0 : Number(after);
    const items = Array.from({ length: Math.max(0, Math.min(first, count - start)) }, (_each, index) => start + index);
    const end = start + items.length;
    return { items, pageInfo: { hasNextPage: end < count, endCursor: items.length > 0 ? String(end) : null } };
  });
}

async function take<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

describe('eachItem', () => {
  it.each([0, 1, 9, 10, 11, 35])('returns each of %i items once, in order', async count => {
    const list = numbers(count);
    expect(await take(eachItem(list, { pageSize: 10 }))).toEqual(Array.from({ length: count }, (_each, n) => n));
    expect(list).toHaveBeenCalledTimes(Math.max(1, Math.ceil(count / 10)));
  });

  it('requests the next page only when the current one is consumed and the reader continues', async () => {
    const list = numbers(100);
    for await (const number of eachItem(list, { pageSize: 10 })) {
      expect(list).toHaveBeenCalledTimes(Math.floor(number / 10) + 1);
      if (number === 15) break;
    }
    expect(list).toHaveBeenCalledTimes(2);
  });

  it('continues after an empty page', async () => {
    const pages: Page<number>[] = [
      { items: [], pageInfo: { hasNextPage: true, endCursor: 'a' } },
      { items: [7], pageInfo: { hasNextPage: false, endCursor: 'b' } },
    ];
    expect(await take(eachItem(async () => pages.shift() ?? Promise.reject(new Error('too many'))))).toEqual([7]);
  });

  it.each([
    ['the same cursor twice', ['a', 'a']],
    ['an earlier cursor', ['a', 'b', 'c', 'a']],
    ['no cursor', [null]],
    ['an empty cursor', ['']],
  ])('fails if a service returns %s', async (_what, cursors) => {
    const given = [...cursors];
    const list = vi.fn(async () => ({ items: [1], pageInfo: { hasNextPage: true, endCursor: given.shift() ?? null } }));
    await expect(take(eachItem(list))).rejects.toMatchObject({ code: 'invalid_response' });
    expect(list.mock.calls.length).toBeLessThanOrEqual(cursors.length);
  });

  it('ends with the signal, even within a page', async () => {
    const life = new AbortController();
    const list = numbers(100);
    const taken: number[] = [];
    const reading = (async () => {
      for await (const number of eachItem(list, { signal: life.signal, pageSize: 10 })) {
        taken.push(number);
        if (number === 4) life.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'PaAbortError' });
    expect(taken).toEqual([0, 1, 2, 3, 4]);
    expect(list).toHaveBeenCalledTimes(1);
  });

  it('rejects with the error of a page', async () => {
    await expect(take(eachItem(() => Promise.reject(new Error('refused'))))).rejects.toThrow('refused');
  });
});
