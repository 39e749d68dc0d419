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

/** Computation that an answer performs on the results of its queries. */
export type Computation =
  | { readonly kind: 'none' }
  /** The share of the whole. `part` contains the conditions of the part if its share of each group is requested. */
  | { readonly kind: 'share'; readonly part: readonly Condition[] }
  /** The comparison with another period. `ranking` sorts the groups by their change instead of their size. */
  | { readonly kind: 'compare'; readonly against: DateSpan; readonly ranking: 'asc' | 'desc' | null }
  /**
   * The comparison with other rows, which are defined by a segment or a measure of the model: `late versus on-time
   * flights`.
   */
  | { readonly kind: 'compare rows'; readonly against: Pick<Reading, 'measures' | 'segments'> }
  /** The cumulative sum over time. */
  | { readonly kind: 'running total' }
  /** How much each value of the dimensions contributes to the change since another period. */
  | { readonly kind: 'contributions'; readonly against: DateSpan }
  /** The difference of the last value from the median of comparable values. */
  | { readonly kind: 'unusual' };

/** Ranks the values of one grouping within each value of the other grouping, as in `top 3 cities per month`. */
export interface RankPerGroup {
  /** The ranked dimension; `null` if the intervals of time are ranked. */
  readonly ranked: Member | null;
  readonly desc: boolean;
  /** Maximum number of rows per group. */
  readonly limit: number;
}

/** The interpretation of a question. */
export interface Reading {
  readonly measures: readonly Member[];
  readonly dimensions: readonly Member[];
  /** Time dimension to which the granularity and the span apply. */
  readonly time: Member | null;
  readonly grain: string | null;
  readonly span: DateSpan | null;
  readonly conditions: readonly Condition[];
  readonly segments: readonly Member[];
  /** `null` for the default order of the columns. */
  readonly order: { readonly member: Member; readonly desc: boolean } | null;
  readonly limit: number | null;
  readonly perGroup: RankPerGroup | null;
  /** Restricts the result to the rows of a ranking that one query cannot express. */
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
