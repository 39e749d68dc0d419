import type { ChatFrame } from '../../contract/chat.js';
import type { StoredTurn } from '../store/chat-turns.js';
import type { Db } from '../store/database.js';
import type { PlacedFrame } from './chat-service.js';
import { cutoffFrame } from './frames.js';
import { replayThread } from './replay.js';
import type { ReadableRun } from './run.js';
import { followTurn, type StoredStreamOptions } from './stored-stream.js';

const unplaced = (frame: ChatFrame): PlacedFrame => ({ id: null, frame });

/**
 * A stream that can be left at any time, also while it waits for a frame.
 * @param read - gives up what it waits for when its signal is aborted.
 */
export function leavable(read: (signal: AbortSignal) => AsyncGenerator<PlacedFrame, void>): AsyncIterable<PlacedFrame> {
  return {
    [Symbol.asyncIterator]() {
      const left = new AbortController();
      const frames = read(left.signal);
      return {
        next: () => frames.next(),
        async return() {
          left.abort();
          await frames.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A run from its beginning, for whoever has begun it: there is nothing to replay. */
export async function* newStream(run: ReadableRun, signal: AbortSignal): AsyncGenerator<PlacedFrame, void> {
  yield unplaced(cutoffFrame({ chatId: run.turn.threadId, isStreaming: true }));
  yield* placed(run, 0, signal);
}

/** A run that others have begun: what comes behind the frame that the reader has, or all, with the thread before it. */
export async function* joinStream(
  db: Db,
  run: ReadableRun,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<PlacedFrame, void> {
  const place = placeOf(run, lastEventId);
  if (place === null) yield* replayBefore(db, run.turn);
  yield unplaced(cutoffFrame({ chatId: run.turn.threadId, isStreaming: run.told === null }));
  // Texts come whole as far as they are known, so that they take the place of what a reader has of them.
  if (place === null) run.log.compact();
  yield* placed(run, place ?? 0, signal);
}

/** A turn that this process does not answer, with the thread before it. */
export async function* storedStream(
  options: StoredStreamOptions,
  turn: StoredTurn,
  signal: AbortSignal,
): AsyncGenerator<PlacedFrame, void> {
  yield* replayBefore(options.db, turn);
  yield unplaced(cutoffFrame({ chatId: turn.threadId, isStreaming: turn.phase === 'live' }));
  // Place 0 is in no log: whoever comes back with it gets everything anew, also from a process that knows more places.
  for await (const frame of followTurn(options, turn, signal)) yield { id: `${turn.messageId}:0`, frame };
}

async function* replayBefore(db: Db, turn: StoredTurn): AsyncGenerator<PlacedFrame, void> {
  for await (const frame of replayThread(db, turn, turn.number)) yield unplaced(frame);
}

async function* placed(run: ReadableRun, after: number, signal: AbortSignal): AsyncGenerator<PlacedFrame, void> {
  for await (const { place, frame } of run.log.read(after, signal))
    yield { id: `${run.turn.messageId}:${place}`, frame };
}

/** The place of a frame in the log of a run; null where it isn't of that log. */
function placeOf(run: ReadableRun, eventId: string | null): number | null {
  const prefix = `${run.turn.messageId}:`;
  if (eventId === null || !eventId.startsWith(prefix)) return null;
  const digits = eventId.slice(prefix.length);
  return /^\d{1,15}$/.test(digits) && run.log.has(Number(digits)) ? Number(digits) : null;
}
