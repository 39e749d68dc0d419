import { and, eq, gte, lt, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { type AuditLogEntry, getAuditLog } from '../../contract/audit-log.js';
import { allResources, isAllowed } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { auditLog } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve } from '../http/serve.js';

/** A stored entry of the audit log. */
type StoredAuditEntry = typeof auditLog.$inferSelect;

/** Filter of a list of entries. */
interface AuditFilter {
  readonly operation?: string | undefined;
  readonly userId?: number | undefined;
  /** Start of the time range, inclusive. */
  readonly from?: Date | undefined;
  /** End of the time range, exclusive. */
  readonly to?: Date | undefined;
}

const newestFirst = new Keyset<StoredAuditEntry>('audit-log', { at: auditLog.at, id: auditLog.id }, 'desc');
const keptFor = sql`interval '400 days'`;

/** Returns one page of the audit log, newest entries first. */
async function listAuditEntries(
  db: Db,
  { operation, userId, from, to }: AuditFilter,
  page: PageRequest,
): Promise<KeysetPage<StoredAuditEntry>> {
  const rows = await db
    .select()
    .from(auditLog)
    .where(
      and(
        operation === undefined ? undefined : eq(auditLog.operation, operation),
        userId === undefined ? undefined : eq(auditLog.userId, userId),
        from && gte(auditLog.at, from),
        to && lt(auditLog.at, to),
        newestFirst.after(page),
      ),
    )
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Deletes entries that are older than the retention period. */
export async function deleteOldAuditEntries(db: Db): Promise<void> {
  await db.delete(auditLog).where(lt(auditLog.at, sql`now() - ${keptFor}`));
}

/** Mounts the routes for the audit log of writes (extension), for administrators and callers with `AuditLogManage`. */
export function mountAuditLog(app: Hono, deps: RouteDeps): void {
  serve(app, getAuditLog, deps, async ({ query, principal }) => {
    if (!isAllowed(principal.rights, 'AuditLogManage', 'Global', allResources)) {
      throw new PlatformError(403, 'This operation requires AuditLogManage.');
    }
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
