import { and, count, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { isActiveUser } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { dashboardExports, type ExportSubject, Role, users } from '../../db/schema.js';

export type { ExportSubject } from '../../db/schema.js';

/** A stored export. */
type Row = typeof dashboardExports.$inferSelect;
/** An export without its file. */
export type StoredExport = Omit<Row, 'content'>;
/** An export to start. */
export type NewExport = Pick<
  Row,
  'deploymentId' | 'dashboardId' | 'userId' | 'subjectUserId' | 'subject' | 'format' | 'controls'
> & {
  /** Whether the export is canceled when its page no longer requests its state. */
  readonly endsWithPage?: boolean;
};

/** Time after which an export and its file are deleted (operations.md, Dashboard Exports). */
const lifetime = sql`interval '5 minutes'`;
/** First key of the advisory lock per subject. */
const lockKey = 0x657870;

const { content: _content, ...columns } = getTableColumns(dashboardExports);
const isOpen = inArray(dashboardExports.status, ['pending', 'processing']);
const isAlive = gt(dashboardExports.expiresAt, sql`now()`);
/** Time without a request for its state after which the export of a page is canceled. */
const pageAbsence = sql`interval '30 seconds'`;
const isAwaited = or(isNull(dashboardExports.polledAt), gt(dashboardExports.polledAt, sql`now() - ${pageAbsence}`));

/** Condition that the subject is active. A file is neither rendered nor sent after its subject was deactivated. */
const hasActiveSubject = sql`exists (select 1 from ${users} where ${users.id} = ${dashboardExports.subjectUserId} and ${isActiveUser})`;

/** Inserts an export. Returns `null` if the subject has `maxOpen` exports in progress. */
export async function createExport(
  tx: Db,
  { endsWithPage = false, ...request }: NewExport,
  maxOpen: number,
): Promise<StoredExport | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKey}, ${request.subjectUserId}::integer)`);
  const [open] = await tx
    .select({ count: count() })
    .from(dashboardExports)
    .where(and(eq(dashboardExports.subjectUserId, request.subjectUserId), isOpen, isAlive, isAwaited));
  if ((open?.count ?? 0) >= maxOpen) return null;
  const [created] = await tx
    .insert(dashboardExports)
    .values({
      ...request,
      status: 'pending',
      polledAt: endsWithPage ? sql`now()` : null,
      expiresAt: sql`now() + ${lifetime}`,
    })
    .returning(columns);
  return created ?? null;
}

/** Identifies an export of one caller. */
interface ExportRef {
  readonly deploymentId: number;
  /** The id of the export, a UUID. */
  readonly id: string;
  /** The user who started the export. */
  readonly userId: number;
}

const thatIs = ({ deploymentId, id, userId }: ExportRef) =>
  and(
    eq(dashboardExports.id, id),
    eq(dashboardExports.deploymentId, deploymentId),
    eq(dashboardExports.userId, userId),
    isAlive,
  );

/** Returns an export of the user that has not expired, or `null`. */
export async function findExport(db: Db, ref: ExportRef): Promise<StoredExport | null> {
  const [found] = await db.select(columns).from(dashboardExports).where(thatIs(ref));
  return found ?? null;
}

/** Records that the page is still waiting for its export. */
export async function recordPoll(db: Db, ref: ExportRef): Promise<void> {
  await db
    .update(dashboardExports)
    .set({ polledAt: sql`now()` })
    .where(and(thatIs(ref), isNotNull(dashboardExports.polledAt)));
}

/** Deletes an export of the user; its job stops. Returns false if it does not exist. */
export async function deleteExport(db: Db, ref: ExportRef): Promise<boolean> {
  const deleted = await db.delete(dashboardExports).where(thatIs(ref)).returning({ id: dashboardExports.id });
  return deleted.length > 0;
}

/** Returns true if an export has not ended and was not canceled, its page still polls, and its subject is active. */
export async function isExportWanted(db: Db, id: string): Promise<boolean> {
  const found = await db
    .select({ id: dashboardExports.id })
    .from(dashboardExports)
    .where(and(eq(dashboardExports.id, id), isOpen, isAlive, isAwaited, hasActiveSubject));
  return found.length > 0;
}

/** Returns the file of an export of the user; `null` if it has none, or its subject was deactivated. */
export async function findExportContent(db: Db, ref: ExportRef): Promise<Uint8Array | null> {
  const [found] = await db
    .select({ content: dashboardExports.content })
    .from(dashboardExports)
    .where(and(thatIs(ref), hasActiveSubject));
  return found?.content ?? null;
}

/** Marks an export as being processed. Returns `null` if it has ended or expired, or its subject was deactivated. */
export async function takeExport(db: Db, id: string): Promise<StoredExport | null> {
  const [taken] = await db
    .update(dashboardExports)
    .set({ status: 'processing' })
    .where(and(eq(dashboardExports.id, id), isOpen, isAlive, isAwaited, hasActiveSubject))
    .returning(columns);
  return taken ?? null;
}

/** Changes an export that has not ended. */
export async function updateExport(
  db: Db,
  id: string,
  change: Partial<Pick<Row, 'status' | 'progress' | 'error' | 'contentType' | 'content'>>,
): Promise<void> {
  await db
    .update(dashboardExports)
    .set(change)
    .where(and(eq(dashboardExports.id, id), isOpen));
}

/** Deletes expired exports with their files. */
export async function deleteExpiredExports(db: Db): Promise<void> {
  const isLeft = and(
    ne(dashboardExports.status, 'completed'),
    lt(dashboardExports.polledAt, sql`now() - ${pageAbsence}`),
  );
  await db.delete(dashboardExports).where(or(lt(dashboardExports.expiresAt, sql`now()`), isLeft));
}

/** Returns the role of a user. */
export async function findRole(db: Db, userId: number): Promise<ExportSubject['role']> {
  const [found] = await db.select({ role: users.role }).from(users).where(eq(users.id, userId));
  return found?.role ?? Role.user;
}
