import { type Cue, cueAt, isFiller, numberOf } from './cues.js';
import type { DateMention } from './date-phrases.js';
import { type Lexicon, type Member, MemberKind, type Phrase } from './lexicon.js';
import type { DimensionValues } from './values.js';
import { aggregateOf, keyOf, stemsOf, type Word } from './words.js';

/** What some words may stand for. */
export type Target =
  /** `isLoose` where the words only lead up to what the member is: `customer` for `Customer satisfaction`. */
  | { readonly kind: 'member'; readonly member: Member; readonly quality: number; readonly isLoose: boolean }
  | { readonly kind: 'value'; readonly member: Member; readonly value: string };

/** A piece of a question, in words from `from` to before `to`. */
export type Piece = { readonly from: number; readonly to: number } & (
  | {
      readonly kind: 'mention';
      readonly targets: readonly Target[];
      readonly text: string;
      readonly stems: readonly string[];
    }
  | { readonly kind: 'cue'; readonly cue: Cue; readonly grain?: string; readonly norm: string }
  | { readonly kind: 'number'; readonly value: number; readonly isPercent: boolean }
  | { readonly kind: 'aggregate'; readonly aggregate: string; readonly norm: string }
  | { readonly kind: 'date'; readonly date: DateMention }
  | { readonly kind: 'stop' }
  | { readonly kind: 'unknown'; readonly word: Word }
);

/** A mention of members or values. */
export type Mention = Extract<Piece, { kind: 'mention' }>;

/** What a question is taken apart by. */
export interface Known {
  readonly lexicon: Lexicon;
  /** Null before they were asked for. */
  readonly values: readonly DimensionValues[] | null;
}

const longestMember = 6;
const longestValue = 8;

/** Takes a question apart: dates, members, values, cues, numbers, and what nothing knows. */
export function piecesOf(words: readonly Word[], dates: readonly DateMention[], known: Known): Piece[] {
  const board = new Board(words);
  for (const date of dates) board.date(date);
  for (const [from, to, phrases] of exactMembers(board, known.lexicon)) board.mention(from, to, targetsOf(phrases, 1));
  if (known.values !== null)
    for (const [from, to, targets] of wholeValues(board, known.values)) board.mention(from, to, targets);
  plainWeekdays(board, known.lexicon);
  board.cues();
  for (const [from, to, targets] of partialMembers(board, known)) board.mention(from, to, targets);
  if (known.values !== null)
    for (const [from, to, targets] of partialValues(board, known.values)) board.mention(from, to, targets);
  return board.pieces();
}

/** Which words are taken, and by what. */
class Board {
  readonly #taken: (Piece | undefined)[];

  constructor(readonly words: readonly Word[]) {
    this.#taken = words.map(() => undefined);
  }

  isFree(index: number): boolean {
    return index < this.words.length && this.#taken[index] === undefined;
  }

  /** Whether words can be taken for something longer than what has taken some of them. */
  isWithin(from: number, to: number): boolean {
    return this.words.slice(from, to).every((_, step) => {
      const piece = this.#taken[from + step];
      return (
        piece === undefined ||
        (piece.kind === 'mention' && piece.from >= from && piece.to <= to && piece.to - piece.from < to - from)
      );
    });
  }

  date(date: DateMention): void {
    const inside = this.words.flatMap(({ from, to }, index) => (to > date.from && from < date.to ? [index] : []));
    const [first, last] = [inside[0], inside.at(-1)];
    if (first !== undefined && last !== undefined) this.#put({ kind: 'date', date, from: first, to: last + 1 });
  }

  mention(from: number, to: number, targets: readonly Target[]): void {
    const taken = this.words.slice(from, to);
    const text = taken.map(word => word.text).join(' ');
    this.#put({ kind: 'mention', targets, text, stems: taken.map(({ stem }) => stem), from, to });
  }

  cues(): void {
    for (let index = 0; index < this.words.length; index += 1) {
      if (!this.isFree(index)) continue;
      const { norm = '' } = this.words[index] ?? {};
      const found = cueAt(this.words, index, at => this.isFree(at));
      const number = numberOf(norm);
      const aggregate = aggregateOf(norm);
      if (found) {
        const { cue, grain, length } = found;
        this.#put({ kind: 'cue', cue, norm, ...(grain ? { grain } : {}), from: index, to: index + length });
      } else if (number) this.#put({ kind: 'number', ...number, from: index, to: index + 1 });
      else if (aggregate) this.#put({ kind: 'aggregate', aggregate, norm, from: index, to: index + 1 });
    }
  }

  /** Whether a word has to be known, and isn't yet. */
  isOpen(index: number): boolean {
    const word = this.words[index];
    return word !== undefined && this.isFree(index) && (word.quote !== null || (!word.stop && !isFiller(word.norm)));
  }

  pieces(): Piece[] {
    const pieces: Piece[] = [];
    for (const [index, word] of this.words.entries()) {
      const piece = this.#taken[index];
      if (piece === undefined) {
        pieces.push(
          this.isOpen(index)
            ? { kind: 'unknown', word, from: index, to: index + 1 }
            : { kind: 'stop', from: index, to: index + 1 },
        );
      } else if (piece.from === index) pieces.push(piece);
    }
    return pieces;
  }

  #put(piece: Piece): void {
    // A longer piece takes the place of shorter ones as a whole.
    for (let index = piece.from; index < piece.to; index += 1) this.#taken[index] = piece;
  }
}

type Found<T> = readonly [from: number, to: number, found: T];

function targetsOf(phrases: readonly Phrase[], coverage: number): Target[] {
  const best = new Map<Member, number>();
  for (const { member, quality } of phrases) best.set(member, Math.max(best.get(member) ?? 0, quality * coverage));
  return [...best].map(([member, quality]) => ({ kind: 'member', member, quality, isLoose: false }));
}

/** Spans of words from the longest on, each word in one at most. */
function* spans(
  board: Board,
  longest: number,
  fits: (from: number, to: number) => boolean,
): Generator<readonly [number, number]> {
  for (let length = Math.min(longest, board.words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= board.words.length; from += 1)
      if (fits(from, from + length)) yield [from, from + length];
  }
}

/** Small words that may stand within a name: `city of destination`. Others come between names. */
const links = new Set(['of', 'the', 'a', 'an']);

function* exactMembers(board: Board, { exact }: Lexicon): Generator<Found<readonly Phrase[]>> {
  const fits = (from: number, to: number) =>
    board.words.slice(from, to).every(({ quote }, step) => board.isFree(from + step) && quote === null);
  for (const [from, to] of spans(board, longestMember, fits)) {
    const words = board.words.slice(from, to);
    const content = words.filter(({ stop }) => !stop);
    const isPhrase = words.every(({ stop, norm }) => !stop || links.has(norm));
    const isFramed = words[0]?.stop === false && words.at(-1)?.stop === false;
    const phrases =
      (words.length > 1 || isFramed ? exact.get(keyOf(words.map(({ stem }) => stem))) : undefined) ??
      (isFramed && isPhrase ? exact.get(keyOf(content.map(({ stem }) => stem))) : undefined);
    // A word that is nothing but an aggregate or a number says too little.
    if (phrases && content.some(({ norm }) => aggregateOf(norm) === undefined && numberOf(norm) === undefined))
      yield [from, to, phrases];
  }
}

function* wholeValues(board: Board, values: readonly DimensionValues[]): Generator<Found<readonly Target[]>> {
  for (const [from, to] of spans(board, longestValue, (from, to) => board.isWithin(from, to))) {
    const words = board.words.slice(from, to).filter(({ norm }) => norm !== ',');
    const first = words[0];
    const isOpen = board.words.slice(from, to).some((_, step) => board.isOpen(from + step));
    if (first === undefined || board.words[from]?.norm === ',' || !(isOpen || isNumeric(words))) continue;
    const key = words.map(({ stem }) => stem).join(' ');
    const targets = values.flatMap(({ member, byStems }) =>
      (byStems.get(key) ?? [])
        .filter(value => isMeant(value, words, board, from))
        .map((value): Target => ({ kind: 'value', member, value })),
    );
    if (targets.length > 0) yield [from, to, nearestIn(targets, words)];
  }
}

/** Values such as `500 to 999` have no letters. */
function isNumeric(words: readonly Word[]): boolean {
  return words.length > 1 && /^\d/.test(words[0]?.norm ?? '') && /^\d/.test(words.at(-1)?.norm ?? '');
}

/** A code of two or three letters is often a word of the language too (`IN`, `OR`): its case or the word before it tells. */
function isMeant(value: string, words: readonly Word[], board: Board, from: number): boolean {
  if (!/^[A-Z\d]{1,3}$/.test(value)) return true;
  const [word, before] = [words[0], board.words[from - 1]?.norm];
  if (word === undefined) return false;
  const led = before !== undefined && codeLeads.has(before);
  if (word.text === value) return !word.stop || led;
  return led && !word.stop && word.text === word.norm;
}

const codeLeads = new Set(
  'to from in for of and or except excluding without state code only , vs not about'.split(' '),
);

/** Of values that differ in endings, accents or case alone, the one as it was written. */
function nearestIn(targets: readonly Target[], words: readonly Word[]): readonly Target[] {
  const norm = (text: string) => text.toLowerCase();
  const text = norm(words.map(word => word.text).join(' '));
  const same = targets.filter(target => target.kind === 'value' && norm(target.value) === text);
  return same.length > 0 ? same : targets;
}

/**
 * Words of which a phrase holds all, and more: `state` for `Destination state`. Before the values are known, only what a phrase is about
 * will do: the first word of `Shipping date` may be a value as well.
 */
function* partialMembers(board: Board, { lexicon: { byStem }, values }: Known): Generator<Found<readonly Target[]>> {
  const fits = (from: number, to: number) => isOpenSpan(board, from, to);
  for (const [from, to] of spans(board, 4, fits)) {
    const stems = board.words.slice(from, to).flatMap(({ stop, stem }) => (stop ? [] : [stem]));
    const [first = '', ...others] = stems;
    const phrases = (byStem.get(first) ?? []).filter(
      ({ stems: all }) =>
        others.every(stem => all.includes(stem)) && (values !== null || stems.includes(all.at(-1) ?? '')),
    );
    const targets = phrases.map(({ member, quality, stems: all }): Target => {
      const isLoose = !stems.includes(all.at(-1) ?? '');
      const coverage = stems.length / (all.length + 1);
      return { kind: 'member', member, quality: quality * coverage * (isLoose ? 0.5 : 1), isLoose };
    });
    if (targets.length > 0) yield [from, to, onePerMember(targets)];
  }
}

function onePerMember(targets: readonly Target[]): Target[] {
  const best = new Map<Member, Target>();
  for (const target of targets) {
    const other = best.get(target.member);
    if (target.kind === 'member' && (other?.kind !== 'member' || other.quality < target.quality))
      best.set(target.member, target);
  }
  return [...best.values()];
}

function isOpenSpan(board: Board, from: number, to: number): boolean {
  const isStop = (index: number) => board.isFree(index) && !board.isOpen(index);
  if (!board.isOpen(from) || !board.isOpen(to - 1)) return false;
  return board.words.slice(from, to).every((_, step) => board.isOpen(from + step) || isStop(from + step));
}

/** Most values that words may be a part of: beyond that they are of no help. */
const maxPartial = 8;

/** Words that are a part of some values: `LaGuardia` for an airport's long name. */
function* partialValues(board: Board, values: readonly DimensionValues[]): Generator<Found<readonly Target[]>> {
  for (const [from, to] of spans(board, longestValue, (from, to) => isOpenSpan(board, from, to))) {
    const stems = board.words.slice(from, to).flatMap(({ stop, stem }) => (stop ? [] : [stem]));
    const [first = '', ...others] = stems;
    if (stems.every(stem => stem.length < 3)) continue;
    const targets = values.flatMap(({ member, byStem }) =>
      (byStem.get(first) ?? [])
        .filter(value => hasAll(value, others))
        .map((value): Target => ({ kind: 'value', member, value })),
    );
    if (targets.length > 0 && targets.length <= maxPartial) yield [from, to, targets];
  }
}

function hasAll(value: string, stems: readonly string[]): boolean {
  const own = new Set(stemsOf(value));
  return stems.every(stem => own.has(stem));
}

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** Weekdays in the plural, where the model numbers them and says how: `1 is Monday, 7 is Sunday`. */
function plainWeekdays(board: Board, { members }: Lexicon): void {
  for (const [index, { norm }] of board.words.entries()) {
    const day = weekdays.indexOf(norm.replace(/s$/, ''));
    if (day < 0 || !board.isFree(index)) continue;
    const targets = [...members.values()].flatMap((member): Target[] => {
      const [, number, name] = /\b([01]) is (monday|sunday)\b/i.exec(member.description) ?? [];
      if (
        member.kind !== MemberKind.dimension ||
        member.type !== 'number' ||
        number === undefined ||
        name === undefined
      )
        return [];
      const start = weekdays.indexOf(name.toLowerCase());
      return [{ kind: 'value', member, value: String(((day - start + 7) % 7) + Number(number)) }];
    });
    if (targets.length > 0) board.mention(index, index + 1, targets);
  }
}
