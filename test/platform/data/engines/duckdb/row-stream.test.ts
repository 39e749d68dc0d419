import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { importSource } from '../../../../../src/platform/data/engines/duckdb/import-source.js';
import { ServingInstance } from '../../../../../src/platform/data/engines/duckdb/serving-instance.js';
import { findSources } from '../../../../../src/platform/data/engines/duckdb/sources.js';
import type { Engine, RowPiece, RowStream } from '../../../../../src/platform/data/engines/engine.js';
import {
  raise,
  StopReason,
  stoppedProblem,
  ValueProblem,
} from '../../../../../src/platform/data/engines/query-problem.js';
import { PlatformError } from '../../../../../src/platform/errors.js';
import { withFakeTimers } from '../../../../with-fake-timers.js';

type TestEngine = Pick<Engine, 'run' | 'stream' | 'describe' | 'close'>;

let sources: string;
let engines: TestEngine[];

beforeEach(async () => {
  sources = await mkdtemp(join(tmpdir(), 'pa-stream-'));
  await writeFile(join(sources, 't.csv'), 'n\n4\n');
  engines = [];
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(engines.map(engine => engine.close()));
  await rm(sources, { recursive: true });
});

/** Opens an in-process instance for streams. */
async function open({ threads = 2, timeoutMs = 30_000 } = {}): Promise<TestEngine> {
  const limits = { threads, memoryLimit: '512MB', spillDirectory: join(sources, 'spill'), spillLimit: '2GB' };
  const imported = (await findSources(sources)).map(source => importSource(source, sources, limits));
  const instance = await ServingInstance.open(await Promise.all(imported), limits);
  let isClosed = false;
  const bounds = (signal?: AbortSignal) => {
    if (isClosed) throw stoppedProblem(StopReason.closed);
    return { timeoutMs, signal };
  };
  const engine: TestEngine = {
    run: async (sql, parameters, options) => instance.run(sql, parameters, bounds(options?.signal)),
    stream: async (sql, parameters, options) => instance.stream(sql, parameters, bounds(options?.signal)),
    describe: async (sql, parameters) => instance.describe(sql, parameters, bounds()),
    close: () => {
      isClosed = true;
      return instance.close();
    },
  };
  engines.push(engine);
  return engine;
}

function rowsOf({ json, rows }: RowPiece): (string | null)[][] {
  const read = JSON.parse(`[${Buffer.from(json).toString()}]`);
  expect(read).toHaveLength(rows);
  return read;
}

/** Returns all rows, or the rows before the error. */
async function readAll(stream: RowStream): Promise<{ rows: (string | null)[][]; error: unknown }> {
  const rows: (string | null)[][] = [];
  try {
    for await (const piece of stream.pieces) rows.push(...rowsOf(piece));
    return { rows, error: undefined };
  } catch (error) {
    return { rows, error };
  }
}

const problem = (status: number, message: RegExp) =>
  expect.objectContaining({ status, message: expect.stringMatching(message) });

/**
 * Expects that an engine closes immediately. Open resources would block its instance, so it has then released all of
 * them.
 */
async function expectReleased(engine: TestEngine): Promise<void> {
  await engine.close();
}

const endless = 'SELECT i FROM range(100000000000) AS t(i)';

describe('a stream', () => {
  it('formats values of every type', async () => {
    const formats = [
      ['9007199254740993::BIGINT', '9007199254740993'],
      ['170141183460469231731687303715884105727::HUGEINT', '170141183460469231731687303715884105727'],
      ['12.50::DECIMAL(10, 2)', '12.5'],
      ['100.00::DECIMAL(10, 2)', '100'],
      ['100::DECIMAL(10, 0)', '100'],
      ['3.0::DOUBLE', '3'],
      ['-0.25::DOUBLE', '-0.25'],
      ['1e20::DOUBLE', '1e+20'],
      ['0.1::FLOAT', '0.1'],
      [`'nan'::DOUBLE`, 'NaN'],
      [`'inf'::DOUBLE`, 'Infinity'],
      [`'-inf'::FLOAT`, '-Infinity'],
      ['NULL::DOUBLE', null],
      [`'a "b" \\ ✓'`, 'a "b" \\ ✓'],
      [`''`, ''],
      ['NULL', null],
      ['true', 'true'],
      [`DATE '2001-02-03'`, '2001-02-03'],
      [`TIMESTAMP '2001-02-03 04:05:06.789123'`, '2001-02-03T04:05:06.789'],
      [`TIMESTAMP '1969-12-31 23:59:59.9999'`, '1969-12-31T23:59:59.999'],
      [`TIMESTAMPTZ '2001-02-03 04:05:06+02'`, '2001-02-03T02:05:06.000'],
      [`TIMESTAMP_S '2001-02-03 04:05:06'`, '2001-02-03T04:05:06.000'],
      [`'3 days'::INTERVAL`, '3 days'],
    ] as const;
    const engine = await open();
    for (const [value, text] of formats) {
      const { rows, error } = await readAll(await engine.stream(`SELECT ${value} AS a, 1 AS a`, []));
      expect({ value, rows, error }).toEqual({ value, rows: [[text, '1']], error: undefined });
    }
  });

  it('returns every row in order, in pieces', async () => {
    const engine = await open();
    const sql = 'SELECT i, ? FROM range(150000) AS t(i) ORDER BY (i * 7919) % 300007';
    const stream = await engine.stream(sql, ['x']);
    const pieces: RowPiece[] = [];
    for await (const piece of stream.pieces) pieces.push(piece);
    const { columns } = await engine.run('SELECT i FROM range(150000) AS t(i) ORDER BY (i * 7919) % 300007', []);
    expect(pieces.flatMap(piece => rowsOf(piece).map(([i]) => i))).toEqual(columns[0]);
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.min(...pieces.slice(0, -1).map(({ json }) => json.length))).toBeGreaterThanOrEqual(64 * 1024);
  });

  it('has no pieces for an empty result', async () => {
    const engine = await open();
    expect(await readAll(await engine.stream('SELECT n FROM t WHERE n = 5', []))).toEqual({
      rows: [],
      error: undefined,
    });
  });

  it('rejects with errors that occur before the first row', async () => {
    const engine = await open();
    await expect(engine.stream(`SELECT ('x' || i)::INTEGER FROM range(10) AS t(i)`, [])).rejects.toEqual(
      problem(400, /does not have the type that the query requires/),
    );
    await expect(engine.stream('SELECT nothing FROM t', [])).rejects.toThrow(/Binder Error/);
    await expectReleased(engine);
  });

  it.each(["ATTACH 'x.db' AS x", 'SELECT 1; SELECT 2', 'SET threads = 1', `SELECT * FROM read_text('/etc/passwd')`])(
    'never starts %s',
    async sql => {
      const engine = await open();
      await expect(engine.stream(sql, [])).rejects.toThrow();
      await expect(engine.describe(sql, [])).rejects.toThrow();
    },
  );

  it.each([1, 4])('reports an error after the rows before it, with %i threads', async threads => {
    const engine = await open({ threads });
    const sql = `SELECT CASE WHEN i = 200000 THEN ('x' || i)::INTEGER ELSE i END, 'some more text of a row'
      FROM range(400000) AS t(i)`;
    const { rows, error } = await readAll(await engine.stream(sql, []));
    expect(error).toEqual(problem(400, /does not have the type that the query requires/));
    expect(rows.length).toBeGreaterThan(1000);
    expect(rows.length).toBeLessThanOrEqual(200_000);
    expect(rows.every(([i], index) => i === String(index))).toBe(true);
    await expectReleased(engine);
  });

  it('reports values rejected by generated SQL, but not errors that the statement raises', async () => {
    const engine = await open();
    const divisionError = await engine
      .stream(`SELECT ${raise(ValueProblem.division)} FROM t`, [])
      .catch(thrown => thrown);
    expect(divisionError).toEqual(problem(400, /^The query divides by zero\. Exclude/));
    const otherError = await engine.stream(`SELECT error('a value: ' || n) FROM t`, []).catch(thrown => thrown);
    expect(String(otherError)).toMatch(/The engine failed: Invalid Input Error$/);
  });

  it('releases its resources at its end', async () => {
    const engine = await open();
    // Use a few long rows, because each row takes time and a leak is measured in bytes.
    const sorted = `SELECT i, repeat('some text that is long enough ', 30) || i AS t FROM range(30000) AS t(i) ORDER BY hash(i)`;
    const read = async (rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        for await (const { rows } of (await engine.stream(sorted, [])).pieces) expect(rows).toBeGreaterThan(0);
      }
    };
    await read(3);
    const before = process.memoryUsage().rss;
    // Each round sorts 25 MB. With fewer rounds, a leak would be similar to what other tests in this process need.
    const rounds = 8;
    await read(rounds);
    expect(process.memoryUsage().rss - before).toBeLessThan(rounds * 15 * 1024 * 1024);
  });

  it('produces rows on demand', async () => {
    const engine = await open();
    const stream = await engine.stream(endless, []);
    const before = process.memoryUsage().rss;
    const iterator = stream.pieces[Symbol.asyncIterator]();
    for (let piece = 0; piece < 20; piece += 1) await iterator.next();
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    await stream.close();
  });

  it('does not count the time of a slow reader against the time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const engine = await open({ timeoutMs: 60_000 });
    const stream = await engine.stream(endless, []);
    const iterator = stream.pieces[Symbol.asyncIterator]();
    await iterator.next();
    vi.advanceTimersByTime(100_000);
    expect((await iterator.next()).done).toBe(false);
    const { error } = await withFakeTimers(readAll({ ...stream, pieces: { [Symbol.asyncIterator]: () => iterator } }));
    expect(error).toEqual(problem(400, /took too long/));
    await expectReleased(engine);
  });
});

describe('stopping a stream', () => {
  it('works by signal before the first row', async () => {
    const engine = await open();
    const controller = new AbortController();
    const beginning = engine.stream(
      'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1',
      [],
      {
        signal: controller.signal,
      },
    );
    setImmediate(() => controller.abort());
    await expect(beginning).rejects.toEqual(problem(499, /aborted/));
    await expect(engine.stream(endless, [], { signal: controller.signal })).rejects.toEqual(problem(499, /aborted/));
    await expectReleased(engine);
  });

  it('works by signal while nothing is read, and fails the next read', async () => {
    const engine = await open();
    const controller = new AbortController();
    const stream = await engine.stream(endless, [], { signal: controller.signal });
    const iterator = stream.pieces[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort();
    await expect(iterator.next()).rejects.toEqual(problem(499, /aborted/));
    await expectReleased(engine);
  });

  it('works by signal while a piece is produced', async () => {
    const engine = await open();
    const controller = new AbortController();
    const sparse = 'SELECT i FROM range(100000000000) AS t(i) WHERE i < 300000 OR i = 99999999999';
    const stream = await engine.stream(sparse, [], { signal: controller.signal });
    const reading = readAll(stream);
    setTimeout(() => controller.abort(), 50);
    expect((await reading).error).toEqual(problem(499, /aborted/));
    await expectReleased(engine);
  });

  it('works by leaving the loop, and by closing it once or twice', async () => {
    const engine = await open();
    const left = await engine.stream(endless, []);
    for await (const _ of left.pieces) break;
    const closed = await engine.stream(endless, []);
    await Promise.all([closed.close(), closed.close()]);
    const unread = await engine.stream('SELECT n FROM t', []);
    await unread.close();
    expect((await readAll(closed)).error).toEqual(problem(499, /aborted/));
    await expectReleased(engine);
  });

  it('works by closing the engine', async () => {
    const engine = await open();
    const stream = await engine.stream(endless, []);
    const iterator = stream.pieces[Symbol.asyncIterator]();
    await iterator.next();
    await engine.close();
    await expect(iterator.next()).rejects.toEqual(problem(503, /shutting down/));
    await expect(engine.stream(endless, [])).rejects.toBeInstanceOf(PlatformError);
    await expect(engine.describe(endless, [])).rejects.toBeInstanceOf(PlatformError);
  });

  it('leaks no resources after 150 streams', async () => {
    const engine = await open();
    const begin = async () => (await engine.stream(endless, [])).close();
    for (let round = 0; round < 100; round += 1) await begin();
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 150; round += 1) await begin();
    // A leaked statement holds at least a megabyte; memory cached by the allocator is less than half of that.
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    await expectReleased(engine);
  });
});

describe('describe', () => {
  it('returns the type of every kind of value', async () => {
    const types = [
      ['1::TINYINT', 'integer'],
      ['1::INTEGER', 'integer'],
      ['1::UINTEGER', 'bigint'],
      ['1::BIGINT', 'bigint'],
      ['1::UBIGINT', 'numeric'],
      ['1::HUGEINT', 'numeric'],
      ['1.5::DECIMAL(4, 1)', 'numeric'],
      ['1.5::FLOAT', 'double'],
      ['1.5::DOUBLE', 'double'],
      [`'x'`, 'text'],
      [`'x'::ENUM('x')`, 'text'],
      ['uuid()', 'text'],
      ['true', 'boolean'],
      [`DATE '2001-01-01'`, 'date'],
      [`TIMESTAMP '2001-01-01'`, 'timestamp'],
      [`TIMESTAMPTZ '2001-01-01 00:00:00Z'`, 'timestamp'],
      [`TIMESTAMP_NS '2001-01-01'`, 'timestamp'],
      [`'1 day'::INTERVAL`, 'interval'],
      ['[1]', 'other'],
      [`TIME '01:02:03'`, 'other'],
    ] as const;
    const engine = await open();
    for (const [value, type] of types) {
      const described = await engine.describe(`SELECT ${value} AS a, ? AS b, n FROM t WHERE n = ?`, ['x', 4]);
      expect(described, value).toEqual([type, 'text', 'bigint']);
    }
  });

  it('does not run the statement', async () => {
    const engine = await open({ timeoutMs: 5000 });
    const sql = 'SELECT count(*) AS n FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1';
    expect(await engine.describe(sql, [])).toEqual(['bigint']);
  });
});
