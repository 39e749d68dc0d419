import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaError } from '../../src/client/errors.js';
import { createSessionSource, type SessionEvent, type SessionSource } from '../../src/client/session-source.js';
import { deferred, FakeService, json, loadAnswer, publicId, query } from './fake-service.js';

const sessionUrl = '/api/embed-session';
const exchangePath = 'POST /api/v1/embed/session/token';
const dashboardPath = `GET /api/v1/embed/dashboard/${publicId}`;
const loadPath = 'POST /data-api/v1/load';

let service: FakeService;
let source: SessionSource;
let events: SessionEvent[];

function open(options: Partial<Parameters<typeof createSessionSource>[0]> = {}): SessionSource {
  source = createSessionSource({ baseUrl: 'https://platform.example', sessionUrl, fetch: service.fetch, ...options });
  events = [];
  source.subscribe(event => events.push(event));
  return source;
}

/** Lets everything that is under way without a timer happen. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const statuses = (): string[] => events.flatMap(event => (event.type === 'status' ? [event.status] : []));
const types = (): string[] => events.map(event => event.type);
const failure = (promise: Promise<unknown>): Promise<PaError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  );

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  service = new FakeService();
});

afterEach(async () => {
  source?.dispose();
  await settle();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('starting', () => {
  it('exchanges one session however many ask', async () => {
    open();
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
    expect(statuses()).toEqual(['starting', 'ready']);
    expect(source.settings).toEqual({ locale: 'de-DE' });
  });

  it('has at most four requests follow one another from start to the first rows', async () => {
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
    open();
    const rows = source.getDashboard(publicId, {}).then(() => source.load(query, {}));
    await vi.advanceTimersByTimeAsync(400);
    await expect(rows).resolves.toMatchObject({ truncated: false });
    expect(service.seen).toHaveLength(6);
  });

  it('mints by the session function where there is one', async () => {
    const session = vi.fn(async () => service.nextSessionId());
    open({ session });
    await source.start();
    expect(session).toHaveBeenCalledTimes(1);
    expect(service.mints).toBe(0);
    expect(source.status).toBe('ready');
  });

  it('sends cookies to the session address alone, and to its own origin alone', async () => {
    open();
    await source.getDashboard(publicId, {});
    await source.load(query, {});
    const [mint, ...rest] = service.seen.map(seen => seen.init.credentials);
    expect(mint).toBe('same-origin');
    expect(new Set(rest)).toEqual(new Set(['omit']));
  });

  it('fails with the reason, and starts anew when asked', async () => {
    service.routes.set(`POST ${sessionUrl}`, () => json({ message: 'Sign in first.' }, 401));
    open();
    await source.start();
    expect(source.status).toBe('failed');
    expect(source.error).toMatchObject({ code: 'not_authenticated', status: 401 });
    expect(types()).toEqual(['status', 'status', 'error']);
    expect((await failure(source.load(query, {}))).code).toBe('not_authenticated');
    service.routes.set(`POST ${sessionUrl}`, () => json({ sessionId: service.nextSessionId() }));
    await source.start();
    expect(source.status).toBe('ready');
    expect(source.error).toBeNull();
  });

  it('starts again by itself after a failed connection, and only then, once the network is back', async () => {
    service.routes.set(`POST ${sessionUrl}`, () => Promise.reject(new TypeError('Failed to fetch')));
    open();
    await source.start();
    expect(source.error?.code).toBe('connection_failed');
    service.routes.set(`POST ${sessionUrl}`, () => json({ message: 'no' }, 403));
    source.wake();
    await settle();
    expect(source.error?.status).toBe(403);
    source.wake();
    await settle();
    expect(service.mints).toBe(2);
  });

  it('gives up on a session function that never answers', async () => {
    open({ session: () => new Promise(() => {}) });
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
  ])('says which setting is missing and mints nothing (%j)', async (options, word) => {
    open(options);
    await source.start();
    expect(source.error?.code).toBe('invalid_options');
    expect(source.error?.message).toContain(word);
    expect(service.seen).toEqual([]);
  });

  it.each([
    ['not JSON', new Response('<html>', { status: 200 }), 'invalid_response'],
    ['no id', json({ id: 1 }), 'invalid_response'],
    ['a server error', json({}, 500), 'server_failed'],
  ])('fails when the session address answers %s', async (_what, answer, code) => {
    service.routes.set(`POST ${sessionUrl}`, () => answer);
    open();
    await source.start();
    expect(source.error?.code).toBe(code);
  });

  it('fails when the platform answers with something else than an embed token', async () => {
    service.routes.set(exchangePath, () => json({ token: 'opaque' }));
    open();
    await source.start();
    expect(source.error?.code).toBe('invalid_response');
    expect(source.error?.message).not.toContain('opaque');
  });
});

describe('renewal', () => {
  it('renews before the end, keeps everything, and tells that it was near', async () => {
    open();
    await source.getDashboard(publicId, {});
    const identity = source.identity;
    events.length = 0;
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    expect(service.mints).toBe(2);
    expect(types()).toEqual(['expiring']);
    expect(source.identity).toBe(identity);
    expect(source.status).toBe('ready');
  });

  it('uses the new token from then on and the same data', async () => {
    open();
    await source.load(query, {});
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    await source.getDashboard(publicId, {});
    const [first] = service.to('/api/v1/deployments/1');
    const [later] = service.to(`/api/v1/embed/dashboard/${publicId}`);
    expect(later?.authorization).not.toBe(first?.authorization);
    expect(service.to('/api/v1/deployments/1')).toHaveLength(1);
  });

  it('tries again with growing pauses, expires when the token does, and is ready again once it works', async () => {
    service.lifetime = 600;
    open();
    await source.start();
    const works = service.routes.get(`POST ${sessionUrl}`);
    service.routes.set(`POST ${sessionUrl}`, () => json({}, 503));
    events.length = 0;
    await vi.advanceTimersByTimeAsync(540_000);
    expect(service.mints).toBe(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(service.mints).toBe(3);
    await vi.advanceTimersByTimeAsync(1999);
    expect(service.mints).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(service.mints).toBe(4);
    expect(types()).toEqual(['expiring']);
    await vi.advanceTimersByTimeAsync(57_000);
    expect(source.status).toBe('expired');
    if (works) service.routes.set(`POST ${sessionUrl}`, works);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(source.status).toBe('ready');
    expect(statuses()).toEqual(['expired', 'ready']);
  });

  it('stops trying after ten failures until the page wakes it', async () => {
    open();
    await source.start();
    service.routes.set(`POST ${sessionUrl}`, () => json({}, 503));
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    await vi.advanceTimersByTimeAsync(50 * 60_000);
    expect(service.mints).toBe(12);
    source.wake();
    await settle();
    expect(service.mints).toBe(13);
  });

  it('renews when the page comes to the foreground near the end, and not before', async () => {
    open();
    await source.start();
    source.wake();
    await settle();
    expect(service.mints).toBe(1);
    vi.setSystemTime(Date.now() + 23.5 * 3_600_000);
    source.wake();
    source.wake();
    await settle();
    expect(service.mints).toBe(2);
  });

  it('takes the life of a token from its own times, whatever the clock of the page says', async () => {
    open({ session: async () => service.nextSessionId() });
    service.lifetime = 1000;
    const token = service.nextToken();
    vi.setSystemTime(Date.now() + 7_200_000);
    service.routes.set(exchangePath, () => json({ token }));
    await source.start();
    await vi.advanceTimersByTimeAsync(899_000);
    expect(source.status).toBe('ready');
    expect(service.exchanges).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(service.exchanges).toBe(2);
  });

  it('does not chase its tail over a token that says it is over already', async () => {
    service.lifetime = -5;
    open();
    await source.start();
    await vi.advanceTimersByTimeAsync(8999);
    expect(service.mints).toBe(1);
  });

  it('does not try again by itself when the host refuses, and says so', async () => {
    open();
    await source.start();
    service.routes.set(`POST ${sessionUrl}`, () => json({}, 401));
    events.length = 0;
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(service.mints).toBe(2);
    expect(types()).toEqual(['expiring', 'error', 'status']);
    expect(source.status).toBe('expired');
  });
});

describe('refusal', () => {
  it('gets a new session when the platform refuses the token, once for all, and asks once more', async () => {
    open();
    await source.start();
    await settle();
    let refusals = 0;
    service.routes.set(dashboardPath, seen => {
      const fresh = seen.authorization === `Bearer ${lastToken()}`;
      if (!fresh) refusals += 1;
      return fresh ? json({ ...dashboardAnswer(seen.path) }) : json({ message: 'expired' }, 401);
    });
    service.routes.set(
      'GET /api/v1/embed/dashboard/Other0000001',
      service.routes.get(dashboardPath) ?? (() => json({})),
    );
    let last = '';
    const lastToken = (): string => last;
    service.routes.set(exchangePath, () => {
      last = service.nextToken();
      return json({ token: last });
    });
    const dashboards = await Promise.all([source.getDashboard(publicId, {}), source.getDashboard('Other0000001', {})]);
    expect(dashboards.map(each => each.publicId)).toEqual([publicId, 'Other0000001']);
    expect(refusals).toBe(2);
    expect(service.mints).toBe(2);
    expect(statuses()).toEqual(['starting', 'ready']);
  });

  it('asks no more than once again', async () => {
    service.routes.set(dashboardPath, () => json({ message: 'Not known.' }, 401));
    open();
    const error = await failure(source.getDashboard(publicId, {}));
    expect(error).toMatchObject({ code: 'not_authenticated', status: 401 });
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(2);
    expect(service.mints).toBe(2);
  });

  it('expires when the platform refuses the token and the host gives no new session', async () => {
    open();
    await source.start();
    service.routes.set(dashboardPath, () => json({}, 401));
    service.routes.set(`POST ${sessionUrl}`, () => json({}, 401));
    await failure(source.getDashboard(publicId, {}));
    expect(source.status).toBe('expired');
    expect(service.mints).toBe(2);
  });

  it.each([
    ['401', () => json({ error: 'no' }, 401)],
    ['403 Invalid token', () => json({ error: 'Invalid token' }, 403)],
  ])('gets one new data token for all queries when the Data API answers %s', async (_what, refuse) => {
    open();
    await source.load(query, {});
    const [first] = service.to('/data-api/v1/load');
    service.routes.set(loadPath, seen =>
      seen.authorization === first?.authorization ? refuse() : json(loadAnswer([])),
    );
    const queries = [10, 20, 30].map(limit => source.load({ ...query, limit }, {}));
    await expect(Promise.all(queries)).resolves.toHaveLength(3);
    expect(service.to('/api/v1/deployments/1/token')).toHaveLength(2);
    expect(service.mints).toBe(1);
    expect(service.loads).toBe(1 + 3 + 3);
  });

  it('asks the Data API no more than once again', async () => {
    service.routes.set(loadPath, () => json({ error: 'Invalid token' }, 403));
    open();
    expect((await failure(source.load(query, {}))).code).toBe('not_authenticated');
    expect(service.loads).toBe(2);
  });

  it('takes any other 403 as final', async () => {
    service.routes.set(loadPath, () => json({ error: 'You may not see this' }, 403));
    service.routes.set(dashboardPath, () => json({ message: 'Embedding is off.' }, 403));
    open();
    expect(await failure(source.load(query, {}))).toMatchObject({
      code: 'not_allowed',
      message: 'You may not see this',
    });
    expect((await failure(source.getDashboard(publicId, {}))).status).toBe(403);
    expect(service.loads).toBe(1);
    expect(service.mints).toBe(1);
    expect(source.status).toBe('ready');
  });
});

function dashboardAnswer(path: string): Record<string, unknown> {
  return {
    allowEmbed: true,
    config: {},
    deploymentId: 1,
    id: 1,
    publicId: path.slice(-12),
    reportSnapshots: [],
    status: 'published',
    versionId: 1,
    versionNumber: 1,
    workbookId: 1,
  };
}

describe('identity', () => {
  it('is the same after a renewal and another one for another user', async () => {
    open();
    await source.start();
    const first = source.identity;
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    expect(source.identity).toBe(first);
    service.user = { sub: 'sam', securityContext: { airport: 'DFW' } };
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    expect(source.identity).not.toBe(first);
    expect(events.filter(event => event.type === 'identity')).toEqual([
      { type: 'identity', identity: source.identity },
    ]);
  });

  it('aborts what the last identity asked for and keeps nothing of it', async () => {
    open();
    await source.getDashboard(publicId, {});
    await source.load(query, {});
    service.routes.set(loadPath, () => new Promise(() => {}));
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

describe('requests', () => {
  it('shares identical queries in flight and lets each caller leave alone', async () => {
    const answer = deferred<Response>();
    service.routes.set(loadPath, () => answer.promise);
    open();
    await source.start();
    const leaver = new AbortController();
    const left = failure(source.load(query, { signal: leaver.signal }));
    const kept = source.load({ dimensions: query.dimensions, measures: query.measures }, {});
    await settle();
    leaver.abort();
    expect((await left).code).toBe('aborted');
    answer.resolve(json(loadAnswer([{ 'flights.origin': 'ORD', 'flights.count': '3' }])));
    await expect(kept).resolves.toMatchObject({ rows: [{ 'flights.origin': 'ORD', 'flights.count': '3' }] });
    expect(service.loads).toBe(1);
  });

  it('aborts the request when the last caller has left', async () => {
    service.routes.set(loadPath, () => new Promise(() => {}));
    open();
    await source.start();
    const leaver = new AbortController();
    const left = failure(source.load(query, { signal: leaver.signal }));
    await settle();
    leaver.abort();
    await left;
    expect(service.to('/data-api/v1/load')[0]?.init.signal?.aborted).toBe(true);
  });

  it('lets the first query go ahead, and the others follow after its answer or 60 ms', async () => {
    service.routes.set(loadPath, () => new Promise(() => {}));
    open();
    await source.start();
    await settle();
    const queries = [1, 2, 3].map(limit => failure(source.load({ ...query, limit }, {})));
    await settle();
    expect(service.loads).toBe(1);
    await vi.advanceTimersByTimeAsync(60);
    expect(service.loads).toBe(3);
    source.end();
    await Promise.all(queries);
  });

  it('reads a dashboard again after a minute, and right away after a failure', async () => {
    open();
    const works = service.routes.get(dashboardPath);
    service.routes.set(dashboardPath, () => json({}, 500));
    await failure(source.getDashboard(publicId, {}));
    if (works) service.routes.set(dashboardPath, works);
    await source.getDashboard(publicId, {});
    await source.getDashboard(publicId, {});
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    await source.getDashboard(publicId, {});
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(3);
  });

  it('fetches the deployment and the data token again after they failed', async () => {
    const works = service.routes.get('POST /api/v1/deployments/1/token');
    service.routes.set('POST /api/v1/deployments/1/token', () => json({}, 500));
    open();
    expect((await failure(source.load(query, {}))).status).toBe(500);
    if (works) service.routes.set('POST /api/v1/deployments/1/token', works);
    await expect(source.load(query, {})).resolves.toBeDefined();
    expect(service.to('/api/v1/deployments/1')).toHaveLength(1);
  });
});

describe('the end', () => {
  it('aborts everything, forgets the identity and tells it', async () => {
    open();
    await source.start();
    service.routes.set(loadPath, () => new Promise(() => {}));
    const pending = failure(source.load(query, {}));
    await settle();
    events.length = 0;
    source.end();
    expect((await pending).code).toBe('aborted');
    expect(source).toMatchObject({ status: 'ended', identity: null, settings: null, error: null });
    expect(events).toEqual([
      { type: 'identity', identity: null },
      { type: 'status', status: 'ended' },
    ]);
    expect((await failure(source.load(query, {}))).code).toBe('session_ended');
    expect(service.mints).toBe(1);
  });

  it('is not undone by an answer that was on its way, by waking, or by the back/forward cache', async () => {
    const answer = deferred<Response>();
    service.routes.set(exchangePath, () => answer.promise);
    open();
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
    open();
    await source.start();
    source.end();
    await source.start();
    expect(source.status).toBe('ready');
    expect(service.mints).toBe(2);
  });

  it('lets those go who wait for a session', async () => {
    open();
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
  it('comes back with a new session of the same identity, and with what was kept', async () => {
    open();
    await source.getDashboard(publicId, {});
    events.length = 0;
    source.suspend();
    expect(source.status).toBe('suspended');
    await source.resume();
    await source.getDashboard(publicId, {});
    expect(service.mints).toBe(2);
    expect(statuses()).toEqual(['suspended', 'ready']);
    expect(events.every(event => event.type === 'status')).toBe(true);
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(1);
  });

  it('tells another identity before it is ready', async () => {
    open();
    await source.start();
    events.length = 0;
    service.user = { sub: 'sam' };
    source.suspend();
    await source.resume();
    expect(types()).toEqual(['status', 'identity', 'status']);
    expect(source.status).toBe('ready');
  });

  it('stays blank while the host can not be reached, and goes on when it can', async () => {
    open();
    await source.start();
    const works = service.routes.get(`POST ${sessionUrl}`);
    service.routes.set(`POST ${sessionUrl}`, () => Promise.reject(new TypeError('Failed to fetch')));
    source.suspend();
    await source.resume();
    expect(source.status).toBe('suspended');
    if (works) service.routes.set(`POST ${sessionUrl}`, works);
    source.wake();
    await settle();
    expect(source.status).toBe('ready');
  });

  it('forgets everything when the host says that nobody is signed in', async () => {
    open();
    await source.start();
    service.routes.set(`POST ${sessionUrl}`, () => json({}, 401));
    source.suspend();
    await source.resume();
    expect(source).toMatchObject({ status: 'failed', identity: null, settings: null });
    expect(types().slice(-3)).toEqual(['identity', 'status', 'error']);
  });

  it('holds queries back until the identity is confirmed', async () => {
    open();
    await source.start();
    await settle();
    source.suspend();
    const rows = source.load(query, {});
    await settle();
    expect(service.loads).toBe(0);
    await source.resume();
    await expect(rows).resolves.toBeDefined();
  });

  it('sends a query again that lost its connection to it', async () => {
    open();
    await source.start();
    await settle();
    const lost = deferred<Response>();
    service.routes.set(loadPath, () => lost.promise);
    const rows = source.load(query, {});
    await settle();
    source.suspend();
    lost.reject(new TypeError('Failed to fetch'));
    service.routes.set(loadPath, () => json(loadAnswer([])));
    await source.resume();
    await expect(rows).resolves.toMatchObject({ rows: [] });
  });
});

describe('secrets', () => {
  it('are in no error, event or enumerable property', async () => {
    const secrets: string[] = [];
    service.routes.set(exchangePath, () => {
      const token = service.nextToken();
      secrets.push(token);
      return json({ token });
    });
    service.routes.set(dashboardPath, seen => json({ message: `refused ${seen.authorization}` }, 403));
    service.routes.set(loadPath, seen => json({ error: `bad token ${seen.authorization}` }, 400));
    open();
    const errors = [await failure(source.getDashboard(publicId, {})), await failure(source.load(query, {}))];
    secrets.push(service.to('/data-api/v1/load')[0]?.authorization ?? '');
    const told = [
      ...errors.map(error => `${error.message} ${error.stack} ${JSON.stringify(error)}`),
      JSON.stringify(events),
      JSON.stringify(source),
      Object.keys(source).join(),
    ].join('\n');
    expect(secrets.every(secret => secret.length > 20)).toBe(true);
    for (const secret of secrets) expect(told).not.toContain(secret);
    expect(told).toContain('[removed]');
    for (const seen of service.seen) expect(seen.path).not.toContain('eyJ');
  });
});
