import type { ChatFeedback, ChatFrame } from '../../contract/chat.js';
import { FrameId } from '../../contract/chat-terms.js';
import { type ChatPrompt, type Conversation, emptyConversation, type TurnEnd } from './conversation.js';
import { TurnDraft } from './turn-draft.js';

/** How a stream begins: with a replay of the thread before `__cutoff__`, or directly after the last event received. */
export type StreamKind = 'replay' | 'continue';

/**
 * Builds a conversation from the frames of successive streams. A thread that was joined, resumed or read again gives
 * the same conversation as one uninterrupted stream. Frames are cheap to push: `conversation` is built when it is read,
 * and its unchanged parts are reused as the same objects.
 */
export class StreamReducer {
  #live: Thread;
  /** Frames of the stream before `__cutoff__`; `null` after it. */
  #replay: Thread | null = null;
  #kind: StreamKind = 'continue';
  /** Id of the message that the stream was requested for. */
  #requestedId: string | null = null;
  /** Whether the stream was requested for a whole thread. If so, its end does not end any turn. */
  #isReading = false;
  #epoch = 0;
  #chatId: string | null;
  #suspendedMessageId: string | null;
  #isStreaming: boolean;
  #shown: Conversation;
  #isStale = false;

  constructor(conversation: Conversation = emptyConversation) {
    this.#live = new Thread(conversation.turns.map(turn => TurnDraft.of(turn, 0)));
    this.#chatId = conversation.chatId;
    this.#suspendedMessageId = conversation.suspendedMessageId;
    this.#isStreaming = conversation.isStreaming;
    this.#shown = conversation;
  }

  /** The current conversation: immutable, and the same object until something changes. */
  get conversation(): Conversation {
    if (!this.#isStale) return this.#shown;
    this.#isStale = false;
    this.#shown = {
      chatId: this.#chatId,
      turns: this.#live.turns.map(turn => turn.show()),
      suspendedMessageId: this.#suspendedMessageId,
      isStreaming: this.#isStreaming,
    };
    return this.#shown;
  }

  /** Adds the user's message before the service echoes it. If the message already exists, its turn is reopened. */
  ask(messageId: string, prompt: ChatPrompt): void {
    this.#isStale = true;
    const turn = this.#live.begin(messageId, this.#epoch);
    turn.setPrompt(prompt);
    turn.reopen();
  }

  /** Sets the feedback that the user has given on the answer to a message. */
  rate(messageId: string, feedback: ChatFeedback | null): void {
    this.#isStale = true;
    this.#live.rate(messageId, feedback);
  }

  /** Starts a stream. `messageId` is the message that it was requested for; `null` if a thread is read. */
  open(kind: StreamKind, messageId: string | null): void {
    this.#epoch += 1;
    this.#kind = kind;
    this.#requestedId = messageId;
    this.#isReading = messageId === null;
    this.#replay = new Thread([]);
    this.#live.goTo(messageId);
  }

  /** Reads frames of the open stream. */
  push(frames: readonly ChatFrame[]): void {
    if (frames.length > 0) this.#isStale = true;
    for (const frame of frames) this.#read(frame);
  }

  /**
   * Ends the last turn if no frame will end it, because the message could not be sent or its stream cannot be resumed.
   */
  settle(end: TurnEnd, error: string | null): void {
    this.#isStale = true;
    this.#isStreaming = false;
    this.#live.current?.finish(end, error);
  }

  #read(frame: ChatFrame): void {
    switch (frame.id) {
      case FrameId.cutoff:
        this.#cutOff(frame.state);
        break;
      case FrameId.usage:
        this.#end(turn => {
          turn.setUsage(frame.usage ?? null);
          if (turn.end === null) turn.finish('stop', null);
          // Without `__suspended__`, the service no longer resumes a suspended turn.
          else if (this.#suspendedMessageId === null) turn.conclude();
        });
        break;
      case FrameId.aborted:
        this.#end(turn => turn.finish('aborted', null));
        break;
      case FrameId.suspended:
        this.#suspendedMessageId = frame.messageId ?? this.#requestedId;
        this.#end(turn => turn.finish('suspended', null));
        break;
      default:
        if (frame.error !== undefined) this.#end(turn => turn.finish('failed', frame.error ?? null));
        else this.#apply(frame);
    }
  }

  /** Handles `__cutoff__`: the frames before it belong to earlier turns, and the frames after it are new. */
  #cutOff(state: ChatFrame['state'] = {}): void {
    this.#commit();
    // A message that is sent again may start a new thread.
    this.#chatId = state.chatId ?? this.#chatId;
    this.#isStreaming = state.isStreaming ?? false;
    // A suspended answer can be resumed only with its own message; any other message ends it.
    this.#suspendedMessageId = this.#isReading ? (state.suspended?.messageId ?? null) : null;
    if (!this.#isReading || this.#isStreaming) return;
    const last = this.#live.turns.at(-1);
    if (last && last.id === this.#suspendedMessageId) last.finish('suspended', null);
    else last?.conclude();
  }

  #end(mark: (turn: TurnDraft) => void): void {
    this.#commit();
    if (this.#isReading) return;
    this.#isStreaming = false;
    if (this.#live.current) mark(this.#live.current);
  }

  #apply(frame: ChatFrame): void {
    const isPast = frame.role === 'user' || this.#kind === 'replay' || this.#replay?.current;
    // A service may resume directly after the last event, without a replay.
    if (!isPast) this.#replay = null;
    const thread = this.#replay ?? this.#live;
    thread.apply(frame, this.#epoch, this.#kind);
    // These frames are new even without `__cutoff__`: deltas, and the answer to the requested message.
    const isRequested = frame.role === 'assistant' && thread.current?.id === this.#requestedId;
    if (frame.isDelta || isRequested) this.#commit();
  }

  /**
   * Replaces the thread with the replay. Keeps the requested message if the replay lacks it; a replay without turns
   * replaces nothing.
   */
  #commit(): void {
    const past = this.#replay?.turns ?? [];
    this.#replay = null;
    if (past.length > 0) this.#live = this.#live.replaceBy(past, this.#requestedId);
  }
}

/** Returns the conversation after applying these frames, from one stream or a part of it. */
export function reduceFrames(conversation: Conversation, frames: readonly ChatFrame[]): Conversation {
  const reducer = new StreamReducer(conversation);
  reducer.push(frames);
  return reducer.conversation;
}

/** Turns in order, and the turn that receives frames. */
class Thread {
  readonly turns: TurnDraft[];
  current: TurnDraft | null;

  constructor(turns: TurnDraft[]) {
    this.turns = turns;
    this.current = turns.at(-1) ?? null;
  }

  /** Makes the turn of this message the current one; the last turn if the message is unknown. */
  goTo(messageId: string | null): void {
    this.current = this.#find(messageId) ?? this.turns.at(-1) ?? null;
  }

  /** Returns the turn of a message; appends a new one if the message is unknown. */
  begin(id: string, epoch: number): TurnDraft {
    const known = this.#find(id);
    const turn = known ?? new TurnDraft(id, epoch);
    if (!known) {
      this.turns.at(-1)?.conclude();
      this.turns.push(turn);
    }
    this.current = turn;
    return turn;
  }

  rate(messageId: string, feedback: ChatFeedback | null): void {
    this.#find(messageId)?.rate(feedback);
  }

  apply(frame: ChatFrame, epoch: number, kind: StreamKind): void {
    const { id, role } = frame;
    // Control frames of newer services are not messages.
    if (id === undefined || role === undefined || /^__\w*__$/.test(id)) return;
    const turn = role === 'user' ? this.begin(id, epoch) : (this.current ?? this.begin(id, epoch));
    // The service sends an answer from the start again if an earlier stream sent part of it, with or without the echo
    // of its message.
    if (turn.epoch !== epoch && (role === 'user' || kind === 'replay')) turn.clear(epoch);
    if (role === 'user') turn.setPrompt(frame);
    else turn.answer(frame);
  }

  /**
   * Returns a thread of the turns `past`, which reuse the equal parts of the turns here, plus the requested message.
   */
  replaceBy(past: readonly TurnDraft[], requestedId: string | null): Thread {
    for (const turn of past) {
      const old = this.#find(turn.id);
      if (old) turn.adopt(old);
    }
    const next = new Thread(past[0]?.id === requestedId ? this.turns.filter(({ id }) => id !== requestedId) : []);
    next.turns.push(...past);
    const pending = next.#find(requestedId) ? null : this.#find(requestedId);
    if (pending) {
      next.turns.at(-1)?.conclude();
      next.turns.push(pending);
    }
    next.goTo(requestedId);
    return next;
  }

  #find(id: string | null): TurnDraft | null {
    return this.turns.findLast(turn => turn.id === id) ?? null;
  }
}
