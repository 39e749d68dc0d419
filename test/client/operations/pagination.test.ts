import { describe, expect, it, vi } from 'vitest';
import { eachItem, type Page, type PageRequest } from '../../../src/client/operations/pagination.js';

/** A list of numbers that comes in pages; `after` is the place of the last one. */
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
  it.each([0, 1, 9, 10, 11, 35])('gives each of %i items once, in order', async count => {
    const list = numbers(count);
    expect(await take(eachItem(list, { pageSize: 10 }))).toEqual(Array.from({ length: count }, (_each, n) => n));
    expect(list).toHaveBeenCalledTimes(Math.max(1, Math.ceil(count / 10)));
  });

  it('asks for the next page when the last one was taken, and for none after the reader has left', async () => {
    const list = numbers(100);
    for await (const number of eachItem(list, { pageSize: 10 })) {
      expect(list).toHaveBeenCalledTimes(Math.floor(number / 10) + 1);
      if (number === 15) break;
    }
    expect(list).toHaveBeenCalledTimes(2);
  });

  it('goes past a page that is empty', async () => {
    const pages: Page<number>[] = [
      { items: [], pageInfo: { hasNextPage: true, endCursor: 'a' } },
      { items: [7], pageInfo: { hasNextPage: false, endCursor: 'b' } },
    ];
    expect(await take(eachItem(async () => pages.shift() ?? Promise.reject(new Error('too many'))))).toEqual([7]);
  });

  it.each([
    ['the same cursor twice', ['a', 'a']],
    ['a cursor again after others', ['a', 'b', 'c', 'a']],
    ['no cursor', [null]],
    ['an empty cursor', ['']],
  ])('ends in an error where a service gives %s', async (_what, cursors) => {
    const given = [...cursors];
    const list = vi.fn(async () => ({ items: [1], pageInfo: { hasNextPage: true, endCursor: given.shift() ?? null } }));
    await expect(take(eachItem(list))).rejects.toMatchObject({ code: 'invalid_response' });
    expect(list.mock.calls.length).toBeLessThanOrEqual(cursors.length);
  });

  it('ends with the signal, within a page too', async () => {
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

  it('hands on what a page fails with', async () => {
    await expect(take(eachItem(() => Promise.reject(new Error('refused'))))).rejects.toThrow('refused');
  });
});
