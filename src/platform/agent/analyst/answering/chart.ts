import type { JsonObject } from '../../../../contract/wire.js';
import { ChartKind, type Reading } from '../reading/reading.js';
import { timeColumn } from '../reading/to-query.js';
import { type Member, withoutBrackets } from '../vocabulary/lexicon.js';

const schema = 'https://vega.github.io/schema/vega-lite/v5.json';

/** Hides axis titles, because the heading already names them. Tooltips and legends still use the column titles. */
const untitled = { axis: { title: null } };

interface Channel {
  readonly field: string;
  readonly type: 'temporal' | 'nominal' | 'ordinal' | 'quantitative';
  readonly title: string;
}

/** Returns the chart of a reading as Vega-Lite without data, or `null` if a figure or a table suits it better. */
export function chartOf(reading: Reading): JsonObject | null {
  const { measures, dimensions, chart } = reading;
  const [measure, ...others] = measures;
  const [main, series, ...more] = channelsOf(reading);
  if (measure === undefined || main === undefined || chart === ChartKind.table) return null;
  if (others.length > 0 || more.length > 0 || (series && dimensions.length > 1)) return null;
  const figure = { field: measure.name, type: 'quantitative', title: measure.title, ...untitled };
  const isTime = main.type === 'temporal';
  const isLine = chart === ChartKind.line || (chart === ChartKind.auto && isTime && reading.order === null);
  const color = series ? { color: { ...series } } : {};
  if (isLine)
    return {
      $schema: schema,
      mark: { type: 'line', point: true },
      encoding: { x: { ...main, ...untitled }, y: figure, ...color },
    };
  if (isTime || main.type === 'ordinal') {
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
