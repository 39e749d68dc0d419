import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { createApp, createOpsApp } from '../../src/platform/app.js';
import { adminRights } from '../../src/platform/auth/rights.js';
import { PlatformError } from '../../src/platform/errors.js';

const failures: unknown[][] = [];

function makeApp({ publicUrl = 'http://localhost:4100', allowOrigins = ['https://app.example'] } = {}) {
  const platformRoutes = new Hono({ strict: false });
  platformRoutes.get('/api/v1/things/:id', context => context.json({ id: context.req.param('id') }));
  platformRoutes.post('/api/v1/things', async context => context.json({ length: (await context.req.text()).length }));
  platformRoutes.get('/api/v1/conflict', () => {
    throw new PlatformError(409, 'Overtaken.', { code: 'upsert_branch_changed' });
  });
  platformRoutes.get('/api/v1/busy', () => {
    throw new PlatformError(429, 'Too many.');
  });
  platformRoutes.get('/api/v1/slow', () => {
    throw new PlatformError(408, 'Too slow.');
  });
  platformRoutes.get('/api/v1/away', () => {
    throw Object.assign(new Error('secret address'), { code: 'ECONNREFUSED' });
  });
  platformRoutes.get('/api/v1/broken', () => {
    throw new Error('secret row value');
  });
  const dataRoutes = new Hono({ strict: false });
  dataRoutes.get('/v1/broken', () => {
    throw new Error('secret row value');
  });
  dataRoutes.get('/v1/refused', () => {
    throw new PlatformError(403, 'Invalid token');
  });
  return createApp({
    publicUrl: new URL(publicUrl),
    allowOrigins,
    dataApiPath: '/data-api',
    authenticate: async request => {
      if (!request.headers.has('authorization')) throw new PlatformError(401, 'Who are you?');
      return { kind: 'api-key', userId: 1, keyId: 1, rights: adminRights };
    },
    platformRoutes,
    dataRoutes,
    chatRoutes: new Hono(),
    onFailure: (...failure) => failures.push(failure),
  });
}

const call = (path: string, init?: RequestInit, app = makeApp()) => app.request(`http://localhost:4100${path}`, init);

describe('paths', () => {
  test('work with and without a trailing slash', async () => {
    for (const path of ['/api/v1/things/7', '/api/v1/things/7/']) {
      expect(await (await call(path)).json()).toEqual({ id: '7' });
    }
  });

  test('that do not exist return 401 to unauthenticated and 404 to authenticated callers', async () => {
    for (const path of ['/', '/nothing', '/api/v1/nothing', '/livez', '/readyz']) {
      expect((await call(path)).status).toBe(401);
      expect((await call(path, { headers: { authorization: 'x' } })).status).toBe(404);
    }
  });
});

describe('a URL', () => {
  const padded = (path: string, length: number) => {
    const start = `${path}?q=`;
    return start + 'x'.repeat(length - 'http://localhost:4100'.length - start.length);
  };

  test('can have 16 KB; longer ones return 414 even if the path does not exist', async () => {
    expect((await call(padded('/api/v1/things/7', 16_384))).status).toBe(200);
    for (const path of ['/api/v1/things/7', '/nothing', '/v1/chat']) {
      const response = await call(padded(path, 16_385));
      expect(response.status).toBe(414);
      expect(await response.json()).toEqual({
        statusCode: 414,
        message: 'The URL exceeds the limit of 16 KB.',
        error: 'URI Too Long',
      });
    }
  });

  test('of the Data API can contain queries and has a separate limit', async () => {
    expect((await call(padded('/data-api/v1/refused', 60_000))).status).toBe(403);
  });
});

describe('errors', () => {
  test('have the same body format', async () => {
    const response = await call('/api/v1/conflict');
    expect(response.status).toBe(409);
    expect(await response.json()).toEqual({
      statusCode: 409,
      message: 'Overtaken.',
      error: 'Conflict',
      code: 'upsert_branch_changed',
    });
  });

  test('of the Data API have a different body format', async () => {
    const response = await call('/data-api/v1/refused');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: 'Invalid token' });
  });

  test('that are unexpected return 500 without details and are reported with the request id', async () => {
    failures.length = 0;
    for (const path of ['/api/v1/broken', '/data-api/v1/broken']) {
      const response = await call(path, { headers: { 'x-request-id': 'abc-1' } });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
    expect(failures).toEqual([
      [expect.objectContaining({ message: 'secret row value' }), 'abc-1'],
      [expect.objectContaining({ message: 'secret row value' }), 'abc-1'],
    ]);
  });

  test('while the database is unavailable have a retry-after header', async () => {
    failures.length = 0;
    const response = await call('/api/v1/away', { headers: { 'x-request-id': 'abc-1' } });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.text()).not.toContain('secret');
    expect(failures).toEqual([[expect.objectContaining({ message: 'secret address' }), 'abc-1']]);
  });

  test('with status 429 have a retry-after header', async () => {
    const response = await call('/api/v1/busy');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('5');
  });

  test('of an incomplete request close its connection', async () => {
    const response = await call('/api/v1/slow');
    expect(response.status).toBe(408);
    expect(response.headers.get('connection')).toBe('close');
    expect((await call('/api/v1/busy')).headers.has('connection')).toBe(false);
  });

  test('have all headers of a response', async () => {
    const headers = { origin: 'https://app.example', 'x-request-id': 'abc-1' };
    for (const path of ['/api/v1/things/7', '/api/v1/conflict', '/api/v1/broken', '/data-api/v1/refused', '/nothing']) {
      const response = await call(path, { headers });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': 'abc-1',
      });
    }
  });
});

test('a request id that is long or has special characters is replaced', async () => {
  for (const given of [undefined, 'x'.repeat(129), 'a b', '<script>']) {
    const response = await call('/api/v1/things/7', { headers: given === undefined ? {} : { 'x-request-id': given } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

describe('CORS', () => {
  const preflight = (origin: string, app = makeApp()) =>
    call(
      '/api/v1/things',
      {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-request-id',
        },
      },
      app,
    );

  test('allows the preflight of an allowed origin for two hours and without cookies', async () => {
    const response = await preflight('https://app.example');
    expect(response.status).toBe(204);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers':
        'accept,authorization,content-type,if-match,if-none-match,last-event-id,mcp-method,mcp-name,mcp-protocol-version,x-platform-auth-token,x-request-id',
      'access-control-max-age': '7200',
      vary: expect.stringMatching(/origin/i),
    });
    expect(headers['access-control-allow-methods']).toMatch(/POST/);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each(['https://evil.example', 'http://app.example', 'https://app.example:8443', 'null', ''])(
    'allows no access from %j',
    async origin => {
      expect((await preflight(origin)).headers.has('access-control-allow-origin')).toBe(false);
      const response = await call('/api/v1/things/7', { headers: { origin } });
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    },
  );

  test('allows nothing by default', async () => {
    const response = await preflight('https://app.example', makeApp({ allowOrigins: [] }));
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('varies by origin even if none is allowed', async () => {
    expect((await call('/api/v1/things/7')).headers.get('vary')).toMatch(/origin/i);
  });
});

describe('values of a trusted proxy', () => {
  const status = async (origin: object, headers: Record<string, string> = { host: 'inner' }) =>
    (await makeApp({ publicUrl: 'https://pa.example' }).request('http://inner/api/v1/things/7', { headers }, origin))
      .status;

  test('the host overrides the header', async () => {
    expect(await status({ host: 'pa.example' })).toBe(200);
    expect(await status({ host: 'evil.example' }, { host: 'pa.example' })).toBe(421);
    expect(await status({})).toBe(421);
  });

  test('the scheme HTTP is rejected if the public URL has HTTPS', async () => {
    expect(await status({ host: 'pa.example', scheme: 'https' })).toBe(200);
    expect(await status({ host: 'pa.example', scheme: 'http' })).toBe(421);
  });

  test('are ignored if only a header of the request contains them', async () => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'pa.example', 'x-forwarded-proto': 'https' };
    expect(await status({ remoteAddress: '192.0.2.1' }, forged)).toBe(421);
  });
});

describe('the Host header', () => {
  const status = async (host: string, publicUrl?: string) =>
    (await call('/api/v1/things/7', { headers: { host } }, makeApp(publicUrl === undefined ? {} : { publicUrl })))
      .status;

  test('can be any loopback name with the platform port', async () => {
    for (const host of ['localhost:4100', '127.0.0.1:4100', '[::1]:4100', 'LocalHost:4100']) {
      expect(await status(host)).toBe(200);
    }
  });

  test.each([
    'evil.example',
    'evil.example:4100',
    'localhost',
    'localhost:80',
    'localhost:41000',
    '127.0.0.2:4100',
    'localhost.:4100',
  ])('returns 421 for %s', async host => {
    expect(await status(host)).toBe(421);
  });

  test('must match the public URL if it is set', async () => {
    expect(await status('pa.example', 'https://pa.example')).toBe(200);
    expect(await status('pa.example:443', 'https://pa.example')).toBe(200);
    expect(await status('localhost:4100', 'https://pa.example')).toBe(421);
    expect(await status('pa.example:4100', 'https://pa.example')).toBe(421);
  });

  test.each([
    ['the origin of the listener', (url: string) => ({ url })],
    ['a listener of hono', (url: string) => ({ incoming: { url } })],
  ])('and a request target in absolute form must both match: %s', async (_, originFor) => {
    const status = async (host: string, target: string) => {
      const path = 'http://localhost:4100/api/v1/things/7';
      return (await makeApp().request(path, { headers: { host } }, originFor(target))).status;
    };
    const ours = 'localhost:4100';
    expect(await status(ours, '/api/v1/things/7')).toBe(200);
    expect(await status(ours, 'http://127.0.0.1:4100/api/v1/things/7')).toBe(200);
    expect(await status(ours, 'http://evil.example/api/v1/things/7')).toBe(421);
    expect(await status('evil.example', 'http://localhost:4100/api/v1/things/7')).toBe(421);
  });

  test('is checked before everything else, and X-Forwarded-Host is ignored', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost:4100' };
    expect((await call('/nothing', { headers })).status).toBe(421);
  });
});

describe('the ops listener', () => {
  test('serves metrics if they are enabled', async () => {
    const render = async () => ({ contentType: 'text/plain; version=0.0.4', text: 'pa_queries_running 1\n' });
    const response = await createOpsApp(async () => true, render).request('/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4');
    expect(await response.text()).toBe('pa_queries_running 1\n');
    expect((await createOpsApp(async () => true).request('/metrics')).status).toBe(404);
  });

  test('serves liveness and readiness', async () => {
    expect((await createOpsApp(async () => true).request('/livez')).status).toBe(200);
    expect((await createOpsApp(async () => true).request('/readyz/')).status).toBe(200);
    expect((await createOpsApp(async () => false).request('/livez')).status).toBe(200);
    expect((await createOpsApp(async () => false).request('/readyz')).status).toBe(503);
  });

  test('serves no other path', async () => {
    expect((await createOpsApp(async () => true).request('/api/v1/deployments')).status).toBe(404);
  });
});
