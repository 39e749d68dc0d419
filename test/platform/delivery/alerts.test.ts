import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { notificationEvaluations, notificationRuns, notifications } from '../../../src/platform/db/schema.js';
import { waitTimeoutMs } from '../../eventually.js';
import { startMailPlatform } from './mail-platform.js';
import { type SmtpSink, startSmtpSink } from './smtp-sink.js';

const list = '/api/v1/deployments/1/notifications';

let sink: SmtpSink;
let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let dashboard: { id: number; publicId: string };

beforeAll(async () => {
  sink = await startSmtpSink();
  platform = await startMailPlatform({ mail: { smtpUrl: sink.url, from: 'reports@example.com' } });
  dashboard = await platform.publish('flights');
});

afterEach(async () => {
  await platform.db.delete(notifications);
  sink.received.length = 0;
  expect(platform.failures.splice(0)).toEqual([]);
});

afterAll(async () => {
  await platform?.stop();
  await sink?.close();
});

const viewer = (name: string, airport: string) => ({
  type: 'EMBED_USER',
  embedTenantName: `of-${airport.toLowerCase()}`,
  externalId: `${name}@example.com`,
  securityContext: { airport },
});

const settings = () => ({ dashboardId: dashboard.id, scheduleType: 'DAILY', notificationFormat: 'pdf' });

async function create(alert: object, recipients: readonly object[], body: object = {}): Promise<number> {
  const { id } = await platform.ok('POST', list, { ...settings(), alert, ...body });
  await platform.ok('POST', `${list}/${id}/recipients`, { recipients });
  return id;
}

/** Sends a test of a notification. Returns the state of each delivery by recipient. */
async function test(id: number): Promise<Record<string, string>> {
  const { deliveries } = await platform.ok('POST', `${list}/${id}/send`);
  return Object.fromEntries(
    deliveries.map((each: { state: string; recipient: { externalId: string } }) => [
      each.recipient.externalId.split('@')[0],
      each.state,
    ]),
  );
}

const evaluations = async (id: number) => (await platform.ok('GET', `${list}/${id}/evaluations`)).items;

/** Fires the schedule at a time and waits for the end of its run. */
async function fire(id: number, at: string): Promise<void> {
  const time = new Date(at);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time.getTime() + 5_000) });
  try {
    await platform.fire(id, time);
    await vi.waitFor(
      async () => {
        const runs = await platform.db.select().from(notificationRuns).where(eq(notificationRuns.notificationId, id));
        expect(runs.find(({ scheduledAt }) => scheduledAt.getTime() === time.getTime())?.state).toBe('done');
      },
      { timeout: waitTimeoutMs, interval: 20 },
    );
  } finally {
    vi.useRealTimers();
  }
}

describe('an alert', () => {
  it('on a measure is sent only to recipients for whose rows it holds, and records each evaluation', async () => {
    const alert = { kind: 'measure', measure: 'flights.count', operator: 'gt', value: 2 };
    // 3 flights of ATL, 2 of ORD.
    const id = await create(alert, [viewer('ann', 'ATL'), viewer('amy', 'ATL'), viewer('bob', 'ORD')]);
    expect(await test(id)).toEqual({ ann: 'sent', amy: 'sent', bob: 'skipped' });
    expect(sink.received.flatMap(({ to }) => to).sort()).toEqual(['amy@example.com', 'ann@example.com']);
    const found = await evaluations(id);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(
      expect.objectContaining({ embedTenantName: 'of-atl', recipientCount: 2, holds: true, value: 3, trigger: 'test' }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ embedTenantName: 'of-ord', recipientCount: 1, holds: false, value: 2 }),
    );
    expect((await platform.ok('GET', `${list}/${id}`)).alert).toEqual(alert);
  });

  it('on a measure applies the filters of the notification', async () => {
    const filters = [{ member: 'flights.carrier', operator: 'equals', value: ['Delta'] }];
    const alert = { kind: 'measure', measure: 'flights.count', operator: 'equals', value: 2 };
    expect(await test(await create(alert, [viewer('ann', 'ATL')], { filters }))).toEqual({ ann: 'sent' });
  });

  it('on no rows is sent if the report of a widget is empty', async () => {
    const alert = { kind: 'noRows', widgetId: 'tile' };
    const id = await create(alert, [viewer('ann', 'ATL'), viewer('eve', 'XXX')]);
    expect(await test(id)).toEqual({ ann: 'skipped', eve: 'sent' });
  });

  it('on a change compares with the last scheduled run of the same rights', async () => {
    const id = await create({ kind: 'change', measure: 'flights.count' }, [viewer('ann', 'ATL')]);
    // The first run has no previous value to compare with, and later runs do not compare their value with that of a
    // test.
    expect(await test(id)).toEqual({ ann: 'skipped' });
    await fire(id, '2026-07-01T00:00:00Z');
    await fire(id, '2026-07-02T00:00:00Z');
    expect(sink.received).toHaveLength(0);
    await platform.db.update(notificationEvaluations).set({ value: 1 });
    await fire(id, '2026-07-03T00:00:00Z');
    expect(sink.received).toHaveLength(1);
    expect((await evaluations(id))[0]).toMatchObject({ holds: true, value: 3, previousValue: 1, trigger: 'schedule' });
  });

  it('that cannot be evaluated is retried, and says why', async () => {
    const alert = { kind: 'measure', measure: 'flights.unknown', operator: 'gt', value: 2 };
    const id = await create(alert, [viewer('ann', 'ATL')]);
    expect(await test(id)).toEqual({ ann: 'failed' });
    expect(await evaluations(id)).toMatchObject([{ holds: null, problem: expect.stringContaining('unknown') }]);
    const gone = await create({ kind: 'noRows', widgetId: 'gone' }, [viewer('ann', 'ATL')]);
    expect(await test(gone)).toEqual({ ann: 'failed' });
    expect(await evaluations(gone)).toMatchObject([{ problem: expect.stringContaining('widgetId') }]);
  });

  it('is checked when it is stored, and removed with null', async () => {
    const wrong = [
      [{ kind: 'measure', measure: 'flights.count', operator: 'gt' }, 'body.alert.value'],
      [{ kind: 'noRows' }, 'body.alert.widgetId'],
      [{ kind: 'change' }, 'body.alert.measure'],
    ] as const;
    for (const [alert, field] of wrong) {
      const answer = await platform.call('POST', list, { ...settings(), alert });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    }
    const id = await create({ kind: 'noRows', widgetId: 'tile' }, [viewer('ann', 'ATL')]);
    expect(await platform.ok('PUT', `${list}/${id}`, { hour: 3 })).toMatchObject({ alert: { kind: 'noRows' } });
    expect(await platform.ok('PUT', `${list}/${id}`, { alert: null })).toMatchObject({ alert: null });
    expect(await test(id)).toEqual({ ann: 'sent' });
  });
});
