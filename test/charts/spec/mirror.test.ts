import { describe, expect, it } from 'vitest';
import { NavigableMarks } from '../../../src/charts/interaction/keyboard-navigation.js';
import { dataMarks, type SceneItem, type SceneMark } from '../../../src/charts/scene.js';
import { prepareSpec } from '../../../src/charts/spec/prepare.js';
import { compileVegaLite, createView, lightTheme, type VegaChart } from '../../../src/charts/view.js';
import { columnOf, rowSetOf } from '../../report/fixtures.js';

const day = columnOf('day', 'time', { granularity: { name: 'day', title: 'Day' } });
const columns = [day, columnOf('kind', 'string'), columnOf('group', 'string'), columnOf('value', 'number')];
const rows = ['2026-01-05', '2026-01-06', '2026-01-07'].flatMap((date, index) =>
  ['one', 'two'].map((group, at) => ({
    day: `${date}T00:00:00`,
    kind: 'abc'[index],
    group,
    value: index * 3 + at + 1,
  })),
);
const size = { width: 500, height: 240 };
const kind = { field: 'kind', type: 'nominal' };
const value = { field: 'value', type: 'quantitative', aggregate: 'sum' };
const color = { field: 'group', type: 'nominal' };
const date = { field: 'day', type: 'temporal' };

const draw = (spec: object, locale: string): Promise<VegaChart> =>
  createView({ spec: { ...spec }, rowSet: rowSetOf(columns, rows as never), theme: lightTheme, locale, size });

/** Returns the distance of each bar or point from an edge of the plot, px, by its value. */
function distancesFrom(edge: 'left' | 'right', chart: VegaChart): ReadonlyMap<string, number> {
  const plot = Number(plotOf(chart).width);
  const items = [...dataMarks(chart.scene.root)].flatMap(({ mark, left }) =>
    (mark.items ?? []).map(item => [JSON.stringify(item.datum), left + (item.x ?? 0), item.width ?? 0] as const),
  );
  const distance = (x: number, width: number) => Math.round(edge === 'left' ? x : plot - x - width);
  return new Map(items.map(([shown, x, width]) => [shown, distance(x, width)]));
}

function plotOf({ scene }: VegaChart): SceneItem {
  return scene.root.items?.[0] ?? {};
}

/** Returns the items of the guides (axes, legends, titles) with this role, each with its left edge within the chart. */
function itemsOf(mark: SceneMark, role: string, left = 0): { readonly item: SceneItem; readonly left: number }[] {
  return (mark.items ?? []).flatMap(item => {
    const at = left + (item.x ?? 0);
    if (mark.role === role) return [{ item, left: at }];
    return (item.items ?? []).flatMap(child => itemsOf(child, role, at));
  });
}

const lefts = (chart: VegaChart, role: string) => itemsOf(chart.scene.root, role).map(({ left }) => left);
const stationsOf = (chart: VegaChart) =>
  new NavigableMarks(chart.scene.root, item => JSON.stringify(item.datum), { isMirrored: chart.isMirrored });

const mirrored = {
  bars: { mark: 'bar', encoding: { x: kind, y: value } },
  'horizontal bars': { mark: 'bar', encoding: { y: kind, x: value } },
  'stacked bars': { mark: 'bar', encoding: { x: kind, y: value, color } },
  'horizontal stacked bars': { mark: 'bar', encoding: { y: kind, x: value, color } },
  'grouped bars': { mark: 'bar', encoding: { x: kind, y: value, color, xOffset: color } },
  'shifted points': { mark: { type: 'point', xOffset: 7 }, encoding: { x: kind, y: value } },
  'bars across months': { mark: 'bar', encoding: { y: { ...date, type: 'ordinal' }, x: value } },
};
const kept = {
  'lines over time': { mark: 'line', encoding: { x: date, y: value } },
  'grouped bars over time': {
    mark: 'bar',
    encoding: { x: { ...date, type: 'ordinal' }, y: value, xOffset: color, color },
  },
  'bars of a time unit': { mark: 'bar', encoding: { x: { ...date, timeUnit: 'utcdate', type: 'ordinal' }, y: value } },
  'scatter plots': { mark: 'point', encoding: { x: value, y: { ...value, aggregate: 'mean' } } },
};

describe('right-to-left charts', () => {
  it.each(Object.entries(mirrored))('mirrors %s', async (_, spec) => {
    const [english, arabic] = await Promise.all([draw(spec, 'en'), draw(spec, 'ar')]);
    expect(arabic.isMirrored).toBe(true);
    expect(distancesFrom('right', arabic)).toEqual(distancesFrom('left', english));
    expect(distancesFrom('left', arabic)).not.toEqual(distancesFrom('left', english));
  });

  it.each(Object.entries(kept))('keeps the direction of %s', async (_, spec) => {
    const [english, arabic] = await Promise.all([draw(spec, 'en'), draw(spec, 'ar')]);
    expect(arabic.isMirrored).toBe(false);
    expect(distancesFrom('left', arabic)).toEqual(distancesFrom('left', english));
  });

  it('puts the value axis on the right, with its title at the right edge', async () => {
    const chart = await draw(mirrored.bars, 'ar');
    const width = Number(plotOf(chart).width);
    expect(Math.min(...lefts(chart, 'axis-label'), width)).toBeGreaterThan(0);
    const values = itemsOf(chart.scene.root, 'axis-label').filter(({ left }) => left > width);
    expect(values.length).toBeGreaterThan(2);
    const titles = itemsOf(chart.scene.root, 'axis-title');
    expect(titles.map(({ item, left }) => [Reflect.get(item, 'align'), Math.round(left - width)])).toEqual([
      ['right', expect.closeTo(0, -1)],
    ]);
  });

  it('puts legends on the right, each symbol right of its label', async () => {
    for (const spec of [mirrored['grouped bars'], { mark: 'line', encoding: { x: date, y: value, color } }]) {
      const [english, arabic] = await Promise.all([draw(spec, 'en'), draw(spec, 'ar')]);
      const [symbols, labels] = [lefts(arabic, 'legend-symbol'), lefts(arabic, 'legend-label')];
      expect(symbols.every((left, index) => left > (labels[index] ?? left))).toBe(true);
      expect(Math.min(...symbols)).toBeGreaterThan(Math.max(...lefts(english, 'legend-symbol')));
    }
  });

  it('moves from the right with the keyboard', async () => {
    const stations = stationsOf(await draw(mirrored.bars, 'ar'));
    const kinds = stations.list.map(({ item }) => Reflect.get(Object(item.datum), 'kind'));
    expect(kinds).toEqual(['a', 'b', 'c']);
    expect(stations.next(0, 'left')).toBe(1);
    expect(stations.next(1, 'right')).toBe(0);
    const lying = stationsOf(await draw(mirrored['horizontal bars'], 'ar'));
    expect(lying.next(0, 'down')).toBe(1);
    expect(lying.next(1, 'up')).toBe(0);
  });

  it.each(['en', 'ar'])(
    'moves down through the rows of horizontal stacked bars with the keyboard (%s)',
    async locale => {
      const stations = stationsOf(await draw(mirrored['horizontal stacked bars'], locale));
      const shown = stations.list.map(({ item }) =>
        ['kind', 'group'].map(name => Reflect.get(Object(item.datum), name)).join(' '),
      );
      expect(shown).toEqual(['a one', 'a two', 'b one', 'b two', 'c one', 'c two']);
      const onward = locale === 'ar' ? 'left' : 'right';
      expect(stations.next(0, onward)).toBe(1);
      expect(stations.next(0, 'down')).toBe(2);
      expect(stations.next(3, 'up')).toBe(1);
    },
  );

  it.each<[string, object, readonly string[]]>([
    ['stacked bars', mirrored['stacked bars'], ['a one', 'a two', 'b one', 'b two', 'c one', 'c two']],
    ['grouped bars', mirrored['grouped bars'], ['a one', 'a two', 'b one', 'b two', 'c one', 'c two']],
  ])('moves from left to right through the columns of %s', async (_, spec, expected) => {
    const stations = stationsOf(await draw(spec, 'en'));
    const shown = stations.list.map(({ item }) =>
      ['kind', 'group'].map(name => Reflect.get(Object(item.datum), name)).join(' '),
    );
    expect(shown).toEqual(expected);
  });

  it('mirrors sides, corners, angles, offsets and text of a specification', () => {
    const spec = {
      scales: [{ name: 'x', type: 'band', range: 'width', domain: { data: 'rows', field: 'kind' } }],
      title: { text: 'T', anchor: 'start' },
      legends: [{ orient: 'top-left', fill: 'x', type: 'gradient' }],
      axes: [
        { scale: 'x', orient: 'bottom', labelAngle: -45, labelAlign: 'right' },
        { scale: 'y', orient: 'left' },
      ],
      marks: [
        { type: 'rect', encode: { update: { x: { scale: 'x', field: 'kind' }, cornerRadiusTopLeft: { value: 2 } } } },
        {
          type: 'text',
          encode: { update: { x: { value: 10 }, dx: { signal: 'a' }, align: [{ test: 't', value: 'left' }] } },
        },
      ],
    };
    const directions = { text: 'rtl', time: 'ltr' } as const;
    expect(prepareSpec(spec, { theme: lightTheme, size, columns, directions }).spec).toMatchObject({
      scales: [{ reverse: true }],
      title: { anchor: 'end' },
      legends: [{ orient: 'top-right' }],
      axes: [{ orient: 'bottom', labelAngle: 45, labelAlign: 'left' }, { orient: 'right' }],
      marks: [
        { encode: { update: { cornerRadiusTopRight: { value: 2 } } } },
        {
          encode: {
            update: {
              x: { field: { group: 'width' }, offset: -10 },
              dx: { signal: '-(a)' },
              align: [{ test: 't', value: 'right' }],
            },
          },
        },
      ],
    });
  });

  it('reverses time if the locale requires it', async () => {
    const vega = await compileVegaLite(kept['lines over time']);
    const prepare = (time: 'ltr' | 'rtl') =>
      prepareSpec(vega, { theme: lightTheme, size, columns, directions: { text: 'rtl', time } }).isMirrored;
    expect([prepare('rtl'), prepare('ltr')]).toEqual([true, false]);
  });
});
