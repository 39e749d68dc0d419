import { describe, expect, it } from 'vitest';
import { addControl, changeControl, removeControl } from '../../../src/report/layout/edit-controls.js';

const filter = { type: 'FILTER', member: 'orders.status', title: '' } as const;
const chart = { id: 'widget-2', type: 'CHART', position: { x: 0, y: 0, w: 6, h: 4 }, config: { reportId: 1 } };

describe('controls of a draft', () => {
  it('are added after the others, with an id that no widget has', () => {
    const one = addControl({ widgets: [chart] }, filter);
    const two = addControl(one, { type: 'TIME_GRAIN', member: 'orders.date', title: 'Per' });
    expect(two.widgets).toEqual([
      chart,
      { id: 'widget-3', type: 'FILTER', position: { x: 0, y: 0, w: 3, h: 1 }, config: { member: 'orders.status' } },
      {
        id: 'widget-4',
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
});
