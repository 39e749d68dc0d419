import type { IncomingMessage } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import type { PaError } from '../../src/client/errors.js';
import { embedSessionHandler } from '../../src/node/embed-session-handler.js';
import { toNodeHandler } from '../../src/node/to-node-handler.js';
import { json } from '../client/fake-service.js';
import { listening } from './listen.js';

const sessionId = 'ab'.repeat(16);
const url = 'https://app.example/api/embed-session';
const minting = {
  baseUrl: 'https://platform.example',
  apiKey: 'admin-key-4711',
  retries: 0,
  fetch: async () => json({ sessionId }),
};
const grant = { deploymentId: 1, externalId: 'rosa' };

const post = (headers: Record<string, string> = {}): Request => new Request(url, { method: 'POST', headers });

describe('the handler', () => {
  it('creates a session for the signed-in user', async () => {
    const grantFor = vi.fn(async () => grant);
    const request = post({ cookie: 'user=rosa' });
    const response = await embedSessionHandler({ ...minting, grantFor })(request);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ sessionId });
    expect(grantFor).toHaveBeenCalledWith(request);
  });

  it.each([null, undefined])('returns 401 if grantFor returns %s', async noUser => {
    const fetch = vi.fn<typeof globalThis.fetch>();
    const response = await embedSessionHandler({ ...minting, fetch, grantFor: () => noUser })(post());
    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('rejects %s', async method => {
    const grantFor = vi.fn(() => grant);
    const response = await embedSessionHandler({ ...minting, grantFor })(new Request(url, { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(grantFor).not.toHaveBeenCalled();
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://blog.example' },
    { origin: 'https://evil.example' },
    { origin: 'https://app.example.evil.example' },
    { origin: 'https://app.example:8443' },
    { origin: 'null' },
  ])('rejects requests from other sites: %j', async headers => {
    const grantFor = vi.fn(() => grant);
    const response = await embedSessionHandler({ ...minting, grantFor })(post(headers));
    expect(response.status).toBe(403);
    expect(grantFor).not.toHaveBeenCalled();
  });

  it.each([
    { 'sec-fetch-site': 'same-origin', origin: 'https://app.example' },
    // A reverse proxy sent another host name.
    { 'sec-fetch-site': 'same-origin', origin: 'https://public.example' },
    { origin: 'https://app.example' },
    { origin: 'http://app.example' },
  ])('accepts same-site requests: %j', async headers => {
    expect((await embedSessionHandler({ ...minting, grantFor: () => grant })(post(headers))).status).toBe(200);
  });

  it.each([
    ['the platform is down', json({ message: 'secret detail' }, 503), 503, 'server_failed'],
    ['the key is wrong', json({ message: 'secret detail' }, 401), 500, 'not_authenticated'],
  ])('hides the details from the page and reports them to the host if %s', async (_what, answer, status, code) => {
    const errors: PaError[] = [];
    const handler = embedSessionHandler({
      ...minting,
      fetch: async () => answer,
      grantFor: () => grant,
      onError: error => errors.push(error),
    });
    const response = await handler(post());
    expect(response.status).toBe(status);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ statusCode: status, code });
    expect(text).not.toContain('secret detail');
    expect(text).not.toContain(minting.apiKey);
    expect(errors.map(error => error.message)).toEqual(['secret detail']);
  });

  it('reports the invalid field of the grant to the host', async () => {
    const onError = vi.fn();
    const grantFor = () => ({ deploymentId: 1 });
    const response = await embedSessionHandler({ ...minting, grantFor, onError })(post());
    expect(response.status).toBe(500);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'invalid_grant' });
  });

  it('emits a process warning without an onError option', async () => {
    const warned = new Promise<Error>(resolve => process.once('warning', resolve));
    const options = { ...minting, apiKey: '', grantFor: () => ({ deploymentId: 1, externalId: 'ann' }) };
    expect((await embedSessionHandler(options)(post())).status).toBe(500);
    expect(await warned).toMatchObject({ code: 'invalid_options', message: expect.stringContaining('Set apiKey') });
  });

  it('passes errors of grantFor to the framework', async () => {
    const handler = embedSessionHandler({ ...minting, grantFor: () => Promise.reject(new Error('database is down')) });
    await expect(handler(post())).rejects.toThrow('database is down');
  });
});

const listen = listening();

describe('in a framework', () => {
  it('works in Express, with the user that Express provides', async () => {
    const app = express();
    app.use(express.json());
    app.use((request, _response, next) => {
      Object.assign(request, { user: request.get('x-user') });
      next();
    });
    const handler = embedSessionHandler({
      ...minting,
      grantFor: (_request, { user }: IncomingMessage & { user?: string }) =>
        user ? { deploymentId: 1, externalId: user } : null,
    });
    app.use('/api', express.Router().all('/embed-session', toNodeHandler(handler)));
    const origin = await listen(app);
    const ask = (init: RequestInit) => fetch(`${origin}/api/embed-session`, init);
    const response = await ask({ method: 'POST', headers: { 'x-user': 'rosa', origin } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.json()).toEqual({ sessionId });
    expect((await ask({ method: 'POST' })).status).toBe(401);
    expect((await ask({ method: 'GET' })).status).toBe(405);
    expect((await ask({ method: 'POST', headers: { 'x-user': 'rosa', origin: 'https://evil.example' } })).status).toBe(
      403,
    );
    const parsed = { 'content-type': 'application/json', 'x-user': 'rosa' };
    expect((await ask({ method: 'POST', headers: parsed, body: '{"a":1}' })).status).toBe(200);
  });

  it('passes errors to Express', async () => {
    const app = express();
    const handler = embedSessionHandler({ ...minting, grantFor: () => Promise.reject(new Error('database is down')) });
    app.post('/session', toNodeHandler(handler));
    app.use(((error, _request, response, _next) => {
      response.status(500).send(`error: ${error.message}`);
    }) satisfies express.ErrorRequestHandler);
    const response = await fetch(`${await listen(app)}/session`, { method: 'POST' });
    expect(await response.text()).toBe('error: database is down');
  });

  it('works in Hono', async () => {
    const handler = embedSessionHandler({
      ...minting,
      grantFor: request => (request.headers.get('cookie') === 'user=rosa' ? grant : null),
    });
    const app = new Hono();
    app.all('/api/embed-session', context => handler(context.req.raw));
    // By default, the listener replaces `Request` and `Response` for all files of the worker.
    const serve = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const origin = await listen((request, response) => void serve(request, response));
    const address = `${origin}/api/embed-session`;
    const response = await fetch(address, { method: 'POST', headers: { cookie: 'user=rosa' } });
    expect(await response.json()).toEqual({ sessionId });
    expect((await fetch(address, { method: 'POST' })).status).toBe(401);
    expect((await fetch(address)).status).toBe(405);
  });

  it('works in plain Node, including the body', async () => {
    const handler = embedSessionHandler({
      ...minting,
      grantFor: async request => ({ deploymentId: 1, externalId: await request.text() }),
    });
    const origin = await listen(toNodeHandler(handler));
    const response = await fetch(origin, { method: 'POST', body: 'rosa' });
    expect(await response.json()).toEqual({ sessionId });
  });
});
