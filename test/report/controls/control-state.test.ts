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
const status = control('FILTER', 'status', { member: 'orders.status', value: 'new', userAttribute: 'favorite' });
const step = control('TIME_GRAIN', 'step', { member: 'orders.date', value: 'month' });
const by = control('FIELD', 'by', { member: 'orders.state', members: ['orders.city'] });
const parent = control('PARENT', 'parent', {
  options: [
    { id: 'a', controls: { status: { value: 'open' }, step: 'week', by: 'orders.city', missing: 'x' } },
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
const statesOf = (controls: readonly Control[], parts: Partial<ControlSources> = {}) =>
  controlStates(controls, layers(parts)).map(({ value, by: who, fixed }) => ({ value, by: who, fixed }));
const filters = (value: string): Filters => ({ 'orders.status': { value } });

describe('the effective value of a filter', () => {
  it('is set by the author, an attribute, the host, the viewer or a lock, in ascending precedence', () => {
    const attributes = { favorite: 'hot' };
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
      expect(statesOf([status], parts)).toEqual([{ value: { value }, by: who, fixed: who === 'lock' }]);
    }
  });

  it('is empty if the viewer cleared it, with any default', () => {
    const state = { ...emptyDashboardState, filters: { 'orders.status': null } };
    expect(statesOf([status], { state, attributes: { favorite: 'hot' } })).toEqual([
      { value: null, by: 'viewer', fixed: false },
    ]);
  });

  it('accepts several values of an attribute, and ignores an invalid one', () => {
    expect(statesOf([status], { attributes: { favorite: ['hot', 'new'] } })[0]?.value).toEqual({
      value: ['hot', 'new'],
    });
    for (const favorite of [null, {}, '', [], undefined]) {
      expect(statesOf([status], { attributes: { favorite } })[0]?.by).toBe('author');
    }
    const named = control('FILTER', 'x', { member: 'orders.x', userAttribute: 'constructor' });
    expect(statesOf([named])[0]?.by).toBe('author');
  });
});

describe('a parent', () => {
  it('sets all controls of an option, and shows the option that they match', () => {
    const controls = [status, step, by, parent];
    const state = withControlValue(emptyDashboardState, controls, parent, 'a');
    expect(state).toEqual({
      filters: filters('open'),
      timeGrains: { 'orders.date': 'week' },
      members: { 'orders.state': 'orders.city' },
      tabs: {},
    });
    expect(statesOf([status, step, by], { state }).map(({ value }) => value)).toEqual([
      { value: 'open' },
      'week',
      'orders.city',
    ]);
    expect(withControlValue(state, controls, parent, 'there is none')).toEqual(state);
  });

  it('has a default option, which overrides the defaults of its controls', () => {
    const first = control('PARENT', 'first', {
      options: [{ id: 'b', controls: { status: { value: 'done' } } }],
      value: 'b',
    });
    expect(statesOf([status, first]).map(({ value }) => value)).toEqual([{ value: 'done' }, 'b']);
    const state = { ...emptyDashboardState, filters: filters('else') };
    expect(statesOf([status, first], { state }).map(({ value }) => value)).toEqual([{ value: 'else' }, null]);
  });
});

describe('the viewer’s choices', () => {
  it('are stored by member, and cleared by a reset that does not change tabs', () => {
    const tabs = { w: 't' };
    const once = withControlValue({ ...emptyDashboardState, tabs }, [step], step, 'week');
    expect(once.timeGrains).toEqual({ 'orders.date': 'week' });
    expect(hasChoices(once)).toBe(true);
    expect(resetState(once)).toEqual({ ...emptyDashboardState, tabs });
    expect(hasChoices(resetState(once))).toBe(false);
    expect(hasChoices(withControlValue(emptyDashboardState, [step], step, null))).toBe(true);
  });

  it('apply to queries with the member and type of their control', () => {
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

describe('the filters of a host', () => {
  it('keep their valid parts and drop the others', () => {
    const given = JSON.parse('{"orders.status":{"value":"x"},"__proto__":{"value":1},"a.b":{"value":{}},"c.d":null}');
    expect(parseHostFilters(given)).toEqual({ 'orders.status': { value: 'x' }, 'c.d': null });
    expect(parseHostFilters(null)).toEqual({});
  });

  it('have a control if the dashboard has none', () => {
    const beside = implicitControls([status], filters('x'), { 'orders.city': { value: 'y' } }, { 'orders.city': null });
    expect(beside.map(({ id }) => id)).toEqual(['filter:orders.city']);
  });
});
