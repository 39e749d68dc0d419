import type * as z from 'zod/mini';
import type { PageInfo, PageQuery } from '../../contract/wire.js';
import { PlatformError } from '../errors.js';

/** One page of a list, with the deprecated twins of `items` and of the total (spec 4.5). */
export type Page<T> = {
  items: T[];
  pageInfo: PageInfo;
  data: T[];
  count: number;
};

/** Cuts a page out of a list that is read whole. A cursor is the opaque number of an item; without `first` the rest follows. */
export function pageOfList<T>(list: readonly T[], { first, after }: z.output<typeof PageQuery>): Page<T> {
  const start = after === undefined ? 0 : readCursor(after);
  const items = list.slice(start, first === undefined ? undefined : start + first);
  const end = start + items.length;
  const bounds = items.length > 0 ? { startCursor: writeCursor(start + 1), endCursor: writeCursor(end) } : {};
  const pageInfo = { hasNextPage: end < list.length, hasPreviousPage: start > 0 && list.length > 0, ...bounds };
  return { items, pageInfo, data: items, count: list.length };
}

function writeCursor(position: number): string {
  return Buffer.from(String(position)).toString('base64');
}

function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64').toString();
  if (!/^\d{1,15}$/.test(text)) throw new PlatformError(400, 'query.after: is not a cursor of this list');
  return Number(text);
}
