import type { PageInfo } from '../../contract/wire.js';
import { PaAbortError, PaError, PaErrorCode } from '../errors.js';

/** Items of a page where nothing else is said. */
const defaultPageSize = 100;
/** Most pages of one list. */
const maxPages = 100_000;

/** One page of a list, as far as going on from it needs. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Null of a list that gives everything at once. */
  readonly pageInfo?: Pick<PageInfo, 'hasNextPage' | 'endCursor'> | null | undefined;
}

/** What is asked of a list that comes in pages. */
export interface PageRequest {
  readonly first: number;
  readonly after?: string;
}

/** How a list is gone through. */
export interface EachOptions {
  readonly signal?: AbortSignal | undefined;
  /** Items of one page: 100 by default. A service may give fewer. */
  readonly pageSize?: number | undefined;
}

/**
 * Goes through a list of any length, one page at a time; the next page is asked for when all of the last one was taken.
 * ```ts
 * for await (const report of eachItem(page => listReports(platform, 1, { search: 'sales', ...page }))) …
 * ```
 * It ends: a service that gives the same cursor twice, or none where it says that there is more, is an error.
 * @param readPage - reads the page that it is asked for, and hands over `signal` if there is one.
 * @throws {PaError} of `readPage`, and `invalid_response` where the pages lead nowhere.
 */
export async function* eachItem<T>(
  readPage: (page: PageRequest) => Promise<Page<T>>,
  { signal, pageSize = defaultPageSize }: EachOptions = {},
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let after: string | undefined;
  do {
    if (signal?.aborted) throw new PaAbortError();
    const { items, pageInfo } = await readPage({ first: pageSize, ...(after !== undefined && { after }) });
    for (const item of items) {
      if (signal?.aborted) throw new PaAbortError();
      yield item;
    }
    after = pageInfo?.hasNextPage ? nextCursor(pageInfo.endCursor, seen) : undefined;
  } while (after !== undefined);
}

function nextCursor(cursor: string | null | undefined, seen: Set<string>): string {
  if (!cursor || seen.has(cursor) || seen.size >= maxPages) {
    throw new PaError(PaErrorCode.invalidResponse, 'The pages of a list lead nowhere: the service repeats itself.');
  }
  seen.add(cursor);
  return cursor;
}
