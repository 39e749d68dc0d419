import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { HttpAgent } from '@ag-ui/client';
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';
import express from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openChat } from '../../src/client/chat/open-chat.js';
import type { PaError } from '../../src/client/errors.js';
import { chatProxyHandler, toNodeHandler } from '../../src/node/index.js';
import { agUiFormat } from '../../src/platform/chat/ag-ui-format.js';
import type { FrameFormat } from '../../src/platform/chat/chat-body.js';
import { uiMessageFormat } from '../../src/platform/chat/ui-message-format.js';
import { cutoff, encode, streamed, turnFrames, unplaced, usage } from '../client/chat/fake-chat.js';
import { json } from '../client/fake-service.js';
import { listening } from './listen.js';

const apiKey = 'sk-secret-of-the-host';
const session = { externalId: 'rosa', groups: ['Größe'], securityContext: { airport: 'ORD' } };
const address = 'https://app.example/api/assistant/chat';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly body: unknown;
}

function proxy(answer: () => Response | Promise<Response> = () => json({ items: [] }), more = {}) {
  const sent: Sent[] = [];
  const errors: PaError[] = [];
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
    sent.push({ url: String(url), init, headers: new Headers(init.headers), body });
    return answer();
  };
  const sessionFor = vi.fn(() => session);
  const onError = (error: PaError) => errors.push(error);
  const handler = chatProxyHandler({
    baseUrl: 'https://ai.example/base',
    apiKey,
    agentId: 7,
    sessionFor,
    fetch,
    onError,
    ...more,
  });
  return { handler, sent, errors, sessionFor };
}

const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}): Request =>
  new Request(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const ask = (method: string, path: string): Request => new Request(`${address}${path}`, { method });

describe('chatProxyHandler', () => {
  it('forwards a message with the key and session of the host, and only fields that a page may set', async () => {
    const { handler, sent } = proxy();
    const said = { input: 'Hi', chatId: 't1', messageId: '1700000000000-message', images: [] };
    const request = post(
      '/stream-chat-state?x=1',
      { ...said, sessionSettings: { externalId: 'evil' }, activeBranchName: 'dev' },
      {
        accept: 'text/event-stream',
        'last-event-id': 'm:3',
        'x-request-id': 'r1',
        authorization: 'Bearer x',
        cookie: 'a=b',
        'x-session-settings': 'evil',
      },
    );
    expect((await handler(request)).status).toBe(200);
    expect(sent[0]).toMatchObject({
      url: 'https://ai.example/base/api/v1/public/local/agents/7/chat/stream-chat-state',
      body: { ...said, sessionSettings: session },
      init: { method: 'POST', redirect: 'error' },
    });
    expect(sent[0]?.body).not.toHaveProperty('activeBranchName');
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      accept: 'text/event-stream',
      authorization: `Api-Key ${apiKey}`,
      'content-type': 'application/json',
      'last-event-id': 'm:3',
      'x-request-id': 'r1',
    });
  });

  it('sends the user in a header if the body has no field for it', async () => {
    const { handler, sent } = proxy();
    await handler(ask('GET', '/threads?first=5&after=c1&chatId=evil'));
    await handler(ask('GET', '/suggestions'));
    await handler(ask('DELETE', '/threads/t1'));
    const rename = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"title":"B","x":1}' };
    await handler(new Request(`${address}/threads/t1`, rename));
    const feedback = '/threads/t1/messages/1700000000000-message/feedback';
    const rate = { ...rename, method: 'PUT', body: '{"rating":"up","comment":"Good","userId":1}' };
    await handler(new Request(`${address}${feedback}`, rate));
    await handler(ask('DELETE', feedback));
    const base = 'https://ai.example/base/api/v1/public/local/agents/7/chat';
    expect(sent.map(({ url, init, body }) => [init.method, url, body])).toEqual([
      ['GET', `${base}/threads?first=5&after=c1`, undefined],
      ['GET', `${base}/suggestions`, undefined],
      ['DELETE', `${base}/threads/t1`, undefined],
      ['PATCH', `${base}/threads/t1`, { title: 'B' }],
      ['PUT', `${base}${feedback}`, { rating: 'up', comment: 'Good' }],
      ['DELETE', `${base}${feedback}`, undefined],
    ]);
    for (const { headers } of sent) {
      const header = headers.get('x-session-settings') ?? '';
      expect(header).toMatch(/^[\w-]+$/);
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(session);
    }
  });

  it('forwards messages of the AI SDK and of AG-UI, and only fields that a page may set', async () => {
    const { handler, sent } = proxy();
    const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Größe?' }] }];
    const ui = { id: 'thread/1', messages, trigger: 'submit-message', messageId: 'm' };
    const evil = { sessionSettings: { externalId: 'evil' }, context: [], model: 'other' };
    const accept = { accept: 'text/event-stream' };
    await handler(post('/ui-messages', { ...ui, ...evil }, accept));
    const agUi = { threadId: 'thread/1', runId: 'r', messages: [{ id: '1', role: 'user', content: 'Größe?' }] };
    await handler(post('/ag-ui', { ...agUi, ...evil, state: {}, tools: [{}], forwardedProps: {}, resume: [] }, accept));
    const base = 'https://ai.example/base/api/v1/public/local/agents/7/chat';
    expect(sent.map(({ url, body }) => [url, body])).toEqual([
      [`${base}/ui-messages`, { ...ui, sessionSettings: session }],
      [`${base}/ag-ui`, { ...agUi, sessionSettings: session }],
    ]);
    for (const { headers } of sent) {
      expect(headers.get('accept')).toBe('text/event-stream');
      expect(headers.has('x-session-settings')).toBe(false);
    }
  });

  it.each(['thread-1', 'thread/1?x=#Größe %', '…'.repeat(85)])(
    'resumes the stream of the thread %j for its own user',
    async id => {
      const { handler, sent } = proxy(() => new Response(null, { status: 204 }));
      const response = await handler(ask('GET', `/ui-messages/${encodeURIComponent(id)}/stream?first=1`));
      expect(response.status).toBe(204);
      const { pathname } = new URL(sent[0]?.url ?? '');
      expect(decodeURIComponent(pathname.split('/').at(-2) ?? '')).toBe(id);
      expect(pathname.split('/').slice(-3)).toEqual(['ui-messages', encodeURIComponent(id), 'stream']);
      expect([sent[0]?.init.method, sent[0]?.body]).toEqual(['GET', undefined]);
      const header = sent[0]?.headers.get('x-session-settings') ?? '';
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(session);
    },
  );

  it('stops a run only for its own user', async () => {
    const { handler, sent } = proxy(() => new Response(null, { status: 204 }));
    expect((await handler(post('/abort', { chatId: 't1', sessionSettings: {} }))).status).toBe(204);
    expect(sent[0]?.body).toEqual({ chatId: 't1', sessionSettings: session });
  });

  it.each([
    ['GET', '', 404],
    ['GET', '/threads/', 404],
    ['GET', '/threads/a/b', 404],
    ['GET', '/threads/..', 404],
    ['POST', '/abort/t1', 404],
    ['POST', '/../generate-session', 404],
    ['GET', '/stream-chat-state', 405],
    ['POST', '/threads', 405],
    ['PUT', '/threads/t1', 405],
    ['PUT', '/threads/t1/messages/../feedback', 404],
    ['GET', '/threads/t1/messages/1-message/feedback', 405],
    ['GET', '/ui-messages', 405],
    ['POST', '/ui-messages/t1/stream', 405],
    ['GET', '/ui-messages/t1', 404],
    ['GET', '/ui-messages//stream', 404],
    ['GET', '/ui-messages/a/b/stream', 404],
    ['GET', '/ui-messages/%E0%A4%A/stream', 404],
    ['GET', '/ag-ui', 405],
    ['POST', '/ag-ui/t1', 404],
  ])('returns no route for %s …/chat%s', async (method, path, status) => {
    const { handler, sent, sessionFor } = proxy();
    const response = await handler(ask(method, path));
    expect(response.status).toBe(status);
    expect(response.headers.has('allow')).toBe(status === 405);
    expect(sent).toEqual([]);
    expect(sessionFor).not.toHaveBeenCalled();
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('rejects requests from other sites: %j', async headers => {
    const { handler, sent } = proxy();
    expect((await handler(post('/stream-chat-state', {}, headers))).status).toBe(403);
    expect(sent).toEqual([]);
  });

  it.each([null, undefined])('returns 401 if no user is signed in (%s)', async noUser => {
    const { handler, sent } = proxy(undefined, { sessionFor: async () => noUser });
    const response = await handler(post('/stream-chat-state'));
    expect([response.status, await response.json()]).toEqual([401, { statusCode: 401, message: 'Sign in first.' }]);
    expect(sent).toEqual([]);
  });

  it.each([
    ['a form', post('/abort', 'chatId=t1', { 'content-type': 'text/plain' }), 415],
    ['invalid JSON', post('/abort', '{'), 400],
    ['a list', post('/abort', '[1]'), 400],
    ['nothing', ask('POST', '/abort'), 415],
    ['too much', post('/stream-chat-state', `"${'x'.repeat(12 * 1024 * 1024)}"`), 413],
  ])('rejects %s', async (_what, request, status) => {
    const { handler, sent, errors } = proxy();
    expect((await handler(request)).status).toBe(status);
    expect([sent, errors]).toEqual([[], []]);
  });

  it('reports a consumed body, and how to mount the handler', async () => {
    const { handler, sent, errors } = proxy();
    const request = post('/stream-chat-state', { input: 'Hi' });
    await request.text();
    const response = await handler(request);
    expect([response.status, (await response.json()).message]).toEqual([
      500,
      expect.stringMatching(/was read before the handler ran\. Mount the handler before/),
    ]);
    expect([sent, errors]).toEqual([[], [expect.objectContaining({ code: 'invalid_options' })]]);
  });

  it.each([{}, { externalId: 'a', internalId: 'b' }, { externalId: '' }, { externalId: 'a', admin: true }])(
    'reports an invalid session only to the host: %j',
    async wrong => {
      const { handler, errors, sent } = proxy(undefined, { sessionFor: () => wrong });
      const response = await handler(post('/stream-chat-state'));
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('externalId');
      expect(errors).toMatchObject([{ code: 'invalid_options', message: expect.stringContaining('session') }]);
      expect(sent).toEqual([]);
    },
  );

  it('rejects a session that is too large for a header', async () => {
    const securityContext = { airports: 'x'.repeat(10_000) };
    const { handler, errors } = proxy(undefined, { sessionFor: () => ({ externalId: 'rosa', securityContext }) });
    expect((await handler(ask('GET', '/threads'))).status).toBe(500);
    expect(errors).toMatchObject([{ message: expect.stringContaining('maximum size of a header') }]);
    expect((await handler(post('/stream-chat-state'))).status).toBe(200);
  });

  it('forwards the reason of a rejection, without the key', async () => {
    const answer = () => json({ message: `Not with ${apiKey}`, code: 'busy' }, 429, { 'retry-after': '7' });
    const { handler, errors } = proxy(answer);
    const response = await handler(post('/stream-chat-state'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toEqual({ statusCode: 429, message: 'Not with [removed]', code: 'busy' });
    expect(errors).toEqual([]);
  });

  it.each([
    ['the key is rejected', () => json({ message: 'secret detail' }, 401), 500],
    ['the service is unreachable', () => Promise.reject(new TypeError('secret detail')), 503],
    [
      'an HTML page is returned',
      () => new Response('secret detail', { headers: { 'content-type': 'text/html' } }),
      500,
    ],
  ])('hides the details from the page if %s', async (_what, answer, status) => {
    const { handler, errors } = proxy(answer);
    const response = await handler(post('/stream-chat-state'));
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('secret');
    expect(errors).toHaveLength(1);
  });

  it('times out if the service does not start to respond', async () => {
    const { handler, sent } = proxy(() => new Promise<Response>(() => {}), { timeoutMs: 20 });
    expect((await handler(post('/stream-chat-state'))).status).toBe(503);
    expect(sent[0]?.init.signal?.aborted).toBe(true);
  });

  it('passes errors of sessionFor to the framework', async () => {
    const { handler } = proxy(undefined, { sessionFor: () => Promise.reject(new Error('database is down')) });
    await expect(handler(post('/stream-chat-state'))).rejects.toThrow('database is down');
  });

  it.each([{ apiKey: ' ' }, { baseUrl: 'http://ai.example' }, { agentId: '' }])(
    'rejects an invalid option immediately: %j',
    wrong => {
      expect(() => proxy(undefined, wrong)).toThrow(expect.objectContaining({ name: 'PaError' }));
    },
  );
});

describe('clients of other protocols', () => {
  const question = 'How many?';
  const frames = [cutoff(), ...turnFrames('1700000000000-message', question), usage];
  /** Returns a stream whose frames arrive one by one, in the encoding of the platform. */
  const encoded = ({ contentType, headers, write }: FrameFormat) =>
    new Response(streamed(contentType, frames.map(frame => write({ id: null, frame })).filter(Boolean)).body, {
      headers: { 'content-type': contentType, ...headers, 'set-cookie': 'a=b', server: 'internal' },
    });
  const answered = turnFrames('1700000000000-message', question).findLast(({ content }) => content)?.content;

  it('read an answer as a stream of the AI SDK', async () => {
    const { handler } = proxy(() => encoded(uiMessageFormat()));
    const received: Response[] = [];
    const transport = new DefaultChatTransport({
      api: `${address}/ui-messages`,
      fetch: async (input, init) => {
        const response = await handler(new Request(input, init));
        received.push(response);
        return response;
      },
    });
    const message: UIMessage = { id: '1', role: 'user', parts: [{ type: 'text', text: question }] };
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: 't',
      messages: [message],
      messageId: undefined,
      abortSignal: undefined,
    });
    let last: UIMessage | undefined;
    for await (const state of readUIMessageStream({ stream })) last = state;
    expect(last?.metadata).toMatchObject({ chatId: 'thread-1', messageId: '1700000000000-message' });
    expect(last?.parts.findLast(({ type }) => type === 'text')).toMatchObject({ text: answered });
    expect(Object.fromEntries(received[0]?.headers ?? [])).toEqual({
      'cache-control': 'no-store, no-transform',
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-vercel-ai-ui-message-stream': 'v1',
    });
  });

  it('read an answer as events of AG-UI', async () => {
    const run = { threadId: 't', runId: 'r' };
    const { handler } = proxy(() => encoded(agUiFormat(run)));
    const agent = new HttpAgent({
      url: `${address}/ag-ui`,
      threadId: run.threadId,
      fetch: (url, init) => handler(new Request(url, init)),
    });
    agent.addMessage({ id: '1', role: 'user', content: question });
    const { newMessages } = await agent.runAgent({ runId: run.runId });
    expect(newMessages.at(-1)).toMatchObject({ role: 'assistant', content: answered });
  });

  it('get the reason of a rejection', async () => {
    const { handler } = proxy(() => json({ message: 'Another message is being answered.' }, 409));
    const response = await handler(post('/ag-ui', { threadId: 't', runId: 'r', messages: [] }));
    expect([response.status, await response.json()]).toEqual([
      409,
      expect.objectContaining({ message: 'Another message is being answered.' }),
    ]);
  });
});

const listen = listening();

describe('on a socket', () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  /** Returns a Chat API with responses that the test writes. */
  async function service() {
    const streams: { response: ServerResponse; body: string }[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (request.url?.endsWith('/abort')) {
        response.writeHead(204).end();
        streams.at(-1)?.response.end(encode('sse', unplaced([{ id: '__aborted__', type: 'abort' }, usage])));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      streams.push({ response, body });
    };
    const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    const at = server.address();
    return { streams, baseUrl: `http://127.0.0.1:${typeof at === 'object' ? at?.port : at}` };
  }

  const frameworks = {
    'node:http': (handler: ReturnType<typeof chatProxyHandler<[IncomingMessage]>>) => toNodeHandler(handler),
    Express: (handler: ReturnType<typeof chatProxyHandler<[IncomingMessage]>>) => {
      const app = express();
      app.use(express.json({ limit: '12mb' }));
      return app.use('/api/assistant', express.Router().use(toNodeHandler(handler)));
    },
  };

  describe.each(Object.entries(frameworks))('of %s', (_name, mount) => {
    async function host() {
      const { streams, baseUrl } = await service();
      const handler = chatProxyHandler<[IncomingMessage]>({ baseUrl, apiKey, agentId: 1, sessionFor: () => session });
      const origin = await listen(mount(handler));
      return { streams, proxyUrl: `${origin}/api/assistant` };
    }
    const frames = [cutoff(), ...turnFrames('1700000000000-message', 'Hi'), usage];
    const message = { messageId: '1700000000000-message', input: 'Hi' };

    it('streams each chunk as it arrives', async () => {
      const { streams, proxyUrl } = await host();
      const seen: unknown[] = [];
      const reading = openChat({ proxyUrl, account: '' }).stream(message, { onFrame: frame => seen.push(frame) });
      await expect.poll(() => streams).toHaveLength(1);
      expect(JSON.parse(streams[0]?.body ?? '')).toEqual({ ...message, sessionSettings: session });
      for (const [index, frame] of frames.entries()) {
        streams[0]?.response.write(encode('sse', unplaced([frame])));
        await expect.poll(() => seen).toHaveLength(index + 1);
      }
      streams[0]?.response.end();
      await reading;
      expect(seen).toEqual(frames);
    });

    it('prevents buffering by proxies', async () => {
      const { streams, proxyUrl } = await host();
      const answering = fetch(`${proxyUrl}/chat/stream-chat-state`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      await expect.poll(() => streams).toHaveLength(1);
      // The headers arrive before the first frame.
      const { headers } = await answering;
      expect(headers.get('x-accel-buffering')).toBe('no');
      expect(headers.get('cache-control')).toBe('no-store, no-transform');
      expect(headers.get('content-type')).toBe('text/event-stream');
    });

    it('closes its connection to the service when the page disconnects, even while idle', async () => {
      const { streams, proxyUrl } = await host();
      const controller = new AbortController();
      const onOpen = vi.fn();
      const reading = openChat({ proxyUrl, account: '' })
        .stream(message, { signal: controller.signal, onOpen, onFrame: () => {} })
        .catch(error => error.code);
      await expect.poll(() => onOpen).toHaveBeenCalled();
      controller.abort();
      expect(await reading).toBe('aborted');
      await expect.poll(() => streams[0]?.response.destroyed).toBe(true);
    });

    it('reports a lost connection to the service', async () => {
      const { streams, proxyUrl } = await host();
      const reading = openChat({ proxyUrl, account: '' }).stream(message, { onFrame: () => {} });
      const failed = expect(reading).rejects.toMatchObject({ code: 'connection_failed' });
      await expect.poll(() => streams).toHaveLength(1);
      streams[0]?.response.write(encode('sse', unplaced(frames.slice(0, 3))));
      streams[0]?.response.destroy();
      await failed;
    });

    it('stops an answer on request', async () => {
      const { streams, proxyUrl } = await host();
      const service = openChat({ proxyUrl, account: '' });
      const seen: (string | undefined)[] = [];
      const reading = service.stream(message, { onFrame: ({ id }) => seen.push(id) });
      await expect.poll(() => streams).toHaveLength(1);
      streams[0]?.response.write(encode('sse', unplaced([cutoff()])));
      await service.abort('thread-1');
      await reading;
      expect(seen).toEqual(['__cutoff__', '__aborted__', '__usage__']);
    });

    it('accepts a message with the maximum number of images', async () => {
      const { streams, proxyUrl } = await host();
      const image = { mimeType: 'image/png' as const, data: 'A'.repeat(2_700_000) };
      const images = [image, image, image, image];
      const reading = openChat({ proxyUrl, account: '' }).stream({ ...message, images }, { onFrame: () => {} });
      await expect.poll(() => streams).toHaveLength(1);
      streams[0]?.response.end(encode('sse', unplaced([usage])));
      await reading;
      expect(JSON.parse(streams[0]?.body ?? '').images).toHaveLength(4);
    });
  });
});
