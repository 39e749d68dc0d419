import { type ChatFrame, type ChatUsage, FinishReason, FrameId } from '../../contract/chat.js';

/** Kind of a text: text of the answer, or reasoning of the model. */
export type TextKind = 'text' | 'thinking';

/** One step of a turn, for protocols in which text can only be appended. */
export type TurnEvent =
  | { readonly type: 'start'; readonly chatId: string; readonly messageId: string }
  | { readonly type: 'text-start' | 'text-end'; readonly kind: TextKind; readonly id: string }
  | { readonly type: 'text-delta'; readonly kind: TextKind; readonly id: string; readonly delta: string }
  /** `input` is JSON text. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: string }
  /** `result` is JSON text. */
  | { readonly type: 'result'; readonly id: string; readonly result: string }
  /** End of the turn, always the last event. */
  | {
      readonly type: 'end';
      readonly reason: FinishReason;
      readonly error: string | null;
      readonly usage: ChatUsage | null;
    };

/** A text that is not complete yet. */
interface OpenText {
  readonly id: string;
  readonly kind: TextKind;
  value: string;
}

/** Text of a frame. `isDelta` is true if it is to be appended, and false if it is the whole text so far. */
interface Appending {
  readonly key: string;
  readonly kind: TextKind;
  readonly id: string;
  readonly isDelta: boolean;
}

const fields = [
  ['thinking', 'thinking'],
  ['text', 'content'],
] as const;

/**
 * Converts the frames of one stream to the events of its turn. Skips replayed turns. A frame that replaces a text
 * becomes an event with the rest of the text if it begins with the previous text; otherwise it starts a new text.
 */
export class TurnEventReader {
  #chatId: string | null = null;
  /** Incomplete text, by kind and id of the frame. */
  readonly #open = new Map<string, OpenText>();
  readonly #complete = new Set<string>();
  readonly #calls = new Set<string>();
  #reason: FinishReason | null = null;
  #error: string | null = null;

  read(frame: ChatFrame): readonly TurnEvent[] {
    if (frame.error !== undefined) return this.#fail(frame, frame.error);
    if (frame.id === FrameId.usage) return this.#end(frame.usage ?? null);
    if (frame.id === FrameId.cutoff) this.#chatId = frame.state?.chatId ?? '';
    if (this.#chatId === null || frame.id === undefined || frame.state) return [];
    if (frame.role === 'user') return [{ type: 'start', chatId: this.#chatId, messageId: frame.id }];
    this.#reason = frame.finishReason ?? this.#reason;
    return frame.toolCall ? this.#call(frame.id, frame.toolCall) : this.#text(frame.id, frame);
  }

  #fail({ type }: ChatFrame, error: string): readonly TurnEvent[] {
    const reasons = { abort: FinishReason.aborted, suspend: FinishReason.suspended, usage: null } as const;
    this.#reason =
      (type && reasons[type]) ?? (this.#reason === FinishReason.length ? this.#reason : FinishReason.failed);
    this.#error = error;
    return [];
  }

  #end(usage: ChatUsage | null): readonly TurnEvent[] {
    const ends = [...this.#open.keys()].flatMap(key => this.#close(key));
    return [...ends, { type: 'end', reason: this.#reason ?? FinishReason.stop, error: this.#error, usage }];
  }

  #call(id: string, { name, input = 'null', result }: NonNullable<ChatFrame['toolCall']>): readonly TurnEvent[] {
    const events: TurnEvent[] = [];
    if (!this.#calls.has(id)) events.push({ type: 'call', id, name, input });
    this.#calls.add(id);
    if (result !== undefined && !this.#complete.has(id)) {
      this.#complete.add(id);
      events.push({ type: 'result', id, result });
    }
    return events;
  }

  #text(id: string, frame: ChatFrame): readonly TurnEvent[] {
    const events: TurnEvent[] = [];
    for (const [kind, field] of fields) {
      const value = frame[field];
      const key = `${kind} ${id}`;
      if (this.#complete.has(key)) continue;
      if (value) {
        if (kind === 'text') events.push(...this.#close(`thinking ${id}`));
        events.push(...this.#append({ key, kind, id, isDelta: frame.isDelta === true }, value));
      }
      if (!frame.isInProcess) events.push(...this.#close(key));
    }
    return events;
  }

  #append({ key, kind, id, isDelta }: Appending, value: string): readonly TurnEvent[] {
    const before = this.#open.get(key);
    const isContinued = before && (isDelta || value.startsWith(before.value));
    const events = before && !isContinued ? [...this.#close(key)] : [];
    const text = isContinued ? before : { id: before ? `${before.id}+` : id, kind, value: '' };
    if (!isContinued) events.push({ type: 'text-start', kind, id: text.id });
    const delta = isDelta ? value : value.slice(text.value.length);
    text.value += delta;
    this.#complete.delete(key);
    this.#open.set(key, text);
    if (delta !== '') events.push({ type: 'text-delta', kind, id: text.id, delta });
    return events;
  }

  #close(key: string): TurnEvent[] {
    const text = this.#open.get(key);
    if (!text) return [];
    this.#open.delete(key);
    this.#complete.add(key);
    return [{ type: 'text-end', kind: text.kind, id: text.id }];
  }
}
