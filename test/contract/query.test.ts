import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { LoadRequest, Query } from '../../src/contract/query.js';

const read = (query: unknown) => z.safeParse(Query, query);

describe('a query', () => {
  it.each<[string, unknown]>([
    ['one order by member', { 'orders.count': 'desc', 'orders.created.month': 'asc' }],
    ['pairs', [['orders.count', 'desc']]],
    ['the order of an answer', [{ id: 'orders.count', desc: true }]],
    ['no order', []],
    ['an empty order', {}],
  ])('takes %s', (_, order) => {
    expect(read({ order }).data).toEqual({ order });
  });

  it('knows the older name of the member of a filter', () => {
    const filters = [
      { dimension: 'orders.id', operator: 'equals', values: ['1'] },
      {
        or: [
          { dimension: 'orders.id', operator: 'set' },
          { member: 'orders.id', operator: 'notSet' },
        ],
      },
    ];
    expect(read({ filters }).data?.filters).toEqual([
      { member: 'orders.id', operator: 'equals', values: ['1'] },
      {
        or: [
          { member: 'orders.id', operator: 'set' },
          { member: 'orders.id', operator: 'notSet' },
        ],
      },
    ]);
  });

  it('takes what clients leave empty', () => {
    const query = {
      limit: null,
      offset: null,
      timeDimensions: [{ dimension: 'orders.created', granularity: null, dateRange: null }],
    };
    expect(read(query).data).toEqual(query);
  });

  it.each<[string, unknown]>([
    ['both names of a member', { filters: [{ member: 'o.id', dimension: 'o.id', operator: 'set' }] }],
    ['no name of a member', { filters: [{ operator: 'set' }] }],
    ['and beside or', { filters: [{ and: [], or: [] }] }],
    ['a direction that is none', { order: { 'orders.id': 'none' } }],
    ['a limit in words', { limit: '10' }],
    ['no row at all', { limit: 0 }],
    ['50,001 rows', { limit: 50_001 }],
    ['an offset before the first row', { offset: -1 }],
    ['three dates', { timeDimensions: [{ dimension: 'o.c', dateRange: ['1', '2', '3'] }] }],
    ['no range to compare', { timeDimensions: [{ dimension: 'o.c', compareDateRange: [] }] }],
    ['a layout that is none', { responseFormat: 'arrow' }],
    ['keys of later versions', { rowLimit: 10 }],
  ])('does not take %s', (_, query) => {
    expect(read(query).success).toBe(false);
  });
});

describe('a load request', () => {
  it('holds one query, or 24 at most', () => {
    const holds = (query: unknown) => z.safeParse(LoadRequest, { query }).success;
    expect(holds({})).toBe(true);
    expect(holds(Array.from({ length: 24 }, () => ({})))).toBe(true);
    expect(holds(Array.from({ length: 25 }, () => ({})))).toBe(false);
    expect(holds([])).toBe(false);
  });
});
