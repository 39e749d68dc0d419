import '../../../src/contract/messages.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MetaResponse } from '../../../src/contract/meta.js';
import fc, { casesAtDepth } from '../../property.js';
import { inDialect } from './engines/engine-under-test.js';
import { hostileQuery, withUnknownNames } from './hostile-queries.js';
import type { Json } from './sound-queries.js';
import { tenants } from './tenant-model.js';
import { nobodies, type Server, startAlone, startShared, strangers } from './tenants.js';

/**
 * Both tenants send all queries of a round at the same time, with every method and cache mode. A deep run sends more
 * than 10,000 load queries to DuckDB; every run sends more than 1,000 to each engine.
 */
const [rounds, queriesPerRound] = [casesAtDepth(inDialect({ duckdb: 56, postgres: 14 }), 7), 18];
const roundsPerTest = 7;

/** A query, or several in a request. */
type Sent = Json | Json[];

/** HTTP method, operation and cache mode of a request. */
interface SendOptions {
  readonly method?: 'GET' | 'POST';
  readonly operation?: 'load' | 'subscribe' | 'dry-run';
  readonly cache?: string;
  /** Sends the request in a batch, between an invalid request and the same one again. */
  readonly isBatch?: boolean;
}

/** Requests that are sent at the same time. They may share a run. */
const concurrentRequests: readonly SendOptions[] = [{}, { isBatch: true }, { method: 'GET', cache: 'stale-if-slow' }];
/** Requests that are sent afterwards. They may hit the cache. */
const laterRequests: readonly SendOptions[] = [
  { method: 'GET', operation: 'subscribe' },
  { cache: 'stale-while-revalidate' },
  { operation: 'subscribe', cache: 'must-revalidate' },
];

/**
 * The initial time, in the middle of the rows. Each round advances the time, so that cached results become stale and
 * expire.
 */
const begin = Date.parse('2024-03-15T12:00:00Z');
const betweenRoundsMs = 25_000;

let shared: Server;
let alone: ReadonlyMap<string, Server>;

beforeAll(async () => {
  [shared, alone] = await Promise.all([startShared(), startAlone()]);
});

afterAll(async () => {
  vi.useRealTimers();
  await Promise.all([shared, ...alone.values()].map(server => server.close()));
});

interface Answer {
  readonly status: number;
  readonly body: Json;
}

async function ask(
  server: Server | undefined,
  token: string,
  query: unknown,
  options: SendOptions = {},
): Promise<Answer> {
  if (!server) throw new Error(`no server for ${token}`);
  const { method = 'POST', operation = 'load', cache } = options;
  const path = `/v1/${operation}`;
  const headers = { authorization: token, 'content-type': 'application/json', 'x-request-id': 'r' };
  const request = { query, queryType: 'multi', ...(cache !== undefined && { cache }) };
  if (options.isBatch) return askInBatch(server, headers, request, () => ask(server, token, query, options));
  const response = await (method === 'POST'
    ? server.app.request(path, { method, headers, body: JSON.stringify(request) })
    : server.app.request(`${path}?${inUrl(request)}`, { headers }));
  const body = await response.json();
  if (body.error === 'Continue wait') return ask(server, token, query, options);
  return answerOf(response.status, body);
}

function answerOf(status: number, body: Json): Answer {
  if (typeof body.error !== 'string') return { status, body };
  // The position of an error in the request can differ. The message is then truncated differently.
  const error = body.error.replaceAll(/\b(body|parameters)\./g, '').slice(0, 150);
  return { status, body: { ...body, error } };
}

/** Sends a request twice in a batch, around an invalid one, and expects the same response for both. */
async function askInBatch(
  server: Server,
  headers: Record<string, string>,
  request: Json,
  askAgain: () => Promise<Answer>,
): Promise<Answer> {
  const body = JSON.stringify({ requests: [request, { query: null }, request] });
  const response = await server.app.request('/v1/load-batch', { method: 'POST', headers, body });
  const lines: { index: number; status: number; body: Json }[] = (await response.text())
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
  const [first, invalid, second] = lines.sort((a, b) => a.index - b.index);
  if (!first || !second) throw new Error(`A batch returned ${response.status} and ${lines.length} lines.`);
  expect(invalid?.status).toBe(400);
  if ([first, second].some(line => line.body.error === 'Continue wait')) return askAgain();
  expect(resultsOf(second)).toEqual(resultsOf(first));
  return answerOf(first.status, first.body);
}

function inUrl(request: Record<string, unknown>): string {
  const texts = Object.entries(request).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(texts).toString();
}

/** A result with its sorted rows as text, and its other properties. */
interface Result {
  readonly rows: readonly string[];
  readonly facts: Json;
}

function resultsOf({ body }: Answer): Result[] {
  const { results = [] } = body as { results?: Json[] };
  return results.map(({ data, lastRefreshTime: _, slowQuery: _slow, ...facts }) => ({
    rows: rowsIn(data).sort(),
    facts,
  }));
}

function rowsIn(given: unknown): string[] {
  const data = given as
    | Record<string, unknown>[]
    | { members: string[]; dataset: unknown[][] }
    | { members: string[]; columns: unknown[][] };
  if (Array.isArray(data)) return data.map(row => JSON.stringify(Object.values(row)));
  if ('dataset' in data) return data.dataset.map(row => JSON.stringify(row));
  return (data.columns[0] ?? []).map((_, row) => JSON.stringify(data.columns.map(column => column[row])));
}

const each = (query: Sent): Json[] => (Array.isArray(query) ? query : [query]);
const isCut = (query: Sent) => each(query).some(({ limit, offset }) => limit !== undefined || offset !== undefined);

/** Returns the query without limit and offset, because several results are correct if rows are tied. */
function uncut(query: Sent): Sent {
  const whole = each(query).map(({ limit: _limit, offset: _offset, ...rest }) => rest);
  return Array.isArray(query) ? whole : (whole[0] ?? {});
}

/** The verified response to a query. */
type Outcome = 'rows' | 'no rows' | 'refused';

/**
 * Sends a query with every method and cache mode, and compares the results with a server that has only the caller's
 * rows.
 */
async function expectOwnRowsAlone(caller: string, query: Sent): Promise<Outcome[]> {
  const answers = await Promise.all(concurrentRequests.map(options => ask(shared, caller, query, options)));
  answers.push(...(await Promise.all(laterRequests.map(options => ask(shared, caller, query, options)))));
  const reference = await ask(alone.get(caller), caller, query);
  const all = reference.status === 200 && isCut(query) ? await ask(alone.get(caller), caller, uncut(query)) : reference;
  return answers.map(answer => {
    expectNoTrace(caller, query, answer);
    const { status, body } = answer;
    expect({ status, error: body.error, query }).toEqual({
      status: reference.status,
      error: reference.body.error,
      query,
    });
    if (status !== 200) {
      expect({ query, status }).toEqual({ query, status: 400 });
      return 'refused';
    }
    return expectResults(query, answer, { reference, all });
  });
}

function expectResults(query: Sent, answer: Answer, { reference, all }: { reference: Answer; all: Answer }): Outcome {
  const [results, references, wholes] = [answer, reference, all].map(resultsOf);
  expect(answer.body.pivotQuery).toEqual(reference.body.pivotQuery);
  expect({ query, facts: results?.map(one => one.facts) }).toEqual({ query, facts: references?.map(one => one.facts) });
  results?.forEach(({ rows }, index) => {
    const expected = wholes?.[index]?.rows ?? [];
    const own = new Set(expected);
    expect(rows).toHaveLength(references?.[index]?.rows.length ?? -1);
    if (rows.length === expected.length) expect({ query, rows }).toEqual({ query, rows: expected });
    else expect({ query, rows: rows.filter(row => !own.has(row)) }).toEqual({ query, rows: [] });
  });
  return results?.some(({ rows }) => rows.length > 0) ? 'rows' : 'no rows';
}

/**
 * Expects that rows contain no data of another tenant, the normalized query contains no row filter, and errors contain
 * neither.
 */
function expectNoTrace(caller: string, query: Sent, { body }: Answer): void {
  const results = (body.results ?? []) as Json[];
  const rows = JSON.stringify(results.map(({ data }) => data));
  const facts = JSON.stringify({ ...body, results: results.map(({ data: _, ...rest }) => rest) });
  const sent = JSON.stringify(query);
  for (const tenant of tenants) {
    if (tenant !== caller) expect(rows).not.toContain(tenant);
    if (!sent.includes(tenant)) expect(facts).not.toContain(tenant);
  }
}

/** Expects the same response for hidden names as for unknown ones, however the query is sent. */
async function expectHiddenAsUnknown(caller: string, query: Sent): Promise<void> {
  const text = JSON.stringify(query);
  const renamed = withUnknownNames(text);
  if (renamed === text) return;
  for (const options of [{}, { operation: 'dry-run' }] as const) {
    const [answer, expected] = await Promise.all(
      [query, JSON.parse(renamed)].map(one => ask(shared, caller, one, options)),
    );
    expect({ status: answer?.status, error: withUnknownNames(String(answer?.body.error)), query }).toEqual({
      status: expected?.status,
      error: expected?.body.error,
      query,
    });
  }
}

/** The normalized query must contain nothing about the caller. */
async function expectOwnDryRun(caller: string, query: Sent): Promise<void> {
  const options = { operation: 'dry-run', method: 'GET' } as const;
  const answer = await ask(shared, caller, query, options);
  expect({ query, ...answer }).toEqual({ query, ...(await ask(alone.get(caller), caller, query, options)) });
  expectNoTrace(caller, query, answer);
}

async function metaOf(server: Server | undefined, token: string, path = '/v1/meta'): Promise<Json> {
  if (!server) throw new Error(`no server for ${token}`);
  const response = await server.app.request(path, { headers: { authorization: token } });
  const { compilerId: _, ...body } = await response.json();
  return body;
}

describe('tenants that share one server', () => {
  const outcomes = new Map<Outcome, number>();
  const roundOf = fc.tuple(
    fc.array(hostileQuery, { minLength: queriesPerRound, maxLength: queriesPerRound }),
    fc.constantFrom(...strangers),
  );
  const all = fc.sample(roundOf, rounds).map(([queries, stranger], round) => ({ queries, stranger, round }));
  const parts = Array.from({ length: rounds / roundsPerTest }, (_, part) => ({
    part,
    some: all.slice(part * roundsPerTest, (part + 1) * roundsPerTest),
  }));

  // The cases are split, because a single test would take minutes on a slow machine.
  it.each(parts)('never see each other’s rows ($part)', { timeout: 300_000 }, async ({ some }) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const { queries, stranger, round } of some) {
      vi.setSystemTime(begin + betweenRoundsMs * round);
      const results = queries.flatMap(query => tenants.map(tenant => expectOwnRowsAlone(tenant, query)));
      results.push(...queries.slice(0, 1).map(query => expectOwnRowsAlone(stranger, query)));
      const dryRuns = queries.slice(0, 6).flatMap(query => tenants.map(tenant => expectOwnDryRun(tenant, query)));
      const hidden = queries.map(query => expectHiddenAsUnknown(tenants[0], query));
      const [found] = await Promise.all([Promise.all(results), ...dryRuns, ...hidden]);
      for (const outcome of found.flat()) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  });

  it('sent enough queries', () => {
    const { rows = 0, 'no rows': none = 0, refused = 0 } = Object.fromEntries(outcomes);
    expect(rows + none + refused).toBeGreaterThanOrEqual(
      casesAtDepth(inDialect({ duckdb: 10_000, postgres: 2_500 }), 1_000),
    );
    // The test is meaningful only if enough queries return rows.
    expect(rows).toBeGreaterThan(casesAtDepth(inDialect({ duckdb: 1_500, postgres: 350 }), 150));
  });

  it('get only their own model', async () => {
    for (const caller of [...tenants, ...strangers]) {
      for (const path of ['/v1/meta', '/v1/meta?onlyViews', '/v1/meta?onlyViews=true']) {
        const meta = await metaOf(shared, caller, path);
        expect(meta).toEqual(await metaOf(alone.get(caller), caller, path));
        expect(JSON.stringify(meta)).not.toMatch(/secret|internal|leaked|guarded|hoard|vault|tenant_[ab]/);
        const names = MetaResponse.parse(meta).cubes.map(({ name }) => name);
        expect(names).toEqual(path === '/v1/meta' ? ['orders', 'customers', 'items', 'sales'] : ['sales']);
      }
    }
  });

  it('see no rows without a tenant, and get the usual error for unknown members', async () => {
    await fc.assert(
      fc.asyncProperty(hostileQuery, fc.constantFrom(...nobodies), async (query, nobody) => {
        const { status, body } = await ask(shared, nobody, query);
        expect({ query, status, data: body.data }).toEqual({ query, status: 400, data: undefined });
        for (const tenant of tenants)
          if (!JSON.stringify(query).includes(tenant)) expect(body.error).not.toContain(tenant);
      }),
      { numRuns: casesAtDepth(200, 50), endOnFailure: true },
    );
    for (const nobody of nobodies) {
      const { cubes } = MetaResponse.parse(await metaOf(shared, nobody));
      expect(cubes.flatMap(cube => [...cube.measures, ...cube.dimensions, ...cube.segments])).toEqual([]);
    }
  });

  it('get the correct numbers of their own rows', async () => {
    const query = { measures: ['orders.count', 'orders.total', 'customers.last'] };
    const answers = await Promise.all([...tenants, ...tenants].map(tenant => ask(shared, tenant, query)));
    const expected = tenants.map((tenant, index) => {
      const amounts = Array.from({ length: 120 + 20 * index }, (_, id) => ((id * 7) % 100) * (index + 1));
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      return [
        {
          'orders.count': String(amounts.length),
          'orders.total': String(total),
          'customers.last': `${tenant} customer 4`,
        },
      ];
    });
    const data = answers.map(({ body }) => (body.results as Json[])[0]?.data);
    expect(data).toEqual([...expected, ...expected]);
  });
});
