import { describe, expect, it } from 'vitest';
import {
  addControl,
  changeControl,
  controlPresets,
  fieldMembers,
  removeControl,
} from '../../../src/report/layout/edit-controls.js';

const filter = { type: 'FILTER', member: 'orders.status', title: '' } as const;
const chart = { id: 'widget-2', type: 'CHART', position: { x: 0, y: 0, w: 6, h: 4 }, config: { reportId: 1 } };

describe('controls of a draft', () => {
  it('are added after the others, with an id that no widget has', () => {
    const one = addControl({ widgets: [chart] }, filter);
    const two = addControl(one, { type: 'TIME_GRAIN', member: 'orders.date', title: 'Per' });
    expect(two.widgets).toEqual([
      chart,
      {
        id: expect.any(String),
        type: 'FILTER',
        position: { x: 0, y: 0, w: 3, h: 1 },
        config: { member: 'orders.status' },
      },
      {
        id: expect.any(String),
        type: 'TIME_GRAIN',
        position: { x: 1, y: 0, w: 3, h: 1 },
        config: { member: 'orders.date', title: 'Per' },
      },
    ]);
  });

  it('keep their settings while their field stays the same', () => {
    const widget = {
      id: 'a',
      type: 'FILTER',
      position: chart.position,
      config: { member: 'orders.status', value: 'x' },
    };
    const renamed = changeControl({ widgets: [widget] }, 'a', { ...filter, title: 'Status' });
    expect(renamed.widgets?.[0]?.config).toEqual({ member: 'orders.status', value: 'x', title: 'Status' });
    const other = changeControl(renamed, 'a', { ...filter, member: 'orders.city' });
    expect(other.widgets?.[0]?.config).toEqual({ member: 'orders.city' });
    expect(removeControl(other, 'a').widgets).toEqual([]);
  });

  const states = {
    id: 'p',
    type: 'PARENT',
    position: chart.position,
    config: {
      options: [
        { id: 'o', title: 'Both', controls: { a: { operator: 'equals', value: ['x'] }, b: 'month' } },
        { id: 'q', controls: { b: 'year' } },
      ],
      value: 'o',
    },
  };

  it('keep the keys of options that the editor does not support', () => {
    const widgets = [{ ...states, config: { options: [{ id: 'o', title: 'Both', controls: {}, icon: 'star' }] } }];
    const changed = changeControl({ widgets }, 'p', {
      type: 'PARENT',
      title: 'Views',
      options: [{ id: 'o', title: 'All', controls: { b: 'day' } }],
    });
    expect(changed.widgets?.[0]?.config?.options).toEqual([
      { id: 'o', title: 'All', controls: { b: 'day' }, icon: 'star' },
    ]);
  });

  it('lose the references to them when they are removed or get another kind', () => {
    const mapped = { ...chart, config: { reportId: 1, controls: { a: null, b: 'orders.day' } } };
    const control = addControl({ widgets: [mapped, states] }, filter).widgets?.at(-1);
    const widgets = [mapped, states, { ...control, id: 'a', type: 'FILTER', position: chart.position }];
    const expected = [
      { ...chart, config: { reportId: 1, controls: { b: 'orders.day' } } },
      {
        ...states,
        config: {
          options: [
            { id: 'o', title: 'Both', controls: { b: 'month' } },
            { id: 'q', controls: { b: 'year' } },
          ],
          value: 'o',
        },
      },
    ];
    expect(removeControl({ widgets }, 'a').widgets).toEqual(expected);
    const regrained = changeControl({ widgets }, 'a', { type: 'TIME_GRAIN', member: 'orders.date', title: '' });
    expect(regrained.widgets?.slice(0, 2)).toEqual(expected);
    expect(changeControl({ widgets }, 'a', { ...filter, title: 'Status' }).widgets?.slice(0, 2)).toEqual([
      mapped,
      states,
    ]);
  });

  it('remove the values of a control from presets if it gets another field', () => {
    const options = [{ id: 'o', title: 'Both', controls: { a: { operator: 'equals', value: ['open'] }, b: 'year' } }];
    const status = { id: 'a', type: 'FILTER', position: chart.position, config: { member: 'orders.status' } };
    const presets = { id: 'p', type: 'PARENT', position: chart.position, config: { options } };
    const changed = changeControl({ widgets: [status, presets] }, 'a', { ...filter, member: 'orders.date' });
    expect(changed.widgets?.[1]?.config?.options).toEqual([{ ...options[0], controls: { b: 'year' } }]);
  });

  it('keep titles of the fields to choose from, and a default that is still offered', () => {
    const members = ['orders.region', { member: 'orders.city', title: 'Town' }];
    const config = { member: 'orders.status', members, value: 'orders.region' };
    const widget = { id: 'a', type: 'FIELD', position: chart.position, config };
    const field = { type: 'FIELD', member: 'orders.status', title: 'By' } as const;
    expect(fieldMembers(widget)).toEqual(['orders.region', 'orders.city']);
    const kept = changeControl({ widgets: [widget] }, 'a', { ...field, members: ['orders.city', 'orders.region'] });
    expect(kept.widgets?.[0]?.config).toEqual({ ...config, members: [...members].reverse(), title: 'By' });
    const fewer = changeControl({ widgets: [widget] }, 'a', { ...field, members: ['orders.city'] });
    expect(fewer.widgets?.[0]?.config).toEqual({ member: 'orders.status', members: [members[1]], title: 'By' });
  });

  it('read and write presets, which keep their default only while it exists', () => {
    const options = controlPresets(states);
    expect(options.map(({ id, title }) => [id, title])).toEqual([
      ['o', 'Both'],
      ['q', 'q'],
    ]);
    const same = changeControl({ widgets: [states] }, 'p', { type: 'PARENT', title: 'View', options });
    expect(same.widgets?.[0]?.config).toMatchObject({ value: 'o', title: 'View' });
    const other = changeControl({ widgets: [states] }, 'p', { type: 'PARENT', title: '', options: options.slice(1) });
    expect(other.widgets?.[0]?.config).toEqual({ options: [{ id: 'q', title: 'q', controls: { b: 'year' } }] });
    expect(controlPresets({ ...states, config: { options: [null, 7, { title: 'x' }] } })).toEqual([]);
  });
});
