import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { type Listener, listen } from '../../src/cli/listen.js';
import { PlatformError } from '../../src/platform/errors.js';
import { readBody } from '../../src/platform/read-body.js';

const limit = 2048;
const streamed = (text: string) => ({ body: new Blob([text]).stream(), duplex: 'half' as const });
const post = (init: RequestInit) => new Request('http://localhost', { method: 'POST', ...init });

test.each([
  ['announced', (text: string) => ({ body: text, headers: { 'content-length': String(text.length) } })],
  ['in chunks', streamed],
])('a body %s is read up to the limit', async (_name, init) => {
  const whole = 'x'.repeat(limit);
  expect(await readBody(post(init(whole)), limit)).toBe(whole);
  await expect(readBody(post(init(`${whole}x`)), limit)).rejects.toMatchObject({
    status: 413,
    message: 'The body is too large: 2 KB is the most.',
  });
});

test('no body is an empty text, and letters of several bytes stay whole', async () => {
  expect(await readBody(post({}), limit)).toBe('');
  const bytes = new TextEncoder().encode('ü😀');
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await readBody(post({ body, duplex: 'half' } as RequestInit), limit)).toBe('ü😀');
});

let listener: Listener | undefined;
afterEach(() => listener?.close(0));

test('a body that comes over HTTP in chunks, or not at all, is read', async () => {
  const app = new Hono();
  app.all('/', async context => context.text(await readBody(context.req.raw, limit)));
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
