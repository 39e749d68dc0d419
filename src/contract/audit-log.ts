import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** One write: who, what and when; no body, key or token is in it. */
export const AuditLogEntry = z.looseObject({
  id: z.int(),
  /** ISO 8601. */
  at: z.string(),
  /** `operationId` of what was called. */
  operation: z.string(),
  /** Kind of credential; `none` where the body was the credential. */
  principal: openEnum(['api-key', 'embed', 'none']),
  userId: optional(z.int()),
  embedTenantId: optional(z.int()),
  /** What was written: ids and names of the path, and the id that a create gave. */
  target: JsonObject,
  requestId: optional(z.string()),
});
/** One write. */
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

const Moment = z.optional(
  z
    .string()
    // Years that every clock knows: the first ones are out of reach once an offset is taken off.
    .check(z.regex(/^(19|2\d)\d\d-/, 'must be a moment in ISO 8601, like 2026-01-31T12:00:00Z'))
    .check(z.iso.datetime({ offset: true, error: 'must be a moment in ISO 8601, like 2026-01-31T12:00:00Z' })),
);

/**
 * Lists writes, the newest first: an extension of ours. `from` is included, `to` is not. Entries are kept for 400 days.
 */
export const getAuditLog = operation({
  id: 'getAuditLog',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/audit-log',
  access: 'admin',
  query: z.strictObject({
    ...PageQuery.shape,
    operation: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    userId: z.optional(IdParam),
    from: Moment,
    to: Moment,
  }),
  response: pageOf(AuditLogEntry),
  errors: {},
});
