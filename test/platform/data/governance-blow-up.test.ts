import '../../../src/contract/messages.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { compileModel } from '../../../src/platform/data/compile-model.js';
import { dataRoutes } from '../../../src/platform/data/data-routes.js';
import { createDataService } from '../../../src/platform/data/data-service.js';
import { testDepth } from '../../property.js';
import { withFakeTimers } from '../../with-fake-timers.js';
import { caller } from './callers.js';
import { engineUnderTest, inDialect } from './engines/engine-under-test.js';
import { allRowsPolicy } from './model/model-yaml.js';

/** Number of rows of each of two cubes. A join of all their rows has up to 16 trillion pairs. */
const rows = inDialect({ duckdb: 4_000_000, postgres: 100_000 });
/**
 * Time limit of statements, in ms of fake time. Fake time is paused for valid statements, so that they do not time out
 * on a slow machine.
 */
const timeoutMs = 60_000;
/** Real duration of one minute of fake time, during which hostile statements run. */
const minuteMs = inDialect({ duckdb: 1_000, postgres: 700 });

const model = `
cubes:
  - name: left
    sql_table: numbers
    joins:
      - { name: right, sql: "1 = 1", relationship: one_to_many }
    dimensions:
      - { name: n, sql: n, type: number, primary_key: true, public: true }
      - { name: text, sql: text, type: string }
      - { name: pair, sql: "{CUBE}.text || {right.text}", type: string }
      - { name: at, sql: at, type: time }
      - { name: beside, sql: "{right.count}", type: number, sub_query: true }
    measures:
      - { name: count, type: count }
      - { name: total, sql: n, type: sum }
      - { name: texts, sql: text, type: count_distinct }
      - { name: pairs, sql: "{CUBE}.text || {right.text}", type: count_distinct }
      - { name: lately, type: count, rolling_window: { trailing: unbounded } }
    ${allRowsPolicy}
  - name: right
    sql_table: numbers
    dimensions:
      - { name: n, sql: n, type: number, primary_key: true, public: true }
      - { name: text, sql: text, type: string }
    measures:
      - { name: count, type: count }
      - { name: total, sql: n, type: sum }
      - { name: texts, sql: text, type: count_distinct }
    ${allRowsPolicy}
  - name: small
    sql: "SELECT 1 AS n"
    dimensions:
      - { name: n, sql: n, type: number, primary_key: true }
    measures:
      - { name: count, type: count }
    ${allRowsPolicy}
`;

let app: ReturnType<typeof dataRoutes>;
let close: () => Promise<void>;
const failures: unknown[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pa-blow-up-'));
  await writeFile(join(folder, 'model.yml'), model);
  const select = `SELECT range AS n, 'text ' || range AS text, TIMESTAMP '2024-01-01' + INTERVAL (range) SECOND AS at FROM range(${rows})`;
  const opened = await engineUnderTest.current.open({ numbers: select }, timeoutMs);
  const { engine } = opened;
  const current = await compileModel({ directory: folder, dialect: engine.dialect, tables: ['numbers'] });
  await rm(folder, { recursive: true, force: true });
  const service = createDataService({ engine, model: { current }, continueWaitMs: 100 * timeoutMs });
  const authenticate = async () => ({ securityContext: caller() });
  app = dataRoutes({ service, authenticate, onFailure: error => failures.push(error) });
  close = opened.close;
});

afterAll(() => close());

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function load(query: unknown, request: object = {}) {
  const body = JSON.stringify({ query, ...request });
  const response = await app.request('/v1/load', { method: 'POST', body });
  return { status: response.status, body: await response.json() };
}

const both = ['left.text', 'right.text'];
const seconds = (granularity: string) => [
  { dimension: 'left.at', granularity, dateRange: ['2024-01-01', '2024-02-01'] },
];

describe('a statement with excessive time or memory', () => {
  const statements: readonly [string, object][] = [
    ['counts all pairs', { measures: ['right.count'], dimensions: ['left.text'] }],
    ['counts both sides', { measures: ['left.count', 'right.count'] }],
    ['counts distinct pairs', { measures: ['left.pairs'] }],
    ['groups by pairs', { dimensions: both }],
    ['groups by a text of both sides', { dimensions: ['left.pair'] }],
    ['sorts pairs', { dimensions: both, order: { 'right.text': 'desc', 'left.text': 'desc' }, limit: 10 }],
    ['skips nearly all pairs', { dimensions: both, offset: Number.MAX_SAFE_INTEGER, ungrouped: true }],
    ['counts rows of pairs', { dimensions: both, limit: 1, total: true }],
    [
      'filters by an aggregate of all pairs',
      { measures: ['left.count'], filters: [{ member: 'right.total', operator: 'gt', values: ['1'] }] },
    ],
    ['counts pairs for each row', { dimensions: ['left.beside'], measures: ['left.count'] }],
    ['rolls over every second', { measures: ['left.lately'], timeDimensions: seconds('second') }],
    ['rolls over every minute', { measures: ['left.lately', 'left.texts'], timeDimensions: seconds('minute') }],
  ];

  // A quick run tests every third statement.
  const step = testDepth() === 'deep' ? 1 : 3;
  it.each(statements.filter((_, index) => index % step === 0))(
    'that %s returns 400, and other requests succeed in the meantime',
    async (_name, query) => {
      const hostile = Promise.all([load(query), load(query, { cache: 'no-cache' })]);
      const sound = await load({ measures: ['small.count'] }, { cache: 'no-cache' });
      expect(sound).toMatchObject({ status: 200, body: { data: [{ 'small.count': '1' }] } });
      for (const { status, body } of await withFakeTimers(hostile, () => pause(minuteMs / 60))) {
        expect({ status, error: body.error }).toEqual({
          status: 400,
          error: expect.stringMatching(/took too long|memory|spans/),
        });
      }
      expect(failures).toEqual([]);
      expect(await load({ measures: ['left.total'] }, { cache: 'no-cache' })).toMatchObject({
        status: 200,
        body: { data: [{ 'left.total': String((rows * (rows - 1)) / 2) }] },
      });
    },
  );

  it('is answered if a limit makes it small', async () => {
    const { status, body } = await load({ dimensions: both, ungrouped: true, limit: 20, responseFormat: 'compact' });
    expect({ status, rows: body.data.dataset.length }).toEqual({ status: 200, rows: 20 });
  });
});
