import { describe, expect, it } from 'vitest';
import { conditionOf, controlFor, controlOf, mappingOf } from '../../../src/report/controls/read-control.js';
import fc from '../../property.js';

const position = { x: 0, y: 0, w: 1, h: 1 };
const widget = (type: string, config: Record<string, unknown>) => ({ id: 'c', type, position, config });

describe('controlOf', () => {
  it('reads a filter, and names it after its member', () => {
    expect(controlOf(widget('FILTER', { member: 'orders.ship_state' }))).toEqual({
      id: 'c',
      kind: 'filter',
      title: 'Ship state',
      visibility: 'visible',
      member: 'orders.ship_state',
      values: null,
      single: false,
      operators: null,
      initial: null,
      userAttribute: null,
    });
    const config = {
      member: 'orders.state',
      title: 'Where',
      visibility: 'hidden',
      values: ['CA', 7, '', {}, 'NY'],
      value: ['CA', null],
      operator: 'not_equals',
      operators: ['equals', 'not_equals', 'drop table'],
      userAttribute: 'state',
      single: true,
    };
    expect(controlOf(widget('FILTER', config))).toMatchObject({
      title: 'Where',
      visibility: 'hidden',
      values: ['CA', 7, '', 'NY'],
      initial: { operator: 'not_equals', value: ['CA', null] },
      operators: ['equals', 'not_equals'],
      userAttribute: 'state',
      single: true,
    });
  });

  it('reads a granularity', () => {
    expect(controlOf(widget('TIME_GRAIN', { member: 'orders.date' }))).toMatchObject({
      kind: 'grain',
      values: ['day', 'week', 'month', 'quarter', 'year'],
      initial: null,
    });
    const config = { member: 'orders.date', granularities: ['day', '1; drop'], value: 'day', visibility: 'disabled' };
    expect(controlOf(widget('TIME_GRAIN', config))).toMatchObject({
      values: ['day'],
      initial: 'day',
      visibility: 'disabled',
    });
  });

  it('reads a field, whose members have a title or the model’s', () => {
    const members = ['orders.city', { member: 'orders.country', title: 'Land' }, { member: 7 }, '__proto__'];
    expect(controlOf(widget('FIELD', { member: 'orders.state', members }))).toMatchObject({
      kind: 'field',
      member: 'orders.state',
      members: [
        { member: 'orders.city', title: null },
        { member: 'orders.country', title: 'Land' },
      ],
    });
  });

  it('reads a parent with the values of its options', () => {
    const options = [
      { id: 'west', title: 'The West', controls: { state: { value: ['CA', 'NV'] }, step: 'week' } },
      { id: 'all', controls: { state: {}, other: 7 } },
      { title: 'without an id', controls: {} },
      'nonsense',
    ];
    const control = controlOf(widget('PARENT', { title: 'Region', options, value: 'west' }));
    expect(control).toMatchObject({ kind: 'parent', title: 'Region', initial: 'west' });
    expect(control?.kind === 'parent' && control.options).toEqual([
      {
        id: 'west',
        title: 'The West',
        controls: new Map<string, unknown>([
          ['state', { value: ['CA', 'NV'] }],
          ['step', 'week'],
        ]),
      },
      { id: 'all', title: 'all', controls: new Map() },
    ]);
  });

  it.each([
    ['another widget', widget('CHART', { member: 'orders.state' })],
    ['no member', widget('FILTER', {})],
    ['an invalid member', widget('FILTER', { member: '__proto__' })],
    ['a field without members', widget('FIELD', { member: 'orders.state', members: ['x'] })],
    ['a parent without options', widget('PARENT', { options: [] })],
    ['no config', { id: 'c', type: 'FILTER', position }],
  ])('returns null for %s', (_what, given) => {
    expect(controlOf(given)).toBeNull();
  });

  it('returns null for invalid input and never throws', () => {
    const types = fc.constantFrom('FILTER', 'TIME_GRAIN', 'FIELD', 'PARENT');
    const config = fc.dictionary(
      fc.constantFrom('member', 'value', 'values', 'operator', 'options', 'members', 'title', '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(types, config, (type, given) => {
        const control = controlOf(widget(type, given));
        if (control && control.kind !== 'parent') expect(control.member).toMatch(/^\w+\.\w+$/);
      }),
    );
  });
});

describe('conditionOf', () => {
  it('keeps valid properties', () => {
    const between = { operator: 'between', value: [1, 2], startInclusive: false, endInclusive: true, junk: 1 };
    expect(conditionOf(between)).toEqual({
      operator: 'between',
      value: [1, 2],
      startInclusive: false,
      endInclusive: true,
    });
    expect(conditionOf({ operator: 'is_null' })).toEqual({ operator: 'is_null' });
    expect(conditionOf({ value: ['a', {}, null] })).toEqual({ value: ['a', null] });
  });

  it.each([
    ['nothing', undefined],
    ['a list', ['CA']],
    ['no value', { operator: 'equals' }],
    ['an empty value', { value: '' }],
    ['an unknown operator', { operator: 'constructor', value: 'CA' }],
    ['an invalid value', { value: { $ne: null } }],
    ['an invalid number', { value: Number.NaN }],
  ])('returns null for %s', (_what, given) => {
    expect(conditionOf(given)).toBeNull();
  });
});

describe('a control for a member without one', () => {
  it('is a filter, named after it', () => {
    expect(controlFor('orders.state')).toMatchObject({ id: 'filter:orders.state', kind: 'filter', title: 'State' });
    expect(controlFor('nonsense')).toBeNull();
  });
});

describe('mappingOf', () => {
  it('reads the member of each control in a chart', () => {
    const controls = { a: 'orders.state', b: null, c: 'nonsense', d: 7 };
    expect([...mappingOf(widget('CHART', { controls }))]).toEqual([
      ['a', 'orders.state'],
      ['b', null],
    ]);
    expect(mappingOf(widget('CHART', { controls: 'x' })).size).toBe(0);
  });
});
