import { describe, expect, it } from 'vitest';
import type { FilterCondition } from '../../../src/contract/widget-config.js';
import type { Control, FilterControl } from '../../../src/report/controls/controls.js';
import { type DashboardState, emptyDashboardState } from '../../../src/report/controls/dashboard-state.js';
import { controlOf } from '../../../src/report/controls/read-control.js';
import { readUrlState, type UrlScope, writeUrlState } from '../../../src/report/controls/url-state.js';
import fc from '../../property.js';

const position = { x: 0, y: 0, w: 1, h: 1 };
const control = (type: string, config: Record<string, unknown>, id = type): Control => {
  const read = controlOf({ id, type, position, config });
  if (!read) throw new Error('no control');
  return read;
};
const status = control('FILTER', { member: 'orders.status' });
const listed = control('FILTER', { member: 'orders.size', values: ['S', 'M'], single: true });
const grain = control('TIME_GRAIN', { member: 'orders.date' });
const field = control('FIELD', { member: 'orders.state', members: ['orders.city', 'users.country'] });
const locked = control('FILTER', { member: 'orders.tenant', visibility: 'disabled' });

const scope: UrlScope = {
  prefix: '',
  controls: [status, listed, grain, field, locked],
  tabs: new Map([
    ['w1', ['a', 'b']],
    ['__proto__', ['x']],
  ]),
};
const read = (search: string, of = scope) => readUrlState(search, of, emptyDashboardState);
const state = (parts: Partial<DashboardState>): DashboardState => ({ ...emptyDashboardState, ...parts });

describe('the state in a URL', () => {
  it('is read in the platform’s format', () => {
    const search = '?f_orders.status={"value":"shipped"}&tg_orders.date=week&ms_orders.state=city&tab_w1=b';
    const expected = state({
      filters: { 'orders.status': { value: 'shipped' } },
      timeGrains: { 'orders.date': 'week' },
      members: { 'orders.state': 'orders.city' },
      tabs: { w1: 'b' },
    });
    expect(read(search)).toEqual(expected);
    expect(read(`?${encodeURIComponent('f_orders.status')}=%7B%22value%22:%22shipped%22%7D`).filters).toEqual(
      expected.filters,
    );
    expect(read('?ms_orders.state=users.country').members).toEqual({ 'orders.state': 'users.country' });
  });

  it('is written in the platform’s format', () => {
    const written = writeUrlState(
      '',
      scope,
      state({
        filters: { 'orders.status': { operator: 'equals', value: 'shipped' } },
        timeGrains: { 'orders.date': 'week' },
        members: { 'orders.state': 'orders.city' },
        tabs: { w1: 'b' },
      }),
    );
    expect(decodeURIComponent(written)).toBe(
      '?f_orders.status={"value":"shipped"}&tg_orders.date=week&ms_orders.state=city&tab_w1=b',
    );
  });

  it('omits controls without a choice, and writes cleared controls', () => {
    expect(writeUrlState('', scope, emptyDashboardState)).toBe('');
    const nothing = state({
      filters: { 'orders.status': null },
      timeGrains: { 'orders.date': null },
      members: { 'orders.state': null },
    });
    const written = writeUrlState('', scope, nothing);
    expect(written).toBe('?f_orders.status=null&tg_orders.date=&ms_orders.state=');
    expect(read(written)).toEqual(nothing);
  });

  it('keeps other parameters unchanged', () => {
    const others = '?a=%20+b&flag&f_other.member={"value":1}&utm=x%2';
    const chosen = state({ timeGrains: { 'orders.date': 'week' } });
    expect(writeUrlState(`${others}&tg_orders.date=day`, scope, chosen)).toBe(`${others}&tg_orders.date=week`);
    expect(writeUrlState(`${others}&tg_orders.date=day`, scope, emptyDashboardState)).toBe(others);
    expect(writeUrlState('?tg_orders.date=day', scope, emptyDashboardState)).toBe('');
  });

  it('distinguishes several dashboards by a prefix', () => {
    const sales = { ...scope, prefix: 'sales' };
    const chosen = state({ timeGrains: { 'orders.date': 'week' } });
    const written = writeUrlState('?tg_orders.date=day', sales, chosen);
    expect(written).toBe('?tg_orders.date=day&sales.tg_orders.date=week');
    expect(read(written, sales)).toEqual(chosen);
    expect(read(written).timeGrains).toEqual({ 'orders.date': 'day' });
  });

  it.each([
    ['a control that can’t be changed', 'f_orders.tenant={"value":"other"}'],
    ['a member without a control', 'f_orders.secret={"value":1}'],
    ['no JSON', 'f_orders.status=shipped'],
    ['an unknown operator', 'f_orders.status={"operator":"__proto__","value":"x"}'],
    ['a value of another shape', 'f_orders.status={"value":{"$ne":1}}'],
    ['a list of conditions', 'f_orders.status=[{"value":"x"}]'],
    ['a value that is not offered', 'f_orders.size={"value":"XXL"}'],
    ['two values where one can be chosen', 'f_orders.size={"value":["S","M"]}'],
    ['an operator where one value can be chosen', 'f_orders.size={"operator":"is_null"}'],
    ['an invalid phrase', 'f_orders.status={"operator":"custom","value":"1; drop table"}'],
    ['a granularity that is not offered', 'tg_orders.date=decade'],
    ['a member that is not offered', 'ms_orders.state=password'],
    ['an unknown tab', 'tab_w1=zzz'],
    ['a name of the language', '__proto__=1&tab___proto__=constructor&constructor=x'],
    ['half of an escape', 'f_orders.status=%7B%'],
    ['a value beyond bounds', `f_orders.status={"value":"${'x'.repeat(3000)}"}`],
  ])('ignores %s', (_what, search) => {
    expect(read(`?${search}`)).toEqual(emptyDashboardState);
  });

  it('uses the first of repeated parameters, and has length limits', () => {
    expect(read('?tg_orders.date=week&tg_orders.date=day').timeGrains).toEqual({ 'orders.date': 'week' });
    const long = state({
      filters: { 'orders.status': { value: Array.from({ length: 400 }, (_, i) => `value ${i}`) } },
    });
    expect(writeUrlState('?a=1', scope, long)).toBe('?a=1');
  });

  it('can be set by a parent even if the control is disabled', () => {
    const options = [{ id: 'x', controls: { locked: { value: 'x' } } }];
    const parent = control('PARENT', { options });
    const driven: FilterControl | Control = { ...locked, id: 'locked' };
    expect(read('?f_orders.tenant={"value":"x"}', { ...scope, controls: [driven, parent] }).filters).toEqual({
      'orders.tenant': { value: 'x' },
    });
  });

  it('is restored from a URL for any choice', () => {
    const scalar = fc.oneof(fc.string({ minLength: 1, maxLength: 30 }), fc.integer(), fc.boolean());
    const condition: fc.Arbitrary<FilterCondition> = fc.oneof(
      scalar.map(value => ({ value })),
      fc
        .array(fc.option(scalar), { minLength: 1, maxLength: 8 })
        .map(value => ({ operator: 'not_equals' as const, value })),
      fc.tuple(fc.integer(), fc.integer()).map(value => ({ operator: 'between' as const, value, endInclusive: false })),
      fc.constant({ operator: 'is_null' as const }),
      fc
        .constantFrom('today', 'last 7 days', 'from 7 days ago to now')
        .map(value => ({ operator: 'custom' as const, value })),
    );
    const any = fc.record({
      filters: fc.option(condition, { nil: undefined }),
      grain: fc.constantFrom(undefined, null, 'day', 'week'),
      member: fc.constantFrom(undefined, null, 'orders.city', 'users.country'),
      tab: fc.constantFrom(undefined, 'a', 'b'),
      cleared: fc.boolean(),
      before: fc.constantFrom('', '?q=1', '?q=%26&tg_orders.date=year'),
    });
    fc.assert(
      fc.property(any, ({ filters, grain: step, member, tab, cleared, before }) => {
        const chosen = state({
          filters: filters || cleared ? { 'orders.status': cleared ? null : (filters ?? null) } : {},
          timeGrains: step === undefined ? {} : { 'orders.date': step },
          members: member === undefined ? {} : { 'orders.state': member },
          tabs: tab === undefined ? {} : { w1: tab },
        });
        const search = writeUrlState(before, scope, chosen);
        expect(read(search)).toEqual(chosen);
        expect(writeUrlState(search, scope, chosen)).toBe(search);
        expect(new URL(`https://example.org/${search}`).search).toBe(search);
      }),
    );
  });

  it('ignores invalid URLs and never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.string({ maxLength: 80 }), (name, value) => {
        const found = read(`?f_orders.status=${value}&${name}=${value}&tab_${name}=x`);
        expect(Object.keys(found.filters).every(member => member === 'orders.status')).toBe(true);
        expect(found.members).toEqual({});
      }),
    );
  });
});
