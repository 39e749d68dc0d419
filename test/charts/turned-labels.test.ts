import { describe, expect, it } from 'vitest';
import type { SceneMark } from '../../src/charts/scene.js';
import { createView, lightTheme } from '../../src/charts/view.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

interface Label {
  readonly text?: string | readonly string[];
  readonly angle?: number;
  readonly align?: string;
  readonly limit?: number;
  readonly opacity?: number;
  readonly x?: number;
  readonly bounds: { readonly x1: number; readonly x2: number };
}

const day = columnOf('day', 'time', { granularity: { name: 'day', title: 'Day' } });
const columns = [columnOf('kind', 'string'), columnOf('hour', 'number'), day, columnOf('value', 'number')];
const rowsOf = (count: number, name: (index: number) => string) =>
  rowSetOf(
    columns,
    Array.from({ length: count }, (_, index) => ({
      kind: name(index),
      hour: index * 1_000,
      day: new Date(Date.UTC(2026, 0, index + 1)).toISOString().slice(0, -1),
      value: index + 1,
    })),
  );
const airport = (index: number) => `${String.fromCharCode(65 + (index % 26))}${index} International Airport`;
const kind = { field: 'kind', type: 'nominal' };
/** Bars with labels on the x axis only. */
const bars = (x: object, more: object = {}) => ({
  mark: 'bar',
  encoding: { x, y: { field: 'value', type: 'quantitative', axis: null } },
  ...more,
});

function labelsIn(mark: SceneMark): Label[] {
  return (mark.items ?? []).flatMap(item =>
    mark.role === 'axis-label' ? [item as unknown as Label] : (item.items ?? []).flatMap(labelsIn),
  );
}

async function drawn(spec: object, { count = 12, name = airport, width = 600, height = 300, locale = 'en' } = {}) {
  const size = { width, height };
  const chart = await createView({ spec: { ...spec }, rowSet: rowsOf(count, name), theme: lightTheme, locale, size });
  const labels = () => labelsIn(chart.scene.root).sort((a, b) => (a.x ?? 0) - (b.x ?? 0));
  return { chart, labels, shown: () => labels().filter(({ opacity }) => opacity !== 0) };
}

describe('labels of categories', () => {
  it.each([
    { count: 3, width: 600, angle: 0 },
    { count: 12, width: 600, angle: -45 },
    { count: 32, width: 600, angle: -90 },
    { count: 12, width: 280, angle: -90 },
  ])('of $count categories at $width px all stay, at $angle°', async ({ count, width, angle }) => {
    const { shown } = await drawn(bars(kind), { count, width });
    expect(shown()).toHaveLength(count);
    for (const label of shown()) expect(label).toMatchObject(angle ? { angle, align: 'right' } : { align: 'center' });
    for (const { limit } of shown()) expect(limit).toBeLessThanOrEqual(120);
  });

  it('are thinned evenly only if there is no space for them at 90°', async () => {
    const { labels } = await drawn(bars(kind), { count: 200 });
    const places = labels().flatMap(({ opacity }, index) => (opacity === 1 ? [index] : []));
    expect(new Set(places.slice(1).map((place, index) => place - (places[index] ?? 0))).size).toBe(1);
    expect(places.length).toBeGreaterThan(30);
  });

  it('have their space if only the chart without its other axis is wide enough for upright ones', async () => {
    const name = (index: number) => `Wednesda${index}`;
    const spec = { mark: 'bar', encoding: { x: kind, y: { field: 'value', type: 'quantitative' } } };
    for (let width = 620; width <= 720; width += 4) {
      const { chart } = await drawn(spec, { count: 7, name, width });
      const { root, top } = chart.scene;
      expect([width, (root.bounds?.y2 ?? 0) + top <= 301]).toEqual([width, true]);
    }
  });

  it('remain upright if they are short', async () => {
    const { shown } = await drawn(bars(kind), { count: 12, name: index => 'ABCDEFGHIJKL'.slice(index, index + 1) });
    expect(shown()).toHaveLength(12);
    for (const { angle } of shown()) expect(angle ?? 0).toBe(0);
  });

  it('are truncated to their band if that shows as much as a rotated label', async () => {
    const { shown } = await drawn(bars(kind), {
      count: 3,
      width: 330,
      height: 220,
      name: index => `${'Long name '.repeat(4)}${index}`,
    });
    expect(shown().map(({ angle = 0 }) => angle)).toEqual([0, 0, 0]);
    const [first, second] = shown();
    expect(first?.bounds.x2).toBeLessThan(second?.bounds.x1 ?? 0);
  });

  it('are rotated and straightened with the size of the chart', async () => {
    const { chart, shown } = await drawn(bars(kind), { count: 6, width: 1_200 });
    const angles = () => new Set(shown().map(({ angle = 0 }) => angle));
    expect([...angles()]).toEqual([0]);
    await chart.resize({ width: 300, height: 300 });
    expect([...angles()]).toEqual([-45]);
    await chart.resize({ width: 1_200, height: 300 });
    expect([...angles()]).toEqual([0]);
    expect(shown().map(({ align, limit }) => [align, limit])).toEqual(Array.from({ length: 6 }, () => ['center', 120]));
  });

  it('rise to the left in a mirrored chart', async () => {
    const { chart, shown } = await drawn(bars(kind), { locale: 'ar' });
    expect(chart.isMirrored).toBe(true);
    expect(shown()).toHaveLength(12);
    for (const label of shown()) expect(label).toMatchObject({ angle: 45, align: 'left' });
  });
});

describe('labels of times and numbers', () => {
  it.each([
    ['times', { field: 'day', type: 'ordinal' }],
    ['numbers', { field: 'hour', type: 'ordinal' }],
  ])('%s are thinned evenly and remain upright', async (_, x) => {
    const { labels } = await drawn(bars(x), { count: 30, width: 400 });
    const places = labels().flatMap(({ opacity }, index) => (opacity === 1 ? [index] : []));
    expect(places.length).toBeGreaterThan(2);
    expect(places.length).toBeLessThan(30);
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(new Set(gaps).size).toBe(1);
    expect(labels().every(({ angle = 0 }) => angle === 0)).toBe(true);
  });
});

describe('a specification that sets the angle or overlap of its labels', () => {
  it.each<[string, object]>([
    ['on its axis', bars({ ...kind, axis: { labelAngle: -30 } })],
    ['in its configuration', bars(kind, { config: { axisX: { labelAngle: -30 } } })],
    ['for all axes', bars(kind, { config: { axis: { labelAngle: -30 } } })],
  ])('keeps its angle: %s', async (_, spec) => {
    const { labels } = await drawn(spec);
    expect(labels()).toHaveLength(12);
    for (const { angle = 0 } of labels()) expect((angle + 360) % 360).toBe(330);
  });

  it.each<[string, object, number]>([
    ['none is omitted', bars({ ...kind, axis: { labelAngle: 0, labelOverlap: false } }), 12],
    ['upright labels are omitted', bars({ ...kind, axis: { labelAngle: 0 } }), 3],
    ['greedily', bars({ ...kind, axis: { labelOverlap: 'greedy' } }), 4],
  ])('keeps its choice: %s', async (_, spec, count) => {
    const { shown } = await drawn(spec);
    expect(shown().map(({ angle = 0 }) => angle)).toEqual(Array.from({ length: count }, () => 0));
  });
});

describe('labels of categories next to the plot', () => {
  it.each([
    { width: 200, height: 200, name: '1,000 to 1,999', text: ['1,000 to', '1,999'] },
    { width: 200, height: 200, name: '2,000 and more', text: ['2,000 and', 'more'] },
    { width: 200, height: 200, name: 'Dallas-Fort Worth', text: ['Dallas-Fort', 'Worth'] },
    { width: 200, height: 200, name: 'under 500', text: 'under 500' },
    { width: 200, height: 200, name: 'Massachusetts-Bay', text: 'Massachusetts-Bay' },
    { width: 200, height: 200, name: 'Some much longer name of it', text: 'Some much longer name of it' },
    { width: 500, height: 200, name: '1,000 to 1,999', text: '1,000 to 1,999' },
    { width: 200, height: 90, name: '1,000 to 1,999', text: '1,000 to 1,999' },
  ])('take two lines if one is too short and the categories are high: $name, $width × $height px', async options => {
    const { name, text, width, height } = options;
    const spec = { mark: 'bar', encoding: { y: kind, x: { field: 'value', type: 'quantitative', axis: null } } };
    const { labels } = await drawn(spec, { count: 3, name: index => (index === 0 ? name : `${index}`), width, height });
    expect(labels().map(label => label.text)).toContainEqual(text);
  });

  it('keep the text of the specification', async () => {
    const axis = { labelExpr: "datum.label + ' of the author'" };
    const y = { ...kind, axis };
    const spec = { mark: 'bar', encoding: { y, x: { field: 'value', type: 'quantitative', axis: null } } };
    const { labels } = await drawn(spec, { count: 3, name: String, width: 200, height: 200 });
    expect(labels().map(label => label.text)).toContain('0 of the author');
  });
});
