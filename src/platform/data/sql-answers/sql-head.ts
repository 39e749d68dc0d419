import type { OpenStreams } from '../../open-streams.js';
import { Stage } from '../continue-wait.js';
import type { Engine, RowPiece } from '../engine.js';
import type { Lane } from '../lane.js';
import type { Statement } from '../semantic-model.js';
import type { RunHandle } from '../shared-runs.js';
import { LiveRows } from './live-rows.js';

/** The first rows of a statement, and what comes after them. */
export interface SqlHead {
  readonly pieces: readonly RowPiece[];
  /** Of the pieces. */
  readonly bytes: number;
  /** Null where the pieces are all that there is. */
  readonly rest: LiveRows | null;
  /** When they were read, in milliseconds since 1970. */
  readonly readAt: number;
  readonly queueMs: number;
  readonly engineMs: number;
}

/** What statements are run by. */
export interface SqlHeadOptions {
  readonly engine: Engine;
  readonly lane: Lane;
  readonly open: OpenStreams;
}

/** Rows of so many bytes are read before an answer begins: a small result is one piece. */
const headBytes = 64 * 1024;

/**
 * Begins a statement when its turn has come, and reads its first rows.
 * @throws PlatformError as `Engine.stream`, `Lane.run` and `OpenStreams.enter` say.
 */
export async function beginSql(
  { engine, lane, open }: SqlHeadOptions,
  { sql, parameters }: Statement,
  caller: string,
  handle: RunHandle,
): Promise<SqlHead> {
  const askedAt = performance.now();
  return lane.run(
    caller,
    async () => {
      const startedAt = performance.now();
      handle.stage = Stage.running;
      const onEnd = open.enter(caller);
      const stream = await engine.stream(sql, parameters, { signal: handle.signal }).catch((error: unknown) => {
        onEnd();
        throw error;
      });
      const begun = await firstRows(new LiveRows({ stream, lane, caller, onEnd }));
      const engineMs = performance.now() - startedAt;
      return { ...begun, readAt: Date.now(), queueMs: startedAt - askedAt, engineMs };
    },
    handle.signal,
  );
}

async function firstRows(rows: LiveRows): Promise<Pick<SqlHead, 'pieces' | 'bytes' | 'rest'>> {
  const pieces: RowPiece[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const piece = await rows.make();
    if (piece === null) return { pieces, bytes, rest: null };
    pieces.push(piece);
    bytes += piece.json.byteLength;
  }
  return { pieces, bytes, rest: rows };
}
