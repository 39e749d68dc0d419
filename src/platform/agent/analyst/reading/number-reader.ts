import type { FilterOperator } from '../../../../contract/query.js';
import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { stemOf } from '../vocabulary/words.js';
import { isNumericColumn } from './arrange-figures.js';
import { type Draft, type DraftCondition, membersIn } from './draft.js';
import { charts, isCount, isCountAlone, isCountable } from './draft-rules.js';
import { cueAt } from './mention-role.js';
import type { Mention, Piece } from './pieces.js';

/** Reads the numbers of a question: conditions (`over 60 minutes`), limits, and row counts of rankings. */
export class NumberReader {
  readonly #pieces: readonly Piece[];
  readonly #draft: Omit<Draft, 'aim'>;
  /** Operator of the next number. */
  #operator: FilterOperator | null = null;
  /** Words of the operator: `older than`. */
  #word: string | null = null;
  /** The last mention of a member, which a condition may apply to. */
  #last: Mention | null = null;
  /** A number that may be the number of rows to show. */
  #count: number | null = null;
  /** Pieces that are units of numbers, and therefore not granularities. */
  readonly #units = new Set<Piece>();
  /** Mentions that serve only as a part of a condition, such as its column or unit. */
  readonly #used = new Set<Mention>();

  constructor(pieces: readonly Piece[], draft: Omit<Draft, 'aim'>) {
    this.#pieces = pieces;
    this.#draft = draft;
  }

  /** Whether the last number may be the number of rows to show. */
  get isCounted(): boolean {
    return this.#count !== null;
  }

  /** Returns the number that may be the number of rows to show, and clears it. */
  takeCount(): number | null {
    const count = this.#count;
    this.#count = null;
    return count;
  }

  /** Applies an operator to the next number. */
  compare(operator: FilterOperator, word: string | null = null): void {
    this.#operator = operator;
    this.#word = word;
  }

  /** Stores a mention of a member, to which the next condition may apply. */
  note(mention: Mention): void {
    this.#last = mention;
  }

  /** Whether a piece is the unit of a number. */
  isUnit(piece: Piece): boolean {
    return this.#units.has(piece);
  }

  /** Whether a mention serves only as a part of a condition. */
  isTarget(mention: Mention): boolean {
    return this.#used.has(mention) || this.#draft.conditions.some(({ target }) => target === mention);
  }

  /** Reads a mention that names the unit of a comparison: `over an hour`. Returns whether it does. */
  takeUnit(mention: Mention, index: number): boolean {
    const unit = this.#operator === null ? null : this.#unitAt(index);
    if (unit === null || this.#operator === null) return false;
    const { conditions, entities } = this.#draft;
    conditions.push({ operator: this.#operator, value: 1, isPercent: false, unit, target: this.#last });
    entities.add(mention);
    if (this.#last) this.#forget(this.#last);
    this.#operator = null;
    return true;
  }

  /** Reads a granularity that names the unit of a comparison. Returns whether it does. */
  takeGrain(grain: string, index: number): boolean {
    if (this.#operator === null) return false;
    const target = this.#conditionTarget(index);
    this.#draft.conditions.push({ operator: this.#operator, value: 1, isPercent: false, unit: grain, target });
    this.#operator = null;
    return true;
  }

  /**
   * Returns the meaning of `over`: a comparison in `over 60` and `over an hour`, or a grouping in `weight over year`.
   */
  meaningOfOver(index: number): Cue {
    const next = this.#pieces[index + 1];
    const unit = this.#unitAt(index + 1);
    return next?.kind === 'number' || unit === 'hour' || unit === 'minute' ? Cue.gt : Cue.by;
  }

  takeNumber({ value, isPercent }: Extract<Piece, { kind: 'number' }>, index: number): void {
    const draft = this.#draft;
    const before = this.#pieces[index - 1];
    if (this.#operator !== null) {
      const word = this.#word;
      draft.conditions.push({ operator: this.#operator, value, isPercent, word, ...this.#conditionOn(index) });
      if (draft.cues.has(Cue.between) && this.#operator === 'gte') this.#operator = 'lte';
      else this.#operator = null;
    } else if (cueAt(this.#pieces, index + 1) === Cue.orMore || cueAt(this.#pieces, index + 1) === Cue.orLess) {
      const operator = cueAt(this.#pieces, index + 1) === Cue.orMore ? 'gte' : 'lte';
      // In `3 or more violations`, the column follows the operator.
      draft.conditions.push({ operator, value, isPercent, ...this.#conditionOn(index + 1) });
    } else if (before?.kind === 'cue' && before.cue === Cue.show && isCount(value)) {
      // Ignore the number in `show one bar chart`.
      const next = cueAt(this.#pieces, index + 1);
      if (next === null || charts[next] === undefined) draft.limit = value;
    } else if (this.#rowColumnAt(index + 1)) {
      const target = this.#rowColumnAt(index + 1);
      draft.conditions.push({ operator: 'equals', value, isPercent, unit: null, target });
      if (target) this.#used.add(target);
    } else if (
      before?.kind === 'mention' &&
      !this.#isOfChart(index) &&
      membersIn(before).some(({ member }) => member.kind === MemberKind.dimension && member.type === 'number')
    ) {
      draft.conditions.push({ operator: 'equals', value, isPercent, unit: null, target: before });
      this.#forget(before);
    } else this.#count = value;
  }

  /** Whether a number counts charts: `weight by age, one chart per region`. */
  #isOfChart(index: number): boolean {
    const next = this.#pieces[index + 1];
    if (next?.kind !== 'cue') return false;
    return charts[next.cue] !== undefined || next.cue === Cue.by || next.cue === Cue.plot;
  }

  /**
   * Returns a numeric column in the singular that precedes and describes the rows, as in `4 cylinder cars`; otherwise
   * `null`.
   */
  #rowColumnAt(index: number): Mention | null {
    const [column, noun] = [this.#pieces[index], this.#pieces[index + 1]];
    if (column?.kind !== 'mention' || this.#draft.rank !== null || !isNumericColumn(column)) return null;
    const [first = '', ...others] = column.text.split(' ');
    // After `with`, the column may be in the plural: `with 4 cylinders`.
    if (cueAt(this.#pieces, index - 2) === Cue.with) return column;
    const isBeforeRows = others.length > 0 || (noun?.kind === 'mention' && isCountAlone(noun));
    return isBeforeRows && !first.endsWith('s') ? column : null;
  }

  #conditionOn(index: number): Pick<DraftCondition, 'unit' | 'target'> {
    const next = this.#pieces[index + 1];
    const unit = this.#unitAt(index + 1);
    if (next === undefined || unit === null) return { unit: null, target: this.#conditionTarget(index) };
    this.#units.add(next);
    if (next.kind === 'mention') this.#draft.entities.add(next);
    if (this.#last) this.#forget(this.#last);
    return { unit, target: this.#last };
  }

  /** Returns the time unit at an index, even if a member has the same name (`over 2 hours`), or `null`. */
  #unitAt(index: number): string | null {
    const piece = this.#pieces[index];
    const isCountableBefore = this.#last !== null && isCountable(this.#last);
    if (piece?.kind === 'cue') return piece.cue === Cue.grain ? (piece.grain ?? null) : null;
    if (piece?.kind !== 'mention' || !isCountableBefore) return null;
    const [, unit = null] = /^(hour|minute|second|day|week)s?$/i.exec(piece.text) ?? [];
    const isOwn =
      unit !== null &&
      this.#last !== null &&
      membersIn(this.#last).some(({ member }) => member.units.includes(stemOf(unit)));
    return isOwn ? null : (unit?.toLowerCase() ?? null);
  }

  /**
   * Returns the mention that a condition applies to: the mention directly after the number, or the last one before the
   * comparison.
   */
  #conditionTarget(index: number): Mention | null {
    const next = this.#pieces[index + 1];
    const last = this.#last !== null && isCountable(this.#last) ? this.#last : null;
    if (next?.kind === 'mention' && isCountable(next)) {
      const shared =
        last && membersIn(last).some(({ member }) => membersIn(next).some(other => other.member === member));
      if (!shared) return next;
      // In `a delay over 60 minutes`, the unit refers to the same member as the delay.
      this.#used.add(next);
    }
    if (last) this.#forget(last);
    return last;
  }

  /** Removes a mention from the displayed members, because it is used in a condition instead. */
  #forget(mention: Mention): void {
    const { measures, by, joined } = this.#draft;
    for (const list of [measures, by]) if (list.includes(mention)) list.splice(list.indexOf(mention), 1);
    joined.delete(mention);
  }
}
