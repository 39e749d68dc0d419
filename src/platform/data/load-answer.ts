import type { Fragment } from './answer-body.js';
import type { Answered } from './answers.js';
import type { SqlDialect } from './engine.js';
import type { PivotQuery, QueryType } from './query-set.js';
import type { QueryPlan } from './semantic-model.js';

/** One query of a request, answered. */
export interface LoadPart extends Answered {
  readonly plan: QueryPlan;
  /** ISO 8601. */
  readonly lastRefreshTime: string;
  /** Whose rows they are. */
  readonly dbType: SqlDialect;
}

/** Writes the answer to one query (`V1LoadResult`, domain.md 3). */
export function* partJson(
  { plan, data, total, slowQuery, lastRefreshTime, dbType }: LoadPart,
  requestId: string,
): Generator<Fragment> {
  yield `{"query":${JSON.stringify(plan.query)},"data":`;
  yield* data;
  const facts = { lastRefreshTime, requestId, dbType, external: false, slowQuery };
  const counted = total === null ? facts : { ...facts, total };
  yield `,"annotation":${JSON.stringify(plan.annotation)},${JSON.stringify(counted).slice(1)}`;
}

/** Writes the answer to a request that may hold several queries (`V1LoadResponse`). */
export function* multiJson(
  parts: readonly LoadPart[],
  requestId: string,
  { queryType, pivotQuery }: { readonly queryType: QueryType; readonly pivotQuery: PivotQuery },
): Generator<Fragment> {
  yield `{"queryType":${JSON.stringify(queryType)},"results":[`;
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield ',';
    yield* partJson(part, requestId);
  }
  const slowQuery = parts.some(part => part.slowQuery);
  yield `],"pivotQuery":${JSON.stringify(pivotQuery)},"slowQuery":${slowQuery}}`;
}
