import { describe, expect, it, vi } from 'vitest';
import { deferred, type FakeService, json, loadAnswer, publicId, query } from '../fake-service.js';
import {
  dashboardRoute,
  eachWithSession,
  exchangeRoute,
  failure,
  loadRoute,
  mintRoute,
  type SessionHarness,
  settle,
} from './session-harness.js';

let harness: SessionHarness;
let service: FakeService;

eachWithSession(fresh => {
  harness = fresh;
  service = fresh.service;
});

describe('starting', () => {
  it('exchanges one session for any number of callers', async () => {
    const source = harness.open();
    await Promise.all([
      source.start(),
      source.start(),
      source.getDashboard(publicId, {}),
      source.getDashboard(publicId, {}),
      source.load(query, {}),
    ]);
    expect(service.mints).toBe(1);
    expect(service.exchanges).toBe(1);
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(1);
    expect(harness.statuses()).toEqual(['starting', 'ready']);
    expect(source.settings).toEqual({ locale: 'de-DE' });
  });

  it('makes at most four sequential requests from start to the first rows', async () => {
    const delay = (route: string): void => {
      const answer = service.routes.get(route);
      if (!answer) throw new Error(`no route ${route}`);
      service.routes.set(route, async seen => {
        const response = await answer(seen);
        await new Promise(resolve => setTimeout(resolve, 100));
        return response;
      });
    };
    for (const route of service.routes.keys()) delay(route);
    const source = harness.open();
    const rows = source.getDashboard(publicId, {}).then(() => source.load(query, {}));
    await vi.advanceTimersByTimeAsync(400);
    await expect(rows).resolves.toMatchObject({ truncated: false });
    expect(service.seen).toHaveLength(6);
  });

  it('uses the session function if set', async () => {
    const session = vi.fn(async () => service.nextSessionId());
    const source = harness.open({ session });
    await source.start();
    expect(session).toHaveBeenCalledTimes(1);
    expect(service.mints).toBe(0);
    expect(source.status).toBe('ready');
  });

  it('sends cookies only to the session URL, and only on its own origin', async () => {
    const source = harness.open();
    await source.getDashboard(publicId, {});
    await source.load(query, {});
    const [mint, ...rest] = service.seen.map(seen => seen.init.credentials);
    expect(mint).toBe('same-origin');
    expect(new Set(rest)).toEqual(new Set(['omit']));
  });

  it('fails with the reason, and starts again on request', async () => {
    service.routes.set(mintRoute, () => json({ message: 'Sign in first.' }, 401));
    const source = harness.open();
    await source.start();
    expect(source.status).toBe('failed');
    expect(source.error).toMatchObject({ code: 'not_authenticated', status: 401 });
    expect(harness.types()).toEqual(['status', 'status', 'error']);
    expect((await failure(source.load(query, {}))).code).toBe('not_authenticated');
    service.routes.set(mintRoute, () => json({ sessionId: service.nextSessionId() }));
    await source.start();
    expect(source.status).toBe('ready');
    expect(source.error).toBeNull();
  });

  it('restarts automatically only after a failed connection, when the network is back', async () => {
    service.routes.set(mintRoute, () => Promise.reject(new TypeError('Failed to fetch')));
    const source = harness.open();
    await source.start();
    expect(source.error?.code).toBe('connection_failed');
    service.routes.set(mintRoute, () => json({ message: 'no' }, 403));
    source.wake();
    await settle();
    expect(source.error?.status).toBe(403);
    source.wake();
    await settle();
    expect(service.mints).toBe(2);
  });

  it('notifies its subscribers of a wake after starting its own work', async () => {
    service.routes.set(mintRoute, () => Promise.reject(new TypeError('Failed to fetch')));
    const source = harness.open();
    await source.start();
    source.wake();
    expect(harness.events.slice(-2)).toEqual([{ type: 'status', status: 'starting' }, { type: 'wake' }]);
    await settle();
  });

  it('times out if the session function never returns', async () => {
    const source = harness.open({ session: () => new Promise(() => {}) });
    const started = source.start();
    await vi.advanceTimersByTimeAsync(15_000);
    await started;
    expect(source.status).toBe('failed');
    expect(source.error?.code).toBe('timed_out');
  });

  it.each([
    [{ baseUrl: '' }, 'base-url'],
    [{ baseUrl: 'http://platform.example' }, 'HTTPS'],
    [{ sessionUrl: '' }, 'session-url'],
  ])('reports a missing setting without creating a session (%j)', async (options, word) => {
    const source = harness.open(options);
    await source.start();
    expect(source.error?.code).toBe('invalid_options');
    expect(source.error?.message).toContain(word);
    expect(service.seen).toEqual([]);
  });

  it.each([
    ['not JSON', new Response('<html>', { status: 200 }), 'invalid_response'],
    ['no id', json({ id: 1 }), 'invalid_response'],
    ['a server error', json({}, 500), 'server_failed'],
  ])('fails if the session URL returns %s', async (_what, answer, code) => {
    service.routes.set(mintRoute, () => answer);
    const source = harness.open();
    await source.start();
    expect(source.error?.code).toBe(code);
  });

  it('fails if the platform returns something other than an embed token', async () => {
    service.routes.set(exchangeRoute, () => json({ token: 'opaque' }));
    const source = harness.open();
    await source.start();
    expect(source.error?.code).toBe('invalid_response');
    expect(source.error?.message).not.toContain('opaque');
  });
});

describe('identity', () => {
  it('is the same after a renewal and differs for another user', async () => {
    const source = harness.open();
    await source.start();
    const first = source.identity;
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    expect(source.identity).toBe(first);
    service.user = { sub: 'sam', securityContext: { airport: 'DFW' } };
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    expect(source.identity).not.toBe(first);
    expect(harness.events.filter(event => event.type === 'identity')).toEqual([
      { type: 'identity', identity: source.identity },
    ]);
  });

  it('aborts requests of the previous identity and clears its caches', async () => {
    const source = harness.open();
    await source.getDashboard(publicId, {});
    await source.load(query, {});
    service.routes.set(loadRoute, () => new Promise(() => {}));
    const pending = failure(source.load({ ...query, limit: 5 }, {}));
    await settle();
    service.user = { sub: 'sam' };
    source.suspend();
    await source.resume();
    expect((await pending).code).toBe('aborted');
    await source.getDashboard(publicId, {});
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(2);
    expect(service.to('/api/v1/deployments/1/token')).toHaveLength(2);
  });
});

describe('the end', () => {
  it('aborts all requests, clears the identity and reports it', async () => {
    const source = harness.open();
    await source.start();
    service.routes.set(loadRoute, () => new Promise(() => {}));
    const pending = failure(source.load(query, {}));
    await settle();
    harness.events.length = 0;
    source.end();
    expect((await pending).code).toBe('aborted');
    expect(source).toMatchObject({ status: 'ended', identity: null, settings: null, error: null });
    expect(harness.events).toEqual([
      { type: 'identity', identity: null },
      { type: 'status', status: 'ended' },
    ]);
    expect((await failure(source.load(query, {}))).code).toBe('session_ended');
    expect(service.mints).toBe(1);
  });

  it('is not undone by a late response, a wake, or the back/forward cache', async () => {
    const answer = deferred<Response>();
    service.routes.set(exchangeRoute, () => answer.promise);
    const source = harness.open();
    void source.start();
    await settle();
    source.end();
    answer.resolve(json({ token: service.nextToken() }));
    await settle();
    source.wake();
    source.suspend();
    await source.resume();
    await settle();
    expect(source.status).toBe('ended');
    expect(source.identity).toBeNull();
    expect(service.mints).toBe(1);
  });

  it('is undone by start, with a new session', async () => {
    const source = harness.open();
    await source.start();
    source.end();
    await source.start();
    expect(source.status).toBe('ready');
    expect(service.mints).toBe(2);
  });

  it('rejects callers that are waiting for a session', async () => {
    const source = harness.open();
    await source.start();
    source.suspend();
    const waiting = failure(source.load(query, {}));
    await settle();
    source.dispose();
    expect((await waiting).code).toBe('session_ended');
    await source.start();
    expect(source.status).toBe('ended');
  });
});

describe('the back/forward cache', () => {
  it('restores with a new session of the same identity, and with cached data', async () => {
    const source = harness.open();
    await source.getDashboard(publicId, {});
    harness.events.length = 0;
    source.suspend();
    expect(source.status).toBe('suspended');
    await source.resume();
    await source.getDashboard(publicId, {});
    expect(service.mints).toBe(2);
    expect(harness.statuses()).toEqual(['suspended', 'ready']);
    expect(harness.events.every(event => event.type === 'status')).toBe(true);
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(1);
  });

  it('reports another identity before the session is ready', async () => {
    const source = harness.open();
    await source.start();
    harness.events.length = 0;
    service.user = { sub: 'sam' };
    source.suspend();
    await source.resume();
    expect(harness.types()).toEqual(['status', 'identity', 'status']);
    expect(source.status).toBe('ready');
  });

  it('stays suspended while the host is unreachable, and continues afterwards', async () => {
    const source = harness.open();
    await source.start();
    const works = service.routes.get(mintRoute);
    service.routes.set(mintRoute, () => Promise.reject(new TypeError('Failed to fetch')));
    source.suspend();
    await source.resume();
    expect(source.status).toBe('suspended');
    if (works) service.routes.set(mintRoute, works);
    source.wake();
    await settle();
    expect(source.status).toBe('ready');
  });

  it('clears everything if no user is signed in', async () => {
    const source = harness.open();
    await source.start();
    service.routes.set(mintRoute, () => json({}, 401));
    source.suspend();
    await source.resume();
    expect(source).toMatchObject({ status: 'failed', identity: null, settings: null });
    expect(harness.types().slice(-3)).toEqual(['identity', 'status', 'error']);
  });

  it('holds queries until the identity is confirmed', async () => {
    const source = harness.open();
    await source.start();
    await settle();
    source.suspend();
    const rows = source.load(query, {});
    await settle();
    expect(service.loads).toBe(0);
    await source.resume();
    await expect(rows).resolves.toBeDefined();
  });

  it('repeats a query that lost its connection', async () => {
    const source = harness.open();
    await source.start();
    await settle();
    const lost = deferred<Response>();
    service.routes.set(loadRoute, () => lost.promise);
    const rows = source.load(query, {});
    await settle();
    source.suspend();
    lost.reject(new TypeError('Failed to fetch'));
    service.routes.set(loadRoute, () => json(loadAnswer([])));
    await source.resume();
    await expect(rows).resolves.toMatchObject({ rows: [] });
  });
});

describe('secrets', () => {
  it('are in no error, event or enumerable property', async () => {
    const secrets: string[] = [];
    service.routes.set(exchangeRoute, () => {
      const token = service.nextToken();
      secrets.push(token);
      return json({ token });
    });
    service.routes.set(dashboardRoute, seen => json({ message: `refused ${seen.authorization}` }, 403));
    service.routes.set(loadRoute, seen => json({ error: `bad token ${seen.authorization}` }, 400));
    const source = harness.open();
    const errors = [await failure(source.getDashboard(publicId, {})), await failure(source.load(query, {}))];
    secrets.push(service.to('/data-api/v1/load')[0]?.authorization ?? '');
    const observed = [
      ...errors.map(error => `${error.message} ${error.stack} ${JSON.stringify(error)}`),
      JSON.stringify(harness.events),
      JSON.stringify(source),
      Object.keys(source).join(),
    ].join('\n');
    expect(secrets.every(secret => secret.length > 20)).toBe(true);
    for (const secret of secrets) expect(observed).not.toContain(secret);
    expect(observed).toContain('[removed]');
    for (const seen of service.seen) expect(seen.path).not.toContain('eyJ');
  });
});
