import { eq } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { Principal, ScimPrincipal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { accounts, auditLog } from '../db/schema.js';
import { PlatformError } from '../errors.js';

/** Caller of a tool: over MCP with a data token, or in a chat. The ids are `null` if there is no user or tenant. */
interface ToolCaller {
  readonly kind: 'api-key' | 'person' | 'embed' | 'data-token';
  readonly userId: number | null;
  readonly embedTenantId: number | null;
}

/** An audit log entry of a write, or of a tool call over MCP. Contains no body, key or token. */
export interface AuditEntry {
  /** `operationId` of the API document. */
  readonly operation: string;
  /** `null` if the request body contains the credential. */
  readonly principal: Principal | ToolCaller | ScimPrincipal | null;
  /** What was written or read: ids and names from the path, and the id of a created resource. */
  readonly target: JsonObject;
  readonly requestId: string | null;
}

/** Records a write in the transaction that executes it. */
export async function recordWrite(tx: Db, entry: AuditEntry): Promise<void> {
  await recordWrites(tx, [entry]);
}

/** Records several writes in the transaction that executes them. */
export async function recordWrites(tx: Db, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0 && (await isRecorded(tx, entries))) await tx.insert(auditLog).values(entries.map(rowOf));
}

/**
 * Records a write that the transaction of the database does not contain, before it is executed. Removes the entry if
 * the write is refused, but not after other errors, because a part of it may have been executed.
 */
export async function recordAttempt<T>(db: Db, entry: AuditEntry, write: () => Promise<T>): Promise<T> {
  const { id } = auditLog;
  const recorded = (await isRecorded(db, [entry]))
    ? await db.insert(auditLog).values(rowOf(entry)).returning({ id })
    : [];
  try {
    return await write();
  } catch (error) {
    if (error instanceof PlatformError && error.status < 500) {
      for (const row of recorded) await db.delete(auditLog).where(eq(id, row.id));
    }
    throw error;
  }
}

/** Operation that switches the audit log on or off. It is always recorded. */
const switchOperation = 'updateTenantSettings';

async function isRecorded(tx: Db, entries: readonly AuditEntry[]): Promise<boolean> {
  if (entries.some(({ operation }) => operation === switchOperation)) return true;
  const [account] = await tx.select({ stored: accounts.tenantSettings }).from(accounts).limit(1);
  return account?.stored.auditLogEnabled !== false;
}

function rowOf({ operation, principal, target, requestId }: AuditEntry): typeof auditLog.$inferInsert {
  return {
    operation,
    principal: principal?.kind ?? 'none',
    userId: principal?.userId ?? null,
    embedTenantId: principal && 'embedTenantId' in principal ? principal.embedTenantId : null,
    target,
    requestId,
  };
}
