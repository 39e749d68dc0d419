import { ComputedColumn, type DataQueryColumn } from '../../../../contract/chat.js';
import type { JsonObject } from '../../../../contract/wire.js';
import type { Reading } from '../reading/reading.js';
import { schema } from './chart.js';
import { periodsOf } from './comparison-text.js';
import { periodTitle, titleOf } from './describe-reading.js';
import { keyColumns, type Result, resultOf, rowKey } from './results.js';

const periodColumn = ComputedColumn.period;
/** Maximum number of groups of a chart with two bars each. */
const maxGroups = 30;

/** Whether an answer shows the groups of two periods in one chart. */
export function isChartOfPeriods({ computation, measures, dimensions, grain, limit, order }: Reading): boolean {
  if (computation.kind !== 'compare' || computation.ranking !== null) return false;
  return measures.length === 1 && dimensions.length === 1 && grain === null && limit === null && order === null;
}

/**
 * Adds the rows of the earlier period to the result of the later period, whose chart then shows both.
 * @param results - the results of both periods, as the tool returned them.
 */
export function withBothPeriods(
  reading: Reading,
  [now, before, ...others]: readonly JsonObject[],
  locale: string,
): readonly JsonObject[] {
  const given = [now, before, ...others].filter(result => result !== undefined);
  const [later, earlier] = [now, before].map(result => resultOf(result ?? {}));
  const periods = periodsOf(reading, locale);
  if (!now || !later || !earlier || 'error' in later || 'error' in earlier || periods === null) return given;
  const vegaSpec = chartOfPeriods(reading, periodTitle(locale));
  if (vegaSpec === null || later.rows.length === 0 || later.rows.length > maxGroups) return given;
  const shown = new Set(later.rows.map(row => rowKey(reading, later, row)));
  const compared = earlier.rows.filter(row => shown.has(rowKey(reading, earlier, row)));
  const [laterPeriod, earlierPeriod] = periods;
  const data = [...later.rows.map(row => [...row, laterPeriod]), ...compared.map(row => [...row, earlierPeriod])];
  const column: DataQueryColumn = { name: periodColumn, column_type: 'String', title: periodTitle(locale) };
  const result = {
    ...now,
    schema: [...(Array.isArray(now.schema) ? now.schema : []), column],
    data,
    totalRows: data.length,
    vegaSpec: JSON.stringify(vegaSpec),
    queryTitle: titleOf(reading, locale),
  };
  return [result, ...given.slice(1)];
}

/** Returns the rows of the later period, which come before those of the earlier period in the result. */
export function ofLaterPeriod(result: Result): Result {
  const place = result.indexOf(periodColumn);
  if (place < 0) return result;
  const rows = result.rows.filter(row => row[place] === result.rows[0]?.[place]);
  return { ...result, rows, totalRows: rows.length };
}

function chartOfPeriods(reading: Reading, title: string): JsonObject | null {
  const [[measure], [group], [key]] = [reading.measures, reading.dimensions, keyColumns(reading)];
  if (measure === undefined || group === undefined || key === undefined) return null;
  const figure = { field: measure.name, type: 'quantitative', title: measure.title, axis: { title: null } };
  const names = { field: key, title: group.title, sort: null, axis: { title: null } };
  const period = { field: periodColumn, type: 'nominal', title, sort: null };
  const encoding = group.ordered
    ? { x: { ...names, type: 'ordinal', sort: 'ascending' }, y: figure, xOffset: period, color: period }
    : { y: { ...names, type: 'nominal' }, x: figure, yOffset: period, color: period };
  return { $schema: schema, mark: { type: 'bar' }, encoding };
}
