import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Cell } from '../../contract/data.js';
import type { SecurityContext } from '../auth/principal.js';
import { abortedError, PlatformError } from '../errors.js';
import type { AnswerBody } from './answers/answer-body.js';
import { RequestTrace } from './answers/query-event.js';
import type { DataAnswers } from './data-service.js';

/** The first rows of a statement. */
export interface SqlRows {
  readonly columns: readonly SqlRowsColumn[];
  /** Rows, each with its cells in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the statement has more rows. */
  readonly truncated: boolean;
}

/** Semantic SQL with the permissions of one caller. */
export interface CallerSql {
  /**
   * Returns the first rows of one SELECT.
   * @throws PlatformError 400 for a statement that is invalid or too costly, 499 if aborted, 503 if too many queries
   * are running.
   */
  run(
    statement: { readonly text: string; readonly timezone?: string },
    options: { readonly maxRows: number; readonly signal: AbortSignal },
  ): Promise<SqlRows>;
}

const SqlRowsColumn = z.looseObject({ name: z.string(), column_type: z.string(), title: z.optional(z.string()) });
/** A column of the result. */
export type SqlRowsColumn = z.infer<typeof SqlRowsColumn>;

const SqlCell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const SqlLine = z.looseObject({
  schema: z.optional(z.array(SqlRowsColumn)),
  data: z.optional(z.array(z.array(SqlCell))),
  error: z.optional(z.string()),
});

/**
 * Creates in-process access to semantic SQL for one caller. Every statement is planned, filtered and run under the
 * security context of this caller, exactly like a statement over HTTP.
 */
export function createCallerSql(service: DataAnswers, context: SecurityContext): CallerSql {
  return {
    async run({ text, timezone }, { maxRows, signal }) {
      const requestId = randomUUID();
      const options = { requestId, trace: new RequestTrace('sql', requestId), signal };
      const request = { query: text, ...(timezone !== undefined && { timezone }) };
      const rows = await firstRows(await service.sql(request, context, options), maxRows);
      if (signal.aborted) throw abortedError();
      return rows;
    },
  };
}

/** Reads lines until there are enough rows, then cancels the body. */
async function firstRows(body: AnswerBody, maxRows: number): Promise<SqlRows> {
  let columns: readonly SqlRowsColumn[] = [];
  const rows: Cell[][] = [];
  for await (const text of linesOf(body)) {
    const { schema, data = [], error } = SqlLine.parse(JSON.parse(text));
    if (error !== undefined) throw new PlatformError(400, error);
    columns = schema ?? columns;
    for (const row of data) {
      if (rows.length === maxRows) return { columns, rows, truncated: true };
      rows.push(row);
    }
  }
  return { columns, rows, truncated: false };
}

async function* linesOf(body: AnswerBody): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
