import { describe, expect, it } from 'vitest';
import { fitCells } from '../../../src/charts/spec/fit-cells.js';
import { prepareSpec, readableTitle } from '../../../src/charts/spec/prepare.js';
import { objects } from '../../../src/charts/spec/spec.js';
import { accentSignal, darkTheme, lightTheme, sizeSignal, textSignal } from '../../../src/charts/theme.js';
import { compileVegaLite, renderSvg } from '../../../src/charts/view.js';
import { columnOf, rowSetOf } from '../../report/fixtures.js';

const columns = [
  columnOf('orders.total', 'number', { shortTitle: 'Total' }),
  columnOf('orders.total_net', 'number', { shortTitle: 'Net' }),
];
const size = { width: 400, height: 200 };
const prepare = (spec: Record<string, unknown>, theme = lightTheme) =>
  prepareSpec(spec, { theme, size, columns, fitCells });

describe('size', () => {
  it('fits a chart into the given size and ignores its own', () => {
    const { spec, fits } = prepare({ width: 900, height: 10, marks: [] });
    expect(fits).toBe(true);
    expect(spec).toMatchObject({ ...size, autosize: { type: 'fit', contains: 'padding' } });
  });

  it('replaces the Vega-Lite signals for the container size', () => {
    const signals = [
      { name: 'width', init: 'containerSize()[0]' },
      { name: 'kept', value: 1 },
    ];
    expect(prepare({ signals }).spec.signals).toEqual([
      { name: 'kept', value: 1 },
      { name: accentSignal, value: lightTheme.series[0] },
      { name: textSignal, value: lightTheme.text },
      { name: sizeSignal, value: size },
    ]);
  });

  it.each([
    { layout: { columns: 2 } },
    { autosize: 'none' },
    { autosize: { type: 'none' } },
    { signals: [{ name: 'height', update: "bandspace(domain('y').length, 1, 0.5) * 20" }] },
  ])('keeps the size of %j', spec => {
    expect(prepare({ ...spec, width: 77 })).toMatchObject({ fits: false, spec: { width: 77 } });
  });
});

describe('data', () => {
  it.each([
    [[{ name: 'a' }, { name: 'rows' }], 'rows'],
    [[{ name: 'brush_store' }, { name: 'b', values: [1] }, { name: 'c', source: 'd' }, { name: 'd' }], 'd'],
    [[{ name: 'placeholder', values: [] }], 'placeholder'],
    [[{ name: 's', transform: [{ type: 'sequence', start: 0, stop: 9 }] }], null],
    [[{ name: 'b', values: [1] }], null],
    [undefined, null],
  ])('finds the open data set of %j: %s', (data, expected) => {
    expect(prepare({ data }).dataName).toBe(expected);
  });
});

describe('page', () => {
  it('removes form controls, backgrounds, cursors and outer events', () => {
    const { spec } = prepare({
      background: 'red',
      signals: [
        { name: 'a', value: 1, bind: { input: 'range' } },
        { name: 'cursor', update: "'url(https://x.test)'" },
        { name: 'background', value: 'red' },
      ],
      config: { events: { selector: true }, signals: [{ name: 'cursor', value: 'none' }], axis: { grid: true } },
    });
    expect(spec.background).toBeUndefined();
    expect(spec.signals).toEqual([
      { name: 'a', value: 1 },
      { name: accentSignal, value: lightTheme.series[0] },
      { name: textSignal, value: lightTheme.text },
      { name: sizeSignal, value: size },
    ]);
    expect(spec.config).toMatchObject({
      axis: { grid: true },
      background: null,
      signals: [],
      events: { bind: 'none', selector: false, timer: false },
    });
  });

  it('follows the first color of the theme', () => {
    const { spec } = prepare({ config: { signals: [{ name: accentSignal, value: 'red' }] } }, darkTheme);
    expect(spec.signals).toEqual([
      { name: accentSignal, value: darkTheme.series[0] },
      { name: textSignal, value: darkTheme.text },
      { name: sizeSignal, value: size },
    ]);
  });
});

describe('time', () => {
  it('is UTC in scales, time units, parsers and formats', () => {
    const { spec } = prepare({
      data: [{ name: 'rows', format: { parse: { a: "date:'%Y'", b: 'number' } }, transform: [{ type: 'timeunit' }] }],
      scales: [{ name: 'x', type: 'time' }],
      marks: [{ type: 'group', scales: [{ name: 'x', type: 'time' }], axes: [{ formatType: 'time' }] }],
    });
    expect(spec).toMatchObject({
      data: [{ format: { parse: { a: "utc:'%Y'", b: 'number' } }, transform: [{ timezone: 'utc' }] }],
      scales: [{ type: 'utc' }],
      marks: [{ scales: [{ type: 'utc' }], axes: [{ formatType: 'utc' }] }],
    });
  });
});

describe('ticks', () => {
  it('are no finer than the granularity of the column', () => {
    const month = columnOf('orders.created.month', 'time', { granularity: { name: 'month', title: 'Month' } });
    const source = {
      scales: [
        { name: 'x', domain: { data: 'rows', field: 'orders\\.created\\.month' } },
        { name: 'y', domain: [0, 1] },
        { name: 'layered', domain: { fields: ['a', 'b'].map(data => ({ data, field: 'orders\\.created\\.month' })) } },
      ],
      axes: [{ scale: 'x' }, { scale: 'x', tickMinStep: 1 }, { scale: 'y' }, { scale: 'layered' }],
    };
    const { spec } = prepareSpec(source, { theme: lightTheme, size, columns: [month] });
    expect(spec.axes).toMatchObject([
      { aria: false, scale: 'x', tickMinStep: 28 * 86_400_000 },
      { aria: false, scale: 'x', tickMinStep: 1 },
      { aria: false, scale: 'y' },
      { aria: false, scale: 'layered', tickMinStep: 28 * 86_400_000 },
    ]);
    expect(spec.axes).not.toHaveProperty('[2].tickMinStep');
  });
});

describe('labels of an axis', () => {
  const prepared = (...axes: Record<string, unknown>[]) => prepare({ axes }).spec;

  it.each([
    [{ orient: 'left' }, 'min(180, max(0.4 * paSize.width, min(96, 0.43 * paSize.width)))'],
    [
      { orient: 'left', labelLimit: 90, labelAngle: -45 },
      'min(90, max(0.4 * paSize.width, min(96, 0.43 * paSize.width)))',
    ],
    [{ orient: 'bottom', labelLimit: 0 }, 'max(0.4 * paSize.width, min(96, 0.43 * paSize.width))'],
    [{ orient: 'bottom', labelAngle: -45 }, 'min(180, 0.25 * paSize.height)'],
  ])('of %j have the limit %s', (axis, update) => {
    const { axes, signals } = prepared(axis);
    expect(axes).toMatchObject([{ labelLimit: { signal: 'paLimit0' } }]);
    expect(signals).toContainEqual({ name: 'paLimit0', update });
  });

  it('share the signals of equal limits', () => {
    const { axes, signals } = prepared({ orient: 'left' }, { orient: 'bottom', labelLimit: 120 }, { orient: 'left' });
    expect(axes).toMatchObject(['paLimit0', 'paLimit1', 'paLimit0'].map(signal => ({ labelLimit: { signal } })));
    expect(signals).toHaveLength(5);
  });

  it('take half of the space if there are axes on both sides', () => {
    const { signals } = prepared({ orient: 'left' }, { orient: 'right' });
    expect(signals).toContainEqual({ name: 'paLimit0', update: 'min(180, 0.2 * paSize.width)' });
  });

  it('keep a limit that is a signal', () => {
    expect(prepared({ labelLimit: { signal: 'own' } }).axes).toMatchObject([{ labelLimit: { signal: 'own' } }]);
  });

  it('do not let a specification override the size signal', () => {
    const { spec } = prepare({ signals: [{ name: sizeSignal, value: { width: 9e9 } }] });
    expect(spec.signals).toContainEqual({ name: sizeSignal, value: size });
    expect(spec.signals).toHaveLength(3);
  });
});

describe('a facet', () => {
  it('has cells that share the space of the chart, with and without band steps', async () => {
    const encoding = { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } };
    const compiled = await compileVegaLite({ mark: 'bar', encoding: { ...encoding, column: { field: 'c' } } });
    const { spec, hasCells, fits } = prepare(compiled);
    expect({ hasCells, fits }).toEqual({ hasCells: true, fits: false });
    const updateOf = (name: string) => (spec.signals as Record<string, unknown>[]).find(signal => signal.name === name);
    expect(updateOf('child_width')?.update).toContain('paSize.across');
    expect(updateOf('child_height')?.update).toContain('paSize.down');
    expect(JSON.stringify(spec.scales)).toContain('"range":[0,{"signal":"child_width"}]');
  });

  it('does not include cells without data or concatenated views', async () => {
    const part = { mark: 'bar', encoding: { y: { field: 'b', type: 'quantitative' } } };
    expect(prepare(await compileVegaLite({ hconcat: [part, part] })).hasCells).toBe(false);
    expect(prepare({ layout: { columns: 2 } }).hasCells).toBe(false);
    expect(prepare({ marks: [{ type: 'group', from: { facet: { data: 'rows', groupby: ['a'] } } }] }).hasCells).toBe(
      false,
    );
  });
});

describe('legends', () => {
  const legend = { fill: 'color', orient: 'right', direction: 'vertical', gradientLength: { signal: '1' } };
  const legendAt = (width: number) =>
    prepareSpec({ legends: [legend] }, { theme: lightTheme, size: { width, height: 200 }, columns }).spec.legends;

  it('are next to a wide chart and above a narrow one', () => {
    expect(legendAt(500)).toMatchObject([{ orient: 'right', columns: 1, gradientLength: { signal: '1' } }]);
    const [above] = legendAt(300) as object[];
    for (const name of ['orient', 'direction', 'columns', 'gradientLength']) expect(above).not.toHaveProperty(name);
  });
});

describe('labels of discrete times', () => {
  const month = columnOf('orders.created.month', 'time', { granularity: { name: 'month', title: 'Month' } });
  const rows = rowSetOf(
    [month, columnOf('orders.total', 'number')],
    [{ 'orders.created.month': '2001-03-01T00:00:00.000', 'orders.total': '7' }],
  );
  const x = { field: 'orders.created.month', type: 'ordinal' };
  const y = { field: 'orders.total', type: 'quantitative' };
  const svgOf = (encoding: Record<string, unknown>, rowSet = rows) =>
    renderSvg({
      spec: { $schema: 'https://vega.github.io/schema/vega-lite/v6.json', mark: 'bar', encoding },
      rowSet,
      theme: lightTheme,
      locale: 'en',
      size,
    });

  it('name the month, on axes and in legends', async () => {
    const svg = await svgOf({ x, y, color: x });
    expect(svg.match(/2001 Mar/g)).toHaveLength(2);
    expect(svg).not.toContain('GMT');
  });

  it('show that a time is missing', async () => {
    const svg = await svgOf({ x, y }, { ...rows, rows: [{ 'orders.created.month': null, 'orders.total': '7' }] });
    expect(svg).toContain('>∅<');
    expect(svg).not.toContain('1970');
  });

  it('are short enough to distinguish hours', () => {
    const hour = columnOf('orders.created.hour', 'time', { granularity: { name: 'hour', title: 'Hour' } });
    const source = {
      scales: [{ name: 'x', type: 'band', domain: { data: 'rows', field: 'orders\\.created\\.hour' } }],
      axes: [{ scale: 'x' }],
    };
    const { spec } = prepareSpec(source, { theme: lightTheme, size, columns: [hour] });
    expect(spec.axes).toMatchObject([{ format: '%Y-%m-%d %H:%M' }]);
  });

  it('name weekdays on discrete scales in the language of the reader, unless the labels have a format', () => {
    const numbered = columnOf('orders.weekday', 'number', { meta: { sunday: 0 } });
    const source = {
      scales: [
        { name: 'x', type: 'band', domain: { data: 'rows', field: 'orders\\.weekday' } },
        { name: 'y', type: 'linear', domain: { data: 'rows', field: 'orders\\.weekday' } },
        { name: 'color', type: 'ordinal', domain: { data: 'rows', field: 'orders\\.weekday' } },
      ],
      axes: [{ scale: 'x' }, { scale: 'x', format: 'd' }, { scale: 'y' }],
      legends: [{ fill: 'color' }],
    };
    const weekday = { ...numbered, kind: 'dimension' as const };
    const { spec } = prepareSpec(source, { theme: lightTheme, size, columns: [weekday], locale: 'fr' });
    const [named, formatted, linear] = objects(spec.axes).map(axis => JSON.stringify(axis));
    expect(named).toContain('dimanche');
    expect(formatted).not.toContain('dimanche');
    expect(linear).not.toContain('dimanche');
    expect(JSON.stringify(spec.legends)).toContain('dimanche');
  });

  it('keep the format of the author', async () => {
    expect(await svgOf({ x: { ...x, axis: { format: '%B', formatType: 'time' } }, y })).toContain('March');
    expect(await svgOf({ x: { ...x, axis: { labelExpr: '"in " + utcmonth(datum.value)' } }, y })).toContain('in 2');
  });
});

describe('titles', () => {
  it.each([
    ['orders.total', 'Total'],
    ['orders\\.total', 'Total'],
    ['orders.total_net', 'Net'],
    ['Sum of orders.total', 'Sum of Total'],
    ['orders.total (year-month)', 'Total'],
    ['My title (of 3)', 'My title (of 3)'],
  ])('shows %j as %j', (title, expected) => {
    expect(readableTitle(columns)(title)).toBe(expected);
  });

  it('replace field names on axes and legends', () => {
    const { spec } = prepare({ axes: [{ title: 'orders.total' }], legends: [{ title: 'orders.total' }] });
    expect(spec).toMatchObject({ axes: [{ title: 'Total' }], legends: [{ title: 'Total' }] });
    expect(spec).toMatchObject({ axes: [{ aria: false }], legends: [{ aria: false }] });
  });
});

describe('bars', () => {
  const x = { field: 'orders.status', type: 'nominal' };
  const y = { field: 'orders.total', type: 'quantitative' };
  const types = (spec: Record<string, unknown>) => JSON.stringify(spec.marks).match(/"type":"\w+"/g);
  const prepared = async (encoding: Record<string, unknown>) =>
    prepare(await compileVegaLite({ data: { name: 'rows' }, mark: 'bar', encoding })).spec;

  it('of one series are not grouped, and keep their corners', async () => {
    const vertical = await prepared({ x, y });
    expect(types(vertical)).toEqual(['"type":"rect"']);
    expect(vertical.marks).toMatchObject([
      { encode: { update: { x: { scale: 'x' }, cornerRadiusTopLeft: { value: 2 } } } },
    ]);
    const lying = await prepared({ y: x, x: y });
    expect(types(lying)).toEqual(['"type":"rect"']);
    expect(lying.marks).toMatchObject([
      { encode: { update: { y: { scale: 'y' }, cornerRadiusTopRight: { value: 2 } } } },
    ]);
  });

  it('of several series are clipped at the ends of their stacks', async () => {
    expect(types(await prepared({ x, y, color: { field: 'orders.kind', type: 'nominal' } }))).toContain(
      '"type":"group"',
    );
  });
});

describe('data', () => {
  it('omits the Vega-Lite conversion of values that are already numbers', async () => {
    const compiled = await compileVegaLite({
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      data: { name: 'rows' },
      mark: 'line',
      encoding: {
        x: { field: 'x', type: 'quantitative' },
        y: { field: 'y', type: 'quantitative' },
      },
    });
    expect(JSON.stringify(compiled)).toContain('toNumber(');
    const named = { theme: lightTheme, size, columns: [columnOf('x', 'number'), columnOf('y', 'number')] };
    expect(JSON.stringify(prepareSpec(compiled, named).spec.data)).not.toContain('formula');
  });

  it('is not copied to names that already exist', async () => {
    const line = { mark: 'line', encoding: { x: { field: 'orders.total', type: 'quantitative' } } };
    const { spec } = prepare(await compileVegaLite({ data: { name: 'rows' }, ...line }));
    expect(JSON.stringify(spec.data)).not.toContain('formula');
    const other = { mark: 'line', encoding: { x: { field: 'orders.unknown', type: 'quantitative' } } };
    expect(JSON.stringify(prepare(await compileVegaLite({ data: { name: 'rows' }, ...other })).spec.data)).toContain(
      'formula',
    );
  });
});
