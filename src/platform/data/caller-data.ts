import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type Annotation, type Cell, LoadResponse, type Row } from '../../contract/data.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import { RowLimit } from '../../contract/row-limit.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { markDailyTimes, sqlColumns, sqlRow } from '../../contract/sql-columns.js';
import type { SecurityContext } from '../auth/principal.js';
import { abortedError } from '../errors.js';
import { textOf } from './answers/answer-body.js';
import { pollUntilReady } from './answers/continue-wait.js';
import type { AnswerOptions } from './answers/load-requests.js';
import { RequestTrace } from './answers/query-event.js';
import { createCallerSql } from './caller-sql.js';
import type { DataAnswers } from './data-service.js';

/** Access to the model and the data with the permissions of one caller. */
export interface CallerData {
  /** Returns the part of the model that is visible to the caller. */
  meta(): MetaResponse | Promise<MetaResponse>;
  /**
   * Returns the rows of a query, and the number of rows without the query's limit.
   * @throws PlatformError 400 for a query that is invalid or too costly, 499 if aborted, 503 if too many queries are
   * running.
   */
  load(query: Query, options: { readonly signal: AbortSignal }): Promise<{ rowSet: RowSet; totalRows: number }>;
}

/** Access that includes semantic SQL, to which restrictions to views do not apply. */
export interface CallerDataWithSql extends CallerData {
  /**
   * Returns rows of semantic SQL, at most 50,000.
   * @throws PlatformError as `load` does.
   */
  sql(text: string, options: SqlOptions): Promise<RowSet>;
}

/** Options of a statement in semantic SQL. */
interface SqlOptions {
  readonly signal: AbortSignal;
  /** Maximum number of rows to return; 50,000 by default. */
  readonly maxRows?: number;
}

/** A response in the compact layout, which includes the order of the columns. */
const CountedAnswer = z.extend(LoadResponse, {
  data: z.looseObject({ members: z.array(z.string()), dataset: z.custom<readonly unknown[]>(Array.isArray) }),
  total: z.int(),
});

/** Maximum size of one response in bytes. */
const maxBytes = 256 * 1024 * 1024;

/**
 * Creates in-process access to the Data API for one caller. Every query is planned, filtered and run under the security
 * context of this caller, exactly like a query over HTTP. Calls wait for long-running queries until the signal aborts.
 * Only the limit of a query limits its number of rows.
 */
export function createCallerData(service: DataAnswers, context: SecurityContext): CallerDataWithSql {
  return {
    meta: () => service.meta(context, optionsOf('meta')),
    async load(query, { signal }) {
      const counted: Query = { ...query, responseFormat: 'compact', total: true };
      const options = { ...optionsOf('load'), signal };
      const body = await pollUntilReady(() => service.load({ query: counted }, context, options), signal);
      const answer = CountedAnswer.parse(JSON.parse(await textOf(body, maxBytes)));
      if (signal.aborted) throw abortedError();
      return { rowSet: rowSetOf(answer), totalRows: answer.total };
    },
    async sql(text, { signal, maxRows = RowLimit.max }) {
      const found = await createCallerSql(service, context).run({ text }, { maxRows, signal });
      const columns = sqlColumns(found.columns);
      const rows = found.rows.map(row => sqlRow(row, columns));
      const daily = columns.map(column => markDailyTimes(column, rows));
      return { columns: daily, rows, truncated: found.truncated, lastRefreshTime: null };
    },
  };
}

function optionsOf(operation: 'load' | 'meta'): AnswerOptions {
  const requestId = randomUUID();
  return { requestId, trace: new RequestTrace(operation, requestId) };
}

function rowSetOf({ query, data, annotation, lastRefreshTime }: z.infer<typeof CountedAnswer>): RowSet {
  const { members } = data;
  const rows = data.dataset.map(cells => rowOf(members, cells));
  return {
    columns: members.map(member => columnOf(member, annotation)),
    rows,
    truncated: typeof query.limit === 'number' && rows.length >= query.limit,
    lastRefreshTime: lastRefreshTime ?? null,
  };
}

function rowOf(members: readonly string[], cells: unknown): Row {
  if (!Array.isArray(cells) || cells.length !== members.length || !cells.every(isCell)) {
    throw new TypeError('A row of the response does not match its columns.');
  }
  return Object.fromEntries(members.map((member, index) => [member, cells[index] ?? null]));
}

function isCell(value: unknown): value is Cell {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function columnOf(member: string, { measures, dimensions, timeDimensions }: Annotation): Column {
  const columns = [
    { member, kind: 'measure', annotation: measures[member] },
    { member, kind: 'timeDimension', annotation: timeDimensions[member] },
    { member, kind: 'dimension', annotation: dimensions[member] },
  ] as const;
  for (const { kind, annotation } of columns) if (annotation) return { member, kind, annotation };
  return { member, kind: 'dimension', annotation: { title: member, shortTitle: member, type: 'string' } };
}
