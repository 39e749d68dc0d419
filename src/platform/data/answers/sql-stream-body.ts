import { ColumnType } from '../../../contract/sql.js';
import { toPlatformError } from '../../http/error-response.js';
import type { SqlColumn } from '../semantic-model.js';
import type { SqlType } from '../sql/sql-type.js';
import { unreadProblem } from './answer-body.js';

// The lines of an answer (domain.md 3): one of the schema, then lines of rows, or one that tells what broke it off.

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

/** @param lastRefreshTime - ISO 8601. */
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

/** @param rows - as JSON, without brackets around. */
export function rowsLine(rows: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.concat([before, rows, after]);
}

/** In the place of rows, where there are none. */
export const noRowsLine = line({ data: [] });

/** Tells what a caller may be told of it. */
export function errorLine(error: unknown): Uint8Array<ArrayBuffer> {
  return Buffer.from(line({ error: toPlatformError(error).message }));
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** Where the rest of a body comes from. */
export interface BodySource {
  /** The next piece; null at the end. */
  next(): Promise<Uint8Array | null>;
  /** Called once when nothing more is read, whether it is at its end or not. */
  close(): void;
}

/** How long a body may be read, in milliseconds. */
export interface StreamLimits {
  /** A client that reads nothing for so long is given up. */
  readonly stallMs: number;
  /** A client that has not read everything after so long is given up, too. */
  readonly readMs: number;
}

/**
 * A body whose pieces are made as they are read: one at a time, and none before it is asked for.
 * @param onEnd - hears once that it was read to its end, or that it wasn't.
 */
export function streamBody(
  first: Uint8Array,
  source: BodySource,
  { stallMs, readMs }: StreamLimits,
  onEnd: (complete: boolean) => void,
): ReadableStream<Uint8Array> {
  const givenUpAt = performance.now() + readMs;
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
    const giveUp = () => {
      end(false);
      controller.error(unreadProblem());
    };
    stalled = setTimeout(giveUp, Math.min(stallMs, givenUpAt - performance.now())).unref();
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
