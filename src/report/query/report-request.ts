import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Row } from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { IgnoredChoice } from '../controls/controls.js';
import { humanizeName } from './member-names.js';

/** The request of a published report, and the choices of its dashboard that it ignores. */
export type ReportRequest =
  | {
      readonly kind: 'load';
      /** The requested report. Its tile may show the rows of an earlier request until the new rows arrive. */
      readonly snapshot: ReportSnapshot;
      readonly query: Query;
      /** Keys of the query's rows by the columns of the report; `null` if they are equal. */
      readonly columns: Readonly<Record<string, string>> | null;
      readonly ignored: readonly IgnoredChoice[];
    }
  | {
      readonly kind: 'sql';
      readonly snapshot: ReportSnapshot;
      /** Semantic SQL as published; pages never change it. */
      readonly text: string;
      readonly ignored: readonly IgnoredChoice[];
      /** Reason why the report ignores choices, as the service states it; `null` if not known. */
      readonly reason: string | null;
    };

/**
 * Returns the request of a published report (spec 2.6) without choices; `null` for a report without a query. Publishing
 * writes `meta.jsonQuery` if the report can be expressed as a query; otherwise its SQL runs unchanged.
 */
export function snapshotRequest(snapshot: ReportSnapshot): ReportRequest | null {
  const { meta, sqlQuery } = snapshot;
  const query = meta?.jsonQuery;
  if (query) return { kind: 'load', snapshot, query, columns: meta.columns ?? null, ignored: [] };
  return sqlQuery ? { kind: 'sql', snapshot, text: sqlQuery, ignored: [], reason: meta?.noLoadQuery ?? null } : null;
}

/** True if two requests return the same rows for the same report. */
export function isSameRequest(a: ReportRequest | null, b: ReportRequest | null): boolean {
  if (a === null || b === null) return a === b;
  return a.snapshot === b.snapshot && rowsKey(a) === rowsKey(b);
}

/** Returns the origin of the filters that can make a result empty: choices on the dashboard, or the report's query. */
export function filterOrigin(request: ReportRequest): 'choices' | 'report' | null {
  if (request.kind === 'sql') return null;
  const { filters = [], segments, timeDimensions } = request.query;
  if (filters.length > (request.snapshot.meta?.jsonQuery?.filters?.length ?? 0)) return 'choices';
  return filters.length || segments?.length || timeDimensions?.some(time => time.dateRange) ? 'report' : null;
}

/**
 * Renames the keys of rows to the columns of a report. Annotations of the model are retained.
 * @param aliases Columns whose title is their name, because the author named them.
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
      return aliases.includes(name) ? withTitle(column, name) : column;
    }),
    rows: rowSet.rows.map((row): Row => Object.fromEntries(pairs.map(([name, key]) => [name, row[key] ?? null]))),
  };
}

/** Gives columns of SQL results readable titles if their titles are names. */
export function titleRows(rowSet: RowSet): RowSet {
  return {
    ...rowSet,
    columns: rowSet.columns.map(column =>
      column.annotation.title === column.member ? withTitle(column, column.member) : column,
    ),
  };
}

function withTitle(column: Column, name: string): Column {
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
