import { describe, expect, it } from 'vitest';
import type { Query } from '../../../src/contract/query.js';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import { requestWithChoices } from '../../../src/report/controls/control-state.js';
import type { Choice } from '../../../src/report/controls/controls.js';
import {
  filterOrigin,
  isSameRequest,
  renameRows,
  snapshotRequest,
  titleRows,
} from '../../../src/report/query/report-request.js';

const snapshot = { id: 1, reportId: 2, versionNumber: 1 };
const state = (value: string | null): Choice => ({
  kind: 'filter',
  title: 'State',
  member: 'orders.state',
  type: 'string',
  condition: value === null ? null : { value },
  control: 'state',
  from: null,
});
const grain = (value: string): Choice => ({
  kind: 'grain',
  title: 'Granularity',
  member: 'orders.date',
  value,
  control: 'grain',
});
const jsonQuery: Query = {
  measures: ['orders.count'],
  timeDimensions: [{ dimension: 'orders.date', granularity: 'month' }],
};
const converted = {
  ...snapshot,
  sqlQuery: 'SELECT …',
  meta: { jsonQuery, columns: { m: 'orders.date.month', n: 'orders.count' } },
};

describe('snapshotRequest', () => {
  it('requests the published query', () => {
    expect(snapshotRequest({ ...snapshot, meta: { jsonQuery } })).toMatchObject({
      kind: 'load',
      query: jsonQuery,
      columns: null,
      ignored: [],
    });
  });

  it('runs SQL without an equivalent query unchanged, and reports that it ignores controls', () => {
    const sql = { ...snapshot, sqlQuery: 'select 1', meta: { publicId: 'abcdefghijkl' } };
    expect(requestWithChoices(sql, [state(null)])).toEqual({
      kind: 'sql',
      snapshot: sql,
      text: 'select 1',
      ignored: [{ title: 'State', reason: 'sql' }],
      reason: null,
    });
    const why = { ...sql, meta: { noLoadQuery: 'no FROM.' } };
    expect(snapshotRequest(why)).toMatchObject({ reason: 'no FROM.' });
    expect(snapshotRequest({ ...snapshot, sqlQuery: 'select 1', meta: null })).toMatchObject({ kind: 'sql' });
  });

  it('is null without a query', () => {
    expect(snapshotRequest(snapshot)).toBeNull();
    expect(snapshotRequest({ ...snapshot, sqlQuery: '' })).toBeNull();
  });

  it('applies choices to the query of a SQL report, with its column names', () => {
    const choices = [state('CA'), grain('week')];
    expect(requestWithChoices(converted, choices)).toMatchObject({
      kind: 'load',
      query: {
        filters: [{ member: 'orders.state', operator: 'equals', values: ['CA'] }],
        timeDimensions: [{ dimension: 'orders.date', granularity: 'week' }],
      },
      columns: { m: 'orders.date.week', n: 'orders.count' },
      ignored: [],
    });
  });

  it('keeps the column names of a report if its granularity changes', () => {
    const request = requestWithChoices({ ...snapshot, meta: { jsonQuery } }, [grain('week')]);
    expect(request).toMatchObject({
      columns: { 'orders.date.month': 'orders.date.week', 'orders.count': 'orders.count' },
    });
  });
});

describe('isSameRequest', () => {
  it('detects requests for other rows', () => {
    const plain = snapshotRequest(converted);
    expect(isSameRequest(plain, requestWithChoices(converted, [state(null)]))).toBe(true);
    expect(isSameRequest(plain, requestWithChoices(converted, [state('CA')]))).toBe(false);
    expect(isSameRequest(plain, snapshotRequest({ ...converted }))).toBe(false);
    expect(isSameRequest(plain, null)).toBe(false);
    expect(isSameRequest(null, null)).toBe(true);
  });
});

describe('filteredBy', () => {
  it('distinguishes choices from filters of the report', () => {
    const of = (meta: { jsonQuery: Query }, value: string | null) =>
      filterOrigin(requestWithChoices({ ...snapshot, meta }, [state(value)]) ?? never());
    const own: Query = { ...jsonQuery, filters: [{ member: 'orders.state', operator: 'set' }] };
    expect(of({ jsonQuery }, null)).toBeNull();
    expect(of({ jsonQuery }, 'CA')).toBe('choices');
    expect(of({ jsonQuery: own }, null)).toBe('report');
    expect(of({ jsonQuery: own }, 'CA')).toBe('choices');
    expect(of({ jsonQuery: { ...jsonQuery, segments: ['orders.paid'] } }, null)).toBe('report');
  });
});

describe('renameRows', () => {
  const rowSet: RowSet = {
    columns: [
      {
        member: 'orders.date.month',
        kind: 'timeDimension',
        annotation: { title: 'Orders Date', shortTitle: 'Date', type: 'time' },
      },
      {
        member: 'orders.count',
        kind: 'measure',
        annotation: { title: 'Orders Count', shortTitle: 'Count', type: 'number', format: 'number_0' },
      },
    ],
    rows: [{ 'orders.date.month': '2001-01-01T00:00:00.000', 'orders.count': '3' }],
    truncated: true,
    lastRefreshTime: null,
  };

  it('renames rows and columns as in the SQL, in its order, with the annotations of the model', () => {
    const renamed = renameRows(rowSet, { n: 'orders.count', m: 'orders.date.month', again: 'orders.count' });
    expect(renamed.columns.map(({ member, kind, annotation }) => [member, kind, annotation.shortTitle])).toEqual([
      ['n', 'measure', 'Count'],
      ['m', 'timeDimension', 'Date'],
      ['again', 'measure', 'Count'],
    ]);
    expect(renamed.columns[0]?.annotation.format).toBe('number_0');
    expect(renamed.rows).toEqual([{ n: '3', m: '2001-01-01T00:00:00.000', again: '3' }]);
    expect(renamed.truncated).toBe(true);
  });

  it('uses an alias of the author as title', () => {
    const columns = { n_all: 'orders.count', m: 'orders.date.month', KPI: 'orders.count' };
    const renamed = renameRows(rowSet, columns, ['n_all', 'KPI']);
    expect(renamed.columns.map(({ annotation }) => annotation.shortTitle)).toEqual(['N all', 'Date', 'KPI']);
    expect(renamed.columns[0]?.annotation.format).toBe('number_0');
  });

  it('titles SQL columns by their name, or by their existing title', () => {
    const column = (member: string, title: string): Column => ({
      member,
      kind: 'dimension',
      annotation: { title, shortTitle: title, type: 'string' },
    });
    const { columns } = titleRows({
      ...rowSet,
      columns: [column('running_share', 'running_share'), column('status', 'Order status'), column('AVG x', 'AVG x')],
    });
    expect(columns.map(({ annotation }) => annotation.shortTitle)).toEqual(['Running share', 'Order status', 'AVG x']);
  });

  it('handles hostile names and missing columns', () => {
    const renamed = renameRows(rowSet, JSON.parse('{"__proto__": "orders.count", "gone": "orders.gone"}'));
    expect(Object.entries(renamed.rows[0] ?? {})).toEqual([
      ['__proto__', '3'],
      ['gone', null],
    ]);
    expect(renamed.columns[1]).toMatchObject({ member: 'gone', annotation: { type: 'string' } });
    expect(({} as Record<string, unknown>).gone).toBeUndefined();
  });
});

function never(): never {
  throw new Error('there is no request');
}
