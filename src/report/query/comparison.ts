import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import type { Column, ComparisonOutput, RowSet } from '../../contract/row-set.js';
import { bucketSpan, multiplySpan, unitSpan } from '../dates/time-buckets.js';
import { differenceOf } from '../format/decimal.js';
import { type ComparisonPeriod, comparisonOffset, comparisonPeriodBucket } from './comparison-period.js';
import { type ColumnKeys, cellOf, keyOf, valuesKey } from './groups.js';

/** Figures of an earlier period beside those of a report, from one further query. */
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
/** Ends of the names of columns; `orders.count_1_year_ago`, `orders.count_1_year_change`. */
const suffixes: Readonly<Record<ComparisonOutput, string>> = {
  value: 'ago',
  absoluteChange: 'change',
  relativeChange: 'change_percent',
};
/** The name of the column that a comparison adds: `<measure>_<amount>_<unit>_ago`, `…_change` or `…_change_percent`. */
export function comparisonColumnName(
  measure: string,
  offset: { amount: number; unit: string },
  output: ComparisonOutput,
): string {
  return `${measure}_${Math.abs(offset.amount)}_${offset.unit.replace(/s$/, '')}_${suffixes[output]}`;
}

/**
 * The comparisons of a report (`periodComparisons`), those of the same period together. A period is earlier by its offset, whatever the
 * sign; what can't be understood, or compares a measure that is not there, is left out.
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
 * Rows with the columns of a comparison behind those of their measures. A row is compared with the one whose groups are the same and
 * whose bucket of time is earlier by the offset; a day that the earlier month doesn't have has none. Null where there is no earlier
 * figure, and for a change relative to nought.
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

/** What was worked out here has no rows behind it that the model knows of. */
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

/** The column that shows a measure, by its own name or that of the measure. */
function columnNamed(name: unknown, { measures = [] }: Query, columns: ColumnKeys): string | null {
  const pairs = columns ? Object.entries(columns) : measures.map((key): [string, string] => [key, key]);
  const shown = pairs.filter(([, key]) => measures.includes(key));
  return (shown.find(([column]) => column === name) ?? shown.find(([, key]) => key === name))?.[0] ?? null;
}

/** The time dimension of a query by its name, or by that of a column of it. */
function timeOf(name: unknown, { dimensions = [], timeDimensions = [] }: Query, columns: ColumnKeys): string | null {
  if (typeof name !== 'string') return null;
  const member = keyOf(name, columns).split('.').slice(0, 2).join('.');
  const isTime =
    timeDimensions.some(({ dimension }) => dimension === member) ||
    dimensions.some(key => key.startsWith(`${member}.`));
  return isTime ? member : null;
}
