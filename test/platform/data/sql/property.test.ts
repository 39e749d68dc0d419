import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc, { casesAtDepth, seed, testDepth } from '../../../property.js';
import { inDialect } from '../engines/engine-under-test.js';
import { tenants } from '../tenant-model.js';
import { nobodies, type Server, startAlone, startShared, strangers } from '../tenants.js';
import { madeBy } from './dice.js';
import { everyTrick, type Hostile, hostileSql, withUnknownNames } from './hostile-sql.js';
import { engineWords } from './refusal.js';

/**
 * Both tenants send all statements of a round at the same time, some of them repeatedly. A deep run sends more than
 * 10,000 statements to DuckDB; every run sends more than 1,000 to each engine.
 */
const [rounds, statementsPerRound] = [casesAtDepth(inDialect({ duckdb: 110, postgres: 25 }), 11), 40];

let shared: Server;
let alone: ReadonlyMap<string, Server>;

beforeAll(async () => {
  [shared, alone] = await Promise.all([startShared(), startAlone()]);
});

afterAll(async () => {
  await Promise.all([shared, ...(alone?.values() ?? [])].map(server => server?.close()));
});

/** A result with sorted rows as text, or an error. */
interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly schema?: unknown;
  readonly rows?: readonly string[];
}

/** How a statement is sent. */
interface SendOptions {
  readonly path?: string;
  readonly cache?: string;
}

async function ask(
  server: Server | undefined,
  token: string,
  query: string,
  options: SendOptions = {},
): Promise<Answer> {
  if (!server) throw new Error(`no server for ${token}`);
  const { path = '/v1/sql', cache } = options;
  const headers = { authorization: token, 'content-type': 'application/json', 'x-request-id': 'r' };
  const body = JSON.stringify({ query, ...(cache !== undefined && { cache }) });
  const response = await server.app.request(path, { method: 'POST', headers, body });
  return read(response.status, await response.text());
}

/** Parses lines of JSON: the schema, then rows, or an error. */
function read(status: number, text: string): Answer {
  const lines = text.split('\n').filter(line => line !== '');
  const objects: Record<string, unknown>[] = lines.map(line => JSON.parse(line));
  const broken = objects.find(({ error }) => error !== undefined);
  if (broken) return { status, error: String(broken.error) };
  const rows = objects.flatMap(({ data }) => (Array.isArray(data) ? data : []));
  return { status, schema: objects[0]?.schema, rows: rows.map(row => JSON.stringify(row)).sort() };
}

type Outcome = 'rows' | 'no rows' | 'refused';

/** Sends a statement in several ways and compares the results with a server that has only the caller's rows. */
async function expectOwnRowsAlone(
  caller: string,
  one: Hostile,
  ...variants: readonly SendOptions[]
): Promise<Outcome[]> {
  const { text, settled } = one;
  const comparable = ({ rows, ...rest }: Answer) => ({ ...rest, rows: settled ? rows : rows?.length });
  const expected = await ask(alone.get(caller), caller, text);
  const outcomes: Outcome[] = [];
  for (const options of variants) {
    const answer = await ask(shared, caller, text, options);
    expectNoTrace(caller, text, answer);
    // Ignore statements that timed out on a busy machine.
    if (isCutShort(answer) || isCutShort(expected)) {
      cutShort += 1;
      continue;
    }
    expect({ text, ...comparable(answer) }).toEqual({ text, ...comparable(expected) });
    if (answer.rows === undefined) outcomes.push('refused');
    else outcomes.push(answer.rows.length > 0 ? 'rows' : 'no rows');
  }
  if (caller === tenants[0]) await expectHiddenAsUnknown(caller, text, expected);
  return outcomes;
}

/** Text that occurs only in generated SQL and in source code. */
const inside = /_rows"|node_modules/;

/** Number of results that timed out. */
let cutShort = 0;

function isCutShort({ status, error = '' }: Answer): boolean {
  return status === 503 || error.startsWith('The query took too long');
}

/** Expects no data of another tenant, no row values in errors, and no internals. */
function expectNoTrace(caller: string, text: string, { status, error, rows }: Answer): void {
  const refusal = status === 413 || status === 503 ? status : 400;
  expect({ text, status }).toEqual({ text, status: rows || status === 200 ? 200 : refusal });
  // Errors may contain text that the caller sent, or a part of it.
  const message = [...new Set(text.match(/\b\w*_rows/g))].reduce(
    (rest, name) => rest.replaceAll(`${name}"`, '"'),
    error ?? '',
  );
  for (const words of [inside, engineWords]) {
    expect({ text, error: message }).toEqual({ text, error: expect.not.stringMatching(words) });
  }
  const written = text.toLowerCase();
  for (const tenant of tenants) {
    if (written.includes(tenant) || written.includes(`'_${tenant.slice(-1)}'`)) continue;
    if (tenant !== caller) expect(rows?.find(row => row.includes(tenant))).toBeUndefined();
    expect(error ?? '').not.toContain(tenant);
  }
}

/** A suggestion may be a name from the statement, such as a table of WITH. */
function withoutOwnNames(error = '', text: string): string {
  return error.replace(/: did you mean ([^?]*)\?/, (hint, name) => (text.includes(name) ? '' : hint));
}

/** Expects the same response for hidden names as for unknown ones. */
async function expectHiddenAsUnknown(caller: string, text: string, answer: Answer): Promise<void> {
  const unknown = withUnknownNames(text);
  if (unknown === text) return;
  const expected = await ask(shared, caller, unknown);
  if (isCutShort(answer) || isCutShort(expected)) return;
  const message = withUnknownNames(withoutOwnNames(answer.error, text));
  expect({ text, status: answer.status, error: message }).toEqual({
    text,
    status: expected.status,
    error: withUnknownNames(withoutOwnNames(expected.error, unknown)),
  });
}

/**
 * Tenants that send an attack. In a quick run, only the first one sends those on hidden names, because only its
 * responses are compared with those for unknown names.
 */
const callersOf = ({ kind }: Hostile): readonly string[] =>
  testDepth() === 'deep' || kind !== 'hidden' ? tenants : tenants.slice(0, 1);

const variants: readonly SendOptions[] = [
  {},
  { path: '/v1/cubesql' },
  { cache: 'no-cache' },
  { cache: 'must-revalidate' },
  { cache: 'stale-while-revalidate' },
];

describe('tenants that send SQL to one server', () => {
  it('never see each other’s rows', { timeout: 900_000 }, async () => {
    const outcomes = new Map<string, number>();
    const count = (kind: string, outcome: Outcome) =>
      outcomes.set(`${kind}: ${outcome}`, (outcomes.get(`${kind}: ${outcome}`) ?? 0) + 1);
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(madeBy(hostileSql), { minLength: statementsPerRound, maxLength: statementsPerRound }),
        fc.constantFrom(...strangers),
        async (statements, stranger) => {
          const options = variants[round++ % variants.length] ?? {};
          const send = async (caller: string, one: Hostile, ...all: readonly SendOptions[]) => {
            for (const outcome of await expectOwnRowsAlone(caller, one, ...all)) count(one.kind, outcome);
          };
          const results = statements.flatMap((one, index) =>
            // Repeat some statements, so that they are served from the cache.
            tenants.map(tenant => send(tenant, one, options, ...(index % 5 === 0 ? [{}] : []))),
          );
          const strangerResults = statements.slice(0, 2).map(one => send(stranger, one, {}));
          await Promise.all([...results, ...strangerResults]);
        },
      ),
      // `endOnFailure` reports the failed statement without shrinking it.
      { numRuns: rounds, endOnFailure: true, seed },
    );
    const all = Object.fromEntries([...outcomes].sort());
    console.info(all);
    const total = [...outcomes.values()].reduce((sum, one) => sum + one, 0);
    expect(total + cutShort).toBeGreaterThanOrEqual(
      casesAtDepth(inDialect({ duckdb: 10_000, postgres: 2_000 }), 1_000),
    );
    expect(cutShort).toBeLessThan(total / 20);
    const { 'sound: rows': rows = 0, 'sound: no rows': none = 0, 'sound: refused': refused = 0 } = all;
    // The test is meaningful only if enough statements return rows.
    expect((rows + none) / (rows + none + refused)).toBeGreaterThan(0.6);
    expect(rows).toBeGreaterThan(casesAtDepth(inDialect({ duckdb: 1_500, postgres: 300 }), 150));
    expect(shared.failures).toEqual([]);
  });

  it('learn nothing from known attacks', { timeout: 900_000 }, async () => {
    const tricks = everyTrick();
    while (tricks.length > 0) {
      const some = tricks.splice(0, statementsPerRound);
      await Promise.all(some.flatMap(trick => callersOf(trick).map(tenant => expectOwnRowsAlone(tenant, trick, {}))));
    }
    expect(shared.failures).toEqual([]);
  });

  it('see no rows without a tenant', async () => {
    await fc.assert(
      fc.asyncProperty(madeBy(hostileSql), fc.constantFrom(...nobodies), async ({ text }, nobody) => {
        const answer = await ask(shared, nobody, text);
        expectNoTrace(nobody, text, answer);
        for (const cube of ['orders', 'customers', 'items', 'sales']) {
          const unknown = await ask(shared, nobody, `SELECT COUNT(*) FROM ${cube}`);
          expect(unknown).toMatchObject({ status: 400 });
        }
      }),
      { numRuns: casesAtDepth(100, 25), endOnFailure: true, seed },
    );
  });
});
