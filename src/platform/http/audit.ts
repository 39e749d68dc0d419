import type { JsonObject } from '../../contract/wire.js';
import type { Principal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { auditLog } from '../db/schema.js';

/** A write as the audit log tells of it: no body, no key and no token. */
export interface AuditEntry {
  /** `operationId` of the API document. */
  readonly operation: string;
  /** Null where the body is the credential. */
  readonly principal: Principal | null;
  /** What was written: ids and names of the path, and the id that a create gave. */
  readonly target: JsonObject;
  readonly requestId: string | null;
}

/** Notes a write, in the transaction that does it. */
export async function recordWrite(tx: Db, entry: AuditEntry): Promise<void> {
  await recordWrites(tx, [entry]);
}

/** Notes writes, in the transaction that does them all. */
export async function recordWrites(tx: Db, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(auditLog).values(entries.map(rowOf));
}

function rowOf({ operation, principal, target, requestId }: AuditEntry): typeof auditLog.$inferInsert {
  return {
    operation,
    principal: principal?.kind ?? 'none',
    userId: principal?.userId ?? null,
    embedTenantId: principal?.kind === 'embed' ? principal.embedTenantId : null,
    target,
    requestId,
  };
}
