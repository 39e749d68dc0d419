import { describe, expect, it } from 'vitest';
import { type TooltipItem, tooltipContent } from '../../../src/charts/interaction/tooltip.js';

const readable = (title: string) => title.replace('orders.total', 'Total');
const bar: TooltipItem = { fill: '#123456', mark: { marktype: 'rect' } };

describe('tooltipContent', () => {
  it('uses the first entry as title and lists the others', () => {
    expect(tooltipContent({ ...bar, tooltip: { Status: 'new', 'orders.total': '12' } }, readable)).toEqual({
      title: 'new',
      rows: [{ label: 'Total', value: '12', color: '#123456' }],
    });
  });

  it('shows plain text as a title', () => {
    expect(tooltipContent({ ...bar, tooltip: 'Hello' }, readable)).toEqual({ title: 'Hello', rows: [] });
    expect(tooltipContent({ ...bar, tooltip: { Only: 3 } }, readable)).toEqual({ title: '3', rows: [] });
  });

  it.each([null, undefined, '', {}])('shows nothing for %j', value => {
    expect(tooltipContent({ ...bar, tooltip: value }, readable)).toBeNull();
  });

  it('limits the rows and the length of values', () => {
    const value = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, 'x'.repeat(1000)]));
    const content = tooltipContent({ ...bar, tooltip: value }, readable);
    expect(content?.rows).toHaveLength(12);
    expect(content?.rows[0]?.value).toHaveLength(200);
  });

  it('gives every series of a line chart a row at the same x', () => {
    const line = (name: string, stroke: string) => ({
      marktype: 'line',
      items: [10, 20].map(x => ({ x, stroke, tooltip: { Month: `m${x}`, Total: `${x}`, Status: name } })),
    });
    const groups = [{ items: [line('new', '#111111')] }, { items: [line('old', '#222222')] }];
    const parent = { mark: { items: groups } };
    const item: TooltipItem = { x: 20, mark: { marktype: 'line', group: parent } };
    expect(
      tooltipContent({ ...item, tooltip: () => ({ Month: 'm20', Total: '20', Status: 'new' }) }, readable),
    ).toEqual({
      title: 'm20',
      rows: [
        { label: 'new', value: '20', color: '#111111' },
        { label: 'old', value: '20', color: '#222222' },
      ],
    });
  });
});
