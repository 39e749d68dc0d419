import type { Query } from '../../src/contract/query.js';
import type { SemanticModel } from '../../src/platform/data/semantic-model.js';
import type { DataClient } from './data-client.js';
import type { BareEngine } from './data-engine.js';
import { median } from './figures.js';

/** The compared clients: one tenant's queries over HTTP and directly in the engine. */
export interface Comparison {
  readonly client: DataClient;
  readonly engine: BareEngine;
  readonly model: SemanticModel;
  readonly airport: string;
  readonly token: string;
}

/** Medians of one query. */
export interface Compared {
  readonly rows: number;
  readonly bytes: number;
  readonly loadMs: number;
  readonly engineMs: number;
  /** Median difference of consecutive pairs, so that other load on the machine affects both. */
  readonly overMs: number;
  readonly ratio: number;
}

/** Runs a query alternately over HTTP (request to last byte of the response) and directly in the engine. */
export async function compare(comparison: Comparison, query: Query, rounds: number): Promise<Compared> {
  const { client, engine, model, airport, token } = comparison;
  const statement = model.plan(query, { airport, platform: { groups: [], userAttributes: {} } }).statement();
  const loads: number[] = [];
  const runs: number[] = [];
  const warmUp = 5;
  let [rows, bytes] = [0, 0];
  for (let round = 0; round < rounds + warmUp; round++) {
    const answer = await client.rows({ token, query, fresh: true });
    const run = await engine.run(statement);
    [rows, bytes] = [run.rows, answer.body.length];
    if (round < warmUp) continue;
    loads.push(answer.ms);
    runs.push(run.ms);
  }
  const pairs = loads.map((load, index): [number, number] => [load, runs[index] ?? Number.NaN]);
  return {
    rows,
    bytes,
    loadMs: median(loads),
    engineMs: median(runs),
    overMs: median(pairs.map(([load, run]) => load - run)),
    ratio: median(pairs.map(([load, run]) => load / run)),
  };
}

/** Measures the latency of a cached query with sequential requests. */
export async function cachedLatency({ client, token }: Comparison, query: Query, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push((await client.rows({ token, query, fresh: false })).ms);
  return median(times);
}
