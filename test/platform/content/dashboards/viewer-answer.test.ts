import '../../../../src/contract/messages.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReportSnapshot } from '../../../../src/contract/dashboards.js';
import type { Query } from '../../../../src/contract/query.js';
import { answerForViewer } from '../../../../src/platform/content/dashboards/viewer-answer.js';
import type { CallerData } from '../../../../src/platform/data/caller-data.js';
import fc, { casesAtDepth } from '../../../property.js';
import { hostileQuery } from '../../data/hostile-queries.js';
import { cubeNames, type Json } from '../../data/sound-queries.js';
import { type Server, startShared } from '../../data/tenants.js';

// Every text in a row of the tenant `tenant_a` starts with the name of the tenant. The owner of each answer belongs to
// this tenant.

/** The current time of relative dates, which is in the middle of the rows. */
const now = Date.parse('2024-03-15T12:00:00Z');
const { signal } = new AbortController();
let server: Server;
let viewer: CallerData;

beforeAll(async () => {
  server = await startShared();
  viewer = server.dataOf('tenant_b');
  vi.useFakeTimers({ now, toFake: ['Date'] });
});
afterAll(async () => {
  vi.useRealTimers();
  await server.close();
});

const resolve = async (query: unknown, vegaSpec?: unknown, computed?: unknown) =>
  answerForViewer({ query: Object(query), vegaSpec, computed }, { data: viewer, meta: await viewer.meta(), signal });
/** Returns the report of an answer that the viewer can see. */
async function reportOf(query: unknown, vegaSpec?: unknown, computed?: unknown): Promise<ReportSnapshot> {
  const report = await resolve(query, vegaSpec, computed);
  if (typeof report === 'string') throw new Error(`The answer is ${report}.`);
  return report;
}
const filtersOf = async (filters: object[]) =>
  (await reportOf({ measures: ['orders.count'], filters })).meta?.jsonQuery?.filters;
const rowsOf = async (data: CallerData, query: Query): Promise<string[]> =>
  (await data.load(query, { signal })).rowSet.rows.map(row => JSON.stringify(Object.entries(row).sort())).sort();

describe('the query of an answer for a viewer of another tenant', () => {
  const city = 'orders.city';

  test('keeps members, order, limit and dates, and drops the time zone of the owner', async () => {
    const query = {
      measures: ['orders.count'],
      dimensions: [city],
      segments: ['orders.large'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'month', dateRange: 'from 2024-01-01 to today' }],
      order: { 'orders.count': 'desc' },
      limit: 5,
    };
    const { title, meta, kind } = await reportOf({ ...query, timezone: 'Asia/Kolkata', total: true });
    const kept = { ...query, filters: [], order: [['orders.count', 'desc']] };
    expect({ title, meta, kind }).toEqual({
      title: 'Count · Placed At, City',
      meta: { jsonQuery: kept },
      kind: 'table',
    });
    expect(await reportOf({ measures: ['orders.count'] })).toMatchObject({ kind: 'kpi', title: 'Count' });
  });

  test('contains only those text values that occur in the viewer’s rows, and selects the same rows', async () => {
    const of = (operator: string, ...values: string[]) => ({ member: city, operator, values });
    const none = {
      and: [
        { member: city, operator: 'set' },
        { member: city, operator: 'notSet' },
      ],
    };
    expect(await filtersOf([of('equals', 'tenant_a Rom', 'tenant_b Rom')])).toEqual([of('equals', 'tenant_b Rom')]);
    expect(await filtersOf([of('equals', 'tenant_a Rom')])).toEqual([none]);
    expect(await filtersOf([of('notEquals', 'tenant_a Rom')])).toEqual([]);
    expect(await filtersOf([of('contains', 'B KÖLN')])).toEqual([of('contains', 'B KÖLN')]);
    expect(await filtersOf([of('startsWith', 'our secret plan')])).toEqual([none]);
    expect(await filtersOf([{ or: [of('notContains', 'our plan'), of('equals', 'tenant_b Rom')] }])).toEqual([]);
    expect(await filtersOf([{ or: [of('equals', 'our plan'), of('equals', 'tenant_b Rom')] }])).toEqual([
      { or: [none, of('equals', 'tenant_b Rom')] },
    ]);
  });

  test.each([
    ['a member that the viewer cannot see', { dimensions: ['orders.secret'] }],
    ['an unknown member', { measures: ['ourPlan.isToSell'] }],
    ['text as a number', { filters: [{ member: 'orders.amount', operator: 'gt', values: ['our plan'] }] }],
    ['text as a date', { timeDimensions: [{ dimension: 'orders.placed_at', dateRange: 'our plan for today' }] }],
    ['text as a granularity', { dimensions: ['orders.placed_at.our_plan'] }],
    ['text as a cube', { joinHints: [['orders', 'our_plan']] }],
    ['an order of text', { filters: [{ member: city, operator: 'gt', values: ['our plan'] }] }],
    [
      'too many patterns',
      {
        filters: [{ member: city, operator: 'contains', values: Array.from({ length: 11 }, (_, index) => `${index}`) }],
      },
    ],
  ])('is unavailable with %s', async (_name, part) => {
    expect(await resolve({ measures: ['orders.count'], ...part })).toBe('unavailable');
  });

  test.each([
    { measures: 'x' },
    { query: 'our plan' },
    { measures: ['orders.count'], filters: [{ member: city, operator: 'equals', values: ['x'.repeat(40_000)] }] },
  ])('is missing if it is invalid', async query => {
    expect(await resolve(query)).toBe('noQuery');
  });
});

test('the chart of an answer keeps marks, fields and numbers, and loses titles, orders of values and formats', async () => {
  const field = 'orders\\.city';
  const x = {
    field,
    type: 'nominal',
    title: 'Our plan',
    sort: ['tenant_a Rom'],
    axis: { title: null, format: 'our plan' },
  };
  const y = {
    field: 'orders\\.count',
    type: 'quantitative',
    sort: '-x',
    value: 'crimson',
    scale: { scheme: 'ourplan' },
  };
  const chart = { title: 'Our plan', mark: { type: 'bar', color: '#c00', opacity: 0.5 }, encoding: { x, y } };
  const query = { measures: ['orders.count'], dimensions: ['orders.city'] };
  expect(await reportOf(query, JSON.stringify(chart))).toMatchObject({
    kind: 'vega',
    spec: {
      mark: chart.mark,
      encoding: {
        x: { field, type: 'nominal', axis: { title: null } },
        y: { field: 'orders\\.count', type: 'quantitative', sort: '-x', scale: {} },
      },
    },
  });
  for (const text of ['our plan', JSON.stringify({ mark: 'our plan' }), JSON.stringify({ transform: [] })])
    expect(await reportOf(query, text)).toMatchObject({ kind: 'table' });
});

describe('an answer with computed values', () => {
  const measures = ['orders.count'];
  const february = { dimension: 'orders.placed_at', dateRange: ['2024-02-01', '2024-02-29'] };
  const computed = { kind: 'periods', timeDimension: 'orders.placed_at', offset: { amount: 1, unit: 'month' } };
  const count = { field: 'orders\\.count', type: 'quantitative' };
  const city = { field: 'orders\\.city', type: 'nominal' };

  test('of two periods shows both of them', async () => {
    const query = { measures, dimensions: ['orders.city'], timeDimensions: [february] };
    const period = { field: 'period', type: 'nominal', title: 'Our plan' };
    const spec = { mark: 'bar', encoding: { y: city, x: count, yOffset: period, color: period } };
    const report = await reportOf(query, JSON.stringify(spec), computed);
    const labels = ['Feb 1\u2009–\u200929, 2024', 'Jan 1\u2009–\u200931, 2024'];
    const layers = ['orders\\.count', 'orders\\.count_1_month_ago'].map((field, at) => ({
      encoding: { x: { field }, yOffset: { datum: labels[at] }, color: { datum: labels[at] } },
    }));
    expect(report).toMatchObject({
      kind: 'vega',
      spec: { layer: layers },
      periodComparisons: [{ measure: 'orders.count', offset: { amount: 1, unit: 'month' } }],
    });
    expect(JSON.stringify(report)).not.toContain('Our plan');
    expect(await reportOf(query, undefined, computed)).toMatchObject({
      kind: 'table',
      periodComparisons: [computed].map(({ timeDimension, offset }) => ({
        measure: 'orders.count',
        timeDimension,
        offset,
      })),
    });
    expect(await reportOf({ measures, timeDimensions: [february] }, undefined, computed)).toMatchObject({
      kind: 'kpi',
      spec: { display: 'comparison' },
    });
  });

  test('of shares divides by the sum of the rows', async () => {
    const query = { measures, dimensions: ['orders.city'] };
    const chart = JSON.stringify({
      mark: 'bar',
      encoding: { y: city, x: { field: 'share', type: 'quantitative', axis: { title: null } } },
    });
    const { spec } = await reportOf(query, chart, { kind: 'share' });
    expect(spec).toMatchObject({
      transform: [
        { joinaggregate: [{ op: 'sum', field: 'orders\\.count', as: 'total' }] },
        { calculate: 'datum.total ? datum["orders.count"] / datum.total : null', as: 'share' },
      ],
      encoding: { x: { field: 'share', axis: { format: '.0%' } } },
    });
    expect(await resolve({ ...query, limit: 3 }, chart, { kind: 'share' })).toBe('unavailable');
  });

  test.each([
    ['of an unknown kind', { kind: 'our plan' }],
    ['of a time that the query does not contain', { ...computed, timeDimension: 'our_plan.time' }],
  ])('%s is unavailable', async (_name, part) => {
    expect(await resolve({ measures, timeDimensions: [february] }, undefined, part)).toBe('unavailable');
  });
});

/** Text of the owner that no row contains. */
const privateText = 'PRIVATE';
const words = fc.constantFrom(privateText, `${privateText} plan`, 'tenant_a Rom', 'privately');
const field = fc.constantFrom('orders\\.city', 'orders.count', 'orders\\.placed_at\\.month', `${privateText}.x`);
const optionally = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const channel = optionally({
  // A chart with a field that the query does not return is rejected as a whole.
  field: fc.oneof({ weight: 1, arbitrary: field }, { weight: 9, arbitrary: fc.constant(undefined) }),
  type: fc.constantFrom('nominal', 'quantitative', privateText),
  aggregate: fc.constantFrom('sum', privateText),
  timeUnit: fc.constantFrom('yearmonth', privateText),
  title: words,
  format: words,
  value: fc.oneof(words, fc.constantFrom('#ff0000', 12)),
  sort: fc.oneof(fc.array(words), words, fc.record({ field: field, order: words }), fc.constant('-y')),
  axis: optionally({ title: words, format: words, orient: words, grid: fc.boolean(), values: fc.array(words) }),
  legend: optionally({ title: words, labelExpr: words }),
  scale: optionally({ domain: fc.array(words), scheme: words, type: fc.constantFrom('linear', privateText) }),
  condition: fc.record({ test: words, value: words }),
});
const unit = optionally({
  mark: fc.oneof(
    fc.constantFrom('bar', 'line'),
    optionally({ type: fc.constantFrom('bar', privateText), color: words }),
  ),
  encoding: optionally({ x: channel, y: channel, color: channel, tooltip: fc.array(channel), text: channel }),
});
const spec = fc
  .tuple(
    unit,
    optionally({ title: words, description: words, name: words, data: fc.constant({ values: [{ a: privateText }] }) }),
  )
  .map(([part, frame]) => JSON.stringify({ ...frame, ...part }));

/** Adds text of the owner to a query. The result is often a valid query. */
const withText = (query: unknown): fc.Arbitrary<unknown> =>
  Array.isArray(query)
    ? fc.constant(query)
    : fc
        .record({
          member: fc.constantFrom('orders.city', 'customers.name', 'sales.city', 'orders.amount', 'orders.placed_at'),
          operator: fc.constantFrom('equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'notEndsWith'),
          values: fc.array(words, { minLength: 1, maxLength: 3 }),
        })
        .map(filter => {
          const { filters, ...rest }: Json = Object(query);
          return { ...rest, filters: [...(Array.isArray(filters) ? filters : []), filter] };
        });

/** Whether a query has no row limit. With a limit, the order decides which rows remain. */
const isWhole = ({ limit, offset }: Json) => limit == null && !offset;
const hasText = new RegExp(`tenant_a|${privateText}|privately|secret|vault`, 'i');
const cases = casesAtDepth(4000, 1000);

test('no viewer of another tenant gets text or rows of the owner, for any content of the thread', async () => {
  const outcomes = { ready: 0, charts: 0, compared: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        { weight: 3, arbitrary: hostileQuery },
        { weight: 2, arbitrary: hostileQuery.chain(withText) },
        {
          weight: 2,
          arbitrary: fc.constantFrom(...cubeNames.measures.slice(0, 3)).chain(name => withText({ measures: [name] })),
        },
      ),
      spec,
      async (query, vegaSpec) => {
        const report = await resolve(query, vegaSpec);
        expect(JSON.stringify(report)).not.toMatch(hasText);
        if (typeof report === 'string') return;
        outcomes.ready += 1;
        if (report.spec) outcomes.charts += 1;
        // The text is checked in every case, the rows in every third case.
        if (outcomes.ready % 3 !== 0) return;
        const own = await settled(viewer, report.meta?.jsonQuery ?? {});
        expect(own.join()).not.toContain('tenant_a');
        // The converted query selects the rows that the original query selects for the viewer.
        const { timezone: _zone, responseFormat: _layout, ...original }: Json = Object(query);
        if (own.length === 0 || !isWhole(original)) return;
        outcomes.compared += 1;
        expect(own).toEqual(await settled(viewer, original));
      },
    ),
    { numRuns: cases },
  );
  // The test is meaningful only if each outcome occurs often enough.
  expect(Math.min(...Object.values(outcomes)) > cases / 40 ? 'enough' : outcomes).toBe('enough');
});

/** Returns the sorted rows of a query, or its error. */
async function settled(data: CallerData, query: Query): Promise<string[]> {
  return rowsOf(data, query).catch(error => [String(error)]);
}
