import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type Annotation, type Cell, LoadResponse, type Row } from '../../contract/data.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { SecurityContext } from '../auth/principal.js';
import { abortedError } from '../errors.js';
import { textOf } from './answers/answer-body.js';
import { pollUntilReady } from './answers/continue-wait.js';
import type { AnswerOptions } from './answers/load-requests.js';
import { RequestTrace } from './answers/query-event.js';
import type { DataAnswers } from './data-service.js';

/** The data as one caller may see it. */
export interface CallerData {
  /** The model, as far as the caller may see it. */
  meta(): MetaResponse | Promise<MetaResponse>;
  /**
   * Rows of a query, and how many there are without its limit.
   * @throws PlatformError 400 for a query that is invalid or too costly, 499 when aborted, 503 when too many run.
   */
  load(query: Query, options: { readonly signal: AbortSignal }): Promise<{ rowSet: RowSet; totalRows: number }>;
}

/** An answer in the layout that is asked for here: it tells the order of its columns. */
const CountedAnswer = z.extend(LoadResponse, {
  data: z.looseObject({ members: z.array(z.string()), dataset: z.custom<readonly unknown[]>(Array.isArray) }),
  total: z.int(),
});

/** Bytes of one answer. */
const maxBytes = 256 * 1024 * 1024;

/**
 * The Data API within the process, for one caller: every query is planned, filtered and run under this caller's own context, as if it
 * had come over HTTP. A query that takes long is waited for until the signal aborts; how many rows it returns is its own limit's to say.
 */
export function createCallerData(service: DataAnswers, context: SecurityContext): CallerData {
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
    throw new TypeError('A row of the answer does not fit its columns.');
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
