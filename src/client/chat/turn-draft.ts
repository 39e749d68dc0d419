import type { ChatFrame, ToolCall } from '../../contract/chat.js';
import { GraphNode } from '../../contract/chat-terms.js';
import { isRecord, redact } from '../http/fetch.js';
import type { ChatPart, ChatPrompt, ChatStep, ChatText, ChatTurn, TurnEnd } from './conversation.js';

/** A text as it grows. `part` is what was shown of it last, `sort` its place as the service told it first. */
interface TextDraft {
  readonly sort: number | undefined;
  part: ChatText;
  isOpen: boolean;
  isFinalNode: boolean;
}

/** A step as it goes on, with the JSON that its values were read from. */
interface StepDraft {
  readonly sort: number | undefined;
  part: ChatStep;
  isOpen: boolean;
  input: string | undefined;
  result: string | undefined;
}

type PartDraft = TextDraft | StepDraft;

/** A turn that frames are still added to; `show` makes an immutable one of it, whose unchanged parts are the same objects as before. */
export class TurnDraft {
  readonly id: string;
  /** The stream that its parts came from. */
  epoch: number;
  #sentAt: number | null;
  #prompt: ChatPrompt | null = null;
  #parts: PartDraft[] = [];
  readonly #byKey = new Map<string, PartDraft>();
  #end: TurnEnd | null = null;
  /** Nobody said how it ended. */
  #isGuess = false;
  #error: string | null = null;
  #usage: ChatTurn['usage'] = null;
  #shown: ChatTurn | null = null;
  #isStale = true;

  constructor(id: string, epoch: number) {
    this.id = id;
    this.epoch = epoch;
    this.#sentAt = timeIn(id);
  }

  /** Goes on with a turn that was shown. */
  static of(turn: ChatTurn, epoch: number): TurnDraft {
    const draft = new TurnDraft(turn.id, epoch);
    draft.#sentAt = turn.sentAt;
    draft.#prompt = turn.prompt;
    draft.#end = turn.end;
    draft.#error = turn.error;
    draft.#usage = turn.usage;
    for (const part of turn.parts) draft.#add(draftOf(part));
    draft.#shown = turn;
    draft.#isStale = false;
    return draft;
  }

  get end(): TurnEnd | null {
    return this.#end;
  }

  /** The user's words, as written here or as the service echoes them: images that it leaves out stay. */
  setPrompt({ content, images, createdAt }: Pick<ChatFrame, 'content' | 'images' | 'createdAt'>): void {
    this.#isStale = true;
    this.#prompt = {
      content: content ?? this.#prompt?.content ?? '',
      images: images ?? this.#prompt?.images ?? [],
    };
    const createdMs = Date.parse(createdAt ?? '');
    if (!Number.isNaN(createdMs)) this.#sentAt ??= createdMs;
  }

  /** Adds what a frame of the assistant says. */
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
   * Ends the turn when no more frames can follow. A suspended turn becomes `interrupted`, because it cannot be resumed any more. Without
   * an end from the service, the turn ended well if its last part is whole.
   */
  conclude(): void {
    if (this.#end === 'suspended') this.finish('interrupted', null);
    if (this.#end !== null) return;
    const last = this.#parts.at(-1);
    this.finish(last && !last.isOpen ? 'stop' : 'interrupted', null);
    this.#isGuess = true;
  }

  /** It is being answered (again). */
  reopen(): void {
    this.#isStale = true;
    this.#end = null;
    this.#error = null;
  }

  setUsage(usage: ChatTurn['usage']): void {
    this.#isStale = true;
    this.#usage = usage ?? this.#usage;
  }

  /** Forgets the answer: the service tells it from its beginning. */
  clear(epoch: number): void {
    this.#isStale = true;
    this.epoch = epoch;
    this.#parts = [];
    this.#byKey.clear();
    this.reopen();
  }

  /** Takes over from the same turn of an earlier stream what this one does not say, and its objects where nothing has changed. */
  adopt(old: TurnDraft): void {
    const before = old.show();
    this.#sentAt ??= before.sentAt;
    this.#usage ??= before.usage;
    if (this.#prompt && before.prompt) this.#prompt = samePrompt(this.#prompt, before.prompt);
    else this.#prompt ??= before.prompt;
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

  /** The turn as it stands: the same object until something changes. */
  show(): ChatTurn {
    const last = this.#shown;
    if (!this.#isStale && last) return last;
    this.#isStale = false;
    const answer = this.#finalText();
    const hasEnded = this.#end !== null;
    for (const draft of this.#parts) draft.part = present(draft, hasEnded, draft === answer);
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

  /** Parts come in their order, but for those of a replay that others overtook while they were being told. */
  #add(draft: PartDraft): PartDraft {
    const { sort = Number.POSITIVE_INFINITY } = draft;
    const before = this.#parts.findLastIndex(other => other.sort === undefined || other.sort <= sort);
    this.#parts.splice(before + 1, 0, draft);
    this.#byKey.set(keyOf(draft.part), draft);
    return draft;
  }

  /** The last text of the node `final`; where there is none, the last text that no step came after, or that nothing will. */
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

/** A part as it is to be seen, the same object where it is that already: nothing goes on in a turn that has ended. */
function present(draft: PartDraft, hasEnded: boolean, isFinal: boolean): ChatPart {
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

/** An end after which the answer may go on. */
function isResumable(end: TurnEnd | null): boolean {
  return end === 'suspended' || end === 'interrupted';
}

/** Equal JSON was read before: the same objects stand for it. */
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

/** What JSON holds; the text itself where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Why a tool failed, where its result says that it did. */
function errorIn(result: unknown): string | null {
  if (!isRecord(result) || !Object.hasOwn(result, 'error')) return null;
  const { error } = result;
  if (error === null || error === undefined || error === false || error === '') return null;
  const said = isRecord(error) ? error.message : error;
  return typeof said === 'string' ? redact(said) : 'The tool failed.';
}

/** The time that an id of a message begins with. */
function timeIn(id: string): number | null {
  const digits = /^(\d{13,15})-message$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
