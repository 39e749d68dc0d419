import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jobs, notificationRuns, notifications } from '../../../src/platform/db/schema.js';
import { scheduleHandler } from '../../../src/platform/delivery/start-runs.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const list = '/api/v1/deployments/1/notifications';
const running = new AbortController().signal;

let platform: TestPlatform;
let dashboardId: number;

beforeAll(async () => {
  platform = await startTestPlatform();
  const workbook = await platform.ok('PUT', '/api/v1/deployments/1/workbooks/by-slug/scheduled', {});
  const path = `/api/v1/deployments/1/workbooks/${workbook.id}/publish`;
  dashboardId = (await platform.ok('POST', path, { config: { widgets: [] } })).id;
});
afterEach(async () => {
  await platform.db.delete(notifications);
  await platform.db.delete(jobs);
});
afterAll(() => platform.stop());

/** Creates a notification whose next run has this time. */
async function create(customCron: string, timezone: string, nextRunAt: Date | null): Promise<number> {
  const { id } = await platform.ok('POST', list, { dashboardId, scheduleType: 'CUSTOM', customCron, timezone });
  await platform.db.update(notifications).set({ nextRunAt }).where(eq(notifications.id, id));
  return id;
}

/** Returns the times of runs that start while the clock goes from one time to another, in steps. */
async function timesBetween(from: string, to: string, stepMs: number): Promise<string[]> {
  for (let time = Date.parse(from); time <= Date.parse(to); time += stepMs) {
    await scheduleHandler(platform.db, () => new Date(time)).run({}, running);
  }
  const runs = await platform.db.select().from(notificationRuns).orderBy(notificationRuns.scheduledAt);
  expect(runs.every(({ state }) => state === 'running')).toBe(true);
  return runs.map(({ scheduledAt }) => scheduledAt.toISOString());
}

const quarter = 15 * 60_000;

describe('the schedule', () => {
  it('runs one hour later if daylight saving skips the time', async () => {
    await create('30 2 * * *', 'Europe/Berlin', new Date('2026-03-28T01:30:00Z'));
    expect(await timesBetween('2026-03-28T00:00:00Z', '2026-03-30T12:00:00Z', quarter)).toEqual([
      '2026-03-28T01:30:00.000Z',
      // 3:30 in summer time, because 2:30 does not exist.
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('sends a time that daylight saving repeats once', async () => {
    await create('30 2 * * *', 'Europe/Berlin', new Date('2026-10-24T00:30:00Z'));
    expect(await timesBetween('2026-10-24T00:00:00Z', '2026-10-26T12:00:00Z', quarter)).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('starts each run once on concurrent replicas', async () => {
    const at = new Date('2026-07-01T07:00:00Z');
    for (let count = 0; count < 5; count += 1) await create('0 9 * * *', 'Europe/Berlin', at);
    const replicas = Array.from({ length: 4 }, () => scheduleHandler(platform.db, () => at).run({}, running));
    await Promise.all(replicas);
    expect(await platform.db.select().from(notificationRuns)).toHaveLength(5);
    expect(await platform.db.$count(jobs, eq(jobs.kind, 'notification-run'))).toBe(5);
  });

  it('records at most 100 of the runs that were missed, and sends the latest', async () => {
    await create('* * * * *', 'UTC', new Date('2026-07-01T00:00:00Z'));
    await scheduleHandler(platform.db, () => new Date('2026-07-08T12:00:30Z')).run({}, running);
    const runs = await platform.db.select().from(notificationRuns).orderBy(notificationRuns.scheduledAt);
    expect(runs.filter(({ state }) => state === 'skipped')).toHaveLength(100);
    expect(runs.at(-1)).toMatchObject({ state: 'running', scheduledAt: new Date('2026-07-08T12:00:00Z') });
  });

  it('computes the next run of notifications of earlier versions, and sends nothing', async () => {
    const id = await create('0 9 * * *', 'UTC', null);
    await scheduleHandler(platform.db, () => new Date('2026-07-01T12:00:00Z')).run({}, running);
    const [stored] = await platform.db.select().from(notifications).where(eq(notifications.id, id));
    expect(stored?.nextRunAt).toEqual(new Date('2026-07-02T09:00:00Z'));
    expect(await platform.db.select().from(notificationRuns)).toEqual([]);
  });
});
