import type { Engine, EngineResult } from '../../../src/platform/data/engine.js';
import type { QueryPlan, SecurityContext, SemanticModel } from '../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../src/platform/errors.js';

/** A caller without groups and attributes, but for these keys of the grant. */
export function caller(keys: Record<string, unknown> = {}): SecurityContext {
  return { ...keys, platform: { groups: [], userAttributes: {} } };
}

/** One statement that a fake engine was given; the test says how it ends. */
export interface FakeRun {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly signal: AbortSignal | undefined;
  finish(result?: EngineResult): void;
  fail(error: Error): void;
}

/** An engine whose statements end when the test says so, or on abort. */
export function fakeEngine() {
  const runs: FakeRun[] = [];
  const engine = {
    dataVersion: 'v1',
    lastRefreshTime: new Date('2001-02-03T04:05:06Z'),
    tables: ['t'],
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
    close: async () => {},
  } satisfies Engine;
  return { engine: engine as Omit<typeof engine, 'dataVersion'> & { dataVersion: string }, runs };
}

/** A model of one cube `t`, with the row filter `tenant = ?` of the caller's own tenant. */
export const fakeModel: SemanticModel = {
  version: 'm1',
  rehearsals: () => ['cube', 'view'].map(tenant => fakeModel.plan({}, caller({ tenant }))),
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
