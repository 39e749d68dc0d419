import { generateSql } from '../../contract/generated-sql.js';
import type { Query } from '../../contract/query.js';
import type { DataConnection } from '../http/connection.js';
import { readAnswer } from '../http/request.js';
import { pollUntilReady, type QueryOptions } from './long-query.js';

/** The SQL of a query, and the values of its parameters in order. */
export interface QuerySql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * Returns the SQL that a query runs (`POST /v1/sql`), including the row filters of the caller. Requires a data token
 * that was created with an admin key.
 * @throws {PaError}
 */
export async function generatedSql(
  connection: DataConnection,
  query: Query,
  options: QueryOptions = {},
): Promise<QuerySql> {
  const { body, requestId } = await pollUntilReady(generateSql, connection, { query }, options);
  const [text, parameters] = readAnswer(generateSql, body, requestId).sql.sql;
  return { text, parameters };
}
