import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../../src/platform/data/engines/engine.js';
import {
  openPostgresEngine,
  type PostgresEngineOptions,
} from '../../../../../src/platform/data/engines/postgres/open-postgres-engine.js';
import { LoggableError } from '../../../../../src/platform/errors.js';
import { eventually } from '../../../../eventually.js';
import { type DataSource, startDataSource } from './data-source.js';

let source: DataSource;
const engines: Engine[] = [];

beforeAll(async () => {
  source = await startDataSource();
  await source.run("CREATE TABLE t (n integer, name text); INSERT INTO t VALUES (1, 'one'), (2, NULL)");
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map(engine => engine.close()));
});
afterAll(() => source.stop());

async function open(options: Partial<PostgresEngineOptions> = {}): Promise<Engine> {
  const engine = await openPostgresEngine({ url: source.url, ...options });
  engines.push(engine);
  return engine;
}

async function scalar(engine: Engine, sql: string): Promise<unknown> {
  return (await engine.run(sql, [])).columns[0]?.[0];
}

/** Returns the active connections of the readers. */
async function activeConnections(): Promise<unknown[]> {
  const { rows } = await source.run(
    "SELECT state, wait_event FROM pg_stat_activity WHERE usename = 'reader' AND state <> 'idle'",
  );
  return rows;
}

/** Whether one statement is running. */
const isActive = async () =>
  expect(await activeConnections()).toContainEqual(expect.objectContaining({ state: 'active', wait_event: null }));

/** A statement that runs until it is stopped. */
const endless = 'SELECT count(*) FROM generate_series(1, 10000000) a, generate_series(1, 10000000) b WHERE a + b = -1';

describe('a data source', () => {
  it.each([
    ['mysql://reader:hidden@host/db', 'must start with postgres://'],
    ['postgres://reader:hidden@host:port/db', 'must be like postgres://user:password@host/database'],
    [
      'postgres://reader:hidden@localhost:1/db',
      /Could not open the data source \(ECONNREFUSED\): the server is unreachable; check host and port/,
    ],
  ])('is rejected with a message that contains no part of the URL: %s', async (url, message) => {
    const refused = openPostgresEngine({ url });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('hidden');
  });

  it("is rejected if the role can't log in, or the schema does not exist", async () => {
    await expect(open({ url: source.urlOf('nobody') })).rejects.toThrow(
      /Could not open the data source \(28000\): the server rejected the login/,
    );
    const elsewhere = source.url.replace(/\/[^/?]+\?/, '/no_such?');
    await expect(open({ url: elsewhere })).rejects.toThrow(
      /Could not open the data source \(3D000\): the server has no database/,
    );
    await expect(open({ schema: 'elsewhere' })).rejects.toThrow('has no schema elsewhere. Check its name');
  });

  it('is rejected if the role is a superuser, which could read files of the server', async () => {
    await expect(open({ url: source.urlOf('platform') })).rejects.toThrow('is a superuser. Use a role that can only');
  });

  it('warns about a role with write access', async () => {
    await source.run('CREATE ROLE writer LOGIN; GRANT SELECT, UPDATE ON t TO writer');
    const problems: string[] = [];
    const engine = await open({ url: source.urlOf('writer'), onProblem: problem => problems.push(problem) });
    expect(problems).toEqual([expect.stringContaining('can write to t. Grant it only SELECT')]);
    expect(await scalar(engine, 'SELECT n FROM t WHERE n = 1')).toBe('1');
    await source.run('REVOKE ALL ON t FROM writer; DROP ROLE writer');
  });

  it('serves the tables and views of its schema that the role may read', async () => {
    await source.run(`
      CREATE SCHEMA sales; GRANT USAGE ON SCHEMA sales TO reader;
      CREATE TABLE sales.orders (id integer); CREATE TABLE sales.secrets (id integer); CREATE TABLE sales.no_columns ();
      CREATE TABLE sales.parted (id integer) PARTITION BY RANGE (id);
      CREATE VIEW sales.lately AS SELECT 3 AS n; CREATE MATERIALIZED VIEW sales.made AS SELECT 4 AS n;
      GRANT SELECT ON sales.orders, sales.parted, sales.lately, sales.made TO reader;
      GRANT SELECT (id) ON sales.secrets TO reader`);
    const engine = await open({ schema: 'sales' });
    expect(engine.tables).toEqual(['lately', 'made', 'orders', 'parted']);
    expect(await scalar(engine, 'SELECT n FROM made')).toBe('4');
    await expect(engine.run('SELECT * FROM t', [])).rejects.toThrow('relation "t" does not exist (42P01)');
    await source.run('DROP SCHEMA sales CASCADE');
  });

  it('changes its version when tables or columns are added', async () => {
    const engine = await open({ pollMs: 10 });
    const seen = [engine.dataVersion];
    await source.run('CREATE TABLE later (n integer)');
    await eventually(() => expect(engine.tables).toEqual(['later', 't']));
    seen.push(engine.dataVersion);
    await source.run('ALTER TABLE later ADD m integer');
    await eventually(() => expect(seen).not.toContain(engine.dataVersion));
    await source.run('DROP TABLE later');
    await eventually(() => expect(engine.dataVersion).toBe(seen[0]));
  });

  it('reads live rows', async () => {
    const engine = await open();
    expect(engine.lastRefreshTime).toBeNull();
    await source.run("INSERT INTO t VALUES (3, 'three')");
    expect(await scalar(engine, 'SELECT count(*) FROM t')).toBe('3');
    await source.run('DELETE FROM t WHERE n = 3');
    expect(await scalar(engine, 'SELECT count(*) FROM t')).toBe('2');
  });
});

describe('a statement', () => {
  it('returns columns even without rows', async () => {
    const engine = await open();
    expect(await engine.run('SELECT n, name FROM t ORDER BY n', [])).toEqual({
      columns: [
        ['1', '2'],
        ['one', null],
      ],
    });
    expect(await engine.run('SELECT n, name FROM t WHERE false', [])).toEqual({ columns: [[], []] });
  });

  it.each([
    'CREATE TABLE made (n integer)',
    'DELETE FROM t',
    'WITH gone AS (DELETE FROM t RETURNING n) SELECT * FROM gone',
    'SELECT * INTO made FROM t',
    'SELECT * FROM t FOR UPDATE',
    "SELECT nextval('counter')",
    'SELECT write_it()',
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT set_config('transaction_read_only', 'off', true), write_it()",
    'SELECT 1; DELETE FROM t',
    'COMMIT; DELETE FROM t',
    "COPY t TO '/tmp/made'",
    'EXPLAIN ANALYZE SELECT 1',
  ])('cannot write, and must be a single SELECT: %s', async sql => {
    await source.run(`
      CREATE SEQUENCE IF NOT EXISTS counter; GRANT ALL ON SEQUENCE counter TO reader; GRANT ALL ON t TO reader;
      CREATE OR REPLACE FUNCTION write_it() RETURNS int LANGUAGE sql VOLATILE AS 'DELETE FROM t RETURNING n'`);
    const engine = await open();
    await expect(engine.run(sql, [])).rejects.toThrow(LoggableError);
    await expect(engine.stream(sql, [])).rejects.toThrow(LoggableError);
    // Describing parses the statement without running it.
    await engine.describe(sql, []).catch(error => expect(error).toBeInstanceOf(LoggableError));
    expect(await scalar(engine, 'SELECT count(*) FROM t')).toBe('2');
    await source.run('REVOKE ALL ON t FROM reader; GRANT SELECT ON t TO reader');
  });

  it('leaves no state for the next one on its connection', async () => {
    const engine = await open({ connections: 1 });
    const settings =
      "SELECT current_setting('search_path') || current_setting('TimeZone') || current_setting('DateStyle')";
    const before = await scalar(engine, settings);
    await engine.run(
      "SELECT set_config('search_path', 'pg_catalog', false), set_config('TimeZone', 'Asia/Tokyo', false), set_config('DateStyle', 'SQL', false)",
      [],
    );
    expect(await scalar(engine, settings)).toBe(before);
    expect(before).toContain('UTC');
    const backend = 'SELECT pg_backend_pid()';
    expect(await scalar(engine, backend)).toBe(await scalar(engine, backend));
  });

  it.each(["'; DELETE FROM t; --", '$1', '\\', 'é😀', '%_', `"'\n\t`])('binds %j as a value', async value => {
    expect((await (await open()).run('SELECT CAST($1 AS text)', [value])).columns).toEqual([[value]]);
  });

  it('binds values of all types', async () => {
    const sql =
      'SELECT CAST($1 AS bigint), CAST($2 AS float8), CAST($3 AS boolean), CAST($4 AS text), CAST($5 AS timestamp)';
    const found = await (await open()).run(sql, [9007199254740991, 1.5, true, null, '2001-02-03T04:05:06.789']);
    expect(found.columns.flat()).toEqual(['9007199254740991', '1.5', true, null, '2001-02-03T04:05:06.789']);
  });

  it('has columns of known types, without running', async () => {
    const engine = await open();
    const types = await engine.describe(
      `SELECT n, n::bigint, n::smallint, 1.5, 1.5::float4, name, name::varchar(3), true, now(), now()::timestamp, now()::date,
        now() - now(), '{}'::json, ARRAY[1], NULL, $1::int, pg_sleep(1000) FROM t`,
      [1],
    );
    expect(types.join(' ')).toBe(
      'integer bigint integer numeric double text text boolean timestamp timestamp date interval other other text integer other',
    );
  });
});

describe('an error', () => {
  it.each([
    ["SELECT CAST(name AS integer) FROM t WHERE name = 'one'", 400, 'A value does not have the type'],
    ['SELECT 1 / (n - 1) FROM t', 400, 'The query divides by zero'],
    ["SELECT CAST('3000000000' AS integer)", 400, 'A result of the query is out of range'],
    [`SELECT 1${'+1'.repeat(50_000)}`, 400, 'The query is too large'],
  ])('caused by the query is returned to the caller: %s', async (sql, status, message) => {
    const refused = (await open()).run(sql, []);
    await expect(refused).rejects.toMatchObject({ status, message: expect.stringContaining(message) });
    await expect(refused).rejects.not.toThrow('one');
  });

  it("is returned to the caller for a value that Postgres text can't represent", async () => {
    await expect((await open()).run('SELECT CAST($1 AS text)', ['a\u0000b'])).rejects.toMatchObject({ status: 400 });
  });

  it('caused by the model quotes names of the model, never a value of a row', async () => {
    const engine = await open();
    await expect(engine.run('SELECT nothing FROM t', [])).rejects.toThrow(
      new LoggableError('The data source rejected a statement: column "nothing" does not exist (42703)'),
    );
    await expect(engine.run("SELECT ('secret_' || n)::regclass FROM t", [])).rejects.toThrow(
      new LoggableError('The data source rejected a statement: 42P01'),
    );
  });
});

describe('a limit', () => {
  it('of time stops a statement, and the next one runs', async () => {
    // Long enough for the next statement on a busy machine.
    const engine = await open({ timeoutMs: 3000, connections: 1 });
    await expect(engine.run(endless, [])).rejects.toMatchObject({ status: 400, message: /took too long/ });
    expect(await scalar(engine, 'SELECT 1')).toBe('1');
  });

  it('of size stops a result', async () => {
    const engine = await open();
    const large = "SELECT repeat('x', 1000000) FROM generate_series(1, 1000000)";
    await expect(engine.run(large, [])).rejects.toMatchObject({ status: 400, message: /result is too large/ });
    await eventually(async () => expect(await activeConnections()).toEqual([]));
  });

  it('of connections queues others', async () => {
    const engine = await open({ connections: 1 });
    const stream = await engine.stream('SELECT * FROM generate_series(1, 100000)', []);
    const waiting = engine.run('SELECT 1', []);
    await stream.close();
    expect((await waiting).columns).toEqual([['1']]);
  });
});

describe('an abort', () => {
  it('stops the statement on the server', async () => {
    const engine = await open();
    const abort = new AbortController();
    const running = engine.run(endless, [], { signal: abort.signal });
    await eventually(isActive);
    abort.abort();
    await expect(running).rejects.toMatchObject({ status: 499 });
    await eventually(async () => expect(await activeConnections()).toEqual([]));
  });

  it('before the start prevents the statement', async () => {
    const running = (await open()).run(endless, [], { signal: AbortSignal.abort() });
    await expect(running).rejects.toMatchObject({ status: 499 });
  });

  it('at any moment affects no other statement', async () => {
    const engine = await open({ connections: 3 });
    const numbers = Array.from({ length: 120 }, (_, index) => index);
    const runs = numbers.map(async index => {
      const abort = new AbortController();
      const running = engine.run(index % 2 === 0 ? endless : 'SELECT count(*) FROM generate_series(1, 20000)', [], {
        signal: abort.signal,
      });
      if (index % 2 === 1) return (await running).columns;
      setTimeout(() => abort.abort(), index % 7);
      return running.then(
        () => 'ran',
        error => error.status,
      );
    });
    const found = await Promise.all(runs);
    expect(found.filter((_, index) => index % 2 === 1)).toEqual(Array(60).fill([['20000']]));
    expect(found.filter((_, index) => index % 2 === 0)).toEqual(Array(60).fill(499));
  });
});

describe('a stream', () => {
  async function textOf(engine: Engine, sql: string, parameters: readonly (string | number)[] = []) {
    const pieces: string[] = [];
    let counted = 0;
    for await (const { rows, json } of (await engine.stream(sql, parameters)).pieces) {
      pieces.push(Buffer.from(json).toString());
      counted += rows;
    }
    return { rows: JSON.parse(`[${pieces.join(',')}]`) as (string | null)[][], pieces, counted };
  }

  it('returns all rows in order, in pieces of similar size', async () => {
    const sql = 'SELECT i, $1 || i FROM generate_series(1, 50000) AS s(i) ORDER BY i DESC';
    const { rows, pieces, counted } = await textOf(await open(), sql, ['é"\\']);
    expect(rows.length).toBe(50_000);
    expect(counted).toBe(50_000);
    expect(rows[0]).toEqual(['50000', 'é"\\50000']);
    expect(rows.every(([number], index) => number === String(50_000 - index))).toBe(true);
    for (const piece of pieces.slice(5)) expect(piece.length).toBeLessThan(100_000);
    expect(pieces.length).toBeLessThan(50);
  });

  it('formats values like the cells of a result', async () => {
    const sql = `SELECT n, name, 1.500, -0.050, 0::numeric, 12.5::float8, 'NaN'::float8, true, DATE '2001-02-03', TIMESTAMP '1969-12-31 23:59:59.9995',
      TIMESTAMPTZ '2001-02-03 04:05:06+02', 'infinity'::timestamp, '{"a": 1}'::json, NULL FROM t ORDER BY n LIMIT 1`;
    expect((await textOf(await open(), sql)).rows).toEqual([
      ['1', 'one', '1.5', '-0.05', '0', '12.5', 'NaN', 'true', '2001-02-03', '1969-12-31T23:59:59.999'].concat(
        ['2001-02-03T02:05:06.000', 'infinity', '{"a": 1}'],
        null as never,
      ),
    ]);
  });

  it('supports no rows, and more columns than arguments of a function', async () => {
    const engine = await open();
    expect((await textOf(engine, 'SELECT n FROM t WHERE false')).pieces).toEqual([]);
    const numbers = Array.from({ length: 300 }, (_, index) => String(index));
    expect((await textOf(engine, `SELECT ${numbers.join(', ')}`)).rows).toEqual([numbers]);
  });

  it('waits for its reader and produces rows on demand', async () => {
    const engine = await open();
    const stream = await engine.stream('SELECT generate_series(1, 10000000000)', []);
    const pieces = stream.pieces[Symbol.asyncIterator]();
    for (let count = 0; count < 3; count++) expect((await pieces.next()).done).toBe(false);
    await expect.poll(activeConnections).toEqual([{ state: 'idle in transaction', wait_event: 'ClientRead' }]);
    await stream.close();
    await stream.close();
    await eventually(async () => expect(await activeConnections()).toEqual([]));
    await expect(pieces.next()).rejects.toMatchObject({ status: 499 });
  });

  it('counts only the time of the server against the limit, not the time in which the client does not read', async () => {
    const engine = await open({ timeoutMs: 3000 });
    const asleep =
      'SELECT i, pg_sleep(CASE WHEN i % 100 = 1 THEN 1 ELSE 0 END)::text FROM generate_series(1, 900) AS s(i)';
    const read = async (sql: string, afterEach: () => Promise<unknown>) => {
      for await (const _ of (await engine.stream(sql, [])).pieces) await afterEach();
    };
    await expect(read(asleep, async () => undefined)).rejects.toMatchObject({ status: 400, message: /took too long/ });
    const long = source.run('SELECT pg_sleep(3.1)');
    await read('SELECT generate_series(1, 300)', () => long);
  });

  it('ends when its reader stops', async () => {
    const engine = await open({ connections: 1 });
    for await (const _ of (await engine.stream('SELECT generate_series(1, 10000000000)', [])).pieces) break;
    expect(await scalar(engine, 'SELECT 1')).toBe('1');
  });

  it('is stopped by its signal, and by closing it while it runs', async () => {
    const engine = await open();
    const slow = 'SELECT i, CASE WHEN i > 100 THEN pg_sleep(1000) END FROM generate_series(1, 1000) AS s(i)';
    const abort = new AbortController();
    const [one, other] = await Promise.all([
      engine.stream(slow, [], { signal: abort.signal }),
      engine.stream(slow, []),
    ]);
    const rest = [one, other].map(async stream => {
      let rows = 0;
      for await (const piece of stream.pieces) rows += piece.rows;
      return rows;
    });
    const ends = Promise.allSettled(rest);
    await eventually(async () => expect(await activeConnections()).toHaveLength(2));
    abort.abort();
    await other.close();
    expect(await ends).toMatchObject([
      { status: 'rejected', reason: { status: 499 } },
      { status: 'rejected', reason: { status: 499 } },
    ]);
    await eventually(async () => expect(await activeConnections()).toEqual([]));
  });

  it('throws after the rows before an error', async () => {
    const engine = await open({ connections: 1 });
    const stream = await engine.stream('SELECT 1 / (5000 - i) FROM generate_series(1, 10000) AS s(i)', []);
    let rows = 0;
    const read = async () => {
      for await (const piece of stream.pieces) rows += piece.rows;
    };
    await expect(read()).rejects.toMatchObject({ status: 400, message: /divides by zero/ });
    expect(rows).toBeGreaterThan(99);
    expect(rows).toBeLessThan(5000);
    expect(await scalar(engine, 'SELECT 1')).toBe('1');
  });

  it('rejects with an error before the first row', async () => {
    const engine = await open();
    await expect(engine.stream('SELECT 1 / (n - n) FROM t', [])).rejects.toMatchObject({
      status: 400,
      message: /divides by zero/,
    });
    // The limit also applies to reading the catalog.
    const hasty = await open({ timeoutMs: 250 });
    await expect(hasty.stream(endless, [])).rejects.toMatchObject({ status: 400, message: /took too long/ });
    const pattern =
      "repeat('a', 2000) || i ILIKE repeat('%_a', 300) || 'b' OR repeat('a', 2000) || i ~ '(([ab]{0,90}a){3}c)'";
    const matching = `SELECT i FROM generate_series(1, 10000000000) AS s(i) WHERE ${pattern}`;
    await expect(hasty.stream(matching, [])).rejects.toMatchObject({ status: 400, message: /took too long/ });
    await expect(engine.stream('SELECT nothing', [])).rejects.toThrow(LoggableError);
    await eventually(async () => expect(await activeConnections()).toEqual([]));
  });
});

describe('a connection', () => {
  const loseAll = () => source.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");

  it('fails its statement if it is lost, and the next statement gets another one', async () => {
    const engine = await open();
    const stream = await engine.stream('SELECT generate_series(1, 1000000)', []);
    const running = engine.run(endless, []);
    const failed = expect(running).rejects.toMatchObject({ status: 503, message: /can't be reached/ });
    await eventually(isActive);
    await loseAll();
    await failed;
    const read = async () => {
      for await (const _ of stream.pieces);
    };
    await expect(read()).rejects.toMatchObject({ status: 503 });
    expect(await scalar(engine, 'SELECT 1')).toBe('1');
  });

  it('is reported once if it is unavailable, until it is available again', async () => {
    const problems: string[] = [];
    const engine = await open({ pollMs: 10, onProblem: problem => problems.push(problem) });
    for (let times = 1; times <= 2; times++) {
      await source.run('ALTER ROLE reader NOLOGIN');
      await loseAll();
      await eventually(() => expect(problems).toHaveLength(times));
      await expect(engine.run('SELECT 1', [])).rejects.toMatchObject({ status: 503 });
      expect(engine.tables).toEqual(['t']);
      await source.run('ALTER ROLE reader LOGIN');
      await eventually(async () => expect(await scalar(engine, 'SELECT 1')).toBe('1'));
      const { dataVersion } = engine;
      await source.run(`CREATE TABLE found_${times} (n integer)`);
      await eventually(() => expect(engine.dataVersion).not.toBe(dataVersion));
      await source.run(`DROP TABLE found_${times}`);
      await eventually(() => expect(engine.tables).toEqual(['t']));
    }
    expect(problems[0]).toMatch(/is unreachable\. Queries fail until it is available again/);
  });

  it('is released on close, even with a running statement', async () => {
    const engine = await open();
    const stream = await engine.stream('SELECT generate_series(1, 1000000)', []);
    const running = engine.run(endless, []);
    const failed = expect(running).rejects.toMatchObject({ status: 503, message: /shutting down/ });
    await eventually(isActive);
    await engine.close();
    await failed;
    const connected = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'reader'";
    await eventually(async () => expect((await source.run(connected)).rows).toEqual([{ n: 0 }]));
    await stream.close();
    await expect(engine.run('SELECT 1', [])).rejects.toMatchObject({ status: 503 });
  });
});
