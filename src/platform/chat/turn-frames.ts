import { type ChatFrame, type FinishReason, GraphNode } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import { endMarkFrame, sortOf } from './frames.js';
import type { StoredMessage } from './message-store.js';
import type { StoredTurn } from './turn-store.js';

interface OpenText {
  readonly place: number;
  readonly base: ChatFrame;
  readonly createdAt: string;
  readonly content: string[];
  readonly thinking: string[];
}

interface OpenCall {
  readonly place: number;
  readonly frame: ChatFrame;
  readonly name: string;
  readonly input: string;
}

/** Options of turn frames. */
export interface TurnFramesOptions {
  readonly now: () => Date;
  readonly emit: (frame: ChatFrame) => void;
}

/**
 * Converts the events of an agent to frames: assigns message ids, opens and closes messages. The last frame of a text
 * is delayed until another message begins or the turn ends, because the last text of a turn contains the finish reason.
 */
export class TurnFrames {
  readonly #turn: StoredTurn;
  readonly #options: TurnFramesOptions;
  /** Open messages, by the ids that the agent uses. */
  readonly #texts = new Map<string, OpenText>();
  readonly #calls = new Map<string, OpenCall>();
  #place = 0;
  #held: ChatFrame | null = null;
  #unstored: StoredMessage[] = [];

  constructor(turn: StoredTurn, options: TurnFramesOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  /** Number of messages so far, including those of earlier runs. */
  get places(): number {
    return this.#place;
  }

  /** Skips the positions of messages that an earlier attempt stored. */
  skipTo(place: number): void {
    this.#place = Math.max(this.#place, place);
  }

  /** Complete messages that are not stored yet. */
  get unstored(): readonly StoredMessage[] {
    return this.#unstored;
  }

  /** Clears the list of unstored messages. */
  markStored(): void {
    this.#unstored = [];
  }

  /** Adds a delta of text or reasoning. */
  piece(id: string, kind: 'text' | 'thinking', piece: string): void {
    const text = this.#texts.get(id) ?? this.#openText(id);
    const field = kind === 'text' ? 'content' : 'thinking';
    text[field].push(piece);
    this.#options.emit({ ...text.base, [field]: piece, isDelta: true, isInProcess: true });
  }

  /** Completes a text block. */
  endText(id: string, { isFinal }: { readonly isFinal: boolean }): void {
    const text = this.#texts.get(id);
    if (!text) return;
    this.#texts.delete(id);
    const thinking = text.thinking.join('');
    const frame: ChatFrame = {
      ...text.base,
      content: text.content.join(''),
      ...(thinking !== '' && { thinking }),
      isDelta: false,
      isInProcess: false,
      graphPath: [isFinal ? GraphNode.final : GraphNode.analyst],
      createdAt: text.createdAt,
    };
    this.#unstored.push({ position: text.place, frame });
    this.#release();
    this.#held = frame;
  }

  /** Begins a tool call. */
  call(id: string, name: string, input: string): void {
    this.#release();
    const place = this.#nextPlace();
    const frame: ChatFrame = {
      ...this.#frameAt(place, [GraphNode.analyst, GraphNode.tools]),
      isDelta: false,
      isInProcess: true,
      createdAt: this.#options.now().toISOString(),
      toolCall: { name, input },
    };
    this.#calls.set(id, { place, frame, name, input });
    this.#options.emit(frame);
  }

  /** Completes a tool call. */
  result(id: string, result: string): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    const { name, input, place } = call;
    const frame = { ...call.frame, isInProcess: false, toolCall: { name, input, result } };
    this.#unstored.push({ position: place, frame });
    this.#options.emit(frame);
  }

  /** Completes all open messages. */
  close(): void {
    const cut: JsonObject = { error: 'The call was interrupted.' };
    for (const id of [...this.#calls.keys()]) this.result(id, JSON.stringify(cut));
    for (const id of [...this.#texts.keys()]) this.endText(id, { isFinal: false });
  }

  /** Emits the last frame of the turn's messages, with the finish reason. */
  finish(finishReason: FinishReason): void {
    this.close();
    const isLast = this.#held?.sort === sortOf(this.#turn, this.#place);
    if (this.#held && isLast) this.#held = { ...this.#held, finishReason };
    this.#release();
    if (!isLast) this.#options.emit(endMarkFrame(this.#turn, this.#nextPlace(), finishReason));
  }

  #openText(id: string): OpenText {
    this.#release();
    const place = this.#nextPlace();
    const createdAt = this.#options.now().toISOString();
    const text = { place, base: this.#frameAt(place, [GraphNode.analyst]), createdAt, content: [], thinking: [] };
    this.#texts.set(id, text);
    return text;
  }

  #release(): void {
    if (this.#held) this.#options.emit(this.#held);
    this.#held = null;
  }

  #nextPlace(): number {
    this.#place += 1;
    return this.#place;
  }

  // The id contains the attempt, because a message that an aborted run began is not part of the message that replaces
  // it.
  #frameAt(place: number, graphPath: readonly string[]): ChatFrame {
    const id = `${this.#turn.number}.${this.#turn.attempt}.${place}`;
    return { id, role: 'assistant', sort: sortOf(this.#turn, place), graphPath };
  }
}
