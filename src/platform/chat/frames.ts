import {
  ChatEndCode,
  type ChatFrame,
  type ChatImage,
  type ChatUsage,
  FinishReason,
  FrameId,
  GraphNode,
} from '../../contract/chat.js';
import { noUsage, type PastTurn } from '../agent/agent.js';
import type { StoredTurn } from './turn-store.js';

/** Messages that a turn can hold. */
export const maxTurnMessages = 900;

/**
 * `sort` of a message: grows within the thread, and can be told without knowing what other turns hold.
 * @param place - of the message in its turn; 0 is the user's.
 */
export const sortOf = (turn: Pick<StoredTurn, 'number'>, place: number): number => turn.number * 1000 + place;

/** Stands before what is new; what came before it is replay. */
export function cutoffFrame(state: NonNullable<ChatFrame['state']>): ChatFrame {
  return { id: FrameId.cutoff, role: 'assistant', sort: 0, state };
}

/** The user's message. It begins its turn: whoever has had a part of that turn already gets all of it anew. */
export function echoFrame(turn: StoredTurn, images: readonly ChatImage[] = []): ChatFrame {
  return {
    id: turn.messageId,
    role: 'user',
    content: turn.input,
    isDelta: false,
    isInProcess: false,
    sort: sortOf(turn, 0),
    createdAt: turn.createdAt.toISOString(),
    ...(images.length > 0 && { images }),
  };
}

/** An empty message that says how its turn ended, where the turn has no text that could. */
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

/** The texts of the thread, as LangChain serialises messages. */
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
  /** Why, for the caller's eyes. */
  readonly error: string | null;
}

/** The last frames of a turn: what ended it before its time, and always what it took. */
export function endFrames(turn: StoredTurn, end: TurnEnd, usage: ChatUsage | null): readonly ChatFrame[] {
  const last = usageFrame(usage);
  const mark = { role: 'assistant', sort: sortOf(turn, 999) } as const;
  switch (end.reason) {
    case FinishReason.aborted: {
      const error = 'The answer was stopped.';
      return [{ id: FrameId.aborted, ...mark, type: 'abort', code: ChatEndCode.aborted, error }, last];
    }
    case FinishReason.suspended: {
      const error = 'The service went down while it was answering: send the message again to go on.';
      const suspend = { type: 'suspend', code: ChatEndCode.suspended, retryable: true } as const;
      return [{ id: FrameId.suspended, ...mark, ...suspend, messageId: turn.messageId, error }, last];
    }
    default:
      return end.error === null ? [last] : [{ error: end.error }, last];
  }
}

/** What a run took. */
export function usageFrame(usage: ChatUsage | null): ChatFrame {
  return { id: FrameId.usage, type: 'usage', usage: usage ?? noUsage };
}
