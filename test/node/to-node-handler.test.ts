import { once } from 'node:events';
import { request as sendRaw } from 'node:http';
import { describe, expect, it } from 'vitest';
import { toNodeHandler } from '../../src/node/to-node-handler.js';
import { deferred } from '../client/fake-service.js';
import { eventually } from '../eventually.js';
import { emptyApp } from '../platform/empty-app.js';
import { listening } from './listen.js';

const listen = listening();

describe('toNodeHandler', () => {
  it('passes on method, URL, headers and body, and sends status, headers, cookies and bytes', async () => {
    const origin = await listen(
      toNodeHandler(async request => {
        const headers = new Headers({ 'x-a': request.headers.get('x-a') ?? '' });
        headers.append('set-cookie', 'a=1');
        headers.append('set-cookie', 'b=2');
        return new Response(`${request.method} ${request.url} ${await request.text()}`, { status: 202, headers });
      }),
    );
    const response = await fetch(`${origin}/p?q=1`, { method: 'PUT', body: 'body', headers: { 'x-a': 'yes' } });
    expect(response.status).toBe(202);
    expect(response.headers.get('x-a')).toBe('yes');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe(`PUT ${origin}/p?q=1 body`);
  });

  it('rejects a body that is too large', async () => {
    const origin = await listen(toNodeHandler(async () => new Response('unreached')));
    const response = await fetch(origin, { method: 'POST', body: 'x'.repeat(65_537) });
    expect(response.status).toBe(413);
  });

  it('reports a consumed body, and how to mount the handler', async () => {
    const handler = Object.assign(async () => new Response('unreached'), { maxBodyBytes: 100 });
    const serve = toNodeHandler(handler);
    const origin = await listen((request, response) => {
      request.resume().once('end', () => serve(request, response));
    });
    const response = await fetch(origin, { method: 'POST', body: '{}' });
    expect(response.status).toBe(500);
    expect((await response.json()).message).toContain('was read before the handler ran');
  });

  it('rejects an invalid host', async () => {
    const origin = await listen(toNodeHandler(async () => new Response('unreached')));
    const outgoing = sendRaw(origin, { headers: { host: 'a b' } }).end();
    const [response] = await once(outgoing, 'response');
    expect(response.statusCode).toBe(400);
    response.destroy();
  });

  it('serves a platform that returns 421 for an absolute-form target that names another host', async () => {
    const publicUrl = 'http://pa.example';
    const app = emptyApp(publicUrl);
    const origin = await listen(toNodeHandler(async (request, incoming) => app.fetch(request, incoming)));
    const statusOf = async (path: string): Promise<number | undefined> => {
      const outgoing = sendRaw(origin, { path, headers: { host: 'pa.example' } }).end();
      const [response] = await once(outgoing, 'response');
      response.destroy();
      return response.statusCode;
    };
    expect(await statusOf('http://evil.example/nothing')).toBe(421);
    expect(await statusOf(`${publicUrl}/nothing`)).toBe(404);
    expect(await statusOf('/nothing')).toBe(404);
  });

  it('returns 500 without details if no other handler takes the error', async () => {
    const origin = await listen(toNodeHandler(() => Promise.reject(new Error('secret detail'))));
    const response = await fetch(origin);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('');
  });

  it('aborts the request when the client disconnects', async () => {
    const aborted = deferred<void>();
    const reached = deferred<void>();
    const origin = await listen(
      toNodeHandler(request => {
        request.signal.addEventListener('abort', () => aborted.resolve());
        reached.resolve();
        return aborted.promise.then(() => new Response());
      }),
    );
    const controller = new AbortController();
    const gone = fetch(origin, { signal: controller.signal }).catch(() => 'gone');
    await reached.promise;
    controller.abort();
    await aborted.promise;
    expect(await gone).toBe('gone');
  });

  it('accepts bodies up to the limit of the handler', async () => {
    const handler = Object.assign(async (request: Request) => new Response(`${(await request.text()).length}`), {
      maxBodyBytes: 100_000,
    });
    const origin = await listen(toNodeHandler(handler));
    expect(await (await fetch(origin, { method: 'POST', body: 'x'.repeat(100_000) })).text()).toBe('100000');
    expect((await fetch(origin, { method: 'POST', body: 'x'.repeat(100_001) })).status).toBe(413);
  });

  it('reads no further ahead than the client', async () => {
    const megabyte = new Uint8Array(1024 * 1024);
    let given = 0;
    const cancelled = deferred<void>();
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          given += 1;
          controller.enqueue(megabyte);
        },
        cancel: () => cancelled.resolve(),
      });
    const origin = await listen(toNodeHandler(async () => new Response(body())));
    const outgoing = sendRaw(origin).end();
    const [response] = await once(outgoing, 'response');
    response.pause();
    // The socket buffers fill up first; then nothing more is read.
    let before = -1;
    await eventually(() => {
      const now = given;
      const isQuiet = now === before;
      before = now;
      expect(isQuiet).toBe(true);
    }, 200);
    expect(given).toBeLessThan(50);
    response.destroy();
    await cancelled.promise;
  });

  it('closes the connection if the response body fails', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new TextEncoder().encode('begun')),
      pull: () => Promise.reject(new Error('secret detail')),
    });
    const origin = await listen(toNodeHandler(async () => new Response(body)));
    await expect(fetch(origin).then(response => response.text())).rejects.toThrow();
  });
});
