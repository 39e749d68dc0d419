import type { DateMention } from '../time/date-phrases.js';
import { Cue, cueAt, type FoundCue, magnitudeOf, numberOf } from '../vocabulary/cues.js';
import { isConnectingWord, isEmptyWord } from '../vocabulary/empty-words.js';
import { aggregateOf, type Word } from '../vocabulary/words.js';
import type { Piece, Target } from './pieces.js';

/** Words that precede a noun. After one of them, `order` is not a verb. */
const nounLeads = new Set('a an the each every per by of in this'.split(' '));

/** Assigns the words of a question to pieces. */
export class Board {
  readonly #taken: (Piece | undefined)[];

  constructor(readonly words: readonly Word[]) {
    this.#taken = words.map(() => undefined);
  }

  isFree(index: number): boolean {
    return index < this.words.length && this.#taken[index] === undefined;
  }

  /** Whether a longer span can replace the mentions already assigned within it. */
  isWithin(from: number, to: number): boolean {
    return this.words.slice(from, to).every((_, step) => {
      const piece = this.#taken[from + step];
      return (
        piece === undefined ||
        (piece.kind === 'mention' && piece.from >= from && piece.to <= to && piece.to - piece.from < to - from)
      );
    });
  }

  /** Returns the longest cue that starts at a word, if its words are free. */
  cueAt(from: number): FoundCue | undefined {
    return cueAt(this.words, from, at => this.isFree(at));
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
      const found = this.cueAt(index);
      const number = numberOf(norm);
      const aggregate = aggregateOf(norm);
      // In `quantity per order by segment`, `order` is a noun.
      const isNoun = found?.cue === Cue.sort && norm === 'order' && nounLeads.has(this.words[index - 1]?.norm ?? '');
      if (found && !isNoun) {
        const { cue, grain, length } = found;
        this.#put({ kind: 'cue', cue, norm, ...(grain ? { grain } : {}), from: index, to: index + length });
      } else if (number) {
        // Multiply by a following magnitude: `2 million`.
        const factor = this.isFree(index + 1) ? magnitudeOf(this.words[index + 1]?.norm) : undefined;
        const value = number.value * (factor ?? 1);
        this.#put({ kind: 'number', ...number, value, from: index, to: index + (factor === undefined ? 1 : 2) });
      } else if (aggregate) this.#put({ kind: 'aggregate', aggregate, norm, from: index, to: index + 1 });
    }
  }

  /** Whether a word has no meaning yet and cannot be ignored. */
  isOpen(index: number): boolean {
    const word = this.words[index];
    if (word === undefined || !this.isFree(index)) return false;
    return word.quote !== null || !(word.stop || isEmptyWord(word.norm) || isConnectingWord(word.norm));
  }

  /** Whether a word may be a value, including connecting words, which can be ignored if no value matches. */
  mayBeValue(index: number): boolean {
    return this.isOpen(index) || (this.isFree(index) && isConnectingWord(this.words[index]?.norm ?? ''));
  }

  /**
   * @param isFinal - whether the values are loaded. If so, a connecting word that matched no value is no longer an
   * unknown piece.
   */
  pieces({ isFinal }: { readonly isFinal: boolean }): Piece[] {
    const pieces: Piece[] = [];
    for (const [index, word] of this.words.entries()) {
      const piece = this.#taken[index];
      if (piece === undefined) {
        pieces.push(
          this.isOpen(index) || (!isFinal && this.mayBeValue(index))
            ? { kind: 'unknown', word, from: index, to: index + 1 }
            : { kind: 'stop', from: index, to: index + 1 },
        );
      } else if (piece.from === index) pieces.push(piece);
    }
    return pieces;
  }

  #put(piece: Piece): void {
    // A longer piece replaces shorter ones completely.
    for (let index = piece.from; index < piece.to; index += 1) this.#taken[index] = piece;
  }
}
