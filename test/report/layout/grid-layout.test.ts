import { describe, expect, it } from 'vitest';
import type { DashboardWidget, WidgetPosition } from '../../../src/contract/dashboards.js';
import { type GridItem, gridLayout } from '../../../src/report/layout/grid-layout.js';
import fc from '../../property.js';

const at = (x: number, y: number, w: number, h: number): WidgetPosition => ({ x, y, w, h });
const widget = (id: string, position: WidgetPosition, rest: Partial<DashboardWidget> = {}): DashboardWidget => ({
  id,
  type: 'CHART',
  position,
  ...rest,
});
const places = (items: readonly GridItem[]) => items.map(({ id, x, y, w, h }) => [id, x, y, w, h]);

describe('breakpoints', () => {
  it.each([
    [1440, 'lg', 12],
    [1200, 'md', 10],
    [800, 'sm', 6],
    [500, 'xs', 4],
    [320, 'xxs', 2],
    [0, 'xxs', 2],
  ])('gives a container of %s px %s with %s columns', (width, breakpoint, columns) => {
    expect(gridLayout(null, [], width)).toMatchObject({ breakpoint, columns });
  });

  it('uses only the breakpoints of the layout', () => {
    const layout = { breakpoints: { lg: 800, xs: 300, md: null }, cols: { lg: 24, xs: 1 } };
    expect(gridLayout(layout, [], 900)).toMatchObject({ breakpoint: 'lg', columns: 24 });
    expect(gridLayout(layout, [], 700)).toMatchObject({ breakpoint: 'xs', columns: 1 });
    expect(gridLayout(layout, [], 100)).toMatchObject({ breakpoint: 'xs', columns: 1 });
  });
});

describe('measures', () => {
  it('has defaults, with less margin on a narrow page', () => {
    expect(gridLayout(undefined, [], 1440)).toMatchObject({
      rowHeight: 30,
      margin: [16, 16],
      padding: [0, 0],
      height: 0,
    });
    expect(gridLayout(undefined, [], 599).margin).toEqual([12, 12]);
  });

  it('counts the height of rows, margins and padding', () => {
    const layout = { rowHeight: 50, margin: [8, 10], containerPadding: [4, 6] };
    expect(gridLayout(layout, [widget('a', at(0, 0, 4, 3))], 1440).height).toBe(3 * 50 + 2 * 10 + 2 * 6);
  });
});

describe('placing', () => {
  it('does not change a compact board, in reading order', () => {
    const board = [widget('c', at(0, 2, 12, 2)), widget('b', at(6, 0, 6, 2)), widget('a', at(0, 0, 6, 2))];
    expect(places(gridLayout(null, board, 1440).items)).toEqual([
      ['a', 0, 0, 6, 2],
      ['b', 6, 0, 6, 2],
      ['c', 0, 2, 12, 2],
    ]);
  });

  it('closes gaps upwards and pushes what collides down', () => {
    const board = [widget('a', at(0, 5, 6, 2)), widget('b', at(3, 5, 6, 2)), widget('c', at(9, 100, 3, 1))];
    expect(places(gridLayout(null, board, 1440).items)).toEqual([
      ['a', 0, 0, 6, 2],
      ['c', 9, 0, 3, 1],
      ['b', 3, 2, 6, 2],
    ]);
  });

  it('fits a board of 12 columns into fewer columns', () => {
    const board = [widget('a', at(0, 0, 6, 2)), widget('b', at(6, 0, 6, 2)), widget('c', at(0, 2, 12, 2))];
    expect(places(gridLayout(null, board, 320).items)).toEqual([
      ['a', 0, 0, 2, 2],
      ['b', 0, 2, 2, 2],
      ['c', 0, 4, 2, 2],
    ]);
  });

  it('prefers the position of a widget for the breakpoint', () => {
    const board = [
      widget('a', at(0, 0, 6, 2)),
      widget('b', at(6, 0, 6, 2), { responsiveLayouts: { xxs: at(0, 0, 2, 1), xs: null } }),
    ];
    expect(places(gridLayout(null, board, 320).items)).toEqual([
      ['a', 0, 0, 2, 2],
      ['b', 0, 2, 2, 1],
    ]);
    expect(gridLayout(null, board, 500).items.find(({ id }) => id === 'b')).toMatchObject({ w: 4, h: 2 });
  });

  it('reuses positions if another width requests the same, and lays out again otherwise', () => {
    const board = [widget('a', at(0, 0, 6, 2)), widget('b', at(6, 0, 6, 2))];
    const before = gridLayout(null, board, 1440);
    expect(gridLayout(null, board, 1300, { before }).items).toBe(before.items);
    expect(gridLayout(null, board, 1000, { before }).items).toEqual(gridLayout(null, board, 1000).items);
  });

  it('limits columns, rows and margins', () => {
    const huge = { cols: { lg: 1e9 }, rowHeight: 1e9, margin: [1e9, -4], containerPadding: [1e9, 1e9] };
    const grid = gridLayout(huge, [widget('a', at(0, 0, 1e9, 1e9)), widget('b', at(0, 0, 0, -1))], 1440);
    expect(grid).toMatchObject({ columns: 100, rowHeight: 1_000, padding: [200, 200] });
    expect(grid.margin[1]).toBe(0);
    expect(2 * grid.padding[0] + 99 * grid.margin[0] + 100).toBeLessThanOrEqual(1440);
    expect(grid.items.map(({ w, h }) => [w, h])).toEqual([
      [100, 500],
      [1, 1],
    ]);
    expect(gridLayout({ rowHeight: Number.NaN, margin: [] }, [], 1440)).toMatchObject({
      rowHeight: 1,
      margin: [16, 16],
    });
  });

  it('never overlaps, never leaves the grid, never loses a widget', () => {
    const position = fc.record({
      x: fc.integer({ min: -2, max: 30 }),
      y: fc.integer({ min: -2, max: 10_000 }),
      w: fc.integer({ min: -1, max: 40 }),
      h: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(position, { maxLength: 25 }), fc.integer({ min: 0, max: 2000 }), (positions, width) => {
        const grid = gridLayout(
          null,
          positions.map((place, index) => widget(String(index), place)),
          width,
        );
        expect(grid.items).toHaveLength(positions.length);
        const cells = new Set<string>();
        for (const { x, y, w, h } of grid.items) {
          expect(x >= 0 && y >= 0 && x + w <= grid.columns).toBe(true);
          for (let column = x; column < x + w; column++) {
            for (let row = y; row < y + h; row++) {
              expect(cells.has(`${column},${row}`)).toBe(false);
              cells.add(`${column},${row}`);
            }
          }
        }
      }),
    );
  });
});
