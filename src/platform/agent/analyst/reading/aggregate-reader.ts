import { Cue } from '../vocabulary/cues.js';
import { aggregatesOf, isNumericColumn } from './arrange-figures.js';
import { type Draft, isGroupedByTime, rankBy } from './draft.js';
import { hasAggregate } from './draft-rules.js';
import { cueAt, isAfterAnd } from './mention-role.js';
import type { Mention, Piece } from './pieces.js';

/** Reads the aggregates of a question (`average`, `max`, `count`) and binds them to the mentions that they apply to. */
export class AggregateReader {
  readonly #pieces: readonly Piece[];
  readonly #draft: Omit<Draft, 'aim'>;
  /** Aggregates that are not bound to a mention yet. */
  #open: string[] = [];

  constructor(pieces: readonly Piece[], draft: Omit<Draft, 'aim'>) {
    this.#pieces = pieces;
    this.#draft = draft;
  }

  take(aggregate: string): void {
    this.#draft.aggregates.push(aggregate);
    this.#open.push(aggregate);
  }

  /**
   * Reads the word `count` after the noun that it counts, or without a noun. Alone, it means the number of rows; in
   * `model count`, it means the number of models.
   */
  takeCount(index: number): void {
    const { measures, by, grouped, counts } = this.#draft;
    const before = this.#pieces[index - 1];
    if (before?.kind !== 'mention') {
      this.#draft.countsRows = true;
      return;
    }
    // In `weight by cylinder count`, `count` is a part of the column's name.
    if (grouped.has(before) && isNumericColumn(before) && measures.length > 0) return;
    if (by.at(-1) === before && !grouped.has(before)) this.#draft.counted = before;
    else if (measures.includes(before)) counts.add(before);
    else this.#draft.countsRows = true;
  }

  /** Binds the aggregates for which a mention has a measure to that mention. */
  bind(mention: Mention, index: number): void {
    const former = cueAt(this.#pieces, index - 1) === Cue.and ? this.#pieces[index - 2] : undefined;
    // An aggregate also applies to a measure after `and`: `average price and weight`.
    const shared = former?.kind === 'mention' ? aggregatesOf(former, this.#draft) : [];
    const given = this.#open.length > 0 ? this.#open : shared;
    const own = given.filter(aggregate => hasAggregate(mention, aggregate));
    if (own.length === 0) return;
    this.#draft.bound.set(mention, own);
    this.#open = this.#open.filter(aggregate => !own.includes(aggregate));
  }

  /**
   * Binds the remaining aggregates to the last mention that has such a measure, otherwise to the first measure: `mpg
   * average`.
   */
  bindRest(): void {
    this.#bindExtreme();
    this.#rankExtreme();
    const { measures, rank, bound } = this.#draft;
    const figures = [...measures, ...(rank?.measure ? [rank.measure] : [])];
    for (const aggregate of this.#open) {
      const mention = figures.findLast(one => hasAggregate(one, aggregate) && !bound.has(one)) ?? figures[0];
      if (mention) bound.set(mention, [...(bound.get(mention) ?? []), aggregate]);
    }
  }

  /**
   * Binds the extreme of each group: `max temperature per site` requests the maximum of each site, not the site with
   * the highest value.
   */
  #bindExtreme(): void {
    const { rank, by, grouped, measures, bound } = this.#draft;
    if (rank === null || rank.measure === null || rank.noun !== null || rank.count !== null) return;
    const others = bound.get(rank.measure) ?? [];
    // A second aggregate in a list: `mean and max weight`.
    const isListed = this.#pieces.some(
      (piece, index) => piece.kind === 'cue' && piece.norm === rank.word && isAfterAnd(this.#pieces, index),
    );
    if (!/^(?:max|min)$/.test(rank.word) || (others.length > 0 && !isListed)) return;
    if ((by.length === 0 && !isGroupedByTime(this.#draft)) || by.some(one => !grouped.has(one))) return;
    bound.set(rank.measure, [...others, rank.word]);
    measures.push(rank.measure);
    this.#draft.rank = null;
  }

  /**
   * Ranks the rows by a measure and shows the first row if the model has no measure for the extreme: `maximum weight`
   * shows the row with the highest weight.
   */
  #rankExtreme(): void {
    const draft = this.#draft;
    const [mention, ...others] = draft.measures;
    const [aggregate, ...rest] = this.#open;
    if (mention === undefined || draft.rank !== null || others.length + rest.length + draft.by.length > 0) return;
    if ((aggregate !== 'max' && aggregate !== 'min') || draft.grains.length > 0) return;
    const direction = aggregate === 'max' ? 'top' : 'bottom';
    draft.rank = rankBy(direction, aggregate, { isAggregate: true, measure: mention });
    draft.measures.length = 0;
    this.#open = [];
  }
}
