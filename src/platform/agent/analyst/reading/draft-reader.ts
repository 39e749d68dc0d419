import type { FilterOperator } from '../../../../contract/query.js';
import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { stemOf } from '../vocabulary/words.js';
import { arrangeFigures, isNumericColumn } from './arrange-figures.js';
import { type Aim, type Draft, type DraftCondition, emptyDraft, isPlural, isPluralNoun, membersIn } from './draft.js';
import {
  charts,
  comparisons,
  eachOf,
  hasAggregate,
  isCount,
  isCountAlone,
  isCountable,
  ranks,
  removals,
  splitting,
  superlative,
  wayAfter,
} from './draft-rules.js';
import { cueAt, isAfterAnd, isDimension, isRankedNoun, isRankMeasure, type Role } from './mention-role.js';
import type { Mention, Piece } from './mentions.js';

/** Reads the pieces of a question from left to right. */
export function draftOf(pieces: readonly Piece[], aim: Aim): Draft {
  const reader = new DraftReader(pieces.filter(({ kind }) => kind !== 'stop'));
  return { ...reader.read(), aim };
}

const grouping: ReadonlySet<Role> = new Set(['by', 'which']);

class DraftReader {
  readonly #pieces: readonly Piece[];
  readonly #draft = emptyDraft();
  /** Role of the next mention. */
  #role: Role = null;
  #isExcluding = false;
  /** Noun of `which cities`, which a later ranking ranks. */
  #questionNoun: Mention | string | null = null;
  /** Whether the question names a difference. */
  #isDifference = false;
  /** Whether the next mentions are removed from the previous reading. */
  #isRemoving = false;
  /** A negation without an exclusion so far. */
  #negation: string | null = null;
  /** Whether the next figure is an average per item: `per case`. */
  #isPer = false;
  #isCountBy = false;
  /** Aggregates that belong to a later mention. */
  #aggregates: string[] = [];
  /** A number that may be a row count. */
  #number: { value: number; isPercent: boolean } | null = null;
  #operator: FilterOperator | null = null;
  #last: Mention | null = null;
  /** Units of numbers, which are not granularities. */
  readonly #units = new Set<Piece>();
  /** Mentions that add no further information. */
  readonly #used = new Set<Mention>();

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  read(): Omit<Draft, 'aim'> {
    const first = this.#pieces[0];
    this.#draft.first = first?.kind === 'cue' ? first.cue : null;
    for (const [index, piece] of this.#pieces.entries()) this.#take(piece, index);
    if (this.#number !== null && this.#draft.rank?.count === null) this.#draft.rank.count = this.#number.value;
    // `in one chart`
    else if (this.#number !== null && this.#number.value !== 1) this.#draft.unknown.push(String(this.#number.value));
    this.#draft.unbound ??= this.#negation;
    // `which countries declined?`
    const noun = this.#questionNoun;
    if (noun !== null && this.#draft.cues.has(Cue.change))
      this.#draft.rank ??= {
        way: 'top',
        word: 'top',
        isAggregate: false,
        count: null,
        measure: null,
        isPlural: isPluralNoun(noun),
        noun,
      };
    this.#compareValues();
    this.#bindRest();
    arrangeFigures(this.#draft);
    return this.#draft;
  }

  /** `difference in profit between consumer and corporate`: compares values instead of periods. */
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
        if (piece.aggregate === 'count') {
          this.#takeCountWord(index);
          return;
        }
        draft.aggregates.push(piece.aggregate);
        this.#aggregates.push(piece.aggregate);
        return;
      case 'number':
        this.#takeNumber(piece, index);
        return;
      case 'cue':
        this.#takeCue(piece, index);
        return;
      case 'mention':
        this.#takeMention(piece, index);
        return;
      case 'stop':
    }
  }

  /** `count` alone means the number of rows, `model count` the number of models. */
  #takeCountWord(index: number): void {
    const [before, after] = [this.#pieces[index - 1], this.#pieces[index + 1]];
    if (after?.kind === 'mention') {
      this.#role = 'count';
      return;
    }
    if (before?.kind === 'mention' && this.#draft.by.at(-1) === before && !this.#draft.grouped.has(before))
      this.#draft.counted = before;
    else if (before?.kind !== 'mention' || !this.#draft.measures.includes(before)) this.#draft.countsRows = true;
    else this.#draft.counts.add(before);
  }

  /** Binds aggregates to the next mention that has them as a measure. */
  #bind(mention: Mention): void {
    const own = this.#aggregates.filter(aggregate => hasAggregate(mention, aggregate));
    if (own.length === 0) return;
    this.#draft.bound.set(mention, own);
    this.#aggregates = this.#aggregates.filter(aggregate => !own.includes(aggregate));
  }

  /** `mpg average`: binds the remaining aggregates to the last mention that has them, else to the first figure. */
  #bindRest(): void {
    this.#rankExtreme();
    const { measures, rank, bound } = this.#draft;
    const figures = [...measures, ...(rank?.measure ? [rank.measure] : [])];
    for (const aggregate of this.#aggregates) {
      const mention = figures.findLast(one => hasAggregate(one, aggregate) && !bound.has(one)) ?? figures[0];
      if (mention) bound.set(mention, [...(bound.get(mention) ?? []), aggregate]);
    }
  }

  /** `maximum weight` without such a measure: the row with the highest one. */
  #rankExtreme(): void {
    const draft = this.#draft;
    const [mention, ...others] = draft.measures;
    const [aggregate, ...rest] = this.#aggregates;
    if (mention === undefined || draft.rank !== null || others.length + rest.length + draft.by.length > 0) return;
    if ((aggregate !== 'max' && aggregate !== 'min') || draft.grains.length > 0) return;
    const way = aggregate === 'max' ? 'top' : 'bottom';
    draft.rank = {
      way,
      word: aggregate,
      isAggregate: true,
      count: null,
      measure: mention,
      isPlural: false,
      noun: null,
    };
    draft.measures.length = 0;
    this.#aggregates = [];
  }

  #takeNumber({ value, isPercent }: Extract<Piece, { kind: 'number' }>, index: number): void {
    const draft = this.#draft;
    const before = this.#pieces[index - 1];
    if (this.#operator !== null) {
      draft.conditions.push({ operator: this.#operator, value, isPercent, ...this.#conditionOn(index) });
      if (draft.cues.has(Cue.between) && this.#operator === 'gte') this.#operator = 'lte';
      else this.#operator = null;
    } else if (cueAt(this.#pieces, index + 1) === Cue.orMore || cueAt(this.#pieces, index + 1) === Cue.orLess) {
      const operator = cueAt(this.#pieces, index + 1) === Cue.orMore ? 'gte' : 'lte';
      draft.conditions.push({ operator, value, isPercent, ...this.#conditionOn(index) });
    } else if (before?.kind === 'cue' && before.cue === Cue.show && isCount(value)) {
      // `show one bar chart`
      const next = cueAt(this.#pieces, index + 1);
      if (next === null || charts[next] === undefined) draft.limit = value;
    } else if (this.#rowColumnAt(index + 1)) {
      const target = this.#rowColumnAt(index + 1);
      draft.conditions.push({ operator: 'equals', value, isPercent, unit: null, target });
      if (target) this.#used.add(target);
    } else if (
      before?.kind === 'mention' &&
      membersIn(before).some(({ member }) => member.kind === MemberKind.dimension && member.type === 'number')
    ) {
      draft.conditions.push({ operator: 'equals', value, isPercent, unit: null, target: before });
      this.#forget(before);
    } else this.#number = { value, isPercent };
  }

  /** `4 cylinder cars`: a numeric column in the singular, before the rows, describes the rows. */
  #rowColumnAt(index: number): Mention | null {
    const [column, noun] = [this.#pieces[index], this.#pieces[index + 1]];
    if (column?.kind !== 'mention' || this.#draft.rank !== null || !isNumericColumn(column)) return null;
    const [first = '', ...others] = column.text.split(' ');
    // `with 4 cylinders`
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
   * Returns the mention that a condition applies to: the one right after the number, or the last one before the
   * comparison.
   */
  #conditionTarget(index: number): Mention | null {
    const next = this.#pieces[index + 1];
    const last = this.#last !== null && isCountable(this.#last) ? this.#last : null;
    if (next?.kind === 'mention' && isCountable(next)) {
      const shared =
        last && membersIn(last).some(({ member }) => membersIn(next).some(other => other.member === member));
      if (!shared) return next;
      // `a delay over 60 minutes`: the unit repeats what is compared.
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

  #takeCue(piece: Extract<Piece, { kind: 'cue' }>, index: number): void {
    const draft = this.#draft;
    const cue = piece.cue === Cue.over ? this.#meaningOfOver(index) : piece.cue;
    if (this.#units.has(piece)) return;
    draft.cues.add(cue);
    if (cue !== Cue.and && cue !== Cue.grain) this.#isRemoving = removals.has(cue);
    const chart = charts[cue];
    const operator = comparisons[cue];
    if (chart) draft.chart = chart;
    else if (operator) this.#operator = operator;
    else if (ranks.has(cue)) this.#takeRank(cue, piece.norm);
    else if (piece.grain) this.#takeGrainCue(piece.grain, piece.norm, index);
    else this.#actions[cue]?.(piece.norm, index);
  }

  /** Actions of the other cues that change the meaning of the following pieces. */
  readonly #actions: Partial<Record<Cue, (norm: string, index: number) => void>> = {
    between: (_, index) => {
      if (this.#pieces[index + 1]?.kind === 'number') this.#operator = 'gte';
    },
    change: norm => {
      this.#isDifference ||= norm === 'difference';
    },
    worsened: norm => this.#takeChangeRank(Cue.worst, norm),
    improved: norm => this.#takeChangeRank(Cue.best, norm),
    decrease: () => {
      this.#draft.cues.add(Cue.change);
      this.#draft.isDecrease = true;
    },
    not: norm => {
      this.#isExcluding = true;
      this.#negation = norm;
    },
    by: norm => {
      this.#role = 'by';
      this.#isPer = eachOf.has(norm);
      this.#draft.isSplit ||= splitting.test(norm);
      if (this.#negation === null) this.#isExcluding = false;
    },
    which: () => {
      this.#role = 'which';
    },
    list: () => {
      this.#role = 'which';
    },
    count: () => {
      // `by number of cylinders`
      if (this.#role === 'by') this.#isCountBy = true;
      else this.#role = 'count';
    },
    ascending: () => {
      this.#sort().desc = false;
    },
    descending: () => {
      this.#sort().desc = true;
    },
    sort: () => {
      this.#sort();
      this.#role = 'sort';
    },
  };

  #takeGrainCue(grain: string, norm: string, index: number): void {
    if (this.#operator === null) {
      this.#takeGrain(grain, norm);
      return;
    }
    // `over an hour`
    const target = this.#conditionTarget(index);
    this.#draft.conditions.push({ operator: this.#operator, value: 1, isPercent: false, unit: grain, target });
    this.#operator = null;
  }

  /** `which cities got worse`: ranks the groups by their change. */
  #takeChangeRank(way: typeof Cue.worst | typeof Cue.best, norm: string): void {
    this.#draft.cues.add(Cue.change);
    this.#takeRank(way, norm);
  }

  /** `over 60`, `over an hour`, or `weight over year`. */
  #meaningOfOver(index: number): Cue {
    const next = this.#pieces[index + 1];
    const unit = this.#unitAt(index + 1);
    return next?.kind === 'number' || unit === 'hour' || unit === 'minute' ? Cue.gt : Cue.by;
  }

  #sort(): NonNullable<Draft['sort']> {
    this.#draft.sort ??= { mention: null, desc: null };
    return this.#draft.sort;
  }

  #takeRank(cue: Cue, norm: string): void {
    const way = cue === Cue.bottom || cue === Cue.best || cue === Cue.worst ? cue : Cue.top;
    const isAggregate = superlative.test(norm);
    const count = this.#number?.value ?? null;
    const noun = this.#questionNoun;
    this.#draft.rank ??= {
      way,
      word: norm,
      isAggregate,
      count,
      measure: null,
      isPlural: this.#draft.by.some(isPlural),
      noun,
    };
    this.#number = null;
    // `for each country, the top 2 products`: `by` does not apply to the ranked noun.
    const isGrouped = this.#draft.by.length + this.#draft.grains.length > 0;
    if (this.#role === 'count' || (this.#role === 'by' && isGrouped)) this.#role = null;
  }

  #takeGrain(grain: string, norm: string): void {
    const { rank, grains, removed } = this.#draft;
    if (this.#isRemoving) {
      removed.push(grain);
      return;
    }
    if (this.#role === 'which') this.#questionNoun ??= grain;
    if (rank && this.#role !== 'by') rank.noun ??= grain;
    if (!grains.includes(grain)) grains.push(grain);
    if (rank && norm.endsWith('s')) rank.isPlural = true;
    if (this.#role !== 'by') this.#role = null;
    this.#takeCount();
  }

  /** `three states with the fewest flights`: the number precedes the noun, and the rank follows it. */
  #takeCount(): void {
    const { rank } = this.#draft;
    if (this.#number === null || rank === null) return;
    rank.count ??= this.#number.value;
    this.#number = null;
  }

  #takeMention(mention: Mention, index: number): void {
    const draft = this.#draft;
    if (this.#units.has(mention)) return;
    const unit = this.#operator === null ? null : this.#unitAt(index);
    if (unit !== null && this.#operator !== null) {
      draft.conditions.push({ operator: this.#operator, value: 1, isPercent: false, unit, target: this.#last });
      draft.entities.add(mention);
      if (this.#last) this.#forget(this.#last);
      this.#operator = null;
      return;
    }
    const values = mention.targets.some(({ kind }) => kind === 'value');
    const isTarget = this.#used.has(mention) || draft.conditions.some(({ target }) => target === mention);
    const role = this.#role;
    this.#bind(mention);
    if (this.#isRemoving) {
      draft.removed.push(mention);
      return;
    }
    if (!isTarget) {
      if (role === 'sort') this.#sort().mention = mention;
      else if (values) this.#takeValue(mention, index);
      else if (membersIn(mention).every(({ member }) => member.kind === MemberKind.segment)) {
        (this.#isExcluding ? draft.excludedSegments : draft.segments).push(mention);
        this.#negation = null;
      } else this.#takeMember(mention, index, role);
    }
    if (!values) {
      this.#takeCount();
      this.#last = mention;
      if (!isAfterAnd(this.#pieces, index + 1) || role !== 'by') this.#role = null;
    }
  }

  #takeValue(mention: Mention, index: number): void {
    const draft = this.#draft;
    const previous = this.#pieces[index - 1];
    const isListed = previous?.kind === 'cue' && previous.cue === Cue.and && draft.values.length > 0;
    const way = wayAfter(cueAt(this.#pieces, index - 1));
    const last = draft.values.at(-1);
    const isExcluded = isListed && last ? last.isExcluded : this.#isExcluding;
    draft.values.push({ mention, isExcluded, way: isListed && way === null && last ? last.way : way });
    this.#isExcluding = cueAt(this.#pieces, index + 1) === Cue.and && this.#isExcluding;
    this.#negation = null;
  }

  #takeMember(mention: Mention, index: number, role: Role): void {
    const draft = this.#draft;
    const place = { mention, index, pieces: this.#pieces, role, draft, isCounted: this.#number !== null };
    const dimensions = membersIn(mention, MemberKind.dimension);
    const measures = membersIn(mention, MemberKind.measure);
    const isTime = dimensions.some(({ member }) => member.type === 'time');
    const isEachRow = role === 'by' && isCountAlone(mention);
    if (isEachRow && dimensions.length === 0 && !this.#isPer) draft.entities.add(mention);
    if (role !== null && grouping.has(role)) draft.grouped.add(mention);
    if (this.#isExcluding && this.#takeMissing(mention, role)) return;
    if (draft.rank !== null && isRankedNoun(place)) draft.entities.add(mention);
    else if (draft.rank !== null && isRankMeasure(place)) draft.rank.measure = mention;
    else if (isEachRow && this.#isPer && draft.measures.length > 0) this.#takePer(mention);
    else if (isTime && measures.every(({ quality }) => quality < 1)) this.#takeTime(mention, role);
    else if (dimensions.length > 0 && isDimension(place)) this.#takeDimension(mention, role);
    else this.#takeMeasure(mention, index);
  }

  /** `cost per case`: an average, unless several figures of each row are related. */
  #takePer(mention: Mention): void {
    const { measures, bound, cues, entities } = this.#draft;
    const [first] = measures;
    entities.add(mention);
    if (first && !cues.has(Cue.scatter)) bound.set(first, ['average']);
  }

  #takeDimension(mention: Mention, role: string | null): void {
    const draft = this.#draft;
    if (this.#isCountBy && !isNumericColumn(mention)) draft.unbound ??= mention.text;
    this.#isCountBy = false;
    draft.by.push(mention);
    if (draft.rank) draft.rank.isPlural ||= isPlural(mention);
    if (role === 'which') this.#questionNoun ??= mention;
    if (draft.rank && role !== 'by') draft.rank.noun ??= mention;
    if (role !== 'count') return;
    // `for each category, the count for the category`
    const isGrouped = draft.by.some(
      other => other !== mention && draft.grouped.has(other) && other.stems.join() === mention.stems.join(),
    );
    if (isGrouped) {
      draft.by.pop();
      draft.entities.add(mention);
      draft.countsRows = true;
    } else draft.counted = mention;
  }

  #takeMeasure(mention: Mention, index: number): void {
    const draft = this.#draft;
    if (membersIn(mention, MemberKind.measure).length === 0) {
      draft.by.push(mention);
      return;
    }
    if (isAfterAnd(this.#pieces, index) && draft.measures.length > 0) draft.joined.add(mention);
    draft.measures.push(mention);
    if (this.#role === 'count') draft.counts.add(mention);
    if (superlative.test(mention.text)) draft.superlative = mention;
  }

  /** `without a channel`: rows without a value. A negated boolean dimension means `false` instead. */
  #takeMissing(mention: Mention, role: string | null): boolean {
    const best = (kind: MemberKind) => Math.max(0, ...membersIn(mention, kind).map(({ quality }) => quality));
    const dimensions = membersIn(mention, MemberKind.dimension);
    this.#isExcluding = false;
    const negation = this.#negation;
    this.#negation = null;
    if (dimensions.some(({ member }) => member.type === 'boolean') || negation === null) return false;
    if (role !== 'by' && best(MemberKind.dimension) > best(MemberKind.measure)) this.#draft.missing.push(mention);
    else this.#draft.unbound = mention.text;
    return true;
  }

  #takeTime(mention: Mention, role: string | null): void {
    this.#draft.times.push(mention);
    if (role === 'by' && this.#draft.grains.length === 0) this.#draft.cues.add(Cue.trend);
  }
}
