import { describe, expect, it } from 'vitest';
import type { Query, QuerySet } from '../../../../src/contract/query.js';
import { readQuerySet, withExtraColumns } from '../../../../src/platform/data/answers/query-set.js';
import { PlatformError } from '../../../../src/platform/errors.js';

const compared = (...ranges: string[]): Query => ({
  measures: ['orders.count'],
  timeDimensions: [{ dimension: 'orders.created', compareDateRange: ranges }],
});
const byMonth: Query = { dimensions: ['orders.created.month'] };

function refusal(given: QuerySet): string {
  try {
    readQuerySet(given);
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return error.message;
    throw error;
  }
  return 'read';
}

it('allows as many values in several queries as in a single one', () => {
  const filters = [{ member: 't.a', operator: 'equals' as const, values: Array.from({ length: 900 }, String) }];
  const compared = (ranges: number) => ({
    measures: ['t.count'],
    filters: [{ or: filters }],
    timeDimensions: [{ dimension: 't.at', compareDateRange: Array.from({ length: ranges }, () => '2001-01-01') }],
  });
  expect(readQuerySet(compared(10)).queries).toHaveLength(10);
  expect(() => readQuerySet(compared(11))).toThrow(expect.objectContaining({ status: 400 }));
});

describe('a set of queries', () => {
  it('is the query itself if it compares no ranges', () => {
    const query = { ...byMonth, limit: 3 };
    expect(readQuerySet(query)).toEqual({ queryType: 'regularQuery', queries: [query] });
  });

  it('has one query per range, with that time dimension first', () => {
    const other = { dimension: 'orders.paid_at', granularity: 'day' };
    const { queryType, queries } = readQuerySet({
      ...compared('today', 'yesterday'),
      timeDimensions: [
        other,
        { dimension: 'orders.created', granularity: 'day', compareDateRange: ['today', 'yesterday'] },
      ],
    });
    expect(queryType).toBe('compareDateRangeQuery');
    expect(queries.map(query => query.timeDimensions)).toEqual([
      [{ dimension: 'orders.created', granularity: 'day', dateRange: 'today' }, other],
      [{ dimension: 'orders.created', granularity: 'day', dateRange: 'yesterday' }, other],
    ]);
  });

  it('has the queries of a list', () => {
    const other: Query = { timeDimensions: [{ dimension: 'orders.paid_at', granularity: 'month' }] };
    expect(readQuerySet([byMonth, other])).toEqual({ queryType: 'blendingQuery', queries: [byMonth, other] });
  });

  it.each<[string, QuerySet, string]>([
    ['no query', [], '1 to 24 queries'],
    ['too many', Array.from({ length: 25 }, () => byMonth), '1 to 24 queries'],
    ['too many ranges', compared(...Array.from({ length: 25 }, () => 'today')), '1 to 24 ranges'],
    ['no range', compared(), '1 to 24 ranges'],
    ['ranges in a list', [byMonth, compared('today')], 'only supported in a request with a single query'],
    [
      'different granularities',
      [byMonth, { dimensions: ['orders.created.day'] }],
      'a time dimension with the same granularity',
    ],
    ['no granularity', [{ measures: ['orders.count'] }], 'a time dimension with the same granularity'],
    ['different layouts', [byMonth, { ...byMonth, responseFormat: 'compact' }], 'the same responseFormat'],
    [
      'a range in addition to ranges',
      { timeDimensions: [{ dimension: 'orders.created', dateRange: 'today', compareDateRange: ['today'] }] },
      'orders.created can have either a dateRange or a compareDateRange',
    ],
    [
      'ranges of two time dimensions',
      { timeDimensions: [compared('today'), compared('today')].flatMap(query => query.timeDimensions ?? []) },
      'Only one time dimension can have a compareDateRange',
    ],
  ])('with %s is rejected', (_, given, message) => {
    expect(refusal(given)).toContain(message);
  });
});

describe('extra columns', () => {
  it('follow those of the query, with the same length', () => {
    const table = {
      members: ['orders.created.day', 'orders.count'],
      columns: [
        ['x', 'y'],
        ['1', '2'],
      ],
    };
    expect(
      withExtraColumns(table, [
        { key: 'time.day', kind: 'copy', member: 'orders.created.day' },
        { key: 'compareDateRange', kind: 'text', text: 'a - b' },
      ]),
    ).toEqual({
      members: ['orders.created.day', 'orders.count', 'time.day', 'compareDateRange'],
      columns: [
        ['x', 'y'],
        ['1', '2'],
        ['x', 'y'],
        ['a - b', 'a - b'],
      ],
    });
    expect(withExtraColumns(table, [])).toBe(table);
  });
});
