import { index, integer, json, pgTable, text } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.js';
import { createdAt, id, moment, ref } from './columns.js';

/**
 * Audit log of writes. Has no foreign keys, because entries outlive the rows they name. Contains no body, key or token.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: createdAt(),
    /** `operationId` of the API document. */
    operation: text().notNull(),
    /** Kind of credential: `api-key`, `embed`, `data-token`, or `none` where the body is the credential. */
    principal: text().notNull(),
    userId: ref(),
    embedTenantId: ref(),
    /** What was written: ids and names of the path, and the id of a created object. */
    target: json().$type<JsonObject>().notNull(),
    requestId: text(),
  },
  table => [index().on(table.at, table.id)],
);

/** Usage of rate limit allowances per window. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** Hash of the caller. */
    key: text().primaryKey(),
    windowStart: moment().notNull(),
    used: integer().notNull(),
  },
  table => [index().on(table.windowStart)],
);
