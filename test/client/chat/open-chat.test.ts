import { describe, expect, it, vi } from 'vitest';
import type { ChatService, StreamAsk } from '../../../src/client/chat/chat-service.js';
import { openChat } from '../../../src/client/chat/open-chat.js';
import { cube } from '../../../src/client/dialect.js';
import { PaAuthenticationError } from '../../../src/client/errors.js';
import type { PlatformConnection } from '../../../src/client/http/connection.js';
import type { ChatFrame } from '../../../src/contract/chat.js';
import { eventually } from '../../eventually.js';
import { json } from '../fake-service.js';
import { cutoff, echo, encode, piece, streamed, unplaced, usage, whole } from './fake-chat.js';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
}

/** Returns a `fetch` that returns these responses in order; the last one repeats. */
function answering(...answers: (() => Response)[]) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    sent.push({ url: String(input), init, headers: new Headers(init.headers) });
    return (answers[sent.length - 1] ?? answers.at(-1) ?? (() => json({})))();
  };
  return { sent, fetch };
}

/** Returns a session whose token is renewed after a rejection. */
function sessionOver(fetch: typeof globalThis.fetch) {
  let token = 'first-token';
  return {
    authorize: async <T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T> => {
      try {
        return await call({ baseUrl: 'https://platform.example', token, fetch });
      } catch (error) {
        if (!(error instanceof PaAuthenticationError)) throw error;
        token = 'second-token';
        return call({ baseUrl: 'https://platform.example', token, fetch });
      }
    },
  };
}

const account = 'local';
const overSession = (fetch: typeof globalThis.fetch, more = {}): ChatService =>
  openChat({ source: sessionOver(fetch), account, agentId: 1, ...more });

const done =
  (frames: readonly ChatFrame[] = [cutoff(), usage]) =>
  () =>
    streamed('ndjson', [encode('ndjson', unplaced(frames))]);

async function read(service: ChatService, ask: StreamAsk = { chatId: 'thread-1' }) {
  const frames: ChatFrame[] = [];
  const onOpen = vi.fn();
  await service.stream(ask, { onOpen, onFrame: frame => frames.push(frame) });
  return { frames, onOpen };
}

describe('openChat over a session', () => {
  it('sends only the token header and the request', async () => {
    const { sent, fetch } = answering(done());
    const images = [{ mimeType: 'image/png' as const, data: 'AAAA' }];
    const ask = { chatId: 'thread-1', messageId: '1700000000000-message', input: 'Hi', images, lastEventId: 'm:3' };
    await read(overSession(fetch), ask);
    const { url, init, headers } = sent[0] ?? expect.fail();
    expect(url).toBe('https://platform.example/api/v1/public/local/agents/1/chat/stream-chat-state');
    expect(Object.fromEntries(headers)).toEqual({
      accept: 'text/event-stream, application/json;q=0.9',
      authorization: 'Bearer first-token',
      'content-type': 'application/json',
      'last-event-id': 'm:3',
    });
    const { lastEventId: _id, ...body } = ask;
    expect(JSON.parse(String(init.body))).toEqual(body);
    expect(init).toMatchObject({ method: 'POST', credentials: 'omit', cache: 'no-store', redirect: 'error' });
  });

  it('uses another base URL, and a deployment, if set', async () => {
    const { sent, fetch } = answering(done());
    await read(overSession(fetch, { agentId: undefined, deploymentId: '7', aiUrl: 'https://ai.example/base/' }));
    expect(sent[0]?.url).toBe('https://ai.example/base/api/v1/public/local/deployments/7/chat/stream-chat-state');
  });

  it.each([{ account: '' }, { agentId: undefined }, { agentId: '' }, { source: undefined }])(
    'reports a missing option: %j',
    wrong => {
      expect(() => overSession(fetch, wrong)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    },
  );

  it.each([
    ['a status', () => json({ message: 'Expired' }, 401)],
    ['an error within an answer', () => json({ jsonrpc: '2.0', error: { code: -32_001, message: 'Expired' } })],
  ])('renews the session after rejection by %s', async (_what, refusal) => {
    const { sent, fetch } = answering(refusal, done());
    expect((await read(overSession(fetch))).frames).toEqual([cutoff(), usage]);
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer first-token',
      'Bearer second-token',
    ]);
  });

  it('resumes with a new session after a rejection during an answer', async () => {
    const refused = { jsonrpc: '2.0', error: { code: 401, message: 'Expired' } };
    const events = `id: m:4\ndata: ${JSON.stringify(piece('t', 'x'))}\n\ndata: ${JSON.stringify(refused)}\n\n`;
    const { sent, fetch } = answering(() => streamed('sse', [events]), done());
    const { onOpen } = await read(overSession(fetch), { chatId: 'thread-1', messageId: '1700000000000-message' });
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'm:4']);
    expect(onOpen).toHaveBeenCalledTimes(2);
  });

  it('reports errors of the service without the token', async () => {
    const answer = () => json({ message: 'No first-token here', requestId: 'r1' }, 429, { 'retry-after': '3' });
    const error = await read(overSession(answering(answer).fetch)).catch(caught => caught);
    expect(error).toMatchObject({ status: 429, retryAfterMs: 3000, requestId: 'r1', message: 'No [removed] here' });
  });

  it('rejects frames of another thread', async () => {
    const { fetch } = answering(done([echo('m', 'secret'), cutoff({ chatId: 'other' }), whole('t', 'x'), usage]));
    const frames: ChatFrame[] = [];
    const reading = overSession(fetch).stream({ chatId: 'thread-1' }, { onFrame: frame => frames.push(frame) });
    await expect(reading).rejects.toMatchObject({ code: 'invalid_response' });
    expect(frames.map(({ id }) => id)).toEqual(['m']);
  });

  it('ends every answer with usage, even if the service sends none', async () => {
    const { fetch } = answering(done([cutoff(), whole('t', 'x')]));
    const ask = { messageId: '1700000000000-message', input: 'Hi' };
    expect((await read(overSession(fetch), ask)).frames.at(-1)).toEqual({ id: '__usage__', type: 'usage' });
    expect((await read(overSession(fetch))).frames.at(-1)).toMatchObject({ id: 't' });
  });

  it('can be left immediately', async () => {
    const controller = new AbortController();
    let signal: AbortSignal | null | undefined;
    const fetch: typeof globalThis.fetch = (_input, init) => {
      signal = init?.signal;
      return new Promise(() => {});
    };
    const reading = overSession(fetch).stream({}, { signal: controller.signal, onFrame: () => {} });
    await eventually(() => expect(signal).toBeDefined());
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
    expect(signal?.aborted).toBe(true);
  });

  const thread = { id: 't1', title: 'A', createdAt: 'x', updatedAt: 'y', isStreaming: false };
  const pageInfo = { hasNextPage: true, hasPreviousPage: false, endCursor: 'c2' };

  it('lists, renames and deletes threads, stops runs and loads suggestions', async () => {
    const { sent, fetch } = answering(
      () => json({ items: [thread], pageInfo }),
      () => json({ ...thread, title: 'B' }),
      () => new Response(null, { status: 204 }),
      () => new Response(null, { status: 204 }),
      () => json({ items: ['How many?'] }),
    );
    const service = overSession(fetch);
    expect(await service.threads({ after: 'c1' })).toEqual({ items: [thread], next: 'c2' });
    expect(await service.rename('t1', 'B')).toMatchObject({ title: 'B' });
    await service.remove('t1');
    await service.abort('t1');
    expect(await service.suggestions()).toEqual(['How many?']);
    const base = 'https://platform.example/api/v1/public/local/agents/1/chat';
    expect(sent.map(({ url, init }) => `${init.method} ${url}`)).toEqual([
      `GET ${base}/threads?after=c1`,
      `PATCH ${base}/threads/t1`,
      `DELETE ${base}/threads/t1`,
      `POST ${base}/abort`,
      `GET ${base}/suggestions`,
    ]);
    expect(sent.every(({ headers }) => headers.get('authorization') === 'Bearer first-token')).toBe(true);
  });

  it('stores and removes feedback, and sends none to a service with other names', async () => {
    const { sent, fetch } = answering(() => new Response(null, { status: 204 }));
    const service = overSession(fetch);
    await service.rate?.('t1', '1700000000000-message', { rating: 'down', comment: 'No.' });
    await service.rate?.('t1', '1700000000000-message', null);
    await overSession(fetch, { dialect: cube }).rate?.('t1', '1700000000000-message', null);
    const path = '/api/v1/public/local/agents/1/chat/threads/t1/messages/1700000000000-message/feedback';
    expect(sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['PUT', `https://platform.example${path}`, '{"rating":"down","comment":"No."}'],
      ['DELETE', `https://platform.example${path}`, undefined],
    ]);
  });

  it.each([404, 405])('has no list and no suggestions if the service returns %i', async status => {
    const service = overSession(answering(() => json({ message: 'No.' }, status)).fetch);
    expect(await service.threads()).toBeNull();
    expect(await service.suggestions()).toEqual([]);
    await expect(service.rename('t1', 'B')).rejects.toMatchObject({ status });
  });
});

describe('openChat over a proxy', () => {
  it('sends the same paths below the proxy URL, with cookies and without a token', async () => {
    const { sent, fetch } = answering(done(), () =>
      json({ items: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } }),
    );
    const service = openChat({ proxyUrl: '/api/chat-proxy/', account: '', fetch });
    await read(service);
    expect(await service.threads({ after: 'c1' })).toEqual({ items: [], next: null });
    expect(sent.map(({ url }) => url)).toEqual([
      '/api/chat-proxy/chat/stream-chat-state',
      '/api/chat-proxy/chat/threads?after=c1',
    ]);
    for (const { init, headers } of sent) {
      expect(init.credentials).toBe('same-origin');
      expect(headers.has('authorization')).toBe(false);
    }
  });

  it('takes precedence over the session', async () => {
    const { sent, fetch } = answering(done());
    await read(overSession(fetch, { proxyUrl: 'https://host.example/p', fetch }));
    expect(sent[0]?.url).toBe('https://host.example/p/chat/stream-chat-state');
    expect(sent[0]?.headers.has('authorization')).toBe(false);
  });
});
