import { type ChatFrame, FinishReason } from '../../contract/chat.js';
import { type AnsweredTurn, readTurns } from '../store/chat-messages.js';
import { findImages, type StoredTurn, TurnPhase } from '../store/chat-turns.js';
import type { Db } from '../store/database.js';
import { echoFrame, endMarkFrame } from './frames.js';

const pageSize = 10;

/** The messages of an owner's thread before a turn, oldest first, a few turns at a time. */
export async function* replayThread(
  db: Db,
  thread: Pick<StoredTurn, 'ownerKey' | 'threadId'>,
  before: number,
): AsyncGenerator<ChatFrame, void> {
  let from = 1;
  while (from < before) {
    const page = await readTurns(db, thread, { from, before }, pageSize);
    for (const answered of page) {
      const { turn } = answered;
      yield echoFrame(turn, turn.hasImages ? await findImages(db, turn) : []);
      yield* answerFrames(answered);
      from = turn.number + 1;
    }
    if (page.length < pageSize) return;
  }
}

/** What was answered, as it is read back: the last message of a turn that has ended tells how. */
export function answerFrames({ turn, messages }: AnsweredTurn): readonly ChatFrame[] {
  const frames = messages.map(({ frame }) => frame);
  const finishReason = reasonOf(turn);
  if (finishReason === null) return frames;
  const last = frames.at(-1);
  return last && !last.toolCall
    ? [...frames.slice(0, -1), { ...last, finishReason }]
    : [...frames, endMarkFrame(turn, (messages.at(-1)?.position ?? 0) + 1, finishReason)];
}

/** How a turn ended; null while it is being answered. */
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
