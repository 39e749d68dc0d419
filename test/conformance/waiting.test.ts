import cube, { type CubeApiOptions, type ProgressResult, RequestError } from '@cubejs-client/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Listener, listen } from '../../src/cli/server/listen.js';
import { dataRoutes } from '../../src/platform/data/data-routes.js';
import { createDataService } from '../../src/platform/data/data-service.js';
import { eventually } from '../eventually.js';
import { tenantCaller } from '../platform/data/callers.js';
import { fakeEngine, fakeModel } from '../platform/data/fakes.js';

/** Wait times in ms: far shorter and far longer than a statement that the test completes. */
const waits = { short: 15, long: 60_000 } as const;
const query = { measures: ['t.count'], dimensions: ['t.name'] };
const rows = [{ 't.name': 'x', 't.count': '1' }];

let listener: Listener;
let engine: ReturnType<typeof fakeEngine>;
/** Requests that the server has received. */
let requests: Request[];

beforeEach(async () => {
  listener = await listen({ host: '127.0.0.1', port: 0 });
  engine = fakeEngine();
  requests = [];
});

afterEach(() => listener.close(0));

/** Serves an engine that completes statements only when the test requests it. */
function serve(continueWaitMs: number): void {
  const service = createDataService({ engine: engine.engine, model: { current: fakeModel }, continueWaitMs });
  const app = dataRoutes({ service, authenticate: async () => ({ securityContext: tenantCaller('a') }) });
  listener.serve(async request => {
    requests.push(request);
    return app.fetch(request);
  });
}

const client = (options: Partial<CubeApiOptions> = {}) => cube('token', { apiUrl: `${listener.url}/v1`, ...options });
const running = (count: number) => eventually(() => expect(engine.runs).toHaveLength(count));
const arrived = (count: number) => eventually(() => expect(requests.length).toBeGreaterThanOrEqual(count));

describe('a slow query', () => {
  beforeEach(() => serve(waits.short));

  test('reports progress until it returns, and runs once', async () => {
    const progress: ProgressResult[] = [];
    const loading = client().load(query, { progressCallback: result => progress.push(result) });
    await eventually(() => expect(progress.length).toBeGreaterThan(2));
    engine.runs[0]?.finish();
    expect((await loading).rawData()).toEqual(rows);
    expect(engine.runs).toHaveLength(1);
    expect(progress[0]?.stage()).toMatch(/\w/);
    const elapsed = progress.map(each => each.timeElapsed());
    expect(elapsed[0]).toBeGreaterThanOrEqual(waits.short - 1);
    expect(elapsed.at(-1)).toBeGreaterThan(Number(elapsed[0]));
  });

  test('is shared by identical requests', async () => {
    const loading = Promise.all([client().load(query), client({ method: 'POST' }).load(query)]);
    await Promise.all([running(1), arrived(2)]);
    engine.runs[0]?.finish();
    expect((await loading).map(result => result.rawData())).toEqual([rows, rows]);
    expect(engine.runs).toHaveLength(1);
  });

  test('is described by a dry run immediately', async () => {
    const loading = client().load(query);
    await running(1);
    expect((await client().dryRun(query)).queryType).toBe('regularQuery');
    engine.runs[0]?.finish();
    await loading;
  });

  test('returns 500 without details if the engine fails', async () => {
    const loading = client().load(query);
    await running(1);
    engine.runs[0]?.fail(new Error('a secret of the engine'));
    const error = await loading.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ status: 500 });
    expect(String(error)).not.toContain('secret');
  });

  test('is abandoned when its client sends another query with the same mutex key', async () => {
    const mutexObj = {};
    const first = client().load(query, { mutexObj, mutexKey: 'chart' });
    await running(1);
    const second = client().load({ ...query, renewQuery: true } as typeof query, { mutexObj, mutexKey: 'chart' });
    expect(await first).toBeNull();
    engine.runs.at(-1)?.finish();
    expect((await second).rawData()).toEqual(rows);
  });
});

describe('a query without waiting clients', () => {
  beforeEach(() => serve(waits.long));

  test('is interrupted when its client aborts', async () => {
    const controller = new AbortController();
    const loading = client().load(query, { signal: controller.signal });
    await running(1);
    controller.abort();
    await expect(loading).rejects.toThrow('aborted');
    await eventually(() => expect(engine.runs[0]?.signal?.aborted).toBe(true));
  });

  test('continues while another client waits for it', async () => {
    const controller = new AbortController();
    const leaving = client().load(query, { signal: controller.signal });
    const staying = client().load(query);
    await Promise.all([running(1), arrived(2)]);
    // Once a later request has completed, the remaining client must have joined the run.
    await client().dryRun(query);
    controller.abort();
    await expect(leaving).rejects.toThrow('aborted');
    await eventually(() => expect(requests.filter(({ signal }) => signal.aborted)).toHaveLength(1));
    expect(engine.runs[0]?.signal?.aborted).toBe(false);
    engine.runs[0]?.finish();
    expect((await staying).rawData()).toEqual(rows);
  });
});
