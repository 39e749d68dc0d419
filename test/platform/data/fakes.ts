import {
  type Engine,
  type EngineResult,
  type RowStream,
  SqlDialect,
} from '../../../src/platform/data/engines/engine.js';
import type { QueryPlan, SemanticModel, SqlPlan } from '../../../src/platform/data/semantic-model.js';
import { SqlType } from '../../../src/platform/data/sql/sql-type.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { tenantCaller } from './callers.js';

/** A statement of a fake engine, resolved by the test. */
export interface FakeRun {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly signal: AbortSignal | undefined;
  finish(result?: EngineResult): void;
  fail(error: Error): void;
}

/** A stream of a fake engine, controlled by the test. */
export interface FakeStream {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly signal: AbortSignal | undefined;
  /** Number of requested pieces after the first. */
  requested: number;
  closed: boolean;
  /** Resolves with the first rows. Later pieces are read on demand; an error ends the stream. */
  begin(pieces: Iterable<string | Error> | AsyncIterable<string | Error>): void;
  fail(error: Error): void;
}

/** Returns an engine whose statements are resolved by the test, or rejected on abort. */
export function fakeEngine() {
  const runs: FakeRun[] = [];
  const streams: FakeStream[] = [];
  const engine = {
    dialect: SqlDialect.duckdb,
    dataVersion: 'v1',
    lastRefreshTime: new Date('2001-02-03T04:05:06Z'),
    tables: ['t'],
    isolatesStreams: false,
    run: (sql, parameters, options) =>
      new Promise((resolve, reject) => {
        const { signal } = options ?? {};
        signal?.addEventListener('abort', () => reject(new PlatformError(499, 'The request was aborted.')));
        runs.push({
          sql,
          parameters,
          signal,
          finish: (result = { columns: [['x'], ['1']] }) => resolve(result),
          fail: reject,
        });
      }),
    describe: async () => [],
    stream: (sql, parameters, options) =>
      new Promise((resolve, reject) => {
        const { signal } = options ?? {};
        signal?.addEventListener('abort', () => reject(new PlatformError(499, 'The request was aborted.')));
        const stream: FakeStream = {
          sql,
          parameters,
          signal,
          requested: 0,
          closed: false,
          begin: pieces => resolve(rowStream(stream, pieces)),
          fail: reject,
        };
        streams.push(stream);
      }),
    close: async () => {},
  } satisfies Engine;
  return { engine: engine as Omit<typeof engine, 'dataVersion'> & { dataVersion: string }, runs, streams };
}

function rowStream(stream: FakeStream, pieces: Parameters<FakeStream['begin']>[0]): RowStream {
  async function* read() {
    for await (const piece of pieces) {
      stream.requested += 1;
      if (piece instanceof Error) throw piece;
      yield { rows: JSON.parse(`[${piece}]`).length, json: Buffer.from(piece) };
    }
  }
  const close = async () => {
    stream.closed = true;
  };
  return { pieces: read(), close };
}

/** A model with one cube `t`, whose row filter is `tenant = ?` of the caller. */
export const fakeModel: SemanticModel = {
  version: 'm1',
  rehearsals: () => ['cube', 'view'].map(tenant => fakeModel.plan({}, tenantCaller(tenant))),
  plan(query, context): QueryPlan {
    if (query.measures?.includes('t.hidden')) throw new PlatformError(400, 'unknown member t.hidden');
    if (query.measures?.includes('t.broken')) throw new TypeError('secret detail');
    return {
      key: JSON.stringify([query, context.tenant]),
      statement: () => ({
        sql: 'SELECT name, count(*) FROM t WHERE tenant = ?',
        parameters: [String(context.tenant)],
      }),
      totalStatement: () => ({
        sql: 'SELECT count(*) FROM t WHERE tenant = ?',
        parameters: [String(context.tenant)],
      }),
      columns: [
        { member: 't.name', kind: 'dimension' },
        { member: 't.count', kind: 'measure' },
      ],
      annotation: { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} },
      query: { ...query, limit: 10_000, timezone: 'UTC' },
    };
  },
  async planSql({ text, timezone }, context): Promise<SqlPlan> {
    if (text.includes('hidden')) throw new PlatformError(400, 'unknown column hidden (line 1, column 8).');
    if (text.includes('broken')) throw new TypeError('secret detail');
    return {
      key: JSON.stringify([text, timezone, context.tenant]),
      columns: [
        { name: 'name', type: SqlType.text, member: 't.name' },
        { name: 'count', type: SqlType.bigint, member: 't.count', format: 'number' },
      ],
      statement: () => ({
        sql: `${text} WHERE tenant = ?`,
        parameters: [String(context.tenant)],
      }),
    };
  },
  async convertSql(text) {
    if (text.includes('hidden')) throw new PlatformError(400, 'unknown column hidden (line 1, column 8).');
    return { query: { measures: ['t.count'] }, columns: { count: 't.count' }, aliases: [] };
  },
  meta: () => ({
    cubes: [
      {
        name: 't',
        title: 'T',
        type: 'cube',
        measures: [{ name: 't.count', title: 'Count', shortTitle: 'Count', type: 'number' }],
        dimensions: [{ name: 't.name', title: 'Name', shortTitle: 'Name', type: 'string' }],
        segments: [],
      },
      { name: 'empty', title: 'Empty', type: 'cube', measures: [], dimensions: [], segments: [] },
    ],
  }),
};
