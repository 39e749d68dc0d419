import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CheckedEngine } from '../../../../src/platform/data/engines/checked-engine.js';
import { engineUnderTest, type OpenedEngine } from './engine-under-test.js';

let opened: OpenedEngine;
let engine: CheckedEngine;

beforeAll(async () => {
  opened = await engineUnderTest.current.open({
    flights: "SELECT 1 AS id, 'ATL' AS origin",
    airports: 'SELECT 1 AS id',
  });
  engine = new CheckedEngine(opened.engine);
});
afterAll(() => opened.close());

const allowed = [
  'SELECT count(*), sum(id) FILTER (WHERE id > 1), upper(origin) FROM flights WHERE id = $1 GROUP BY 3',
  'SELECT * FROM (SELECT f.* FROM flights f JOIN airports a USING (id)) x LEFT JOIN airports ON true',
  'WITH a AS (SELECT 1 AS n), b AS (SELECT n FROM a) SELECT * FROM b, flights ORDER BY 1 DESC LIMIT 2 OFFSET 0',
  "SELECT row_number() OVER (PARTITION BY origin ORDER BY id), CASE WHEN id IN (1, 2) THEN date_trunc('day', now()) END FROM flights",
  "SELECT id::DECIMAL(10, 2), CAST(id AS VARCHAR) || 'x' LIKE 'a%', -id, id // 2, origin[1], [id, 2], {'a': id} FROM flights",
  'SELECT 1 UNION ALL SELECT id FROM airports',
  "SELECT unnest(generate_series(TIMESTAMP '2001-01-01', TIMESTAMP '2001-01-03', INTERVAL '1 day')) AS d",
  'SELECT EXISTS (SELECT 1 FROM airports), (SELECT max(id) FROM flights) FROM (VALUES (1), (2)) v(x)',
];

/** An expression that DuckDB's binder repeats at each level. */
const nested = (before: string, after: string) => `SELECT ${before.repeat(20)}id${after.repeat(20)} FROM flights`;

const hostile: readonly (readonly [sql: string, problem: RegExp])[] = [
  ["SELECT * FROM read_csv('/etc/passwd')", /table function read_csv/],
  ["SELECT * FROM '/etc/passwd'", /not a table/],
  ["SELECT * FROM 'flights.parquet'", /not a table/],
  ["SELECT * FROM read_text('/etc/passwd')", /table function read_text/],
  ["SELECT * FROM glob('/*')", /table function glob/],
  ['SELECT * FROM duckdb_settings()', /table function duckdb_settings/],
  ['SELECT * FROM duckdb_settings', /not a table/],
  ['SELECT * FROM duckdb_databases()', /table function/],
  ['SELECT * FROM sqlite_master', /not a table/],
  ['SELECT * FROM information_schema.tables', /not a table/],
  ['SELECT * FROM "source_flights"."flights"', /not a table/],
  ['SELECT * FROM main.flights', /not a table/],
  ['SELECT * FROM other_deployment', /not a table/],
  ["SELECT * FROM query('SELECT 1')", /table function query/],
  ["SELECT * FROM query_table('flights')", /table function query_table/],
  ['SELECT * FROM range(1000000000)', /table function range/],
  [nested('nullif(', ', 1)'), /nested too deeply/],
  [nested('(', ' BETWEEN 1 AND 2)'), /nested too deeply/],
  ['SELECT unnest(generate_series(1, 1000000000))', /generate_series is allowed only with an interval/],
  ["SELECT getenv('HOME')", /function getenv/],
  ["SELECT current_setting('temp_directory')", /function current_setting/],
  ['SELECT current_database(), current_query()', /function current_/],
  ["SELECT json_deserialize_sql(json_serialize_sql('SELECT 1'))", /function json_deserialize_sql/],
  ["SELECT list_aggregate([1], 'sum')", /function list_aggregate/],
  ["SELECT repeat('x', 1000000000)", /function repeat/],
  ["SELECT lpad('x', 1000000000, 'y')", /function lpad/],
  ['SELECT sleep_ms(60000)', /function sleep_ms/],
  ["SELECT write_log('x')", /function write_log/],
  ['SELECT list_transform([1], x -> x + 1)', /function list_transform|lambda/],
  ['SELECT system.main.upper(origin) FROM flights', /function upper/],
  ["SELECT * FROM flights WHERE origin = (SELECT content FROM read_text('/etc/passwd'))", /read_text/],
  ["SELECT * REPLACE (getenv('HOME') AS id) FROM flights", /getenv/],
  ["SELECT id FROM flights ORDER BY getenv('HOME')", /getenv/],
  ["SELECT id FROM flights LIMIT (SELECT count(*) FROM glob('/*'))", /glob/],
  ["SELECT sum(id) OVER (ORDER BY getenv('HOME')) FROM flights", /getenv/],
  ["SELECT count(*) FILTER (WHERE getenv('HOME') = 'x') FROM flights", /getenv/],
  ["SELECT id FROM flights GROUP BY id, getenv('HOME')", /getenv/],
  ["SELECT id FROM flights QUALIFY row_number() OVER (PARTITION BY getenv('HOME')) = 1", /getenv/],
  ["SELECT id FROM flights JOIN airports a ON getenv('HOME') = 'x'", /getenv/],
  ["SELECT * FROM (VALUES (getenv('HOME')))", /getenv/],
  ["SELECT CASE WHEN id = 1 THEN getenv('HOME') END FROM flights", /getenv/],
  ["SELECT CAST(getenv('HOME') AS VARCHAR)", /getenv/],
  ['WITH duckdb_settings AS (SELECT * FROM duckdb_settings) SELECT * FROM duckdb_settings', /not a table/],
  ['SELECT * FROM (WITH sqlite_master AS (SELECT 1) SELECT 1) x, sqlite_master', /not a table/],
  ['WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r) SELECT * FROM r', /recursive|not a table/],
  ['SELECT 1; SELECT 2', /one statement/],
  ["ATTACH '/tmp/x.db'", /SELECT/],
  ["COPY flights TO '/tmp/x.csv'", /SELECT/],
  ['SET threads = 1', /SELECT/],
  ['INSTALL httpfs', /SELECT/],
  ['LOAD httpfs', /SELECT/],
  ['PRAGMA database_list', /SELECT/],
  ["CALL query('SELECT 1')", /SELECT/],
  ['CREATE TABLE x AS SELECT 1', /SELECT/],
  ['DROP VIEW flights', /SELECT/],
  ['SHOW TABLES', /not allowed/],
  ['DESCRIBE flights', /not allowed/],
  ['SUMMARIZE flights', /not allowed/],
  ['PIVOT flights ON origin USING sum(id)', /not allowed|SELECT/],
  ['SELECT * FROM (PIVOT flights ON id IN (1) USING count(*))', /not allowed/],
  ['SELECT * FROM flights AT (VERSION => 1)', /not a table/],
  ['EXPLAIN SELECT 1', /SELECT/],
  ['SELECT id FROM', /syntax error/],
];

describe('a checked engine', () => {
  it.each(allowed)('runs %s', async sql => {
    const parameters = sql.includes('$1') ? [1] : [];
    await engine.describe(sql, parameters);
    await engine.run(sql, parameters);
  });

  it.each(hostile)('rejects %s before it reaches the engine', async (sql, problem) => {
    const run = vi.spyOn(opened.engine, 'run');
    const others = [vi.spyOn(opened.engine, 'describe'), vi.spyOn(opened.engine, 'stream')];
    for (const method of ['run', 'describe', 'stream'] as const)
      await expect(engine[method](sql, [])).rejects.toThrow(problem);
    for (const other of others) expect(other).not.toHaveBeenCalled();
    for (const [text] of run.mock.calls) expect(text).toContain('json_serialize_sql($1::VARCHAR');
    vi.restoreAllMocks();
  });

  it('checks a statement once', async () => {
    const run = vi.spyOn(opened.engine, 'run');
    const sql = 'SELECT id + 40 FROM flights';
    await engine.run(sql, []);
    await engine.run(sql, []);
    expect(run).toHaveBeenCalledTimes(3);
    vi.restoreAllMocks();
  });

  it('describes a valid statement once', async () => {
    const describeStatement = vi.spyOn(opened.engine, 'describe');
    const sql = 'SELECT id + 41 AS n FROM flights WHERE id = $1';
    const types = await engine.describe(sql, [1]);
    expect(await engine.describe(sql, [1])).toEqual(types);
    expect(describeStatement).toHaveBeenCalledTimes(1);
    for (const _ of [1, 2]) await expect(engine.describe('SELECT missing FROM flights', [])).rejects.toThrow('missing');
    expect(describeStatement).toHaveBeenCalledTimes(3);
    vi.restoreAllMocks();
  });
});
