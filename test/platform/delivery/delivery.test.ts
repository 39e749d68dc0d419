import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { notificationRuns, notifications } from '../../../src/platform/db/schema.js';
import { startMailPlatform } from './mail-platform.js';
import { partsOf, type ReceivedMail, type SmtpSink, startSmtpSink } from './smtp-sink.js';

const list = '/api/v1/deployments/1/notifications';
const waiting = { timeout: 30_000, interval: 20 };

let sink: SmtpSink;
let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let dashboard: { id: number; publicId: string };

beforeAll(async () => {
  sink = await startSmtpSink();
  platform = await startMailPlatform({
    mail: { smtpUrl: sink.url, from: 'Reports <reports@example.com>', replyTo: 'help@example.com' },
  });
  dashboard = await platform.publish('flights', { title: 'Flights, today' });
  await platform.ok('POST', '/api/v1/user-attributes', { name: 'carrier', type: 'string' });
});

afterEach(async () => {
  await platform.db.delete(notifications);
  sink.received.length = 0;
  sink.onRecipient = () => null;
  sink.onMessage = () => null;
  expect(platform.failures.splice(0)).toEqual([]);
});

afterAll(async () => {
  await platform?.stop();
  await sink?.close();
});

/** A recipient of a tenant who may see the flights of one airport. */
const viewer = (name: string, airport: string, more: object = {}) => ({
  type: 'EMBED_USER',
  embedTenantName: `of-${airport.toLowerCase()}`,
  externalId: `${name}@example.com`,
  securityContext: { airport },
  ...more,
});

async function create(recipients: readonly object[], body: object = {}): Promise<number> {
  const created = await platform.ok('POST', list, {
    dashboardId: dashboard.id,
    scheduleType: 'DAILY',
    hour: 9,
    timezone: 'Europe/Berlin',
    ...body,
  });
  if (recipients.length > 0) await platform.ok('POST', `${list}/${created.id}/recipients`, { recipients });
  return created.id;
}

const at = new Date('2026-07-01T07:00:00Z');

/** Fires a notification and resolves once its latest run has ended. */
async function deliver(id: number, time = at): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time.getTime() + 5_000), shouldAdvanceTime: true });
  try {
    await platform.fire(id, time);
    await vi.waitFor(async () => {
      const runs = await platform.db.select().from(notificationRuns).where(eq(notificationRuns.notificationId, id));
      expect(runs.map(({ state }) => state)).toContain('done');
    }, waiting);
  } finally {
    vi.useRealTimers();
  }
}

const mailTo = (address: string): ReceivedMail => {
  const found = sink.received.filter(({ to }) => to.includes(address));
  expect(found).toHaveLength(1);
  return found[0] as ReceivedMail;
};
const bodyOf = (mail: ReceivedMail, type: string) => partsOf(mail).find(part => part.type === type)?.body ?? '';

describe('a scheduled notification', () => {
  it('mails each recipient the rows of its own security context', async () => {
    const id = await create([viewer('ann', 'ATL'), viewer('bob', 'ORD')]);
    await deliver(id);
    expect(sink.received).toHaveLength(2);
    const [ann, bob] = [mailTo('ann@example.com'), mailTo('bob@example.com')];
    for (const type of ['text/html', 'text/plain', 'text/csv']) {
      expect(bodyOf(ann, type)).toContain('Delta');
      expect(ann.raw).not.toMatch(/ORD|United/);
      expect(bodyOf(bob, type)).toContain('United');
      expect(bob.raw).not.toMatch(/ATL|Delta/);
    }
  });
});
