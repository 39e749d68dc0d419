import { describe, expect, it } from 'vitest';
import {
  type ControlSources,
  choicesOf,
  controlStates,
  type Filters,
  hasChoices,
  resetState,
  withControlValue,
} from '../../../src/report/controls/control-state.js';
import type { Control } from '../../../src/report/controls/controls.js';
import { emptyDashboardState } from '../../../src/report/controls/dashboard-state.js';
import { implicitControls, parseHostFilters } from '../../../src/report/controls/host-state.js';
import { controlOf } from '../../../src/report/controls/read-control.js';

const position = { x: 0, y: 0, w: 1, h: 1 };
const control = (type: string, id: string, config: Record<string, unknown>): Control => {
  const read = controlOf({ id, type, position, config });
  if (!read) throw new Error('no control');
  return read;
};
const status = control('FILTER', 'status', { member: 'orders.status', value: 'new', userAttribute: 'favourite' });
const step = control('TIME_GRAIN', 'step', { member: 'orders.date', value: 'month' });
const by = control('FIELD', 'by', { member: 'orders.state', members: ['orders.city'] });
const parent = control('PARENT', 'parent', {
  options: [
    { id: 'a', controls: { status: { value: 'open' }, step: 'week', by: 'orders.city', nobody: 'x' } },
    { id: 'b', controls: { status: { value: 'done' } } },
  ],
});
const layers = (parts: Partial<ControlSources> = {}): ControlSources => ({
  locked: {},
  state: emptyDashboardState,
  given: {},
  attributes: {},
  ...parts,
});
const standing = (controls: readonly Control[], parts: Partial<ControlSources> = {}) =>
  controlStates(controls, layers(parts)).map(({ value, by: who, fixed }) => ({ value, by: who, fixed }));
const filters = (value: string): Filters => ({ 'orders.status': { value } });

describe('what is in force for a filter', () => {
  it('is the author’s, unless an attribute, the host, the viewer or a lock says otherwise, each before the last', () => {
    const attributes = { favourite: 'hot' };
    const given = filters('given');
    const state = { ...emptyDashboardState, filters: filters('viewed') };
    const locked = filters('locked');
    const expected = [
      [{}, 'new', 'author'],
      [{ attributes }, 'hot', 'attribute'],
      [{ attributes, given }, 'given', 'host'],
      [{ attributes, given, state }, 'viewed', 'viewer'],
      [{ attributes, given, state, locked }, 'locked', 'lock'],
    ] as const;
    for (const [parts, value, who] of expected) {
      expect(standing([status], parts)).toEqual([{ value: { value }, by: who, fixed: who === 'lock' }]);
    }
  });

  it('is nothing where the viewer chose nothing, whatever stands by default', () => {
    const state = { ...emptyDashboardState, filters: { 'orders.status': null } };
    expect(standing([status], { state, attributes: { favourite: 'hot' } })).toEqual([
      { value: null, by: 'viewer', fixed: false },
    ]);
  });

  it('takes any of several values of an attribute, and nothing of one that is none', () => {
    expect(standing([status], { attributes: { favourite: ['hot', 'new'] } })[0]?.value).toEqual({
      value: ['hot', 'new'],
    });
    for (const favourite of [null, {}, '', [], undefined]) {
      expect(standing([status], { attributes: { favourite } })[0]?.by).toBe('author');
    }
    const named = control('FILTER', 'x', { member: 'orders.x', userAttribute: 'constructor' });
    expect(standing([named])[0]?.by).toBe('author');
  });
});

describe('a parent', () => {
  it('chooses by all controls that it drives, and stands by the option that they make', () => {
    const controls = [status, step, by, parent];
    const state = withControlValue(emptyDashboardState, controls, parent, 'a');
    expect(state).toEqual({
      filters: filters('open'),
      timeGrains: { 'orders.date': 'week' },
      members: { 'orders.state': 'orders.city' },
      tabs: {},
    });
    expect(standing([status, step, by], { state }).map(({ value }) => value)).toEqual([
      { value: 'open' },
      'week',
      'orders.city',
    ]);
    expect(withControlValue(state, controls, parent, 'there is none')).toEqual(state);
  });

  it('stands by an option at first, before what its controls stand by', () => {
    const first = control('PARENT', 'first', {
      options: [{ id: 'b', controls: { status: { value: 'done' } } }],
      value: 'b',
    });
    expect(standing([status, first]).map(({ value }) => value)).toEqual([{ value: 'done' }, 'b']);
    const state = { ...emptyDashboardState, filters: filters('else') };
    expect(standing([status, first], { state }).map(({ value }) => value)).toEqual([{ value: 'else' }, null]);
  });
});

describe('the viewer’s choices', () => {
  it('are kept by member, and taken back by a reset that leaves tabs open', () => {
    const tabs = { w: 't' };
    const once = withControlValue({ ...emptyDashboardState, tabs }, [step], step, 'week');
    expect(once.timeGrains).toEqual({ 'orders.date': 'week' });
    expect(hasChoices(once)).toBe(true);
    expect(resetState(once)).toEqual({ ...emptyDashboardState, tabs });
    expect(hasChoices(resetState(once))).toBe(false);
    expect(hasChoices(withControlValue(emptyDashboardState, [step], step, null))).toBe(true);
  });

  it('reach queries under the member of their control, with its type', () => {
    const states = controlStates([status, step, by, parent], layers());
    expect(choicesOf(states, () => 'string')).toEqual([
      {
        kind: 'filter',
        title: 'Status',
        member: 'orders.status',
        control: 'status',
        condition: { value: 'new' },
        type: 'string',
        from: null,
      },
      { kind: 'grain', title: 'Date', member: 'orders.date', control: 'step', value: 'month' },
      { kind: 'field', title: 'State', member: 'orders.state', control: 'by', value: null },
    ]);
  });
});

describe('what a host filters by', () => {
  it('is what can be understood of it, whatever it is', () => {
    const given = JSON.parse('{"orders.status":{"value":"x"},"__proto__":{"value":1},"a.b":{"value":{}},"c.d":null}');
    expect(parseHostFilters(given)).toEqual({ 'orders.status': { value: 'x' }, 'c.d': null });
    expect(parseHostFilters(null)).toEqual({});
  });

  it('has a control where the dashboard has none', () => {
    const beside = implicitControls([status], filters('x'), { 'orders.city': { value: 'y' } }, { 'orders.city': null });
    expect(beside.map(({ id }) => id)).toEqual(['filter:orders.city']);
  });
});
