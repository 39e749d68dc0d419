import * as z from 'zod/mini';
import { Moment } from './moment.js';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** An audit log entry: who wrote what and when. Never contains a request body, key or token. */
export const AuditLogEntry = z.looseObject({
  id: z.int(),
  /** Time of the request (ISO 8601). */
  at: z.string(),
  /** `operationId` of the operation. */
  operation: z.string(),
  /** Type of credential; `none` if the request body was the credential. */
  principal: openEnum(['api-key', 'person', 'embed', 'data-token', 'scim-key', 'none']),
  userId: optional(z.int()),
  embedTenantId: optional(z.int()),
  /** The target of the operation: ids and names from the path, and the id of a created record. */
  target: JsonObject,
  requestId: optional(z.string()),
});
/** An audit log entry. */
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

/**
 * Lists audit log entries, newest first. `from` is inclusive, `to` exclusive. Entries are retained for 400 days.
 * Requires the admin role, or a policy with `AuditLogManage`. This operation is an extension.
 */
export const getAuditLog = operation({
  id: 'getAuditLog',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/audit-log',
  access: 'authenticated',
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
