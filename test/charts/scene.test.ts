import { describe, expect, it } from 'vitest';
import { countMarks, nearestPoint, type SceneItem, type SceneMark } from '../../src/charts/scene.js';

const point = (x: number, y: number, rest: Partial<SceneItem> = {}): SceneItem => ({ x, y, tooltip: { x }, ...rest });
const line = (...items: SceneItem[]): SceneMark => ({ marktype: 'line', role: 'mark', items });
const plot = (x: number, ...items: SceneMark[]): SceneMark => ({
  marktype: 'group',
  role: 'frame',
  items: [{ x, y: 0, width: 100, height: 100, items }],
});

describe('countMarks', () => {
  it('counts the items of marks, a line as one item, and no axes', () => {
    const bars: SceneMark = { marktype: 'rect', role: 'mark', items: [{}, {}, {}] };
    const axis: SceneMark = { marktype: 'rule', role: 'axis-grid', items: [{}, {}] };
    expect(countMarks(plot(0, bars, axis, line(point(0, 0), point(1, 1)), line()))).toBe(4);
    expect(countMarks({})).toBe(0);
  });
});

describe('nearestPoint', () => {
  it('compares horizontal distance first, then vertical distance', () => {
    const scene = plot(0, line(point(10, 90), point(20, 90)), line(point(10, 10), point(20, 10)));
    expect(nearestPoint(scene, 17, 20)).toMatchObject({ item: { x: 20, y: 10 }, across: 3, along: -10 });
    expect(nearestPoint(scene, 2, 80)).toMatchObject({ item: { x: 10, y: 90 } });
  });

  it('measures relative to the group of a line', () => {
    const scene = plot(50, line(point(0, 0), point(40, 0)));
    expect(nearestPoint(scene, 55, 5)).toMatchObject({ item: { x: 0 }, across: -5 });
  });

  it('finds nothing outside the plot, between gaps or without tooltips', () => {
    expect(nearestPoint(plot(0, line(point(10, 10))), 101, 10)).toBeNull();
    expect(nearestPoint(plot(0, line(point(10, 10))), 10, -1)).toBeNull();
    expect(nearestPoint(plot(0, line(point(10, 10, { defined: false }))), 10, 10)).toBeNull();
    expect(nearestPoint(plot(0, line({ x: 10, y: 10 })), 10, 10)).toBeNull();
  });
});
