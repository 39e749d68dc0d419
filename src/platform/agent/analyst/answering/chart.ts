import type { JsonObject } from '../../../../contract/wire.js';
import { ChartKind, type Reading } from '../reading/reading.js';
import { timeColumn } from '../reading/to-query.js';
import { type Member, withoutBrackets } from '../vocabulary/lexicon.js';

/** Vega-Lite version of the charts. */
export const schema = 'https://vega.github.io/schema/vega-lite/v5.json';

/**
 * Hides axis titles, because the heading already names the columns. Tooltips and legends still use the column titles.
 */
const untitled = { axis: { title: null } };

interface Channel {
  readonly field: string;
  readonly type: 'temporal' | 'nominal' | 'ordinal' | 'quantitative';
  readonly title: string;
}

/**
 * Returns the chart of a reading as a Vega-Lite specification without data, or `null` if a single number or a table is
 * more suitable.
 */
export function chartOf(reading: Reading): JsonObject | null {
  const { measures, dimensions, chart } = reading;
  const special = chart === ChartKind.scatter ? scatterOf(reading) : countsOf(reading);
  if (special) return { $schema: schema, ...special };
  const [measure, ...others] = measures;
  const [main, series, ...more] = channelsOf(reading);
  if (measure === undefined || main === undefined || isTable(reading)) return null;
  const [other] = others;
  if (other && others.length === 1 && series === undefined && isLineChart(reading, main))
    return twoLines(main, [measure, other]);
  if (others.length > 0 || more.length > 0 || (series && dimensions.length > 1 && chart !== ChartKind.bar)) return null;
  const figure = { field: measure.name, type: 'quantitative', title: measure.title, ...untitled };
  const color = series ? { color: { ...series } } : {};
  if (isLineChart(reading, main))
    return {
      $schema: schema,
      mark: { type: 'line', point: true },
      encoding: { x: { ...main, ...untitled }, y: figure, ...color },
    };
  if (main.type === 'temporal' || main.type === 'ordinal') {
    return {
      $schema: schema,
      mark: { type: 'bar' },
      encoding: {
        x: { ...main, ...untitled },
        y: figure,
        ...color,
      },
    };
  }
  // Use horizontal bars in row order, because names are easier to read horizontally.
  return {
    $schema: schema,
    mark: { type: 'bar' },
    encoding: { y: { ...main, ...untitled, sort: null }, x: figure, ...color },
  };
}

/** Whether to show lines, which is the default for rows in order of time. */
function isLineChart({ chart, order, perGroup }: Reading, main: Channel): boolean {
  const isTrend = main.type === 'temporal' && order === null && perGroup === null;
  return chart === ChartKind.line || (chart === ChartKind.auto && isTrend);
}

/** Returns a line of each measure. Each has its own axis, because their units may differ. */
function twoLines(main: Channel, measures: readonly [Member, Member]): JsonObject {
  const line = ({ name, title }: Member) => ({
    mark: { type: 'line', point: true },
    encoding: {
      y: { field: name, type: 'quantitative', title, axis: { title, grid: false } },
      color: { datum: title, type: 'nominal', title: null },
    },
  });
  return {
    $schema: schema,
    encoding: { x: { ...main, ...untitled } },
    layer: measures.map(line),
    resolve: { scale: { y: 'independent' } },
  };
}

/**
 * Whether to omit the chart, because the question requests a table, or because the queries do not contain the sums or
 * groups of the answer.
 */
function isTable({ chart, computation }: Reading): boolean {
  return chart === ChartKind.table || computation.kind === 'running total' || computation.kind === 'contributions';
}

/** Returns a scatter plot of two measures or two numeric columns. A further dimension sets the color. */
function scatterOf({ measures, dimensions }: Reading): JsonObject | null {
  const columns = dimensions.filter(({ type }) => type === 'number');
  const [x, y] = measures.length > 1 ? measures : columns;
  if (x === undefined || y === undefined) return null;
  const series = dimensions.find(one => one !== x && one !== y);
  const axis = (member: Member) => ({
    field: member.name,
    type: 'quantitative',
    title: member.title,
    scale: { zero: false },
  });
  const color = series ? { color: { field: series.name, type: 'nominal', title: series.title } } : {};
  return { mark: { type: 'point', filled: true, tooltip: true }, encoding: { x: axis(x), y: axis(y), ...color } };
}

/** Returns a histogram of a numeric column, or a pie chart of one grouping; `null` for other charts. */
function countsOf({ measures, dimensions, grain, chart }: Reading): JsonObject | null {
  const [[measure, ...others], [group, ...more]] = [measures, dimensions];
  if (measure === undefined || group === undefined || others.length + more.length > 0 || grain !== null) return null;
  const figure = { field: measure.name, type: 'quantitative', title: measure.title };
  if (chart === ChartKind.histogram && group.type === 'number') {
    const bins = { field: group.name, type: 'quantitative', bin: true, title: group.title, ...untitled };
    return { mark: { type: 'bar' }, encoding: { x: bins, y: { ...figure, aggregate: 'sum', ...untitled } } };
  }
  if (chart !== ChartKind.pie) return null;
  const color = { field: group.name, type: 'nominal', title: group.title };
  return { mark: { type: 'arc', tooltip: true }, encoding: { theta: { ...figure, stack: true }, color } };
}

function channelsOf(reading: Reading): Channel[] {
  const column = timeColumn(reading);
  const time: Channel[] =
    column && reading.time ? [{ field: column, type: 'temporal', title: withoutBrackets(reading.time.title) }] : [];
  const of = (member: Member): Channel => ({
    field: member.name,
    type: member.ordered ? 'ordinal' : 'nominal',
    title: member.title,
  });
  return [...time, ...reading.dimensions.map(of)];
}
