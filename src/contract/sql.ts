import * as z from 'zod/mini';
import { CacheMode, type Query } from './query.js';

/** Body of `POST /v1/sql` with a statement (domain.md 3). */
export const SqlRequest = z.strictObject({
  /** One SELECT in the Postgres dialect over cubes and views. */
  query: z.string(),
  /** IANA name of the zone of times; UTC by default. */
  timezone: z.optional(z.string()),
  cache: z.optional(z.enum(CacheMode)),
  /** Whether a statement that takes long is answered `Continue wait`, as `/v1/load` does; else the request waits. */
  throwContinueWait: z.optional(z.boolean()),
});
/** Body of `POST /v1/sql` with a statement (domain.md 3). */
export type SqlRequest = z.infer<typeof SqlRequest>;

/** Types of columns as an answer names them; a newer platform may name others. */
export const ColumnType = {
  string: 'String',
  int64: 'Int64',
  double: 'Double',
  boolean: 'Boolean',
  timestamp: 'Timestamp',
  date: 'Date',
} as const;
/** Type of a column as an answer names it. */
export type ColumnType = (typeof ColumnType)[keyof typeof ColumnType];

/** Body of `POST /v1/convert-query`: semantic SQL that is to become a load query. */
export const ConvertQueryRequest = z.strictObject({
  input: z.literal('sql'),
  output: z.literal('rest'),
  query: z.string(),
});
/** Body of `POST /v1/convert-query`: semantic SQL that is to become a load query. */
export type ConvertQueryRequest = z.infer<typeof ConvertQueryRequest>;

/** Answer of `POST /v1/convert-query`: the load query that returns the same rows, or why there is none. */
export type ConvertedQuery =
  | { readonly status: 'ok'; readonly query: Query }
  | { readonly status: 'error'; readonly error: string };
