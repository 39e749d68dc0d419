import type { ChatFeedback, ChatFrame, ToolCall } from '../../contract/chat.js';
import { GraphNode } from '../../contract/chat-terms.js';
import { isRecord, redact } from '../http/fetch.js';
import type { ChatPart, ChatPrompt, ChatStep, ChatText, ChatTurn, TurnEnd } from './conversation.js';

/**
 * A growing text block. `part` is its last rendered state, `sort` its position as the service first reported
 * it.
 */
interface TextDraft {
  readonly sort: number | undefined;
  part: ChatText;
  isOpen: boolean;
  isFinalNode: boolean;
}

/** A step in progress, with the JSON from which its values were parsed. */
interface StepDraft {
  readonly sort: number | undefined;
  part: ChatStep;
  isOpen: boolean;
  input: string | undefined;
  result: string | undefined;
}

type PartDraft = TextDraft | StepDraft;

type PromptFrame = Pick<ChatFrame, 'content' | 'images' | 'createdAt' | 'feedback'>;

/**
 * A turn that still receives frames. `show` returns an immutable turn whose unchanged parts are the same objects as
 * before.
 */
export class TurnDraft {
  readonly id: string;
  /** Number of the stream that its parts came from. */
  epoch: number;
  #sentAt: number | null;
  #prompt: ChatPrompt | null = null;
  #parts: PartDraft[] = [];
  readonly #byKey = new Map<string, PartDraft>();
  #end: TurnEnd | null = null;
  /** Whether the end was inferred because the service did not report it. */
  #isGuess = false;
  #error: string | null = null;
  #usage: ChatTurn['usage'] = null;
  #feedback: ChatFeedback | null = null;
  /** Whether the feedback was given on this page, and is therefore newer than the feedback of any stream. */
  #isRatedHere = false;
  #shown: ChatTurn | null = null;
  #isStale = true;

  constructor(id: string, epoch: number) {
    this.id = id;
    this.epoch = epoch;
    this.#sentAt = timeIn(id);
  }

  /** Creates a draft that continues an existing turn. */
  static of(turn: ChatTurn, epoch: number): TurnDraft {
    const draft = new TurnDraft(turn.id, epoch);
    draft.#sentAt = turn.sentAt;
    draft.#prompt = turn.prompt;
    draft.#end = turn.end;
    draft.#error = turn.error;
    draft.#usage = turn.usage;
    draft.#feedback = turn.feedback;
    for (const part of turn.parts) draft.#add(draftOf(part));
    draft.#shown = turn;
    draft.#isStale = false;
    return draft;
  }

  get end(): TurnEnd | null {
    return this.#end;
  }

  /** Sets the user's message, as entered or as echoed by the service. Keeps the images if the echo omits them. */
  setPrompt({ content, images, createdAt, feedback }: PromptFrame): void {
    this.#isStale = true;
    this.#prompt = {
      content: content ?? this.#prompt?.content ?? '',
      images: images ?? this.#prompt?.images ?? [],
    };
    const createdMs = Date.parse(createdAt ?? '');
    if (!Number.isNaN(createdMs)) this.#sentAt ??= createdMs;
    if (feedback && !this.#isRatedHere) this.#feedback = feedback;
  }

  /** Applies a frame of the assistant. */
  answer(frame: ChatFrame): void {
    const { finishReason } = frame;
    this.#isStale = true;
    if (frame.toolCall) this.#step(frame, frame.toolCall);
    else this.#text(frame);
    if (finishReason) this.finish(finishReason, null);
    else if (isResumable(this.#end)) this.reopen();
  }

  finish(end: TurnEnd, error: string | null): void {
    this.#isStale = true;
    this.#isGuess = false;
    this.#error = error ?? (this.#end === end ? this.#error : null);
    this.#end = end;
  }

  /**
   * Ends the turn when no more frames can follow. A suspended turn becomes `interrupted`, because it can no longer be
   * resumed. Without an end from the service, the turn is successful if its last part is complete.
   */
  conclude(): void {
    if (this.#end === 'suspended') this.finish('interrupted', null);
    if (this.#end !== null) return;
    const last = this.#parts.at(-1);
    this.finish(last && !last.isOpen ? 'stop' : 'interrupted', null);
    this.#isGuess = true;
  }

  /** Marks the turn as in progress, even if it had ended. */
  reopen(): void {
    this.#isStale = true;
    this.#end = null;
    this.#error = null;
  }

  setUsage(usage: ChatTurn['usage']): void {
    this.#isStale = true;
    this.#usage = usage ?? this.#usage;
  }

  /** Sets the feedback that the user has given on this page. */
  rate(feedback: ChatFeedback | null): void {
    this.#isStale = true;
    this.#isRatedHere = true;
    this.#feedback = feedback;
  }

  /** Clears the answer, because the service sends it again from the start. */
  clear(epoch: number): void {
    this.#isStale = true;
    this.epoch = epoch;
    this.#parts = [];
    this.#byKey.clear();
    this.reopen();
  }

  /**
   * Copies the values that this stream omits from the same turn of an earlier stream, and reuses its objects for equal
   * values.
   */
  adopt(old: TurnDraft): void {
    const before = old.show();
    this.#sentAt ??= before.sentAt;
    this.#usage ??= before.usage;
    if (this.#prompt && before.prompt) this.#prompt = samePrompt(this.#prompt, before.prompt);
    else this.#prompt ??= before.prompt;
    this.#adoptFeedback(old, before);
    const { end, error } = before;
    if ((this.#end === null || this.#isGuess) && end !== null && !isResumable(end)) this.finish(end, error);
    else if (this.#end === end) this.#error ??= error;
    for (const [key, draft] of this.#byKey) reuseValues(draft, old.#byKey.get(key));
    this.#isStale = true;
    this.show();
    for (const [key, draft] of this.#byKey) {
      const known = old.#byKey.get(key)?.part;
      if (known && isSame(draft.part, known)) draft.part = known;
    }
    this.#isStale = true;
    this.#shown = before;
  }

  #adoptFeedback(old: TurnDraft, { feedback }: ChatTurn): void {
    if (old.#isRatedHere) this.rate(feedback);
    else if (this.#feedback && feedback && isSame(this.#feedback, feedback)) this.#feedback = feedback;
  }

  /** Returns the current turn: the same object until something changes. */
  show(): ChatTurn {
    const last = this.#shown;
    if (!this.#isStale && last) return last;
    this.#isStale = false;
    const answer = this.#finalText();
    const hasEnded = this.#end !== null;
    for (const draft of this.#parts) draft.part = present(draft, { hasEnded, isFinal: draft === answer });
    const parts = this.#parts.map(({ part }) => part).filter(part => !isEmpty(part));
    const known = last?.parts.length === parts.length && parts.every((part, i) => part === last.parts[i]) ? last : null;
    const turn: ChatTurn = {
      id: this.id,
      sentAt: this.#sentAt,
      prompt: this.#prompt,
      parts: known?.parts ?? parts,
      end: this.#end,
      error: this.#error,
      usage: this.#usage,
      feedback: this.#feedback,
    };
    this.#shown = known && isSame(turn, known) ? known : turn;
    return this.#shown;
  }

  #text(frame: ChatFrame): void {
    const { id = '', content, thinking, isDelta, isInProcess, graphPath, sort } = frame;
    let draft = this.#byKey.get(`text:${id}`);
    if (!draft) {
      if (content === undefined && thinking === undefined) return;
      const part: ChatText = { type: 'text', id, content: '', thinking: '', isFinal: false, isInProcess: false };
      draft = this.#add({ sort, part, isOpen: false, isFinalNode: false });
    }
    if (!isText(draft)) return;
    draft.isOpen = isInProcess ?? isDelta ?? false;
    if (graphPath) draft.isFinalNode = graphPath[0] === GraphNode.final && graphPath.length <= 2;
    const { part } = draft;
    draft.part = isDelta
      ? { ...part, content: part.content + (content ?? ''), thinking: part.thinking + (thinking ?? '') }
      : { ...part, content: content ?? part.content, thinking: thinking ?? part.thinking };
  }

  #step({ id = '', isInProcess, sort }: ChatFrame, { name, input, result }: ToolCall): void {
    let draft = this.#byKey.get(`step:${id}`);
    if (!draft) {
      const part: ChatStep = { type: 'step', id, name, input: null, result: null, error: null, status: 'running' };
      draft = this.#add({ sort, part, isOpen: true, input: undefined, result: undefined });
    }
    if (isText(draft)) return;
    draft.isOpen = isInProcess ?? result === undefined;
    draft.part = { ...draft.part, name };
    if (input !== undefined && input !== draft.input) {
      draft.input = input;
      draft.part = { ...draft.part, input: parse(input) };
    }
    if (result !== undefined && result !== draft.result) {
      draft.result = result;
      const value = parse(result);
      draft.part = { ...draft.part, result: value, error: errorIn(value) };
    }
  }

  /** Adds a part in its order. Parts of a replay can arrive after live parts. */
  #add(draft: PartDraft): PartDraft {
    const { sort = Number.POSITIVE_INFINITY } = draft;
    const before = this.#parts.findLastIndex(other => other.sort === undefined || other.sort <= sort);
    this.#parts.splice(before + 1, 0, draft);
    this.#byKey.set(keyOf(draft.part), draft);
    return draft;
  }

  /**
   * Returns the last text block of the node `final`. Without one, returns the last text block if no step follows or the
   * turn has ended.
   */
  #finalText(): TextDraft | null {
    const texts = this.#parts.filter(isText).filter(({ part }) => part.content !== '');
    const named = texts.findLast(({ isFinalNode }) => isFinalNode);
    const last = texts.at(-1) ?? null;
    return named ?? (this.#end !== null || this.#parts.at(-1) === last ? last : null);
  }
}

function isText(draft: PartDraft): draft is TextDraft {
  return draft.part.type === 'text';
}

function keyOf({ type, id }: ChatPart): string {
  return `${type}:${id}`;
}

function draftOf(part: ChatPart): PartDraft {
  return part.type === 'text'
    ? { sort: undefined, part, isOpen: part.isInProcess, isFinalNode: part.isFinal }
    : { sort: undefined, part, isOpen: part.status === 'running', input: undefined, result: undefined };
}

function isEmpty(part: ChatPart): boolean {
  return part.type === 'text' && part.content === '' && part.thinking === '';
}

/**
 * Updates the state flags of a part; returns the same object if nothing changes. No part is in progress once the turn
 * has ended.
 */
function present(
  draft: PartDraft,
  { hasEnded, isFinal }: { readonly hasEnded: boolean; readonly isFinal: boolean },
): ChatPart {
  const isInProcess = draft.isOpen && !hasEnded;
  if (isText(draft)) {
    const { part } = draft;
    return part.isFinal === isFinal && part.isInProcess === isInProcess ? part : { ...part, isFinal, isInProcess };
  }
  const { part, isOpen } = draft;
  const ending = part.error !== null || (isOpen && hasEnded) ? 'failed' : 'done';
  const status = isInProcess ? 'running' : ending;
  return part.status === status ? part : { ...part, status };
}

/** Whether the answer may continue after this end. */
function isResumable(end: TurnEnd | null): boolean {
  return end === 'suspended' || end === 'interrupted';
}

/** Reuses the parsed values of the old draft if the JSON is equal. */
function reuseValues(draft: PartDraft, old: PartDraft | undefined): void {
  if (!old || isText(draft) || isText(old)) return;
  if (draft.input === old.input) draft.part = { ...draft.part, input: old.part.input };
  if (draft.result === old.result) draft.part = { ...draft.part, result: old.part.result };
}

function samePrompt(prompt: ChatPrompt, old: ChatPrompt): ChatPrompt {
  const images = prompt.images.length > 0 ? prompt.images : old.images;
  const isEqual =
    prompt.content === old.content &&
    images.length === old.images.length &&
    images.every((image, index) => image.data === old.images[index]?.data);
  return isEqual ? old : { content: prompt.content, images };
}

/** Whether two objects hold the same values. */
function isSame(a: object, b: object): boolean {
  const others = new Map<string, unknown>(Object.entries(b));
  const entries = Object.entries(a);
  return entries.length === others.size && entries.every(([name, value]) => Object.is(value, others.get(name)));
}

/** Parses JSON; returns the text itself if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns why a tool failed; `null` if its result reports no error. */
function errorIn(result: unknown): string | null {
  if (!isRecord(result) || !Object.hasOwn(result, 'error')) return null;
  const { error } = result;
  if (error === null || error === undefined || error === false || error === '') return null;
  const message = isRecord(error) ? error.message : error;
  return typeof message === 'string' ? redact(message) : 'The tool failed without an error message.';
}

/** Returns the time at the start of a message id, in Unix ms. */
function timeIn(id: string): number | null {
  const digits = /^(\d{13,15})-message$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
