import type { ChatImage, ChatUsage, FinishReason } from '../../contract/chat.js';

/** A text of an answer. */
export interface ChatText {
  readonly type: 'text';
  readonly id: string;
  readonly content: string;
  readonly thinking: string;
  /** It is the answer itself, not something said between steps. */
  readonly isFinal: boolean;
  readonly isInProcess: boolean;
}

/** A tool at work; `input` and `result` are what their JSON holds, or the text where it is no JSON. */
export interface ChatStep {
  readonly type: 'step';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: unknown;
  /** Why it failed; null unless it did. */
  readonly error: string | null;
  readonly status: 'running' | 'done' | 'failed';
}

/** A piece of an answer, in the order in which it came. */
export type ChatPart = ChatText | ChatStep;

/** What the user wrote. */
export interface ChatPrompt {
  readonly content: string;
  readonly images: readonly ChatImage[];
}

/** How a turn ended: as the service told it, or `interrupted` where the stream broke off and can't be found again. */
export type TurnEnd = FinishReason | 'interrupted';

/** A message and its answer. */
export interface ChatTurn {
  /** Id of the user's message; of the first frame where there was none. */
  readonly id: string;
  /** When the message was sent (Unix ms), where it is known. */
  readonly sentAt: number | null;
  /** Null where the agent spoke first. */
  readonly prompt: ChatPrompt | null;
  readonly parts: readonly ChatPart[];
  /** Null while it is being answered. */
  readonly end: TurnEnd | null;
  /** Why it failed, in the service's words. */
  readonly error: string | null;
  readonly usage: ChatUsage | null;
}

/** A thread as far as it is known here. */
export interface Conversation {
  /** Null before the service has named it. */
  readonly chatId: string | null;
  readonly turns: readonly ChatTurn[];
  /** The message whose answer was suspended and can be resumed. */
  readonly suspendedMessageId: string | null;
  /** The service said that an answer is under way. */
  readonly isStreaming: boolean;
}

/** A thread before its first message. */
export const emptyConversation: Conversation = {
  chatId: null,
  turns: [],
  suspendedMessageId: null,
  isStreaming: false,
};
