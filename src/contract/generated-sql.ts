import * as z from 'zod/mini';
import { operation } from './operation.js';
import type { Query } from './query.js';

/** The SQL of one load query (domain.md 3): the text, and the values of its parameters in order. */
const GeneratedSql = z.looseObject({
  sql: z.looseObject({
    sql: z.tuple([z.string(), z.array(z.unknown())]),
    status: z.string(),
    query_type: z.string(),
  }),
});

/**
 * `POST {data_api_url}/v1/sql` with a load query instead of a statement: returns the SQL of the query, including the
 * caller's row filters. Requires a data token that was created with an admin key.
 */
export const generateSql = operation({
  id: 'generateSqlV1',
  api: 'data',
  method: 'POST',
  path: '/v1/sql',
  access: 'admin',
  body: z.custom<{ readonly query: Query }>(),
  response: GeneratedSql,
  errors: {},
});
