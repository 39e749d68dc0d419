import {
  bottom,
  calcGridItemPosition,
  correctBounds,
  findOrGenerateResponsiveLayout,
  getBreakpointFromWidth,
  type LayoutItem,
  verticalCompactor,
} from 'react-grid-layout/core';
import { describe, expect, it } from 'vitest';
import type { BreakpointName, DashboardLayout, WidgetPosition } from '../../../src/contract/dashboards.js';
import { type Grid, type GridWidget, gridLayout, itemWidth } from '../../../src/report/layout/grid-layout.js';
import fc, { casesAtDepth } from '../../property.js';

// Dashboard layouts follow react-grid-layout 2.3.0: tiles have the positions that it computes on mount.

const names = ['lg', 'md', 'sm', 'xs', 'xxs'] as const;
const breakpoints = { lg: 1200, md: 996, sm: 768, xs: 480, xxs: 0 };
const cols = { lg: 12, md: 10, sm: 6, xs: 4, xxs: 2 };

const itemOf = (i: string, { x, y, w, h }: WidgetPosition): LayoutItem => ({ i, x, y, w, h });

/**
 * Returns the initial layout of a responsive grid: found or generated for the breakpoint, then corrected and compacted.
 */
function reference(layout: DashboardLayout, widgets: readonly GridWidget[], width: number): Grid['items'] {
  const from: Record<string, number> = layout.breakpoints ? present(layout.breakpoints) : breakpoints;
  const breakpoint = getBreakpointFromWidth<string>(from, width) as BreakpointName;
  const columns = layout.cols?.[breakpoint] ?? cols[breakpoint];
  const widest = names.filter(name => name in from).reduce((a, b) => (Number(from[b]) >= Number(from[a]) ? b : a));
  const own = names.filter(name => name === widest || widgets.some(widget => widget.responsiveLayouts?.[name]));
  const layouts = Object.fromEntries(
    own.map(name => [
      name,
      widgets.map(({ id, position, responsiveLayouts }) => itemOf(id, responsiveLayouts?.[name] ?? position)),
    ]),
  );
  const found = findOrGenerateResponsiveLayout<string>(layouts, from, breakpoint, breakpoint, columns, 'vertical');
  const shown = verticalCompactor.compact(
    correctBounds(
      found.map(item => ({ ...item })),
      { cols: columns },
    ),
    columns,
  );
  return shown.map(({ i, x, y, w, h }) => ({ id: i, x, y, w, h })).sort((a, b) => a.y - b.y || a.x - b.x);
}

function present(values: Partial<Record<BreakpointName, number | null | undefined>>): Record<string, number> {
  return Object.fromEntries(names.flatMap(name => (typeof values[name] === 'number' ? [[name, values[name]]] : [])));
}

const widget = (
  id: string,
  [x, y, w, h]: readonly [number, number, number, number],
  rest: Partial<GridWidget> = {},
): GridWidget => ({
  id,
  position: { x, y, w, h },
  ...rest,
});
const at = (x: number, y: number, w: number, h: number): WidgetPosition => ({ x, y, w, h });

function expectSame(layout: DashboardLayout, widgets: readonly GridWidget[], width: number): void {
  expect(gridLayout(layout, widgets, width).items).toEqual(reference(layout, widgets, width));
}

const widths = [1440, 1200, 1000, 800, 500, 320];

/** Generates a deterministic sequence of numbers from 0 to 1. */
function* numbers(): Generator<number, number> {
  for (let state = 7; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647;
}

function manyTiles(number: number, spread: number): GridWidget[] {
  const random = numbers();
  const upTo = (high: number) => Math.floor(random.next().value * high);
  return Array.from({ length: number }, (_, index) =>
    widget(`t${index}`, [upTo(14) - 1, upTo(spread), upTo(14) + 1, upTo(9) + 1]),
  );
}

describe('like react-grid-layout', () => {
  it.each([
    ['a tidy board', [widget('a', [0, 0, 6, 2]), widget('b', [6, 0, 6, 2]), widget('c', [0, 2, 12, 3])]],
    ['gaps', [widget('a', [0, 9, 6, 2]), widget('b', [6, 30, 6, 2]), widget('c', [3, 300, 3, 3])]],
    ['all in one place', Array.from({ length: 9 }, (_, index) => widget(`w${index}`, [2, 1, 5, 3]))],
    [
      'a heap',
      [widget('a', [0, 0, 4, 4]), widget('b', [2, 1, 4, 4]), widget('c', [1, 2, 8, 2]), widget('d', [0, 3, 2, 9])],
    ],
    ['left of the grid', [widget('a', [-1, 0, 2, 2]), widget('b', [0, 0, 2, 2]), widget('c', [-40, -3, 3, 1])]],
    ['right of the grid', [widget('a', [11, 0, 4, 2]), widget('b', [4_000, 0, 4, 2]), widget('c', [0, 0, 4_000, 2])]],
    [
      'far below',
      [widget('a', [0, 1e9, 6, 2]), widget('b', [0, Number.MAX_SAFE_INTEGER, 6, 2]), widget('c', [3, 5, 6, 2])],
    ],
  ])('places %s', (_, widgets) => {
    for (const width of widths) expectSame({}, widgets, width);
  });

  it('derives a breakpoint from the next wider one with positions', () => {
    const widgets = [
      widget('a', [0, 0, 6, 2], { responsiveLayouts: { md: at(0, 4, 10, 2) } }),
      widget('b', [6, 0, 6, 2], { responsiveLayouts: { md: at(0, 0, 5, 4), xxs: at(0, 0, 1, 1) } }),
      widget('c', [0, 2, 12, 2]),
    ];
    for (const width of widths) expectSame({}, widgets, width);
    const items = gridLayout({}, widgets, 800).items;
    expect(items.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  });

  it.each([0, 40, 400])('places 300 tiles spread over %s rows', spread => {
    for (const width of widths) expectSame({}, manyTiles(300, spread), width);
  });

  it('places any input', () => {
    const position = fc.record({
      x: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: -3, max: 15 }) }, fc.integer()),
      y: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: -3, max: 30 }) }, fc.integer({ min: -100, max: 5_000 })),
      w: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 15 }) }, fc.integer({ min: 1 })),
      h: fc.integer({ min: 1, max: 14 }),
    });
    const own = fc.option(position, { nil: undefined, freq: 2 });
    const board = fc.array(fc.record({ position, md: own, xs: own, xxs: own }), { maxLength: 24 });
    const layout = fc.record({
      breakpoints: fc.option(
        fc.record({ lg: fc.nat(1600), md: fc.nat(1200), xs: fc.nat(600) }, { requiredKeys: ['lg'] }),
        { nil: undefined },
      ),
      cols: fc.record({ lg: fc.integer({ min: 1, max: 30 }), xs: fc.integer({ min: 1, max: 12 }) }),
    });
    fc.assert(
      fc.property(layout, board, fc.nat(2_000), (given, tiles, width) => {
        const widgets = tiles.map(({ position, md, xs, xxs }, index) =>
          widget(`t${index}`, [position.x, position.y, position.w, position.h], { responsiveLayouts: { md, xs, xxs } }),
        );
        expectSame(given, widgets, width);
      }),
      { numRuns: casesAtDepth(400) },
    );
  });

  it('gives a tile the same pixels except for rounding', () => {
    for (const width of [1440, 1000, 777, 333]) {
      const grid = gridLayout({ margin: [10, 20], containerPadding: [7, 9], rowHeight: 40 }, manyTiles(20, 30), width);
      const params = {
        margin: grid.margin,
        containerPadding: grid.padding,
        containerWidth: width,
        cols: grid.columns,
        rowHeight: grid.rowHeight,
        maxRows: Number.POSITIVE_INFINITY,
      };
      for (const { x, y, w, h } of grid.items) {
        const there = calcGridItemPosition(params, x, y, w, h);
        expect(Math.abs(itemWidth(grid, width, w) - there.width)).toBeLessThan(1);
      }
      const rows = bottom(grid.items.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h })));
      expect(grid.height).toBe(rows * 40 + (rows - 1) * 20 + 2 * 9);
    }
  });
});
