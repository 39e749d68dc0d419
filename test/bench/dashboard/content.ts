import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { JsonObject } from '../../../src/contract/wire.js';

/** Number of tiles per dashboard. */
const tileCount = 24;

/** Dashboards with the same tiles. A window of 1440x900 shows the first `inView` of them. */
export const boards = { all: { w: 2, h: 4, inView: tileCount }, some: { w: 3, h: 9, inView: 8 } } as const;
/** One of the dashboards. */
export type Board = keyof typeof boards;

/** The member and value of the dashboard filter. The value occurs in all charts. */
export const filtered = { member: 'departures.destination_state', value: 'CA' } as const;

const time = { dimension: 'departures.date', dateRange: ['2001-01-01', '2001-06-30'] };
const measures = ['count', 'average_delay', 'on_time_share', 'average_distance'].map(name => `departures.${name}`);

interface Chart {
  readonly query: JsonObject;
  readonly mark: JsonObject;
  readonly encoding: JsonObject;
}

/** Charts of a measure: a daily line, bars, a heat map, points, an area, stacked bars. */
const charts: readonly ((measure: string) => Chart)[] = [
  measure => ({
    query: { measures: [measure], timeDimensions: [{ ...time, granularity: 'day' }] },
    mark: { type: 'line' },
    encoding: { x: field('departures.date.day', 'temporal'), y: field(measure, 'quantitative') },
  }),
  measure => ({
    query: { measures: [measure], dimensions: ['departures.hour'], order: [['departures.hour', 'asc']] },
    mark: { type: 'bar' },
    encoding: { x: field('departures.hour', 'ordinal'), y: field(measure, 'quantitative') },
  }),
  measure => ({
    query: { measures: [measure], dimensions: ['departures.weekday', 'departures.hour'] },
    mark: { type: 'rect' },
    encoding: {
      x: field('departures.hour', 'ordinal'),
      y: field('departures.weekday', 'ordinal'),
      color: field(measure, 'quantitative'),
    },
  }),
  measure => ({
    query: { measures: [measure, 'departures.max_delay'], dimensions: ['departures.destination'] },
    mark: { type: 'point' },
    encoding: { x: field(measure, 'quantitative'), y: field('departures.max_delay', 'quantitative') },
  }),
  measure => ({
    query: { measures: [measure], timeDimensions: [{ ...time, granularity: 'week' }] },
    mark: { type: 'area' },
    encoding: { x: field('departures.date.week', 'temporal'), y: field(measure, 'quantitative') },
  }),
  measure => ({
    query: {
      measures: [measure],
      dimensions: ['departures.distance_band'],
      timeDimensions: [{ ...time, granularity: 'month' }],
    },
    mark: { type: 'bar' },
    encoding: {
      x: field('departures.date.month', 'ordinal'),
      y: field(measure, 'quantitative'),
      color: field('departures.distance_band', 'nominal'),
    },
  }),
];

function field(name: string, type: string): JsonObject {
  return { field: name, type, title: null };
}

function reportOf(index: number): { readonly id: string; readonly name: string; readonly chart: Chart } {
  const make = charts[index % charts.length];
  const measure = measures[Math.floor(index / charts.length)];
  if (!make || !measure) throw new Error(`No chart ${index}.`);
  return { id: `Bench${String(index).padStart(7, '0')}`, name: `Chart ${index + 1}`, chart: make(measure) };
}

const reports = Array.from({ length: tileCount }, (_, index) => reportOf(index));

/** Writes the dashboards as files for `pa-platform apply`. */
export function writeContent(folder: string): void {
  mkdirSync(join(folder, 'reports'), { recursive: true });
  mkdirSync(join(folder, 'workbooks'), { recursive: true });
  for (const { id, name, chart } of reports) {
    const { query, mark, encoding } = chart;
    const spec = { $schema: 'https://vega.github.io/schema/vega-lite/v6.json', data: { name: 'rows' }, mark, encoding };
    writeFileSync(join(folder, 'reports', `${id}.yml`), stringify({ name, query, meta: { kind: 'vega', spec } }));
  }
  for (const [board, size] of Object.entries(boards)) {
    writeFileSync(join(folder, 'workbooks', `bench-${board}.yml`), stringify(workbookOf(board, size)));
  }
}

function workbookOf(board: string, { w, h }: { readonly w: number; readonly h: number }): JsonObject {
  const perRow = 12 / w;
  return {
    name: `Bench ${board}`,
    dashboard: {
      layout: { margin: [16, 16], rowHeight: 30 },
      widgets: [
        {
          id: 'state',
          type: 'FILTER',
          position: { x: 0, y: 0, w: 3, h: 1 },
          config: { member: filtered.member, values: [filtered.value] },
        },
        ...reports.map(({ id }, index) => ({
          id,
          type: 'CHART',
          position: { x: (index % perRow) * w, y: Math.floor(index / perRow) * h, w, h },
          config: { report: id },
        })),
      ],
    },
    publish: true,
    embedAccess: { allowEmbed: true, allEmbedUsers: true },
  };
}
