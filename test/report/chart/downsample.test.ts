import { describe, expect, it } from 'vitest';
import {
  downsampleLine,
  downsamplePoints,
  extremesOf,
  isAscending,
  numberSeries,
  orderOf,
  type Points,
  RowSelection,
} from '../../../src/report/chart/downsample.js';
import fc from '../../property.js';

const points = fc
  .array(
    fc.record({
      x: fc.double({ min: 0, max: 30, noNaN: true }),
      y: fc.option(fc.double({ min: -100, max: 100, noNaN: true }), { nil: Number.NaN }),
      series: fc.nat(2),
    }),
    { maxLength: 300 },
  )
  .map(list => ({
    x: Float64Array.from(list, ({ x }) => x),
    y: Float64Array.from(list, ({ y }) => y),
    series: Uint32Array.from(list, ({ series }) => series),
  }));

/** Returns the extent of a series in a pixel column: first, last, lowest and highest point. */
function columnsOf({ x, y, series }: Points, rows: Iterable<number>): Map<string, string> {
  const inOrder = [...rows]
    .filter(row => !Number.isNaN(y[row] ?? Number.NaN))
    .sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || a - b);
  const columns = new Map<string, number[]>();
  for (const row of inOrder) {
    const key = `${series?.[row]} ${Math.floor(x[row] ?? 0)}`;
    columns.set(key, [...(columns.get(key) ?? []), y[row] ?? 0]);
  }
  return new Map(
    [...columns].map(([key, values]) => [
      key,
      [values[0], Math.min(...values), Math.max(...values), values.at(-1)].join(' '),
    ]),
  );
}

const thinned = (given: Points): Uint32Array => {
  const kept = new RowSelection(given.x.length);
  downsampleLine(given, Math.floor, kept, { order: orderOf(given.x), seriesCount: 3 });
  return kept.list();
};

describe('downsampleLine', () => {
  it('keeps the visible extent of every series in every pixel column', () => {
    fc.assert(
      fc.property(points, given => {
        expect(columnsOf(given, thinned(given))).toEqual(columnsOf(given, given.x.keys()));
      }),
    );
  });

  it('keeps at most four points and one gap per pixel column', () => {
    fc.assert(
      fc.property(points, given => {
        expect(thinned(given).length).toBeLessThanOrEqual(3 * 31 * 5);
      }),
    );
  });

  it('keeps a gap between columns, and none within one', () => {
    const gap = Number.NaN;
    const line = (x: number[], y: number[]) => {
      const kept = new RowSelection(x.length);
      const given = { x: Float64Array.from(x), y: Float64Array.from(y), series: null };
      downsampleLine(given, Math.floor, kept, { order: null, seriesCount: 1 });
      return [...kept.list()];
    };
    expect(line([0, 0.5, 1, 2], [1, gap, gap, 4])).toEqual([0, 1, 3]);
    expect(line([0, 0.2, 0.4, 0.6], [1, gap, 2, 3])).toEqual([0, 3]);
    expect(line([0, 1, 2], [gap, gap, gap])).toEqual([]);
  });
});

describe('downsamplePoints', () => {
  const at = (list: readonly (readonly [number, number])[]): Points => ({
    x: Float64Array.from(list, ([x]) => x),
    y: Float64Array.from(list, ([, y]) => y),
    series: null,
  });
  const bounds = { width: 100, height: 50, max: 10, seriesCount: 1 };

  it('keeps the last point of each cell', () => {
    const kept = new RowSelection(4);
    downsamplePoints(
      at([
        [1.2, 1.2],
        [1.4, 1.3],
        [50, 20],
        [Number.NaN, 3],
      ]),
      kept,
      bounds,
    );
    expect([...kept.list()]).toEqual([1, 2]);
  });

  it('never keeps more than the maximum, and keeps points in every part of the chart', () => {
    const place = fc.tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: 50, noNaN: true }));
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 200 }), list => {
        const given = at(list);
        const kept = new RowSelection(list.length);
        downsamplePoints(given, kept, bounds);
        const rows = [...kept.list()];
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.length).toBeLessThanOrEqual(10);
        // With this number of cells, every point is within a tenth of the size of a selected point.
        for (const [x, y] of list) {
          const nearest = Math.min(...rows.map(row => Math.hypot((given.x[row] ?? 0) - x, (given.y[row] ?? 0) - y)));
          expect(nearest).toBeLessThanOrEqual(70);
        }
      }),
    );
  });

  it('distinguishes series with any number of cells', () => {
    const given = {
      ...at([
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
      series: Uint32Array.from([0, 1, 1]),
    };
    for (const seriesCount of [2, 2_000]) {
      const kept = new RowSelection(3);
      downsamplePoints(given, kept, { ...bounds, seriesCount });
      expect([...kept.list()]).toEqual([0, 2]);
    }
  });
});

describe('rows', () => {
  it('are ascending if x never decreases within a series', () => {
    const x = Float64Array.from([1, 5, 2, Number.NaN, 6]);
    const series = Uint32Array.from([0, 1, 0, 0, 1]);
    expect(isAscending({ x, y: x, series }, 2)).toBe(true);
    expect(isAscending({ x, y: x, series: null }, 1)).toBe(false);
    expect([...orderOf(x)]).toEqual([0, 2, 1, 4, 3]);
  });

  it('have a minimum and a maximum', () => {
    expect(extremesOf(Float64Array.from([Number.NaN, 2, 1, 3, 3]))).toEqual({ low: 2, high: 3 });
    expect(extremesOf(Float64Array.from([Number.NaN]))).toEqual({ low: -1, high: -1 });
  });

  it('belong to a series by the values of all its columns', () => {
    const names = ['__proto__', 'a', '__proto__', 'constructor'];
    expect([...numberSeries(4, [row => names[row]]).numbers]).toEqual([0, 1, 0, 2]);
    const more = numberSeries(4, [row => names[row], row => row % 2]);
    expect([...more.numbers]).toEqual([0, 1, 0, 2]);
    expect(more.count).toBe(3);
    expect(numberSeries(0, [() => 1]).count).toBe(1);
  });
});
