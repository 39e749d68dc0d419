import '../../../src/contract/messages.js';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Query } from '../../../src/contract/query.js';
import type { DataPrincipal } from '../../../src/platform/auth/authenticate.js';
import type { SecurityContext } from '../../../src/platform/auth/principal.js';
import { compileModel } from '../../../src/platform/data/compile-model.js';
import { dataRoutes } from '../../../src/platform/data/data-routes.js';
import { createDataService, type DataServiceOptions } from '../../../src/platform/data/data-service.js';
import {
  type Engine,
  type EngineResult,
  type Parameter,
  SqlDialect,
} from '../../../src/platform/data/engines/engine.js';
import type { SemanticModel, Statement } from '../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { eventually } from '../../eventually.js';
import fc, { casesAtDepth } from '../../property.js';
import { caller, tenantCaller } from './callers.js';

// The engine returns a digest of each statement, so a result identifies its statement. A caller must always get the
// digest of the statement that a separate server would run for this caller.

const modelOf = (policies: string, more = '') => `
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: region, sql: region, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: paid, sql: paid, type: boolean }
      - { name: created, sql: created, type: time }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
    access_policy:
${policies}
  - name: notes
    sql_table: notes
    dimensions:
      - { name: text, sql: text, type: string }
    measures:
      - { name: count, type: count }
    access_policy:
      - group: writers
        row_level: { allow_all: true }
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }]
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: region, operator: notEquals, values: ["{ securityContext.not }"] }] }
      - group: "*"
        row_level: { filters: [{ member: region, operator: set }] }
${more}
`;

/** Policies whose rows depend on keys, groups and attributes of every type, ORed. */
const policies = `
      - group: "*"
        member_level: { excludes: [total] }
        row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }] }
      - group: "system:tenant:acme:group:team"
        row_level: { filters: [{ member: region, operator: equals, values: ["{ userAttributes.regions }"] }] }
      - groups: [finance, audit]
        row_level: { filters: [{ member: amount, operator: gte, values: ["{ userAttributes.least }"] }] }
      - group: clerks
        conditions: [{ if: "{ userAttributes.trusted }" }]
        row_level: { filters: [{ member: paid, operator: equals, values: ["{ userAttributes.paid }"] }] }
      - group: owners
        row_level: { allow_all: true }`;

async function compile(text: string): Promise<SemanticModel> {
  const directory = await mkdtemp(join(tmpdir(), 'pa-cache-'));
  try {
    await writeFile(join(directory, 'model.yml'), text);
    return measured(await compileModel({ directory, tables: ['orders', 'notes'] }));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const digestOf = ({ sql, parameters }: Statement, version = 'd1') =>
  createHash('sha256')
    .update(JSON.stringify([version, sql, parameters]))
    .digest('hex')
    .slice(0, 24);

/** Column counts of statements, because this engine does not parse SQL. */
const widths = new Map<string, number>();

/** Creates a model that records the column counts of its statements. */
function measured(model: SemanticModel): SemanticModel {
  const plan: SemanticModel['plan'] = (query, context) => {
    const planned = model.plan(query, context);
    const statement = () => {
      const statement = planned.statement();
      widths.set(statement.sql, planned.columns.length);
      return statement;
    };
    return { ...planned, statement };
  };
  return { ...model, plan };
}

/** Returns an engine that returns digests, immediately or when released. */
function digestingEngine() {
  const runs: { readonly digest: string; readonly signal: AbortSignal | undefined; finish(): void }[] = [];
  const engine = {
    dialect: SqlDialect.duckdb,
    dataVersion: 'd1',
    lastRefreshTime: new Date('2024-01-01T00:00:00Z'),
    tables: ['orders', 'notes'],
    held: false,
    run(
      sql: string,
      parameters: readonly Parameter[],
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<EngineResult> {
      const digest = digestOf({ sql, parameters }, engine.dataVersion);
      const result = { columns: Array.from({ length: widths.get(sql) ?? 1 }, () => [digest]) };
      return new Promise((resolve, reject) => {
        const finish = () => resolve(result);
        signal?.addEventListener('abort', () => reject(new PlatformError(499, 'The request was aborted.')));
        runs.push({ digest, signal, finish });
        if (!engine.held) finish();
      });
    },
    describe: async () => [],
    stream: () => Promise.reject(new Error('unexpected stream')),
    close: async () => {},
  };
  return { engine: engine satisfies Engine, runs };
}

interface Asking {
  readonly cache?: string;
  readonly signal?: AbortSignal;
}

/** Starts a server whose model can be replaced. The token of a request names the caller. */
function serve(first: SemanticModel, options: Partial<DataServiceOptions> = {}) {
  const { engine, runs } = digestingEngine();
  const live = { current: first };
  const service = createDataService({ engine, model: live, ...options });
  const failures: unknown[] = [];
  const authenticate = async (request: Request): Promise<DataPrincipal> => ({
    securityContext: JSON.parse(request.headers.get('authorization') ?? ''),
  });
  const app = dataRoutes({ service, authenticate, onFailure: error => failures.push(error) });
  const ask = async (context: SecurityContext, query: Query, { signal, ...rest }: Asking = {}) => {
    const response = await app.request('/v1/load', {
      method: 'POST',
      headers: { authorization: JSON.stringify(context) },
      body: JSON.stringify({ query, ...rest }),
      ...(signal && { signal }),
    });
    const body = await response.json();
    return { status: response.status, error: body.error, digests: digestsIn(body.data) };
  };
  return { engine, runs, live, service, failures, ask };
}

/** Returns the distinct digests in rows. */
function digestsIn(data: unknown): string[] {
  return [...new Set(JSON.stringify(data ?? null).match(/\b[0-9a-f]{24}\b/g))];
}

const acme = caller({ tenant: 'acme', not: 'x' });
const globex = caller({ tenant: 'globex', not: 'x' });
const counted = { measures: ['orders.count'], dimensions: ['orders.region'] } satisfies Query;

let model: SemanticModel;

beforeAll(async () => {
  model = await compile(modelOf(policies));
});

afterEach(() => {
  vi.useRealTimers();
});

const textValue = fc.constantFrom('acme', 'globex', 'north', 'south', '', "' OR 1=1 --");
const anyCaller: fc.Arbitrary<SecurityContext> = fc.record({
  tenant: fc.oneof(textValue, fc.constantFrom<unknown>(null, [], ['acme', 'globex'], 7)),
  not: textValue,
  user: fc.nat(3),
  platform: fc.record({
    groups: fc.subarray([
      'system:tenant:acme:group:team',
      'system:tenant:globex:group:team',
      'finance',
      'clerks',
      'owners',
    ]),
    userAttributes: fc.record(
      {
        regions: fc.constantFrom<unknown>(['north'], ['north', 'south'], 'north', [], null),
        least: fc.constantFrom<unknown>(0, 1, 50.5, '50', null),
        paid: fc.constantFrom<unknown>(true, false, 'true', null),
        trusted: fc.constantFrom<unknown>(true, false, 'yes', null),
      },
      { requiredKeys: [] },
    ),
  }),
});

const anyQuery: fc.Arbitrary<Query> = fc
  .record({
    entity: fc.constantFrom('orders', 'sales', 'notes'),
    measures: fc.subarray(['count', 'total']),
    dimensions: fc.subarray(['region', 'paid', 'text']),
    filters: fc.constantFrom<Query['filters']>(undefined, [
      { member: 'orders.region', operator: 'equals', values: ['north'] },
    ]),
    total: fc.boolean(),
    responseFormat: fc.constantFrom('default', 'compact', 'columnar'),
  })
  .map(({ entity, measures, dimensions, filters, ...rest }) => ({
    ...rest,
    measures: measures.map(name => `${entity}.${name}`),
    dimensions: dimensions.map(name => `${entity}.${name}`),
    ...(filters && entity === 'orders' && { filters }),
  }));

/** Returns the expected response: the digest of the caller's own statement, or a rejection. */
function expected(of: SemanticModel, query: Query, context: SecurityContext, version?: string) {
  try {
    return { status: 200, digests: [digestOf(of.plan(query, context).statement(), version)] };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { status: error.status, digests: [], error: error.message };
  }
}

describe('cached results', () => {
  const modes = [undefined, 'stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'];
  it.each(modes)("belong to the caller's own statement at every age, in cache mode %s", async cache => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { ask, failures } = serve(model, { cacheMaxAgeMs: 1_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCaller, { minLength: 2, maxLength: 6 }),
        fc.array(anyQuery, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0, 300, 2_000),
        async (callers, queries, laterMs) => {
          vi.setSystemTime(Date.now() + laterMs);
          const requests = callers.flatMap(context => queries.map(query => ({ context, query })));
          const cacheOption = cache === undefined ? {} : { cache };
          const answers = await Promise.all(requests.map(({ context, query }) => ask(context, query, cacheOption)));
          answers.forEach((answer, index) => {
            const { context, query } = requests[index] ?? { context: acme, query: counted };
            expect({ ...answer, context, query }).toEqual({ ...expected(model, query, context), context, query });
          });
        },
      ),
      { numRuns: casesAtDepth(60, 12), endOnFailure: true },
    );
    expect(failures).toEqual([]);
  });

  it.each([
    ['other keys that no policy uses', caller({ tenant: 'acme', not: 'x', user: 7, name: 'Ann' })],
    ['a group that no policy uses', caller({ tenant: 'acme', not: 'x' }, ['system:tenant:acme:group:others'])],
    ['the same group of another tenant', caller({ tenant: 'acme', not: 'x' }, ['system:tenant:globex:group:team'])],
    [
      'attributes without the group that reads them',
      caller({ tenant: 'acme', not: 'x' }, [], { regions: ['north'], least: 1 }),
    ],
    ['a group whose attribute is missing', caller({ tenant: 'acme', not: 'x' }, ['finance'])],
    [
      'a group whose condition is not met',
      caller({ tenant: 'acme', not: 'x' }, ['clerks'], { trusted: 'yes', paid: true }),
    ],
  ])('are shared with callers of the same row filter: %s', async (_name, other) => {
    const { ask, runs } = serve(model);
    const first = await ask(acme, counted);
    expect(await ask(other, counted)).toEqual(first);
    expect(runs).toHaveLength(1);
    expect(await ask(globex, counted)).not.toEqual(first);
    expect(runs).toHaveLength(2);
  });

  it.each([
    ['another tenant', globex],
    ['several tenants', caller({ tenant: ['acme', 'globex'], not: 'x' })],
    [
      'a group of the tenant',
      caller({ tenant: 'acme', not: 'x' }, ['system:tenant:acme:group:team'], { regions: ['north'] }),
    ],
    [
      'other regions',
      caller({ tenant: 'acme', not: 'x' }, ['system:tenant:acme:group:team'], { regions: ['north', 'south'] }),
    ],
    ['a number', caller({ tenant: 'acme', not: 'x' }, ['finance'], { least: 1 })],
    ['another number', caller({ tenant: 'acme', not: 'x' }, ['audit'], { least: 1.5 })],
    ['a boolean', caller({ tenant: 'acme', not: 'x' }, ['clerks'], { trusted: true, paid: true })],
    ['another boolean', caller({ tenant: 'acme', not: 'x' }, ['clerks'], { trusted: true, paid: false })],
    ['all rows', caller({ tenant: 'acme', not: 'x' }, ['owners'])],
  ])('are never shared with callers of another row filter: %s', async (_name, other) => {
    const { ask, runs } = serve(model);
    const [first, second] = await Promise.all([ask(acme, counted), ask(other, counted)]);
    expect(first.digests).not.toEqual(second.digests);
    expect(runs.map(({ digest }) => digest).sort()).toEqual([...first.digests, ...second.digests].sort());
    expect(await Promise.all([ask(acme, counted), ask(other, counted)])).toEqual([first, second]);
    expect(runs).toHaveLength(2);
  });

  it('of a view depend on the rows of the view and of its cube', async () => {
    const { ask, runs } = serve(model);
    const query = { measures: ['sales.count'] };
    const callers = ['x', 'y'].flatMap(not => ['acme', 'globex'].map(tenant => caller({ tenant, not })));
    const answers = await Promise.all([...callers, ...callers].map(context => ask(context, query)));
    expect(new Set(answers.flatMap(({ digests }) => digests)).size).toBe(4);
    expect(runs).toHaveLength(4);
  });

  it('are not returned after a member was hidden', async () => {
    const { ask, runs } = serve(model);
    const query = { measures: ['orders.total'] };
    expect(await ask(caller({}, ['owners']), query)).toMatchObject({ status: 200 });
    expect(await ask(acme, query)).toMatchObject({ status: 400, error: 'orders.total is not a member of the model' });
    expect(await ask(caller({}), { measures: ['notes.count'] })).toMatchObject({ status: 400 });
    expect(runs).toHaveLength(1);
  });
});

describe('replacing the model', () => {
  const narrower = `
      - group: "*"
        member_level: { excludes: [total, count] }
        row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }] }`;
  const elsewhere = `
      - group: "*"
        row_level: { filters: [{ member: region, operator: equals, values: ["{ securityContext.tenant }"] }] }`;

  it('invalidates results of its old policies', async () => {
    const { ask, live, runs } = serve(model);
    const before = await ask(acme, counted);
    live.current = await compile(modelOf(elsewhere));
    for (const cache of ['stale-while-revalidate', 'stale-if-slow']) {
      const after = await ask(acme, counted, { cache });
      expect(after).toEqual(expected(live.current, counted, acme));
      expect(after).not.toEqual(before);
    }
    live.current = await compile(modelOf(narrower));
    expect(await ask(acme, counted)).toMatchObject({ status: 400, error: 'orders.count is not a member of the model' });
    live.current = model;
    expect(await ask(acme, counted)).toEqual(before);
    expect(runs).toHaveLength(2);
  });

  it('lets a running query finish on its version', async () => {
    const { ask, engine, live, runs } = serve(model);
    engine.held = true;
    const before = ask(acme, counted);
    await eventually(() => expect(runs).toHaveLength(1));
    live.current = await compile(modelOf(elsewhere));
    const after = ask(acme, counted);
    await eventually(() => expect(runs).toHaveLength(2));
    for (const run of runs) run.finish();
    expect(await before).toEqual(expected(model, counted, acme));
    expect(await after).toEqual(expected(live.current, counted, acme));
    expect(await ask(acme, counted)).toEqual(await after);
    expect(runs).toHaveLength(2);
  });

  it('serves no rows of replaced data', async () => {
    const { ask, engine, runs } = serve(model);
    await ask(acme, counted);
    engine.dataVersion = 'd2';
    for (const cache of ['stale-while-revalidate', 'must-revalidate']) {
      expect(await ask(acme, counted, { cache })).toEqual(expected(model, counted, acme, 'd2'));
    }
    expect(runs).toHaveLength(2);
  });
});

describe('a slow query', () => {
  const wait = { status: 200, error: 'Continue wait', digests: [] };

  /** Callers that got Continue wait while the engine is blocked. */
  async function serveSlowly(...callers: SecurityContext[]) {
    const server = serve(model, { continueWaitMs: 20 });
    server.engine.held = true;
    expect(await Promise.all(callers.map(context => server.ask(context, counted)))).toEqual(callers.map(() => wait));
    return server;
  }

  it('returns only to its tenant, even if others poll', async () => {
    const { ask, runs } = await serveSlowly(acme, globex);
    expect(runs).toHaveLength(2);
    runs[0]?.finish();
    const polls = Promise.all([ask(acme, counted), ask(globex, counted), ask(tenantCaller('initech'), counted)]);
    const [first, second, third] = await polls;
    expect(first).toEqual(expected(model, counted, acme));
    expect([second, third]).toEqual([wait, wait]);
    for (const run of runs) run.finish();
    expect(await ask(globex, counted)).toEqual(expected(model, counted, globex));
    expect(runs).toHaveLength(3);
  });

  it('runs once for callers of one row filter, and continues when one of them leaves', async () => {
    const colleague = caller({ tenant: 'acme', not: 'x', user: 2 });
    const { ask, runs } = await serveSlowly(acme, colleague);
    expect(runs).toHaveLength(1);
    const leaving = new AbortController();
    const left = ask(acme, counted, { signal: leaving.signal });
    leaving.abort();
    expect(await left).toMatchObject({ status: 499 });
    expect(runs[0]?.signal?.aborted).toBe(false);
    runs[0]?.finish();
    expect(await ask(colleague, counted)).toEqual(expected(model, counted, acme));
  });

  it('serves stale rows only to callers with the same rows', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const server = serve(model, { continueWaitMs: 20, cacheMaxAgeMs: 1_000 });
    const before = await server.ask(acme, counted);
    vi.setSystemTime(Date.now() + 5_000);
    server.engine.held = true;
    expect(await server.ask(globex, counted, { cache: 'stale-if-slow' })).toEqual(wait);
    expect(await server.ask(globex, counted, { cache: 'stale-while-revalidate' })).toEqual(wait);
    expect(await server.ask(acme, counted, { cache: 'must-revalidate' })).toEqual(wait);
    expect(await server.ask(acme, counted, { cache: 'stale-if-slow' })).toEqual(before);
    for (const run of server.runs) run.finish();
  });
});
