import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../src/contract/query.js';
import type { FilterCondition } from '../../../src/contract/widget-config.js';
import {
  conditionFilters,
  type MemberType,
  needsType,
  operatorsOf,
} from '../../../src/report/controls/filter-condition.js';

const filtersOf = (condition: FilterCondition, type: MemberType | null = 'string') =>
  conditionFilters('o.m', condition, type);
const filters = (...list: readonly Omit<Extract<Filter, { member: string }>, 'member'>[]) => ({
  filters: list.map(filter => ({ member: 'o.m', ...filter })),
});

describe('conditionFilters', () => {
  it('accepts each operator for its types', () => {
    const offered = new Set(Object.values(operatorsOf).flat());
    expect(offered.size).toBe(18);
    for (const type of ['string', 'number', 'boolean', 'time'] as const) {
      for (const operator of offered) {
        const value = { string: 'a', number: 1, boolean: true, time: '2001-01-01' }[type];
        const known = operatorsOf[type].includes(operator);
        expect('filters' in filtersOf({ operator, value }, type), `${type} ${operator}`).toBe(known);
      }
    }
  });

  it.each<[FilterCondition, ReturnType<typeof filters>]>([
    [{ value: 'a' }, filters({ operator: 'equals', values: ['a'] })],
    [{ value: ['a', null] }, filters({ operator: 'equals', values: ['a', null] })],
    [{ operator: 'not_equals', value: ['a', 'b'] }, filters({ operator: 'notEquals', values: ['a', 'b'] })],
    [{ operator: 'not_ends_with', value: ['a', 'b'] }, filters({ operator: 'notEndsWith', values: ['a', 'b'] })],
    [{ operator: 'is_empty' }, filters({ operator: 'equals', values: [''] })],
    [{ operator: 'is_not_empty' }, filters({ operator: 'notEquals', values: ['', null] })],
    [{ operator: 'is_null' }, filters({ operator: 'notSet' })],
    [{ operator: 'is_not_null' }, filters({ operator: 'set' })],
    [{ operator: 'greater_than', value: ['b', 'c'] }, filters({ operator: 'gt', values: ['b'] })],
    [
      { operator: 'between', value: ['b', 'c'] },
      filters({ operator: 'gte', values: ['b'] }, { operator: 'lte', values: ['c'] }),
    ],
  ])('converts %j on a string to Data API filters', (condition, expected) => {
    expect(filtersOf(condition)).toEqual(expected);
  });

  it('includes or excludes each end of a range, and supports open ends', () => {
    const between = { operator: 'between', value: [1, 9], startInclusive: false, endInclusive: false };
    expect(filtersOf(between, 'number')).toEqual(
      filters({ operator: 'gt', values: [1] }, { operator: 'lt', values: [9] }),
    );
    expect(filtersOf({ operator: 'between', value: [null, 9] }, 'number')).toEqual(
      filters({ operator: 'lte', values: [9] }),
    );
    expect(filtersOf({ operator: 'between', value: [1, ''] }, 'number')).toEqual(
      filters({ operator: 'gte', values: [1] }),
    );
    expect(filtersOf({ operator: 'between', value: [null, null] }, 'number')).toEqual({ filters: [] });
  });

  it('treats a date as a whole day for times', () => {
    const day = '2001-01-31';
    expect(filtersOf({ value: day }, 'time')).toEqual(filters({ operator: 'inDateRange', values: [day] }));
    expect(filtersOf({ operator: 'greater_than', value: day }, 'time')).toEqual(
      filters({ operator: 'afterDate', values: [day] }),
    );
    expect(filtersOf({ operator: 'between', value: [day, '2001-02-02'], endInclusive: false }, 'time')).toEqual(
      filters({ operator: 'afterOrOnDate', values: [day] }, { operator: 'beforeDate', values: ['2001-02-02'] }),
    );
    expect(filtersOf({ operator: 'custom', value: 'last 7 days' }, 'time')).toEqual(
      filters({ operator: 'inDateRange', values: ['last 7 days'] }),
    );
  });

  it('combines days with OR, and includes rows without a time in a negation', () => {
    const value = ['2001-01-01', '2001-01-03'];
    expect(filtersOf({ value: [...value, null] }, 'time')).toEqual({
      filters: [
        {
          or: [
            { member: 'o.m', operator: 'inDateRange', values: ['2001-01-01'] },
            { member: 'o.m', operator: 'inDateRange', values: ['2001-01-03'] },
            { member: 'o.m', operator: 'notSet' },
          ],
        },
      ],
    });
    expect(filtersOf({ operator: 'not_equals', value: '2001-01-01' }, 'time')).toEqual({
      filters: [
        {
          or: [
            { member: 'o.m', operator: 'notInDateRange', values: ['2001-01-01'] },
            { member: 'o.m', operator: 'notSet' },
          ],
        },
      ],
    });
  });

  it('reports conditions that the Data API cannot express', () => {
    expect(filtersOf({ operator: 'contains', value: 'a' }, 'number')).toEqual({ problem: 'operator' });
    expect(filtersOf({ value: 'abc' }, 'number')).toEqual({ problem: 'value' });
    expect(filtersOf({ value: 'maybe' }, 'boolean')).toEqual({ problem: 'value' });
    expect(filtersOf({ value: 7 }, 'time')).toEqual({ problem: 'value' });
    expect(filtersOf({ operator: 'contains', value: 'a', caseSensitive: true })).toEqual({ problem: 'case' });
    expect(filtersOf({ value: 'a', caseSensitive: false })).toEqual({ problem: 'case' });
    expect(filtersOf({ value: 'a', caseSensitive: true })).toEqual(filters({ operator: 'equals', values: ['a'] }));
    expect(filtersOf({ operator: 'nonsense', value: 'a' })).toEqual({ problem: 'operator' });
  });

  it('infers an unknown type from the condition, and reports when that is not possible', () => {
    expect(filtersOf({ operator: 'custom', value: 'today' }, null)).toEqual(
      filters({ operator: 'inDateRange', values: ['today'] }),
    );
    expect(filtersOf({ value: 7 }, null)).toEqual(filters({ operator: 'equals', values: [7] }));
    expect(filtersOf({ value: 'AA' }, null)).toEqual(filters({ operator: 'equals', values: ['AA'] }));
    expect(needsType({ value: '2001-01-01' })).toBe(true);
    expect(needsType({ value: ['AA', '2001-01-01'] })).toBe(false);
    expect(needsType({ operator: 'custom', value: '2001-01-01' })).toBe(false);
  });

  it('restricts nothing without values', () => {
    expect(filtersOf({ operator: 'equals', value: [] })).toEqual({ filters: [] });
    expect(filtersOf({ operator: 'greater_than' })).toEqual({ filters: [] });
  });
});
