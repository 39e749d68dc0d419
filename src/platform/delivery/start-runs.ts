import { Cron } from 'croner';
import type { Db } from '../db/database.js';
import type { JobHandler } from '../jobs/job-queue.js';
import type { StoredNotification } from './notification-store.js';
import * as store from './run-store.js';
import { nextRun } from './schedule.js';

/** Kind of the recurring job that starts runs. */
export const scheduleKind = 'notification-schedule';

const everyMs = 10_000;
/** Maximum number of missed runs that are recorded as skipped. */
const maxSkipped = 100;

/**
 * Creates the handler of the recurring job that starts due runs and resumes runs whose retries are due. Replicas can
 * execute it concurrently: the row of a notification is locked while its run starts.
 * @param now - clock, for tests.
 */
export function scheduleHandler(db: Db, now: () => Date = () => new Date()): JobHandler {
  return {
    everyMs,
    async run(_payload, signal) {
      await scheduleNotifications(db, now(), signal);
      while (!signal.aborted && (await startNextRun(db, now()))) {
        // Each call starts the run of one notification.
      }
      if (!signal.aborted) await db.transaction(tx => store.resumeRuns(tx));
    },
    // The queue has already reported the failure, and the next run of the job starts the due runs.
    failPermanently: async () => undefined,
  };
}

/** Computes the next run of notifications that have none, because an earlier version created them. */
async function scheduleNotifications(db: Db, now: Date, signal: AbortSignal): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const id = await db.transaction(async tx => {
      const found = await store.lockUnscheduledNotification(tx, after);
      if (found) await store.setNextRun(tx, found.id, nextRun(found.cronExpression, found.timezone, now));
      return found?.id;
    });
    if (id === undefined) return;
    after = id;
  }
}

/** Starts the run of the notification that has been due the longest. Returns false if none is due. */
async function startNextRun(db: Db, now: Date): Promise<boolean> {
  return db.transaction(async tx => {
    const due = await store.lockDueNotification(tx, now);
    if (!due?.nextRunAt) return false;
    const { latest, skipped } = missedRuns(due, due.nextRunAt, now);
    await store.skipRuns(tx, due.id, skipped);
    await store.startRun(tx, due.id, { scheduledAt: latest, trigger: 'schedule' });
    await store.setNextRun(tx, due.id, nextRun(due.cronExpression, due.timezone, now));
    return true;
  });
}

/**
 * Returns the scheduled times from `first` up to now: the latest one, and the first 100 of the earlier ones.
 */
function missedRuns({ cronExpression, timezone }: StoredNotification, first: Date, now: Date) {
  const cron = new Cron(cronExpression, { timezone, mode: '5-part', paused: true });
  const skipped: Date[] = [];
  let time = first;
  // Usually, the next run is in the future. Computing a run takes a millisecond.
  while (skipped.length < maxSkipped) {
    const next = cron.nextRun(time);
    if (next === null || next > now) return { latest: time, skipped };
    skipped.push(time);
    time = next;
  }
  // Adds a second, because `previousRuns` excludes the second of its reference time.
  const [latest = first] = cron.previousRuns(1, new Date(now.getTime() + 1000));
  return { latest, skipped };
}
