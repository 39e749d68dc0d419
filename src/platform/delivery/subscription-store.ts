import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { notificationRecipients, notificationRuns, notifications, users } from '../db/schema.js';
import type { NewNotification, StoredNotification } from './notification-store.js';

/** Identifies the subscriptions of a viewer to a dashboard. */
export interface SubscriptionScope {
  readonly subscriberId: number;
  readonly dashboardId: number;
}

const within = ({ subscriberId, dashboardId }: SubscriptionScope) =>
  and(eq(notifications.subscriberId, subscriberId), eq(notifications.dashboardId, dashboardId));

/** Returns the email and the external id of a user. */
export async function findSubscriber(db: Db, userId: number) {
  const { email, externalId } = users;
  const [found] = await db.select({ email, externalId }).from(users).where(eq(users.id, userId));
  return found ?? { email: null, externalId: null };
}

/** Returns the subscriptions of a viewer to a dashboard, newest first. */
export async function listSubscriptions(db: Db, scope: SubscriptionScope): Promise<StoredNotification[]> {
  return db.select().from(notifications).where(within(scope)).orderBy(desc(notifications.id));
}

/** Locks a subscription of a viewer until the transaction ends; `null` if it does not exist. */
export async function lockSubscription(
  tx: Db,
  scope: SubscriptionScope,
  id: number,
): Promise<StoredNotification | null> {
  const [found] = await tx
    .select()
    .from(notifications)
    .where(and(within(scope), eq(notifications.id, id)))
    .for('update');
  return found ?? null;
}

/** Counts the subscriptions of a viewer to all dashboards. Concurrent calls for this viewer wait until `tx` ends. */
export async function countSubscriptions(tx: Db, subscriberId: number): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, subscriberId)).for('no key update');
  return tx.$count(notifications, eq(notifications.subscriberId, subscriberId));
}

/**
 * Creates a subscription with its subscriber as the only recipient. `embed` contains the grant fields for rendering.
 */
export async function createSubscription(
  tx: Db,
  subscription: NewNotification & { readonly subscriberId: number },
  embed: JsonObject,
): Promise<StoredNotification> {
  const [created] = await tx.insert(notifications).values(subscription).returning();
  if (!created) throw new Error('An insert returned no row.');
  await tx
    .insert(notificationRecipients)
    .values({ notificationId: created.id, userId: subscription.subscriberId, embed });
  return created;
}

/** Replaces the grant fields with which a subscription is rendered. */
export async function setSubscriberContext(tx: Db, notificationId: number, embed: JsonObject): Promise<void> {
  const { notificationId: notification } = notificationRecipients;
  await tx.update(notificationRecipients).set({ embed }).where(eq(notification, notificationId));
}

/** Deletes a notification if the user is its subscriber. */
export async function endSubscription(tx: Db, notificationId: number, userIds: readonly number[]): Promise<void> {
  const { id, subscriberId } = notifications;
  const isSubscriber = sql`${subscriberId} = any(${sql.param([...userIds])})`;
  await tx.delete(notifications).where(and(eq(id, notificationId), isNotNull(subscriberId), isSubscriber));
}

/** True if a notification was sent on request within the last minute. */
export async function wasJustSent(tx: Db, notificationId: number): Promise<boolean> {
  const { notificationId: notification, trigger, createdAt } = notificationRuns;
  const isRecent = gt(createdAt, sql`now() - interval '1 minute'`);
  const isSent = and(eq(notification, notificationId), eq(trigger, 'test'), isRecent);
  return (await tx.$count(notificationRuns, isSent)) > 0;
}
