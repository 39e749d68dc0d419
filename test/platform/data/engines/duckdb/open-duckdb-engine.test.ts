import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type DuckDbEngineOptions,
  openDuckDbEngine,
} from '../../../../../src/platform/data/engines/duckdb/open-duckdb-engine.js';
import type { Engine } from '../../../../../src/platform/data/engines/engine.js';
import { eventually } from '../../../../eventually.js';
import { writeParquet } from './parquet.js';

let root: string;
let sources: string;
let engines: Engine[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pa-engine-test-'));
  sources = join(root, 'sources');
  await mkdir(sources);
  engines = [];
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(engines.map(engine => engine.close()));
  await rm(root, { recursive: true });
});

async function open(options: Partial<DuckDbEngineOptions> = {}): Promise<Engine> {
  const engine = await openDuckDbEngine({ sources, threads: 1, memoryLimit: '256MB', pollMs: 10, ...options });
  engines.push(engine);
  return engine;
}

async function scalar(engine: Engine, sql: string): Promise<unknown> {
  return (await engine.run(sql, [])).columns[0]?.[0];
}

/** A statement that runs until it is stopped. */
const endless = 'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1';

describe('sources', () => {
  it('serves each data file as a table of the same name', async () => {
    await writeParquet(join(sources, 'flights.parquet'), 'SELECT 3 AS n');
    await writeFile(join(sources, 'airports.csv'), 'n\n4\n');
    await writeFile(join(sources, 'zones.json'), '[{"n": 5}]');
    await writeFile(join(sources, '.hidden.csv'), '');
    await writeFile(join(sources, 'README.md'), '');
    const engine = await open();
    expect(engine.tables).toEqual(['airports', 'flights', 'zones']);
    expect(await scalar(engine, 'SELECT n FROM flights')).toBe('3');
  });

  it.each([
    ['flights.csv.gz', /flights\.csv\.gz is compressed\. Decompress it/],
    ['broken.json', /broken\.json has invalid JSON in object 1/],
    ['broken.parquet', /broken\.parquet cannot be imported: check that it is a complete Parquet file/],
  ])('rejects %s with a message that says how to fix it', async (name, message) => {
    await writeFile(join(sources, name), 'no data');
    await expect(open()).rejects.toThrow(message);
  });

  it('skips files whose names are not valid table names, with one warning for each', async () => {
    await writeFile(join(sources, 'airports.csv'), 'n\n4\n');
    await writeFile(join(sources, 'My Flights.csv'), 'n\n4\n');
    const onProblem = vi.fn<(message: string) => void>();
    const engine = await open({ onProblem });
    expect(engine.tables).toEqual(['airports']);
    const warning = (name: string, table: string) =>
      `Skipped the source "${name}": its name is not a valid table name. Rename it to ${table}.`;
    expect(onProblem.mock.calls).toEqual([[warning('My Flights.csv', 'my_flights.csv')]]);
    await writeFile(join(sources, '2001.csv'), 'n\n4\n');
    await eventually(() => expect(onProblem).toHaveBeenCalledTimes(2));
    expect(onProblem).toHaveBeenLastCalledWith(warning('2001.csv', '_2001.csv'));
    await rm(join(sources, 'My Flights.csv'));
    await writeFile(join(sources, 'Ä.csv'), 'n\n4\n');
    await eventually(() => expect(onProblem).toHaveBeenCalledTimes(3));
    expect(engine.tables).toEqual(['airports']);
  });

  it('rejects a missing folder, a file instead of a folder, and two files of one table', async () => {
    await expect(open({ sources: join(root, 'nowhere') })).rejects.toThrow(
      /Could not read the sources folder .*\. Check that it exists/,
    );
    await mkdir(join(sources, 'a.parquet'));
    await expect(open()).rejects.toThrow(/a\.parquet is not a file/);
    await rm(join(sources, 'a.parquet'), { recursive: true });
    await writeParquet(join(sources, 'a.parquet'), 'SELECT 1 AS n');
    await writeParquet(join(sources, 'a.PARQUET'), 'SELECT 1 AS n');
    await expect(open()).rejects.toThrow(/Both a\.PARQUET and a\.parquet name the table a\. Rename/);
    await rm(join(sources, 'a.PARQUET'));
    await writeFile(join(sources, 'a.csv'), 'n\n1\n');
    await expect(open()).rejects.toThrow(/Both a\.csv and a\.parquet name the table a\. Rename/);
  });

  it('reads files of a folder with quotes and wildcards in its name', async () => {
    const odd = join(root, "it's [a] *");
    await mkdir(odd);
    await writeParquet(join(odd, 't.parquet'), 'SELECT 1 AS n');
    expect(await scalar(await open({ sources: odd }), 'SELECT n FROM t')).toBe('1');
  });

  it('leaves no files behind without a work folder', async () => {
    vi.stubEnv('TMPDIR', root);
    await writeParquet(join(sources, 't.parquet'), 'SELECT 1 AS n');
    const engine = await open();
    expect(await readdir(root)).toHaveLength(2);
    await engine.close();
    expect(await readdir(root)).toEqual(['sources']);
    await expect(open({ sources: join(root, 'nowhere') })).rejects.toThrow();
    expect(await readdir(root)).toEqual(['sources']);
  });
});

describe('the work folder', () => {
  const work = () => join(root, 'work');

  it('caches imports and their time for the next start', async () => {
    await writeParquet(join(sources, 't.parquet'), 'SELECT 1 AS n');
    const first = await open({ workDirectory: work() });
    const { lastRefreshTime, dataVersion } = first;
    await first.close();
    const [file = ''] = await readdir(work());
    const { ino } = await stat(join(work(), file));
    const second = await open({ workDirectory: work() });
    expect((await stat(join(work(), file))).ino).toBe(ino);
    expect(second.lastRefreshTime).toEqual(lastRefreshTime);
    expect(second.dataVersion).toBe(dataVersion);
  });

  it('can be shared by engines that start concurrently', async () => {
    await writeParquet(join(sources, 't.parquet'), 'SELECT range AS n FROM range(200000)');
    const both = await Promise.all([open({ workDirectory: work() }), open({ workDirectory: work() })]);
    for (const engine of both) expect(await scalar(engine, 'SELECT sum(n) FROM t')).toBe('19999900000');
    expect(await readdir(work())).toHaveLength(1);
  });

  it('is imported again if an import is damaged', async () => {
    await writeParquet(join(sources, 't.parquet'), 'SELECT 1 AS n');
    await (await open({ workDirectory: work() })).close();
    const [file = ''] = await readdir(work());
    await writeFile(join(work(), file), 'cut short');
    expect(await scalar(await open({ workDirectory: work() }), 'SELECT n FROM t')).toBe('1');
  });

  it('drops outdated imports and abandoned partial imports, but keeps recent ones', async () => {
    await writeParquet(join(sources, 't.parquet'), 'SELECT 1 AS n');
    await (await open({ workDirectory: work() })).close();
    await replace('t', 'SELECT 2 AS n');
    await writeFile(join(work(), 'old.partial'), '');
    await utimes(join(work(), 'old.partial'), 0, 0);
    await writeFile(join(work(), 'new.partial'), '');
    await open({ workDirectory: work() });
    expect((await readdir(work())).sort()).toEqual(['new.partial', expect.stringMatching(/^t\..*\.duckdb$/)]);
  });
});

async function replace(table: string, select: string): Promise<void> {
  await writeParquet(join(root, 'next.parquet'), select);
  await rename(join(root, 'next.parquet'), join(sources, `${table}.parquet`));
}

describe('a change to the sources', () => {
  it('is imported without downtime', async () => {
    await replace('t', 'SELECT 1 AS n');
    const engine = await open();
    const { dataVersion } = engine;
    const seen = new Set([await scalar(engine, 'SELECT n FROM t')]);
    await replace('t', 'SELECT 2 AS n');
    await eventually(async () => {
      seen.add(await scalar(engine, 'SELECT n FROM t'));
      expect(engine.dataVersion).not.toBe(dataVersion);
    });
    seen.add(await scalar(engine, 'SELECT n FROM t'));
    expect([...seen]).toEqual(['1', '2']);
  });

  it('lets a running statement finish on the previous data', async () => {
    await replace('t', 'SELECT range AS n FROM range(3000)');
    const engine = await open();
    const { dataVersion } = engine;
    const slow = scalar(engine, 'SELECT count(*) FROM t a, t b, t c WHERE a.n + b.n + c.n % 7 = 5000 AND c.n < 12');
    await replace('t', 'SELECT 1 AS n');
    await eventually(() => expect(engine.dataVersion).not.toBe(dataVersion));
    expect(Number(await slow)).toBeGreaterThan(1000);
  });

  it('is imported for text files after a moment without writes', async () => {
    await writeFile(join(sources, 't.csv'), 'n\n1\n');
    const engine = await open();
    // Use fake time, so that a pause of the machine does not count as time without writes.
    const moment = new Date();
    vi.setSystemTime(moment);
    const seen = new Set<unknown>();
    for (let lines = 2; lines <= 50; lines += 1) {
      await writeFile(join(root, 't.csv'), `n\n${'2\n'.repeat(lines)}`);
      await utimes(join(root, 't.csv'), moment, moment);
      await rename(join(root, 't.csv'), join(sources, 't.csv'));
      seen.add(await scalar(engine, 'SELECT count(*) FROM t'));
      await pause(20);
    }
    expect([...seen]).toEqual(['1']);
    vi.setSystemTime(moment.getTime() + 2_000);
    await eventually(async () => expect(await scalar(engine, 'SELECT count(*) > 40 FROM t')).toBe(true));
  });

  it('replaces a table when a complete file is moved over it', async () => {
    await replace('t', 'SELECT 1 AS n');
    const engine = await open();
    await writeFile(join(root, 't.csv'), 'n\n2\n');
    await utimes(join(root, 't.csv'), 1, 1);
    await rm(join(sources, 't.parquet'));
    await rename(join(root, 't.csv'), join(sources, 't.csv'));
    await eventually(async () => expect(await scalar(engine, 'SELECT n FROM t')).toBe('2'));
  });

  it('adds a new table', async () => {
    const engine = await open();
    expect(engine.tables).toEqual([]);
    await replace('t', 'SELECT 1 AS n');
    await eventually(() => expect(engine.tables).toEqual(['t']));
  });

  it('keeps the data of broken and missing files, and reports each once', async () => {
    await replace('t', 'SELECT 1 AS n');
    const onProblem = vi.fn();
    const engine = await open({ onProblem });
    const { dataVersion } = engine;
    await writeFile(join(sources, 't.parquet'), 'broken');
    await eventually(() => expect(onProblem).toHaveBeenCalled());
    await rm(join(sources, 't.parquet'));
    await replace('u', 'SELECT 2 AS n');
    await eventually(() => expect(engine.tables).toContain('u'));
    expect(await scalar(engine, 'SELECT n FROM t')).toBe('1');
    expect(engine.dataVersion).not.toBe(dataVersion);
    expect(onProblem.mock.calls).toEqual([
      [expect.stringContaining('t.parquet cannot be imported')],
      [expect.stringContaining('The source of the table t was removed')],
    ]);
  });
});

describe('security and limits', () => {
  let engine: Engine;
  beforeEach(async () => {
    await writeParquet(join(sources, 't.parquet'), 'SELECT 1 AS n');
    await writeFile(join(root, 'secret.txt'), 'secret');
    engine = await open();
  });

  it('block statements that read or change more than rows of tables', async () => {
    const statements = [
      `SELECT * FROM read_text('ROOT/secret.txt')`,
      `SELECT * FROM read_csv('/etc/passwd')`,
      `SELECT * FROM '/etc/passwd'`,
      `SELECT * FROM read_parquet('ROOT/sources/t.parquet')`,
      `SELECT * FROM glob('/*')`,
      `SELECT * FROM read_text('https://127.0.0.1:1/')`,
      `SELECT * FROM query('ATTACH ''ROOT/x.duckdb''')`,
      `COPY (SELECT 1) TO 'ROOT/out.csv'`,
      `ATTACH 'ROOT/x.duckdb'`,
      'INSTALL httpfs',
      'LOAD httpfs',
      'SET threads = 8',
      'SET enable_external_access = true',
      'PRAGMA threads = 8',
      'PRAGMA enable_profiling',
      'CREATE TABLE x (n INTEGER)',
      'CREATE OR REPLACE VIEW t AS SELECT 2 AS n',
      'DROP VIEW t',
      'DELETE FROM source_t.t',
      'SELECT 1; SELECT 2',
      '',
    ];
    for (const statement of statements) {
      const run = engine.run(statement.replaceAll('ROOT', root), []);
      await expect(run, statement).rejects.toMatchObject({
        name: 'LoggableError',
        message: expect.stringMatching(/^The engine (rejected|failed)/),
      });
      expect(await scalar(engine, 'SELECT n FROM t'), statement).toBe('1');
      expect((await readdir(root)).sort(), statement).toEqual(['secret.txt', 'sources']);
    }
  });

  it('stop a statement at its time limit', async () => {
    const hasty = await open({ timeoutMs: 50 });
    await expect(hasty.run(endless, [])).rejects.toMatchObject({ status: 400, message: /took too long/ });
  });

  it('stop a statement at the memory limit and serve the next one', async () => {
    await expect(scalar(engine, 'SELECT list(range) FROM range(200000000)')).rejects.toMatchObject({
      status: 400,
      message: /too much memory/,
    });
    expect(await scalar(engine, 'SELECT n FROM t')).toBe('1');
  });

  it('stop expensive joins while others are served', async () => {
    await writeParquet(join(sources, 'flights.parquet'), 'SELECT range AS n FROM range(3000000)');
    const large = await open({ timeoutMs: 3000 });
    const join3m = large.run('SELECT count(*) FROM flights a, flights b WHERE a.n + b.n = -1', []);
    const text = large.run(`SELECT string_agg(a.n::VARCHAR, ',') FROM flights a, flights b`, []);
    const ends = Promise.allSettled([join3m, text]);
    for (let round = 0; round < 20; round++) {
      expect(await scalar(large, 'SELECT max(n) FROM flights')).toBe('2999999');
    }
    const refused = { status: 400, message: expect.stringMatching(/took too long|too much memory/) };
    expect(await ends).toMatchObject([
      { status: 'rejected', reason: refused },
      { status: 'rejected', reason: refused },
    ]);
    expect(await scalar(large, 'SELECT max(n) FROM flights')).toBe('2999999');
  });

  it('stop a statement at the disk limit', async () => {
    const narrow = await open({ memoryLimit: '64MB', spillLimit: '32MB' });
    const groups =
      'SELECT count(*), max(n) FROM (SELECT md5(range::VARCHAR), count(*) AS n FROM range(5000000) GROUP BY 1)';
    await expect(narrow.run(groups, [])).rejects.toMatchObject({ status: 400, message: /too much memory/ });
    expect(await scalar(narrow, 'SELECT n FROM t')).toBe('1');
  });

  it.each([{ memoryLimit: 'much' }, { spillLimit: '5' }])('reject %j, which is not a size', async limits => {
    await expect(open(limits)).rejects.toThrow(/must be a size like 2GB/);
  });

  it('stop a result that is too large', async () => {
    const large = open({ memoryLimit: '1GB' });
    await expect(scalar(await large, `SELECT lpad('', 100000, 'x') || range FROM range(1000)`)).rejects.toMatchObject({
      status: 400,
      message: /result is too large/,
    });
  });

  it('never quote a value in errors', async () => {
    const error = await engine.run(`SELECT ?::INTEGER`, ['hunter2']).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('Check the values of its filters') });
    expect(String(error)).not.toContain('hunter2');
  });
});

describe('run', () => {
  it('binds values of every type, including hostile ones', async () => {
    const engine = await open();
    const hostile = `'; DROP VIEW t; -- \0 \\ é 😀`;
    const { columns } = await engine.run('SELECT ?, ?, ?, ?, ?', [hostile, 9007199254740991, 0.5, true, null]);
    expect(columns).toEqual([[hostile], ['9007199254740991'], ['0.5'], [true], [null]]);
    await expect(engine.run('SELECT ?', [])).rejects.toThrow(/requires 1 values, but received 0/);
  });

  it('stops immediately when the signal aborts', async () => {
    const engine = await open();
    const controller = new AbortController();
    const running = engine.run(endless, [], { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ status: 499 });
    await expect(engine.run('SELECT 1', [], { signal: controller.signal })).rejects.toMatchObject({ status: 499 });
    expect(await scalar(engine, 'SELECT 1')).toBe('1');
  });

  it('releases the resources of a thousand stopped statements', async () => {
    const engine = await open();
    await scalar(engine, 'SELECT 1');
    const opened = vi.spyOn(DuckDBInstance.prototype, 'connect');
    const closed = vi.spyOn(DuckDBConnection.prototype, 'closeSync');
    const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;
    const before = timers();
    const outcomes: unknown[] = [];
    for (let batch = 0; batch < 100; batch++) {
      const controllers = Array.from({ length: 10 }, () => new AbortController());
      const ends = Promise.allSettled(controllers.map(({ signal }) => engine.run(endless, [], { signal })));
      // Some are stopped before they connect, others while they connect, prepare or run.
      for (const controller of controllers) {
        controller.abort();
        if (batch % 3 > 0) await turn();
      }
      outcomes.push(...(await ends));
    }
    expect(outcomes).toHaveLength(1000);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 499 } });
    expect(closed.mock.calls.length).toBe(opened.mock.calls.length);
    expect(timers()).toBeLessThanOrEqual(before);
    expect(await scalar(engine, 'SELECT 1')).toBe('1');
  });

  it('stops running statements on close and rejects new ones', async () => {
    const engine = await open();
    const running = expect(engine.run(endless, [])).rejects.toMatchObject({ status: 503 });
    await Promise.all([engine.close(), engine.close()]);
    await running;
    await expect(engine.run('SELECT 1', [])).rejects.toMatchObject({ status: 503 });
  });

  it('reads and returns times in UTC, regardless of the time zone of the server', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    await writeParquet(join(sources, 't.parquet'), `SELECT TIMESTAMPTZ '2001-02-03 04:05:06+00' AS moment`);
    await writeFile(join(sources, 'u.csv'), 'moment\n2001-02-03 04:05:06\n2001-02-03 04:05:06Z\n');
    const engine = await open();
    expect(await scalar(engine, 'SELECT moment::TIMESTAMP FROM t')).toBe('2001-02-03T04:05:06.000');
    expect(await scalar(engine, `SELECT date_trunc('day', moment) FROM t`)).toBe('2001-02-03T00:00:00.000');
    expect(await scalar(engine, `SELECT count(*) FROM u WHERE moment = TIMESTAMP '2001-02-03 04:05:06'`)).toBe('2');
  });

  it('fails completely if the statement fails after some rows', async () => {
    await writeParquet(
      join(sources, 't.parquet'),
      `SELECT if(range = 99999, 'x', range::VARCHAR) AS s FROM range(100000)`,
    );
    await expect((await open()).run('SELECT s::INTEGER FROM t', [])).rejects.toMatchObject({ status: 400 });
  });
});
