import * as z from 'zod/mini';
import { Moment } from './moment.js';
import { operation } from './operation.js';
import { IdParam, openEnum, optional, pageOf, SearchQuery } from './wire.js';

/** A token for the Data API over the platform's own usage. */
export const UsageAnalyticsToken = z.looseObject({
  /** Base URL of that Data API, without `/load` and the other operations. */
  apiUrl: z.string(),
  /** Id of the internal deployment, which no other operation accepts. */
  deploymentId: z.int(),
  /** Expiry of the token (ISO 8601). */
  expiresAt: optional(z.string()),
  token: z.string(),
});
/**
 * Creates a data token for the model of the platform's own usage (operations.md, Usage Analytics). It is valid for one
 * hour, only at `apiUrl`, and while its user is an administrator. Requires an API key or a signed-in user with the
 * admin role.
 */
export const createUsageAnalyticsToken = operation({
  id: 'createUsageAnalyticsToken',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/usage-analytics/token',
  access: 'admin',
  response: UsageAnalyticsToken,
  errors: { 404: 'Usage analytics is turned off.' },
});

/** How a request to the Data API ended. */
const outcomes = ['ok', 'continue-wait', 'refused', 'busy', 'aborted', 'failed'] as const;

/** An entry of the query log. Never contains a query, a value or a token. */
export const QueryLogEntry = z.looseObject({
  id: z.int(),
  /** Time when the response was ready (ISO 8601). */
  at: z.string(),
  /** Last segment of the path, such as `load`. */
  operation: z.string(),
  status: z.int(),
  outcome: openEnum(outcomes),
  /** Source of the rows; `null` if no rows were requested. */
  cache: optional(z.string()),
  rows: z.int(),
  queueMs: z.number(),
  engineMs: z.number(),
  totalMs: z.number(),
  /** The user of the token; `null` if the token names none, or the user was deleted. */
  userId: optional(z.int()),
  username: optional(z.string()),
  embedTenantName: optional(z.string()),
  requestId: z.string(),
});
/** An entry of the query log. */
export type QueryLogEntry = z.infer<typeof QueryLogEntry>;

/**
 * Lists requests to the Data API, newest first. `search` selects requests whose user or tenant has a name that contains
 * it, ignoring case; `minMs` selects slow requests; `from` is inclusive, `to` exclusive.
 * Entries are retained for 30 days. The list is empty while usage analytics is turned off. This operation is an
 * extension.
 */
export const getQueryLog = operation({
  id: 'getQueryLog',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/query-log',
  access: 'admin',
  query: z.strictObject({
    ...SearchQuery.shape,
    outcome: z.optional(z.enum(outcomes)),
    userId: z.optional(IdParam),
    minMs: z.optional(z.coerce.number().check(z.gte(0), z.lte(86_400_000))),
    from: Moment,
    to: Moment,
  }),
  response: pageOf(QueryLogEntry),
  errors: {},
});
