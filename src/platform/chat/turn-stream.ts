import { type ChatFrame, FinishReason } from '../../contract/chat.js';
import type { Db } from '../db/database.js';
import { pause } from '../runtime/retry.js';
import type { ChatLimits } from './chat-limits.js';
import type { StreamFrame } from './chat-service.js';
import { cutoffFrame, echoFrame, endFrames, endMarkFrame, stateFrame, usageFrame } from './frames.js';
import { loadHistory } from './history.js';
import { type AnsweredTurn, messagesAfter, readTurns, type StoredMessage } from './message-store.js';
import type { ReadableRun } from './run.js';
import { findImages, findLastTurn, readTurn, type StoredTurn, TurnPhase } from './turn-store.js';

const pageSize = 10;

/** Returns the messages of an owner's thread before a turn, oldest first, loaded a few turns at a time. */
async function* replayThread(
  db: Db,
  thread: Pick<StoredTurn, 'ownerKey' | 'threadId'>,
  before: number,
): AsyncGenerator<ChatFrame, void> {
  let from = 1;
  while (from < before) {
    const page = await readTurns(db, thread, { from, before }, pageSize);
    for (const answered of page) {
      const { turn, feedback } = answered;
      const images = turn.hasImages ? await findImages(db, turn) : [];
      yield echoFrame(turn, { images, feedback });
      yield* answerFrames(answered);
      from = turn.number + 1;
    }
    if (page.length < pageSize) return;
  }
}

/** Returns the stored frames of an answer. The last message of an ended turn has the finish reason. */
function answerFrames({ turn, messages }: Pick<AnsweredTurn, 'turn' | 'messages'>): readonly ChatFrame[] {
  const frames = messages.map(({ frame }) => frame);
  const finishReason = reasonOf(turn);
  if (finishReason === null) return frames;
  const last = frames.at(-1);
  return last && !last.toolCall
    ? [...frames.slice(0, -1), { ...last, finishReason }]
    : [...frames, endMarkFrame(turn, (messages.at(-1)?.position ?? 0) + 1, finishReason)];
}

/** Returns how a turn ended; `null` while it is being answered. */
export function reasonOf(turn: StoredTurn): FinishReason | null {
  if (turn.phase === TurnPhase.live) return null;
  switch (turn.status) {
    case 'running':
      return turn.abortRequested ? FinishReason.aborted : FinishReason.suspended;
    case 'finished':
      return FinishReason.stop;
    default:
      return turn.status;
  }
}

/** Dependencies of streams from the database. */
interface StoredStreamOptions {
  readonly db: Db;
  readonly limits: ChatLimits;
}

/**
 * Follows a turn in the database until it ends. Returns the stored messages, and those that another process adds step
 * by step. Polling is sufficient, because a client is rarely connected to a process other than the one that answers.
 */
async function* followTurn(
  { db, limits }: StoredStreamOptions,
  turn: StoredTurn,
  signal: AbortSignal,
): AsyncGenerator<ChatFrame, void> {
  yield echoFrame(turn);
  let last: StoredMessage | undefined;
  // Reads the turn before its messages, so that no message is missing if the turn has ended.
  for (let now: StoredTurn | null = turn; now !== null; now = await readTurn(db, turn)) {
    const messages = await messagesAfter(db, turn, last?.position ?? 0);
    if (now.phase !== TurnPhase.live) {
      // Repeats the last message if the reader already has it, because it now has the finish reason.
      yield* answerFrames({ turn: now, messages: messages.length > 0 || !last ? messages : [last] });
      yield* storedEnd({ db, limits }, now);
      return;
    }
    yield* answerFrames({ turn: now, messages });
    last = messages.at(-1) ?? last;
    await pause(limits.followEvery, { signal });
    if (signal.aborted) return;
  }
  yield { error: 'The thread was deleted.' };
  yield usageFrame(null);
}

async function* storedEnd({ db, limits }: StoredStreamOptions, turn: StoredTurn): AsyncGenerator<ChatFrame, void> {
  yield stateFrame(turn, await loadHistory(db, { ...turn, number: turn.number + 1 }, limits));
  const reason = reasonOf(turn) ?? FinishReason.stop;
  // If the turn can no longer be resumed, omits the frames with the instruction to resume it.
  const isOver = reason === FinishReason.suspended && turn.phase !== TurnPhase.resumable;
  yield* isOver ? [usageFrame(turn.usage)] : endFrames(turn, { reason, error: turn.error }, turn.usage);
}

/**
 * Returns the current content of a thread.
 * @param activeFrames - returns the frames so far of a turn that this process answers. For other turns, the stored
 * steps are used.
 */
export async function* readThread(
  { db, limits }: StoredStreamOptions,
  thread: Pick<StoredTurn, 'ownerKey' | 'threadId'>,
  activeFrames: (turn: StoredTurn) => readonly ChatFrame[] | null,
): AsyncGenerator<ChatFrame, void> {
  const last = await findLastTurn(db, thread.ownerKey, thread.threadId);
  const number = last?.number ?? 0;
  const isLive = last?.phase === TurnPhase.live;
  yield* replayThread(db, thread, isLive ? number : number + 1);
  yield cutoffFrame({
    chatId: thread.threadId,
    isStreaming: isLive,
    ...(last?.phase === TurnPhase.resumable && { suspended: { messageId: last.messageId } }),
  });
  if (last && isLive) yield* activeFrames(last) ?? (await storedSoFar(db, last));
  yield stateFrame({ number }, await loadHistory(db, { ...thread, number: number + 1 }, limits));
  yield usageFrame(null);
}

async function storedSoFar(db: Db, turn: StoredTurn): Promise<readonly ChatFrame[]> {
  return [echoFrame(turn), ...answerFrames({ turn, messages: await messagesAfter(db, turn, 0) })];
}

const withoutId = (frame: ChatFrame): StreamFrame => ({ id: null, frame });

/**
 * Creates a stream that can be ended at any time, even while it waits for a frame.
 * @param read - must stop waiting when its signal aborts.
 */
export function abortableStream(
  read: (signal: AbortSignal) => AsyncGenerator<StreamFrame, void>,
): AsyncIterable<StreamFrame> {
  return {
    [Symbol.asyncIterator]() {
      const aborter = new AbortController();
      const frames = read(aborter.signal);
      return {
        next: () => frames.next(),
        async return() {
          aborter.abort();
          await frames.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Returns the stream for the caller that started a run. No frames are replayed. */
export async function* newStream(run: ReadableRun, signal: AbortSignal): AsyncGenerator<StreamFrame, void> {
  yield withoutId(cutoffFrame({ chatId: run.turn.threadId, isStreaming: true }));
  yield* followRun(run, 0, signal);
}

/**
 * Returns the stream for a caller that joins a run: the frames after the last one it received, or the thread and all
 * frames.
 */
export async function* joinStream(
  db: Db,
  run: ReadableRun,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<StreamFrame, void> {
  const place = placeOf(run, lastEventId);
  if (place === null) yield* replayBefore(db, run.turn);
  yield withoutId(cutoffFrame({ chatId: run.turn.threadId, isStreaming: run.endReason === null }));
  // Complete text blocks replace the partial ones that the client has.
  if (place === null) run.log.compact();
  yield* followRun(run, place ?? 0, signal);
}

/** Returns a turn that another process answers or has answered, with the thread before it. */
export async function* storedStream(
  options: StoredStreamOptions,
  turn: StoredTurn,
  signal: AbortSignal,
): AsyncGenerator<StreamFrame, void> {
  yield* replayBefore(options.db, turn);
  yield withoutId(cutoffFrame({ chatId: turn.threadId, isStreaming: turn.phase === 'live' }));
  // No log contains position 0, so a client that reconnects with it receives everything again, from any process.
  for await (const frame of followTurn(options, turn, signal)) yield { id: `${turn.messageId}:0`, frame };
}

async function* replayBefore(db: Db, turn: StoredTurn): AsyncGenerator<StreamFrame, void> {
  for await (const frame of replayThread(db, turn, turn.number)) yield withoutId(frame);
}

async function* followRun(run: ReadableRun, after: number, signal: AbortSignal): AsyncGenerator<StreamFrame, void> {
  for await (const { place, frame } of run.log.read(after, signal))
    yield { id: `${run.turn.messageId}:${place}`, frame };
}

/** Returns the position of a frame in the log of a run; `null` if the log does not contain it. */
function placeOf(run: ReadableRun, eventId: string | null): number | null {
  const prefix = `${run.turn.messageId}:`;
  if (eventId === null || !eventId.startsWith(prefix)) return null;
  const digits = eventId.slice(prefix.length);
  return /^\d{1,15}$/.test(digits) && run.log.has(Number(digits)) ? Number(digits) : null;
}
