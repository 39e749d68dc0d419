import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { LoadRequest, Query } from '../../src/contract/query.js';

const read = (query: unknown) => z.safeParse(Query, query);

describe('a query', () => {
  it.each<[string, unknown]>([
    ['one order by member', { 'orders.count': 'desc', 'orders.created.month': 'asc' }],
    ['pairs', [['orders.count', 'desc']]],
    ['the order of a response', [{ id: 'orders.count', desc: true }]],
    ['no order', []],
    ['an empty order', {}],
  ])('accepts %s', (_, order) => {
    expect(read({ order }).data).toEqual({ order });
  });

  it('accepts the older name of the member of a filter', () => {
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

  it('accepts empty values of clients', () => {
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
    ['and together with or', { filters: [{ and: [], or: [] }] }],
    ['an invalid direction', { order: { 'orders.id': 'none' } }],
    ['a limit as a string', { limit: '10' }],
    ['a limit of 0', { limit: 0 }],
    ['50,001 rows', { limit: 50_001 }],
    ['a negative offset', { offset: -1 }],
    ['three dates', { timeDimensions: [{ dimension: 'o.c', dateRange: ['1', '2', '3'] }] }],
    ['no range to compare', { timeDimensions: [{ dimension: 'o.c', compareDateRange: [] }] }],
    ['an unknown layout', { responseFormat: 'arrow' }],
    ['unknown keys', { rowLimit: 10 }],
  ])('rejects %s', (_, query) => {
    expect(read(query).success).toBe(false);
  });
});

describe('a load request', () => {
  it('contains one query, or up to 24', () => {
    const holds = (query: unknown) => z.safeParse(LoadRequest, { query }).success;
    expect(holds({})).toBe(true);
    expect(holds(Array.from({ length: 24 }, () => ({})))).toBe(true);
    expect(holds(Array.from({ length: 25 }, () => ({})))).toBe(false);
    expect(holds([])).toBe(false);
  });
});
