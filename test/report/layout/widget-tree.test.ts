import { describe, expect, it } from 'vitest';
import type { DashboardWidget } from '../../../src/contract/dashboards.js';
import { type ContainerBoard, widgetBoard } from '../../../src/report/layout/widget-board.js';
import { allNodes, openTab, tabsOf, type WidgetNode, widgetTree } from '../../../src/report/layout/widget-tree.js';
import fc, { casesAtDepth } from '../../property.js';

const position = { x: 0, y: 0, w: 6, h: 4 };
const widget = (
  id: string,
  type = 'CHART',
  config: Record<string, unknown> = {},
  place = position,
): DashboardWidget => ({
  id,
  type,
  position: place,
  config,
});
const box = (id: string, children: unknown, config: Record<string, unknown> = {}): DashboardWidget =>
  widget(id, 'CONTAINER', { children, ...config });

/** Summarizes a tree: containers with their children, and errors by kind. */
type Short = string | { readonly [id: string]: readonly Short[] };
function short(node: WidgetNode): Short {
  if (node.type === 'container') return { [node.key]: node.children.map(child => short(child.node)) };
  return node.type === 'error' ? `${node.error}: ${node.name}` : node.key;
}
const shorts = (...widgets: DashboardWidget[]): Short[] => widgetTree(widgets).nodes.map(short);

describe('a tree of widgets', () => {
  it('contains the children of a container only there, in its order', () => {
    expect(shorts(widget('a'), widget('b'), box('box', ['b', { id: 'c', title: 'C' }]), widget('c'))).toEqual([
      'a',
      { box: ['b', 'c'] },
    ]);
  });

  it('puts a widget into the first container that references it', () => {
    expect(shorts(widget('a'), box('one', ['a', 'a']), box('two', ['a']))).toEqual([
      { one: ['a', 'twice: a'] },
      { two: ['twice: a'] },
    ]);
  });

  it('reports missing, cyclic, unknown and too deeply nested widgets', () => {
    expect(shorts(box('one', ['gone', 'one']), widget('new', 'NEWER'))).toEqual([
      { one: ['missing: gone', 'cycle: one'] },
      'type: NEWER',
    ]);
    expect(shorts(box('one', ['two']), box('two', ['one']))).toEqual([{ one: [{ two: ['cycle: one'] }] }]);
    expect(
      shorts(
        box('1', ['2']),
        box('2', ['3']),
        box('3', ['4']),
        box('4', ['5', 'a']),
        box('5', ['b']),
        widget('a'),
        widget('b'),
      ),
    ).toEqual([{ 1: [{ 2: [{ 3: [{ 4: ['deep: 5', 'a'] }] }] }] }]);
  });

  it('distinguishes widgets with the same id, and supports names of prototypes', () => {
    expect(
      shorts(widget('a'), widget('a'), widget('constructor'), box('__proto__', ['constructor', 'toString'])),
    ).toEqual(['a', 'a (2)', { ['__proto__']: ['constructor', 'missing: toString'] }]);
  });

  it('separates controls, in reading order', () => {
    const late = widget('late', 'FILTER', {}, { ...position, y: 9 });
    const tree = widgetTree([late, widget('early', 'FIELD'), box('box', ['late', 'a']), widget('a')]);
    expect(tree.controls.map(({ id }) => id)).toEqual(['early', 'late']);
    expect(tree.nodes.map(short)).toEqual([{ box: ['a'] }]);
  });

  it('opens the chosen tab, otherwise the author’s, otherwise the first', () => {
    const [node] = widgetTree([widget('a'), widget('b'), box('box', ['a', 'b'], { layout: 'tabs', value: 'b' })]).nodes;
    if (node?.type !== 'container') throw new Error('no container');
    expect([openTab(node, 'a'), openTab(node, 'gone'), openTab({ ...node, initial: null }, null)]).toEqual([
      'a',
      'b',
      'a',
    ]);
    expect([...tabsOf([node])]).toEqual([['box', ['a', 'b']]]);
  });

  it('places every widget once for any references', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '__proto__', 'nowhere');
    const children = fc.oneof(
      fc.array(fc.oneof(name, fc.record({ id: name }), fc.anything()), { maxLength: 5 }),
      fc.anything(),
    );
    const type = fc.constantFrom('CONTAINER', 'TABS_CONTAINER', 'CHART', 'FILTER', 'SPACER', 'NEW');
    const config = fc.record({
      children,
      layout: fc.constantFrom('tabs', 'stack', 'grid', 3),
      cols: fc.oneof(fc.integer(), fc.constant('x')),
    });
    const widgets = fc.array(fc.record({ id: name, type, config }), { maxLength: 14 });
    fc.assert(
      fc.property(widgets, fc.nat(1500), (given, width) => {
        const all = given.map((one): DashboardWidget => ({ ...one, position }));
        const { nodes, controls } = widgetTree(all);
        const places = allNodes(nodes);
        expect(new Set(places.map(({ key }) => key)).size).toBe(places.length);
        const drawn = places.flatMap(node => (node.widget && node.type !== 'error' ? [node.widget] : []));
        expect(new Set(drawn).size).toBe(drawn.length);
        const hasDeepContainer = places.some(node => node.type === 'error' && node.error === 'deep');
        const unplaced = all.filter(one => !drawn.includes(one) && !controls.includes(one) && one.type !== 'NEW');
        if (!hasDeepContainer) expect(unplaced).toEqual([]);
        const board = widgetBoard(nodes, null, width);
        expect(board.grid.items.length).toBe(nodes.length);
        expect(board.containers.size).toBe(places.filter(node => node.type === 'container').length);
      }),
      { numRuns: casesAtDepth(500) },
    );
  });

  it('limits the error messages of containers with many invalid children', () => {
    const boxes = Array.from({ length: 500 }, (_, index) => box(`box ${index}`, Array(100).fill('nothing')));
    const { nodes, omittedCount } = widgetTree(boxes);
    expect(allNodes(nodes).filter(({ type }) => type === 'error')).toHaveLength(500);
    expect(omittedCount).toBe(49_500);
    expect(new Set(allNodes(nodes).map(({ key }) => key)).size).toBe(1_000);
  });
});

describe('a board', () => {
  const boardOf = (widgets: DashboardWidget[], width = 1440) => widgetBoard(widgetTree(widgets).nodes, null, width);
  const containerOf = (widgets: DashboardWidget[], width?: number): ContainerBoard | undefined =>
    boardOf(widgets, width).containers.get('box');

  it('makes a horizontal stack vertical in a narrow container', () => {
    const widgets = [widget('a'), widget('b'), box('box', ['a', 'b'], { direction: 'horizontal' })];
    expect(containerOf(widgets, 1440)).toEqual({ type: 'stack', direction: 'horizontal' });
    expect(containerOf(widgets, 400)).toEqual({ type: 'stack', direction: 'vertical' });
  });

  it('has the columns of a grid container, or two if it is narrow', () => {
    const wide = widget('box', 'CONTAINER', { children: ['a'], layout: 'grid', cols: 24 }, { x: 0, y: 0, w: 12, h: 4 });
    expect(containerOf([widget('a'), wide])).toMatchObject({ grid: { columns: 24, rowHeight: 30, margin: [16, 16] } });
    expect(containerOf([widget('a'), wide], 400)).toMatchObject({ grid: { columns: 2 } });
  });

  it('is as high as its content, including nested containers', () => {
    const inner = widget('inner', 'CONTAINER', { children: ['a', 'b'], layout: 'grid', cols: 1, title: 'Inner' });
    const outer = widget('box', 'CONTAINER', { children: ['inner'], layout: 'tabs' }, { x: 0, y: 0, w: 12, h: 2 });
    const tall = { ...position, h: 10 };
    const widgets = [widget('a', 'CHART', {}, tall), widget('b', 'CHART', {}, tall), inner, outer];
    // Two tiles of 444 px and a margin, a heading of 34 and tabs of 56: 994 px are 22 rows of 46 with the last margin.
    expect(boardOf(widgets).grid.items).toEqual([{ id: 'box', x: 0, y: 0, w: 12, h: 22 }]);
  });

  it('keeps the height of a container if its content fits', () => {
    const roomy = widget('box', 'CONTAINER', { children: ['a'] }, { x: 0, y: 0, w: 12, h: 9 });
    expect(boardOf([widget('a'), roomy]).grid.items).toEqual([{ id: 'box', x: 0, y: 0, w: 12, h: 9 }]);
  });
});
