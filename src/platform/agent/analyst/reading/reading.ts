import type { FilterOperator } from '../../../../contract/query.js';
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

/** An additional figure: the share of the whole, or the value in another period. */
export type Beside =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'share' }
  | { readonly kind: 'compare'; readonly against: DateSpan };

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
  readonly beside: Beside;
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
  beside: { kind: 'nothing' },
  chart: ChartKind.auto,
};
