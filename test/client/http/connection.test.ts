import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { PaError } from '../../../src/client/errors.js';
import { type Endpoint, endpoint, type PlatformConnection, withRetries } from '../../../src/client/http/connection.js';
import type { RequestOptions } from '../../../src/client/http/request.js';
import { createDeploymentToken, getDeployment } from '../../../src/client/operations/deployments.js';
import { revokeSession } from '../../../src/client/operations/embed.js';
import { upsertWorkbookBySlug } from '../../../src/client/operations/workbooks.js';
import * as folders from '../../../src/contract/folders.js';
import { operation, type ResponseOf } from '../../../src/contract/operation.js';
import { getSpec } from '../../../src/contract/spec.js';
import * as workbooks from '../../../src/contract/workbooks.js';
import { json } from '../fake-service.js';

const deployment = { id: 1, name: 'local', deploymentUrl: 'https://data.example', creationStep: 'ready' };
const workbook = {
  calculatedFields: {},
  createdAt: '',
  deploymentId: 1,
  id: 1,
  meta: {},
  name: 'a',
  type: 'WORKBOOK',
  updatedAt: '',
};
const busy = (status: number, headers: Record<string, string> = {}) => json({ message: 'not now' }, status, headers);

/** Returns a connection to a service with these responses in order; an Error is a failed connection. */
function connect(...answers: (Response | Error)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new Error('no answer is left');
    return answer;
  });
  const connection: PlatformConnection = { baseUrl: 'https://platform.example', token: 'key', fetch };
  return { fetch, connection };
}

/** Returns the outcome of a call, skipping all pauses. */
async function settle<T>(promise: Promise<T>): Promise<T | PaError> {
  const settled = promise.catch((error: PaError) => error);
  await vi.runAllTimersAsync();
  return settled;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('retries', () => {
  it.each([
    ['a lost connection', new TypeError('reset')],
    ['429', busy(429)],
    ['502', busy(502)],
    ['503', busy(503)],
    ['504', busy(504)],
  ])('a read after %s', async (_what, failure) => {
    const { fetch, connection } = connect(failure, json(deployment));
    expect(await settle(getDeployment(connection, 1))).toEqual(deployment);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('an upsert whose branch changed, or whose response was lost, without applying it twice (spec 4.3)', async () => {
    const changed = json({ message: 'again', code: 'upsert_branch_changed' }, 409);
    const { fetch, connection } = connect(changed, new TypeError('reset'), json(workbook));
    const put = upsertWorkbookBySlug(connection, { deploymentId: 1, slug: 'a' }, { name: 'a' });
    expect(await settle(put)).toMatchObject({ id: 1 });
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  it('a POST only after 429, because the outcome of other failures is unknown', async () => {
    const turnedAway = connect(busy(429), json({ platformApiToken: 'jwt' }));
    expect(await settle(createDeploymentToken(turnedAway.connection, 1))).toBe('jwt');
    for (const failure of [busy(503, { 'retry-after': '1' }), new TypeError('reset')]) {
      const { fetch, connection } = connect(failure);
      expect(await settle(createDeploymentToken(connection, 1))).toBeInstanceOf(Error);
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });

  it.each([400, 401, 403, 404, 409, 500])('nothing after %i', async status => {
    const { fetch, connection } = connect(busy(status));
    expect(await settle(getDeployment(connection, 1))).toMatchObject({ status });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('a delete whose response was lost, and treats 404 as success', async () => {
    const shape = operation({
      id: 'x',
      api: 'platform',
      method: 'DELETE',
      path: '/x',
      access: 'user',
      response: null,
      errors: {},
    });
    const limits = { retries: undefined, signal: undefined };
    const lost = [() => getDeployment(connect(new Error()).connection, 1, { retries: 0 })];
    const gone = () => getDeployment(connect(busy(404)).connection, 1);
    const attempts = [...lost, gone];
    const run = withRetries(shape, limits, async () => void (await attempts.shift()?.()));
    expect(await settle(run)).toBeUndefined();
    expect(await settle(withRetries(shape, limits, async () => void (await gone())))).toMatchObject({ status: 404 });
  });
});

describe('the number and pauses of retries', () => {
  it('default to two, can be set, and are disabled with 0', async () => {
    const all = (): Response[] => Array.from({ length: 20 }, () => busy(503));
    const standard = connect(...all());
    await settle(getDeployment(standard.connection, 1));
    const more = connect(...all());
    await settle(getDeployment({ ...more.connection, retries: 4 }, 1));
    const none = connect(...all());
    await settle(getDeployment({ ...none.connection, retries: 4 }, 1, { retries: 0 }));
    const many = connect(...all());
    await settle(getDeployment(many.connection, 1, { retries: 1000 }));
    expect([standard, more, none, many].map(({ fetch }) => fetch.mock.calls.length)).toEqual([3, 5, 1, 11]);
  });

  it('follow Retry-After plus jitter', async () => {
    const { fetch, connection } = connect(busy(429, { 'retry-after': '7' }), json(deployment));
    const read = getDeployment(connection, 1);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(fetch).toHaveBeenCalledTimes(2);
    await read;
  });

  it('do not honor an excessive Retry-After', async () => {
    const { fetch, connection } = connect(busy(429, { 'retry-after': '3600' }));
    expect(await settle(getDeployment(connection, 1))).toMatchObject({
      name: 'PaRateLimitError',
      code: 'rate_limited',
      retryAfterMs: 3_600_000,
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('start no attempt later than a minute after the first', async () => {
    const answers = Array.from({ length: 10 }, () => busy(503, { 'retry-after': '25' }));
    const { fetch, connection } = connect(...answers);
    await settle(getDeployment(connection, 1, { retries: 9 }));
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  it('end with the signal of the caller', async () => {
    const { fetch, connection } = connect(busy(503, { 'retry-after': '20' }));
    const life = new AbortController();
    const read = getDeployment(connection, 1, { signal: life.signal }).catch((error: PaError) => error.name);
    await vi.advanceTimersByTimeAsync(1_000);
    life.abort();
    expect(await read).toBe('PaAbortError');
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('exclude timeouts', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => new Promise(() => {}));
    const connection = { baseUrl: 'https://platform.example', token: 'key', fetch, timeoutMs: 50 };
    expect(await settle(getDeployment(connection, 1))).toMatchObject({ name: 'PaTimeoutError' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('request ids', () => {
  const idsOf = (fetch: ReturnType<typeof connect>['fetch']) =>
    fetch.mock.calls.map(([, init]) => new Headers(init?.headers).get('x-request-id'));

  it('are not sent by default, because a service need not allow the header', async () => {
    const { fetch, connection } = connect(json(deployment));
    await getDeployment(connection, 1);
    expect(idsOf(fetch)).toEqual([null]);
  });

  it('are the same for every attempt of a call, and differ between calls', async () => {
    const { fetch, connection } = connect(busy(503), json(deployment), json(deployment));
    let made = 0;
    const named = { ...connection, newRequestId: () => `call-${++made}` };
    await settle(getDeployment(named, 1));
    await settle(getDeployment(named, 1));
    expect(idsOf(fetch)).toEqual(['call-1', 'call-1', 'call-2']);
  });

  it.each([
    ['no response', new TypeError('reset')],
    ['a service that returns none', busy(400)],
  ])('are in the error of %s', async (_what, failure) => {
    const { connection } = connect(failure);
    const refused = revokeSession(connection, '0'.repeat(32), { requestId: 'mine-1' });
    expect(await settle(refused)).toMatchObject({ requestId: 'mine-1' });
  });

  it('are in the error of a timeout', async () => {
    const fetch = (): Promise<Response> => new Promise(() => {});
    const connection = { baseUrl: 'https://platform.example', token: 'key', fetch, timeoutMs: 50 };
    expect(await settle(getDeployment(connection, 1, { requestId: 'mine-2' }))).toMatchObject({ requestId: 'mine-2' });
  });

  it('are validated', async () => {
    const { fetch, connection } = connect();
    expect(await settle(getDeployment(connection, 1, { requestId: 'a\r\nb: c' }))).toMatchObject({
      code: 'invalid_options',
    });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('endpoint', () => {
  type ArgumentsOf<O extends Parameters<typeof endpoint>[0], Id = undefined> = Parameters<Endpoint<O, Id>>;
  type FolderParams = { deploymentId: number | string; folderId: number | string };
  type WorkbookInput = { folderId?: number | null | undefined; meta?: object | null | undefined };
  const options = { retries: 0, requestId: 'mine-3' };
  const folder = { deploymentId: 1, folderId: 2 };

  it('types the arguments and the response by the operation', () => {
    expectTypeOf<ArgumentsOf<typeof getSpec>>().toEqualTypeOf<
      [connection: PlatformConnection, options?: RequestOptions]
    >();
    expectTypeOf<ArgumentsOf<typeof folders.deleteFolder>>().toEqualTypeOf<
      [connection: PlatformConnection, params: FolderParams, options?: RequestOptions]
    >();
    expectTypeOf<ArgumentsOf<typeof folders.createFolder, 'deploymentId'>[1]>().toEqualTypeOf<number>();
    expectTypeOf<ReturnType<Endpoint<typeof folders.deleteFolder>>>().toEqualTypeOf<Promise<void>>();
    expectTypeOf<ReturnType<Endpoint<typeof workbooks.getWorkbook>>>().toEqualTypeOf<
      Promise<ResponseOf<typeof workbooks.getWorkbook>>
    >();
  });

  it('makes a body optional only if the operation accepts {}', () => {
    expectTypeOf<ArgumentsOf<typeof workbooks.createWorkbook>['length']>().toEqualTypeOf<2 | 3 | 4>();
    expectTypeOf<ArgumentsOf<typeof workbooks.createWorkbook>[2]>().toExtend<WorkbookInput | undefined>();
    expectTypeOf<ArgumentsOf<typeof folders.createFolder, 'deploymentId'>['length']>().toEqualTypeOf<3 | 4>();
  });

  it.each<[string, (connection: PlatformConnection) => Promise<unknown>]>([
    ['GET /spec', to => endpoint(getSpec)(to, options)],
    ['DELETE /deployments/1/folders/2', to => endpoint(folders.deleteFolder)(to, folder, options)],
    ['POST /deployments/1/workbooks {}', to => endpoint(workbooks.createWorkbook)(to, { deploymentId: 1 })],
    [
      'GET /deployments/1/folders?first=5',
      to => endpoint(folders.getFolders, 'deploymentId')(to, 1, { first: 5 }, options),
    ],
    [
      'POST /deployments/1/folders {"name":"a"}',
      to => endpoint(folders.createFolder, 'deploymentId')(to, 1, { name: 'a' }, options),
    ],
  ])('sends %s', async (sent, ask) => {
    const { fetch, connection } = connect(busy(400));
    await settle(ask(connection));
    const [[url, init = {}] = ['']] = fetch.mock.calls;
    const address = String(url).replace('https://platform.example/api/v1', '');
    expect([init.method, address, init.body].filter(Boolean).join(' ')).toBe(sent);
  });

  it('sends a body of null as null, so that the platform rejects it', async () => {
    const { fetch, connection } = connect(busy(400));
    const create = endpoint(workbooks.createWorkbook);
    await settle(Reflect.apply(create, undefined, [connection, { deploymentId: 1 }, null]));
    const [[, init] = []] = fetch.mock.calls;
    expect(init?.body).toBe('null');
  });

  it('passes the options to the request', async () => {
    const { fetch, connection } = connect(busy(503));
    await settle(endpoint(folders.createFolder, 'deploymentId')(connection, 1, { name: 'a' }, options));
    const [[, init] = []] = fetch.mock.calls;
    expect(new Headers(init?.headers).get('x-request-id')).toBe('mine-3');
  });
});
