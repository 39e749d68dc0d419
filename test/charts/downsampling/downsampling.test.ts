import { describe, expect, it } from 'vitest';
import { planDownsampling } from '../../../src/charts/downsampling/downsampling-plan.js';
import { prepareSpec } from '../../../src/charts/spec/prepare.js';
import { compileVegaLite, createView, lightTheme, renderSvg } from '../../../src/charts/view.js';
import type { RowSet } from '../../../src/contract/row-set.js';
import { columnOf, rowSetOf } from '../../report/fixtures.js';

const time = columnOf('o.t', 'time', { shortTitle: 'Time' });
const a = columnOf('o.a', 'number', { shortTitle: 'A' });
const b = columnOf('o.b', 'number', { shortTitle: 'B' });
const name = columnOf('o.s', 'string', { shortTitle: 'Name' });
const columns = [time, a, b, name];
const q = (field: string, more = {}) => ({ field, type: 'quantitative', ...more });
const t = (field: string) => ({ field, type: 'temporal' });
const n = (field: string) => ({ field, type: 'nominal' });
const size = { width: 400, height: 200 };
const common = { theme: lightTheme, locale: 'en', size };

const planOfVega = (vega: Record<string, unknown>) => {
  const { spec, dataName } = prepareSpec(vega, { theme: lightTheme, size, columns });
  return planDownsampling(spec, dataName, columns);
};
const planOf = async (spec: Record<string, unknown>) =>
  planOfVega(await compileVegaLite({ data: { name: 'rows' }, ...spec }));

describe('a downsampling plan', () => {
  it.each([
    ['a line', { mark: 'line', encoding: { x: t('o.t'), y: q('o.a') } }, 'line', []],
    ['lines of series', { mark: 'line', encoding: { x: t('o.t'), y: q('o.a'), color: n('o.s') } }, 'line', ['o.s']],
    ['an area', { mark: 'area', encoding: { x: t('o.t'), y: q('o.a') } }, 'line', []],
    ['a line with points', { mark: { type: 'line', point: true }, encoding: { x: t('o.t'), y: q('o.a') } }, 'line', []],
    ['points', { mark: 'point', encoding: { x: q('o.a'), y: q('o.b') } }, 'points', []],
    ['colored points', { mark: 'circle', encoding: { x: q('o.a'), y: q('o.b'), color: n('o.s') } }, 'points', ['o.s']],
    [
      'points on a logarithmic scale',
      { mark: 'point', encoding: { x: q('o.a', { scale: { type: 'log' } }), y: q('o.b') } },
      'points',
      [],
    ],
    [
      'two lines',
      { layer: ['o.a', 'o.b'].map(field => ({ mark: 'line', encoding: { x: t('o.t'), y: q(field) } })) },
      'line',
      [],
    ],
  ])('exists for %s', async (_name, spec, kind, series) => {
    const plan = await planOf(spec);
    expect(plan?.kind).toBe(kind);
    expect(plan?.series.map(({ member }) => member)).toEqual(series);
  });

  it.each([
    ['bars', { mark: 'bar', encoding: { x: n('o.s'), y: q('o.a') } }],
    ['a sum', { mark: 'line', encoding: { x: t('o.t'), y: q('o.a', { aggregate: 'sum' }) } }],
    ['stacked areas', { mark: 'area', encoding: { x: t('o.t'), y: q('o.a'), color: n('o.s') } }],
    ['months of a time', { mark: 'line', encoding: { x: { ...t('o.t'), timeUnit: 'yearmonth' }, y: q('o.a') } }],
    ['names along', { mark: 'line', encoding: { x: n('o.s'), y: q('o.a') } }],
    [
      'a computed value',
      {
        transform: [{ calculate: "datum['o.a'] * 2", as: 'twice' }],
        mark: 'line',
        encoding: { x: t('o.t'), y: q('twice') },
      },
    ],
    [
      'a filter',
      {
        transform: [{ filter: "datum['o.a'] > 2" }],
        mark: 'line',
        encoding: { x: t('o.t'), y: q('o.a') },
      },
    ],
    [
      'a mean in addition to points',
      {
        layer: [
          { mark: 'point', encoding: { x: q('o.a'), y: q('o.b') } },
          { mark: 'rule', encoding: { y: q('o.b', { aggregate: 'mean' }) } },
        ],
      },
    ],
    ['small charts', { mark: 'point', encoding: { x: q('o.a'), y: q('o.b'), row: n('o.s') } }],
    [
      'a smoothed line',
      {
        transform: [{ window: [{ op: 'mean', field: 'o\\.a', as: 'mean' }], frame: [-2, 2] }],
        mark: 'line',
        encoding: { x: t('o.t'), y: q('mean') },
      },
    ],
    ['numbers in a bin', { mark: 'point', encoding: { x: q('o.a', { bin: true }), y: q('o.b') } }],
  ])('does not exist for %s', async (_name, spec) => {
    expect(await planOf(spec)).toBeNull();
  });

  it('does not exist if an expression reads all rows', () => {
    const spec = {
      data: [{ name: 'rows' }],
      signals: [{ name: 'count', update: "length(data('rows'))" }],
      scales: ['x', 'y'].map(scale => ({ name: scale, type: 'linear' })),
      marks: [
        {
          type: 'symbol',
          from: { data: 'rows' },
          encode: { update: { x: { scale: 'x', field: 'o\\.a' }, y: { scale: 'y', field: 'o\\.b' } } },
        },
      ],
    };
    expect(planOfVega(spec)).toBeNull();
    expect(planOfVega({ ...spec, signals: [] })?.kind).toBe('points');
  });
});

/** Returns a deterministic random walk with small steps and rare jumps. */
function walk(count: number, series: readonly string[]): RowSet {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  let height = 0;
  const rows = Array.from({ length: count }, (_, index) => {
    height += random() - 0.5 + (random() > 0.999 ? 40 * (random() - 0.5) : 0);
    return {
      'o.t': new Date(Date.UTC(2001, 0, 1) + index * 60_000).toISOString().slice(0, 23),
      'o.a': index % 997 === 0 ? null : height.toFixed(3),
      'o.b': String(random() * 10),
      'o.s': series[index % series.length] ?? null,
    };
  });
  return rowSetOf(columns, rows);
}

/**
 * Returns the pixel columns of each series' line: its first and last point, and its highest and lowest position. SVG
 * rounds positions to thousandths of a px; columns with points close to an edge are reported as `doubtful`.
 */
function columnsOf(svg: string): { readonly lines: Map<number, string>[]; readonly doubtful: Set<number> } {
  const left = Number(/<g [^>]*transform="translate\(([\d.]+),/.exec(svg)?.[1] ?? 0);
  const doubtful = new Set<number>();
  const lines = [...svg.matchAll(/<path[^>]* d="(M[^"]{500,})"[^>]*stroke-width="2"/g)].map(([, path = '']) => {
    const columns = new Map<number, number[]>();
    for (const [, x, y] of path.matchAll(/([\d.]+),(-?[\d.]+)/g)) {
      const at = Number(x) + left;
      const column = Math.floor(at);
      if (Math.abs(at - Math.round(at)) < 0.001) doubtful.add(Math.round(at)).add(Math.round(at) - 1);
      columns.set(column, [...(columns.get(column) ?? []), Number(y)]);
    }
    return new Map(
      [...columns].map(([column, y]) => [column, [y[0], Math.min(...y), Math.max(...y), y.at(-1)].join(' ')]),
    );
  });
  return { lines, doubtful };
}

/** Expects two pictures of lines to be equal. */
function expectSameLines(part: string, full: string): void {
  const { lines, doubtful } = columnsOf(full);
  const sure = (line: Map<number, string>) => [...line].filter(([column]) => !doubtful.has(column));
  expect(lines.map(sure).every(line => line.length > 100)).toBe(true);
  expect(columnsOf(part).lines.map(sure)).toEqual(lines.map(sure));
}

describe('a chart of many rows', () => {
  const line = { mark: 'line', encoding: { x: t('o.t'), y: q('o.a'), color: n('o.s') } };
  /** The same chart, rendered from all rows, because a computed value prevents downsampling. */
  const inFull = { ...line, transform: [{ calculate: '1', as: 'one' }] };

  it.each([[['one']], [['one', 'two', 'three']]])('of lines %j looks like all rows', async names => {
    const rowSet = walk(20_000, names);
    const svg = await renderSvg({ ...common, spec: line, rowSet });
    const full = await renderSvg({ ...common, spec: inFull, rowSet });
    expect(columnsOf(svg).lines).toHaveLength(names.length);
    expectSameLines(svg, full);
    expect(svg.length).toBeLessThan(full.length / 2);
  });

  it('is downsampled again for another size, and rendered completely if there are few rows', async () => {
    const rowSet = walk(20_000, ['one']);
    const view = await createView({ ...common, spec: line, rowSet });
    await view.resize({ width: 700, height: 300 });
    const wider = await view.toSvg();
    const full = await renderSvg({ ...common, size: { width: 700, height: 300 }, spec: inFull, rowSet });
    expectSameLines(wider, full);
    expect(view.renderedRows).toBeNull();
    await view.setRows(walk(2_000, ['one']));
    const [, path = ''] = / d="(M[^"]{500,})"/.exec(await view.toSvg()) ?? [];
    // Three rows have no value.
    expect(path.match(/[ML]/g)).toHaveLength(1_997);
    view.dispose();
  });

  it('of points renders only visible points, reports it, and keeps axes and legends', async () => {
    const points = { mark: 'point', encoding: { x: q('o.a'), y: q('o.b'), color: n('o.s') } };
    const rowSet = walk(30_000, ['one', 'two']);
    const view = await createView({ ...common, spec: points, rowSet });
    const drawn = view.renderedRows;
    expect(drawn).toMatchObject({ total: 30_000, reason: 'downsampled' });
    expect(view.countMarks()).toBeLessThanOrEqual(10_000);
    expect(drawn?.shown).toBeGreaterThan(1_000);
    const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    const full = await renderSvg({
      ...common,
      spec: { ...points, transform: [{ calculate: '1', as: 'one' }] },
      rowSet,
    });
    expect(texts(await view.toSvg())).toEqual(texts(full));
    view.dispose();
  });

  it('of bars renders the first rows if there are too many, and reports it', async () => {
    const bars = { mark: 'bar', encoding: { x: n('o.s'), y: q('o.a', { aggregate: 'sum' }) } };
    const view = await createView({ ...common, spec: bars, rowSet: walk(50_001, ['one', 'two']) });
    expect(view.renderedRows).toEqual({ shown: 50_000, total: 50_001, reason: 'truncated' });
    expect(view.countMarks()).toBe(2);
    await view.setRows(walk(10, ['one']));
    expect(view.renderedRows).toBeNull();
    view.dispose();
  });
});
