import { Cue } from '../vocabulary/cues.js';
import { AggregateReader } from './aggregate-reader.js';
import { arrangeFigures, isCount } from './arrange-figures.js';
import { type Aim, type Draft, emptyDraft, sortOf } from './draft.js';
import { charts, comparisons, eachOf, ranks, removals, splitting } from './draft-rules.js';
import { type Lead, MemberReader } from './member-reader.js';
import { cueAt, hasSameMember, isNewGrouping } from './mention-role.js';
import { NumberReader } from './number-reader.js';
import type { Piece } from './pieces.js';
import { RankReader } from './rank-reader.js';

/** Reads the pieces of a question from left to right. */
export function draftOf(pieces: readonly Piece[], aim: Aim): Draft {
  const reader = new DraftReader(pieces.filter(({ kind }) => kind !== 'stop'));
  return { ...reader.read(), aim };
}

class DraftReader {
  readonly #pieces: readonly Piece[];
  readonly #draft = emptyDraft();
  readonly #lead: Lead = {
    role: null,
    isExcluding: false,
    negation: null,
    isRemoving: false,
    isPer: false,
    isCountBy: false,
  };
  /** Whether the question names a difference. */
  #isDifference = false;
  readonly #numbers: NumberReader;
  readonly #ranks: RankReader;
  readonly #aggregates: AggregateReader;
  readonly #members: MemberReader;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
    const numbers = new NumberReader(pieces, this.#draft);
    const ranks = new RankReader(pieces, this.#draft, numbers);
    const aggregates = new AggregateReader(pieces, this.#draft);
    this.#members = new MemberReader(pieces, this.#draft, this.#lead, { numbers, ranks, aggregates });
    this.#numbers = numbers;
    this.#ranks = ranks;
    this.#aggregates = aggregates;
  }

  read(): Omit<Draft, 'aim'> {
    const first = this.#pieces[0];
    this.#draft.first = first?.kind === 'cue' ? first.cue : null;
    for (const [index, piece] of this.#pieces.entries()) this.#take(piece, index);
    const count = this.#numbers.takeCount();
    if (count !== null && this.#draft.rank?.count === null) this.#draft.rank.count = count;
    // Ignore the number in `in one chart`.
    else if (count !== null && count !== 1) this.#draft.unknown.push(String(count));
    this.#draft.unbound ??= this.#lead.negation;
    this.#ranks.rankChange();
    this.#compareValues();
    this.#removeRows();
    this.#aggregates.bindRest();
    arrangeFigures(this.#draft);
    return this.#draft;
  }

  /** Removes a row count that only names the rows, as in `for all storms, the number of deaths by name`. */
  #removeRows(): void {
    const { measures, entities } = this.#draft;
    const rows = measures.find(one => cueAt(this.#pieces, this.#pieces.indexOf(one) - 1) === Cue.on && isCount(one));
    if (rows === undefined || measures.length < 2) return;
    measures.splice(measures.indexOf(rows), 1);
    entities.add(rows);
  }

  /** Compares values instead of periods: `difference in profit between consumer and corporate`. */
  #compareValues(): void {
    const { cues, values, conditions } = this.#draft;
    if (!this.#isDifference || values.length < 2 || conditions.length > 0) return;
    cues.delete(Cue.change);
    cues.add(Cue.compare);
  }

  #take(piece: Piece, index: number): void {
    const draft = this.#draft;
    switch (piece.kind) {
      case 'date':
        draft.dates.push(piece.date);
        return;
      case 'unknown':
        draft.unknown.push(piece.word.text);
        return;
      case 'aggregate':
        if (piece.aggregate !== 'count') this.#aggregates.take(piece.aggregate);
        else if (this.#pieces[index + 1]?.kind === 'mention') this.#lead.role = 'count';
        else this.#aggregates.takeCount(index);
        return;
      case 'number':
        this.#numbers.takeNumber(piece, index);
        return;
      case 'cue':
        this.#takeCue(piece, index);
        return;
      case 'mention':
        this.#members.take(piece, index);
        return;
      case 'stop':
    }
  }

  #takeCue(piece: Extract<Piece, { kind: 'cue' }>, index: number): void {
    const draft = this.#draft;
    const cue = piece.cue === Cue.over ? this.#numbers.meaningOfOver(index) : piece.cue;
    if (this.#numbers.isUnit(piece)) return;
    draft.cues.add(cue);
    if (cue !== Cue.and && cue !== Cue.grain) this.#lead.isRemoving = removals.has(cue);
    const chart = charts[cue];
    const operator = comparisons[cue];
    if (chart) draft.chart = chart;
    else if (operator) this.#numbers.compare(operator, piece.norm);
    else if (ranks.has(cue)) this.#takeRank(cue, piece.norm, index);
    else if (piece.grain) {
      if (!this.#numbers.takeGrain(piece.grain, index)) this.#takeGrain(piece.grain, piece.norm);
    } else this.#actions[cue]?.(piece.norm, index);
  }

  /** Actions of the other cues that change the meaning of the following pieces. */
  readonly #actions: Partial<Record<Cue, (norm: string, index: number) => void>> = {
    between: (_, index) => {
      if (this.#pieces[index + 1]?.kind === 'number') this.#numbers.compare('gte');
    },
    change: norm => {
      this.#isDifference ||= norm === 'difference';
    },
    worsened: (norm, index) => this.#takeChangeRank(Cue.worst, norm, index),
    improved: (norm, index) => this.#takeChangeRank(Cue.best, norm, index),
    decrease: () => {
      this.#draft.cues.add(Cue.change);
      this.#draft.isDecrease = true;
    },
    not: norm => {
      this.#lead.isExcluding = true;
      this.#lead.negation = norm;
    },
    by: (norm, index) => {
      if (this.#isSortBy(index)) {
        sortOf(this.#draft);
        this.#lead.role = 'sort';
        return;
      }
      this.#lead.role = 'by';
      this.#lead.isPer = eachOf.has(norm);
      this.#draft.isSplit ||= splitting.test(norm);
      if (this.#lead.negation === null) this.#lead.isExcluding = false;
    },
    which: () => {
      this.#lead.role = 'which';
    },
    list: () => {
      this.#lead.role = 'which';
    },
    count: (_, index) => {
      // Group by a numeric column: `by number of cylinders`.
      if (this.#lead.role === 'by' && cueAt(this.#pieces, index - 1) === Cue.by) this.#lead.isCountBy = true;
      else this.#lead.role = 'count';
    },
    ascending: (_, index) => {
      this.#sortBefore(index).desc = false;
    },
    descending: (_, index) => {
      this.#sortBefore(index).desc = true;
    },
    sort: (norm, index) => {
      if (
        norm === 'ordered' &&
        this.#draft.measures.length > 0 &&
        isNewGrouping(this.#pieces[index + 1], this.#draft)
      ) {
        this.#actions.by?.('by', index);
        return;
      }
      sortOf(this.#draft);
      this.#lead.role = 'sort';
    },
  };

  /** Whether `by` sorts an answer that already has a grouping: `in ascending order by name`, `list by name`. */
  #isSortBy(index: number): boolean {
    const { by, grains, times, sort } = this.#draft;
    const previous = cueAt(this.#pieces, index - 1);
    const isSort = previous === Cue.ascending || previous === Cue.descending || previous === Cue.sort;
    const isGrouped = by.length + grains.length + times.length > 0;
    return isGrouped && ((isSort && sort !== null && sort.mention === null) || (previous === Cue.list && index > 1));
  }

  /**
   * Returns the order that a direction belongs to. A repeated grouping before it names the column: `by date, show the
   * date in descending order`.
   */
  #sortBefore(index: number): NonNullable<Draft['sort']> {
    const sort = sortOf(this.#draft);
    const [last, earlier] = [this.#pieces[index - 1], this.#pieces.slice(0, index - 1)];
    if (sort.mention !== null) return sort;
    if (last?.kind === 'mention' && earlier.some(piece => piece.kind === 'mention' && hasSameMember(piece, last)))
      sort.mention = last;
    if (last?.kind === 'cue' && last.grain && earlier.some(piece => piece.kind === 'cue' && piece.grain === last.grain))
      sort.mention = last.grain;
    return sort;
  }

  /** Ranks the groups by their change: `which cities got worse`. */
  #takeChangeRank(direction: typeof Cue.worst | typeof Cue.best, norm: string, index: number): void {
    this.#draft.cues.add(Cue.change);
    this.#takeRank(direction, norm, index);
  }

  #takeRank(cue: Cue, norm: string, index: number): void {
    this.#ranks.take(cue, norm, index);
    // In `for each country, the top 2 products`, `by` does not apply to the ranked noun.
    const isGrouped = this.#draft.by.length + this.#draft.grains.length > 0;
    if (this.#lead.role === 'count' || (this.#lead.role === 'by' && isGrouped)) this.#lead.role = null;
  }

  #takeGrain(grain: string, norm: string): void {
    const { rank, grains, removed } = this.#draft;
    if (this.#lead.isRemoving) {
      removed.push(grain);
      return;
    }
    if (this.#lead.role === 'sort') {
      sortOf(this.#draft).mention = grain;
      return;
    }
    if (this.#lead.role === 'count') this.#draft.countedGrain ??= grain;
    if (this.#lead.role === 'which') this.#ranks.note(grain, { isPlural: norm.endsWith('s') });
    if (rank && this.#lead.role !== 'by') rank.noun ??= grain;
    if (!grains.includes(grain)) grains.push(grain);
    if (rank && norm.endsWith('s')) rank.isPlural = true;
    if (this.#lead.role !== 'by') this.#lead.role = null;
    this.#ranks.takeCount();
  }
}
