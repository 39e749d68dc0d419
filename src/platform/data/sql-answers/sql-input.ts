import type { QuerySet } from '../../../contract/query.js';
import { ConvertQueryRequest, SqlRequest } from '../../../contract/sql.js';
import { parseJson, readBodyAs, readLoadRequest } from '../load-request.js';

/** What `/v1/sql` is asked for: the rows of a statement, or the SQL of load queries. */
export type SqlInput =
  | { readonly kind: 'statement'; readonly request: SqlRequest }
  | { readonly kind: 'queries'; readonly queries: QuerySet };

/**
 * Reads the body of `/v1/sql` from JSON text: what is asked for shows by its `query`.
 * @throws PlatformError 400 that names the field.
 */
export function readSqlInput(text: string): SqlInput {
  const body = parseJson('body', text);
  const isQueries = typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'object';
  if (isQueries) return { kind: 'queries', queries: readLoadRequest(text).query };
  return { kind: 'statement', request: readBodyAs(SqlRequest, body) };
}

/**
 * Reads a statement from JSON text.
 * @throws PlatformError 400 that names the field.
 */
export function readSqlRequest(text: string): SqlRequest {
  return readBodyAs(SqlRequest, parseJson('body', text));
}

/**
 * Reads the statement of a request for a load query from JSON text.
 * @throws PlatformError 400 that names the field.
 */
export function readConvertQuery(text: string): string {
  return readBodyAs(ConvertQueryRequest, parseJson('body', text)).query;
}
