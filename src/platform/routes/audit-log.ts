import type { Hono } from 'hono';
import { type AuditLogEntry, getAuditLog } from '../../contract/audit-log.js';
import { listAuditEntries, type StoredAuditEntry } from '../store/audit-entries.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';

/** Who wrote what, and when: an extension of ours, for administrators. */
export function mountAuditLog(app: Hono, deps: PlatformRoutesDeps): void {
  serve(app, getAuditLog, deps, async ({ query }) => {
    const { from, to, operation, userId } = query;
    const filter = {
      operation,
      userId,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    const { items, pageInfo } = await listAuditEntries(deps.db, filter, query);
    return { items: items.map(show), pageInfo };
  });
}

function show({ at, ...entry }: StoredAuditEntry): AuditLogEntry {
  return { ...entry, at: at.toISOString() };
}
