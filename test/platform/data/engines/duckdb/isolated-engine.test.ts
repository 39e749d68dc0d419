import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ImportedTable, importSource } from '../../../../../src/platform/data/engines/duckdb/import-source.js';
import { IsolatedEngine } from '../../../../../src/platform/data/engines/duckdb/isolated-engine.js';
import type { ServedTable } from '../../../../../src/platform/data/engines/duckdb/serving-instance.js';
import { findSources } from '../../../../../src/platform/data/engines/duckdb/sources.js';
import type { RowStream } from '../../../../../src/platform/data/engines/engine.js';
import { programCommand } from '../../../../program.js';

/** A statement that neither ends nor reacts to an interrupt, because the pattern causes catastrophic backtracking. */
const unresponsive = `SELECT count(*) FROM range(10) AS t(i) WHERE (i || repeat('a', 2000)) ILIKE '${'%a'.repeat(20)}%b'`;
const endless = `SELECT i, 'some more text of a row' FROM range(100000000000) AS t(i)`;
const bounds = { timeoutMs: 120_000 };

const folder = await mkdtemp(join(tmpdir(), 'pa-isolated-'));
const losses: string[] = [];
let tables: readonly ServedTable[] = [await importText('n\n4\n')];

const limits = { threads: 2, memoryLimit: '512MB', spillDirectory: join(folder, 'spill'), spillLimit: '1GB' };
const engine = new IsolatedEngine({
  tables: () => tables,
  limits,
  graceMs: 200,
  pingMs: 300,
  onLoss: loss => losses.push(loss),
});

beforeEach(() => {
  losses.length = 0;
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

async function importText(text: string): Promise<ImportedTable> {
  await writeFile(join(folder, 't.csv'), text);
  const [source] = await findSources(folder);
  if (!source) throw new Error('no source');
  const ownLimits = { threads: 1, memoryLimit: '256MB', spillDirectory: folder, spillLimit: '1GB' };
  return importSource(source, folder, ownLimits);
}

async function readAll(stream: Promise<RowStream>): Promise<string> {
  const pieces: string[] = [];
  for await (const { json } of (await stream).pieces) pieces.push(Buffer.from(json).toString());
  return pieces.join(',');
}

const answer = (sql = 'SELECT n FROM t') => readAll(engine.stream(sql, [], bounds));
const pidOf = ({ pid }: IsolatedEngine): number => pid ?? Number.NaN;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('an isolated engine', () => {
  it('streams, runs and describes like the in-process engine', async () => {
    expect(await answer()).toBe('["4"]');
    expect(await answer('SELECT n FROM t WHERE n = 5')).toBe('');
    const many = JSON.parse(`[${await answer('SELECT i FROM range(50000) AS t(i)')}]`);
    expect(many).toEqual(Array.from({ length: 50_000 }, (_, i) => [String(i)]));
    expect(await engine.run('SELECT n, ? FROM t', ['x'], bounds)).toEqual({ columns: [['4'], ['x']] });
    expect(await engine.describe('SELECT n FROM t', [], bounds)).toEqual(['bigint']);
    await expect(answer(`SELECT 'secret'::INTEGER`)).rejects.toMatchObject({ status: 400, message: /type that the/ });
    await expect(answer(`SELECT * FROM read_text('/etc/passwd')`)).rejects.toThrow(
      'The engine failed: Permission Error',
    );
    await expect(answer('SET threads = 1')).rejects.toThrow('The engine rejected a statement');
  });

  it('receives only the environment variables that it needs', async ({ skip }) => {
    if (process.platform !== 'linux') skip();
    vi.stubEnv('PA_SECRET_KEY', 'hush');
    const other = new IsolatedEngine({
      tables: () => tables,
      limits: { ...limits, spillDirectory: join(folder, 's') },
    });
    onTestFinished(() => other.close());
    await other.run('SELECT 1', [], bounds);
    expect(await readFile(`/proc/${pidOf(other)}/environ`, 'utf8')).not.toMatch(/PA_|hush/);
  });

  it('serves the current tables', async () => {
    const before = pidOf(engine);
    const former = tables;
    tables = [await importText('n\n5\n')];
    expect(await answer()).toBe('["5"]');
    tables = former;
    await engine.refresh();
    expect(await answer()).toBe('["4"]');
    expect(pidOf(engine)).toBe(before);
  });

  it('is replaced if a statement ignores its time limit, and reruns the other statements', async () => {
    const before = pidOf(engine);
    const stuck = engine.stream(unresponsive, [], { timeoutMs: 300 });
    const other = engine.stream(unresponsive, [], { timeoutMs: 2000 });
    const otherEnded = expect(other).rejects.toMatchObject({ status: 400, message: /took too long/ });
    expect(await answer()).toBe('["4"]');
    await expect(stuck).rejects.toMatchObject({ status: 400, message: /took too long/ });
    await vi.waitFor(() => expect(isAlive(before)).toBe(false), { timeout: 60_000 });
    expect(losses[0]).toBe('unresponsive');
    // The statement has reached its own limit in the next process.
    await otherEnded;
    expect(await answer()).toBe('["4"]');
  });

  it('is replaced if a statement ignores its abort', async () => {
    const controller = new AbortController();
    const stuck = engine.run(unresponsive, [], { ...bounds, signal: controller.signal });
    await answer();
    controller.abort();
    await expect(stuck).rejects.toMatchObject({ status: 499 });
    expect(await answer()).toBe('["4"]');
    await vi.waitFor(() => expect(losses).toEqual(['unresponsive']), { timeout: 60_000 });
    expect(await answer()).toBe('["4"]');
  });

  it('is replaced if its process freezes, without an error for the caller', async () => {
    process.kill(pidOf(engine), 'SIGSTOP');
    expect(await answer()).toBe('["4"]');
    expect(losses).toEqual(['frozen']);
  });

  it('fails a stream if its process dies after some rows', async () => {
    const stream = await engine.stream(endless, [], bounds);
    const pieces = stream.pieces[Symbol.asyncIterator]();
    await pieces.next();
    process.kill(pidOf(engine), 'SIGKILL');
    const readOn = async () => {
      while (!(await pieces.next()).done);
    };
    await expect(readOn()).rejects.toMatchObject({ status: 503, message: /try again/ });
    expect(losses).toEqual(['exited']);
    expect(await answer()).toBe('["4"]');
  });

  it('reports a restart if processes die repeatedly', async () => {
    const stuck = engine.stream(unresponsive, [], bounds);
    const ended = expect(stuck).rejects.toMatchObject({ status: 503, message: /restarted/, retryAfter: 1 });
    for (let round = 1; round <= 2; round++) {
      const before = losses.length;
      await answer();
      process.kill(pidOf(engine), 'SIGKILL');
      await vi.waitFor(() => expect(losses.length).toBeGreaterThan(before), { timeout: 60_000 });
    }
    await ended;
    expect(await answer()).toBe('["4"]');
  });

  it('stops running statements on close and rejects new ones', async () => {
    const other = new IsolatedEngine({
      tables: () => tables,
      limits: { ...limits, spillDirectory: join(folder, 'o') },
    });
    const stuck = expect(other.run(unresponsive, [], bounds)).rejects.toMatchObject({ status: 503 });
    await other.run('SELECT 1', [], bounds);
    const pid = pidOf(other);
    await other.close();
    await stuck;
    expect(isAlive(pid)).toBe(false);
    await expect(other.run('SELECT 1', [], bounds)).rejects.toMatchObject({ status: 503 });
  });

  it('stops its process if the parent is killed', async () => {
    const program = programCommand(fileURLToPath(new URL('engine-parent.ts', import.meta.url)));
    const parent = spawn(process.execPath, program, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ENGINE: JSON.stringify({ limits, statement: unresponsive }) },
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000 });
  });
});
