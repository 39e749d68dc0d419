import {
  type DuckDBConnection,
  DuckDBDecimalType,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import { LoggableError } from '../../../errors.js';
import { SqlType } from '../../sql/sql-type.js';
import type { Parameter, RowPiece, RowStream } from '../engine.js';
import { StopReason } from '../query-problem.js';
import { prepare, type Session } from './session.js';

/**
 * Returns SQL that returns each row as a JSON array of text and NULL, in the order of the statement, followed by one
 * NULL. The engine preserves the order of subqueries and UNION ALL, so the NULL marks the end of all rows.
 */
function rowJsonSql(sql: string, types: readonly DuckDBType[]): string {
  const names = types.map((_, index) => `c${index}`);
  const values = types.map((type, index) => textOf(`c${index}`, type));
  return `SELECT json_array(${values.join(', ')})::VARCHAR FROM (${sql}) AS q(${names.join(', ')}) UNION ALL SELECT NULL`;
}

/** Formats a value like `cellFormat`, except that dates have no time and non-finite numbers have names. */
function textOf(column: string, type: DuckDBType): string {
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return doubleText(column);
    case DuckDBTypeId.DECIMAL:
      return type instanceof DuckDBDecimalType && type.scale > 0
        ? `rtrim(rtrim(${column}::VARCHAR, '0'), '.')`
        : `${column}::VARCHAR`;
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return `strftime(${column}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%g')`;
    default:
      return `${column}::VARCHAR`;
  }
}

/** Returns SQL that converts a double to text, with whole numbers without a decimal point. */
function doubleText(column: string): string {
  return `CASE WHEN ${column} = trunc(${column}) AND abs(${column}) < 1e15 THEN ${column}::BIGINT::VARCHAR
    WHEN isfinite(${column}) THEN ${column}::VARCHAR
    WHEN isnan(${column}) THEN 'NaN'
    WHEN ${column} > 0 THEN 'Infinity'
    WHEN ${column} < 0 THEN '-Infinity' END`;
}

/** Minimum number of characters of a piece, except for the last one. Chunks of the engine may be larger. */
export const minPieceSize = 64 * 1024;
/**
 * Minimum number of characters of later pieces. Larger than that of the first, so that the engine can prefetch within a
 * piece.
 */
const laterPieceSize = 128 * 1024;

/**
 * Returns the column types of a SELECT. Runs it with LIMIT 0, because a prepared statement does not have the types of
 * untyped parameters.
 */
export async function columnTypes(
  connection: DuckDBConnection,
  sql: string,
  parameters: readonly Parameter[],
): Promise<readonly DuckDBType[]> {
  const statement = await prepare(connection, `SELECT * FROM (${sql}) AS q LIMIT 0`, parameters);
  try {
    return (await statement.run()).columnTypes();
  } finally {
    statement.destroySync();
  }
}

/**
 * Starts a SELECT on a session. The session ends with the stream. Resolves when the first rows are available.
 * @throws PlatformError like `Engine.stream`.
 */
export async function openRowStream(
  session: Session,
  sql: string,
  parameters: readonly Parameter[],
): Promise<RowStream> {
  const stream = new SessionRows(session, sql, parameters);
  try {
    await stream.begun;
    return stream;
  } catch (error) {
    await stream.close();
    throw error;
  }
}

/** Rows of one read, and whether they are the last. */
interface Read {
  readonly rows: readonly string[];
  readonly isLast: boolean;
}

/** Rows of a statement. Between two reads, it uses a small buffer of the engine, but no thread and no timer. */
class SessionRows implements RowStream {
  readonly pieces: AsyncIterable<RowPiece> = { [Symbol.asyncIterator]: () => this.#pieces() };
  readonly #session: Session;
  readonly #parameters: readonly Parameter[];
  /** The latest read, which may be pending. */
  #work: Promise<Read>;
  #sql: string;
  #statement: DuckDBPreparedStatement | undefined;
  #pieceSize = minPieceSize;
  /** Characters per row in the latest chunk; infinite until the first chunk is read. */
  #rowSize = Number.POSITIVE_INFINITY;
  /** The result of the statement; `undefined` after all rows were read. */
  #result: DuckDBResult | undefined;
  #ended: Promise<void> | undefined;

  constructor(session: Session, sql: string, parameters: readonly Parameter[]) {
    this.#session = session;
    this.#sql = sql;
    this.#parameters = parameters;
    session.onStop = () => void this.close();
    this.#work = session.work(connection => this.#begin(connection));
  }

  get begun(): Promise<unknown> {
    return this.#work;
  }

  close(): Promise<void> {
    this.#session.stop(StopReason.aborted);
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async *#pieces(): AsyncGenerator<RowPiece> {
    try {
      for (;;) {
        const { rows, isLast } = await this.#work;
        if (rows.length > 0) yield { rows: rows.length, json: Buffer.from(rows.join(',')) };
        if (isLast) return;
        this.#work = this.#session.work(connection => this.#read(connection));
      }
    } finally {
      await this.close();
    }
  }

  async #begin(connection: DuckDBConnection): Promise<Read> {
    this.#sql = rowJsonSql(this.#sql, await columnTypes(connection, this.#sql, this.#parameters));
    this.#statement = await prepare(connection, this.#sql, this.#parameters);
    this.#result = await this.#statement.stream();
    return this.#read(connection);
  }

  async #read(connection: DuckDBConnection): Promise<Read> {
    const rows: string[] = [];
    const pieceSize = this.#pieceSize;
    this.#pieceSize = laterPieceSize;
    let chunk = await this.#result?.fetchChunk();
    for (let size = 0; ; ) {
      const count = chunk?.rowCount ?? 0;
      if (!chunk || count === 0) return this.#throwCause(connection);
      // Fetch the next chunk while this one is converted, unless this one probably completes the piece.
      const ahead = size + this.#rowSize * count < pieceSize ? this.#result?.fetchChunk() : undefined;
      const values = chunk.getColumnValues(0);
      const sizeBefore = size;
      for (const value of values) {
        if (typeof value !== 'string') continue;
        size += value.length;
        rows.push(value);
      }
      this.#rowSize = (size - sizeBefore) / count;
      if (values.at(-1) === null) {
        // Read past the end, because the engine releases the statement only after a read that returns nothing.
        const more = await (ahead ?? this.#result?.fetchChunk());
        if (more && more.rowCount > 0) throw new LoggableError('The engine returned rows out of order.');
        this.#result = undefined;
        return { rows, isLast: true };
      }
      if (!ahead && size >= pieceSize) return { rows, isLast: false };
      chunk = await (ahead ?? this.#result?.fetchChunk());
    }
  }

  /**
   * Throws the error of a stream that ended early. The engine does not report it, so this runs the statement again and
   * discards the rows.
   * @throws the error of the engine.
   */
  async #throwCause(connection: DuckDBConnection): Promise<never> {
    this.#session.check();
    const retry = await prepare(connection, `SELECT max(length(j)) FROM (${this.#sql}) AS r(j)`, this.#parameters);
    await retry.run();
    throw new LoggableError('The engine aborted a statement that succeeded when it was retried.');
  }

  async #end(): Promise<void> {
    // Ignore the error here, because it is returned to the reader of the rows.
    await this.#work.catch(() => undefined);
    if (!this.#session.isAbandoned) await this.#session.release(() => this.#release());
    this.#session.end();
  }

  async #release(): Promise<void> {
    // The engine may still be filling its buffer. Drain it here, because no caller is waiting.
    do this.#session.interrupt();
    while ((await nextValues(this.#result)).length > 0);
    this.#result = undefined;
    this.#statement?.destroySync();
  }
}

/** Returns the first column of the next rows; empty if the stream has ended or failed. */
async function nextValues(result: DuckDBResult | undefined): Promise<readonly DuckDBValue[]> {
  const chunk = await result?.fetchChunk();
  return chunk && chunk.rowCount > 0 ? chunk.getColumnValues(0) : [];
}

/** Returns the SQL type of a DuckDB type. */
export function sqlTypeOf(type: DuckDBTypeId): SqlType {
  switch (type) {
    case DuckDBTypeId.BOOLEAN:
      return SqlType.boolean;
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.INTEGER:
      return SqlType.integer;
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.BIGINT:
      return SqlType.bigint;
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
    case DuckDBTypeId.BIGNUM:
    case DuckDBTypeId.DECIMAL:
      return SqlType.numeric;
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return SqlType.double;
    default:
      return textOrTime(type);
  }
}

function textOrTime(type: DuckDBTypeId): SqlType {
  switch (type) {
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.ENUM:
    case DuckDBTypeId.UUID:
    // A column of NULL literals has type text, as in Postgres.
    case DuckDBTypeId.SQLNULL:
      return SqlType.text;
    case DuckDBTypeId.DATE:
      return SqlType.date;
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return SqlType.timestamp;
    case DuckDBTypeId.INTERVAL:
      return SqlType.interval;
    default:
      return SqlType.other;
  }
}
