import * as z from 'zod/mini';
import { operation } from './operation.js';
import type { SqlRequest } from './sql.js';

/**
 * `POST {data_api_url}/v1/sql`: runs semantic SQL. The response is newline-delimited JSON. The first line is
 * `{"schema": [{"name", "column_type", "format"?, "title"?, "granularity"?}], "lastRefreshTime"}`. `format` and
 * `granularity` are set for columns that are a member without an expression; `title` only if the SQL does not rename
 * the column. One or more lines of `{"data": [[value, …], …]}` follow. Values are strings or `null`, times have the
 * form `2001-01-01T00:00:00.000`, and dates `2001-01-01`. A line `{"error": "…"}` instead of data means that the
 * response was aborted; instead of the schema, `Continue wait` (with `stage` and `timeElapsed`) means that the query is
 * still running. The body has a type but no schema here, so that pages do not load the schema; the service validates it
 * with `SqlRequest`.
 */
export const runSql = operation({
  id: 'sqlV1',
  api: 'data',
  method: 'POST',
  path: '/v1/sql',
  access: 'authenticated',
  body: z.custom<SqlRequest>(),
  response: null,
  errors: {},
});
