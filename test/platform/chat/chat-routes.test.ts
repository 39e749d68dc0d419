import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { revokeSession, sessionKeyOf } from '../../../src/platform/auth/sessions.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { agentChat, type ChatServer, deploymentChat, shortStream, startChatServer } from './chat-server.js';

const key = 'the-admin-key';
let server: ChatServer;

beforeAll(async () => {
  server = await startChatServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.failures.length = 0;
  server.chat.owners.clear();
  server.chat.open.mockClear();
});

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const withChatToken = (token: string) => ({ 'x-platform-auth-token': token });
const settings = (sessionSettings: object) => ({ input: 'Hello', sessionSettings });
const message = async (response: Response): Promise<string> => (await response.json()).message;

describe('a stream', () => {
  test('contains one JSON object per line and disables caching, transformation and buffering', async () => {
    const response = await server.stream(bearer(await server.tokenOf()));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.has('content-encoding')).toBe(false);
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map(line => JSON.parse(line))).toEqual(shortStream.map(({ frame }) => frame));
  });

  test.each([
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
    ['application/json, text/event-stream', 'application/json'],
    ['application/json, text/event-stream;q=0.9', 'application/json'],
    ['text/event-stream;q=0', 'application/json'],
    ['*/*', 'application/json'],
    ['image/png', 'application/json'],
    ['', 'application/json'],
    [';;q=,,', 'application/json'],
  ])('for the Accept header %j has the content type %s', async (accept, contentType) => {
    const response = await server.stream({ ...bearer(await server.tokenOf()), accept });
    expect(response.headers.get('content-type')).toBe(contentType);
    const text = await response.text();
    expect(text.startsWith(contentType === 'text/event-stream' ? 'data: {' : '{')).toBe(true);
  });

  test('is opened with all fields of the body and the last received event id', async () => {
    const token = bearer(await server.tokenOf());
    const messageId = '1700000000000-message';
    const context = { dashboardPublicId: 'Dashboard001', tiles: ['w1'] };
    await server.stream({ ...token, 'last-event-id': `${messageId}:12` }, { messageId, input: 'Hi', context });
    expect(server.chat.open.mock.lastCall?.[1]).toEqual({
      chatId: null,
      messageId,
      input: 'Hi',
      images: [],
      context,
      lastEventId: `${messageId}:12`,
    });
    await server.stream(token, {});
    expect(server.chat.open.mock.lastCall?.[1]).toMatchObject({ chatId: null, input: null, lastEventId: null });
  });

  test('can be used by a page of an allowed origin', async () => {
    const path = `${agentChat}/stream-chat-state`;
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const preflight = await server.request('OPTIONS', path, headers);
    expect(preflight.status).toBe(204);
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(',');
    for (const name of ['authorization', 'content-type', 'accept', 'last-event-id', 'x-platform-auth-token'])
      expect(allowed).toContain(name);
    const response = await server.stream({ ...bearer(await server.tokenOf()), origin: 'https://app.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(response.headers.get('access-control-expose-headers')).toContain('retry-after');
  });

  test('is closed when the client disconnects, and a failure is reported', async () => {
    let left = false;
    server.chat.open.mockImplementationOnce(async () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          left = true;
          return { done: true, value: undefined };
        },
      }),
    }));
    const token = bearer(await server.tokenOf());
    await (await server.stream(token)).body?.cancel();
    expect(left).toBe(true);
    server.chat.open.mockImplementationOnce(async () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('secret')) }),
    }));
    const failed = await server.stream(token);
    expect(failed.status).toBe(200);
    expect(await failed.text()).toMatch(/^\{"error":"Internal error\."\}\n\{"id":"__usage__".*\}\n$/);
    expect(server.failures).toEqual([expect.objectContaining({ message: 'secret' })]);
  });

  test('delays agents while its caller is looked up, but not for a caller without a valid credential', async () => {
    const unknownAgent = '/api/v1/public/local/agents/99/chat';
    const accept = vi.spyOn(server.chat, 'accept').mockRejectedValueOnce(new PlatformError(503, 'accepting'));
    const { status } = await server.stream(bearer(await server.tokenOf()), { input: 'Hi' }, unknownAgent);
    expect(status).toBe(503);
    expect((await server.stream(bearer(await server.tokenOf()), { input: 'Hi' }, unknownAgent)).status).toBe(404);
    expect(server.chat.open).not.toHaveBeenCalled();
    accept.mockClear();
    expect((await server.stream(bearer('forged'))).status).toBe(401);
    expect(accept).not.toHaveBeenCalled();
    accept.mockRestore();
  });

  test('is rejected if a caller already reads 30 streams, until one of them ends', async () => {
    const token = bearer(await server.tokenOf({ externalId: 'greedy' }));
    const streams = await Promise.all(Array.from({ length: 30 }, () => server.stream(token)));
    const refused = await server.stream(token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await server.stream(bearer(await server.tokenOf({ externalId: 'modest' })))).status).toBe(200);
    await streams[0]?.text();
    await streams[1]?.body?.cancel();
    expect([(await server.stream(token)).status, (await server.stream(token)).status]).toEqual([200, 200]);
    expect((await server.stream(token)).status).toBe(429);
    for (const stream of streams.slice(2)) await stream.body?.cancel();
  });
});

describe('a path', () => {
  test.each([
    '/api/v1/public/other/agents/1/chat',
    '/api/v1/public/local/agents/2/chat',
    '/api/v1/public/local/agents/999999999999999/chat',
    '/api/v1/public/local/deployments/2/chat',
  ])('to an unknown agent or deployment returns 404: %s', async path => {
    const response = await server.stream(bearer(await server.tokenOf()), { input: 'Hi' }, path);
    expect(response.status).toBe(404);
    expect(server.chat.open).not.toHaveBeenCalled();
  });

  test.each(['agents/x', 'agents/0', 'agents/-1', 'dashboards/1', 'agents/1.5', `agents/1${'0'.repeat(20)}`])(
    'with an invalid id returns 400: %s',
    async scope => {
      const path = `/api/v1/public/local/${scope}/chat`;
      expect((await server.stream(bearer(await server.tokenOf()), { input: 'Hi' }, path)).status).toBe(400);
    },
  );

  test('of a deployment leads to its agent and the same threads', async () => {
    const token = bearer(await server.tokenOf());
    await server.stream(token);
    const caller = server.lastCaller();
    expect(caller).toMatchObject({ deploymentId: 1, agentId: 1 });
    expect((await server.stream(token, { input: 'Hi' }, deploymentChat)).status).toBe(200);
    expect(server.lastCaller()).toEqual(caller);
  });

  test('of another deployment or its agent returns 404 for a token and is open to a key', async () => {
    await server.withConnection(async client => {
      await client.query(`insert into deployments (id, name, creation_step) values (7, 'other', 'ready')`);
      await client.query(`insert into agents (id, deployment_id, name) values (9, 7, 'Other'), (12, 7, 'Second')`);
    });
    const embedToken = await server.tokenOf();
    const chatToken = await server.chatTokenOf(embedToken);
    for (const headers of [bearer(embedToken), withChatToken(chatToken)]) {
      for (const scope of ['deployments/7', 'agents/9', 'agents/12', 'deployments/1000']) {
        const path = `/api/v1/public/local/${scope}/chat`;
        const response = await server.stream(headers, { input: 'Hi' }, path);
        expect(response.status, scope).toBe(404);
        expect(await message(response)).toMatch(/^(Agent|Deployment) not found$/);
      }
    }
    const path = '/api/v1/public/local/agents/12/chat';
    expect((await server.stream(bearer(key), settings({ externalId: 'ann' }), path)).status).toBe(200);
    expect(server.lastCaller()).toMatchObject({ deploymentId: 7, agentId: 12 });
    const own = await server.tokenOf({ deploymentId: 7 });
    expect((await server.stream(bearer(own), {}, '/api/v1/public/local/deployments/7/chat')).status).toBe(200);
    expect(server.lastCaller()).toMatchObject({ deploymentId: 7, agentId: 9 });
  });
});

describe('an embed token', () => {
  test('acts as its user, regardless of session settings in the request', async () => {
    const token = await server.tokenOf({
      externalId: 'ann',
      groups: ['sales'],
      securityContext: { airport: 'ATL' },
      settings: { timezone: 'Europe/Berlin', locale: 'de' },
    });
    for (const scheme of ['Bearer', 'Embed-Token', 'Api-Key']) {
      await server.stream({ authorization: `${scheme} ${token}` });
      expect(server.lastCaller()).toMatchObject({
        securityContext: { airport: 'ATL', platform: { groups: ['sales'], userAttributes: {} } },
        timezone: 'Europe/Berlin',
        locale: 'de',
      });
    }
    const plain = server.lastCaller();
    const other = { externalId: 'bob', groups: ['finance'], securityContext: { airport: 'JFK' }, roles: ['admin'] };
    await server.stream(bearer(token), settings(other));
    expect(server.lastCaller()).toEqual(plain);
    await server.stream({ ...bearer(token), 'x-session-settings': 'e30' });
    expect(server.lastCaller()).toEqual(plain);
  });

  test('can set time zone and language; unknown values are ignored', async () => {
    const token = bearer(await server.tokenOf({ settings: { timezone: 'America/New_York', locale: 'fr' } }));
    const chosen = async (given: object, headers = token) => {
      await server.stream(headers, settings(given));
      const { timezone, locale } = server.lastCaller();
      return [timezone, locale];
    };
    expect(await chosen({ timezone: 'Asia/Tokyo', locale: 'ja' })).toEqual(['Asia/Tokyo', 'ja']);
    expect(await chosen({ timezone: '+02:00', locale: 'not a locale' })).toEqual(['America/New_York', 'fr']);
    expect(await chosen({ timezone: 'Mars/Olympus', locale: 'xx-YY' })).toEqual(['America/New_York', 'fr']);
    expect(await chosen({ timezone: '', locale: '' })).toEqual(['America/New_York', 'fr']);
    const unset = bearer(await server.tokenOf({ settings: { timezone: 'Nowhere', locale: '-' } }));
    expect(await chosen({}, unset)).toEqual(['UTC', 'en']);
  });

  test('of a revoked session is rejected, and so is a chat token of that session', async () => {
    const { sessionId } = (await server.mint({ externalId: 'leaver' })).body;
    const { token } = (await server.exchange(sessionId)).body;
    const chatToken = await server.chatTokenOf(token);
    expect((await server.stream(bearer(token))).status).toBe(200);
    expect((await server.stream(withChatToken(chatToken))).status).toBe(200);
    await revokeSession(server.db, sessionKeyOf(sessionId));
    expect((await server.stream(bearer(token))).status).toBe(401);
    expect((await server.stream(withChatToken(chatToken))).status).toBe(401);
  });
});

describe('a chat token', () => {
  test('acts as the embed session that requested it', async () => {
    const grant = { externalId: 'ann', securityContext: { airport: 'ATL' }, settings: { locale: 'de' } };
    const token = await server.tokenOf(grant);
    await server.stream(bearer(token));
    const caller = server.lastCaller();
    expect((await server.stream(withChatToken(await server.chatTokenOf(token)))).status).toBe(200);
    // The audit log states the kind of credential. Everything else is equal.
    expect(server.lastCaller()).toEqual({ ...caller, principal: 'data-token' });
  });

  test('of a key acts as the user of the key, without groups', async () => {
    expect((await server.stream(withChatToken(await server.chatTokenOf(key)))).status).toBe(200);
    expect(server.lastCaller()).toMatchObject({
      userId: 1,
      securityContext: { platform: { groups: [], userAttributes: {} } },
    });
  });

  test('is ignored if the Authorization header is set', async () => {
    const chatToken = await server.chatTokenOf(await server.tokenOf({ externalId: 'ann' }));
    const other = await server.tokenOf({ externalId: 'bob', securityContext: { airport: 'JFK' } });
    await server.stream({ ...withChatToken(chatToken), ...bearer(other) });
    expect(server.lastCaller().securityContext).toMatchObject({ airport: 'JFK' });
    expect((await server.stream({ ...withChatToken(chatToken), ...bearer('wrong') })).status).toBe(401);
    expect((await server.stream({ ...withChatToken('wrong'), ...bearer(other) })).status).toBe(200);
  });

  test('is not issued to a session with AI disabled', async () => {
    const token = await server.tokenOf({ settings: { allowAi: false } });
    const answer = await server.call('POST', '/api/v1/deployments/1/token', { scope: ['chat'] }, token);
    expect(answer).toMatchObject({ status: 403, body: { message: 'AI is disabled for this session.' } });
    expect(await server.call('POST', '/api/v1/deployments/1/token', {}, token)).toMatchObject({ status: 200 });
  });
});

describe('each credential is accepted only in its own header', () => {
  test('only valid pairs of credential and header open a chat', async () => {
    const embed = await server.tokenOf();
    const data = (await server.ok('POST', '/api/v1/deployments/1/token', {}, embed)).platformApiToken;
    const chat = await server.chatTokenOf(embed);
    const credentials = { embed, data, chat, key, nothing: 'x', empty: '' };
    const statuses: Record<string, number[]> = {};
    for (const [name, credential] of Object.entries(credentials)) {
      const tries = [
        bearer(credential),
        { authorization: `Api-Key ${credential}` },
        { authorization: `Embed-Token ${credential}` },
        { authorization: credential },
        withChatToken(credential),
        withChatToken(`Bearer ${credential}`),
        { cookie: `x-platform-auth-token=${credential}; authorization=Bearer ${credential}` },
      ];
      const answers = await Promise.all(tries.map(headers => server.stream(headers, settings({ externalId: 'ann' }))));
      statuses[name] = answers.map(({ status }) => status);
    }
    const never = [401, 401, 401, 401, 401, 401, 401];
    expect(statuses).toEqual({
      embed: [200, 200, 200, 401, 401, 401, 401],
      key: [200, 200, 200, 401, 401, 401, 401],
      chat: [401, 401, 401, 401, 200, 401, 401],
      data: never,
      nothing: never,
      empty: never,
    });
  });

  test('a chat token grants no other access', async () => {
    const chat = await server.chatTokenOf(await server.tokenOf());
    expect(await server.call('GET', '/api/v1/deployments', undefined, chat)).toMatchObject({ status: 401 });
    expect(await server.tokens.verifyDataToken(chat)).toBeNull();
    expect(await server.tokens.verifyEmbedToken(chat)).toBeNull();
  });
});

describe('with AI disabled', () => {
  test('every operation is rejected', async () => {
    const token = bearer(await server.tokenOf({ settings: { allowAi: false } }));
    const answers = await Promise.all([
      server.stream(token),
      server.stream(token, { chatId: 'c1' }),
      server.request('POST', `${agentChat}/abort`, token, { chatId: 'c1' }),
      server.request('GET', `${agentChat}/threads`, token),
      server.request('PATCH', `${agentChat}/threads/c1`, token, { title: 'x' }),
      server.request('DELETE', `${agentChat}/threads/c1`, token),
      server.request('GET', `${deploymentChat}/suggestions`, token),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(await message(answer)).toBe('AI is disabled for this session.');
    }
    expect(server.chat.open).not.toHaveBeenCalled();
  });
});

describe('threads', () => {
  const feedback = `${agentChat}/threads/c1/messages/1700000000000-message/feedback`;
  const ann = async () => bearer(await server.tokenOf({ externalId: 'ann', securityContext: { airport: 'ATL' } }));
  const bob = async () => bearer(await server.tokenOf({ externalId: 'bob', securityContext: { airport: 'ATL' } }));

  async function own(headers: Record<string, string>): Promise<void> {
    await server.stream(headers);
    server.chat.owners.set('c1', server.lastCaller().ownerKey);
  }

  test('are accessible only to their owner', async () => {
    await own(await ann());
    const everything = async (headers: Record<string, string>) => {
      const answers = await Promise.all([
        server.stream(headers, { chatId: 'c1' }),
        server.request('POST', `${agentChat}/abort`, headers, { chatId: 'c1' }),
        server.request('PATCH', `${agentChat}/threads/c1`, headers, { title: 'Mine' }),
        server.request('DELETE', `${agentChat}/threads/c1`, headers),
        server.request('PUT', feedback, headers, { rating: 'up' }),
        server.request('DELETE', feedback, headers),
      ]);
      return answers.map(({ status }) => status);
    };
    expect(await everything(await ann())).toEqual([200, 204, 200, 204, 204, 204]);
    expect(await everything(await bob())).toEqual([404, 403, 404, 404, 404, 404]);
    // A user with the same name in another tenant is a different owner. So is the same user with other permissions.
    const elsewhere = { externalId: 'ann', embedTenantName: 'acme', securityContext: { airport: 'ATL' } };
    expect(await everything(bearer(await server.tokenOf(elsewhere)))).toEqual([404, 403, 404, 404, 404, 404]);
    const moved = { externalId: 'ann', securityContext: { airport: 'JFK' } };
    expect(await everything(bearer(await server.tokenOf(moved)))).toEqual([404, 403, 404, 404, 404, 404]);
    const unknown = await server.request('POST', `${agentChat}/abort`, await ann(), { chatId: 'c2' });
    expect(unknown.status).toBe(404);
  });

  test('are the same for a page and for the host acting for its user', async () => {
    await own(await ann());
    const given = { externalId: 'ann', securityContext: { airport: 'ATL' } };
    expect((await server.stream(bearer(key), { chatId: 'c1', sessionSettings: given })).status).toBe(200);
    const reordered = bearer(
      await server.tokenOf({ externalId: 'ann', securityContext: { b: 1, a: { d: 1, c: [] } } }),
    );
    await own(reordered);
    const same = { externalId: 'ann', securityContext: { a: { c: [], d: 1 }, b: 1 } };
    expect((await server.stream(bearer(key), { chatId: 'c1', sessionSettings: same })).status).toBe(200);
  });

  test('are listed in pages of at most 100', async () => {
    const headers = await ann();
    const list = await server.request('GET', `${agentChat}/threads?first=1000&after=abc`, headers);
    expect(await list.json()).toMatchObject({
      items: [{ id: 'c1', title: 'One' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: true, endCursor: 'next' },
    });
    expect(server.chat.threads.mock.lastCall?.[1]).toEqual({ first: 100, after: 'abc' });
    await server.request('GET', `${agentChat}/threads`, headers);
    expect(server.chat.threads.mock.lastCall?.[1]).toEqual({ first: 50, after: null });
    expect((await server.request('GET', `${agentChat}/threads?first=0`, headers)).status).toBe(400);
  });

  test('reject an invalid title', async () => {
    const headers = await ann();
    for (const title of ['', '  ', 'x'.repeat(121), 7, null, 'a\0b'])
      expect((await server.request('PATCH', `${agentChat}/threads/c1`, headers, { title })).status).toBe(400);
  });

  test('pass on valid feedback, without a comment of spaces', async () => {
    const headers = await ann();
    await own(headers);
    const message = { chatId: 'c1', messageId: '1700000000000-message' };
    for (const [body, passed] of [
      [
        { rating: 'down', comment: ' Too many. ' },
        { rating: 'down', comment: 'Too many.' },
      ],
      [{ rating: 'up', comment: ' ' }, { rating: 'up' }],
      [{ rating: 'up', comment: null }, { rating: 'up' }],
    ]) {
      expect((await server.request('PUT', feedback, headers, body)).status).toBe(204);
      expect(server.chat.rate.mock.lastCall?.slice(1)).toEqual([expect.objectContaining(message), passed]);
    }
    for (const body of [
      {},
      { rating: 'sideways' },
      { rating: null },
      { rating: 'up', comment: 'x'.repeat(1001) },
      { rating: 'up', comment: 'a\0b' },
    ]) {
      expect((await server.request('PUT', feedback, headers, body)).status, JSON.stringify(body)).toBe(400);
    }
    const elsewhere = feedback.replace('1700000000000-message', 'not-a-message');
    expect((await server.request('PUT', elsewhere, headers, { rating: 'up' })).status).toBe(400);
  });

  test('suggestions are available to authorized callers', async () => {
    const answer = await server.request('GET', `${agentChat}/suggestions`, await ann());
    expect(await answer.json()).toEqual({ items: ['How many?'] });
    expect((await server.request('GET', `${agentChat}/suggestions`, {})).status).toBe(401);
  });
});
