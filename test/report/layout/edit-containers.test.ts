import { expect, it } from 'vitest';
import type { DashboardConfig } from '../../../src/contract/dashboards.js';
import { editBoard } from '../../../src/report/layout/edit-board.js';
import {
  addContainer,
  changeContainer,
  containerContent,
  containerTiles,
  dissolveContainer,
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

it('keeps settings of a container that the editor does not know', () => {
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
