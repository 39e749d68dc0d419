import { ComputedColumn, ComputedValues } from '../../../contract/chat.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { Query } from '../../../contract/query.js';
import type { JsonObject } from '../../../contract/wire.js';
import { comparisonsOf } from '../../../report/query/comparison.js';
import { comparisonPeriodQuery } from '../../../report/query/comparison-period.js';
import { NotVisible } from './visible-query.js';

/** The parts of a report that depend on how its values are computed. */
type ComputedParts = Pick<ReportSnapshot, 'kind' | 'spec' | 'periodComparisons'>;

/** Returns the names of the columns that a chart may use besides those of the query. */
export const computedColumns: readonly string[] = Object.values(ComputedColumn);

/**
 * Returns the parts of a report that computes the values of an answer from the rows of its viewer.
 * @param chart - chart of the answer, which may use the computed columns; `null` for a number or a table.
 * @throws NotVisible if the values cannot be computed.
 */
export function computedParts(given: unknown, query: Query, chart: JsonObject | null): ComputedParts {
  const { data: computed } = ComputedValues.safeParse(given);
  if (computed === undefined) throw new NotVisible();
  if (computed.kind === 'share') return shareParts(query, chart);
  const { offset, timeDimension } = computed;
  const periodComparisons = (query.measures ?? []).map(measure => ({ measure, offset, timeDimension }));
  const [comparison] = comparisonsOf({ periodComparisons }, query, null);
  if (comparison === undefined) throw new NotVisible();
  const [measure] = query.measures ?? [];
  const earlier = comparison.columns.find(column => column.measure === measure && column.output === 'value');
  const before = comparisonPeriodQuery(query, comparison, null, () => false);
  if (chart && usesField(chart, ComputedColumn.period) && measure && earlier) {
    const columns = [measure, earlier.name];
    const labels = [query, before].map(each => periodLabel(each, timeDimension));
    return { kind: 'vega', spec: chartOfPeriods(chart, columns, labels), periodComparisons };
  }
  const isSingle = (query.dimensions ?? []).length === 0 && query.timeDimensions?.every(time => !time.granularity);
  return isSingle && query.measures?.length === 1
    ? { kind: 'kpi', spec: { display: 'comparison' }, periodComparisons }
    : { kind: 'table', periodComparisons };
}

/** Draws the share of each row in the sum of all rows. */
function shareParts({ measures = [], limit, offset }: Query, chart: JsonObject | null): ComputedParts {
  const [measure] = measures;
  if (measure === undefined || limit != null || offset != null || chart === null) throw new NotVisible();
  const total = 'total';
  const transform = [
    { joinaggregate: [{ op: 'sum', field: fieldOf(measure), as: total }] },
    {
      calculate: `datum.${total} ? datum[${JSON.stringify(measure)}] / datum.${total} : null`,
      as: ComputedColumn.share,
    },
  ];
  const percent = (channel: JsonObject) => ({
    ...channel,
    ...(isRecord(channel.axis) && { axis: { ...channel.axis, format: '.0%' } }),
    format: '.1%',
  });
  const encoding = changed(chart, channel => (channel.field === ComputedColumn.share ? percent(channel) : channel));
  return { kind: 'vega', spec: { ...chart, transform, encoding } };
}

/** Draws one layer per period. The channel of the period separates the layers instead of the rows. */
function chartOfPeriods(chart: JsonObject, columns: readonly string[], labels: readonly string[]): JsonObject {
  const { mark, encoding: _, ...rest } = chart;
  const layer = columns.map((column, index) => {
    const ofPeriod = (channel: JsonObject): JsonObject => {
      if (channel.field === fieldOf(columns[0] ?? '')) return { ...channel, field: fieldOf(column) };
      if (channel.field !== ComputedColumn.period) return channel;
      return { datum: labels[index], type: 'nominal', sort: null, title: null };
    };
    return { mark, encoding: changed(chart, ofPeriod) };
  });
  return { ...rest, layer };
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changed({ encoding }: JsonObject, change: (channel: JsonObject) => JsonObject): JsonObject {
  const channels = isRecord(encoding) ? Object.entries(encoding) : [];
  return Object.fromEntries(channels.map(([name, channel]) => [name, isRecord(channel) ? change(channel) : channel]));
}

function usesField({ encoding }: JsonObject, field: string): boolean {
  return isRecord(encoding) && Object.values(encoding).some(channel => isRecord(channel) && channel.field === field);
}

/** Returns a column as a Vega field. Dots are escaped because they would mean nesting. */
function fieldOf(column: string): string {
  return column.replaceAll('.', '\\.');
}

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns the date range of a query as text. @throws NotVisible if it has none. */
function periodLabel(query: Query | null, timeDimension: string): string {
  const { dateRange } = query?.timeDimensions?.find(({ dimension }) => dimension === timeDimension) ?? {};
  const [from, to] = (Array.isArray(dateRange) ? dateRange : []).map(text => new Date(`${text.slice(0, 10)}T00:00Z`));
  if (!from || !to || Number.isNaN(from.getTime() + to.getTime())) throw new NotVisible();
  return dates.formatRange(from, to);
}
