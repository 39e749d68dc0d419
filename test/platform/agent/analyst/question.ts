/** What a query is expected to ask for; names without a dot belong to the world's own cube. */
export interface ExpectedQuery {
  readonly m?: string | readonly string[];
  readonly d?: string | readonly string[];
  /** Granularity of the time dimension. */
  readonly t?: string;
  readonly range?: readonly [from: string, to: string];
  /** Time dimension, where it isn't the usual one. */
  readonly on?: string;
  readonly f?: readonly (readonly [member: string, operator: string, ...values: string[]])[];
  readonly s?: string | readonly string[];
  /** Direction by the first measure, `[member, direction]` by another member. */
  readonly o?: 'asc' | 'desc' | readonly [member: string, direction: 'asc' | 'desc'];
  readonly n?: number;
  /** The query beside it: the total of a share, the other period of a comparison. */
  readonly beside?: ExpectedQuery;
  /** What it is drawn as, where the question says so. */
  readonly as?: 'table' | 'bar' | 'line';
}

/** What a question is expected to come to. */
export type Expected = ExpectedQuery | 'asks' | 'refuses' | 'asks or refuses' | 'helps';

/** A question, and what a person would mean by it. */
export type Question = readonly [input: string, expected: Expected];
