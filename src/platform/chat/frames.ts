import {
  ChatEndCode,
  type ChatFeedback,
  type ChatFrame,
  type ChatImage,
  type ChatUsage,
  FinishReason,
  FrameId,
  GraphNode,
} from '../../contract/chat.js';
import { noUsage, type PastTurn } from '../agent/agent.js';
import type { StoredTurn } from './turn-store.js';

/** Maximum number of messages per turn. */
export const maxTurnMessages = 900;

/**
 * Returns `sort` of a message, which increases within the thread and does not depend on the content of other turns.
 * @param place - position of the message in its turn; 0 is the user's message.
 */
export const sortOf = (turn: Pick<StoredTurn, 'number'>, place: number): number => turn.number * 1000 + place;

/** Returns the frame that separates replayed from new frames. */
export function cutoffFrame(state: NonNullable<ChatFrame['state']>): ChatFrame {
  return { id: FrameId.cutoff, role: 'assistant', sort: 0, state };
}

/** Fields of the frame of a user's message that are set when a thread is read. */
interface EchoDetails {
  readonly images?: readonly ChatImage[];
  readonly feedback?: ChatFeedback | null;
}

/**
 * Returns the frame of the user's message. It is the first frame of its turn; clients that already have part of the
 * turn receive the whole turn again.
 */
export function echoFrame(turn: StoredTurn, { images = [], feedback = null }: EchoDetails = {}): ChatFrame {
  return {
    id: turn.messageId,
    role: 'user',
    content: turn.input,
    isDelta: false,
    isInProcess: false,
    sort: sortOf(turn, 0),
    createdAt: turn.createdAt.toISOString(),
    ...(images.length > 0 && { images }),
    ...(feedback && { feedback }),
  };
}

/** Returns an empty message with the finish reason of a turn that has no text. */
export function endMarkFrame(turn: StoredTurn, place: number, finishReason: FinishReason): ChatFrame {
  return {
    id: `${turn.number}.${turn.attempt}.${place}`,
    role: 'assistant',
    content: '',
    isDelta: false,
    isInProcess: false,
    sort: sortOf(turn, place),
    graphPath: [GraphNode.analyst],
    finishReason,
  };
}

/** Returns the messages of the thread in LangChain's serialization format. */
export function stateFrame(turn: Pick<StoredTurn, 'number'>, turns: readonly PastTurn[]): ChatFrame {
  const messages = turns.flatMap(({ input, answer }) => [message('HumanMessage', input), message('AIMessage', answer)]);
  return { id: FrameId.state, role: 'assistant', sort: sortOf(turn, 998), state: { messages } };
}

function message(kind: 'HumanMessage' | 'AIMessage', content: string) {
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', kind], kwargs: { content } };
}

/** How a turn ended. */
export interface TurnEnd {
  readonly reason: FinishReason;
  /** Error message for the caller. */
  readonly error: string | null;
}

/** Returns the last frames of a turn: the reason if it ended early, and its usage. */
export function endFrames(turn: StoredTurn, end: TurnEnd, usage: ChatUsage | null): readonly ChatFrame[] {
  const last = usageFrame(usage);
  const mark = { role: 'assistant', sort: sortOf(turn, 999) } as const;
  switch (end.reason) {
    case FinishReason.aborted: {
      const error = 'The answer was stopped.';
      return [{ id: FrameId.aborted, ...mark, type: 'abort', code: ChatEndCode.aborted, error }, last];
    }
    case FinishReason.suspended: {
      const error = 'The service stopped before the answer was complete. Send the message again to continue.';
      const suspend = { type: 'suspend', code: ChatEndCode.suspended, retryable: true } as const;
      return [{ id: FrameId.suspended, ...mark, ...suspend, messageId: turn.messageId, error }, last];
    }
    default:
      return end.error === null ? [last] : [{ error: end.error }, last];
  }
}

/** Returns the usage of a run. */
export function usageFrame(usage: ChatUsage | null): ChatFrame {
  return { id: FrameId.usage, type: 'usage', usage: usage ?? noUsage };
}
