import { printContent } from '../../content/print-content.js';
import type { ReportFile, WorkbookFile } from '../../contract/content-files.js';
import type { Cube, Dimension, Measure } from '../../platform/data/generate/describe-cubes.js';

const schema = 'https://vega.github.io/schema/vega-lite/v6.json';
/** Number of groups of a bar chart. */
const maxGroups = 10;
const maxTableRows = 100;
const granularities = [
  { name: 'day', maxDays: 90 },
  { name: 'week', maxDays: 365 },
  { name: 'month', maxDays: 3650 },
];

/** Keeps tiles side by side in elements of medium width; narrower elements stack them. */
const layout = { cols: { lg: 12, md: 12, sm: 12, xs: 4, xxs: 2 } };

/** A tile of the dashboard; the grid has 12 columns. */
interface Tile {
  readonly id: string;
  readonly report: ReportFile;
  readonly w: number;
  readonly h: number;
}

/**
 * Generates a dashboard for the most suitable cube: KPIs, a chart over time, a bar chart, a table and a filter, if the
 * cube has the columns for them.
 * @returns file contents by path in the folder of `pa-platform apply`.
 */
export function describeDashboard(cubes: readonly Cube[]): Map<string, string> {
  const [cube] = [...cubes].sort((one, other) => scoreOf(other) - scoreOf(one));
  if (cube === undefined) return new Map();
  const tiles = tilesOf(cube);
  const reports = new Map(tiles.map(({ id, report }) => [publicIdOf(cube, id), report]));
  const filter = categoryOf(cube) ?? timeOf(cube);
  const workbook: WorkbookFile = {
    name: titleOf(cube.table),
    dashboard: {
      title: titleOf(cube.table),
      layout,
      widgets: [...(filter ? [filterOf(cube, filter)] : []), ...place(cube, tiles)],
    },
    publish: true,
    embedAccess: { allowEmbed: true, allEmbedUsers: true },
  };
  return printContent({ reports, workbooks: new Map([[cube.table, workbook]]) });
}

/**
 * Returns how suitable a cube is. Criteria by priority: a tenant column, a time, measures besides the row count, a
 * category, many rows.
 */
function scoreOf(cube: Cube): number {
  const score =
    (cube.tenant ? 8 : 0) + (timeOf(cube) ? 4 : 0) + (cube.measures.length > 1 ? 2 : 0) + (categoryOf(cube) ? 1 : 0);
  return score + cube.rows / (cube.rows + 1e6);
}

function visibleDimensions({ dimensions, tenant }: Cube): Dimension[] {
  return dimensions.filter(dimension => !dimension.isKey && dimension !== tenant);
}

function timeOf(cube: Cube): Dimension | undefined {
  return visibleDimensions(cube).find(({ column }) => column.type === 'time');
}

/** Returns a dimension with a few groups, otherwise any string dimension whose values repeat. */
function categoryOf(cube: Cube): Dimension | undefined {
  const groups = visibleDimensions(cube).filter(({ column }) => ['string', 'boolean'].includes(column.type));
  const isSmall = ({ column: { distinct } }: Dimension) => distinct >= 2 && distinct <= 30;
  return groups.find(isSmall) ?? groups.find(({ column }) => column.distinct < cube.rows);
}

/** Returns the number of rows, then the sum and the average of the column with the most values. */
function figuresOf({ measures }: Cube): Measure[] {
  const [count, ...others] = measures;
  if (count === undefined) return [];
  const sums = others.filter(({ type }) => type === 'sum');
  const candidates = sums.length > 0 ? sums : others;
  const [main] = candidates.toSorted((one, other) => (other.column?.distinct ?? 0) - (one.column?.distinct ?? 0));
  return [count, ...others.filter(({ column }) => column === main?.column)];
}

function tilesOf(cube: Cube): Tile[] {
  const figures = figuresOf(cube);
  const main = figures[1] ?? figures[0];
  if (main === undefined) return [];
  const [time, category] = [timeOf(cube), categoryOf(cube)];
  const member = ({ name }: Dimension | Measure) => `${cube.name}.${name}`;
  const tiles = figures.map((measure): Tile => {
    const isCount = measure.type === 'count';
    const report = figure(isCount ? titleOf(cube.table) : measureTitle(measure), member(measure));
    return { id: figureIds[measure.type], report, w: 12 / figures.length, h: 3 };
  });
  if (time) tiles.push({ id: 'Time', report: timeChart(main, time, member), w: category ? 8 : 12, h: 6 });
  if (category) tiles.push({ id: 'Bars', report: barChart(main, category, member), w: time ? 4 : 12, h: 6 });
  const columns = visibleDimensions(cube).filter(({ column }) => ['string', 'boolean'].includes(column.type));
  const query = {
    ...(columns.length > 0 && { dimensions: columns.slice(0, 3).map(member) }),
    measures: figures.map(member),
    order: [[member(main), 'desc']],
    limit: maxTableRows,
  };
  tiles.push({ id: 'Table', report: { name: 'Details', query, meta: { kind: 'table' } }, w: 12, h: 7 });
  return tiles;
}

const figureIds = { count: 'Count', sum: 'Total', avg: 'Average' } as const;

function figure(name: string, measure: string): ReportFile {
  return { name, query: { measures: [measure] }, meta: { kind: 'kpi' } };
}

type MemberPath = (of: Dimension | Measure) => string;

function timeChart(measure: Measure, time: Dimension, member: MemberPath): ReportFile {
  const granularity = granularities.find(({ maxDays }) => time.column.days <= maxDays)?.name ?? 'year';
  return {
    name: `${measureTitle(measure)} by ${granularity}`,
    query: { measures: [member(measure)], timeDimensions: [{ dimension: member(time), granularity }] },
    meta: vega({
      mark: { type: 'line', point: true },
      encoding: {
        x: { field: `${member(time)}.${granularity}`, type: 'temporal', title: null },
        y: { field: member(measure), type: 'quantitative', title: null },
      },
    }),
  };
}

function barChart(measure: Measure, category: Dimension, member: MemberPath): ReportFile {
  return {
    name: `${measureTitle(measure)} by ${dimensionTitle(category)}`,
    query: {
      measures: [member(measure)],
      dimensions: [member(category)],
      order: [[member(measure), 'desc']],
      limit: maxGroups,
    },
    meta: vega({
      mark: 'bar',
      encoding: {
        x: { field: member(measure), type: 'quantitative', title: null },
        y: { field: member(category), type: 'nominal', sort: null, title: null },
      },
    }),
  };
}

function vega(spec: Readonly<Record<string, unknown>>): ReportFile['meta'] {
  return { kind: 'vega', spec: { $schema: schema, data: { name: 'rows' }, ...spec } };
}

type Widget = NonNullable<NonNullable<WorkbookFile['dashboard']>['widgets']>[number];

function filterOf(cube: Cube, dimension: Dimension): Widget {
  const config = { member: `${cube.name}.${dimension.name}`, title: capitalize(dimensionTitle(dimension)) };
  return { id: 'filter', type: 'FILTER', position: { x: 0, y: 0, w: 3, h: 1 }, config };
}

/** Arranges the tiles in rows, below the filter. */
function place(cube: Cube, tiles: readonly Tile[]): Widget[] {
  let [x, y, rowHeight] = [0, 1, 0];
  return tiles.map(({ id, w, h }) => {
    if (x + w > 12 || h !== rowHeight) [x, y, rowHeight] = [0, y + rowHeight, h];
    const position = { x, y, w, h };
    x += w;
    return { id: id.toLowerCase(), type: 'CHART', position, config: { report: publicIdOf(cube, id) } };
  });
}

/** Returns a public id, which has 12 letters or digits. */
function publicIdOf({ table }: Cube, tile: string): string {
  const name = table.split('_').map(capitalize).join('');
  return `${name.slice(0, 12 - tile.length)}${tile}`.padEnd(12, '0');
}

function titleOf(name: string): string {
  return capitalize(name.replaceAll('_', ' ').trim());
}

function measureTitle({ name, title }: Measure): string {
  return title ?? titleOf(name);
}

/** Returns the title of a dimension for use within a sentence. */
function dimensionTitle({ name, title }: Dimension): string {
  return title ?? titleOf(name).toLowerCase();
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
