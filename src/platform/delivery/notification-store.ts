import { and, eq, exists, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { lowerAscii } from '../../contract/lower-ascii.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { lowerAsciiSql } from '../db/lower-ascii.js';
import {
  dashboards,
  dashboardVersions,
  embedTenants,
  notificationRecipients,
  notifications,
  users,
  workbooks,
} from '../db/schema.js';

/** A stored notification. */
export type StoredNotification = typeof notifications.$inferSelect;
/** A notification to be created. */
export type NewNotification = typeof notifications.$inferInsert;
/** Changes to a notification. Omitted fields stay unchanged. */
export type NotificationChange = Partial<Omit<StoredNotification, 'id' | 'deploymentId' | 'dashboardId' | 'createdBy'>>;

/** Identifies a dashboard by id or public id. */
export type DashboardRef = { readonly id: number } | { readonly publicId: string };

/** Identifies a recipient: a console user, or a user of an embed tenant. */
export type RecipientRef =
  | { readonly userId: number }
  | { readonly email: string }
  | { readonly embedTenantName: string; readonly externalId: string };

/** Filter of a list of notifications. `null` means no restriction. */
export interface NotificationFilter {
  readonly deploymentId: number;
  readonly dashboard: DashboardRef | null;
  readonly recipient: RecipientRef | null;
}

const newestFirst = new Keyset<StoredNotification>('notifications', { id: notifications.id }, 'desc');

const one = (deploymentId: number, id: number) =>
  and(eq(notifications.id, id), eq(notifications.deploymentId, deploymentId));

const thatIs = (ref: DashboardRef) => ('id' in ref ? eq(dashboards.id, ref.id) : eq(dashboards.publicId, ref.publicId));

/**
 * Locks a dashboard of a deployment against deletion until the transaction ends and returns its id, or `null` if it
 * does not exist.
 */
export async function lockDashboard(tx: Db, deploymentId: number, ref: DashboardRef): Promise<number | null> {
  const [found] = await tx
    .select({ id: dashboards.id })
    .from(dashboards)
    .innerJoin(workbooks, and(eq(workbooks.id, dashboards.workbookId), eq(workbooks.deploymentId, deploymentId)))
    .where(thatIs(ref))
    .for('key share', { of: dashboards });
  return found?.id ?? null;
}

/** Returns the fields of a dashboard that deliveries need; `null` if it does not exist. */
export async function findDashboardRef(db: Db, dashboardId: number) {
  const configured = sql`${dashboardVersions.config} ->> 'title'`;
  const title = sql<string>`coalesce(${dashboards.title}, ${configured}, ${workbooks.name}, '')`;
  const [found] = await db
    .select({
      publicId: dashboards.publicId,
      workbookId: workbooks.id,
      deploymentId: workbooks.deploymentId,
      title,
      createdBy: workbooks.createdBy,
    })
    .from(dashboards)
    .innerJoin(workbooks, eq(workbooks.id, dashboards.workbookId))
    .innerJoin(
      dashboardVersions,
      and(
        eq(dashboardVersions.dashboardId, dashboards.id),
        eq(dashboardVersions.versionNumber, dashboards.versionNumber),
      ),
    )
    .where(eq(dashboards.id, dashboardId));
  return found ?? null;
}

/** Returns one page of a deployment's notifications, newest first. */
export async function listNotifications(
  db: Db,
  { deploymentId, dashboard, recipient }: NotificationFilter,
  page: PageRequest,
): Promise<KeysetPage<StoredNotification>> {
  const rows = await db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.deploymentId, deploymentId),
        dashboard ? inArray(notifications.dashboardId, idsOf(db, dashboard)) : undefined,
        recipient ? isReceivedBy(db, recipient) : undefined,
        newestFirst.after(page),
      ),
    )
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

function idsOf(db: Db, ref: DashboardRef) {
  return db.select({ id: dashboards.id }).from(dashboards).where(thatIs(ref));
}

function isReceivedBy(db: Db, recipient: RecipientRef): SQL {
  return exists(
    db
      .select({ id: users.id })
      .from(notificationRecipients)
      .innerJoin(users, eq(users.id, notificationRecipients.userId))
      .leftJoin(embedTenants, eq(embedTenants.id, users.embedTenantId))
      .where(and(eq(notificationRecipients.notificationId, notifications.id), isRecipient(recipient))),
  );
}

function isRecipient(recipient: RecipientRef): SQL | undefined {
  if ('userId' in recipient) return and(eq(users.id, recipient.userId), isNull(users.embedTenantId));
  if ('email' in recipient) {
    return and(eq(lowerAsciiSql(users.email), lowerAscii(recipient.email)), isNull(users.embedTenantId));
  }
  return and(eq(embedTenants.name, recipient.embedTenantName), eq(users.externalId, recipient.externalId));
}

/** Returns a notification of a deployment, or `null` if it does not exist. */
export async function findNotification(db: Db, deploymentId: number, id: number): Promise<StoredNotification | null> {
  const [found] = await db.select().from(notifications).where(one(deploymentId, id));
  return found ?? null;
}

/** Locks a notification of a deployment for update until the transaction ends; `null` if it does not exist. */
export async function lockNotification(tx: Db, deploymentId: number, id: number): Promise<StoredNotification | null> {
  const [found] = await tx.select().from(notifications).where(one(deploymentId, id)).for('update');
  return found ?? null;
}

/** Creates a notification. */
export async function createNotification(tx: Db, notification: NewNotification): Promise<StoredNotification> {
  const [created] = await tx.insert(notifications).values(notification).returning();
  if (!created) throw new Error('An insert returned no row.');
  return created;
}

/** Updates a locked notification. */
export async function updateNotification(
  tx: Db,
  locked: StoredNotification,
  change: NotificationChange,
): Promise<StoredNotification> {
  const [changed] = await tx.update(notifications).set(change).where(eq(notifications.id, locked.id)).returning();
  return changed ?? locked;
}

/** Deletes a notification and its recipients. Returns false if it does not exist. */
export async function deleteNotification(tx: Db, deploymentId: number, id: number): Promise<boolean> {
  const deleted = await tx.delete(notifications).where(one(deploymentId, id)).returning({ id: notifications.id });
  return deleted.length > 0;
}
