import type { LoadResponse } from '../../contract/data.js';
import { PlatformError } from '../errors.js';
import type { EngineCell, EngineResult } from './engine.js';
import type { QueryPlan } from './semantic-model.js';

/** What stands beside the rows of an answer. */
export interface AnswerFacts {
  readonly lastRefreshTime: Date;
  readonly requestId: string;
}

/** Most characters of member names in one answer: the default format repeats them in every row. */
const maxNameCharacters = 32 * 1024 * 1024;

/**
 * Lays out an answer in the format that its query asks for (domain.md 3).
 * @throws PlatformError 400 when it would be too large in that format.
 */
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
      return toRecords(members, toRows(columns));
  }
}

function toRecords(members: readonly string[], rows: ReturnType<typeof toRows>): Record<string, unknown>[] {
  if (rows.length * members.join('').length > maxNameCharacters) {
    throw new PlatformError(
      400,
      'The result is too large: set a smaller limit, or ask for responseFormat "columnar", which names each member once.',
    );
  }
  return rows.map(row => Object.fromEntries(members.map((member, index) => [member, row[index]])));
}

function toRows(columns: EngineResult['columns']): (EngineCell | undefined)[][] {
  const rows = columns[0]?.length ?? 0;
  return Array.from({ length: rows }, (_, row) => columns.map(column => column[row]));
}
