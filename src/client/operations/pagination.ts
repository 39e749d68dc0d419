import type { PageInfo } from '../../contract/wire.js';
import { PaAbortError, PaError, PaErrorCode } from '../errors.js';

/** Default number of items per page. */
const defaultPageSize = 100;
/** Maximum number of pages of one list. */
const maxPages = 100_000;

/** The fields of a list page that pagination needs. */
export interface Page<T> {
  readonly items: readonly T[];
  /** `null` or undefined for lists that return all items at once. */
  readonly pageInfo?: Pick<PageInfo, 'hasNextPage' | 'endCursor'> | null | undefined;
}

/** Query parameters of a paginated list. */
export interface PageRequest {
  readonly first: number;
  readonly after?: string;
}

/** Options for iterating over a list. */
export interface EachOptions {
  readonly signal?: AbortSignal | undefined;
  /** Items per page. Defaults to 100. A service may return fewer. */
  readonly pageSize?: number | undefined;
}

/**
 * Iterates over all items of a list, one page at a time. Requests the next page when all items of the current page have
 * been consumed.
 * ```ts
 * for await (const report of eachItem(page => listReports(platform, 1, { search: 'sales', ...page }))) …
 * ```
 * Always terminates: a repeated or missing cursor is an error.
 * @param readPage - requests the given page and forwards `signal`, if there is one.
 * @throws {PaError} of `readPage`, or `invalid_response` if a cursor repeats or is missing.
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
    throw new PaError(PaErrorCode.invalidResponse, 'The service returned a repeated or missing cursor for a list.');
  }
  seen.add(cursor);
  return cursor;
}
