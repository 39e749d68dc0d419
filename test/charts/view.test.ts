import { describe, expect, it } from 'vitest';
import {
  ChartErrorCode,
  compileVegaLite,
  createView,
  darkTheme,
  lightTheme,
  renderSvg,
} from '../../src/charts/view.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

const status = columnOf('orders.status', 'string', { shortTitle: 'Status' });
const total = columnOf('orders.total', 'number', { shortTitle: 'Total' });
const month = columnOf('orders.created.month', 'time', {
  shortTitle: 'Month',
  granularity: { name: 'month', title: 'Month' },
});
const rowsOf = (...totals: number[]) =>
  rowSetOf(
    [status, total],
    totals.map((value, index) => ({ 'orders.status': `s${index}`, 'orders.total': String(value) })),
  );
const months = rowSetOf(
  [month, total],
  ['2001-01-01', '2001-02-01', '2001-03-01'].map((day, index) => ({
    'orders.created.month': `${day}T00:00:00.000`,
    'orders.total': String(index + 1),
  })),
);
const bars = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  data: { name: 'rows' },
  mark: 'bar',
  encoding: {
    x: { field: 'orders.status', type: 'nominal' },
    y: { field: 'orders.total', type: 'quantitative' },
  },
};
const size = { width: 400, height: 200 };
const common = { theme: lightTheme, locale: 'en', size };
const code = (expected: string) => expect.objectContaining({ name: 'ChartError', code: expected });
const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
const withField = (field: string) => ({ ...bars, encoding: { ...bars.encoding, x: { field, type: 'nominal' } } });

describe('compileVegaLite', () => {
  it('compiles for every theme and size', async () => {
    const compiled = JSON.stringify(await compileVegaLite(bars));
    expect(compiled).toContain('"signal":"paAccent"');
    expect(compiled).toContain('"autosize":{"type":"fit","contains":"padding"}');
    expect(compiled).not.toContain('#4c78a8');
  });

  it('adds the name of the rows if the specification has none', async () => {
    const { data: _, ...nameless } = bars;
    const compiled = await compileVegaLite(JSON.stringify(nameless));
    expect(compiled.data).toContainEqual({ name: 'rows' });
  });

  it('returns Vega unchanged', async () => {
    const spec = { $schema: 'https://vega.github.io/schema/vega/v6.json', marks: [], width: 7 };
    expect(await compileVegaLite(spec)).toEqual(spec);
  });

  it.each([
    [{ ...bars, mark: 'nonsense' }, ChartErrorCode.invalid],
    [{ ...bars, data: { url: 'https://x.test' } }, ChartErrorCode.outside],
    ['[', ChartErrorCode.unreadable],
  ])('rejects %j', async (spec, expected) => {
    await expect(compileVegaLite(spec)).rejects.toThrow(code(expected));
  });
});

describe('renderSvg', () => {
  it('labels a missing category on axes and in legends like tables do', async () => {
    const color = { field: 'orders.status', type: 'nominal' };
    const spec = { ...bars, encoding: { ...bars.encoding, color } };
    const rowSet = rowSetOf(
      [status, total],
      [null, 'open'].map(name => ({ 'orders.status': name, 'orders.total': '1' })),
    );
    const labels = texts(await renderSvg({ ...common, spec, rowSet }));
    expect(labels.filter(text => text === '∅')).toHaveLength(2);
    expect(labels).not.toContain('null');
  });

  it('renders the rows in the colors of the theme', async () => {
    const svg = await renderSvg({ ...common, spec: bars, rowSet: rowsOf(10, 20) });
    expect(texts(svg)).toEqual(expect.arrayContaining(['s0', 's1', '20', 'Total']));
    expect(svg).toContain(lightTheme.series[0]);
    const dark = await renderSvg({ ...common, theme: darkTheme, spec: await compileVegaLite(bars), rowSet: rowsOf(1) });
    expect(dark).toContain(darkTheme.series[0]);
    expect(dark).not.toContain(lightTheme.series[0]);
  });

  it('draws a Vega specification', async () => {
    const spec = {
      $schema: 'https://vega.github.io/schema/vega/v6.json',
      data: [{ name: 'rows' }],
      marks: [{ type: 'text', from: { data: 'rows' }, encode: { update: { text: { field: 'orders\\.status' } } } }],
    };
    expect(texts(await renderSvg({ ...common, spec, rowSet: rowsOf(1, 2) }))).toEqual(['s0', 's1']);
  });

  it('draws a trend', async () => {
    const spec = {
      data: { name: 'rows' },
      transform: [
        { calculate: "datum['orders.total'] * 2", as: 'x' },
        { regression: 'orders\\.total', on: 'x' },
      ],
      mark: 'line',
      encoding: { x: { field: 'x', type: 'quantitative' }, y: { field: 'orders\\.total', type: 'quantitative' } },
    };
    const svg = await renderSvg({ ...common, spec, rowSet: rowsOf(1, 2, 3) });
    expect(svg).toMatch(/aria-roledescription="line mark"|mark-line/);
    expect(texts(svg)).toContain('3');
  });

  it.each(['orders.status', 'orders\\.status'])('finds the field %s', async field => {
    expect(texts(await renderSvg({ ...common, spec: withField(field), rowSet: rowsOf(1) }))).toContain('s0');
  });

  it("finds datum['orders.status'] in an expression", async () => {
    const spec = { ...withField('label'), transform: [{ calculate: "datum['orders.status'] + '!'", as: 'label' }] };
    expect(texts(await renderSvg({ ...common, spec, rowSet: rowsOf(1) }))).toContain('s0!');
  });

  it.each(['America/Los_Angeles', 'Pacific/Auckland', 'UTC'])('shows wall-clock time in %s', async zone => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      const x = { field: 'orders.created.month', type: 'ordinal', timeUnit: 'yearmonthdate' };
      const ordinal = await renderSvg({
        ...common,
        spec: { ...bars, encoding: { ...bars.encoding, x } },
        rowSet: months,
      });
      expect(texts(ordinal)).toContain('Jan 01, 2001');
      const spec = {
        ...bars,
        mark: 'line',
        encoding: { ...bars.encoding, x: { field: 'orders.created.month', type: 'temporal' } },
      };
      expect(texts(await renderSvg({ ...common, spec, rowSet: months }))).toEqual(
        expect.arrayContaining(['2001', 'Feb', 'Mar']),
      );
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  it('abbreviates large numbers', async () => {
    expect(texts(await renderSvg({ ...common, spec: bars, rowSet: rowsOf(3_400_000) }))).toContain('3M');
  });

  it('renders safe links only', async () => {
    const spec = (href: string) => ({ ...bars, mark: { type: 'bar', href } });
    expect(await renderSvg({ ...common, spec: spec('https://x.test/'), rowSet: rowsOf(1) })).toContain(
      'https://x.test/',
    );
    expect(await renderSvg({ ...common, spec: spec('javascript:alert(1)'), rowSet: rowsOf(1) })).not.toContain('alert');
  });

  it('never uses a URL as a color, even from an expression', async () => {
    const spec = {
      ...bars,
      mark: { type: 'bar', fill: { expr: "'u' + 'rl(https://x.test/a.svg#b)'" }, cursor: 'url(https://x.test)' },
    };
    const svg = await renderSvg({ ...common, spec, rowSet: rowsOf(1) });
    expect(svg).toContain('<svg');
    expect(svg).not.toContain('x.test');
  });

  it.each([
    [{ ...bars, data: { url: 'https://x.test/a.csv' } }, ChartErrorCode.outside],
    [{ marks: [{ type: 'rect', encode: { update: { x: { signal: 'nope' } } } }] }, ChartErrorCode.invalid],
    [{ marks: [{ type: 'rect', encode: { update: { x: { signal: 'window.alert(1)' } } } }] }, ChartErrorCode.invalid],
    [{ data: [{ name: 'a', values: [1], transform: [{ type: 'nonsense' }] }] }, ChartErrorCode.invalid],
  ])('rejects %j', async (spec, expected) => {
    await expect(renderSvg({ ...common, spec, rowSet: rowsOf(1) })).rejects.toThrow(code(expected));
  });

  it('reports a rendering failure without values of rows', async () => {
    const spec = {
      data: [{ name: 'rows', transform: [{ type: 'formula', as: 'x', expr: "datum['orders.status'].a.b" }] }],
      marks: [],
    };
    await expect(renderSvg({ ...common, spec, rowSet: rowsOf(1) })).rejects.toThrow(code(ChartErrorCode.failed));
  });
});

describe('createView', () => {
  it('renders other rows without a new view', async () => {
    const view = await createView({ ...common, spec: bars, rowSet: rowsOf(1, 2) });
    expect(view.countMarks()).toBe(2);
    await view.setRows(rowsOf(1, 2, 3));
    expect(view.countMarks()).toBe(3);
    await view.setRows(rowsOf());
    expect(view.countMarks()).toBe(0);
    view.dispose();
  });

  it('takes the size it is given', async () => {
    const view = await createView({ ...common, spec: { ...bars, width: 50 }, rowSet: rowsOf(1) });
    expect(view.fits).toBe(true);
    expect(await view.toSvg()).toContain('width="400" height="200"');
    await view.resize({ width: 300, height: 120 });
    expect(await view.toSvg()).toContain('width="300" height="120"');
    view.dispose();
  });

  it('keeps the size of a facet', async () => {
    const spec = { ...bars, encoding: { ...bars.encoding, row: { field: 'orders.status' } } };
    const view = await createView({ ...common, spec, rowSet: rowsOf(1, 2) });
    expect(view.fits).toBe(false);
    view.dispose();
  });
});
