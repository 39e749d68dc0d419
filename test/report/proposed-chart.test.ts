import { describe, expect, it } from 'vitest';
import { dataMarks } from '../../src/charts/scene.js';
import { createView, lightTheme } from '../../src/charts/view.js';
import { proposeChart } from '../../src/report/proposed-chart.js';
import { columnOf, rowSetOf } from './fixtures.js';

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

  it('draws the point of a partial period hollow', async () => {
    const range: [string, string] = ['2001-01-10', '2001-05-31'];
    const chart = proposeChart(spec('line'), { rowSet: months, query: query(range), locale: 'en' });
    const points = (await marksOf(chart)).find(({ marktype }) => marktype === 'symbol')?.items ?? [];
    expect(points.map(point => (point as { fillOpacity?: number }).fillOpacity)).toEqual([0, 1, 1]);
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
  });

  it('names numbered months, and leaves other numbers', () => {
    const named = (member: string, value: string) => {
      const column = { ...columnOf(member, 'number'), kind: 'dimension' as const };
      const rowSet = rowSetOf([column, total], [{ [member]: value, 'o.total': 1 }]);
      return proposeChart(spec('bar'), { rowSet, query: null, locale: 'fr' }).rowSet.rows[0]?.[member];
    };
    expect(named('o.month', '2')).toBe('février');
    expect(named('o.hour', '2')).toBe('2');
    expect(named('o.month', '13')).toBe('13');
  });
});
