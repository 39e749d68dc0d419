import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type ConnectionLimits, type Listener, listen } from '../../../src/cli/server/listen.js';
import { chatBody, lineFormat } from '../../../src/platform/chat/chat-body.js';
import type { StreamFrame } from '../../../src/platform/chat/chat-service.js';
import { eventually } from '../../eventually.js';
import { emptyApp } from '../../platform/empty-app.js';

/** Time limit that no test reaches. */
const never = 600_000;
const open: Listener[] = [];
const start = async (host = '127.0.0.1', port = 0, limits: ConnectionLimits = {}) => {
  const listener = await listen({ host, port }, { limits });
  open.push(listener);
  return listener;
};

afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close(0);
});

test('listen returns the selected port and responds with 503 before serve is called', async () => {
  const listener = await start();
  expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const early = await fetch(listener.url);
  expect(early.status).toBe(503);
  expect(early.headers.get('retry-after')).toBe('1');
  listener.serve(async request => new Response(new URL(request.url).pathname));
  expect(await (await fetch(`${listener.url}/x`)).text()).toBe('/x');
});

test('the handler receives the address of the client', async () => {
  const listener = await start();
  listener.serve(async (_request, { remoteAddress }) => new Response(remoteAddress));
  expect(await (await fetch(listener.url)).text()).toBe('127.0.0.1');
});

test('a port in use is reported in one sentence', async () => {
  const port = Number(new URL((await start()).url).port);
  await expect(start('127.0.0.1', port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use`);
});

test('close waits for an open request and rejects new ones', async () => {
  const listener = await start();
  let finish = () => {};
  const begun = new Promise<void>(resolve => {
    listener.serve(async () => {
      resolve();
      await new Promise<void>(done => {
        finish = done;
      });
      return new Response('whole');
    });
  });
  const answer = fetch(listener.url);
  await begun;
  const closed = listener.close(never);
  await expect(fetch(listener.url)).rejects.toThrow();
  finish();
  expect(await (await answer).text()).toBe('whole');
  await closed;
});

test('close aborts open requests at the time limit', async () => {
  const listener = await start();
  listener.serve(() => new Promise(() => {}));
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  // `once` would reject, because the connection may end with a reset.
  const ended = new Promise(resolve => socket.once('close', resolve));
  await listener.close(100);
  await ended;
});

/** Creates stream frames that a test emits one by one, like the Chat API. */
function frames() {
  const queue: string[] = [];
  let wake = () => {};
  let left = false;
  let taken = 0;
  const iterator: AsyncIterator<StreamFrame> = {
    async next() {
      while (queue.length === 0) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      const content = queue.shift();
      taken += 1;
      return content === 'end' ? { done: true, value: undefined } : { done: false, value: frame(content) };
    },
    async return() {
      left = true;
      return { done: true, value: undefined };
    },
  };
  const frame = (content = ''): StreamFrame => ({ id: null, frame: { content } });
  return {
    frames: { [Symbol.asyncIterator]: () => iterator },
    give(...contents: string[]) {
      queue.push(...contents);
      wake();
    },
    wasLeft: () => left,
    taken: () => taken,
  };
}

const streamed = (source: ReturnType<typeof frames>) => async () =>
  new Response(chatBody(source.frames, { format: lineFormat, onFailure: () => undefined }), {
    headers: { 'content-type': 'application/json' },
  });

test('a stream is sent frame by frame without compression, starting with the headers', async () => {
  const listener = await start();
  const source = frames();
  listener.serve(streamed(source));
  const response = await fetch(listener.url, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(response.headers.has('content-encoding')).toBe(false);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const content of ['one', 'two', 'three']) {
    source.give(content);
    expect(await reader?.read()).toEqual({ done: false, value: `{"content":"${content}"}\n` });
  }
  source.give('end');
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
});

test('a stream is not affected by the request time limits', async () => {
  // Long enough for the complete request to arrive on a busy machine.
  const limits = { headersTimeout: 1_000, requestTimeout: 1_500, connectionsCheckingInterval: 100 };
  const listener = await start('127.0.0.1', 0, limits);
  const source = frames();
  listener.serve(streamed(source));
  const half = connect(Number(new URL(listener.url).port), '127.0.0.1');
  half.write('GET / HTTP/1.1\r\nhost: x\r\n');
  const [response] = await Promise.all([
    fetch(listener.url, { method: 'POST', body: '{}' }),
    // The server closes the incomplete request, which shows that the limits apply.
    once(half.resume(), 'end'),
  ]);
  half.destroy();
  source.give('late', 'end');
  expect(await response.text()).toBe('{"content":"late"}\n');
});

test('a client that does not read stops the stream after a few chunks', async () => {
  const listener = await start();
  const source = frames();
  listener.serve(streamed(source));
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  source.give(...Array.from({ length: 20_000 }, () => 'x'.repeat(10_000)));
  await quiet(source.taken);
  // The system buffers a part of the 200 MB for a loopback connection.
  expect(source.taken()).toBeLessThan(3_000);
  socket.destroy();
  await expect.poll(source.wasLeft).toBe(true);
});

/** Resolves when a number stops growing. */
async function quiet(read: () => number): Promise<void> {
  let before = -1;
  await eventually(() => {
    const now = read();
    const same = now === before && now > 0;
    before = now;
    expect(same).toBe(true);
  }, 100);
}

test('a client that disconnects ends its stream', async () => {
  const listener = await start();
  const source = frames();
  listener.serve(streamed(source));
  const controller = new AbortController();
  const response = await fetch(listener.url, { signal: controller.signal });
  source.give('one');
  await response.body?.getReader().read();
  controller.abort();
  await expect.poll(source.wasLeft).toBe(true);
});

test('a client that disconnects aborts its request', async () => {
  const listener = await start();
  const aborted = new Promise(resolve => {
    listener.serve(async request => {
      request.signal.addEventListener('abort', resolve);
      controller.abort();
      return new Promise(() => {});
    });
  });
  const controller = new AbortController();
  await expect(fetch(listener.url, { signal: controller.signal })).rejects.toThrow();
  await aborted;
});

test('listen does not change the globals of the process', async () => {
  const before = globalThis.Request;
  await start();
  expect(globalThis.Request).toBe(before);
});

/** Sends raw bytes and resolves with the response when the connection ends. */
async function exchange(listener: Listener, ...pieces: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', text => {
    answer += text;
  });
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return answer;
}

function parts(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) };
}

describe('requests that cannot be parsed get an error body of the Platform API', () => {
  const quick = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 };

  test.each([
    ['invalid HTTP', ['hello\r\n\r\n'], 400, 'Bad Request'],
    ['an endless URL', [`GET /${'x'.repeat(70_000)}`], 414, 'URI Too Long'],
    [
      'headers that are too large',
      [`GET / HTTP/1.1\r\nhost: x\r\nx-filler: ${'x'.repeat(70_000)}`],
      431,
      'Request Header Fields Too Large',
    ],
    ['incomplete headers', ['GET / HTTP/1.1\r\nhost: x\r\n'], 408, 'Request Timeout'],
    ['a missing host', ['GET / HTTP/1.1\r\nconnection: close\r\n\r\n'], 400, 'Bad Request'],
    ['an invalid host', ['GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'], 400, 'Bad Request'],
  ])('%s', async (_name, pieces, status, error) => {
    // Cases other than the timeout must not time out on a busy machine.
    const listener = await start('127.0.0.1', 0, status === 408 ? quick : {});
    listener.serve(async () => new Response('never'));
    const answer = parts(await exchange(listener, ...pieces));
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ statusCode: status, error, message: expect.stringMatching(/\.$/) });
    expect(answer.head).toContain('connection: close');
    expect(answer.head).toContain('content-type: application/json');
  });

  test('an incomplete body that the handler does not read', async () => {
    const listener = await start('127.0.0.1', 0, quick);
    listener.serve(() => new Promise(() => {}));
    const answer = await exchange(listener, 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
    expect(parts(answer)).toMatchObject({ status: 408, body: { statusCode: 408 } });
  });

  test('no error is written into a started response', async () => {
    const listener = await start();
    const source = frames();
    listener.serve(streamed(source));
    source.give('one');
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('latin1');
    let answer = '';
    socket
      .on('error', () => undefined)
      .on('data', text => {
        answer += text;
      });
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => answer).toContain('one');
    socket.write('no HTTP\r\n\r\n');
    await once(socket, 'close');
    expect(answer).not.toContain('400');
  });
});

test('closing adds "connection: close" to the response in progress', async () => {
  const listener = await start();
  let finish = () => {};
  const begun = new Promise<void>(resolve => {
    listener.serve(async () => {
      resolve();
      await new Promise<void>(done => {
        finish = done;
      });
      return new Response('whole');
    });
  });
  const answer = exchange(listener, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await begun;
  const closed = listener.close(never);
  finish();
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*whole/i);
  await closed;
});

test('an idle connection does not delay closing', async () => {
  const listener = await start();
  listener.serve(async () => new Response('whole'));
  const agent = new Agent({ keepAlive: true });
  const response = await new Promise<IncomingMessage>(resolve => get(listener.url, { agent }, resolve));
  expect(response.headers.connection).toBe('keep-alive');
  response.resume();
  await once(response, 'end');
  await listener.close(never);
  agent.destroy();
});

test('a platform returns 421 for an absolute-form target that names another host', async () => {
  const listener = await start();
  const { host } = new URL(listener.url);
  const app = emptyApp(listener.url);
  listener.serve(async (request, origin) => app.fetch(request, origin));
  const statusOf = async (target: string) =>
    (await exchange(listener, `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).split(' ')[1];
  expect(await statusOf('http://evil.example/nothing')).toBe('421');
  expect(await statusOf(`http://${host}/nothing`)).toBe('404');
  expect(await statusOf('/nothing')).toBe('404');
});

test('the handler receives the original request target', async () => {
  const listener = await start();
  listener.serve(async (_request, { url }) => new Response(url));
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('utf8');
  socket.write('GET http://evil.example/x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
  let answer = '';
  socket.on('data', text => {
    answer += text;
  });
  await once(socket, 'close');
  expect(answer).toContain('http://evil.example/x');
});
