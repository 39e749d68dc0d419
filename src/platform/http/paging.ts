import type * as z from 'zod/mini';
import type { EitherPageQuery } from '../../contract/deployments.js';
import type { PageInfo, PageQuery } from '../../contract/wire.js';
import { type PageRequest, pageSize } from '../db/keyset.js';
import { PlatformError } from '../errors.js';

/** One page of a list, with the deprecated equivalents of `items` and the total (spec 4.5). */
type Page<T> = {
  items: T[];
  pageInfo: PageInfo;
  data: T[];
  count: number;
};

/**
 * Returns a page of a list in memory. A cursor encodes a position; without `first`, the page contains all
 * remaining items.
 */
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
  if (!/^\d{1,15}$/.test(text)) throw new PlatformError(400, 'query.after: is not a valid cursor of this list');
  return Number(text);
}

/** The requested part of a list, by cursor or by offset. */
interface PageSelection {
  readonly page: PageRequest;
  /** Number of items to skip; 0 for cursor pagination. */
  readonly offset: number;
}

/** Reads which page is requested. @throws PlatformError 400 if cursor and offset pagination are mixed. */
export function readPageSelection({ first, after, offset, limit }: EitherPageQuery): PageSelection {
  const byOffset = offset != null || limit != null;
  if (byOffset && (first !== undefined || after !== undefined)) {
    throw new PlatformError(400, 'query.offset: use either offset and limit or first and after, not both');
  }
  return { page: { first: limit ?? first, after }, offset: offset ?? 0 };
}

/** Returns the response for a page of a list. */
export function showSelectedPage<T>(
  items: T[],
  { pageInfo, total }: { readonly pageInfo: PageInfo; readonly total: number },
  { page, offset }: PageSelection,
) {
  const pagination = { limit: pageSize(page), offset, total };
  const hasPreviousPage = pageInfo.hasPreviousPage || offset > 0;
  return {
    items,
    data: items,
    pageInfo: { ...pageInfo, hasPreviousPage },
    pagination,
    count: total,
    totalCount: total,
  };
}
