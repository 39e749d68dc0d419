import type { FilterOperator } from '../../../../contract/query.js';
import type { DateSpan } from '../time/date-span.js';
import type { Member } from '../vocabulary/lexicon.js';

/** A condition on one member. */
export interface Condition {
  readonly member: Member;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
}

/** How an answer is drawn. */
export const ChartKind = { auto: 'auto', table: 'table', bar: 'bar', line: 'line' } as const;
/** How an answer is drawn. */
export type ChartKind = (typeof ChartKind)[keyof typeof ChartKind];

/** What is asked beside the figures themselves: their share of the whole, or what they were in another period. */
export type Beside =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'share' }
  | { readonly kind: 'compare'; readonly against: DateSpan };

/** A question as it was understood. */
export interface Reading {
  readonly measures: readonly Member[];
  readonly dimensions: readonly Member[];
  /** Time dimension of the granularity and the span. */
  readonly time: Member | null;
  readonly grain: string | null;
  readonly span: DateSpan | null;
  readonly conditions: readonly Condition[];
  readonly segments: readonly Member[];
  /** Null for the order that suits the columns. */
  readonly order: { readonly member: Member; readonly desc: boolean } | null;
  readonly limit: number | null;
  readonly beside: Beside;
  readonly chart: ChartKind;
}

/** A reading of nothing, to begin with. */
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
