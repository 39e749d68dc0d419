import type { ChatFrame } from '../../contract/chat.js';
import { FrameId } from '../../contract/chat-terms.js';
import { type ChatPrompt, type Conversation, emptyConversation, type TurnEnd } from './conversation.js';
import { TurnDraft } from './turn-draft.js';

/** How a stream begins: anew, with the thread before `__cutoff__`, or right after the last event that was received. */
export type StreamKind = 'replay' | 'continue';

/**
 * Makes a conversation of the frames of one stream after another, so that a thread that was joined, resumed or read back is the one
 * that an unbroken stream gives. Cheap per frame; `conversation` is made when it is read, and what has not changed in it since is the
 * same object.
 */
export class StreamReducer {
  #live: Thread;
  /** What a stream tells before `__cutoff__`; null once that has come. */
  #replay: Thread | null = null;
  #kind: StreamKind = 'continue';
  /** The message that the stream was asked for. */
  #asked: string | null = null;
  /** The stream was asked for a thread: how it ends says nothing of the turns in it. */
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

  /** The conversation as it stands: immutable, the same object until something changes. */
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

  /** Adds the user's message before the service has echoed it; one that is there already is being answered again. */
  ask(messageId: string, prompt: ChatPrompt): void {
    this.#isStale = true;
    const turn = this.#live.begin(messageId, this.#epoch);
    turn.setPrompt(prompt);
    turn.reopen();
  }

  /** A stream begins. `messageId` is the message that it was asked for, null where a thread is read. */
  open(kind: StreamKind, messageId: string | null): void {
    this.#epoch += 1;
    this.#kind = kind;
    this.#asked = messageId;
    this.#isReading = messageId === null;
    this.#replay = new Thread([]);
    this.#live.goTo(messageId);
  }

  /** Reads frames of the open stream. */
  push(frames: readonly ChatFrame[]): void {
    if (frames.length > 0) this.#isStale = true;
    for (const frame of frames) this.#read(frame);
  }

  /** Ends the last turn where no frame will: it could not be sent, or can't be found again. */
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
        this.#suspendedMessageId = frame.messageId ?? this.#asked;
        this.#end(turn => turn.finish('suspended', null));
        break;
      default:
        if (frame.error !== undefined) this.#end(turn => turn.finish('failed', frame.error ?? null));
        else this.#tell(frame);
    }
  }

  /** What comes now is new; what came before is the thread's past. */
  #cutOff(state: ChatFrame['state'] = {}): void {
    this.#commit();
    this.#chatId ??= state.chatId ?? null;
    this.#isStreaming = state.isStreaming ?? false;
    // A suspended answer goes on with its own message and ends with any other.
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

  #tell(frame: ChatFrame): void {
    const isPast = frame.role === 'user' || this.#kind === 'replay' || this.#replay?.current;
    // Asked to go on after an event, a service may do so at once.
    if (!isPast) this.#replay = null;
    const thread = this.#replay ?? this.#live;
    thread.tell(frame, this.#epoch, this.#kind);
    // Not the past any more, whether `__cutoff__` said so or not: pieces, and the answer that was asked for.
    const isAsked = frame.role === 'assistant' && thread.current?.id === this.#asked;
    if (frame.isDelta || isAsked) this.#commit();
  }

  /** Puts what was replayed in the place of what was there; the message that was asked for stays, and alone it is no thread. */
  #commit(): void {
    const past = this.#replay?.turns ?? [];
    this.#replay = null;
    if (past.length > 0) this.#live = this.#live.replaceBy(past, this.#asked);
  }
}

/** The conversation after these frames, of one stream or of a piece of it. */
export function reduceFrames(conversation: Conversation, frames: readonly ChatFrame[]): Conversation {
  const reducer = new StreamReducer(conversation);
  reducer.push(frames);
  return reducer.conversation;
}

/** Turns in order, and the one that is being told. */
class Thread {
  readonly turns: TurnDraft[];
  current: TurnDraft | null;

  constructor(turns: TurnDraft[]) {
    this.turns = turns;
    this.current = turns.at(-1) ?? null;
  }

  /** Makes a message the one that is being told, if it is there; else the last. */
  goTo(messageId: string | null): void {
    this.current = this.#find(messageId) ?? this.turns.at(-1) ?? null;
  }

  /** The turn of a message: a new one at the end, unless it is there. */
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

  tell(frame: ChatFrame, epoch: number, kind: StreamKind): void {
    const { id, role } = frame;
    // Signals of newer services are not messages.
    if (id === undefined || role === undefined || /^__\w*__$/.test(id)) return;
    const turn = role === 'user' ? this.begin(id, epoch) : (this.current ?? this.begin(id, epoch));
    // An answer that an earlier stream told in part is told from its beginning: after the echo of its message, or without it.
    if (turn.epoch !== epoch && (role === 'user' || kind === 'replay')) turn.clear(epoch);
    if (role === 'user') turn.setPrompt(frame);
    else turn.answer(frame);
  }

  /** A thread of these turns, which take over what they have in common with those here, and of the message that was asked for. */
  replaceBy(past: readonly TurnDraft[], asked: string | null): Thread {
    for (const turn of past) {
      const old = this.#find(turn.id);
      if (old) turn.adopt(old);
    }
    const next = new Thread(past[0]?.id === asked ? this.turns.filter(({ id }) => id !== asked) : []);
    next.turns.push(...past);
    const kept = next.#find(asked) ? null : this.#find(asked);
    if (kept) {
      next.turns.at(-1)?.conclude();
      next.turns.push(kept);
    }
    next.goTo(asked);
    return next;
  }

  #find(id: string | null): TurnDraft | null {
    return this.turns.findLast(turn => turn.id === id) ?? null;
  }
}
