import * as z from 'zod/mini';
import { operation } from './operation.js';
import type { SqlRequest } from './sql.js';

/**
 * `POST {data_api_url}/v1/sql`: runs semantic SQL. The answer is lines of JSON: first
 * `{"schema": [{"name", "column_type", "format"?, "title"?, "granularity"?}], "lastRefreshTime"}`: format and granularity are those of a
 * member that a column is and nothing else, its title too where the SQL gives it no other name. Then one or more of
 * `{"data": [[value, …], …]}` with values as text or null, times as `2001-01-01T00:00:00.000` and dates as `2001-01-01`. `{"error": "…"}` in the place of a line of data tells that it
 * broke off, in the place of the schema that it takes longer (`Continue wait`, with `stage` and `timeElapsed`). The body is named by its type
 * alone, so that a page does without its schema: the service checks it by `SqlRequest`.
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
