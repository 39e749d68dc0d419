import type { Annotation, Cell, MemberAnnotation, Row } from '../../contract/data.js';
import * as data from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import { RowLimit } from '../../contract/row-limit.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { PaError, PaErrorCode } from '../errors.js';
import type { DataConnection } from '../http/connection.js';
import { isRecord } from '../http/fetch.js';
import { readAnswer } from '../http/request.js';
import type { LoadBatcher } from './load-batcher.js';
import { pollUntilReady, type QueryOptions } from './long-query.js';

export type { QueryOptions, QueryProgress } from './long-query.js';

/**
 * Runs a query (`POST /v1/load`, spec 4.5) and returns its rows. Repeats the request while the service returns
 * `Continue wait`, for up to 10 minutes. Columns are in the order of the query: dimensions, time dimensions, measures.
 * @throws {PaError}
 */
export function load(connection: DataConnection, query: Query, options: QueryOptions = {}): Promise<RowSet> {
  return loadWith(undefined, connection, query, options);
}

/**
 * Runs a query like `load`.
 * @param batcher - sends the query together with others; without it, the query is sent alone.
 * @throws {PaError}
 */
export async function loadWith(
  batcher: LoadBatcher | undefined,
  connection: DataConnection,
  query: Query,
  options: QueryOptions,
): Promise<RowSet> {
  // The RowSet is the same for every wire layout; this client reads the default one.
  const { responseFormat: _layout, ...plain } = query;
  const { body, requestId } = await pollUntilReady(data.load, connection, { query: plain }, options, {
    sendFirst: batcher && (input => batcher.send(input)),
  });
  const answer = readAnswer(data.load, body, requestId);
  const rows = readRows(answer.data, requestId);
  return {
    columns: readColumns(query, answer.annotation),
    rows,
    truncated:
      !isComplete(rows.length, query.offset ?? 0, answer.total) &&
      isCut(rows.length, query.limit ?? null, answer.query.limit ?? null),
    ...(typeof answer.total === 'number' ? { total: answer.total } : {}),
    lastRefreshTime: answer.lastRefreshTime ?? null,
    ...readRanges(answer.query.timeDimensions),
  };
}

/** Whether these are the last rows, if the total is known. */
function isComplete(count: number, offset: number, total: unknown): boolean {
  return typeof total === 'number' && offset + count >= total;
}

/**
 * Whether a limit cut off rows. The query's own limit is intended, so it does not count, unless it is the maximum: a
 * query with that limit is meant to return all rows.
 */
function isCut(count: number, queryLimit: number | null, limit: number | null): boolean {
  if (limit === null || count < limit) return false;
  return queryLimit === null || limit < queryLimit || limit >= RowLimit.max;
}

function readRows(rows: unknown, requestId: string | null): readonly Row[] {
  if (!Array.isArray(rows)) throw unreadable('`data` is not a list of rows', requestId);
  for (let index = 0; index < rows.length; index += 1) {
    const row: unknown = rows[index];
    if (!isRecord(row)) throw unreadable(`row ${index} is not valid`, requestId);
    for (const member in row) {
      if (!isCell(row[member])) throw unreadable(`row ${index} is not valid`, requestId);
    }
  }
  return rows;
}

function isCell(value: unknown): value is Cell {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function unreadable(reason: string, requestId: string | null): PaError {
  return new PaError(PaErrorCode.invalidResponse, `The Data API returned an invalid response: ${reason}.`, {
    requestId,
  });
}

/** Reads the date ranges of a response, which resolves relative ranges such as `last 7 days` to a start and an end. */
function readRanges(timeDimensions: unknown): Pick<RowSet, 'dateRanges'> {
  if (!Array.isArray(timeDimensions)) return {};
  const ranges = timeDimensions.flatMap((time: unknown): [string, [string, string]][] => {
    const { dimension, dateRange } = isRecord(time) ? time : {};
    const [from, to, ...others]: unknown[] = Array.isArray(dateRange) ? dateRange : [];
    const isRange = typeof from === 'string' && typeof to === 'string' && others.length === 0;
    return typeof dimension === 'string' && isRange ? [[dimension, [from, to]]] : [];
  });
  return ranges.length > 0 ? { dateRanges: new Map(ranges) } : {};
}

function readColumns(query: Query, annotation: Annotation): Column[] {
  const grouped = (query.timeDimensions ?? []).flatMap(({ dimension, granularity }) =>
    granularity ? [`${dimension}.${granularity}`] : [],
  );
  return [
    ...(query.dimensions ?? []).map(member => columnOf(member, 'dimension', annotation.dimensions)),
    ...grouped.map(member => columnOf(member, 'timeDimension', annotation.timeDimensions)),
    ...(query.measures ?? []).map(member => columnOf(member, 'measure', annotation.measures)),
  ];
}

function columnOf(member: string, kind: Column['kind'], known: Record<string, MemberAnnotation>): Column {
  const annotation = Object.hasOwn(known, member) ? known[member] : undefined;
  return { member, kind, annotation: annotation ?? { title: member, shortTitle: member, type: 'string' } };
}
