import * as auditLog from '../contract/audit-log.js';
import type { QueryOf, ResponseOf } from '../contract/operation.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** One page of the audit log, the newest entries first: an extension of ours. */
export function listAuditLog(
  connection: PlatformConnection,
  query: QueryOf<typeof auditLog.getAuditLog> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof auditLog.getAuditLog>> {
  return call(auditLog.getAuditLog, connection, { query }, options);
}
