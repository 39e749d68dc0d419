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

/** Where the frames of a run go. */
export interface TurnFramesOptions {
  readonly now: () => Date;
  readonly emit: (frame: ChatFrame) => void;
}

/**
 * What an agent does, as frames: gives messages their ids on the wire, opens and closes them. The last frame of a text is held back
 * until another message begins or the turn ends, because the last text of a turn tells how it ended.
 */
export class TurnFrames {
  readonly #turn: StoredTurn;
  readonly #options: TurnFramesOptions;
  /** By the agent's ids. */
  readonly #texts = new Map<string, OpenText>();
  readonly #calls = new Map<string, OpenCall>();
  #place = 0;
  #held: ChatFrame | null = null;
  #unstored: StoredMessage[] = [];

  constructor(turn: StoredTurn, options: TurnFramesOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  /** Messages so far, those of earlier runs included. */
  get places(): number {
    return this.#place;
  }

  /** Leaves out the places of messages that an earlier attempt has stored. */
  skipTo(place: number): void {
    this.#place = Math.max(this.#place, place);
  }

  /** Messages that are whole and were not taken out yet. */
  get unstored(): readonly StoredMessage[] {
    return this.#unstored;
  }

  /** Forgets what has been stored. */
  markStored(): void {
    this.#unstored = [];
  }

  /** A piece of a text or of reasoning. */
  piece(id: string, kind: 'text' | 'thinking', piece: string): void {
    const text = this.#texts.get(id) ?? this.#openText(id);
    const field = kind === 'text' ? 'content' : 'thinking';
    text[field].push(piece);
    this.#options.emit({ ...text.base, [field]: piece, isDelta: true, isInProcess: true });
  }

  /** A text is whole. */
  endText(id: string, isFinal: boolean): void {
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

  /** A tool is called. */
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

  /** A tool has answered. */
  result(id: string, result: string): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    const { name, input, place } = call;
    const frame = { ...call.frame, isInProcess: false, toolCall: { name, input, result } };
    this.#unstored.push({ position: place, frame });
    this.#options.emit(frame);
  }

  /** Ends what is still open, so that no message stays in process. */
  close(): void {
    const cut: JsonObject = { error: 'The call did not come to its end.' };
    for (const id of [...this.#calls.keys()]) this.result(id, JSON.stringify(cut));
    for (const id of [...this.#texts.keys()]) this.endText(id, false);
  }

  /** The last frame of the turn's messages: it says how the turn ended. */
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

  // The attempt is part of the id: what a run had begun when it was broken off is no part of the message that comes in its place.
  #frameAt(place: number, graphPath: readonly string[]): ChatFrame {
    const id = `${this.#turn.number}.${this.#turn.attempt}.${place}`;
    return { id, role: 'assistant', sort: sortOf(this.#turn, place), graphPath };
  }
}
