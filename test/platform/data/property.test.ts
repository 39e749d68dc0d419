import '../../../src/contract/messages.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MetaResponse } from '../../../src/contract/data.js';
import { hostileQuery } from './hostile-queries.js';
import { tenants } from './tenant-model.js';
import { nobodies, type Server, startAlone, startShared, strangers } from './tenants.js';

/** All queries of a round are sent at once, each of them twice by both tenants: 2,000 load queries, and some of a stranger's. */
const [rounds, queriesPerRound, timesEach] = [50, 10, 2];

let shared: Server;
let alone: ReadonlyMap<string, Server>;

beforeAll(async () => {
  [shared, alone] = await Promise.all([startShared(), startAlone()]);
}, 60_000);

afterAll(async () => {
  await Promise.all([shared, ...alone.values()].map(server => server.close()));
});

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function ask(server: Server | undefined, token: string, query: unknown): Promise<Answer> {
  if (!server) throw new Error(`no server for ${token}`);
  const response = await server.app.request('/v1/load', {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json', 'x-request-id': 'r' },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: await response.json() };
}

/** Rows of an answer in any format, each as text. */
function rowsOf({ body }: Answer): string[] {
  const data = body.data as
    | Record<string, unknown>[]
    | { members: string[]; dataset: unknown[][] }
    | { members: string[]; columns: unknown[][] };
  if (Array.isArray(data)) return data.map(row => JSON.stringify(Object.values(row)));
  if ('dataset' in data) return data.dataset.map(row => JSON.stringify(row));
  return (data.columns[0] ?? []).map((_, row) => JSON.stringify(data.columns.map(column => column[row])));
}

/** The query without what cuts rows off: where rows tie, which of them are cut is open. */
function uncut(query: object): object {
  const { limit: _limit, offset: _offset, ...rest } = query as Record<string, unknown>;
  return rest;
}

/** What came back to a query that was found to be answered rightly. */
type Outcome = 'rows' | 'no rows' | 'refused';

/** Sends a query twice at once, so that the answers may be shared, and holds both against a server that has only the caller's rows. */
async function expectOwnRowsAlone(caller: string, query: object): Promise<Outcome[]> {
  const answers = await Promise.all(Array.from({ length: timesEach }, () => ask(shared, caller, query)));
  const reference = await ask(alone.get(caller), caller, query);
  const isCut = reference.status === 200 && ('limit' in query || 'offset' in query);
  const all = isCut ? await ask(alone.get(caller), caller, uncut(query)) : reference;
  return answers.map(answer => {
    expect({ query, status: answer.status, error: answer.body.error }).toEqual({
      query,
      status: reference.status,
      error: reference.body.error,
    });
    if (answer.status === 200) return expectRows(caller, query, answer, { reference, all });
    expect({ query, status: answer.status }).toEqual({ query, status: 400 });
    return 'refused';
  });
}

function expectRows(caller: string, query: object, answer: Answer, own: { reference: Answer; all: Answer }): Outcome {
  const [rows, expected] = [rowsOf(answer).sort(), rowsOf(own.all).sort()];
  expect(rows).toHaveLength(rowsOf(own.reference).length);
  if (rows.length === expected.length) expect({ query, rows }).toEqual({ query, rows: expected });
  else expect({ query, rows: rows.filter(row => !expected.includes(row)) }).toEqual({ query, rows: [] });
  expectNoTrace(caller, query, answer);
  return rows.length > 0 ? 'rows' : 'no rows';
}

/** Neither a text of another tenant in the rows, nor the row filter in what the query is said to be. */
function expectNoTrace(caller: string, query: object, { body }: Answer): void {
  const rows = JSON.stringify(body.data);
  for (const tenant of tenants) if (tenant !== caller) expect(rows).not.toContain(tenant);
  const { data: _data, ...facts } = body;
  const sent = JSON.stringify(query);
  for (const tenant of tenants) if (!sent.includes(tenant)) expect(JSON.stringify(facts)).not.toContain(tenant);
}

describe('tenants that share one server', () => {
  it('never see a row of each other, whatever they ask', { timeout: 180_000 }, async () => {
    const outcomes = new Map<Outcome, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileQuery, { minLength: queriesPerRound, maxLength: queriesPerRound }),
        fc.constantFrom(...strangers),
        async (queries, stranger) => {
          const asked = queries.flatMap(query => tenants.map(tenant => expectOwnRowsAlone(tenant, query)));
          asked.push(...queries.slice(0, 1).map(query => expectOwnRowsAlone(stranger, query)));
          for (const outcome of (await Promise.all(asked)).flat())
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        },
      ),
      { numRuns: rounds },
    );
    const { rows = 0, 'no rows': none = 0, refused = 0 } = Object.fromEntries(outcomes);
    expect(rows + none + refused).toBeGreaterThanOrEqual(2000);
    // Queries that are refused or find nothing prove little.
    expect(rows).toBeGreaterThan(500);
  });

  it('see nothing at all without a tenant, and are told what anyone is told of an unknown member', {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(hostileQuery, fc.constantFrom(...nobodies), async (query, nobody) => {
        const { status, body } = await ask(shared, nobody, query);
        expect({ query, status, data: body.data }).toEqual({ query, status: 400, data: undefined });
        for (const tenant of tenants)
          if (!JSON.stringify(query).includes(tenant)) expect(body.error).not.toContain(tenant);
      }),
      { numRuns: 200 },
    );
    for (const nobody of nobodies) {
      const response = await shared.app.request('/v1/meta', { headers: { authorization: nobody } });
      const { cubes } = MetaResponse.parse(await response.json());
      expect(cubes.flatMap(cube => [...cube.measures, ...cube.dimensions, ...cube.segments])).toEqual([]);
    }
  });

  it('get the numbers of their own rows, as counted by hand', async () => {
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
    expect(answers.map(({ body }) => body.data)).toEqual([...expected, ...expected]);
  });
});
