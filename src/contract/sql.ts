import * as z from 'zod/mini';
import { CacheMode, type Query } from './query.js';

/** Body of `POST /v1/sql` with a statement (domain.md 3). */
export const SqlRequest = z.strictObject({
  /** One SELECT in the Postgres dialect over cubes and views. */
  query: z.string(),
  /** IANA time zone of time values. Defaults to UTC. */
  timezone: z.optional(z.string()),
  cache: z.optional(z.enum(CacheMode)),
  /**
   * Whether a slow statement returns `Continue wait`, as `/v1/load` does. If not set, the request waits for the result.
   */
  throwContinueWait: z.optional(z.boolean()),
});
/** Body of `POST /v1/sql` with a statement (domain.md 3). */
export type SqlRequest = z.infer<typeof SqlRequest>;

/** Column types in responses. Newer platforms may return others. */
export const ColumnType = {
  string: 'String',
  int64: 'Int64',
  double: 'Double',
  boolean: 'Boolean',
  timestamp: 'Timestamp',
  date: 'Date',
} as const;
/** Column type in a response. */
export type ColumnType = (typeof ColumnType)[keyof typeof ColumnType];

/** Body of `POST /v1/convert-query`: semantic SQL to convert to a load query. */
export const ConvertQueryRequest = z.strictObject({
  input: z.literal('sql'),
  output: z.literal('rest'),
  query: z.string(),
});
/** Body of `POST /v1/convert-query`: semantic SQL to convert to a load query. */
export type ConvertQueryRequest = z.infer<typeof ConvertQueryRequest>;

/** Response of `POST /v1/convert-query`: the load query that returns the same rows, or why there is none. */
export type ConvertedQuery =
  | { readonly status: 'ok'; readonly query: Query }
  | { readonly status: 'error'; readonly error: string };
