import { setTimeout as wait } from 'node:timers/promises';
import { type ChatFrame, FinishReason } from '../../contract/chat.js';
import { messagesAfter, type StoredMessage } from '../store/chat-messages.js';
import { findLastTurn, readTurn, type StoredTurn, TurnPhase } from '../store/chat-turns.js';
import type { Db } from '../store/database.js';
import type { ChatLimits } from './chat-limits.js';
import { cutoffFrame, echoFrame, endFrames, stateFrame, usageFrame } from './frames.js';
import { loadHistory } from './history.js';
import { answerFrames, reasonOf, replayThread } from './replay.js';

/** What streams from the store read from. */
export interface StoredStreamOptions {
  readonly db: Db;
  readonly limits: ChatLimits;
}

/**
 * A turn from the store: what there is of it, and what the process that answers it adds step by step, until it has ended. The store is
 * asked again and again, since a reader seldom meets another process than the one that answers.
 */
export async function* followTurn(
  { db, limits }: StoredStreamOptions,
  turn: StoredTurn,
  signal: AbortSignal,
): AsyncGenerator<ChatFrame, void> {
  yield echoFrame(turn);
  let last: StoredMessage | undefined;
  // The turn is read before its messages: once it has ended, none is missing.
  for (let now: StoredTurn | null = turn; now !== null; now = await readTurn(db, turn)) {
    const messages = await messagesAfter(db, turn, last?.position ?? 0);
    if (now.phase !== TurnPhase.live) {
      // The last message once more, where it is known already, now that it can say how the turn ended.
      yield* answerFrames({ turn: now, messages: messages.length > 0 || !last ? messages : [last] });
      yield* storedEnd({ db, limits }, now);
      return;
    }
    yield* answerFrames({ turn: now, messages });
    last = messages.at(-1) ?? last;
    await wait(limits.followEvery, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
  yield { error: 'The thread was deleted.' };
  yield usageFrame(null);
}

async function* storedEnd({ db, limits }: StoredStreamOptions, turn: StoredTurn): AsyncGenerator<ChatFrame, void> {
  yield stateFrame(turn, await loadHistory(db, { ...turn, number: turn.number + 1 }, limits));
  const reason = reasonOf(turn) ?? FinishReason.stop;
  // Nobody is told to send a message again that can't be resumed any more.
  const isOver = reason === FinishReason.suspended && turn.phase !== TurnPhase.resumable;
  yield* isOver ? [usageFrame(turn.usage)] : endFrames(turn, { reason, error: turn.error }, turn.usage);
}

/**
 * A thread as it stands now.
 * @param underWay - frames so far of a turn that this process answers; of another process's turn the store knows the steps.
 */
export async function* readThread(
  { db, limits }: StoredStreamOptions,
  thread: Pick<StoredTurn, 'ownerKey' | 'threadId'>,
  underWay: (turn: StoredTurn) => readonly ChatFrame[] | null,
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
  if (last && isLive) yield* underWay(last) ?? (await storedSoFar(db, last));
  yield stateFrame({ number }, await loadHistory(db, { ...thread, number: number + 1 }, limits));
  yield usageFrame(null);
}

async function storedSoFar(db: Db, turn: StoredTurn): Promise<readonly ChatFrame[]> {
  return [echoFrame(turn), ...answerFrames({ turn, messages: await messagesAfter(db, turn, 0) })];
}
