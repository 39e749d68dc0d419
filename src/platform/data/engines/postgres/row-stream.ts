import type { Parameter, RowPiece, RowStream } from '../engine.js';
import { columnType } from './column-types.js';
import type { Session } from './session.js';

/** Few, so that the first of them are there soon. */
const firstRows = 100;
/** Of a piece, about. */
const pieceBytes = 64 * 1024;

/**
 * The rows of a SELECT as JSON, made by the server and read from a cursor: no more of them than are asked for. Resolves once the first
 * ones are there; the session ends with the rows.
 * @throws PlatformError as `Engine.run` says.
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
  const texts = ids.map((id, index) => columnType(id).text(`made.c${index}`));
  return `SELECT array_to_json(ARRAY[${texts.join(', ')}]::text[])::text FROM (${sql}) AS made(${names.join(', ')})`;
}

async function* piecesOf(session: Session, first: readonly string[]): AsyncGenerator<RowPiece> {
  try {
    for (let rows = first, asked = firstRows; rows.length > 0; ) {
      const isLast = rows.length < asked;
      // The connection isn't kept for whoever reads the last of them.
      if (isLast) void session.end();
      const json = Buffer.from(rows.join(','));
      yield { rows: rows.length, json };
      if (isLast) return;
      asked = nextRows(rows.length, json.length);
      rows = await session.fetch(asked);
    }
  } finally {
    await session.end();
  }
}

/** As many as fill a piece, going by the last one; rows that come may be larger. */
function nextRows(rows: number, bytes: number): number {
  return Math.max(1, Math.min(2 * rows, Math.floor((pieceBytes * rows) / bytes)));
}
