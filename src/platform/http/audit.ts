import { and, eq } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { Principal, ScimPrincipal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { accounts, auditLog } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { retry } from '../runtime/retry.js';

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

/** Stores which entries belong to writes that are in progress, so that a crash can be repaired. */
export interface AttemptJournal {
  /** Called in the transaction that stores the entry. */
  open(entryId: number): Promise<void>;
  /** Called after the write, and after its entry was removed if it was rejected. */
  close(entryId: number): Promise<void>;
}

/**
 * Records a write that the transaction of the database does not contain, before it is executed. Removes the entry if
 * the write is rejected, but not after other errors, because a part of it may have been executed.
 * @param write - called with the id of the entry; `null` if the audit log is switched off.
 */
export async function recordAttempt<T>(
  db: Db,
  entry: AuditEntry,
  write: (entryId: number | null) => Promise<T>,
  journal: AttemptJournal | null = null,
): Promise<T> {
  const entryId = await storeAttempt(db, entry, journal);
  if (entryId === null) return write(null);
  try {
    const done = await write(entryId);
    await closeQuietly(journal, entryId);
    return done;
  } catch (error) {
    if (error instanceof PlatformError && error.status < 500) await removeAttempt(db, entryId, journal);
    else await closeQuietly(journal, entryId);
    throw error;
  }
}

async function storeAttempt(db: Db, entry: AuditEntry, journal: AttemptJournal | null): Promise<number | null> {
  let opened: number | null = null;
  try {
    return await db.transaction(async tx => {
      if (!(await isRecorded(tx, [entry]))) return null;
      const [row] = await tx.insert(auditLog).values(rowOf(entry)).returning({ id: auditLog.id });
      if (!row) throw new Error('An insert returned no row.');
      await journal?.open(row.id);
      opened = row.id;
      return row.id;
    });
  } catch (error) {
    // The transaction may be committed although its response was lost.
    if (opened !== null) void removeAttempt(db, opened, journal);
    throw error;
  }
}

/**
 * Removes the entry of a write that did not happen. If the database does not respond for some seconds, the repair at
 * the next start removes it.
 */
async function removeAttempt(db: Db, entryId: number, journal: AttemptJournal | null): Promise<void> {
  const remove = () => db.delete(auditLog).where(eq(auditLog.id, entryId));
  const isRemoved = await retry(remove, { maxAttempts: 20, isRetryable: () => true, pauseMs: () => 250 }).then(
    () => true,
    () => false,
  );
  if (isRemoved) await closeQuietly(journal, entryId);
}

async function closeQuietly(journal: AttemptJournal | null, entryId: number): Promise<void> {
  // A failed cleanup must not fail the write. The repair at the next start retries it.
  await journal?.close(entryId).catch(() => undefined);
}

/** Deletes the entry of a write that did not happen. */
export async function deleteAttempt(db: Db, entryId: number, operation: string): Promise<void> {
  await db.delete(auditLog).where(and(eq(auditLog.id, entryId), eq(auditLog.operation, operation)));
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
