import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Row } from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { IgnoredChoice } from '../controls/controls.js';
import { humanizeName } from './member-names.js';

/** What a published report asks the Data API for, and the controls of its dashboard that don't reach it. */
export type ReportRequest =
  | {
      readonly kind: 'load';
      /** What it is for: rows that were asked for another way may stay on its tile until the new ones come. */
      readonly snapshot: ReportSnapshot;
      readonly query: Query;
      /** Key of the query's rows by the column that the report is drawn by; null where they are the same. */
      readonly columns: Readonly<Record<string, string>> | null;
      readonly ignored: readonly IgnoredChoice[];
    }
  | {
      readonly kind: 'sql';
      readonly snapshot: ReportSnapshot;
      /** Semantic SQL as it was published: nothing in a page edits it. */
      readonly text: string;
      readonly ignored: readonly IgnoredChoice[];
      /** Why it follows none, in the service's words; null where that is not known. */
      readonly reason: string | null;
    };

/**
 * What a published report (spec 2.6) is asked by where nothing is chosen; null for a report without a query. Publishing writes
 * `meta.jsonQuery` wherever the report can be told as a query; else its SQL is run as it stands.
 */
export function snapshotRequest(snapshot: ReportSnapshot): ReportRequest | null {
  const { meta, sqlQuery } = snapshot;
  const query = meta?.jsonQuery;
  if (query) return { kind: 'load', snapshot, query, columns: meta.columns ?? null, ignored: [] };
  return sqlQuery ? { kind: 'sql', snapshot, text: sqlQuery, ignored: [], reason: meta?.noLoadQuery ?? null } : null;
}

/** Whether two requests bring the same rows to the same report. */
export function isSameRequest(a: ReportRequest | null, b: ReportRequest | null): boolean {
  if (a === null || b === null) return a === b;
  return a.snapshot === b.snapshot && rowsKey(a) === rowsKey(b);
}

/** What keeps rows out of an answer, as far as it can be seen: what was chosen on the dashboard, or the report's own query. */
export function filterOrigin(request: ReportRequest): 'choices' | 'report' | null {
  if (request.kind === 'sql') return null;
  const { filters = [], segments, timeDimensions } = request.query;
  if (filters.length > (request.snapshot.meta?.jsonQuery?.filters?.length ?? 0)) return 'choices';
  return filters.length || segments?.length || timeDimensions?.some(time => time.dateRange) ? 'report' : null;
}

/**
 * Rows under the columns that a report is drawn by; what the model says of a member stays with it, but for its title where the author
 * has given another: `aliases` are those columns.
 */
export function renameRows(
  rowSet: RowSet,
  columns: Readonly<Record<string, string>>,
  aliases: readonly string[] = [],
): RowSet {
  const pairs = Object.entries(columns);
  return {
    ...rowSet,
    columns: pairs.map(([name, key]) => {
      const column = { ...columnOf(rowSet, key), member: name };
      return aliases.includes(name) ? titled(column, name) : column;
    }),
    rows: rowSet.rows.map((row): Row => Object.fromEntries(pairs.map(([name, key]) => [name, row[key] ?? null]))),
  };
}

/** Rows of SQL under headings that can be read, where all there is are names. */
export function titleRows(rowSet: RowSet): RowSet {
  return {
    ...rowSet,
    columns: rowSet.columns.map(column =>
      column.annotation.title === column.member ? titled(column, column.member) : column,
    ),
  };
}

function titled(column: Column, name: string): Column {
  const title = humanizeName(name);
  return { ...column, annotation: { ...column.annotation, title, shortTitle: title } };
}

function columnOf({ columns }: RowSet, key: string): Column {
  const annotation = { title: key, shortTitle: key, type: 'string' };
  return columns.find(({ member }) => member === key) ?? { member: key, kind: 'dimension', annotation };
}

function rowsKey(request: ReportRequest): string {
  return JSON.stringify(request.kind === 'sql' ? request.text : [request.query, request.columns]);
}
