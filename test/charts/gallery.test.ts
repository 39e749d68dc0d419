import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { describe, expect, it } from 'vitest';
import { dataMarks, type SceneItem, sceneRoot } from '../../src/charts/scene.js';
import { compileVegaLite, createView, darkTheme } from '../../src/charts/view.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';
import { type Example, gallery } from './gallery.js';

const size = { width: 500, height: 300 };
const figures = ['id', 'value', 'other', 'low', 'signed', 'holes'];
const rows = Array.from({ length: 24 }, (_, id) => ({
  id,
  day: new Date(Date.UTC(2001, id >> 1, 3 + (id % 2) * 14)).toISOString().slice(0, 23),
  group: `g${id % 3}`,
  size: `s${(id >> 2) % 4}`,
  value: 10 + ((id * 37) % 90),
  other: 5 + ((id * 53) % 40),
  low: 1 + (id % 7),
  signed: ((id * 29) % 50) - 25,
  holes: id % 5 === 0 ? null : id * 3,
}));
const columns = [
  columnOf('day', 'time'),
  columnOf('group', 'string'),
  columnOf('size', 'string'),
  ...figures.map(name => columnOf(name, 'number')),
];
const rowSet = rowSetOf(columns, rows);

/** Properties of an item that the specification determines; colors, positions and fonts depend on the page. */
const decided = [
  'opacity',
  'fillOpacity',
  'strokeOpacity',
  'strokeWidth',
  'strokeDash',
  'interpolate',
  'defined',
  'shape',
  'padAngle',
  'innerRadius',
] as const;

/** Returns the marks of a rendered chart by type: number of items and lines, and their appearance. */
function looksOf(root: ReturnType<typeof sceneRoot>): unknown {
  const looks = new Map<string, number>();
  const count = (key: string) => looks.set(key, (looks.get(key) ?? 0) + 1);
  for (const { mark } of dataMarks(root)) {
    if (mark.marktype === 'line' || mark.marktype === 'area' || mark.marktype === 'trail') count(mark.marktype);
    for (const item of mark.items ?? []) count(`${mark.marktype} ${lookOf(item)}`);
  }
  return Object.fromEntries([...looks].sort());
}

function lookOf(item: SceneItem): string {
  const values = item as Readonly<Record<string, unknown>>;
  const isFilled = values.fill !== undefined && values.fill !== null && values.fill !== 'transparent';
  return JSON.stringify([isFilled ? 'filled' : 'hollow', ...decided.map(name => values[name] ?? null)]);
}

function isFaceted({ encoding }: Example['spec']): boolean {
  return typeof encoding === 'object' && encoding !== null && ('row' in encoding || 'facet' in encoding);
}

async function stock({ spec }: Example) {
  // Facets and concatenated charts set their size.
  const sized = ('mark' in spec || 'layer' in spec) && !isFaceted(spec) ? size : {};
  const { spec: compiled } = compile({ data: { name: 'rows' }, ...sized, ...spec } as unknown as TopLevelSpec, {
    logger: silent,
  });
  const view = new View(parse(compiled), { renderer: 'none', logger: silent });
  const values = rows.map(row => ({ ...row, day: new Date(`${row.day}Z`) }));
  await view.data('rows', values).runAsync();
  const looks = looksOf(sceneRoot(view.scenegraph()));
  view.finalize();
  return { looks, scales: JSON.parse(JSON.stringify(compiled.scales ?? null)) };
}

const nothing = () => silent;
const silent = { level: nothing, error: nothing, warn: nothing, info: nothing, debug: nothing } as never;

async function ours({ spec }: Example) {
  const compiled = await compileVegaLite(spec);
  const chart = await createView({ spec: compiled, rowSet, theme: darkTheme, locale: 'en', size });
  const looks = looksOf(chart.scene.root);
  chart.dispose();
  return { looks, scales: compiled.scales ?? null };
}

describe('a published specification keeps the marks, points, lines, opacity and gaps of stock Vega-Lite', () => {
  it.each(gallery.map(example => [example.name, example] as const))('%s', async (_name, example) => {
    expect(await ours(example)).toEqual(await stock(example));
  });
});
