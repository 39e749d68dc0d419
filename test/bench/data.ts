import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Query } from '../../src/contract/query.js';
import { cpuOf, memoryOf } from './chat-streams.js';
import { askChild } from './data-child.js';
import { DataClient, type Sending } from './data-client.js';
import type { Compile } from './data-compile.js';
import { openDashboards } from './data-dashboards.js';
import { BareEngine, compileModel } from './data-engine.js';
import { firstQuery, writeLargeModel } from './data-large-model.js';
import { type Comparison, cachedLatency, compare } from './data-over-engine.js';
import { startPlatform } from './data-platform.js';
import { dashboard, everyKind, tenThousandRows } from './data-queries.js';
import { measureCrowd } from './data-tenants.js';
import { measureThroughput } from './data-throughput.js';
import { type Bench, type BenchOptions, type Figure, median, millis } from './figures.js';
import { root } from './root.js';

const tenants = 20;
/** Number of dashboards per tenant that are opened at the same time. */
const perTenant = 10;
const smallResult = 200;
const model = join(root, 'demo', 'model');
const tables = ['flights', 'airports'];

/** Shared setup of the measurements of one platform. */
interface Setting extends Comparison {
  readonly platformUrl: string;
  readonly pid: number;
  readonly tokens: readonly string[];
  readonly note: BenchOptions['note'];
}

/**
 * Compares the Data API in a separate process on 3 million flights, with real tokens, to the engine in this process.
 */
export const dataFigures: Bench = async function* (options) {
  const { note, onStop, profileDirectory } = options;
  const folder = await mkdtemp(join(tmpdir(), 'pa-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true }));
  const sources = await prepareSources();
  note('data: starting the platform');
  const data = join(folder, 'data');
  const platform = await startPlatform({ model, sources, data, profileDirectory, onStop });
  const engine = await BareEngine.open(join(data, 'duckdb'));
  const airports = await engine.texts(`SELECT origin FROM flights GROUP BY 1 ORDER BY count(*) DESC LIMIT ${tenants}`);
  const tokens: string[] = [];
  for (const airport of airports) tokens.push(await platform.mint(airport));
  const client = new DataClient(platform.url);
  const [airport = '', token = ''] = [airports[0], tokens[0]];
  const compiled = await compileModel({ directory: model, tables });
  const setting = {
    client,
    engine,
    model: compiled,
    airport,
    token,
    tokens,
    platformUrl: platform.url,
    pid: platform.pid,
    note,
  };
  yield* smallResults(setting);
  yield* largeResults(setting);
  yield* manyDashboards(setting);
  yield* cached(setting);
  yield* crowd(setting);
  client.close();
  await platform.stop();
  yield* largeModel(options, { engine, sources, folder, airport });
  engine.close();
};

/** Prepares the demo's data and returns its folder. */
export async function prepareSources(): Promise<string> {
  const path = new URL('../../demo/sources.js', import.meta.url).href;
  const demo: { prepareSources: () => Promise<string> } = await import(path);
  return demo.prepareSources();
}

async function* smallResults(setting: Setting): AsyncGenerator<Figure, void> {
  setting.note('data: small results against the engine');
  const compared = [];
  for (const query of dashboard) compared.push(await compare(setting, query, 15));
  const small = compared.filter(({ rows }) => rows <= smallResult);
  const over = small.map(({ overMs }) => overMs);
  const engineMs = median(small.map(each => each.engineMs));
  yield* [
    {
      what: `/v1/load compared with the engine, ${small.length} queries of at most ${smallResult} rows, median (engine: ${millis(engineMs)})`,
      measured: `+${millis(median(over))}`,
      aim: '+4 ms',
    },
    { what: 'the same, slowest query', measured: `+${millis(Math.max(...over))}`, aim: '' },
  ];
}

async function* largeResults(setting: Setting): AsyncGenerator<Figure, void> {
  setting.note('data: 10,000 rows against the engine');
  for (const [responseFormat, aim] of [['default', 1.5] as const, ['columnar', 1.3] as const]) {
    const query: Query = { ...tenThousandRows, responseFormat };
    const { rows, bytes, loadMs, engineMs, ratio } = await compare(setting, query, 25);
    yield {
      what: `/v1/load, ${rows} rows x 4, ${responseFormat} (${Math.round(bytes / 1000)} kB): ${millis(loadMs)} / engine ${millis(engineMs)}`,
      measured: ratio.toFixed(2),
      aim: String(aim),
    };
  }
}

async function* cached(setting: Setting): AsyncGenerator<Figure, void> {
  const { client, platformUrl, tokens, note } = setting;
  note('data: from the cache');
  const latencies = [];
  for (const query of everyKind) latencies.push(await cachedLatency(setting, query, 200));
  const sendings = tokens.flatMap(token => everyKind.map((query): Sending => ({ token, query, fresh: false })));
  const { platform, bare, meanBytes } = await measureThroughput(client, platformUrl, sendings);
  const rate = ({ perSecond, medianMs, p99Ms, failed }: typeof platform): string =>
    `${Math.round(perSecond)}/s, median ${millis(medianMs)}, p99 ${millis(p99Ms)}, failed ${failed}`;
  yield* [
    { what: 'from the cache, sequential, median', measured: millis(median(latencies)), aim: '2 ms' },
    {
      what: `from the cache, 32 connections, ${sendings.length} responses of ${(meanBytes / 1000).toFixed(1)} kB, including the load generator`,
      measured: rate(platform),
      aim: '3000/s',
    },
    { what: 'the same responses from a bare Hono app, for comparison', measured: rate(bare), aim: '' },
  ];
}

async function* crowd({ client, tokens, note }: Setting): AsyncGenerator<Figure, void> {
  note(`data: ${tokens.length} concurrent tenants`);
  const crowds = [];
  for (let round = 0; round < 3; round++) crowds.push(await measureCrowd(client, tokens));
  const errors = crowds.flatMap(each => each.errors);
  const errorText = errors.length === 0 ? '0' : `${errors.length} (${[...new Set(errors)].join(', ')})`;
  const times = crowds.map(({ medianMs, slowestMs }) => `${millis(slowestMs)} / ${millis(medianMs)}`).join(', ');
  yield* [
    {
      what: `${tokens.length} tenants x ${dashboard.length} concurrent queries, uncached: errors in 3 rounds`,
      measured: errorText,
      aim: '0',
    },
    {
      what: `the same: slowest tenant / median tenant (${times})`,
      measured: median(crowds.map(({ medianMs, slowestMs }) => slowestMs / medianMs)).toFixed(2),
      aim: '2',
    },
  ];
}

/** Opens the dashboards of all tenants at the same time: once with an empty cache, three times with a full one. */
async function* manyDashboards({ client, platformUrl, pid, tokens, note }: Setting): AsyncGenerator<Figure, void> {
  note(`data: ${perTenant * tokens.length} dashboards at the same time`);
  const rounds = [];
  for (let round = 0; round < 4; round++) {
    const cpuBefore = cpuOf(pid);
    const { lastRowsMs, errors } = await openDashboards(client, platformUrl, { tokens, perTenant });
    const sorted = [...lastRowsMs].sort((a, b) => a - b);
    const p95Ms = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
    rounds.push({ p95Ms, errors, cpuMs: cpuOf(pid) - cpuBefore, memory: memoryOf(pid) });
  }
  const [cold, ...warm] = rounds;
  const what = `${perTenant * tokens.length} dashboards of ${tokens.length} tenants with ${dashboard.length} tiles, opened at the same time`;
  yield* [
    {
      what: `${what}: rows of the last tile, p95, from the cache (first round: ${millis(cold?.p95Ms ?? Number.NaN)})`,
      measured: millis(median(warm.map(({ p95Ms }) => p95Ms))),
      aim: '3 s',
    },
    {
      what: 'the same: CPU time of the platform from the cache, per query',
      measured: `${(median(warm.map(({ cpuMs }) => cpuMs)) / (perTenant * tokens.length * dashboard.length)).toFixed(2)} ms`,
      aim: '',
    },
    {
      what: 'the same: errors; memory of the platform after each round',
      measured: `${rounds.flatMap(({ errors }) => errors).length}; ${rounds.map(({ memory }) => `${Math.round(memory ?? 0)} MB`).join(', ')}`,
      aim: '0; constant',
    },
  ];
}

/** Options of the platform with a large model. */
interface LargeModelSetting {
  readonly engine: BareEngine;
  readonly sources: string;
  readonly folder: string;
  readonly airport: string;
}

async function* largeModel(options: BenchOptions, setting: LargeModelSetting): AsyncGenerator<Figure, void> {
  const { engine, sources, folder, airport } = setting;
  const directory = join(folder, 'large-model');
  await writeLargeModel(directory);
  const compiled = await compileModel({ directory, tables });
  const statement = compiled.plan(firstQuery, { airport, platform: { groups: [], userAttributes: {} } }).statement();
  const compileMs: number[] = [];
  const firstMs: number[] = [];
  const engineMs: number[] = [];
  for (let round = 0; round < 3; round++) {
    options.note(`data: a model of 100 cubes, start ${round + 1} of 3`);
    compileMs.push(await askChild<number>('data-compile.ts', { directory, tables } satisfies Compile));
    const platform = await startPlatform({
      model: directory,
      sources,
      data: join(folder, 'data'),
      profileDirectory: null,
      onStop: options.onStop,
    });
    const client = new DataClient(platform.url);
    const token = await platform.mint(airport);
    firstMs.push((await client.rows({ token, query: firstQuery, fresh: true })).ms);
    engineMs.push((await engine.run(statement)).ms);
    client.close();
    await platform.stop();
  }
  const [first, own] = [median(firstMs), median(engineMs)];
  yield* [
    { what: 'compiling a model of 100 cubes and 20 views', measured: millis(median(compileMs)), aim: '5 s' },
    {
      what: `its first query over HTTP (${millis(first)}) compared with the engine (${millis(own)})`,
      measured: `+${millis(first - own)}`,
      aim: '+100 ms',
    },
  ];
}
