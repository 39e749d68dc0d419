import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryOf } from './chat-streams.js';
import { prepareSources } from './data.js';
import { BareEngine } from './data-engine.js';
import { type RunningPlatform, startPlatform } from './data-platform.js';
import { type Bench, type Figure, median, millis } from './figures.js';
import { measureReading } from './sql-reading.js';
import { flightsModel, millionRows, varied } from './sql-statements.js';
import { countRows, readAll, readSlowly, type SqlTarget } from './sql-stream.js';

const rounds = 7;
const slow = { bytesPerSecond: 1_000_000, forMs: 10_000 };

/** Shared setup of the measurements of one platform. */
interface Setting {
  readonly platform: RunningPlatform;
  readonly target: SqlTarget;
  readonly engine: BareEngine;
  readonly note: (text: string) => void;
}

/** Compares semantic SQL in a separate process on 3 million flights to the engine in this process. */
export const sqlFigures: Bench = async function* ({ note, onStop, profileDirectory }) {
  const folder = await mkdtemp(join(tmpdir(), 'pa-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const model = join(folder, 'model');
  await mkdir(model);
  await writeFile(join(model, 'flights.yml'), flightsModel);
  const sources = await prepareSources();
  note('sql: starting the platform');
  const data = join(folder, 'data');
  const platform = await startPlatform({ model, sources, data, profileDirectory, onStop });
  const engine = await BareEngine.open(join(data, 'duckdb'));
  const target = { url: platform.url, token: await platform.mint('LAX') };
  const setting = { platform, target, engine, note };
  yield* largeResults(setting);
  yield* slowReader(setting);
  yield* atOnce(setting);
  engine.close();
  await platform.stop();
  note('sql: reading statements');
  const { medianMs, slowestMs } = await measureReading({ model, sources, workDirectory: join(data, 'duckdb') });
  yield {
    what: `parsing, checking and translating one of ${varied.length} statements, median (slowest: ${millis(slowestMs)})`,
    measured: millis(medianMs),
    aim: '5 ms',
  };
};

async function* largeResults({ platform, target, engine, note }: Setting): AsyncGenerator<Figure, void> {
  note('sql: a million rows');
  for (const statement of varied) await readAll(target, statement);
  const before = memoryOf(platform.pid) ?? Number.NaN;
  const memory = watchMemory(platform.pid);
  const rows = await countRows(target, millionRows.semantic);
  const firsts: number[] = [];
  const totals: number[] = [];
  const bare: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const read = await readAll(target, millionRows.semantic);
    const run = await engine.read({ sql: millionRows.engine, parameters: [] });
    bytes = read.bytes;
    firsts.push(read.firstRowMs);
    totals.push(read.totalMs);
    bare.push(run.ms);
  }
  const { highest } = memory.stop();
  const ratio = median(totals.map((total, index) => total / (bare[index] ?? Number.NaN)));
  const size = `${(rows / 1e6).toFixed(1)} million rows x 5 (${Math.round(bytes / 1e6)} MB)`;
  yield* [
    { what: `/v1/sql, ${size}: first row`, measured: millis(median(firsts)), aim: '250 ms' },
    {
      what: `all rows: ${millis(median(totals))} / engine, reading by column, ${millis(median(bare))}`,
      measured: ratio.toFixed(2),
      aim: '2.5',
    },
    {
      what: `peak memory compared with small responses (${Math.round(before)} MB)`,
      measured: megabytes(highest - before),
      aim: '+150 MB',
    },
  ];
}

async function* slowReader({ platform, target, note }: Setting): AsyncGenerator<Figure, void> {
  note(`sql: a slow reader, ${slow.forMs / 1000} s`);
  const before = memoryOf(platform.pid) ?? Number.NaN;
  const memory = watchMemory(platform.pid);
  const bytes = await readSlowly(target, millionRows.semantic, slow);
  const { highest } = memory.stop();
  yield {
    what: `peak memory while a client reads ${(bytes / slow.forMs / 1000).toFixed(1)} MB/s for ${slow.forMs / 1000} s`,
    measured: megabytes(highest - before),
    aim: 'flat',
  };
}

async function* atOnce({ target, note }: Setting): AsyncGenerator<Figure, void> {
  const statements = varied.slice(0, 20);
  note(`sql: ${statements.length} concurrent statements`);
  const times: number[] = [];
  const errors: string[] = [];
  const read = (statement: string) =>
    readAll(target, statement).then(
      ({ totalMs }) => times.push(totalMs),
      (error: Error) => errors.push(error.message),
    );
  for (let round = 0; round < 3; round++) await Promise.all(statements.map(read));
  yield {
    what: `${statements.length} concurrent statements, uncached, 3 rounds: median (slowest: ${millis(Math.max(...times))}; errors: ${errors.length})`,
    measured: millis(median(times)),
    aim: '',
  };
  for (const error of new Set(errors)) note(`sql: ${error}`);
}

const megabytes = (value: number): string => `${value < 0 ? '' : '+'}${Math.round(value)} MB`;

/** Samples the memory of a process. */
function watchMemory(pid: number): { stop(): { highest: number } } {
  let highest = 0;
  const look = () => {
    highest = Math.max(highest, memoryOf(pid) ?? Number.NaN);
  };
  look();
  const timer = setInterval(look, 20);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { highest };
    },
  };
}
