import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import {
  type DeliveryState,
  notificationDeliveries as deliveries,
  embedTenants,
  notificationRuns as runs,
  users,
} from '../db/schema.js';
import type { StoredRecipient } from './recipient-store.js';
import type { StoredRun } from './run-store.js';

const columns = {
  id: deliveries.id,
  runId: deliveries.runId,
  scheduledAt: runs.scheduledAt,
  trigger: runs.trigger,
  purpose: deliveries.purpose,
  state: deliveries.state,
  attempts: deliveries.attempts,
  messageId: deliveries.messageId,
  responseCode: deliveries.responseCode,
  problem: deliveries.problem,
  dueAt: deliveries.dueAt,
  updatedAt: deliveries.updatedAt,
};

/** A delivery with its run and recipient. */
export type ListedDelivery = Pick<
  typeof deliveries.$inferSelect,
  Exclude<keyof typeof columns, 'scheduledAt' | 'trigger'>
> &
  Pick<StoredRun, 'scheduledAt' | 'trigger'> & { readonly recipient: StoredRecipient };

/** Filter of a list of deliveries. `null` means no restriction. */
interface DeliveryFilter {
  readonly notificationId: number;
  readonly runId: number | null;
  readonly state: DeliveryState | null;
}

const newestDeliveries = new Keyset<ListedDelivery>('notification-deliveries', { id: deliveries.id }, 'desc');
const newestRuns = new Keyset<StoredRun>('notification-runs', { id: runs.id }, 'desc');

/** Returns one page of a notification's deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  { notificationId, runId, state }: DeliveryFilter,
  page: PageRequest,
): Promise<KeysetPage<ListedDelivery>> {
  const { id, username, email, externalId } = users;
  const { channel } = deliveries;
  const recipient = { id: deliveries.id, userId: id, username, email, externalId, channel };
  const rows = await db
    .select({ delivery: columns, recipient, embedTenantName: embedTenants.name })
    .from(deliveries)
    .innerJoin(runs, eq(runs.id, deliveries.runId))
    .leftJoin(users, eq(users.id, deliveries.userId))
    .leftJoin(embedTenants, eq(embedTenants.id, users.embedTenantId))
    .where(
      and(
        eq(runs.notificationId, notificationId),
        runId === null ? undefined : eq(deliveries.runId, runId),
        state === null ? undefined : eq(deliveries.state, state),
        newestDeliveries.after(page),
      ),
    )
    .orderBy(...newestDeliveries.orderBy)
    .limit(newestDeliveries.limit(page));
  const listed = rows.map(({ delivery, recipient, embedTenantName }) => ({
    ...delivery,
    recipient: { ...recipient, channelName: null, embedTenantName },
  }));
  return newestDeliveries.page(listed, page);
}

/** Returns one page of a notification's runs, newest first. */
export async function listRuns(db: Db, notificationId: number, page: PageRequest): Promise<KeysetPage<StoredRun>> {
  const rows = await db
    .select()
    .from(runs)
    .where(and(eq(runs.notificationId, notificationId), newestRuns.after(page)))
    .orderBy(...newestRuns.orderBy)
    .limit(newestRuns.limit(page));
  return newestRuns.page(rows, page);
}

/** Returns the number of deliveries by state, by run. */
export async function countByRun(db: Db, runIds: readonly number[]): Promise<Map<number, Record<string, number>>> {
  const { runId, state } = deliveries;
  const rows = await db
    .select({ runId, state, count: sql<number>`count(*)::integer` })
    .from(deliveries)
    .where(inArray(runId, [...runIds]))
    .groupBy(runId, state);
  const counts = new Map<number, Record<string, number>>();
  for (const row of rows) counts.set(row.runId, { ...counts.get(row.runId), [row.state]: row.count });
  return counts;
}
