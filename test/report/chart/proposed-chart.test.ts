import { describe, expect, it } from 'vitest';
import { dataMarks } from '../../../src/charts/scene.js';
import { compileVegaLite, createView, lightTheme } from '../../../src/charts/view.js';
import type { JsonObject } from '../../../src/contract/wire.js';
import { proposeChart, proposeLayout } from '../../../src/report/chart/proposed-chart.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const month = columnOf('o.at.month', 'time', { granularity: { name: 'month', title: 'Month' } });
const total = columnOf('o.total', 'number');
const at = (day: string, value: number) => ({ 'o.at.month': `${day}T00:00:00.000`, 'o.total': value });
const months = rowSetOf([month, total], [at('2001-01-01', 3), at('2001-02-01', 4), at('2001-05-01', 5)]);
const query = (dateRange?: [string, string]) => ({
  measures: ['o.total'],
  timeDimensions: [{ dimension: 'o.at', granularity: 'month', ...(dateRange && { dateRange }) }],
});
const spec = (mark: unknown) => ({
  mark,
  encoding: { x: { field: 'o\\.at\\.month', type: 'temporal' }, y: { field: 'o\\.total', type: 'quantitative' } },
});

async function marksOf(chart: ReturnType<typeof proposeChart>, width = 1200) {
  const view = await createView({ ...chart, theme: lightTheme, locale: 'en', size: { width, height: 300 } });
  const marks = [...dataMarks(view.scene.root)].map(({ mark }) => mark);
  view.dispose();
  return marks;
}

describe('proposeLayout', () => {
  it('draws bars of rows that are not known yet like proposeChart', async () => {
    const sizes = async (chart: Parameters<typeof marksOf>[0]) =>
      (await marksOf(chart)).flatMap(({ items }) => (items ?? []).map(({ width }) => Math.round(Number(width))));
    const proposed = proposeChart(spec('bar'), { rowSet: months, query: query(), locale: 'en' });
    const layout = proposeLayout(spec('bar'), { hasFewPeriods: true });
    const drawn = await sizes({ ...proposed, spec: layout });
    expect(drawn).toEqual(await sizes(proposed));
    expect(Math.max(...drawn)).toBe(72);
    expect(proposeLayout(spec('bar'), { hasFewPeriods: false })).toMatchObject({ encoding: spec('bar').encoding });
  });
});

describe('proposeChart', () => {
  it('draws no line across months without rows', async () => {
    const chart = proposeChart(spec({ type: 'line', point: true }), { rowSet: months, query: query(), locale: 'en' });
    expect(chart.rowSet.rows.map(row => row['o.total'])).toEqual([3, 4, null, null, 5]);
    const [line] = (await marksOf(chart)).filter(({ marktype }) => marktype === 'line');
    expect(line?.items?.map(({ defined }) => defined !== false)).toEqual([true, true, false, false, true]);
  });

  it('draws bars of at most 72 px, with gaps for months without rows', async () => {
    const chart = proposeChart(spec('bar'), { rowSet: months, query: query(), locale: 'en' });
    for (const [width, expected] of [
      [1200, 72],
      [300, 38],
    ] as const) {
      const bars = (await marksOf(chart, width)).find(({ marktype }) => marktype === 'rect')?.items ?? [];
      expect(bars.length).toBeGreaterThanOrEqual(3);
      for (const bar of bars) expect(Math.abs((bar.width ?? 0) - expected)).toBeLessThan(3);
    }
  });

  it.each([
    [
      ['2001-01-10', '2001-05-31'],
      [0.4, 1],
    ],
    [
      ['2001-01-01', '2001-05-20'],
      [1, 0.4],
    ],
    [
      ['2001-01-01', '2001-05-31'],
      [1, 1],
    ],
  ] as const)('draws first and last bars of the range %j with the opacities %j', async (range, expected) => {
    const chart = proposeChart(spec('bar'), { rowSet: months, query: query([...range]), locale: 'en' });
    const bars = (await marksOf(chart)).find(({ marktype }) => marktype === 'rect')?.items ?? [];
    const opacities = bars.map(bar => (bar as { fillOpacity?: number }).fillOpacity ?? 1);
    expect([opacities[0], opacities.at(-1)]).toEqual(expected);
    expect(chart.hasPartialPeriod).toBe(expected.some(opacity => opacity < 1));
  });

  /** Returns the points of a chart with their opacity. */
  const pointsOf = async (chart: ReturnType<typeof proposeChart>) =>
    (await marksOf(chart))
      .filter(({ marktype }) => marktype === 'symbol')
      .map(({ items = [] }) => ({
        items,
        isHollow: items.every(({ fill }) => fill === 'transparent'),
        opacities: items.map(({ opacity }) => opacity),
      }));

  it('draws the point of a partial period hollow', async () => {
    const range: [string, string] = ['2001-01-10', '2001-05-31'];
    const chart = proposeChart(spec('line'), { rowSet: months, query: query(range), locale: 'en' });
    const points = await pointsOf(chart);
    expect(points.map(({ isHollow, opacities }) => [isHollow, opacities])).toEqual([
      [false, [0, 1, 1]],
      [true, [1, 0, 0]],
    ]);
  });

  const byKind = rowSetOf(
    [month, columnOf('o.kind', 'string'), total],
    months.rows.flatMap(row => ['new', 'old'].map(kind => ({ ...row, 'o.kind': kind }))),
  );
  const color = { field: 'o\\.kind', type: 'nominal' };

  it.each([
    ['of one view', { ...spec('line'), encoding: { ...spec('line').encoding, color } }],
    ['of a layer', { encoding: { ...spec('line').encoding, color }, layer: [{ mark: { type: 'line', point: true } }] }],
  ])('draws the points of a partial period hollow for each series, in its color: %s', async (_, chart) => {
    const range: [string, string] = ['2001-01-10', '2001-05-31'];
    const proposed = proposeChart(chart, { rowSet: byKind, query: query(range), locale: 'en' });
    const marks = await marksOf(proposed);
    const lines = marks.filter(({ marktype }) => marktype === 'line');
    const colors = lines.map(({ items }) => items?.[0]?.stroke);
    expect(new Set(colors).size).toBe(2);
    const points = await pointsOf(proposed);
    for (const stroke of colors) {
      const own = points.map(({ isHollow, items }) => {
        const inColor = items.filter(({ fill, stroke: edge }) => (isHollow ? edge : fill) === stroke);
        return [isHollow, inColor.map(({ opacity }) => opacity)];
      });
      expect(own).toEqual([
        [false, [0, 1, 1]],
        [true, [1, 0, 0]],
      ]);
    }
    const { legends } = await compileVegaLite(proposed.spec);
    expect(legends).toHaveLength(1);
  });

  it('shows only the point of the partial period on a line of many periods', async () => {
    const days = Array.from({ length: 90 }, (_, index) => ({
      'o.at.day': new Date(Date.UTC(2001, 0, index + 1)).toISOString().slice(0, -1),
      'o.total': index,
    }));
    const rowSet = rowSetOf(
      [columnOf('o.at.day', 'time', { granularity: { name: 'day', title: 'Day' } }), total],
      days,
    );
    const dayQuery = {
      measures: ['o.total'],
      timeDimensions: [
        {
          dimension: 'o.at',
          granularity: 'day',
          dateRange: ['2001-01-01T12:00:00.000', '2001-03-31'] as [string, string],
        },
      ],
    };
    const encoding = { ...spec('line').encoding, x: { field: 'o\\.at\\.day', type: 'temporal' } };
    const chart = proposeChart({ mark: 'line', encoding }, { rowSet, query: dayQuery, locale: 'en' });
    const shown = (await pointsOf(chart)).map(({ opacities }) =>
      opacities.flatMap((opacity, index) => (opacity ? [index] : [])),
    );
    expect(shown).toEqual([[], [0]]);
  });

  it('gives labels the same number of decimals, in the format of their measure', async () => {
    const texts = async (annotation: Parameters<typeof columnOf>[2], values: readonly number[]) => {
      const rowSet = rowSetOf(
        [month, columnOf('o.total', 'number', annotation)],
        values.map((value, index) => at(`2001-0${index + 1}-01`, value)),
      );
      const { x, y } = spec('text').encoding;
      const chart = proposeChart(
        { encoding: { x, y }, layer: [{ mark: 'bar' }, { mark: 'text', encoding: { text: y } }] },
        { rowSet, query: null, locale: 'en' },
      );
      const [marks] = (await marksOf(chart)).filter(({ marktype }) => marktype === 'text');
      return marks?.items?.map(item => Reflect.get(item, 'text'));
    };
    expect(await texts({}, [6.2, 7])).toEqual(['6.2', '7.0']);
    expect(await texts({}, [6, 7_000])).toEqual(['6', '7,000']);
    expect(await texts({ format: 'percent' }, [0.125, 0.5])).toEqual(['12.5%', '50.0%']);
  });

  it.each([
    ['de', ['Montag', 'Freitag']],
    ['ar', ['الاثنين', 'الجمعة']],
    ['ja', ['月曜日', '金曜日']],
  ])('names weekdays in %s, in calendar order', (locale, names) => {
    const day = columnOf('o.weekday', 'string');
    const rowSet = rowSetOf(
      [day, total],
      ['Friday', 'Monday'].map(name => ({ 'o.weekday': name, 'o.total': 1 })),
    );
    const encoding = {
      y: { field: 'o\\.weekday', type: 'nominal', sort: null },
      x: { field: 'o\\.total', type: 'quantitative' },
    };
    const chart = proposeChart({ mark: 'bar', encoding }, { rowSet, query: null, locale });
    expect(chart.rowSet.rows.map(row => row['o.weekday'])).toEqual([...names].reverse());
    const { y } = chart.spec.encoding as { y: { sort: string[] } };
    expect(y.sort.filter(name => names.includes(name))).toEqual(names);
    expect(y.sort).toHaveLength(7);
    expect(chart.categoriesDown).toBe(2);
  });

  const nameOf = (member: string, value: string, meta?: JsonObject) => {
    const column = { ...columnOf(member, 'number', meta && { meta }), kind: 'dimension' as const };
    const rowSet = rowSetOf([column, total], [{ [member]: value, 'o.total': 1 }]);
    return proposeChart(spec('bar'), { rowSet, query: null, locale: 'fr' }).rowSet.rows[0]?.[member];
  };

  it.each([
    ['o.month', '2', 'février'],
    ['o.departure_month', '12', 'décembre'],
    ['o.month', '13', '13'],
    ['o.hour', '2', '2'],
    ['o.orders_per_month', '2', '2'],
    ['o.fiscal_month', '2', '2'],
    ['o.iso_weekday', '7', 'dimanche'],
    ['o.iso_weekday', '0', '0'],
    ['o.day_of_week', '1', '1'],
    ['o.weekday', '0', '0'],
  ])('names numbers of %s by the name of the member, or does not change them: %s is %s', (member, value, expected) => {
    expect(nameOf(member, value)).toBe(expected);
  });

  it.each([
    [{ sunday: 0 }, '0', 'dimanche'],
    [{ sunday: 0 }, '1', 'lundi'],
    [{ sunday: 1 }, '7', 'samedi'],
    [{ sunday: 7 }, '1', 'lundi'],
    [{ sunday: 6 }, '0', 'lundi'],
    [{ sunday: 3 }, '1', '1'],
    [{ january: 0 }, '11', 'décembre'],
    [{ january: 1 }, '12', 'décembre'],
    [{ january: 10 }, '1', 'avril'],
    [{ january: '1' }, '1', '1'],
  ])('names numbers as the model specifies: with %j, %s is %s', (meta, value, expected) => {
    expect(nameOf('o.number', value, meta)).toBe(expected);
  });
});
