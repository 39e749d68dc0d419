import type { Annotation, Cell, MemberAnnotation, Row } from '../../contract/data.js';
import * as data from '../../contract/data.js';
import type { Query } from '../../contract/query.js';
import { RowLimit } from '../../contract/row-limit.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { PaError, PaErrorCode } from '../errors.js';
import type { DataConnection } from '../http/connection.js';
import { isRecord } from '../http/fetch.js';
import { readAnswer } from '../http/request.js';
import { pollUntilReady, type QueryOptions } from './long-query.js';

export type { QueryOptions, QueryProgress } from './long-query.js';

/**
 * Rows of a query (`POST /v1/load`, spec 4.5). While the service says `Continue wait`, the same request is sent again, for 10 minutes
 * at most. Columns stand in the order of the query: dimensions, time dimensions, measures.
 * @throws {PaError}
 */
export async function load(connection: DataConnection, query: Query, options: QueryOptions = {}): Promise<RowSet> {
  // A RowSet is the same whatever the layout on the wire, and this is the layout read here.
  const { responseFormat: _layout, ...plain } = query;
  const { body, requestId } = await pollUntilReady(data.load, connection, { query: plain }, options);
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

/** Whether these are the last of all rows, as far as their number is known. */
function isComplete(count: number, offset: number, total: unknown): boolean {
  return typeof total === 'number' && offset + count >= total;
}

/** A limit of the query's own is what its author wants to see. The most that there can be is none: who means all rows has to say it. */
function isCut(count: number, asked: number | null, limit: number | null): boolean {
  if (limit === null || count < limit) return false;
  return asked === null || limit < asked || limit >= RowLimit.max;
}

function readRows(rows: unknown, requestId: string | null): readonly Row[] {
  if (!Array.isArray(rows)) throw unreadable('data', requestId);
  for (let index = 0; index < rows.length; index += 1) {
    const row: unknown = rows[index];
    if (!isRecord(row)) throw unreadable(`row ${index}`, requestId);
    for (const member in row) {
      if (!isCell(row[member])) throw unreadable(`row ${index}`, requestId);
    }
  }
  return rows;
}

function isCell(value: unknown): value is Cell {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function unreadable(where: string, requestId: string | null): PaError {
  return new PaError(PaErrorCode.invalidResponse, `The Data API's answer can't be read: look at ${where}.`, {
    requestId,
  });
}

/** A phrase such as `last 7 days` comes back as the two moments that it meant. */
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
