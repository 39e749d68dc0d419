import { describe, expect, it } from 'vitest';
import { readDataResult } from '../../../src/client/chat/data-result.js';
import fc from '../../property.js';

const query = {
  measures: ['flights.count'],
  dimensions: ['flights.code'],
  timeDimensions: [{ dimension: 'flights.at', granularity: 'season' }],
  limit: 10,
};
const result = {
  queryTitle: 'Flights by code',
  description: 'All of them',
  query,
  schema: [
    { name: 'flights.code', column_type: 'Int64', title: 'Code' },
    { name: 'flights.at.season', columnType: 'Timestamp' },
    { name: 'flights.count', column_type: 'Double' },
  ],
  data: [
    ['7', '2001-01-01T00:00:00.000', '3211'],
    ['8', null, '12'],
  ],
  totalRows: 230,
  uuid: 'u',
  checksum: 'c',
  vegaSpec: '{"mark":"bar","data":{"url":"https://evil.example"},"datasets":{"a":[]}}',
};

describe('readDataResult', () => {
  it('preserves number formats if they are valid specifiers', () => {
    const schema = [
      { name: 'a', column_type: 'Double', format: '.1~%' },
      { name: 'b', column_type: 'Double', format: '$,.2f', currency: 'EUR' },
      { name: 'c', column_type: 'Double', format: { toString: 1 }, currency: '<b>' },
    ];
    const annotations = readDataResult({ schema, data: [] })?.rowSet.columns.map(({ annotation }) => annotation) ?? [];
    expect(annotations.map(({ formatDescription, currency }) => [formatDescription?.specifier, currency])).toEqual([
      ['.1~%', undefined],
      ['$,.2f', 'EUR'],
      [undefined, undefined],
    ]);
  });

  it('preserves the numbers of Sunday and January', () => {
    const meta = { sunday: 7, january: '1', links: [] };
    const { rowSet } = readDataResult({ schema: [{ name: 'a', column_type: 'Int64', meta }], data: [] }) ?? {};
    expect(rowSet?.columns[0]?.annotation.meta).toEqual({ sunday: 7 });
  });

  it('reads rows with a schema', () => {
    const season = { name: 'season', title: 'season' };
    expect(readDataResult(result)).toEqual({
      title: 'Flights by code',
      description: 'All of them',
      query,
      totalRows: 230,
      checksum: 'c',
      isSupporting: false,
      spec: { mark: 'bar' },
      rowSet: {
        columns: [
          {
            member: 'flights.code',
            kind: 'dimension',
            annotation: { title: 'Code', shortTitle: 'Code', type: 'number' },
          },
          {
            member: 'flights.at.season',
            kind: 'timeDimension',
            annotation: {
              title: 'flights.at.season',
              shortTitle: 'flights.at.season',
              type: 'time',
              granularity: season,
            },
          },
          {
            member: 'flights.count',
            kind: 'measure',
            annotation: { title: 'flights.count', shortTitle: 'flights.count', type: 'number' },
          },
        ],
        rows: [
          { 'flights.code': '7', 'flights.at.season': '2001-01-01T00:00:00.000', 'flights.count': '3211' },
          { 'flights.code': '8', 'flights.at.season': null, 'flights.count': '12' },
        ],
        truncated: true,
        lastRefreshTime: null,
      },
    });
  });

  it('reads JSON text', () => {
    expect(readDataResult(JSON.stringify(result))).toEqual(readDataResult(result));
  });

  it.each([
    ['Int64', 'number', 'measure'],
    ['UInt8', 'number', 'measure'],
    ['DECIMAL(10,2)', 'number', 'measure'],
    ['Timestamp', 'time', 'timeDimension'],
    ['Date32', 'time', 'timeDimension'],
    ['Boolean', 'boolean', 'dimension'],
    ['String', 'string', 'dimension'],
    ['Interval', 'string', 'dimension'],
    [7, 'string', 'dimension'],
  ])('maps the column type %s to %s', (column_type, type, kind) => {
    const [column] = readDataResult({ schema: [{ name: 'a', column_type }], data: [] })?.rowSet.columns ?? [];
    expect([column?.annotation.type, column?.kind]).toEqual([type, kind]);
  });

  it('reads rows by member with an annotation', () => {
    const read = readDataResult({
      data: [{ 'a.count': '1', 'a.at.month': '2001-01-01T00:00:00.000', 'a.name': 'x' }],
      annotation: {
        measures: { 'a.count': { title: 'A Count', shortTitle: 'Count', type: 'number', format: 'percent' } },
        dimensions: { 'a.name': { title: 'A Name', type: 'string' } },
        timeDimensions: { 'a.at.month': { title: 'A At', type: 'time' } },
      },
    });
    expect(read?.rowSet.columns).toMatchObject([
      { member: 'a.name', kind: 'dimension', annotation: { title: 'A Name', shortTitle: 'A Name' } },
      { member: 'a.at.month', kind: 'timeDimension', annotation: { granularity: { name: 'month' } } },
      { member: 'a.count', kind: 'measure', annotation: { shortTitle: 'Count', format: 'percent' } },
    ]);
    expect(read).toMatchObject({ totalRows: 1, query: null, spec: null, rowSet: { truncated: false } });
  });

  it('reads rows by member only', () => {
    const read = readDataResult({ data: [{ a: '1', b: null }] });
    expect(read?.rowSet.columns.map(({ member }) => member)).toEqual(['a', 'b']);
  });

  it.each([
    null,
    7,
    'text',
    '{',
    [],
    {},
    { error: 'failed' },
    { data: [] },
    { data: 'x', schema: [] },
    { data: [[1]], schema: [{}] },
    { data: [[1]], schema: 'x' },
  ])('returns null for %j', value => {
    expect(readDataResult(value)).toBeNull();
  });

  it.each([7, { measures: 'a.b' }, { measures: [1] }, { timeDimensions: [{}] }, { filters: ['x'] }, { limit: 'all' }])(
    'returns no query for %j',
    bad => {
      expect(readDataResult({ ...result, query: bad })?.query).toBeNull();
    },
  );

  it('drops query keys that the Data API does not support', () => {
    expect(readDataResult({ ...result, query: { ...query, sql: 'DROP', filters: null } })?.query).toEqual(query);
  });

  it('cuts off content beyond the limits and marks it as truncated', () => {
    const schema = Array.from({ length: 300 }, (_, index) => ({ name: `c${index}`, column_type: 'String' }));
    const data = Array.from({ length: 6000 }, () => ['x'.repeat(20_000)]);
    const read = readDataResult({ schema, data });
    expect(read?.rowSet.columns).toHaveLength(100);
    expect(read?.rowSet.rows).toHaveLength(5000);
    expect(read?.rowSet.rows[0]?.c0).toHaveLength(10_000);
    expect(read?.rowSet.truncated).toBe(true);
  });

  it('drops invalid cells', () => {
    const data = [[{}, [1], Number.NaN, true, 1.5], 'no row', null];
    const schema = ['a', 'b', 'c', 'd', '__proto__'].map(name => ({ name, column_type: 'String' }));
    const rows = readDataResult({ schema, data })?.rowSet.rows ?? [];
    expect(rows).toHaveLength(1);
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
      ['d', true],
      ['__proto__', 1.5],
    ]);
    expect(Object.getPrototypeOf(rows[0])).toBe(Object.prototype);
  });

  it('ignores counts that are neither numbers nor digits', () => {
    const of = (totalRows: unknown) => readDataResult({ schema: [{ name: 'a' }], data: [[1]], totalRows })?.totalRows;
    expect([of(7), of('7'), of({ toString: 0 }), of([9]), of('many'), of(true)]).toEqual([7, 7, 1, 1, 1, 1]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (schema, data, more, spec) => {
        readDataResult({ schema, data: [data], query: more, annotation: more, totalRows: more, vegaSpec: spec });
        readDataResult({ schema: [schema, { name: 'a' }], data, query: { measures: more, filters: [more] } });
      }),
    );
  });
});
