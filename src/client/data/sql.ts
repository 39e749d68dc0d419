import type { Row } from '../../contract/data.js';
import { RowLimit } from '../../contract/row-limit.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { runSql } from '../../contract/run-sql.js';
import { markDailyTimes, sqlColumns, sqlRow } from '../../contract/sql-columns.js';
import { PaConnectionError, PaError, PaErrorCode } from '../errors.js';
import type { DataConnection } from '../http/connection.js';
import { isRecord, parseJson, redact } from '../http/fetch.js';
import { lineSplitter } from '../http/line-splitter.js';
import { pollUntilReady, type QueryOptions } from './long-query.js';

const maxColumns = 1000;
/** Maximum length of one line, in characters. */
const maxLineLength = 32 * 1024 * 1024;

/** Options of an SQL query. */
export interface SqlOptions extends QueryOptions {
  /** IANA time zone of time values. Defaults to UTC. */
  readonly timezone?: string | undefined;
}

/**
 * Runs semantic SQL (`POST /v1/sql`, domain.md 3) and returns up to 50,000 rows. The response is streamed; once the
 * limit is reached, the rest is canceled. Repeats the request while the service returns `Continue wait`, as `load`
 * does. Columns have the names of the SQL.
 * @throws {PaError}
 */
export async function sql(connection: DataConnection, query: string, options: SqlOptions = {}): Promise<RowSet> {
  const { timezone, ...rest } = options;
  const body = { query, throwContinueWait: true, ...(timezone === undefined ? {} : { timezone }) };
  let answer: SqlAnswer | undefined;
  const { requestId } = await pollUntilReady(runSql, connection, body, rest, {
    async read(response, what, id) {
      answer = new SqlAnswer({ what, requestId: id, token: connection.token });
      return readLines(response, answer);
    },
  });
  if (!answer) throw new PaError(PaErrorCode.invalidResponse, 'The Data API returned no rows.', { requestId });
  return answer.rowSet();
}

/**
 * Reads lines until the row limit is reached. Returns the `Continue wait` line if the service sends one, else `null`.
 */
async function readLines({ body }: Response, answer: SqlAnswer): Promise<unknown> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const lines = lineSplitter(
    line => answer.take(line),
    maxLineLength,
    () => answer.unreadable(`a line longer than ${maxLineLength} characters`),
  );
  try {
    while (reader && !answer.isFull) {
      const { done, value } = await reader.read().catch(() => Promise.reject(answer.brokenOff()));
      if (done) break;
      lines.feed(decoder.decode(value, { stream: true }));
    }
    if (!answer.isFull) answer.end(lines.rest());
  } finally {
    // Ignore the result, which only states whether the connection was closed.
    reader?.cancel().catch(() => {});
  }
  return answer.wait;
}

/** Collects one response line by line: a schema, rows, or an error instead of either. */
class SqlAnswer {
  /** The `Continue wait` line, if the service sent one instead of rows. */
  wait: Readonly<Record<string, unknown>> | null = null;
  /** Whether the response has more rows than the limit. */
  isFull = false;
  readonly #origin: { readonly what: string; readonly requestId: string | null; readonly token: string };
  readonly #rows: Row[] = [];
  #columns: readonly Column[] | null = null;
  #lastRefreshTime: string | null = null;
  #sawData = false;

  constructor(origin: { readonly what: string; readonly requestId: string | null; readonly token: string }) {
    this.#origin = origin;
  }

  take(text: string): void {
    const { what, requestId, token } = this.#origin;
    const line = parseJson(text, what, requestId);
    if (!isRecord(line)) throw this.unreadable('a line that is not a JSON object');
    if (typeof line.error === 'string') {
      if (line.error !== 'Continue wait' || this.#columns) {
        throw new PaError(PaErrorCode.serverFailed, redact(line.error, [token]), { requestId });
      }
      this.wait = line;
    } else if (Array.isArray(line.schema)) {
      this.#columns = sqlColumns(line.schema.slice(0, maxColumns));
      if (typeof line.lastRefreshTime === 'string') this.#lastRefreshTime = line.lastRefreshTime;
    } else if (Array.isArray(line.data) && this.#columns) {
      this.#sawData = true;
      this.#takeRows(line.data, this.#columns);
    } else throw this.unreadable('a line that is neither schema nor rows');
  }

  /** @param rest - text after the last line break, because the last line may lack one. */
  end(rest: string): void {
    if (rest.trim() !== '') {
      if (!isJson(rest)) throw this.brokenOff();
      this.take(rest);
    }
    if (!this.wait && !this.#sawData) throw this.brokenOff();
  }

  rowSet(): RowSet {
    const columns = (this.#columns ?? []).map(column => markDailyTimes(column, this.#rows));
    return { columns, rows: this.#rows, truncated: this.isFull, lastRefreshTime: this.#lastRefreshTime };
  }

  brokenOff(): PaConnectionError {
    return new PaConnectionError(`${this.#origin.what} closed the connection before the response was complete.`);
  }

  unreadable(what: string): PaError {
    const { requestId } = this.#origin;
    return new PaError(PaErrorCode.invalidResponse, `${this.#origin.what} returned ${what}.`, { requestId });
  }

  #takeRows(rows: readonly unknown[], columns: readonly Column[]): void {
    for (const row of rows) {
      if (this.#rows.length >= RowLimit.max) {
        this.isFull = true;
        return;
      }
      if (!Array.isArray(row) || !row.every(isCell)) throw this.unreadable(`an invalid row ${this.#rows.length}`);
      this.#rows.push(sqlRow(row, columns));
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isCell(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
