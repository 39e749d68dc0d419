import { abortedProblem, PlatformError } from '../errors.js';

/** Why a statement was stopped before it ended. */
export const StopReason = { aborted: 'aborted', timeout: 'timeout', closed: 'closed' } as const;
/** Why a statement was stopped before it ended. */
export type StopReason = (typeof StopReason)[keyof typeof StopReason];

/** What the caller is told when a statement was stopped. */
export function stoppedProblem(reason: StopReason): PlatformError {
  switch (reason) {
    case StopReason.aborted:
      return abortedProblem();
    case StopReason.timeout:
      return new PlatformError(400, 'The query took too long: narrow it by a filter or a shorter date range.');
    case StopReason.closed:
      return new PlatformError(503, 'The platform is shutting down: try again in a moment.');
  }
}

/** What a query brings about itself, on any engine. */
export const QueryProblem = {
  memory: 'The query needs too much memory: narrow it by a filter, or group by fewer dimensions.',
  value: 'A value can not be read as the type that the query needs: check the values of its filters.',
  rows: 'A select that stands for one value has several rows: narrow it, or put an aggregate into it.',
  fullJoin: 'The data source has no such join: a FULL JOIN needs an equality of both sides.',
  result: 'The result is too large: ask for fewer columns, or set a smaller limit.',
} as const;
