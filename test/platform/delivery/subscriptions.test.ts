import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { mentionMailKind } from '../../../src/platform/content/dashboards/comment-mentions.js';
import {
  accounts,
  jobs,
  notificationDeliveries,
  notificationRecipients,
  notifications,
  users,
} from '../../../src/platform/db/schema.js';
import { waitTimeoutMs } from '../../eventually.js';
import { startMailPlatform } from './mail-platform.js';
import { headerOf, partsOf, type ReceivedMail, type SmtpSink, startSmtpSink } from './smtp-sink.js';

const waiting = { timeout: waitTimeoutMs, interval: 20 };

let sink: SmtpSink;
let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let publicId: string;

beforeAll(async () => {
  sink = await startSmtpSink();
  platform = await startMailPlatform({ mail: { smtpUrl: sink.url, from: 'reports@example.com' } });
  ({ publicId } = await platform.publish('flights', { title: 'Flights' }));
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

/** Returns an embed token of a viewer who may subscribe. */
async function viewer(name: string, airport: string, grant: object = {}): Promise<string> {
  const { sessionId } = await platform.ok('POST', '/api/v1/embed/generate-session', {
    deploymentId: 1,
    externalId: name,
    email: `${name}@example.com`,
    embedTenantName: `of-${airport.toLowerCase()}`,
    securityContext: { airport },
    settings: { allowSubscriptions: true, locale: 'de' },
    ...grant,
  });
  return (await platform.ok('POST', '/api/v1/embed/session/token', { sessionId })).token;
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const daily = { scheduleType: 'DAILY', hour: 9, minute: 30, timezone: 'Europe/Berlin' };

async function call(token: string, method: string, path = '', body?: object) {
  return platform.call(method, `/api/v1/embed/dashboard/${publicId}/subscriptions${path}`, body, as(token));
}

async function subscribe(token: string, body: object = daily): Promise<number> {
  const answer = await call(token, 'POST', '', body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return answer.body.id;
}

describe('A mention', () => {
  it('is mailed once to each mentioned user of the tenant, but not to its author or to other tenants', async () => {
    await platform.db.update(accounts).set({ appConfig: { embedding: { enableDashboardComments: true } } });
    const ann = await viewer('ann', 'ATL', { userProfile: { displayName: 'Ann <b>' } });
    for (const name of ['bob', 'cleo', 'gone']) await viewer(name, 'ATL');
    await viewer('zoe', 'ORD');
    await platform.db.update(users).set({ deactivatedAt: new Date() }).where(eq(users.externalId, 'gone'));
    const comments = `/api/v1/embed/dashboard/${publicId}/comments`;
    const say = (body: string) => platform.call('POST', comments, { body }, as(ann));
    const body = '@[bob] @[bob] @[zoe] @[ann] @[gone] @[cleo] look:\n<script>alert(1)</script>';
    expect(await say(body)).toMatchObject({ status: 200 });
    await vi.waitFor(() => expect(sink.received).toHaveLength(2), waiting);
    const isDone = async () => expect(await platform.db.$count(jobs, eq(jobs.kind, mentionMailKind))).toBe(0);
    await vi.waitFor(isDone, waiting);
    expect(sink.received.flatMap(({ to }) => to).sort()).toEqual(['bob@example.com', 'cleo@example.com']);
    const parts = partsOf(sink.received[0] as ReceivedMail);
    expect(parts.find(({ type }) => type === 'text/html')?.body).not.toMatch(/<script|<b>/);
    const text = parts.find(({ type }) => type === 'text/plain')?.body;
    expect(text).toContain('Ann <b> mentioned you: Flights');
    expect(text).toContain('look:\r\n<script>alert(1)</script>');
  });
});

describe('A subscription', () => {
  it('is listed for its subscriber with schedule, filters and address', async () => {
    const ann = await viewer('ann', 'ATL');
    const filters = [{ member: 'flights.carrier', operator: 'equals', value: 'Delta' }];
    const id = await subscribe(ann, { ...daily, filters });
    expect((await call(ann, 'GET')).body).toEqual({
      email: 'ann@example.com',
      items: [
        {
          id,
          ...daily,
          notificationFormat: 'png',
          filters,
          memberSwitchers: null,
          timeGrains: null,
          isEnabled: true,
          nextRunAt: expect.any(String),
          createdAt: expect.any(String),
        },
      ],
    });
  });

  it('is mailed to its subscriber with the filters, in the language and with the rows of the session', async () => {
    const ann = await viewer('ann', 'ATL');
    const id = await subscribe(ann, {
      ...daily,
      notificationFormat: 'pdf',
      filters: [{ member: 'flights.carrier', operator: 'equals', value: 'Delta' }],
    });
    expect(await call(ann, 'POST', `/${id}/send?waitSeconds=60`)).toEqual({ status: 200, body: { state: 'sent' } });
    const [mail] = sink.received;
    expect(sink.received.map(({ to }) => to)).toEqual([['ann@example.com']]);
    const text = partsOf(mail as ReceivedMail).find(part => part.type === 'text/plain')?.body ?? '';
    expect(text).toContain('ATL | Delta | 2');
    expect(text).not.toMatch(/ORD|=2\+5/);
    expect(text).toContain('Abbestellen');
  });

  it('keeps the security context of its session, and takes that of the session that repeats it', async () => {
    const id = await subscribe(await viewer('bea', 'ATL'));
    await viewer('bea', 'ATL', { securityContext: { airport: 'ORD' } });
    const contexts = async () => (await platform.db.select().from(notificationRecipients)).map(({ embed }) => embed);
    expect(await contexts()).toEqual([{ securityContext: { airport: 'ATL' } }]);
    expect(await subscribe(await viewer('bea', 'ATL', { securityContext: { airport: 'ORD' } }))).toBe(id);
    expect(await contexts()).toEqual([{ securityContext: { airport: 'ORD' } }]);
  });

  it('fires by its schedule', async () => {
    const ann = await viewer('ann', 'ATL');
    const at = new Date('2026-07-01T07:30:00Z');
    const id = await subscribe(ann);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(at.getTime() + 5_000) });
    try {
      await platform.fire(id, at);
      await vi.waitFor(() => expect(sink.received).toHaveLength(1), waiting);
    } finally {
      vi.useRealTimers();
    }
    await vi.waitFor(async () => {
      const states = await platform.db.select().from(notificationDeliveries);
      expect(states.map(({ state }) => state)).toEqual(['sent']);
    }, waiting);
  });

  it('ends by its subscriber, and by the address in the header List-Unsubscribe', async () => {
    const ann = await viewer('ann', 'ATL');
    const id = await subscribe(ann);
    expect(await call(ann, 'DELETE', `/${id}`)).toMatchObject({ status: 204 });
    expect((await call(ann, 'GET')).body.items).toEqual([]);

    const other = await subscribe(ann);
    expect(await call(ann, 'POST', `/${other}/send?waitSeconds=0`)).toMatchObject({ status: 200 });
    await vi.waitFor(() => expect(sink.received).toHaveLength(1), waiting);
    const header = headerOf(sink.received[0] as ReceivedMail, 'List-Unsubscribe') ?? '';
    const url = new URL(header.replaceAll(/[<>]/g, ''));
    expect(await platform.call('POST', url.pathname, 'List-Unsubscribe=One-Click')).toMatchObject({ status: 204 });
    expect((await call(ann, 'GET')).body.items).toEqual([]);
    expect(await platform.db.select().from(notifications)).toEqual([]);
  });

  it('is a notification that an administrator finds, disables and deletes, but extends by no recipient', async () => {
    const ann = await viewer('ann', 'ATL');
    const id = await subscribe(ann);
    const path = '/api/v1/deployments/1/notifications';
    const found = `${path}?recipientEmbedTenantName=of-atl&recipientExternalId=ann`;
    expect((await platform.ok('GET', found)).items).toMatchObject([{ id, subscriberId: expect.any(Number) }]);
    const recipients = [{ type: 'EMBED_USER', embedTenantName: 'of-ord', externalId: 'zoe@example.com' }];
    expect(await platform.call('POST', `${path}/${id}/recipients`, { recipients })).toMatchObject({ status: 409 });
    await platform.ok('PUT', `${path}/${id}`, { isEnabled: false });
    expect((await call(ann, 'GET')).body.items).toMatchObject([{ id, isEnabled: false, nextRunAt: null }]);
    await platform.ok('DELETE', `${path}/${id}`);
    expect((await call(ann, 'GET')).body.items).toEqual([]);
  });

  it('is deleted with its recipient', async () => {
    const id = await subscribe(await viewer('ann', 'ATL'));
    const [recipient] = await platform.db.select().from(notificationRecipients);
    const recipients = [{ type: 'EMBED_USER', id: recipient?.userId }];
    await platform.ok('DELETE', `/api/v1/deployments/1/notifications/${id}/recipients`, { recipients });
    expect(await platform.db.select().from(notifications)).toEqual([]);
  });

  it('can be sent on request at most once a minute', async () => {
    const ann = await viewer('ann', 'ATL');
    const id = await subscribe(ann);
    expect(await call(ann, 'POST', `/${id}/send?waitSeconds=0`)).toMatchObject({ status: 200 });
    expect(await call(ann, 'POST', `/${id}/send`)).toMatchObject({ status: 429 });
    await vi.waitFor(() => expect(sink.received).toHaveLength(1), waiting);
  });

  it('is limited in number per viewer, also if requests are concurrent', async () => {
    const ann = await viewer('ann', 'ATL');
    const answers = await Promise.all(
      Array.from({ length: 23 }, (_, minute) => call(ann, 'POST', '', { scheduleType: 'HOURLY', minute })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(200), ...Array(3).fill(409)]);
  });
});

describe('The platform rejects', () => {
  it('a session without allowSubscriptions', async () => {
    const ann = await viewer('ann', 'ATL', { settings: {} });
    for (const method of ['GET', 'POST']) {
      const answer = await call(ann, method, '', method === 'POST' ? daily : undefined);
      expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('allowSubscriptions') } });
    }
  });

  it('a viewer without an email, and an external id that is an address is one', async () => {
    const refused = await viewer('eve', 'ATL', { email: null });
    expect((await call(refused, 'GET')).body).toEqual({ email: null, items: [] });
    expect(await call(refused, 'POST', '', daily)).toMatchObject({ status: 403 });
    const accepted = await viewer('eve@example.com', 'ATL', { email: null });
    await subscribe(accepted);
    expect((await call(accepted, 'GET')).body.email).toBe('eve@example.com');
  });

  it.each([
    ['a recipient', { recipients: [{ type: 'USER', email: 'victim@example.com' }] }],
    ['an email', { email: 'victim@example.com' }],
    ['a security context', { securityContext: { airport: 'ORD' } }],
    ['a cron expression', { customCron: '* * * * *' }],
    ['a custom schedule', { scheduleType: 'CUSTOM' }],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }],
    ['an invalid language', { locale: 'not a language' }],
  ])('%s in the body', async (_what, more) => {
    const ann = await viewer('ann', 'ATL');
    expect(await call(ann, 'POST', '', { ...daily, ...more })).toMatchObject({ status: 400 });
  });

  it('requests for the subscription of another user, or for a subscription to another dashboard', async () => {
    const ann = await viewer('ann', 'ATL');
    const id = await subscribe(ann);
    // The same name in another tenant is another user.
    for (const other of [await viewer('ann', 'ORD'), await viewer('bob', 'ATL')]) {
      expect((await call(other, 'GET')).body.items).toEqual([]);
      expect(await call(other, 'DELETE', `/${id}`)).toMatchObject({ status: 404 });
      expect(await call(other, 'POST', `/${id}/send`)).toMatchObject({ status: 404 });
    }
    const elsewhere = await platform.publish('elsewhere');
    const path = `/api/v1/embed/dashboard/${elsewhere.publicId}/subscriptions`;
    expect(await platform.call('DELETE', `${path}/${id}`, undefined, as(ann))).toMatchObject({ status: 404 });
    expect((await platform.call('GET', path, undefined, as(ann))).body.items).toEqual([]);
    expect((await call(ann, 'GET')).body.items).toMatchObject([{ id }]);
    expect(sink.received).toEqual([]);
  });

  it('a dashboard that is not shared with the tenant', async () => {
    const secret = await platform.publish('secret', { shared: false });
    const path = `/api/v1/embed/dashboard/${secret.publicId}/subscriptions`;
    const ann = await viewer('ann', 'ATL');
    expect(await platform.call('POST', path, daily, as(ann))).toMatchObject({ status: 404 });
  });
});
