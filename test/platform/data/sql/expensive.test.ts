import { afterAll, beforeAll, expect, it } from 'vitest';
import fc, { casesAtDepth, seed } from '../../../property.js';
import { type Server, startShared } from '../tenants.js';

const statements = casesAtDepth(2000);
/** A caller gets at most two slots of the engine, so a third statement waits. */
const statementsPerRound = 3;

let server: Server;

beforeAll(async () => {
  server = await startShared();
});

afterAll(async () => {
  await server.close();
});

const count = fc.integer({ min: 1, max: 40 });
const letter = fc.constantFrom('a', '_', 'e', '%', ' ', 'ö', '.');
const text = fc.oneof(
  fc.constantFrom('a.city', 'a.tenant', "a.city || a.tenant || 'x'"),
  fc.integer({ min: 1, max: 3000 }).map(length => `a.city || '${'a'.repeat(length)}'`),
  fc.integer({ min: 1, max: 30 }).map(times => Array.from({ length: times }, () => 'a.city').join(' || ')),
);
const like = fc.tuple(letter, letter, count).map(([one, other, times]) => `${`%${one}${other}`.repeat(times)}%b`);
const regex = fc
  .tuple(fc.constantFrom('(a+)+', '(a|a)*', '.*', '[a-z ]*', 'a?', '(.*a)', '\\w+\\s?'), count)
  .map(([part, times]) => `^${part.repeat(times)}b$`);
const condition = fc.oneof(
  fc.tuple(text, fc.constantFrom('LIKE', 'ILIKE', 'NOT ILIKE'), like).map(([value, operator, pattern]) => {
    return `(${value}) ${operator} '${pattern}'`;
  }),
  fc.tuple(text, like).map(([value, pattern]) => `(${value}) SIMILAR TO '${pattern}'`),
  fc.tuple(text, fc.constantFrom('~', '~*', '!~'), regex).map(([value, operator, pattern]) => {
    return `(${value}) ${operator} '${pattern}'`;
  }),
  fc.tuple(text, text).map(([value, other]) => `REPLACE(${value}, 'a', ${other}) <> ''`),
  fc.tuple(text, count).map(([value, times]) => `${'UPPER('.repeat(times)}${value}${')'.repeat(times)} <> ''`),
  fc.tuple(text, count).map(([value, n]) => `SUBSTRING(${value}, ${n}) || LEFT(${value}, ${n * 100}) <> 'x'`),
  count.map(n => `a.id IN (${Array.from({ length: n * 50 }, (_, index) => index).join(', ')})`),
  count.map(n => `CAST(CAST(a.amount AS text) AS numeric) * ${'9'.repeat(n)} > 0`),
  fc.tuple(count, count).map(([base, n]) => `POWER(a.amount + ${base}, ${n * 30}) > 0`),
  count.map(n => `a.placed_at + INTERVAL '${n ** 5} years' > a.placed_at - INTERVAL '${n ** 5} months'`),
);
const from = fc
  .integer({ min: 1, max: 6 })
  .map(joins => ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, joins).map(name => `orders ${name}`))
  .map(tables => tables.join(' CROSS JOIN '));
const select = fc.oneof(
  fc.constantFrom('COUNT(*) AS n', 'COUNT(DISTINCT a.city || a.id) AS n', 'SUM(a.amount * a.id) AS n'),
  text.map(value => `MAX(${value}) AS n`),
);
const statement = fc.oneof(
  fc.tuple(select, from, condition).map(([what, tables, where]) => `SELECT ${what} FROM ${tables} WHERE ${where}`),
  fc.tuple(from, text).map(([tables, key]) => `SELECT a.id, ${key} AS k FROM ${tables} ORDER BY ${key}, a.id`),
  fc.tuple(from, text).map(([tables, key]) => {
    return `SELECT ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY a.amount) AS n FROM ${tables}`;
  }),
  condition.map(where => `SELECT MEASURE(count) AS n FROM orders a WHERE ${where}`),
);

async function post(path: string, caller: string, body: object, signal?: AbortSignal) {
  const headers = { authorization: caller, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) };
  const response = await server.app.request(path, request);
  return { status: response.status, text: await response.text() };
}

/** Expects that another tenant gets results through both query languages, without caches. */
async function expectOthersAnswered(): Promise<void> {
  const [load, sql] = await Promise.all([
    post('/v1/load', 'tenant_b', { query: { measures: ['orders.count'] }, cache: 'no-cache' }),
    post('/v1/sql', 'tenant_b', { query: 'SELECT MEASURE(count) AS n FROM orders', cache: 'no-cache' }),
  ]);
  expect(load).toMatchObject({ status: 200, text: expect.stringContaining('"orders.count":"140"') });
  expect(sql).toMatchObject({ status: 200, text: expect.stringContaining('{"data":[["140"]]}') });
}

it(`answers other tenants while a tenant runs ${statements} expensive statements, and after`, async () => {
  const generated = fc.sample(statement, { numRuns: statements, seed });
  const statuses = new Map<number, number>();
  for (let start = 0; start < generated.length; start += statementsPerRound) {
    const leaving = new AbortController();
    const round = generated.slice(start, start + statementsPerRound).map(async query => {
      const sent = post('/v1/sql', 'tenant_a', { query, cache: 'no-cache' }, leaving.signal);
      const { status } = await sent.catch(() => ({ status: 499 }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    await expectOthersAnswered();
    leaving.abort();
    await Promise.all(round);
  }
  await expectOthersAnswered();
  // The test is meaningful only if most statements run.
  expect(statuses.get(400) ?? 0).toBeLessThan(statements / 2);
  expect(server.failures).toEqual([]);
}, 1_800_000);
