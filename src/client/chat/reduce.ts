import type { ChatFrame } from '../../contract/chat.js';
import { type ChatPrompt, type Conversation, emptyConversation, type TurnEnd } from './conversation.js';

/** How a stream begins: anew, with the thread before `__cutoff__`, or right after the last event that was received. */
export type StreamKind = 'replay' | 'continue';

/**
 * Makes a conversation of the frames of one stream after another. Cheap per frame; `conversation` is made when it is read, and what
 * has not changed in it since is the same object.
 */
export class StreamReducer {
  #conversation: Conversation;

  constructor(conversation: Conversation = emptyConversation) {
    this.#conversation = conversation;
  }

  /** The conversation as it stands: immutable, the same object until something changes. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Adds the user's message before the service has echoed it. */
  ask(messageId: string, prompt: ChatPrompt): void {
    void [messageId, prompt];
  }

  /** A stream begins. `messageId` is the message that it was asked for, null where a thread is read. */
  open(kind: StreamKind, messageId: string | null): void {
    void [kind, messageId];
  }

  /** Reads frames of the open stream. */
  push(frames: readonly ChatFrame[]): void {
    void frames;
  }

  /** Ends the last turn where no frame will: it could not be sent, or can't be found again. */
  settle(end: TurnEnd, error: string | null): void {
    void [end, error];
  }
}

/** The conversation after these frames, of one stream or of a piece of it. */
export function reduceFrames(conversation: Conversation, frames: readonly ChatFrame[]): Conversation {
  const reducer = new StreamReducer(conversation);
  reducer.push(frames);
  return reducer.conversation;
}
