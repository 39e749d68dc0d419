import type { ChatFeedback, ChatImage, ChatUsage, FinishReason } from '../../contract/chat.js';

/** A text block of an answer. */
export interface ChatText {
  readonly type: 'text';
  readonly id: string;
  readonly content: string;
  readonly thinking: string;
  /** Whether the text is the answer itself and not a note between steps. */
  readonly isFinal: boolean;
  readonly isInProcess: boolean;
}

/** A tool call. `input` and `result` are parsed JSON, or the original text if it is not JSON. */
export interface ChatStep {
  readonly type: 'step';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: unknown;
  /** Reason why the tool failed; `null` if it has not failed. */
  readonly error: string | null;
  readonly status: 'running' | 'done' | 'failed';
}

/** A part of an answer. Parts are listed in the order received. */
export type ChatPart = ChatText | ChatStep;

/** Content of a user's message. */
export interface ChatPrompt {
  readonly content: string;
  readonly images: readonly ChatImage[];
}

/** How a turn ended: the reason from the service, or `interrupted` if the stream was lost and cannot be resumed. */
export type TurnEnd = FinishReason | 'interrupted';

/** A message and its answer. */
export interface ChatTurn {
  /** Id of the user's message, or of the first frame if there is no message. */
  readonly id: string;
  /** When the message was sent, in Unix ms; `null` if unknown. */
  readonly sentAt: number | null;
  /** `null` if the agent sent the first message. */
  readonly prompt: ChatPrompt | null;
  readonly parts: readonly ChatPart[];
  /** `null` while the answer is in progress. */
  readonly end: TurnEnd | null;
  /** Error message from the service; `null` if the turn has not failed. */
  readonly error: string | null;
  readonly usage: ChatUsage | null;
  /** The user's feedback on the answer; `null` if there is none. */
  readonly feedback: ChatFeedback | null;
}

/** The part of a thread that the client has received. */
export interface Conversation {
  /** `null` until the service has assigned an id. */
  readonly chatId: string | null;
  readonly turns: readonly ChatTurn[];
  /** The message whose answer was suspended and can be resumed. */
  readonly suspendedMessageId: string | null;
  /** Whether the service reported an answer in progress. */
  readonly isStreaming: boolean;
}

/** A thread before its first message. */
export const emptyConversation: Conversation = {
  chatId: null,
  turns: [],
  suspendedMessageId: null,
  isStreaming: false,
};
