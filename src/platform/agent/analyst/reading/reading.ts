import type { Filter, FilterOperator } from '../../../../contract/query.js';
import type { DateSpan } from '../time/date-span.js';
import type { Member } from '../vocabulary/lexicon.js';

/** A condition on one member. */
export interface Condition {
  readonly member: Member;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
}

/** How an answer is displayed. */
export const ChartKind = {
  auto: 'auto',
  table: 'table',
  bar: 'bar',
  line: 'line',
  pie: 'pie',
  scatter: 'scatter',
  histogram: 'histogram',
} as const;
/** How an answer is displayed. */
export type ChartKind = (typeof ChartKind)[keyof typeof ChartKind];

/** Computation of an answer over the figures of its queries. */
export type Computation =
  | { readonly kind: 'none' }
  /** The share of the whole. `part` are the conditions of the part whose share of each group is meant. */
  | { readonly kind: 'share'; readonly part: readonly Condition[] }
  /** The value in another period. `ranking` sorts the groups by their change instead of their size. */
  | { readonly kind: 'compare'; readonly against: DateSpan; readonly ranking: 'asc' | 'desc' | null }
  /** The value of other rows, by a filter or a figure of the model: `late versus on-time flights`. */
  | { readonly kind: 'compare rows'; readonly against: Pick<Reading, 'measures' | 'segments'> }
  /** The cumulative sum over time. */
  | { readonly kind: 'running total' }
  /** How much each value of the dimensions contributes to the change since another period. */
  | { readonly kind: 'contributions'; readonly against: DateSpan }
  /** The difference of the last value from the median of comparable values. */
  | { readonly kind: 'unusual' };

/** `top 3 cities per month`: ranks one column within each value of the other column. */
export interface RankPerGroup {
  /** The ranked dimension; `null` for the time. */
  readonly ranked: Member | null;
  readonly desc: boolean;
  /** Maximum number of rows per group. */
  readonly limit: number;
}

/** The interpretation of a question. */
export interface Reading {
  readonly measures: readonly Member[];
  readonly dimensions: readonly Member[];
  /** Time dimension for the granularity and the span. */
  readonly time: Member | null;
  readonly grain: string | null;
  readonly span: DateSpan | null;
  readonly conditions: readonly Condition[];
  readonly segments: readonly Member[];
  /** `null` for the default order of the columns. */
  readonly order: { readonly member: Member; readonly desc: boolean } | null;
  readonly limit: number | null;
  readonly perGroup: RankPerGroup | null;
  /** Restricts the result to rows of a ranking that a query cannot express. */
  readonly rows: Filter | null;
  readonly computation: Computation;
  readonly chart: ChartKind;
}

/** The empty initial reading. */
export const emptyReading: Reading = {
  measures: [],
  dimensions: [],
  time: null,
  grain: null,
  span: null,
  conditions: [],
  segments: [],
  order: null,
  limit: null,
  perGroup: null,
  rows: null,
  computation: { kind: 'none' },
  chart: ChartKind.auto,
};
