import { describe, expect, it } from 'vitest';
import type { Query } from '../../../src/contract/query.js';
import { drillQuery, filtersOfMark } from '../../../src/report/marks/drill.js';
import type { Mark } from '../../../src/report/marks/mark.js';
import { type ReportRequest, snapshotRequest } from '../../../src/report/query/report-request.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const drillMembersGrouped = { measures: ['o.sum'], dimensions: ['o.id', 'o.city'] };
const columns = [
  columnOf('o.state', 'string'),
  columnOf('o.at.month', 'time'),
  columnOf('o.plain', 'number'),
  columnOf('o.count', 'number', { drillMembersGrouped }),
];
const rowSet = rowSetOf(columns, []);
const jsonQuery: Query = {
  measures: ['o.plain', 'o.count'],
  dimensions: ['o.state'],
  timeDimensions: [
    { dimension: 'o.at', granularity: 'month', dateRange: 'last 12 months' },
    { dimension: 'o.sent', granularity: 'day' },
  ],
  filters: [{ member: 'o.kind', operator: 'set' }, { or: [{ member: 'o.count', operator: 'gt', values: ['1'] }] }],
  segments: ['o.big'],
  order: [['o.count', 'desc']],
  limit: 5,
  timezone: 'Europe/Berlin',
};

function requestOf(query: Query, names?: Record<string, string>): ReportRequest {
  const snapshot = {
    id: 1,
    reportId: 1,
    versionNumber: 1,
    meta: { jsonQuery: query, ...(names && { columns: names }) },
  };
  const request = snapshotRequest(snapshot);
  if (!request) throw new Error('there is no request');
  return request;
}

const mark: Mark = { values: { 'o.state': 'CA', 'o.at.month': '2024-02-01T00:00:00.000' }, measure: 'o.count' };
const drill = (of: Mark, query = jsonQuery) => drillQuery(requestOf(query), rowSet, of);

describe('drillQuery', () => {
  it('queries the rows behind a value with all filters of the report', () => {
    expect(drill(mark)).toEqual({
      measures: ['o.sum'],
      dimensions: ['o.id', 'o.city'],
      segments: ['o.big'],
      timeDimensions: [{ dimension: 'o.at', dateRange: 'last 12 months' }],
      filters: [
        { member: 'o.count', operator: 'measureFilter' },
        { member: 'o.kind', operator: 'set' },
        { member: 'o.state', operator: 'equals', values: ['CA'] },
        { member: 'o.at', operator: 'inDateRange', values: ['2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999'] },
      ],
      timezone: 'Europe/Berlin',
    });
  });

  it('filters missing values and values that are not text', () => {
    expect(drill({ values: { 'o.state': null, 'o.at.month': null }, measure: null })?.filters?.slice(2)).toEqual([
      { member: 'o.state', operator: 'notSet' },
      { member: 'o.at', operator: 'notSet' },
    ]);
    expect(drill({ values: { 'o.state': false }, measure: null })?.filters?.at(-1)).toEqual({
      member: 'o.state',
      operator: 'equals',
      values: ['false'],
    });
  });

  it('resolves the column names of a SQL report', () => {
    const names = { s: 'o.state', n: 'o.count' };
    const named = rowSetOf(
      [{ ...columnOf('s', 'string') }, { ...columnOf('n', 'number', { drillMembersGrouped }) }],
      [],
    );
    const query = drillQuery(requestOf(jsonQuery, names), named, { values: { s: 'CA' }, measure: 'n' });
    expect(query?.filters?.at(-1)).toEqual({ member: 'o.state', operator: 'equals', values: ['CA'] });
  });

  it('treats ungrouped drill members as dimensions', () => {
    const old = rowSetOf([columnOf('o.count', 'number', { drillMembers: ['o.id'] })], []);
    expect(drillQuery(requestOf(jsonQuery), old, { values: {}, measure: 'o.count' })).toMatchObject({
      dimensions: ['o.id'],
    });
  });

  it('is `null` if there is nothing to query', () => {
    expect(drill({ ...mark, measure: 'o.plain' })).toBeNull();
    expect(drill({ ...mark, measure: 'o.count_1_year_ago' })).toBeNull();
    expect(drill({ values: { 'o.gone': '1' }, measure: 'o.count' })).toBeNull();
    expect(drill({ values: { 'o.at.month': 'no time' }, measure: 'o.count' })).toBeNull();
    expect(drill({ values: { __proto__: null, constructor: 'x' }, measure: 'o.count' })).toBeNull();
    const compared: Query = {
      ...jsonQuery,
      timeDimensions: [{ dimension: 'o.at', compareDateRange: [['2024-01-01', '2024-01-31']] }],
    };
    expect(drill({ values: {}, measure: 'o.count' }, compared)).toBeNull();
    const sql = snapshotRequest({ id: 1, reportId: 1, versionNumber: 1, sqlQuery: 'SELECT 1' });
    if (!sql) throw new Error('there is no request');
    expect(drillQuery(sql, rowSet, mark)).toBeNull();
    expect(filtersOfMark(sql, rowSet, mark)).toEqual([]);
  });
});

describe('filtersOfMark', () => {
  it('returns a condition for each member of a mark', () => {
    expect(filtersOfMark(requestOf(jsonQuery), rowSet, mark)).toEqual([
      { member: 'o.state', type: 'string', condition: { operator: 'equals', value: ['CA'] } },
      {
        member: 'o.at',
        type: 'time',
        condition: { operator: 'between', value: ['2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999'] },
      },
    ]);
    expect(filtersOfMark(requestOf(jsonQuery), rowSet, { values: { 'o.state': null }, measure: null })).toEqual([
      { member: 'o.state', type: 'string', condition: { operator: 'is_null' } },
    ]);
    expect(filtersOfMark(requestOf(jsonQuery), rowSet, { values: {}, measure: 'o.count' })).toEqual([]);
  });
});
