import type { Hono } from 'hono';
import {
  getNotificationDeliveries,
  getNotificationEvaluations,
  getNotificationRuns,
  type NotificationDelivery,
  type NotificationEvaluation,
  type NotificationRun,
  sendNotification,
} from '../../contract/notification-deliveries.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, transact } from '../http/serve.js';
import { pause } from '../runtime/retry.js';
import * as store from './delivery-store.js';
import { type ListedEvaluation, listEvaluations } from './evaluation-store.js';
import { findNotification } from './notification-store.js';
import { requireNotification } from './notifications.js';
import { showRecipient } from './recipients.js';
import { type StoredRun, startRun } from './run-store.js';

const defaultWaitSeconds = 60;
const pollMs = 100;
const maxRecipients = 1000;

/** Mounts the routes for the delivery log of notifications (extension). */
export function mountNotificationDeliveries(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getNotificationDeliveries, deps, async ({ params, query, principal }) => {
    const { id } = await requireNotification(db, principal, params, findNotification);
    const { state = null, runId = null, ...page } = query;
    const { items, pageInfo } = await store.listDeliveries(db, { notificationId: id, state, runId }, page);
    return { items: items.map(show), pageInfo };
  });

  serve(app, getNotificationRuns, deps, async ({ params, query, principal }) => {
    const { id } = await requireNotification(db, principal, params, findNotification);
    const { items, pageInfo } = await store.listRuns(db, id, query);
    const ids = items.map(run => run.id);
    const counts = await store.countByRun(db, ids);
    return { items: items.map(run => showRun(run, counts.get(run.id) ?? {})), pageInfo };
  });

  serve(app, getNotificationEvaluations, deps, async ({ params, query, principal }) => {
    const { id } = await requireNotification(db, principal, params, findNotification);
    const { items, pageInfo } = await listEvaluations(db, id, query);
    return { items: items.map(showEvaluation), pageInfo };
  });

  serve(app, sendNotification, deps, async ({ params, query, principal, request }) => {
    const { id } = await requireNotification(db, principal, params, findNotification);
    const run = await transact(db, sendNotification.id, { principal, request, target: { ...params } }, tx =>
      startRun(tx, id, { scheduledAt: new Date(), trigger: 'test' }),
    );
    if (!run) throw new PlatformError(409, 'The notification is being sent. Try again in a moment.');
    const deliveries = await settleRun(db, run, (query.waitSeconds ?? defaultWaitSeconds) * 1000, request.signal);
    return { runId: run.id, deliveries: deliveries.map(show) };
  });
}

/** Waits until each delivery of a run was attempted or the time is over, and returns the deliveries. */
export async function settleRun(
  db: Db,
  { id: runId, notificationId }: StoredRun,
  waitMs: number,
  signal: AbortSignal,
): Promise<readonly store.ListedDelivery[]> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const { items } = await store.listDeliveries(db, { notificationId, state: null, runId }, { first: maxRecipients });
    const isOver = items.every(({ state }) => ['sent', 'failed', 'dead', 'canceled', 'skipped'].includes(state));
    if (isOver || Date.now() >= deadline || signal.aborted) return items;
    await pause(pollMs, { signal });
  }
}

function show(delivery: store.ListedDelivery): NotificationDelivery {
  const { recipient, dueAt, scheduledAt, updatedAt, ...rest } = delivery;
  return {
    ...rest,
    recipient: showRecipient(recipient),
    scheduledAt: scheduledAt.toISOString(),
    nextAttemptAt: delivery.state === 'failed' ? dueAt.toISOString() : null,
    updatedAt: updatedAt.toISOString(),
  };
}

function showEvaluation({ scheduledAt, createdAt, ...evaluation }: ListedEvaluation): NotificationEvaluation {
  return { ...evaluation, scheduledAt: scheduledAt.toISOString(), createdAt: createdAt.toISOString() };
}

function showRun(run: StoredRun, counts: Readonly<Record<string, number>>): NotificationRun {
  const { id, scheduledAt, trigger, state, endedAt } = run;
  return {
    id,
    scheduledAt: scheduledAt.toISOString(),
    trigger,
    state,
    endedAt: endedAt?.toISOString() ?? null,
    deliveries: { ...counts },
  };
}
