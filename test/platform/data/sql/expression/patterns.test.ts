import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Parameter, SqlDialect } from '../../../../../src/platform/data/engines/engine.js';
import { ValueProblem } from '../../../../../src/platform/data/engines/query-problem.js';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../../../../src/platform/db/embedded-postgres/postgres-server.js';
import fc from '../../../../property.js';
import { print } from './engines.js';
import { read } from './reading.js';

const characters = [...'aAbB%_\\.*(^$ \n-éÉßẞſsSkKσςΣµμıİiIǆǅ😀𐐀𐐨你', 'e\u0301', '\u212a', '\ufffd'];
const text = fc.array(fc.constantFrom(...characters), { maxLength: 7 }).map(parts => parts.join(''));
const texts = [...new Set(['', ...fc.sample(text, { numRuns: 150, seed: 1 })])];

let server: PostgresServer;
let postgres: pg.Client;
let duckdb: DuckDBConnection;
let instance: DuckDBInstance;

beforeAll(async () => {
  server = await startPostgresServer();
  postgres = new pg.Client({ ...server.connection });
  await postgres.connect();
  await postgres.query('CREATE TABLE t (id int, s varchar, u varchar)');
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  duckdb = await instance.connect();
  await duckdb.run('CREATE TABLE t (id int, s varchar, u varchar)');
  for (const [id, one] of texts.entries()) {
    const statement = `INSERT INTO t VALUES (${id}, ${quoted(one)}, ${quoted((texts[id + 1] ?? '').replaceAll('\\', ''))})`;
    await Promise.all([postgres.query(statement), duckdb.run(statement)]);
  }
});

afterAll(async () => {
  duckdb?.closeSync();
  instance?.closeSync();
  await postgres?.end();
  await server?.stop();
});

async function onDuckdb(condition: string, rows = 't'): Promise<unknown[]> {
  const values: Parameter[] = [];
  const sql = print(read(condition), SqlDialect.duckdb, values);
  const statement = await duckdb.prepare(`SELECT ${sql} FROM ${rows} ORDER BY id`);
  for (const [index, value] of values.entries()) statement.bindVarchar(index + 1, String(value));
  return (await statement.runAndReadAll()).getRows().map(([cell]) => cell);
}

async function onPostgres(condition: string): Promise<unknown[]> {
  const { rows } = await postgres.query({ text: `SELECT ${condition} FROM t ORDER BY id`, rowMode: 'array' });
  return rows.map(([cell]) => cell);
}

async function expectSame(condition: string): Promise<void> {
  expect(await onDuckdb(condition), condition).toEqual(await onPostgres(condition));
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Patterns with few and many wildcards, without a trailing backslash, which is invalid. */
const likePattern = fc
  .array(
    fc.oneof({ weight: 2, arbitrary: fc.constantFrom('%', '_', '\\%', '\\_', '\\\\') }, fc.constantFrom(...characters)),
    {
      maxLength: 9,
    },
  )
  .map(parts => parts.join(''))
  .filter(pattern => !/(?<!\\)(?:\\\\)*\\$/.test(pattern));

const piece = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      '.',
      '\\.',
      '\\d',
      '[a-c]',
      '[^a-k]',
      '[sk]',
      '[^ß-é]',
      '[α-ω-]',
      '[ǅa]',
      '(a|É)',
      '(k.)',
      '(^a|b$)',
    ),
    fc.constantFrom(...characters.filter(one => !/[\\^$.[\](){}|*+?\p{Cc}]/u.test(one))),
  ),
  fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,3}'),
);
const regex = fc
  .tuple(fc.constantFrom('', '^'), fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '$'))
  .map(([start, pieces, end]) => `${start}${pieces.flat().join('')}${end}`);

describe('a pattern matches the same on DuckDB and Postgres', () => {
  it.each(['LIKE', 'NOT LIKE', 'ILIKE'])('with %s', async operator => {
    await fc.assert(
      fc.asyncProperty(likePattern, pattern => expectSame(`s ${operator} ${quoted(pattern)}`)),
      { numRuns: 150 },
    );
  });

  it.each(['LIKE', 'ILIKE'])('with %s and an escape character', async operator => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', '!', 'a', 'S', 'É', '%', '_', '😀'), async (pattern, mark) => {
        const isOpen = mark !== '' && (pattern.split(mark).length - 1) % 2 === 1;
        if (!isOpen || !pattern.endsWith(mark))
          await expectSame(`s ${operator} ${quoted(pattern)} ESCAPE ${quoted(mark)}`);
      }),
      { numRuns: 100 },
    );
  });

  it.each(['~', '~*', '!~'])('with %s', async operator => {
    await fc.assert(
      fc.asyncProperty(regex, pattern => expectSame(`s ${operator} ${quoted(pattern)}`)),
      { numRuns: 200 },
    );
  });

  it.each(['s LIKE u', 's ILIKE u', "s LIKE '%' || u", "s ILIKE u || '%'", "s LIKE '%' || left(s, 1) || '%'"])(
    'from another row: %s',
    expectSame,
  );
});

describe('a pattern with excessive backtracking in DuckDB’s LIKE', () => {
  const rows = `(SELECT range AS id, repeat('a', 2000) AS s, repeat('%_a', 8) || 'b' AS u FROM range(3000))`;

  it.each([
    `s ILIKE '${'%a'.repeat(20)}%b'`,
    `s LIKE '${'%_a'.repeat(8)}%b'`,
    `s ILIKE '${'%_a'.repeat(3)}%b'`,
    `s LIKE '${'%a'.repeat(20)}%\\_b'`,
    `s ~ '^.a.*.a.*.a.*.a.*b'`,
    `s ~* '.a.*.a.*.a.*.a.*b'`,
  ])('completes: %.40s', async condition => {
    expect(new Set(await onDuckdb(condition, rows))).toEqual(new Set([false]));
  });

  it.each([
    's LIKE u',
    's ILIKE u',
    "s LIKE '%a%a' || left(s, 1) || '%b'",
    `s LIKE '${'%_a'.repeat(300)}'`,
    `s ILIKE '${'_%a'.repeat(100)}b'`,
    `s ~ '(([ab]{0,250}a){3}c)'`,
  ])('raises an error: %.40s', async condition => {
    await expect(onDuckdb(condition, rows)).rejects.toThrow(ValueProblem.pattern);
  });

  it('completes for a short text', async () => {
    const short = "(SELECT 1 AS id, 'xaya' AS s)";
    expect(await onDuckdb(`s LIKE '${'%_a'.repeat(2)}'`, short)).toEqual([true]);
    expect(await onDuckdb(`s ILIKE '${'%_a'.repeat(300)}'`, short)).toEqual([false]);
  });
});
