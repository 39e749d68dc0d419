/** The expected query. Names without a dot refer to the world's own cube. */
export interface ExpectedQuery {
  readonly m?: string | readonly string[];
  readonly d?: string | readonly string[];
  /** Granularity of the time dimension. */
  readonly t?: string;
  readonly range?: readonly [from: string, to: string];
  /** Time dimension, if it is not the default one. */
  readonly on?: string;
  readonly f?: readonly (readonly [member: string, operator: string, ...values: string[]])[];
  readonly s?: string | readonly string[];
  /** Direction by the first measure, or `[member, direction]` for another member. */
  readonly o?: 'asc' | 'desc' | readonly [member: string, direction: 'asc' | 'desc'];
  readonly n?: number;
  /** The second query: the total of a share, or the other period of a comparison. */
  readonly second?: ExpectedQuery;
  /** Chart type, if the question requests one. */
  readonly as?: 'table' | 'bar' | 'line' | 'point';
}

/** Expected outcome of a question. */
export type Expected = ExpectedQuery | 'asks' | 'refuses' | 'asks or refuses' | 'helps';

/** A question and its intended meaning. */
export type Question = readonly [input: string, expected: Expected];
