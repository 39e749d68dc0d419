import type { ReportSnapshot } from '../contract/dashboards.js';
import type { Query } from '../contract/query.js';
import { type Choice, ignoredBySql, withChoices } from './controls.js';
import { type ReportRequest, snapshotRequest } from './query.js';
import { keysOf } from './query-keys.js';

/** What a published report is asked by with what is chosen on its dashboard. SQL follows no choice. */
export function chosenRequest(snapshot: ReportSnapshot, choices: readonly Choice[]): ReportRequest | null {
  const request = snapshotRequest(snapshot);
  if (request?.kind !== 'load') return request && { ...request, ignored: ignoredBySql(choices) };
  const { query, renamed, ignored } = withChoices(request.query, choices);
  return { ...request, query, columns: columnsOf(request.query, request.columns, renamed), ignored };
}

/** A report is drawn by the names that it was published with, whatever the query has become. */
function columnsOf(
  published: Query,
  columns: Readonly<Record<string, string>> | null,
  renamed: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> | null {
  if (renamed.size === 0) return columns;
  const pairs = columns ? Object.entries(columns) : keysOf(published).map((key): [string, string] => [key, key]);
  return Object.fromEntries(pairs.map(([name, key]) => [name, renamed.get(key) ?? key]));
}
