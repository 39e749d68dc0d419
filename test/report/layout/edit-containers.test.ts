import { expect, it } from 'vitest';
import type { DashboardConfig } from '../../../src/contract/dashboards.js';
import { editBoard } from '../../../src/report/layout/edit-board.js';
import {
  addContainer,
  changeContainer,
  containerContent,
  containerOf,
  containerTargets,
  containerTiles,
  dissolveContainer,
  moveInContainer,
  moveToContainer,
  moveToGrid,
  removeFromContainer,
  sizeOnGrid,
} from '../../../src/report/layout/edit-containers.js';

const chart = (id: string, x: number) => ({
  id,
  type: 'CHART',
  position: { x, y: 0, w: 6, h: 4 },
  config: { reportId: 1 },
});
const board: DashboardConfig = { widgets: [chart('a', 0), chart('b', 6)] };
const tabs = { title: 'Flights', layout: 'tabs', children: [{ id: 'b', title: 'By day' }] } as const;

it('moves tiles into a container and back to the grid', () => {
  const added = addContainer(board, tabs);
  const container = added.config.widgets?.find(({ id }) => id === added.id);
  if (!container) throw new Error('There is no container.');
  expect(container.config).toEqual({ layout: 'tabs', title: 'Flights', children: [{ id: 'b', title: 'By day' }] });
  expect(containerContent(container)).toEqual(tabs);
  expect([...editBoard(added.config).widgets.keys()]).toEqual(['a', added.id]);
  expect([...containerTiles(added.config, null, ({ id }) => id).keys()]).toEqual(['a']);
  expect([...containerTiles(added.config, container, ({ id }) => id).keys()]).toEqual(['b', 'a']);
  const changed = changeContainer(added.config, added.id, { ...tabs, title: '', children: [{ id: 'a', title: '' }] });
  expect([...editBoard(changed).widgets.keys()].sort()).toEqual(['b', added.id]);
  const dissolved = dissolveContainer(changed, added.id);
  const { items } = editBoard(dissolved);
  expect(items.map(({ id }) => id).sort()).toEqual(['a', 'b']);
  expect(new Set(items.map(({ x, y }) => `${x} ${y}`)).size).toBe(2);
});

it('keeps settings of a container that the editor does not support', () => {
  const widgets = [
    chart('a', 0),
    {
      id: 'c',
      type: 'CONTAINER',
      position: { x: 0, y: 4, w: 12, h: 6 },
      config: { layout: 'tabs', cols: 6, children: [{ id: 'a', title: 'A', icon: 'star' }] },
    },
  ];
  const changed = changeContainer({ widgets }, 'c', { ...tabs, children: [{ id: 'a', title: 'New' }] });
  expect(changed.widgets?.[1]?.config).toEqual({
    layout: 'tabs',
    cols: 6,
    title: 'Flights',
    children: [{ id: 'a', title: 'New', icon: 'star' }],
  });
});

it('moves tiles into nested containers and out of them, and refuses cycles and too many levels', () => {
  const container = (id: string, y: number, children: readonly unknown[] = []) => ({
    id,
    type: 'CONTAINER',
    position: { x: 0, y, w: 12, h: 6 },
    config: { layout: 'tabs', children },
  });
  const children = ['a', { id: 'b', title: 'B', icon: 'star' }];
  const config: DashboardConfig = {
    widgets: [chart('a', 0), chart('b', 6), container('c', 4, children), container('d', 10), container('e', 16)],
  };
  const inside = (board: DashboardConfig, id: string) => board.widgets?.find(each => each.id === id)?.config?.children;
  const onGrid = (board: DashboardConfig) => [...editBoard(board).widgets.keys()];
  expect(containerTargets(config, 'a').map(({ id }) => id)).toEqual(['d', 'e']);

  const moved = moveToContainer(config, 'b', 'd');
  expect([inside(moved, 'c'), inside(moved, 'd')]).toEqual([['a'], [children[1]]]);
  const out = moveToContainer(moved, 'b', null);
  expect(onGrid(out)).toContain('b');
  expect(sizeOnGrid(moved, 'b')).toEqual({ w: 6, h: 4 });
  const placed = moveToGrid(moved, 'b', [{ id: 'b', x: 3, y: 18, w: 6, h: 4 }]);
  expect(editBoard(placed).items.find(({ id }) => id === 'b')).toMatchObject({ x: 3, y: 18 });
  expect(new Set(editBoard(out).items.map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
  expect(moveInContainer(config, 'b', 1)).toBe(config);
  expect(inside(moveInContainer(config, 'b', -1), 'c')).toEqual([children[1], 'a']);
  const first = moveToContainer(config, 'b', 'c', 0);
  expect(inside(first, 'c')).toEqual([children[1], 'a']);
  expect([moveToContainer(first, 'b', 'c', 0), moveToContainer(config, 'b', 'c')]).toEqual([first, config]);
  expect(inside(moveToContainer(first, 'd', 'c', 1), 'c')).toEqual([children[1], { id: 'd' }, 'a']);

  const nested = moveToContainer(moveToContainer(config, 'd', 'c'), 'e', 'd');
  expect(onGrid(nested)).toEqual(['c']);
  expect(containerOf(nested, 'e')?.id).toBe('d');
  expect(moveToContainer(nested, 'c', 'e')).toBe(nested);
  expect(moveToContainer(config, 'a', 'missing')).toBe(config);
  const removed = removeFromContainer(nested, 'd');
  expect(removed.widgets?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);

  const deep = { widgets: [...(nested.widgets ?? []), container('f', 30), container('g', 40)] };
  const full = moveToContainer(deep, 'f', 'e');
  expect(containerTargets(full, 'g').map(({ id }) => id)).toEqual(['c', 'd', 'e']);
  expect(moveToContainer(full, 'g', 'f')).toBe(full);
});
