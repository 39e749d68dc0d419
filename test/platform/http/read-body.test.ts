import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { type Listener, listen } from '../../../src/cli/server/listen.js';
import { uploadFile } from '../../../src/contract/model-uploads.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { readBody } from '../../../src/platform/http/read-body.js';
import { readForm } from '../../../src/platform/http/read-form.js';

const limit = 2048;
const streamed = (text: string) => ({ body: new Blob([text]).stream(), duplex: 'half' as const });
const post = (init: RequestInit) => new Request('http://localhost', { method: 'POST', ...init });

test.each([
  ['announced', (text: string) => ({ body: text, headers: { 'content-length': String(text.length) } })],
  ['in chunks', streamed],
])('a body %s is read up to the limit', async (_name, init) => {
  const whole = 'x'.repeat(limit);
  expect(await readBody(post(init(whole)), { maxBytes: limit })).toBe(whole);
  await expect(readBody(post(init(`${whole}x`)), { maxBytes: limit })).rejects.toMatchObject({
    status: 413,
    message: 'The body is too large. The limit is 2 KB.',
  });
});

test('a form of many parts is rejected before it is parsed', async () => {
  const form = (count: number) => {
    const fields = new FormData();
    for (let index = 0; index < count; index += 1) fields.append('name', '');
    return { request: post({ body: fields }), caller: '1' };
  };
  const read = (count: number) => readForm(uploadFile, form(count), async () => undefined);
  await expect(read(20)).rejects.toMatchObject({ status: 400, message: 'The body contains a duplicate field.' });
  await expect(read(21)).rejects.toMatchObject({ status: 400, message: 'The body has more than 20 fields.' });
  // Parsers read such headers in different ways.
  for (const type of [
    'multipart/form-data; boundary=a, multipart/form-data; boundary=b',
    'multipart/form-data\u00a0',
  ]) {
    const request = post({ body: '--b\r\n\r\n--b--', headers: { 'content-type': type } });
    const refused = readForm(uploadFile, { request, caller: '1' }, async () => undefined);
    await expect(refused).rejects.toMatchObject({ status: 400 });
  }
});

test.each(['gzip', 'br', 'zstd', 'identity, gzip'])('a body compressed by %s returns 415', async encoding => {
  const compressed = post({ body: '{}', headers: { 'content-encoding': encoding } });
  await expect(readBody(compressed, { maxBytes: limit })).rejects.toMatchObject({ status: 415 });
  const plain = post({ body: '{}', headers: { 'content-encoding': 'Identity' } });
  expect(await readBody(plain, { maxBytes: limit })).toBe('{}');
});

test('a missing body is an empty string, and multi-byte characters are not split', async () => {
  expect(await readBody(post({}), { maxBytes: limit })).toBe('');
  const bytes = new TextEncoder().encode('ü😀');
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await readBody(post({ body, duplex: 'half' } as RequestInit), { maxBytes: limit })).toBe('ü😀');
});

test('a body that does not arrive in time returns 408 and releases its stream', async () => {
  let left = false;
  const body = new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode('{')),
    cancel() {
      left = true;
    },
  });
  const slow = post({ body, duplex: 'half' } as RequestInit);
  await expect(readBody(slow, { maxBytes: limit, maxMs: 50 })).rejects.toMatchObject({
    status: 408,
    message: 'The body took too long to arrive. The limit is 0.05 s.',
  });
  expect(left).toBe(true);
});

let listener: Listener | undefined;
afterEach(() => listener?.close(0));

test('an announced HTTP body that does not arrive returns 408', async () => {
  const app = new Hono();
  app.all('/', async context => context.text(await readBody(context.req.raw, { maxBytes: limit, maxMs: 50 })));
  app.onError((error, context) => context.text(error.message, error instanceof PlatformError ? 408 : 500));
  listener = await listen({ host: '127.0.0.1', port: 0 });
  listener.serve(async request => app.fetch(request));
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('utf8');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 408 /);
  // Data that arrives later does not belong to any request.
  await once(socket, 'close');
});

test('a chunked or missing HTTP body is read', async () => {
  const app = new Hono();
  app.all('/', async context => context.text(await readBody(context.req.raw, { maxBytes: limit })));
  app.onError((error, context) => context.text(error.message, error instanceof PlatformError ? 413 : 500));
  listener = await listen({ host: '127.0.0.1', port: 0 });
  listener.serve(async request => app.fetch(request));
  const answer = async (init: RequestInit) => {
    const response = await fetch(listener?.url ?? '', init);
    return [response.status, await response.text()];
  };
  expect(await answer({ method: 'POST', ...streamed('chunked') })).toEqual([200, 'chunked']);
  expect(await answer({ method: 'DELETE' })).toEqual([200, '']);
  expect((await answer({ method: 'POST', ...streamed('x'.repeat(limit + 1)) }))[0]).toBe(413);
});
