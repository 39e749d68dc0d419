import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Listener, listen } from '../../src/cli/listen.js';

const open: Listener[] = [];
const start = async (host = '127.0.0.1', port = 0) => {
  const listener = await listen({ host, port });
  open.push(listener);
  return listener;
};

afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close(0);
});

test('a picked port is told, and nothing is served before there is someone who answers', async () => {
  const listener = await start();
  expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const early = await fetch(listener.url);
  expect(early.status).toBe(503);
  expect(early.headers.get('retry-after')).toBe('1');
  listener.serve(async request => new Response(new URL(request.url).pathname));
  expect(await (await fetch(`${listener.url}/x`)).text()).toBe('/x');
});

test('a busy port is told in a sentence', async () => {
  const port = Number(new URL((await start()).url).port);
  await expect(start('127.0.0.1', port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
});

test('an open request ends before the listener does, and a new one is refused', async () => {
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
  const closed = listener.close(10_000);
  await expect(fetch(listener.url)).rejects.toThrow();
  finish();
  expect(await (await answer).text()).toBe('whole');
  await closed;
});

test('a request that does not end is broken off at the limit', async () => {
  const listener = await start();
  listener.serve(() => new Promise(() => {}));
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const ended = once(socket, 'close');
  await listener.close(100);
  await ended;
});

test('a caller that hangs up aborts its request', async () => {
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

test('the globals of the process stay its own', async () => {
  const before = globalThis.Request;
  await start();
  expect(globalThis.Request).toBe(before);
});
