import { and, eq, gte, lt, sql } from 'drizzle-orm';
import type { Db } from './database.js';
import { Keyset, type KeysetPage, type PageRequest } from './keyset.js';
import { auditLog } from './schema.js';

/** An entry of the audit log as it is stored. */
export type StoredAuditEntry = typeof auditLog.$inferSelect;

/** Which entries a list holds. */
export interface AuditFilter {
  readonly operation?: string | undefined;
  readonly userId?: number | undefined;
  /** Included. */
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
}

const newestFirst = new Keyset<StoredAuditEntry>('audit-log', { at: auditLog.at, id: auditLog.id }, 'desc');
const keptFor = sql`interval '400 days'`;

/** One page of the audit log, the newest entries first. */
export async function listAuditEntries(
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

/** Forgets what is older than the audit log reaches back. */
export async function forgetOldEntries(db: Db): Promise<void> {
  await db.delete(auditLog).where(lt(auditLog.at, sql`now() - ${keptFor}`));
}
