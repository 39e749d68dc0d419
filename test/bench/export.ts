import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../src/contract/dashboards.js';
import type { Row } from '../../src/contract/data.js';
import type { Query } from '../../src/contract/query.js';
import type { RowSet } from '../../src/contract/row-set.js';
import type { JsonObject } from '../../src/contract/wire.js';
import { type BenchOptions, type Figure, median, millis } from './figures.js';

type Renderer = Pick<typeof import('../../src/node/index.js'), 'renderDashboard' | 'renderReport'>;
type Compile = typeof import('../../src/charts/view.js').compileVegaLite;

const months = 60;
const states = ['CA', 'TX', 'NY', 'FL', 'IL', 'PA', 'OH', 'GA', 'NC', 'MI'];

/** Returns the rows for a query, the same in each run: as many as its `limit`. */
async function load({ dimensions = [], measures = [], limit }: Query): Promise<RowSet> {
  const count = typeof limit === 'number' ? limit : 10;
  const cell = (member: string, row: number): string => {
    if (member.endsWith('.month')) return new Date(Date.UTC(2020, row % months, 1)).toISOString().slice(0, 23);
    if (member.endsWith('.state')) return states[row % states.length] ?? '';
    return `${member.split('.')[1]} ${row % 700}`;
  };
  const columns = [
    ...dimensions.map(member => ({
      member,
      kind: 'dimension' as const,
      type: member.endsWith('.month') ? 'time' : 'string',
    })),
    ...measures.map(member => ({ member, kind: 'measure' as const, type: 'number' })),
  ];
  const rows = Array.from(
    { length: count },
    (_, row): Row =>
      Object.fromEntries(
        columns.map(({ member, kind }) => [member, kind === 'measure' ? (row * 7_919) % 10_007 : cell(member, row)]),
      ),
  );
  return {
    columns: columns.map(({ member, kind, type }) => ({
      member,
      kind,
      annotation: { title: member, shortTitle: member, type },
    })),
    rows,
    truncated: false,
    lastRefreshTime: null,
  };
}

const field = (name: string, type: string) => ({ field: name.replace('.', '\\.'), type });
const vegaLite = (mark: string, x: string, y: string): JsonObject => ({
  mark,
  encoding: { x: field(x, x === 'o.month' ? 'temporal' : 'nominal'), y: field(y, 'quantitative') },
});

interface Report {
  readonly kind: ReportSnapshot['kind'];
  readonly query: Query;
  readonly spec?: JsonObject;
}

const bars: Report = {
  kind: 'vega',
  query: { dimensions: ['o.state'], measures: ['o.sum'], limit: 10 },
  spec: vegaLite('bar', 'o.state', 'o.sum'),
};
const lines: Report = {
  kind: 'vega',
  query: { dimensions: ['o.month'], measures: ['o.sum'], limit: months },
  spec: vegaLite('line', 'o.month', 'o.sum'),
};
const points: Report = {
  kind: 'vega',
  query: { dimensions: ['o.name'], measures: ['o.sum', 'o.count'], limit: 1_000 },
  spec: {
    mark: 'circle',
    encoding: { x: field('o.sum', 'quantitative'), y: field('o.count', 'quantitative'), color: { value: '#2f6fde' } },
  },
};
const table: Report = {
  kind: 'table',
  query: { dimensions: ['o.name', 'o.city'], measures: ['o.sum', 'o.count'], limit: 200 },
};
const figure: Report = { kind: 'kpi', query: { measures: ['o.sum'], limit: 1 } };
const map: Report = {
  kind: 'map',
  query: { dimensions: ['o.state'], measures: ['o.sum'], limit: 10 },
  spec: { type: 'us-states' },
};
const flows: Report = { kind: 'sankey', query: { dimensions: ['o.state', 'o.city'], measures: ['o.sum'], limit: 30 } };
const reports = [
  ...[figure, figure, figure, figure],
  ...[bars, lines, points, bars, lines, points, bars, lines, points, bars, lines, bars],
  ...[map, map, flows, flows],
  ...[table, table, table, table],
];

async function snapshotOf({ kind, query, spec }: Report, id: number, compile: Compile): Promise<ReportSnapshot> {
  const vega = kind === 'vega' && spec ? { vega: await compile(spec) } : {};
  return {
    id,
    reportId: id,
    versionNumber: 1,
    kind,
    title: `Report ${id}`,
    ...(spec && { spec }),
    meta: { jsonQuery: query, ...vega },
  };
}

async function benchDashboard(compile: Compile): Promise<Dashboard> {
  const reportSnapshots = await Promise.all(reports.map((report, index) => snapshotOf(report, index + 1, compile)));
  const widgets = reports.map(
    ({ kind }, index): DashboardWidget => ({
      id: `tile-${index}`,
      type: 'CHART',
      position: { x: (index % 3) * 4, y: Math.floor(index / 3) * 6, w: 4, h: kind === 'kpi' ? 3 : 6 },
      config: { reportId: index + 1 },
    }),
  );
  return {
    allowEmbed: true,
    config: { widgets },
    deploymentId: 1,
    id: 1,
    publicId: 'AbCdEfGhIjKl',
    reportSnapshots,
    status: 'published',
    versionId: 1,
    versionNumber: 1,
    workbookId: 1,
    title: 'Export',
  };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

async function medianOf(rounds: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(run));
  return median(times);
}

/** Measures the renderer with the code of the build. The rows are available at once, so that no query is measured. */
export async function* exportFigures({ note }: BenchOptions): AsyncGenerator<Figure, void> {
  const dist = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;
  const { renderDashboard, renderReport }: Renderer = await import(dist('node/index.js'));
  const { compileVegaLite }: { compileVegaLite: Compile } = await import(dist('charts/view.js'));
  const dashboard = await benchDashboard(compileVegaLite);
  note('export: 24 tiles');
  const first = await timed(() => renderDashboard({ dashboard, load, output: 'pdf' }));
  yield { what: '24 tiles to PDF, first file of a process', measured: millis(first), aim: '5,000 ms' };
  const pdf = await medianOf(3, () => renderDashboard({ dashboard, load, output: 'pdf' }));
  yield { what: '24 tiles to PDF', measured: millis(pdf), aim: '5,000 ms' };
  const png = await medianOf(3, () => renderDashboard({ dashboard, load, output: 'png' }));
  yield { what: '24 tiles to PNG', measured: millis(png), aim: '4,000 ms' };
  const html = await medianOf(3, () => renderDashboard({ dashboard, load, output: 'html' }));
  yield { what: '24 tiles to HTML', measured: millis(html), aim: '' };
  const growth = await memoryGrowth(() => renderDashboard({ dashboard, load, output: 'pdf' }));
  yield { what: 'memory growth with four PDF files at once', measured: `${growth} MB`, aim: '200 MB' };
  const report = await snapshotOf(points, 1, compileVegaLite);
  const svg = await medianOf(15, () => renderReport({ report, load, output: 'svg' }));
  yield { what: 'renderReport, chart of 1,000 marks, SVG, warm', measured: millis(svg), aim: '80 ms' };
  const image = await medianOf(15, () => renderReport({ report, load, output: 'png' }));
  yield { what: 'renderReport, chart of 1,000 marks, PNG, warm', measured: millis(image), aim: '80 ms' };
}

/** Returns by how many MB the process grows while four files are rendered. */
async function memoryGrowth(render: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  await Promise.all([render(), render(), render(), render()]);
  clearInterval(timer);
  return Math.round((Math.max(most, process.memoryUsage.rss()) - before) / 1024 / 1024);
}
