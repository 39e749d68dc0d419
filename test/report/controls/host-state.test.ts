import { describe, expect, it } from 'vitest';
import { type DashboardState, emptyDashboardState } from '../../../src/report/controls/dashboard-state.js';
import { parseHostState } from '../../../src/report/controls/host-state.js';
import fc from '../../property.js';

const before: DashboardState = {
  filters: { 'orders.status': { value: 'shipped' } },
  timeGrains: { 'orders.at': 'week' },
  members: { 'orders.state': null },
  tabs: { tabs: 'first' },
};

describe('a state from the host', () => {
  it('replaces the parts that it contains', () => {
    expect(parseHostState({ filters: {}, tabs: { tabs: 'second' } }, before)).toEqual({
      ...before,
      filters: {},
      tabs: { tabs: 'second' },
    });
    expect(parseHostState(before, emptyDashboardState)).toEqual(before);
    expect(parseHostState({ filters: { 'orders.status': null } }, before).filters).toEqual({ 'orders.status': null });
  });

  it('keeps its valid parts and drops the others', () => {
    const given = JSON.parse(`{
      "filters": {"__proto__": {"value": "x"}, "orders.status": {"operator": "toString", "value": 1}, "orders.city": {"value": "Austin"}},
      "timeGrains": {"orders.at": "month; DROP", "orders.due": "day", "constructor": "day"},
      "members": {"orders.state": "nowhere", "orders.city": "orders.state"},
      "tabs": {"tabs": 7, "others": "second"}
    }`);
    expect(parseHostState(given, before)).toEqual({
      filters: { 'orders.city': { value: 'Austin' } },
      timeGrains: { 'orders.due': 'day' },
      members: { 'orders.city': 'orders.state' },
      tabs: { others: 'second' },
    });
  });

  it('does not change the state if it is invalid', () => {
    for (const none of [null, 7, 'text', [], { filters: null, timeGrains: 7, members: [], tabs: 'x' }]) {
      expect(parseHostState(none as object, before)).toEqual(before);
    }
  });

  it('contains only strings and conditions for any input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (filters, others, tabs) => {
        const read = parseHostState(
          { filters, timeGrains: others, members: others, tabs } as never,
          emptyDashboardState,
        );
        for (const value of Object.values({ ...read.timeGrains, ...read.members })) {
          expect(value === null || typeof value === 'string').toBe(true);
        }
        for (const value of Object.values(read.tabs)) expect(typeof value).toBe('string');
        for (const value of Object.values(read.filters)) expect(typeof value).toBe('object');
      }),
    );
  });
});
