import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPinnedReports } from '../../../src/platform/content/dashboards/resolve-ai-widgets.js';
import {
  dashboardVersions,
  notificationDeliveries,
  notificationRuns,
  notifications,
  users,
} from '../../../src/platform/db/schema.js';
import { deliveryHandler } from '../../../src/platform/delivery/deliver-run.js';
import { pinnedAnswers } from '../../../src/platform/delivery/row-source.js';
import type { ReportData } from '../../../src/platform/http/route-deps.js';
import { accountConfig } from '../../../src/platform/settings/account-settings.js';
import { waitTimeoutMs } from '../../eventually.js';
import { storeThread } from '../content/dashboards/stored-thread.js';
import { startMailPlatform } from './mail-platform.js';
import { headerOf, partsOf, type ReceivedMail, type SmtpSink, startSmtpSink } from './smtp-sink.js';

const list = '/api/v1/deployments/1/notifications';
const waiting = { timeout: waitTimeoutMs, interval: 20 };

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

/** Returns a recipient of a tenant who may see the flights of one airport. */
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
async function deliver(id: number, time = at, now = new Date(time.getTime() + 5_000)): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now });
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
  it('mails each recipient the rows that its security context allows', async () => {
    const id = await create([viewer('ann', 'ATL'), viewer('bob', 'ORD')]);
    await deliver(id);
    expect(sink.received).toHaveLength(2);
    const [ann, bob] = [mailTo('ann@example.com'), mailTo('bob@example.com')];
    expect(bodyOf(ann, 'text/plain')).toContain('Delta');
    expect(bodyOf(ann, 'text/plain')).not.toMatch(/ORD|United/);
    expect(bodyOf(bob, 'text/plain')).toContain('United');
    expect(bodyOf(bob, 'text/plain')).not.toMatch(/ATL|Delta/);
  });

  it('renders once for recipients with the same permissions, and separately for each tenant', async () => {
    const before = await renderings();
    const atlanta = ['ann', 'amy', 'abe'].map(name => viewer(name, 'ATL'));
    // The same rights, but another tenant.
    const other = { ...viewer('eve', 'ATL'), embedTenantName: 'of-another' };
    await deliver(await create([...atlanta, viewer('bob', 'ORD'), other]));
    expect(sink.received).toHaveLength(5);
    expect((await renderings()) - before).toBe(3);
    const unsubscribe = atlanta.map(({ externalId }) => headerOf(mailTo(externalId), 'List-Unsubscribe'));
    expect(new Set(unsubscribe).size).toBe(3);
  });

  it('applies groups and attributes of the recipient, and never those of the author', async () => {
    // The admin created the notification and has a value of the attribute.
    const [attribute] = (await platform.ok('GET', '/api/v1/user-attributes')).items;
    await platform.ok('POST', '/api/v1/user-attribute-values', {
      userAttributeId: attribute.id,
      userId: 1,
      value: 'United',
    });
    const none = { securityContext: {} };
    const id = await create([
      viewer('all', 'ATL', { ...none, groups: ['everything'] }),
      viewer('carrier', 'ATL', { ...none, userAttributes: [{ name: 'carrier', value: 'Delta' }] }),
      viewer('nothing', 'ATL', none),
    ]);
    await deliver(id);
    expect(bodyOf(mailTo('all@example.com'), 'text/plain')).toMatch(/ATL.*ORD/s);
    expect(bodyOf(mailTo('carrier@example.com'), 'text/plain')).toContain('Delta | 2');
    expect(bodyOf(mailTo('carrier@example.com'), 'text/plain')).not.toContain('United');
    expect(bodyOf(mailTo('nothing@example.com'), 'text/plain')).not.toMatch(/Delta|United/);
    expect(bodyOf(mailTo('nothing@example.com'), 'text/plain')).toContain('This report could not be loaded.');
  });

  it('mails an administrator of the account, without rows of the tenants', async () => {
    await deliver(await create([{ type: 'USER', email: 'admin@localhost' }]));
    // Of the policies, only the one with the admin's own attribute matches.
    expect(bodyOf(mailTo('admin@localhost'), 'text/plain')).toContain('United');
    expect(bodyOf(mailTo('admin@localhost'), 'text/plain')).not.toContain('Delta');
  });

  it('applies the filters of the notification', async () => {
    const filters = [{ member: 'flights.carrier', operator: 'equals', value: ['Delta'] }];
    await deliver(await create([viewer('ann', 'ATL')], { filters }));
    expect(bodyOf(mailTo('ann@example.com'), 'text/plain')).toContain('Delta | 2');
    expect(bodyOf(mailTo('ann@example.com'), 'text/plain')).not.toContain('2+5');
  });

  it('contains the rows of reports in SQL and of pinned answers, as the recipient sees them', async () => {
    const { threadId } = await storeThread(platform.db, [
      { query: { measures: ['flights.count'], dimensions: ['flights.carrier'] } },
    ]);
    const mixed = await platform.publish('mixed', {
      sqlQuery: 'SELECT carrier, MEASURE(count) * 10 AS tens FROM flights GROUP BY 1 ORDER BY 1',
      threadId,
    });
    await deliver(
      await create([viewer('ann', 'ATL'), viewer('bob', 'ORD')], { dashboardId: mixed.id, notificationFormat: 'pdf' }),
    );
    const text = bodyOf(mailTo('ann@example.com'), 'text/plain').replaceAll('\r', '');
    expect(text).toContain('Carrier | Tens\n=2+5 | 10\nDelta | 20');
    expect(text).toContain('Number of flights · Carrier\nCarrier | Number of flights');
    expect(text).not.toMatch(/could not be loaded|United|Private/);
    expect(bodyOf(mailTo('bob@example.com'), 'text/plain')).toContain('United | 10');
    // An export for a session without AI must not contain the answers.
    const versions = await platform.db
      .select()
      .from(dashboardVersions)
      .where(eq(dashboardVersions.dashboardId, mixed.id));
    const config = versions.at(-1)?.config ?? {};
    const data = { meta: expect.unreachable, load: expect.unreachable } as unknown as ReportData;
    const account = await accountConfig(platform.db);
    const session = { data, account, settings: { allowAi: false }, signal: new AbortController().signal };
    const states = await pinnedAnswers(platform.db, { deploymentId: 1, config }, session);
    expect(states.map(({ state }) => state)).toEqual(['unavailable', 'empty']);
    const reports = await findPinnedReports(platform.db, { deploymentId: 1, config }, { ...session, allowAi: false });
    expect(reports.size).toBe(0);
  });

  it('begins with a summary of the rows of the recipient if the notification requests it', async () => {
    const settings = { notificationAiSummary: true, notificationFormat: 'pdf' };
    await deliver(await create([viewer('ann', 'ATL'), viewer('bob', 'ORD')], settings));
    const [ann, bob] = ['ann', 'bob'].map(name => bodyOf(mailTo(`${name}@example.com`), 'text/plain'));
    expect(ann).toMatch(/Summary\s+Flights by carrier: .*Delta/);
    expect(ann).toContain('Written automatically');
    expect(ann).not.toMatch(/ORD|United/);
    expect(bob).toMatch(/Summary\s+Flights by carrier: .*United/);
    expect(bob).not.toMatch(/ATL|Delta/);
    expect(bodyOf(mailTo('bob@example.com'), 'text/html')).toMatch(/<h2[^>]*>Summary<\/h2>/);
  });

  it('says why it has no summary', async () => {
    const settings = { notificationAiSummary: true, notificationFormat: 'pdf' };
    await platform.ok('PUT', '/api/v1/app-config', { embedding: { allowAi: false } });
    await deliver(await create([viewer('ann', 'ATL')], settings));
    await platform.ok('PUT', '/api/v1/app-config', { embedding: { allowAi: null } });
    expect(bodyOf(mailTo('ann@example.com'), 'text/plain')).toContain('No summary: AI is disabled.');
    sink.received.length = 0;
    await deliver(await create([viewer('ann', 'LAX')], settings));
    expect(bodyOf(mailTo('ann@example.com'), 'text/plain')).toContain('No summary: no report');
  });

  it('escapes values in HTML, and loads nothing from outside', async () => {
    await deliver(await create([viewer('ann', 'ATL'), viewer('bob', 'ORD')], { notificationFormat: 'pdf' }));
    expect(bodyOf(mailTo('bob@example.com'), 'text/html')).toContain('&lt;b&gt;Ünited&lt;/b&gt;');
    expect(bodyOf(mailTo('bob@example.com'), 'text/html')).not.toMatch(/<b>|<script|<link|url\(|src="(?!cid:)/);
    expect(headerOf(mailTo('ann@example.com'), 'Subject')).toBe('Flights, today');
    expect(headerOf(mailTo('ann@example.com'), 'Reply-To')).toBe('help@example.com');
  });

  it('contains a hostile title as text only: no headers, markup or characters that change the direction', async () => {
    const title = 'Report\u202Egnp.exe\r\nBcc: eve@evil.example\r\n\r\n<img src=x onerror=alert(1)>\u2066';
    const hostile = await platform.publish('hostile', { title });
    await deliver(await create([viewer('ann', 'ATL')], { dashboardId: hostile.id, notificationFormat: 'pdf' }));
    const mail = mailTo('ann@example.com');
    expect(mail.to).toEqual(['ann@example.com']);
    expect(headerOf(mail, 'Bcc')).toBeNull();
    const subject = headerOf(mail, 'Subject') ?? '';
    expect(subject).toContain('gnp.exe Bcc: eve@evil.example <img');
    const text = bodyOf(mail, 'text/plain');
    for (const part of [subject, text, mail.raw]) expect(part).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(bodyOf(mail, 'text/html')).not.toContain('<img');
    expect(bodyOf(mail, 'text/html')).toContain('&lt;img src=x');
    const file = partsOf(mail).find(({ type }) => type === 'application/pdf');
    expect(file?.head).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|E2%80%AE/);
  });

  it('shows an attached image of the dashboard', async () => {
    await deliver(await create([viewer('ann', 'ATL'), viewer('amy', 'ATL'), viewer('bob', 'ORD')]));
    const pictures = ['ann', 'amy', 'bob'].map(name => {
      const mail = mailTo(`${name}@example.com`);
      expect(bodyOf(mail, 'text/html')).toContain('<img src="cid:dashboard" alt="Flights, today"');
      const part = partsOf(mail).find(({ type }) => type === 'image/png');
      expect(part?.head).toMatch(/content-id: <dashboard>/i);
      expect(part?.head).toContain('filename="Flights, today.png"');
      return part?.body;
    });
    expect(pictures[0]).toMatch(/^.PNG/);
    expect(pictures[0]).toBe(pictures[1]);
    expect(pictures[0]).not.toBe(pictures[2]);
  });

  it('attaches a PDF with tables in the message', async () => {
    await deliver(await create([viewer('ann', 'ATL')], { notificationFormat: 'pdf' }));
    const part = partsOf(mailTo('ann@example.com')).find(({ type }) => type === 'application/pdf');
    expect(part?.head).toContain('filename="Flights, today.pdf"');
    expect(part?.body).toMatch(/^%PDF-/);
    expect(bodyOf(mailTo('ann@example.com'), 'text/html')).toContain('Delta');
  });

  it('contains the rows although downloads are restricted', async () => {
    await platform.ok('PUT', '/api/v1/app-config', { restrictDataDownload: true });
    await deliver(await create([viewer('ann', 'ATL')], { notificationFormat: 'pdf' }));
    await platform.ok('PUT', '/api/v1/app-config', { restrictDataDownload: false });
    expect(bodyOf(mailTo('ann@example.com'), 'text/html')).toContain('Delta');
  });

  it('does not mail a dashboard that the recipient cannot open', async () => {
    const hidden = await platform.publish('hidden', { shared: false });
    const id = await create([viewer('ann', 'ATL')], { dashboardId: hidden.id });
    await deliver(id);
    expect(sink.received.flatMap(({ to }) => to)).toEqual(['admin@localhost']);
    expect(await deliveriesOf(id)).toMatchObject([
      { purpose: 'dashboard', state: 'dead', attempts: 0, problem: expect.stringContaining('not shared') },
      { purpose: 'failure-notice', state: 'sent' },
    ]);
  });
});

describe('a delivery', () => {
  it('is repeated after a temporary failure, with the same id, and not after a permanent one', async () => {
    const replies = new Map([
      ['later@example.com', { code: 451, message: 'try later' }],
      ['never@example.com', { code: 550, message: 'no such user' }],
    ]);
    sink.onRecipient = address => replies.get(address) ?? null;
    const id = await create(['ann', 'later', 'never'].map(name => viewer(name, 'ATL')));
    await platform.fire(id, at);
    await vi.waitFor(
      async () => expect(await statesOf(id)).toEqual({ ann: 'sent', later: 'failed', never: 'dead' }),
      waiting,
    );
    const [failed] = (await deliveriesOf(id)).filter(({ state }) => state === 'failed');
    expect(failed).toMatchObject({ responseCode: 451, problem: expect.stringContaining('try later'), attempts: 1 });
    expect(failed && failed.dueAt.getTime() - failed.updatedAt.getTime()).toBe(60_000);
    replies.delete('later@example.com');
    await retryNow(id);
    await vi.waitFor(async () => expect(await statesOf(id)).toMatchObject({ later: 'sent', admin: 'sent' }), waiting);
    expect(sink.received.map(({ to }) => to[0]).sort()).toEqual([
      'admin@localhost',
      'ann@example.com',
      'later@example.com',
    ]);
    expect(headerOf(mailTo('later@example.com'), 'Message-ID')).toBe(`<${failed?.messageId}@example.com>`);
    // The owner receives the failed messages, after the last retry.
    const notice = mailTo('admin@localhost');
    expect(headerOf(notice, 'Subject')).toBe('Not delivered: Flights, today');
    expect(bodyOf(notice, 'text/plain')).toMatch(/1 of 3 messages.*never@example.com: .*550 no such user/s);
    expect(headerOf(notice, 'List-Unsubscribe')).toBeNull();
  });

  it('waits together with the rest of the run if the server is not available', async () => {
    sink.onMessage = () => ({ code: 421, message: 'shutting down' });
    const id = await create(['ann', 'amy', 'abe'].map(name => viewer(name, 'ATL')));
    await platform.fire(id, at);
    await vi.waitFor(
      async () => expect(await statesOf(id)).toEqual({ ann: 'failed', amy: 'failed', abe: 'failed' }),
      waiting,
    );
    expect((await deliveriesOf(id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    sink.onMessage = () => null;
    await retryNow(id);
    await vi.waitFor(
      async () => expect(await statesOf(id)).toEqual({ ann: 'sent', amy: 'sent', abe: 'sent' }),
      waiting,
    );
    expect(sink.received).toHaveLength(3);
  });

  it('is given up after 8 attempts', async () => {
    sink.onRecipient = address => (address === 'ann@example.com' ? { code: 450, message: 'full' } : null);
    const id = await create([viewer('ann', 'ATL')]);
    await platform.fire(id, at);
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual({ ann: 'failed' }), waiting);
    await platform.db.update(notificationDeliveries).set({ attempts: 7 });
    await retryNow(id);
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual({ ann: 'dead', admin: 'sent' }), waiting);
  });

  it('is canceled if the notification is disabled before it is repeated', async () => {
    sink.onRecipient = address => (address === 'later@example.com' ? { code: 451, message: 'later' } : null);
    const id = await create([viewer('ann', 'ATL'), viewer('later', 'ATL')]);
    await platform.fire(id, at);
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual({ ann: 'sent', later: 'failed' }), waiting);
    await platform.ok('PUT', `${list}/${id}`, { notificationEnabled: false });
    sink.onRecipient = () => null;
    await retryNow(id);
    await vi.waitFor(async () => expect((await runsOf(id)).map(({ state }) => state)).toEqual(['done']), waiting);
    expect(await statesOf(id)).toEqual({ ann: 'sent', later: 'canceled' });
    expect(sink.received.flatMap(({ to }) => to)).toEqual(['ann@example.com']);
  });

  it('that failed permanently is reported to the owner', async () => {
    sink.onRecipient = () => ({ code: 451, message: 'later' });
    const id = await create([viewer('ann', 'ATL')]);
    await platform.fire(id, at);
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual({ ann: 'failed' }), waiting);
    sink.onRecipient = () => null;
    const [run] = await runsOf(id);
    // The queue calls this after the last attempt of the job.
    const refuse = () => Promise.reject(new Error('unused'));
    const handler = deliveryHandler({
      db: platform.db,
      sender: { canSend: true, send: refuse, close: () => {} },
      channels: { slack: null, webhook: null },
      dataOf: () => null,
      writeSummary: async () => [],
      unsubscribeUrl: () => '',
      onFailure: () => {},
    });
    await handler.failPermanently({ runId: run?.id });
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual({ ann: 'dead', admin: 'sent' }), waiting);
    expect(bodyOf(mailTo('admin@localhost'), 'text/plain')).toContain(
      'ann@example.com: The delivery failed repeatedly',
    );
    await vi.waitFor(async () => expect((await runsOf(id)).map(({ state }) => state)).toEqual(['done']), waiting);
  });

  it('is dropped if the recipient unsubscribes with one click before it is repeated', async () => {
    sink.onMessage = () => ({ code: 451, message: 'later' });
    const id = await create([viewer('ann', 'ATL')]);
    let url = '';
    sink.onMessage = mail => {
      url = headerOf(mail, 'List-Unsubscribe')?.slice(1, -1) ?? '';
      return { code: 451, message: 'later' };
    };
    await platform.fire(id, at);
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual({ ann: 'failed' }), waiting);
    const { pathname, origin } = new URL(url);
    expect(origin).toBe('https://platform.example');
    const noKey = { authorization: '', 'content-type': 'application/x-www-form-urlencoded' };
    // Scanners open links with GET, which changes nothing.
    const page = await platform.call('GET', pathname, undefined, noKey);
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining(`${pathname}/confirm`) });
    expect((await platform.ok('GET', `${list}/${id}/recipients`)).items).toHaveLength(1);
    const click = () => platform.call('POST', pathname, 'List-Unsubscribe=One-Click', noKey);
    expect(await click()).toMatchObject({ status: 204 });
    expect(await click()).toMatchObject({ status: 204 });
    expect((await platform.ok('GET', `${list}/${id}/recipients`)).items).toEqual([]);
    await retryNow(id);
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual({}), waiting);
    const forged = `${pathname.slice(0, -2)}AA`;
    expect(await platform.call('POST', forged, '', noKey)).toMatchObject({ status: 404 });
    expect(await platform.call('GET', forged, undefined, noKey)).toMatchObject({ status: 404 });
  });

  it('is listed with its recipient, also by state and run', async () => {
    sink.onRecipient = address => (address === 'never@example.com' ? { code: 550, message: 'no such user' } : null);
    const id = await create([viewer('ann', 'ATL'), viewer('never', 'ATL')]);
    const sent = await platform.ok('POST', `${list}/${id}/send`);
    expect(sent.deliveries).toHaveLength(2);
    expect(sent.deliveries).toContainEqual(
      expect.objectContaining({
        runId: sent.runId,
        trigger: 'test',
        purpose: 'dashboard',
        state: 'dead',
        attempts: 1,
        responseCode: 550,
        problem: 'The mail server replied: 550 no such user',
        nextAttemptAt: null,
        recipient: expect.objectContaining({
          type: 'EMBED_USER',
          embedTenantName: 'of-atl',
          email: 'never@example.com',
        }),
      }),
    );
    // A test returns the result to the caller and does not mail the owner.
    expect(sink.received.flatMap(({ to }) => to)).toEqual(['ann@example.com']);
    const path = `${list}/${id}/deliveries`;
    const dead = await platform.ok('GET', `${path}?state=dead&runId=${sent.runId}`);
    expect(dead.items.map(({ state }: { state: string }) => state)).toEqual(['dead']);
    expect((await platform.ok('GET', `${path}?runId=999999`)).items).toEqual([]);
    await vi.waitFor(async () => {
      const { items } = await platform.ok('GET', `${list}/${id}/runs`);
      expect(items).toMatchObject([
        { id: sent.runId, trigger: 'test', state: 'done', deliveries: { sent: 1, dead: 1 } },
      ]);
    }, waiting);
  });

  it('is counted in the metrics, with dead letters', async () => {
    const hidden = await platform.publish('hidden-too', { shared: false });
    await deliver(await create([viewer('ann', 'ATL')], { dashboardId: hidden.id }));
    expect(await metric('pa_notification_dead_letters')).toBe(1);
    expect(await metric('pa_notification_deliveries_total{event="dead"}')).toBeGreaterThanOrEqual(1);
  });
});

describe('a schedule', () => {
  it('sends the latest run that a stopped platform missed, and records the earlier ones as skipped', async () => {
    const id = await create([viewer('ann', 'ATL')]);
    // Three runs are due when the platform starts.
    await platform.db
      .update(notifications)
      .set({ nextRunAt: new Date('2026-06-29T07:00:00Z') })
      .where(eq(notifications.id, id));
    await deliver(id, new Date('2026-06-29T07:00:00Z'), new Date('2026-07-01T12:00:00Z'));
    expect(sink.received).toHaveLength(1);
    const runs = await platform.db.select().from(notificationRuns).orderBy(notificationRuns.scheduledAt);
    expect(runs.map(({ scheduledAt, state }) => `${scheduledAt.toISOString()} ${state}`)).toEqual([
      '2026-06-29T07:00:00.000Z skipped',
      '2026-06-30T07:00:00.000Z skipped',
      '2026-07-01T07:00:00.000Z done',
    ]);
    const [{ nextRunAt } = { nextRunAt: null }] = await platform.db.select().from(notifications);
    expect(nextRunAt?.toISOString()).toBe('2026-07-02T07:00:00.000Z');
  });

  it('does not send a disabled notification, and starts an enabled one with its next time', async () => {
    const id = await create([viewer('ann', 'ATL')]);
    await platform.ok('PUT', `${list}/${id}`, { isEnabled: false });
    await platform.fire(id, at);
    const other = await create([viewer('bob', 'ORD')]);
    await deliver(other);
    expect(sink.received.flatMap(({ to }) => to)).toEqual(['bob@example.com']);
    await platform.ok('PUT', `${list}/${id}`, { isEnabled: true });
    const [stored] = await platform.db.select().from(notifications).where(eq(notifications.id, id));
    expect(stored?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
  });
});

async function runsOf(id: number) {
  const runs = await platform.db.select().from(notificationRuns).where(eq(notificationRuns.notificationId, id));
  return runs.filter(({ state }) => state !== 'skipped');
}

async function deliveriesOf(id: number) {
  const rows = await platform.db
    .select({ delivery: notificationDeliveries })
    .from(notificationDeliveries)
    .innerJoin(notificationRuns, eq(notificationRuns.id, notificationDeliveries.runId))
    .where(eq(notificationRuns.notificationId, id))
    .orderBy(notificationDeliveries.id);
  return rows.map(({ delivery }) => delivery);
}

/** Returns the state of each delivery by the local part of its recipient. */
async function statesOf(id: number): Promise<Record<string, string>> {
  const deliveries = await deliveriesOf(id);
  const known = await platform.db.select().from(users);
  return Object.fromEntries(
    deliveries.map(({ userId, state }) => {
      const user = known.find(each => each.id === userId);
      return [(user?.externalId ?? user?.email ?? '').split('@')[0] ?? '', state];
    }),
  );
}

/** Makes retries due. */
async function retryNow(id: number): Promise<void> {
  await platform.db.update(notificationDeliveries).set({ dueAt: new Date(0) });
  // The next run of the schedule is in the future, so that only retries are due.
  await platform.fire(id, new Date('2126-01-01T00:00:00Z'));
}

async function metric(name: string): Promise<number> {
  const response = await platform.platform.ops(new Request('http://localhost/metrics'));
  const line = (await response.text()).split('\n').find(each => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
const renderings = () => metric('pa_notification_deliveries_total{event="rendered"}');
