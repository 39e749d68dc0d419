import { ColumnType } from '../../../contract/sql.js';
import { toPlatformError } from '../../http/error-response.js';
import type { SqlColumn } from '../semantic-model.js';
import type { SqlType } from '../sql/sql-type.js';
import { unreadProblem } from './answer-body.js';

// Lines of a response (domain.md 3): a schema line, lines of rows, and an error line if the statement fails.

const columnTypes: Readonly<Record<SqlType, ColumnType>> = {
  boolean: ColumnType.boolean,
  integer: ColumnType.int64,
  bigint: ColumnType.int64,
  numeric: ColumnType.double,
  ratio: ColumnType.double,
  double: ColumnType.double,
  date: ColumnType.date,
  timestamp: ColumnType.timestamp,
  text: ColumnType.string,
  interval: ColumnType.string,
  unknown: ColumnType.string,
  other: ColumnType.string,
};

/**
 * Returns the schema line.
 * @param lastRefreshTime - ISO 8601.
 */
export function schemaLine(columns: readonly SqlColumn[], lastRefreshTime: string): string {
  const schema = columns.map(({ name, type, format, title, granularity }) => ({
    name,
    column_type: columnTypes[type],
    ...(format !== undefined && { format }),
    ...(title !== undefined && { title }),
    ...(granularity !== undefined && { granularity }),
  }));
  return line({ schema, lastRefreshTime });
}

const [before, after] = [Buffer.from('{"data":['), Buffer.from(']}\n')];

/**
 * Returns a line of rows.
 * @param rows - JSON without the enclosing brackets.
 */
export function rowsLine(rows: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.concat([before, rows, after]);
}

/** Line of rows of an empty result. */
export const noRowsLine = line({ data: [] });

/** Returns the error line with the message that may be shown to the caller. */
export function errorLine(error: unknown): Uint8Array<ArrayBuffer> {
  return Buffer.from(line({ error: toPlatformError(error).message }));
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** Source of the remaining chunks of a body. */
export interface BodySource {
  /** Returns the next chunk; `null` at the end. */
  next(): Promise<Uint8Array | null>;
  /** Called once when reading has ended, whether completely or early. */
  close(): void;
}

/** Time limits for reading a body, in milliseconds. */
export interface StreamLimits {
  /** Time without a read after which the stream is aborted. */
  readonly stallMs: number;
  /** Maximum total read time of a stream. */
  readonly readMs: number;
}

/**
 * Creates a body that generates one chunk per read.
 * @param onEnd - called once when the body ends; `complete` is false if it was not read completely.
 */
export function streamBody(
  first: Uint8Array,
  source: BodySource,
  { stallMs, readMs }: StreamLimits,
  onEnd: (complete: boolean) => void,
): ReadableStream<Uint8Array> {
  const deadline = performance.now() + readMs;
  let piece: Uint8Array | null = first;
  let stalled: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (complete: boolean) => {
    clearTimeout(stalled);
    if (isOver) return;
    isOver = true;
    source.close();
    onEnd(complete);
  };
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const stop = () => {
      end(false);
      controller.error(unreadProblem());
    };
    stalled = setTimeout(stop, Math.min(stallMs, deadline - performance.now())).unref();
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    clearTimeout(stalled);
    const next = piece ?? (await source.next());
    piece = null;
    if (isOver) return;
    if (next) {
      controller.enqueue(next);
      watch(controller);
    } else {
      controller.close();
      end(true);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start: watch,
      async pull(controller) {
        try {
          await pull(controller);
        } catch (error) {
          end(false);
          throw error;
        }
      },
      cancel: () => end(false),
    },
    { highWaterMark: 0 },
  );
}
