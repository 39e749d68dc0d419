import { describe, expect, it } from 'vitest';
import { PaAbortError } from '../../../src/client/errors.js';
import type { SessionSource } from '../../../src/client/session/session-status.js';
import type { ReportSnapshot } from '../../../src/contract/dashboards.js';
import type { Row } from '../../../src/contract/data.js';
import type { MetaResponse } from '../../../src/contract/meta.js';
import type { Query } from '../../../src/contract/query.js';
import type { RowSet } from '../../../src/contract/row-set.js';
import { reportSourceOf } from '../../../src/controllers/report/report-source.js';
import { requestWithChoices } from '../../../src/report/controls/control-state.js';
import { loadReportData } from '../../../src/report/query/load-report-data.js';
import { groupKey, type ReportData } from '../../../src/report/query/report-data.js';
import { snapshotRequest } from '../../../src/report/query/report-request.js';
import { columnOf, rowSetOf } from '../../report/fixtures.js';

const measure = (name: string, aggType: string, others: object = {}) => ({
  name,
  title: name,
  shortTitle: name,
  type: 'number',
  aggType,
  ...others,
});
const model: MetaResponse = {
  cubes: [
    {
      name: 'o',
      title: 'o',
      type: 'cube',
      measures: [
        measure('o.count', 'count'),
        measure('o.sum', 'sum'),
        measure('o.least', 'min'),
        measure('o.who', 'countDistinct'),
        measure('o.rolling', 'sum', { cumulative: true }),
      ],
      dimensions: [],
      segments: [],
    },
  ],
};

interface Asked {
  readonly queries: Query[];
  readonly signals: (AbortSignal | undefined)[];
  metas: number;
}

/** Returns a session that answers queries with `answer`, which receives the number of previous queries. */
function sessionOf(
  answer: (query: Query, place: number) => RowSet,
  meta: () => Promise<MetaResponse> = async () => model,
) {
  const asked: Asked = { queries: [], signals: [], metas: 0 };
  const session: Pick<SessionSource, 'load' | 'meta'> = {
    load: async (query, { signal } = {}) => {
      asked.signals.push(signal);
      return answer(query, asked.queries.push(query) - 1);
    },
    meta: () => {
      asked.metas += 1;
      return meta();
    },
  };
  return { session: session as SessionSource, asked };
}

async function load(
  { session }: { session: SessionSource },
  snapshot: Partial<ReportSnapshot>,
  signal = new AbortController().signal,
): Promise<ReportData> {
  const request = snapshotRequest({ id: 1, reportId: 1, versionNumber: 1, kind: 'table', ...snapshot });
  if (request?.kind !== 'load') throw new Error('there is no query');
  return loadReportData(reportSourceOf(session, signal), request, session.load(request.query, { signal }));
}

const showTotals = { spec: { showTotals: true } };
const queryOf = (measures: string[], others: Query = {}): Partial<ReportSnapshot> => ({
  meta: { jsonQuery: { measures, dimensions: ['o.state'], ...others } },
  ...showTotals,
});
const rowsOf = (measures: string[], rows: Row[]): RowSet =>
  rowSetOf([columnOf('o.state', 'string'), ...measures.map(name => columnOf(name, 'number'))], rows);
const totalOf = ({ totals }: ReportData) => totals.get(groupKey([]))?.rows;

describe('loading a report', () => {
  it('queries once, and reads no model, if nothing must be computed', async () => {
    const { session, asked } = sessionOf(() => rowsOf(['o.count'], [{ 'o.state': 'CA', 'o.count': '1' }]));
    const data = await load({ session }, { meta: { jsonQuery: { measures: ['o.count'], dimensions: ['o.state'] } } });
    expect([asked.queries.length, asked.metas, data.totals.size]).toEqual([1, 0, 0]);
    expect(data.request).toHaveProperty('query', { measures: ['o.count'], dimensions: ['o.state'] });
  });

  it('sums additive measures without losing digits', async () => {
    const names = ['o.count', 'o.sum', 'o.least'];
    const rows = [
      { 'o.state': 'CA', 'o.count': '2', 'o.sum': '0.1', 'o.least': '-3' },
      { 'o.state': null, 'o.count': '3', 'o.sum': '0.2', 'o.least': null },
    ];
    const { session, asked } = sessionOf(() => rowsOf(names, rows));
    expect(totalOf(await load({ session }, queryOf(names)))).toEqual([
      { 'o.count': '5', 'o.sum': '0.3', 'o.least': '-3' },
    ]);
    expect(asked.queries).toHaveLength(1);
  });

  it('returns 0 for counts and null for sums if there are no rows', async () => {
    const { session } = sessionOf(() => rowsOf(['o.count', 'o.sum'], []));
    expect(totalOf(await load({ session }, queryOf(['o.count', 'o.sum'])))).toEqual([
      { 'o.count': '0', 'o.sum': null },
    ]);
  });

  it.each([['o.who'], ['o.rolling'], ['o.unknown']])('queries the total of %s in addition to its rows', async name => {
    const { session, asked } = sessionOf(({ dimensions }) =>
      rowsOf([name], [dimensions?.length ? { 'o.state': 'CA', [name]: '4' } : { [name]: '9' }]),
    );
    const data = await load(
      { session },
      queryOf([name], { order: [['o.state', 'asc']], filters: [{ member: 'o.city', operator: 'set' }] }),
    );
    expect(totalOf(data)).toEqual([{ [name]: '9' }]);
    expect(asked.queries[1]).toEqual({
      measures: [name],
      dimensions: [],
      filters: [{ member: 'o.city', operator: 'set' }],
      order: [],
      limit: 50_000,
    });
  });

  it('queries totals if rows were cut off by the service or by the query', async () => {
    const rows = [{ 'o.state': 'CA', 'o.count': '2' }];
    const cut = sessionOf((_query, place) => ({
      ...rowsOf(['o.count'], place ? [{ 'o.count': '50' }] : rows),
      truncated: place === 0,
    }));
    expect(totalOf(await load(cut, queryOf(['o.count'])))).toEqual([{ 'o.count': '50' }]);
    const whole = sessionOf(() => rowsOf(['o.count'], rows));
    await load(whole, queryOf(['o.count'], { limit: 2 }));
    expect(whole.asked.queries).toHaveLength(1);
    await load(whole, queryOf(['o.count'], { limit: 1 }));
    expect(whole.asked.queries).toHaveLength(3);
  });

  it('queries all totals if the model cannot be loaded', async () => {
    const without = sessionOf(
      (_query, place) => rowsOf(['o.count'], [place ? { 'o.count': '7' } : { 'o.state': 'CA', 'o.count': '2' }]),
      () => Promise.reject(new Error('403')),
    );
    expect(totalOf(await load(without, queryOf(['o.count'])))).toEqual([{ 'o.count': '7' }]);
  });

  it('queries the total of counts by a dimension that multiplies rows', async () => {
    const cube = (name: string, relationship: string, to: string) => ({
      ...model.cubes[0],
      name,
      type: 'cube',
      measures: [],
      joins: [{ name: to, relationship }],
    });
    const orders = {
      ...cube('o', 'hasMany', 'items'),
      joins: [
        { name: 'items', relationship: 'hasMany' },
        { name: 'shops', relationship: 'belongsTo' },
      ],
    };
    const view = {
      ...cube('v', '', ''),
      type: 'view',
      measures: [{ ...measure('v.count', 'count'), aliasMember: 'o.count' }],
      dimensions: [{ ...measure('v.product', ''), aliasMember: 'items.product' }],
    };
    const cubes = [
      { ...orders, measures: [measure('o.count', 'count')] },
      cube('items', 'belongsTo', 'o'),
      cube('shops', 'belongsTo', 'countries'),
      cube('countries', 'hasMany', 'shops'),
      view,
    ];
    const asked = async (name: string, dimension: string): Promise<number> => {
      const one = sessionOf(
        () => rowsOf([name], []),
        async () => ({ cubes }) as MetaResponse,
      );
      await load(one, { meta: { jsonQuery: { measures: [name], dimensions: [dimension] } }, ...showTotals });
      return one.asked.queries.length;
    };
    expect(await asked('o.count', 'o.state')).toBe(1);
    expect(await asked('o.count', 'countries.name')).toBe(1);
    expect(await asked('o.count', 'items.product')).toBe(2);
    expect(await asked('v.count', 'v.product')).toBe(2);
    expect(await asked('v.count', 'v.unknown')).toBe(1);
  });

  it('aborts all its requests with one signal', async () => {
    const { signal } = new AbortController();
    const { session, asked } = sessionOf(() => rowsOf(['o.who'], []));
    const pivotItems = {
      rows: ['o.state'],
      columns: ['o.city'],
      measures: [],
      filters: [],
      showRowTotals: true,
      showColumnTotals: true,
    };
    const jsonQuery: Query = { measures: ['o.who'], dimensions: ['o.state', 'o.city'] };
    await load({ session }, { meta: { jsonQuery }, spec: { pivotItems } }, signal);
    expect(asked.queries.map(({ dimensions }) => dimensions)).toEqual([
      ['o.state', 'o.city'],
      ['o.state'],
      ['o.city'],
      [],
    ]);
    expect(new Set(asked.signals)).toEqual(new Set([signal]));
  });

  it('fails if one of its requests fails, and ends when it is canceled', async () => {
    const failing = sessionOf((_query, place) => {
      if (place === 1) throw new Error('the total failed');
      return rowsOf(['o.who'], []);
    });
    await expect(load(failing, queryOf(['o.who']))).rejects.toThrow('the total failed');
    const gone = sessionOf(
      () => rowsOf(['o.who'], []),
      () => Promise.reject(new PaAbortError()),
    );
    await expect(load(gone, queryOf(['o.who']))).rejects.toThrow(PaAbortError);
  });

  it('applies the choices of the dashboard to all queries of a report', async () => {
    const { session, asked } = sessionOf(() => rowsOf(['o.who'], []));
    const timeDimensions = [{ dimension: 'o.at', granularity: 'month', dateRange: ['2024-01-01', '2024-12-31'] }];
    const snapshot: ReportSnapshot = {
      id: 1,
      reportId: 1,
      versionNumber: 1,
      kind: 'table',
      meta: { jsonQuery: { measures: ['o.who'], dimensions: ['o.state'], timeDimensions } },
      periodComparisons: [{ measure: 'o.who', timeDimension: 'o.at', offset: { amount: 1, unit: 'year' } }],
      ...showTotals,
    };
    const request = requestWithChoices(snapshot, [
      { kind: 'grain', title: 'Grain', member: 'o.at', value: 'week', control: 'g' },
      {
        kind: 'filter',
        title: 'Kind',
        member: 'o.kind',
        type: 'string',
        condition: { value: 'x' },
        control: 'f',
        from: null,
      },
    ]);
    if (request?.kind !== 'load') throw new Error('there is no query');
    const { signal } = new AbortController();
    await loadReportData(reportSourceOf(session, signal), request, session.load(request.query, { signal }));
    expect(asked.queries).toHaveLength(4);
    for (const { filters, timeDimensions: times } of asked.queries) {
      expect(filters).toEqual([{ member: 'o.kind', operator: 'equals', values: ['x'] }]);
      expect(times?.[0]?.granularity ?? 'week').toBe('week');
    }
    const ranges = asked.queries.map(({ timeDimensions: times }) => String(times?.[0]?.dateRange).slice(0, 10));
    expect(ranges.sort()).toEqual(['2023-01-02', '2023-01-02', '2024-01-01', '2024-01-01']);
  });
});
