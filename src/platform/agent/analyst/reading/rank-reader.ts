import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { type Draft, isPlural, isPluralNoun, membersIn, rankBy } from './draft.js';
import { superlative } from './draft-rules.js';
import { cueAt } from './mention-role.js';
import type { NumberReader } from './number-reader.js';
import type { Mention, Piece } from './pieces.js';

/** Reads rankings: `top 5 cities`, `which cities got worse`. */
export class RankReader {
  readonly #pieces: readonly Piece[];
  readonly #draft: Omit<Draft, 'aim'>;
  readonly #numbers: NumberReader;
  /** Noun after `which`, to which a later ranking applies: `which cities`. */
  #noun: Mention | string | null = null;
  /** Whether the noun after `which` is a granularity in the plural: `which months`. */
  #isPlural = false;

  constructor(pieces: readonly Piece[], draft: Omit<Draft, 'aim'>, numbers: NumberReader) {
    this.#pieces = pieces;
    this.#draft = draft;
    this.#numbers = numbers;
  }

  /** Stores a noun after `which`. */
  note(noun: Mention | string, { isPlural: plural = false } = {}): void {
    this.#noun ??= noun;
    this.#isPlural ||= plural;
  }

  take(cue: Cue, word: string, index: number): void {
    const direction = cue === Cue.bottom || cue === Cue.best || cue === Cue.worst ? cue : Cue.top;
    const isPluralGroup = this.#isPlural || this.#draft.by.some(isPlural);
    const count = this.#numbers.takeCount();
    this.#draft.rank ??= rankBy(direction, word, {
      isAggregate: superlative.test(word),
      count,
      isPlural: isPluralGroup,
      noun: this.#noun,
    });
    this.#rankPrevious(index);
  }

  /** Ranks by the figure before the superlative: `the shop whose number of products is the largest`. */
  #rankPrevious(index: number): void {
    const { rank, by, measures } = this.#draft;
    const [figure, next] = [this.#pieces[index - 1], this.#pieces[index + 1]];
    if (rank === null || rank.measure !== null || figure?.kind !== 'mention' || next !== undefined) return;
    if (cueAt(this.#pieces, index - 2) !== Cue.with || membersIn(figure, MemberKind.measure).length === 0) return;
    for (const list of [by, measures]) if (list.includes(figure)) list.splice(list.indexOf(figure), 1);
    rank.measure = figure;
  }

  /**
   * Uses the number before a noun as the limit of a ranking that follows it: `three states with the fewest flights`.
   */
  takeCount(): void {
    const { rank } = this.#draft;
    if (!this.#numbers.isCounted || rank === null) return;
    const count = this.#numbers.takeCount();
    rank.count ??= count;
  }

  /** Ranks the groups after `which` by their change: `which countries declined?`. */
  rankChange(): void {
    const noun = this.#noun;
    if (noun !== null && this.#draft.cues.has(Cue.change))
      this.#draft.rank ??= rankBy('top', 'top', { isPlural: isPluralNoun(noun), noun });
  }
}
