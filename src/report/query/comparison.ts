import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import type { Column, ComparisonOutput, RowSet } from '../../contract/row-set.js';
import { bucketSpan, multiplySpan, unitSpan } from '../dates/time-buckets.js';
import { differenceOf } from '../format/decimal.js';
import { type ComparisonPeriod, comparisonOffset, comparisonPeriodBucket } from './comparison-period.js';
import { type ColumnKeys, cellOf, keyOf, valuesKey } from './groups.js';

/** A comparison of a report with an earlier period, which needs one additional query. */
export interface Comparison extends ComparisonPeriod {
  readonly amount: number;
  readonly unit: string;
  readonly columns: readonly ComparisonColumn[];
}

/** A column that a comparison adds. */
export interface ComparisonColumn {
  readonly name: string;
  /** Column of the measure. */
  readonly measure: string;
  readonly output: ComparisonOutput;
}

const maxComparisons = 20;
const maxUnits = 10_000;
const outputs: ReadonlyMap<string, ComparisonOutput> = new Map([
  ['value', 'value'],
  ['previousvalue', 'value'],
  ['absolutechange', 'absoluteChange'],
  ['absolute', 'absoluteChange'],
  ['change', 'absoluteChange'],
  ['relativechange', 'relativeChange'],
  ['relative', 'relativeChange'],
  ['percentchange', 'relativeChange'],
]);
const allOutputs: readonly ComparisonOutput[] = ['value', 'absoluteChange', 'relativeChange'];
/** Suffixes of column names: `orders.count_1_year_ago`, `orders.count_1_year_change`. */
const suffixes: Readonly<Record<ComparisonOutput, string>> = {
  value: 'ago',
  absoluteChange: 'change',
  relativeChange: 'change_percent',
};
/**
 * Returns the name of a column that a comparison adds: `<measure>_<amount>_<unit>_ago`, `…_change` or
 * `…_change_percent`.
 */
export function comparisonColumnName(
  measure: string,
  offset: { amount: number; unit: string },
  output: ComparisonOutput,
): string {
  return `${measure}_${Math.abs(offset.amount)}_${offset.unit.replace(/s$/, '')}_${suffixes[output]}`;
}

/**
 * Returns the comparisons of a report (`periodComparisons`), grouped by period. The sign of an offset is ignored:
 * periods are always earlier. Invalid comparisons, and comparisons of measures that the query does not contain, are
 * omitted.
 */
export function comparisonsOf(
  { periodComparisons }: Pick<ReportSnapshot, 'periodComparisons'>,
  query: Query,
  columns: ColumnKeys,
): readonly Comparison[] {
  const found = new Map<string, Comparison & { columns: ComparisonColumn[] }>();
  const taken = new Set(columns ? Object.keys(columns) : []);
  for (const one of Array.isArray(periodComparisons) ? periodComparisons.slice(0, maxComparisons) : []) {
    const { measure, offset, timeDimension } = one ?? {};
    const name = columnNamed(measure, query, columns);
    const dimension = timeOf(timeDimension, query, columns);
    const span = offset && typeof offset.unit === 'string' ? unitSpan(offset.unit) : null;
    const amount = Math.abs(Number(offset?.amount));
    if (name === null || dimension === null || !span || !(amount >= 1 && amount <= maxUnits)) continue;
    const unit = offset.unit.replace(/s$/, '');
    const key = JSON.stringify([dimension, amount, unit]);
    const known = found.get(key) ?? {
      dimension,
      amount,
      unit,
      back: comparisonOffset(multiplySpan(span, amount), query, dimension),
      columns: [],
    };
    found.set(key, known);
    for (const output of outputsOf(one.outputs)) {
      const added = comparisonColumnName(name, { amount, unit }, output);
      if (!taken.has(added)) known.columns.push({ name: added, measure: name, output });
      taken.add(added);
    }
  }
  return [...found.values()];
}

/**
 * Adds the columns of a comparison after those of their measures. A row is compared with the row that has the same
 * groups and the earlier time bucket; a day that the earlier month does not have has no counterpart. Values are
 * `null` if there is no earlier value. Relative changes are also `null` if the earlier value is zero.
 */
export function withComparison(
  rowSet: RowSet,
  earlier: RowSet | null,
  comparison: Comparison,
  columns: ColumnKeys,
): RowSet {
  const groups = rowSet.columns.filter(({ kind }) => kind !== 'measure');
  const timed = groups.map(column => {
    const key = keyOf(column.member, columns);
    const isTime = key.startsWith(`${comparison.dimension}.`);
    return { name: column.member, span: isTime ? bucketSpan({ ...column, member: key }) : null, isTime };
  });
  const before = new Map(earlier?.rows.map(row => [valuesKey(groups.map(({ member }) => cellOf(row, member))), row]));
  const rowBefore = (row: Row): Row | null => {
    const values = timed.map(({ name, span, isTime }) =>
      isTime ? comparisonPeriodBucket(cellOf(row, name), span, comparison.back) : cellOf(row, name),
    );
    return timed.some(({ isTime }, index) => isTime && values[index] === null)
      ? null
      : (before.get(valuesKey(values)) ?? null);
  };
  return {
    ...rowSet,
    columns: withColumns(rowSet.columns, comparison),
    rows: rowSet.rows.map(row => {
      const other = rowBefore(row);
      const added = comparison.columns.map(({ name, measure, output }): [string, Cell] => [
        name,
        outputOf(output, cellOf(row, measure), other ? cellOf(other, measure) : null),
      ]);
      return Object.fromEntries([...Object.entries(row), ...added]);
    }),
  };
}

function withColumns(columns: readonly Column[], { columns: added, amount, unit }: Comparison): Column[] {
  return columns.flatMap(column => [
    column,
    ...added
      .filter(({ measure }) => measure === column.member)
      .map(one => comparisonColumn(column, one, { amount, unit })),
  ]);
}

/**
 * Returns the column of a computed value. It has no drill members, because the model cannot query the rows behind it.
 */
function comparisonColumn(
  { member: measure, annotation }: Column,
  { name, output }: ComparisonColumn,
  offset: { readonly amount: number; readonly unit: string },
): Column {
  const { drillMembers: _members, drillMembersGrouped: _grouped, ...rest } = annotation;
  const { format: _format, formatDescription: _description, currency: _currency, ...plain } = rest;
  return {
    member: name,
    kind: 'measure',
    annotation: output === 'relativeChange' ? { ...plain, type: 'number', format: 'percent' } : rest,
    comparison: { measure, amount: offset.amount, unit: offset.unit, output },
  };
}

function outputOf(output: ComparisonOutput, now: Cell, before: Cell): Cell {
  if (output === 'value') return before;
  const change = differenceOf(now, before);
  if (output === 'absoluteChange' || change === null) return change;
  const base = Math.abs(Number(before));
  return base === 0 ? null : String(Number(change) / base);
}

function outputsOf(named: unknown): readonly ComparisonOutput[] {
  if (!Array.isArray(named) || named.length === 0) return allOutputs;
  const known = named.map(name =>
    typeof name === 'string' ? outputs.get(name.toLowerCase().replace(/[^a-z]/g, '')) : undefined,
  );
  return allOutputs.filter(output => known.includes(output));
}

/** Returns the column of a measure, by the name of the column or of the measure. */
function columnNamed(name: unknown, { measures = [] }: Query, columns: ColumnKeys): string | null {
  const pairs = columns ? Object.entries(columns) : measures.map((key): [string, string] => [key, key]);
  const shown = pairs.filter(([, key]) => measures.includes(key));
  return (shown.find(([column]) => column === name) ?? shown.find(([, key]) => key === name))?.[0] ?? null;
}

/** Returns the time dimension of a query, by its name or by the name of its column. */
function timeOf(name: unknown, { dimensions = [], timeDimensions = [] }: Query, columns: ColumnKeys): string | null {
  if (typeof name !== 'string') return null;
  const member = keyOf(name, columns).split('.').slice(0, 2).join('.');
  const isTime =
    timeDimensions.some(({ dimension }) => dimension === member) ||
    dimensions.some(key => key.startsWith(`${member}.`));
  return isTime ? member : null;
}
