import { doublePrecision, index, integer, json, pgTable, text } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.js';
import { createdAt, id, moment, ref } from './columns.js';

/**
 * Audit log of writes. Has no foreign keys, because entries outlive the rows that they refer to. Contains no body, key
 * or token.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: createdAt(),
    /** `operationId` of the API document. */
    operation: text().notNull(),
    /** Kind of credential: `api-key`, `embed`, `data-token`, or `none` if the request body contains the credential. */
    principal: text().notNull(),
    userId: ref(),
    embedTenantId: ref(),
    /** Target of the write: ids and names from the path, and the id of a created object. */
    target: json().$type<JsonObject>().notNull(),
    requestId: text(),
  },
  table => [index().on(table.at, table.id)],
);

/** Usage of rate limits per window. */
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

/**
 * Requests to the Data API, if usage analytics is on. Has no foreign keys, because entries outlive users and tenants.
 * Contains no query, value or token.
 */
export const queryLog = pgTable(
  'query_log',
  {
    id: id(),
    at: createdAt(),
    /** Last segment of the path. */
    operation: text().notNull(),
    status: integer().notNull(),
    outcome: text().notNull(),
    /** Source of the rows; `null` if no rows were requested. */
    cache: text(),
    rows: integer().notNull(),
    queueMs: doublePrecision().notNull(),
    engineMs: doublePrecision().notNull(),
    totalMs: doublePrecision().notNull(),
    userId: ref(),
    embedTenantId: ref(),
    requestId: text().notNull(),
  },
  table => [index().on(table.at, table.id)],
);
