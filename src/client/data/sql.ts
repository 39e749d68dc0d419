import type { Cell, MemberAnnotation, Row } from '../../contract/data.js';
import { RowLimit } from '../../contract/row-limit.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { runSql } from '../../contract/run-sql.js';
import { PaConnectionError, PaError, PaErrorCode } from '../errors.js';
import type { DataConnection } from '../http/connection.js';
import { isRecord, parseJson, redact } from '../http/fetch.js';
import { lineSplitter } from '../http/line-splitter.js';
import { columnType } from './column-type.js';
import { pollUntilReady, type QueryOptions } from './long-query.js';

const maxColumns = 1000;
/** Most characters of one line. */
const maxLineLength = 32 * 1024 * 1024;

/** What running SQL may say. */
export interface SqlOptions extends QueryOptions {
  /** IANA name of the zone of times; UTC by default. */
  readonly timezone?: string | undefined;
}

/**
 * Rows of semantic SQL (`POST /v1/sql`, domain.md 3), read as they are made: the first 50,000, then the rest is called off. While the
 * service says `Continue wait`, the same is sent again, as `load` does. Columns are named as the SQL names them.
 * @throws {PaError}
 */
export async function sql(connection: DataConnection, query: string, options: SqlOptions = {}): Promise<RowSet> {
  const { timezone, ...rest } = options;
  const body = { query, throwContinueWait: true, ...(timezone === undefined ? {} : { timezone }) };
  let answer: SqlAnswer | undefined;
  const { requestId } = await pollUntilReady(runSql, connection, body, rest, async (response, what, id) => {
    answer = new SqlAnswer({ what, requestId: id, token: connection.token });
    return readLines(response, answer);
  });
  if (!answer) throw new PaError(PaErrorCode.invalidResponse, 'The Data API gave no rows.', { requestId });
  return answer.rowSet();
}

/** Reads lines until there are enough; answers with the one that tells to wait, if that is what comes. */
async function readLines({ body }: Response, answer: SqlAnswer): Promise<unknown> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const lines = lineSplitter(
    line => answer.take(line),
    maxLineLength,
    () => answer.unreadable('a line without an end'),
  );
  try {
    while (reader && !answer.isFull) {
      const { done, value } = await reader.read().catch(() => Promise.reject(answer.brokenOff()));
      if (done) break;
      lines.feed(decoder.decode(value, { stream: true }));
    }
    if (!answer.isFull) answer.end(lines.rest());
  } finally {
    // Settles when the connection is gone; nobody waits for that.
    reader?.cancel().catch(() => {});
  }
  return answer.wait;
}

/** One answer, line by line: a schema, rows, or an error in the place of either. */
class SqlAnswer {
  /** What told to wait, in the place of an answer. */
  wait: Readonly<Record<string, unknown>> | null = null;
  /** There are more rows than are read. */
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
    if (!isRecord(line)) throw this.unreadable('a line that is none of rows');
    if (typeof line.error === 'string') {
      if (line.error !== 'Continue wait' || this.#columns) {
        throw new PaError(PaErrorCode.serverFailed, redact(line.error, [token]), { requestId });
      }
      this.wait = line;
    } else if (Array.isArray(line.schema)) {
      this.#columns = columnsOf(line.schema.slice(0, maxColumns));
      if (typeof line.lastRefreshTime === 'string') this.#lastRefreshTime = line.lastRefreshTime;
    } else if (Array.isArray(line.data) && this.#columns) {
      this.#sawData = true;
      this.#takeRows(line.data, this.#columns);
    } else throw this.unreadable('a line that is neither schema nor rows');
  }

  /** @param rest - what came after the last line: a line may lack its end. */
  end(rest: string): void {
    if (rest.trim() !== '') {
      if (!isJson(rest)) throw this.brokenOff();
      this.take(rest);
    }
    if (!this.wait && !this.#sawData) throw this.brokenOff();
  }

  rowSet(): RowSet {
    const columns = (this.#columns ?? []).map(column => dated(column, this.#rows));
    return { columns, rows: this.#rows, truncated: this.isFull, lastRefreshTime: this.#lastRefreshTime };
  }

  brokenOff(): PaConnectionError {
    return new PaConnectionError(`${this.#origin.what} broke off in the middle of its answer.`);
  }

  unreadable(what: string): PaError {
    const { requestId } = this.#origin;
    return new PaError(PaErrorCode.invalidResponse, `${this.#origin.what} answered with ${what}.`, { requestId });
  }

  #takeRows(rows: readonly unknown[], columns: readonly Column[]): void {
    for (const row of rows) {
      if (this.#rows.length >= RowLimit.max) {
        this.isFull = true;
        return;
      }
      if (!Array.isArray(row) || !row.every(isCell)) throw this.unreadable(`row ${this.#rows.length} out of shape`);
      this.#rows.push(
        Object.fromEntries(columns.map(({ member, annotation }, place) => [member, cellOf(row[place], annotation)])),
      );
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

/** Values travel as text; those of a boolean column are told apart from words. */
function cellOf(value: Cell | undefined, { type }: MemberAnnotation): Cell {
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value ?? null;
}

/** Columns by the names of the SQL; one that is there twice gets a number. */
function columnsOf(schema: readonly unknown[]): readonly Column[] {
  const taken = new Set<string>();
  return schema.map((field, place) => {
    const { name, column_type, ...described }: Readonly<Record<string, unknown>> = isRecord(field) ? field : {};
    const own = textOf(name) ?? `column ${place + 1}`;
    let member = own;
    for (let count = 2; taken.has(member); count += 1) member = `${own} ${count}`;
    taken.add(member);
    const type = columnType(column_type);
    const [title = member, format, granularity] = [described.title, described.format, described.granularity].map(
      textOf,
    );
    return {
      member,
      kind: type === 'number' ? 'measure' : type === 'time' ? 'timeDimension' : 'dimension',
      annotation: {
        title,
        shortTitle: title,
        type,
        ...(format && { format }),
        ...(granularity && { granularity: { name: granularity, title: granularity } }),
      },
    };
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Times that are midnights are days: nobody wants to read the clock beside them. */
function dated(column: Column, rows: readonly Row[]): Column {
  const { member, annotation } = column;
  if (annotation.type !== 'time' || annotation.granularity || !rows.every(row => isMidnight(row[member])))
    return column;
  return { ...column, annotation: { ...annotation, granularity: { name: 'day', title: 'day' } } };
}

function isMidnight(value: Cell | undefined): boolean {
  return value === null || (typeof value === 'string' && /^\d{4}-\d\d-\d\d(T00:00:00(\.0+)?)?$/.test(value));
}
