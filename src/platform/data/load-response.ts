import type { LoadResponse } from '../../contract/data.js';
import type { EngineCell, EngineResult } from './engine.js';
import type { QueryPlan } from './semantic-model.js';

/** What stands beside the rows of an answer. */
export interface AnswerFacts {
  readonly lastRefreshTime: Date;
  readonly requestId: string;
}

/** Lays out an answer in the format that its query asks for (domain.md 3). */
export function toLoadResponse(plan: QueryPlan, { columns }: EngineResult, facts: AnswerFacts): LoadResponse {
  return {
    query: plan.query,
    data: layOut(plan, columns),
    annotation: plan.annotation,
    lastRefreshTime: facts.lastRefreshTime.toISOString(),
    requestId: facts.requestId,
    dbType: 'duckdb',
    slowQuery: false,
  };
}

function layOut(plan: QueryPlan, columns: EngineResult['columns']): unknown {
  const members = plan.columns.map(column => column.member);
  switch (plan.query.responseFormat) {
    case 'columnar':
      return { members, columns };
    case 'compact':
      return { members, dataset: toRows(columns) };
    default:
      return toRows(columns).map(row => Object.fromEntries(members.map((member, index) => [member, row[index]])));
  }
}

function toRows(columns: EngineResult['columns']): (EngineCell | undefined)[][] {
  const rows = columns[0]?.length ?? 0;
  return Array.from({ length: rows }, (_, row) => columns.map(column => column[row]));
}
