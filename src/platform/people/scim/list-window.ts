import { ScimUrn } from '../../../contract/scim.js';
import type { ListWindow } from './scim-user-store.js';

/** Default and maximum number of resources in a list. */
const defaultCount = 100;
/** Maximum number of resources in a list. */
export const maxCount = 200;

/**
 * Reads the requested part of a list: an index below 1 is treated as 1, and a negative count as 0 (RFC 7644, section
 * 3.4.2.4).
 */
export function windowOf(query: {
  readonly filter?: string | undefined;
  readonly startIndex?: number | undefined;
  readonly count?: number | undefined;
}): ListWindow {
  return {
    filter: query.filter,
    startIndex: Math.max(1, query.startIndex ?? 1),
    count: Math.min(maxCount, Math.max(0, query.count ?? defaultCount)),
  };
}

/** Creates the response with a list of resources (RFC 7644, section 3.4.2). */
export function listResponse<T>(resources: readonly T[], total: number, startIndex = 1) {
  return {
    schemas: [ScimUrn.list],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: [...resources],
  };
}
