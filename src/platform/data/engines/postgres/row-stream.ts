import type { Parameter, RowPiece, RowStream } from '../engine.js';
import { columnType } from './column-types.js';
import type { Session } from './session.js';

/** Number of rows of the first fetch. Small, so that the first rows arrive early. */
const firstRows = 100;
/** Approximate size of a piece in bytes. */
const pieceBytes = 64 * 1024;

/**
 * Streams a SELECT from a cursor as JSON that the server generates. Resolves when the first rows are available; the
 * session ends with the stream.
 * @throws PlatformError like `Engine.run`.
 */
export async function openRowStream(
  session: Session,
  sql: string,
  parameters: readonly Parameter[],
): Promise<RowStream> {
  await session.open(jsonSql(sql, await session.describe(sql, parameters)), parameters);
  const first = await session.fetch(firstRows);
  return { pieces: piecesOf(session, first), close: () => session.end() };
}

function jsonSql(sql: string, ids: readonly number[]): string {
  const names = ids.map((_, index) => `c${index}`);
  const columns = ids.map((id, index) => columnType(id).text(`source.c${index}`));
  return `SELECT array_to_json(ARRAY[${columns.join(', ')}]::text[])::text FROM (${sql}) AS source(${names.join(', ')})`;
}

async function* piecesOf(session: Session, first: readonly string[]): AsyncGenerator<RowPiece> {
  try {
    for (let rows = first, requested = firstRows; rows.length > 0; ) {
      const isLast = rows.length < requested;
      // Release the connection before the last piece is read.
      if (isLast) void session.end();
      const json = Buffer.from(rows.join(','));
      yield { rows: rows.length, json };
      if (isLast) return;
      requested = nextRows(rows.length, json.length);
      rows = await session.fetch(requested);
    }
  } finally {
    await session.end();
  }
}

/** Estimates the number of rows that fill a piece from the previous piece. */
function nextRows(rows: number, bytes: number): number {
  return Math.max(1, Math.min(2 * rows, Math.floor((pieceBytes * rows) / bytes)));
}
