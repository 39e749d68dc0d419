import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { calendarNamer } from '../format/calendar-names.js';
import { keysOf } from '../query/member-names.js';

/** A result of an answer, and its chart from `readAnswerChart`; `null` if it is a table. */
interface ChartedResult {
  readonly title: string;
  readonly query: Query | null;
  readonly rowSet: RowSet;
  readonly chart: JsonObject | null;
}

/**
 * Returns the report that runs the query of a result and shows it as its chart, or as a table. `null` without a query,
 * or if the query does not return all columns of the result.
 * @param locale BCP 47 tag of the weekdays and months on its axes.
 */
export function answerReport({ title, query, rowSet, chart }: ChartedResult, locale: string): ReportSnapshot | null {
  if (!query || !isQueried(query, rowSet)) return null;
  const report = { id: 0, reportId: 0, versionNumber: 1, title, meta: { jsonQuery: query } };
  return chart ? { ...report, kind: 'vega', spec: withAxisNames(chart, rowSet, locale) } : { ...report, kind: 'table' };
}

/** Whether a query returns all columns of a result. An agent may have added computed columns, such as shares. */
export function isQueried(query: Query, { columns }: Pick<RowSet, 'columns'>): boolean {
  const keys = new Set(keysOf(query));
  return columns.every(({ member }) => keys.has(member));
}

/** Labels the axes of numbered weekdays and months with names. */
function withAxisNames(chart: JsonObject, rowSet: RowSet, locale: string): JsonObject {
  const { encoding, layer } = chart;
  const named = isObject(encoding) ? { encoding: mapAxes(encoding, given => withNames(given, rowSet, locale)) } : {};
  const layers = Array.isArray(layer)
    ? { layer: layer.map(part => (isObject(part) ? withAxisNames(part, rowSet, locale) : part)) }
    : {};
  return { ...chart, ...named, ...layers };
}

function withNames(channel: JsonObject, { columns, rows }: RowSet, locale: string): JsonObject {
  const member = String(channel.field).replaceAll('\\', '');
  const column = columns.find(found => found.member === member);
  const name = column ? calendarNamer(column, locale) : null;
  if (!name || channel.axis === null) return channel;
  const names = rows.map(row => [String(row[member]), name(row[member] ?? null)]).filter(([, text]) => text !== null);
  const labelExpr = `${JSON.stringify(Object.fromEntries(names))}[datum.value] || datum.label`;
  return { ...channel, axis: { ...(isObject(channel.axis) && channel.axis), labelExpr } };
}

/** Changes the channels with an axis. */
function mapAxes(encoding: JsonObject, change: (channel: JsonObject) => JsonObject): JsonObject {
  const entries = Object.entries(encoding).map(([channel, given]) => [
    channel,
    (channel === 'x' || channel === 'y') && isObject(given) ? change(given) : given,
  ]);
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
