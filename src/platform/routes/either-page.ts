import type { EitherPageQuery } from '../../contract/deployments.js';
import type { PageInfo } from '../../contract/wire.js';
import { PlatformError } from '../errors.js';
import { type PageRequest, pageSize } from '../store/keyset.js';

/** Which part of a list is wanted, in whichever of the two ways it was asked for. */
export interface EitherPage {
  readonly page: PageRequest;
  /** How many to skip; 0 of a page by cursor. */
  readonly offset: number;
}

/** Reads which page is wanted. @throws PlatformError 400 where both ways are mixed. */
export function readEitherPage({ first, after, offset, limit }: EitherPageQuery): EitherPage {
  const byOffset = offset != null || limit != null;
  if (byOffset && (first !== undefined || after !== undefined)) {
    throw new PlatformError(400, 'query.offset: page by offset and limit, or by first and after, not by both');
  }
  return { page: { first: limit ?? first, after }, offset: offset ?? 0 };
}

/** A page of a list as it is answered. */
export function showEitherPage<T>(
  items: T[],
  { pageInfo, total }: { readonly pageInfo: PageInfo; readonly total: number },
  { page, offset }: EitherPage,
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
