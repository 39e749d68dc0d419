import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { notificationDeliveries, notifications } from '../../../src/platform/db/schema.js';
import type { ChannelMessage } from '../../../src/platform/delivery/channels/channel.js';
import { readChannelOptions, webhookProblem } from '../../../src/platform/delivery/channels/channel-options.js';
import { openSlackSender } from '../../../src/platform/delivery/channels/slack-sender.js';
import { openWebhookSender } from '../../../src/platform/delivery/channels/webhook-sender.js';
import { isPublicAddress } from '../../../src/platform/runtime/public-address.js';
import { selfSigned } from '../../cli/server/self-signed.js';
import { waitTimeoutMs } from '../../eventually.js';
import { startMailPlatform } from './mail-platform.js';

const list = '/api/v1/deployments/1/notifications';
const waiting = { timeout: waitTimeoutMs, interval: 20 };
const secretBytes = Buffer.alloc(32, 7);
const webhookSecret = `whsec_${secretBytes.toString('base64')}`;

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Records all requests, and responds with the result of a function. */
function recorder() {
  const state = {
    received: [] as Received[],
    answer: (_request: Received, response: ServerResponse): void => void response.end('{"ok":true}'),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const received = { path: request.url ?? '', headers: request.headers, body: await buffer(request) };
    state.received.push(received);
    state.answer(received, response);
  };
  return { state, handle: (request: IncomingMessage, response: ServerResponse) => void handle(request, response) };
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const [hook, slack] = [recorder(), recorder()];
const slackServer = createHttpServer(slack.handle);
let hookServer: ReturnType<typeof createServer>;
let platform: Awaited<ReturnType<typeof startMailPlatform>>;
let dashboard: { id: number; publicId: string };
let hookUrl: string;
let testing: { slackUrl: string; isAllowedAddress: () => boolean; certificateAuthority: string };

beforeAll(async () => {
  const { cert, key } = selfSigned('localhost');
  hookServer = createServer({ cert, key }, hook.handle).listen(0, '127.0.0.1');
  slackServer.listen(0, '127.0.0.1');
  await Promise.all([once(hookServer, 'listening'), once(slackServer, 'listening')]);
  hookUrl = `https://localhost:${portOf(hookServer)}/hook?a=1`;
  const slackUrl = `http://127.0.0.1:${portOf(slackServer)}`;
  testing = { slackUrl, isAllowedAddress: () => true, certificateAuthority: cert };
  platform = await startMailPlatform({
    channels: {
      webhookHosts: [new URL(hookUrl).host],
      webhookSecret,
      slackToken: 'xoxb-test-token',
      testing,
    },
  });
  dashboard = await platform.publish('flights', { title: 'Flights <!channel> today' });
});

afterEach(async () => {
  await platform.db.delete(notifications);
  hook.state.received.length = 0;
  slack.state.received.length = 0;
  expect(platform.failures.splice(0)).toEqual([]);
});

afterAll(async () => {
  await platform?.stop();
  hookServer?.close();
  slackServer.close();
});

async function create(recipients: readonly object[], body: object = {}): Promise<number> {
  const settings = { dashboardId: dashboard.id, scheduleType: 'DAILY', ...body };
  const { id } = await platform.ok('POST', list, settings);
  await platform.ok('POST', `${list}/${id}/recipients`, { recipients });
  return id;
}

/** Returns a channel of the tenant that may see the flights of one airport. */
const ofAirport = (airport: string) => ({ securityContext: { airport } });

async function send(id: number) {
  const { deliveries } = await platform.ok('POST', `${list}/${id}/send`);
  return deliveries;
}

const message: ChannelMessage = {
  messageId: 'id',
  notificationId: 1,
  dashboardPublicId: '',
  title: '',
  scheduledAt: new Date(0),
  isTest: true,
  text: '',
  summary: null,
  reports: [],
  files: [],
};

describe('a webhook', () => {
  const webhook = () => ({ type: 'WEBHOOK', url: hookUrl, ...ofAirport('ATL') });

  it('receives the rows that its security context allows, with a Standard Webhooks signature', async () => {
    const [delivery] = await send(await create([webhook()]));
    expect(delivery).toMatchObject({ state: 'sent', responseCode: 200, recipient: { type: 'WEBHOOK', url: hookUrl } });
    const [request] = hook.state.received;
    const { headers, body, path } = request as Received;
    expect(path).toBe('/hook?a=1');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', secretBytes).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(60);
    const content = JSON.parse(body.toString());
    expect(content).toMatchObject({
      type: 'notification',
      id: delivery.messageId,
      isTest: true,
      dashboardPublicId: dashboard.publicId,
      files: [{ contentType: 'image/png' }],
    });
    expect(content.reports[0].columns.map(({ name }: { name: string }) => name)).toContain('flights.carrier');
    expect(JSON.stringify(content.reports)).toContain('Delta');
    expect(JSON.stringify(content.reports)).not.toMatch(/ORD|United/);
  });

  it.each([
    [503, 'failed'],
    [429, 'failed'],
    [404, 'dead'],
    [302, 'dead'],
  ])('with status %i is %s, and redirects are not followed', async (status, state) => {
    hook.state.answer = (_, response) => void response.writeHead(status, { location: '/elsewhere' }).end();
    const [delivery] = await send(await create([webhook()]));
    expect(delivery).toMatchObject({ state, responseCode: status, attempts: 1 });
    expect(hook.state.received).toHaveLength(1);
    hook.state.answer = (_, response) => void response.end('{"ok":true}');
  });

  it('is repeated by the ledger with the same id', async () => {
    hook.state.answer = (_, response) => void response.writeHead(500).end();
    const id = await create([webhook()]);
    await send(id);
    hook.state.answer = (_, response) => void response.end();
    await platform.db.update(notificationDeliveries).set({ dueAt: new Date(0) });
    await platform.fire(id, new Date('2126-01-01T00:00:00Z'));
    await vi.waitFor(async () => {
      const [delivery] = await platform.db.select().from(notificationDeliveries);
      expect(delivery).toMatchObject({ state: 'sent', attempts: 2 });
    }, waiting);
    expect(new Set(hook.state.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is signed with the new and the old secret while the secret changes', async () => {
    const oldBytes = Buffer.alloc(24, 9);
    const both = `${webhookSecret}, whsec_${oldBytes.toString('base64')}`;
    const settings = readChannelOptions({ webhookHosts: [new URL(hookUrl).host], webhookSecret: both, testing });
    const sent = await openWebhookSender(settings)?.({ type: 'WEBHOOK', url: hookUrl }, message);
    expect(sent).toMatchObject({ kind: 'accepted' });
    const { headers, body } = hook.state.received[0] as Received;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signatures = [secretBytes, oldBytes].map(
      secret => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
    );
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
    for (const wrong of ['whsec_c2hvcnQ=', '', `${both},${webhookSecret}`]) {
      const webhookSecrets = `${webhookSecret},${wrong}`;
      expect(() => readChannelOptions({ webhookHosts: ['a.example'], webhookSecret: webhookSecrets })).toThrow(
        'PA_WEBHOOK_SECRET',
      );
    }
  });

  it('is not sent if its host resolves to a private address', async () => {
    const settings = readChannelOptions({
      webhookHosts: ['localhost', '127.0.0.1'],
      webhookSecret,
    });
    const sender = openWebhookSender(settings);
    for (const url of ['https://localhost/', 'https://127.0.0.1/', 'https://2130706433/']) {
      expect(await sender?.({ type: 'WEBHOOK', url }, message), url).toMatchObject({
        kind: 'rejected',
        problem: expect.stringContaining('not public'),
      });
    }
  });

  it.each([
    ['10.1.2.3', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['::1', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:93.184.215.14', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['64:ff9b::a00:1', false],
    ['2002:a00:1::', false],
    ['not an address', false],
    ['93.184.215.14', true],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ])('may be sent to %s: %s', (address, isAllowed) => {
    expect(isPublicAddress(address)).toBe(isAllowed);
  });

  it.each([
    ['http://a.example/', 'HTTPS'],
    ['https://user:password@a.example/', 'user'],
    ['https://b.example/', 'PA_WEBHOOK_HOSTS'],
    ['https://a.example:8443/', 'PA_WEBHOOK_HOSTS'],
    ['https://xb.example.com.evil.example/', 'PA_WEBHOOK_HOSTS'],
    ['https://xexample.org/', 'PA_WEBHOOK_HOSTS'],
    ['javascript:alert(1)', 'HTTPS'],
    ['https://A.EXAMPLE/x', null],
    ['https://sub.example.org/', null],
  ])('of %s is accepted or rejected: %s', (url, problem) => {
    const found = webhookProblem(url, ['a.example', '*.example.org']);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  it('needs a configured host and secret', async () => {
    expect(() => readChannelOptions({ webhookHosts: ['a.example'] })).toThrow('PA_WEBHOOK_SECRET');
    expect(() => readChannelOptions({ webhookHosts: ['https://a.example'], webhookSecret })).toThrow(
      'PA_WEBHOOK_HOSTS',
    );
    expect(() => readChannelOptions({ slackToken: 'secret' })).toThrow(/^(?!.*secret)/);
    const id = await create([webhook()]);
    const other = { ...webhook(), url: 'https://other.example/' };
    const answer = await platform.call('POST', `${list}/${id}/recipients`, { recipients: [other] });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('recipients.0.url') } });
  });
});

describe('a channel of Slack', () => {
  const channel = { type: 'SLACK', channelId: 'C0123', channelName: 'flights', ...ofAirport('ORD') };

  beforeAll(() => {
    slack.state.answer = ({ path }, response) => {
      const upload = { ok: true, upload_url: `${testing.slackUrl}/upload/1`, file_id: 'F1' };
      response.end(JSON.stringify(path.includes('getUploadURL') ? upload : { ok: true }));
    };
  });

  it('receives the tables as text, without mentions, if there is no file', async () => {
    const settings = readChannelOptions({ slackToken: 'xoxb-test-token', testing });
    const text = `Flights <!channel> & more\n${'x'.repeat(4_000)}`;
    const sent = await openSlackSender(settings)?.({ type: 'SLACK', channelId: 'C0123' }, { ...message, text });
    expect(sent).toEqual({ kind: 'accepted', responseCode: 200 });
    const [post, ...more] = slack.state.received as [Received, ...Received[]];
    expect(more).toEqual([]);
    expect(post.path).toBe('/chat.postMessage');
    expect(post.headers.authorization).toBe('Bearer xoxb-test-token');
    const fields = new URLSearchParams(post.body.toString());
    expect(fields.get('channel')).toBe('C0123');
    expect(fields.get('text')).toMatch(/^Flights &lt;!channel&gt; &amp; more\nx+$/);
    expect(fields.get('text')?.match(/x/g)).toHaveLength(3_000 - 'Flights <!channel> & more\n'.length);
    expect([fields.get('unfurl_links'), fields.get('unfurl_media')]).toEqual(['false', 'false']);
  });

  it('receives the summary with the image', async () => {
    const id = await create([channel], { notificationAiSummary: true });
    expect(await send(id)).toMatchObject([{ state: 'sent' }]);
    const fields = new URLSearchParams(slack.state.received.at(-1)?.body.toString());
    expect(fields.get('initial_comment')).toMatch(/^Flights .*\nFlights by carrier: /);
  });

  it('receives an image by upload, with its title as text', async () => {
    const id = await create([channel]);
    expect(await send(id)).toMatchObject([{ state: 'sent', recipient: { type: 'SLACK', channelId: 'C0123' } }]);
    const [place, upload, complete] = slack.state.received as [Received, Received, Received];
    expect([place.path, upload.path, complete.path]).toEqual([
      '/files.getUploadURLExternal',
      '/upload/1',
      '/files.completeUploadExternal',
    ]);
    expect(place.headers.authorization).toBe('Bearer xoxb-test-token');
    expect(Number(new URLSearchParams(place.body.toString()).get('length'))).toBe(upload.body.byteLength);
    expect(upload.headers.authorization).toBeUndefined();
    expect(upload.body.subarray(1, 4).toString()).toBe('PNG');
    const fields = new URLSearchParams(complete.body.toString());
    expect(fields.get('channel_id')).toBe('C0123');
    expect(JSON.parse(fields.get('files') ?? '')).toEqual([{ id: 'F1', title: 'Flights <!channel> today' }]);
    // The text does not notify all members of the channel.
    expect(fields.get('initial_comment')).toBe('Flights &lt;!channel&gt; today');
    const { items } = await platform.ok('GET', `${list}/${id}/recipients`);
    expect(items).toMatchObject([{ type: 'SLACK', channelId: 'C0123', channelName: 'flights' }]);
    await platform.ok('DELETE', `${list}/${id}/recipients`, { recipients: [{ type: 'SLACK', id: 'C0123' }] });
    expect((await platform.ok('GET', `${list}/${id}/recipients`)).items).toEqual([]);
  });

  it.each([
    [{ ok: false, error: 'channel_not_found' }, 'dead'],
    [{ ok: false, error: 'invalid_auth' }, 'failed'],
    [{ ok: true, upload_url: 'https://evil.example/', file_id: 'F1' }, 'failed'],
  ])('with the answer %j is %s', async (answer, state) => {
    const before = slack.state.answer;
    slack.state.answer = (_, response) => void response.end(JSON.stringify(answer));
    const [delivery] = await send(await create([channel]));
    slack.state.answer = before;
    expect(delivery).toMatchObject({ state, problem: expect.stringContaining('Slack') });
    expect(JSON.stringify(delivery)).not.toContain('xoxb');
  });
});
