import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** An audit log entry: who wrote what and when. Never contains a request body, key or token. */
export const AuditLogEntry = z.looseObject({
  id: z.int(),
  /** ISO 8601. */
  at: z.string(),
  /** `operationId` of the operation. */
  operation: z.string(),
  /** Type of credential; `none` if the request body was the credential. */
  principal: openEnum(['api-key', 'embed', 'data-token', 'none']),
  userId: optional(z.int()),
  embedTenantId: optional(z.int()),
  /** The target: ids and names in the path, and the id of a created record. */
  target: JsonObject,
  requestId: optional(z.string()),
});
/** An audit log entry. */
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

const Moment = z.optional(
  z
    .string()
    // Excludes early years, which would be out of range after the time zone offset is subtracted.
    .check(z.regex(/^(19|2\d)\d\d-/, 'must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z'))
    .check(z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z' })),
);

/**
 * Lists audit log entries, newest first. `from` is inclusive, `to` exclusive. Entries are retained for 400 days. This
 * operation is an extension.
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
