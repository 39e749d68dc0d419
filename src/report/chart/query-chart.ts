import type { Column, RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';

const schema = 'https://vega.github.io/schema/vega-lite/v6.json';
/** Maximum number of bars and of series. */
const maxCategories = 40;
const maxSeries = 7;
/** Maximum number of periods for which a line shows points. */
const maxPoints = 60;

/**
 * Returns an automatic chart for the result of a query, as Vega-Lite without data: a line over time, or
 * horizontal bars in row order. The first measure is the value; a second group is the color. Returns `null` if a table
 * suits the result better.
 */
export function queryChart({ columns, rows }: RowSet): JsonObject | null {
  const groups = columns.filter(({ kind }) => kind !== 'measure');
  const measures = columns.filter(({ kind, annotation }) => kind === 'measure' && annotation.type === 'number');
  const [measure] = measures;
  const time = groups.find(({ kind }) => kind === 'timeDimension');
  const main = time ?? groups[0];
  const [series, ...more] = groups.filter(column => column !== main);
  if (!measure || !main || more.length > 0 || rows.length === 0) return null;
  const distinct = (column: Column): number => new Set(rows.map(row => row[column.member])).size;
  if (series && distinct(series) > maxSeries) return null;
  if (!time && distinct(main) > maxCategories) return null;
  const value = { ...channel(measure, 'quantitative'), title: measure.annotation.shortTitle };
  const color = series && { color: { ...channel(series, 'nominal'), title: series.annotation.shortTitle } };
  if (time && rows.length > 1) {
    const line = { type: 'line', point: distinct(time) <= maxPoints };
    return { $schema: schema, mark: line, encoding: { x: channel(main, 'temporal'), y: value, ...color } };
  }
  const place = { ...channel(main, time ? 'temporal' : 'nominal'), sort: null };
  return { $schema: schema, mark: 'bar', encoding: time ? { x: place, y: value } : { y: place, x: value, ...color } };
}

/** Escapes dots, which would mean nested fields. */
function channel({ member }: Column, type: string): JsonObject {
  return { field: member.replaceAll('.', '\\.'), type, title: null };
}

/**
 * Returns a title for a result: "Flights by Departure (month)".
 * @param chart - the chart of `queryChart`, which shows only the first measure.
 */
export function queryTitle({ columns }: RowSet, chart: JsonObject | null): string {
  const measures = columns.filter(({ kind }) => kind === 'measure');
  const groups = columns.filter(({ kind }) => kind !== 'measure');
  const titles = (named: readonly Column[]): string =>
    named
      .map(({ annotation: { shortTitle, granularity } }) =>
        granularity ? `${shortTitle} (${granularity.title.toLowerCase()})` : shortTitle,
      )
      .join(', ');
  return [titles(chart ? measures.slice(0, 1) : measures), titles(groups)].filter(Boolean).join(' by ');
}
