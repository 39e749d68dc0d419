import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { aggregatesOf, arrangeFigures, isCount, isNumericColumn } from './arrange-figures.js';
import { type Aim, type Draft, emptyDraft, isPlural, isPluralNoun, membersIn, rankBy } from './draft.js';
import {
  charts,
  comparisons,
  directionAfter,
  eachOf,
  hasAggregate,
  isCountAlone,
  ranks,
  removals,
  splitting,
  superlative,
} from './draft-rules.js';
import {
  cueAt,
  isAfterAnd,
  isColumnOfValue,
  isDimension,
  isNewGrouping,
  isParticipleOfValue,
  isRankedNoun,
  isRankMeasure,
  type Role,
} from './mention-role.js';
import { NumberReader } from './number-reader.js';
import type { Mention, Piece } from './pieces.js';

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
  /** Noun after `which`, to which a later ranking applies: `which cities`. */
  #questionNoun: Mention | string | null = null;
  /** Whether the noun after `which` is a granularity in the plural: `which months`. */
  #isPluralNoun = false;
  /** Whether the question names a difference. */
  #isDifference = false;
  /** Whether to remove the next mentions from the previous reading. */
  #isRemoving = false;
  /** A negation whose target has not been read yet. */
  #negation: string | null = null;
  /** Whether the next measure is an average per item: `per case`. */
  #isPer = false;
  #isCountBy = false;
  /** Aggregates that are not bound to a mention yet. */
  #aggregates: string[] = [];
  readonly #numbers: NumberReader;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
    this.#numbers = new NumberReader(pieces, this.#draft);
  }

  read(): Omit<Draft, 'aim'> {
    const first = this.#pieces[0];
    this.#draft.first = first?.kind === 'cue' ? first.cue : null;
    for (const [index, piece] of this.#pieces.entries()) this.#take(piece, index);
    const count = this.#numbers.takeCount();
    if (count !== null && this.#draft.rank?.count === null) this.#draft.rank.count = count;
    // Ignore the number in `in one chart`.
    else if (count !== null && count !== 1) this.#draft.unknown.push(String(count));
    this.#draft.unbound ??= this.#negation;
    // Rank the groups by their change: `which countries declined?`.
    const noun = this.#questionNoun;
    if (noun !== null && this.#draft.cues.has(Cue.change))
      this.#draft.rank ??= rankBy('top', 'top', { isPlural: isPluralNoun(noun), noun });
    this.#compareValues();
    this.#removeRows();
    this.#bindRest();
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
        if (piece.aggregate === 'count') {
          this.#takeCountWord(index);
          return;
        }
        draft.aggregates.push(piece.aggregate);
        this.#aggregates.push(piece.aggregate);
        return;
      case 'number':
        this.#numbers.takeNumber(piece, index);
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

  /** Reads the word `count`. Alone, it means the number of rows; in `model count`, it means the number of models. */
  #takeCountWord(index: number): void {
    const [before, after] = [this.#pieces[index - 1], this.#pieces[index + 1]];
    if (after?.kind === 'mention') {
      this.#role = 'count';
      return;
    }
    // In `weight by cylinder count`, `count` is a part of the column's name.
    const isName = before?.kind === 'mention' && this.#draft.grouped.has(before) && isNumericColumn(before);
    if (isName && this.#draft.measures.length > 0) return;
    if (before?.kind === 'mention' && this.#draft.by.at(-1) === before && !this.#draft.grouped.has(before))
      this.#draft.counted = before;
    else if (before?.kind !== 'mention' || !this.#draft.measures.includes(before)) this.#draft.countsRows = true;
    else this.#draft.counts.add(before);
  }

  /** Binds the aggregates for which a mention has a measure to that mention. */
  #bind(mention: Mention, index: number): void {
    const former = cueAt(this.#pieces, index - 1) === Cue.and ? this.#pieces[index - 2] : undefined;
    // An aggregate also applies to a measure after `and`: `average price and weight`.
    const shared = former?.kind === 'mention' ? aggregatesOf(former, this.#draft) : [];
    const given = this.#aggregates.length > 0 ? this.#aggregates : shared;
    const own = given.filter(aggregate => hasAggregate(mention, aggregate));
    if (own.length === 0) return;
    this.#draft.bound.set(mention, own);
    this.#aggregates = this.#aggregates.filter(aggregate => !own.includes(aggregate));
  }

  /**
   * Binds the extreme of each group: `max temperature per site` requests the maximum of each site, not the site with
   * the highest value.
   */
  #bindExtreme(): void {
    const { rank, by, grouped, grains, measures, bound } = this.#draft;
    if (rank === null || rank.measure === null || rank.noun !== null || rank.count !== null) return;
    const others = bound.get(rank.measure) ?? [];
    // A second aggregate in a list: `mean and max weight`.
    const isListed = this.#pieces.some(
      (piece, index) => piece.kind === 'cue' && piece.norm === rank.word && isAfterAnd(this.#pieces, index),
    );
    if (!/^(?:max|min)$/.test(rank.word) || (others.length > 0 && !isListed)) return;
    if (by.length + grains.length === 0 || by.some(one => !grouped.has(one))) return;
    bound.set(rank.measure, [...others, rank.word]);
    measures.push(rank.measure);
    this.#draft.rank = null;
  }

  /**
   * Binds the remaining aggregates to the last mention that has such a measure, otherwise to the first measure: `mpg
   * average`.
   */
  #bindRest(): void {
    this.#bindExtreme();
    this.#rankExtreme();
    const { measures, rank, bound } = this.#draft;
    const figures = [...measures, ...(rank?.measure ? [rank.measure] : [])];
    for (const aggregate of this.#aggregates) {
      const mention = figures.findLast(one => hasAggregate(one, aggregate) && !bound.has(one)) ?? figures[0];
      if (mention) bound.set(mention, [...(bound.get(mention) ?? []), aggregate]);
    }
  }

  /**
   * Ranks the rows by a measure and shows the first row if the model has no measure for the extreme: `maximum weight`
   * shows the row with the highest weight.
   */
  #rankExtreme(): void {
    const draft = this.#draft;
    const [mention, ...others] = draft.measures;
    const [aggregate, ...rest] = this.#aggregates;
    if (mention === undefined || draft.rank !== null || others.length + rest.length + draft.by.length > 0) return;
    if ((aggregate !== 'max' && aggregate !== 'min') || draft.grains.length > 0) return;
    const direction = aggregate === 'max' ? 'top' : 'bottom';
    draft.rank = rankBy(direction, aggregate, { isAggregate: true, measure: mention });
    draft.measures.length = 0;
    this.#aggregates = [];
  }

  #takeCue(piece: Extract<Piece, { kind: 'cue' }>, index: number): void {
    const draft = this.#draft;
    const cue = piece.cue === Cue.over ? this.#numbers.meaningOfOver(index) : piece.cue;
    if (this.#numbers.isUnit(piece)) return;
    draft.cues.add(cue);
    if (cue !== Cue.and && cue !== Cue.grain) this.#isRemoving = removals.has(cue);
    const chart = charts[cue];
    const operator = comparisons[cue];
    if (chart) draft.chart = chart;
    else if (operator) this.#numbers.compare(operator);
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
      this.#isExcluding = true;
      this.#negation = norm;
    },
    by: (norm, index) => {
      if (this.#isSortBy(index)) {
        this.#sort();
        this.#role = 'sort';
        return;
      }
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
    count: (_, index) => {
      // Group by a numeric column: `by number of cylinders`.
      if (this.#role === 'by' && cueAt(this.#pieces, index - 1) === Cue.by) this.#isCountBy = true;
      else this.#role = 'count';
    },
    ascending: () => {
      this.#sort().desc = false;
    },
    descending: () => {
      this.#sort().desc = true;
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
      this.#sort();
      this.#role = 'sort';
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

  /** Ranks the groups by their change: `which cities got worse`. */
  #takeChangeRank(direction: typeof Cue.worst | typeof Cue.best, norm: string, index: number): void {
    this.#draft.cues.add(Cue.change);
    this.#takeRank(direction, norm, index);
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

  #sort(): NonNullable<Draft['sort']> {
    this.#draft.sort ??= { mention: null, desc: null };
    return this.#draft.sort;
  }

  #takeRank(cue: Cue, norm: string, index: number): void {
    const direction = cue === Cue.bottom || cue === Cue.best || cue === Cue.worst ? cue : Cue.top;
    const isAggregate = superlative.test(norm);
    const count = this.#numbers.takeCount();
    const noun = this.#questionNoun;
    const isPluralGroup = this.#isPluralNoun || this.#draft.by.some(isPlural);
    this.#draft.rank ??= rankBy(direction, norm, { isAggregate, count, isPlural: isPluralGroup, noun });
    this.#rankPrevious(index);
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
    if (this.#role === 'count') this.#draft.countedGrain ??= grain;
    if (this.#role === 'which') {
      this.#questionNoun ??= grain;
      this.#isPluralNoun ||= norm.endsWith('s');
    }
    if (rank && this.#role !== 'by') rank.noun ??= grain;
    if (!grains.includes(grain)) grains.push(grain);
    if (rank && norm.endsWith('s')) rank.isPlural = true;
    if (this.#role !== 'by') this.#role = null;
    this.#takeCount();
  }

  /**
   * Uses the number before a noun as the limit of a ranking that follows it: `three states with the fewest flights`.
   */
  #takeCount(): void {
    const { rank } = this.#draft;
    if (!this.#numbers.isCounted || rank === null) return;
    const count = this.#numbers.takeCount();
    rank.count ??= count;
  }

  #takeMention(mention: Mention, index: number): void {
    const draft = this.#draft;
    if (this.#numbers.isUnit(mention) || this.#numbers.takeUnit(mention, index)) return;
    const values = mention.targets.some(({ kind }) => kind === 'value');
    const isTarget = this.#numbers.isTarget(mention);
    const role = this.#role;
    this.#bind(mention, index);
    if (this.#isRemoving) {
      draft.removed.push(mention);
      return;
    }
    if (!isTarget && role !== 'by' && role !== 'which' && isParticipleOfValue(mention, index, this.#pieces)) {
      draft.entities.add(mention);
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
      this.#numbers.note(mention);
      if (!isAfterAnd(this.#pieces, index + 1) || role !== 'by') this.#role = null;
    }
  }

  #takeValue(mention: Mention, index: number): void {
    const draft = this.#draft;
    const previous = this.#pieces[index - 1];
    const isListed = previous?.kind === 'cue' && previous.cue === Cue.and && draft.values.length > 0;
    const direction = directionAfter(cueAt(this.#pieces, index - 1));
    const last = draft.values.at(-1);
    const isExcluded = isListed && last ? last.isExcluded : this.#isExcluding;
    draft.values.push({
      mention,
      isExcluded,
      direction: isListed && direction === null && last ? last.direction : direction,
    });
    this.#isExcluding = cueAt(this.#pieces, index + 1) === Cue.and && this.#isExcluding;
    this.#negation = null;
    this.#takeColumn(mention, index);
  }

  /** Removes the column of a condition from the groupings: `whose city is not Boston`. */
  #takeColumn(mention: Mention, index: number): void {
    const { by, grouped, entities } = this.#draft;
    const isOperator = (cue: Cue | null) => cue === Cue.not || cue === Cue.equals;
    let at = index - 1;
    while (isOperator(cueAt(this.#pieces, at))) at -= 1;
    const column = this.#pieces[at];
    const isCondition =
      at < index - 1 || cueAt(this.#pieces, at - 1) === Cue.not || cueAt(this.#pieces, at - 1) === Cue.with;
    if (column?.kind !== 'mention' || !isCondition || grouped.has(column)) return;
    if (
      !by.includes(column) ||
      !mention.targets.some(({ member }) => membersIn(column).some(one => one.member === member))
    )
      return;
    by.splice(by.indexOf(column), 1);
    entities.add(column);
  }

  #takeMember(mention: Mention, index: number, role: Role): void {
    const draft = this.#draft;
    const place = { mention, index, pieces: this.#pieces, role, draft, isCounted: this.#numbers.isCounted };
    const dimensions = membersIn(mention, MemberKind.dimension);
    const measures = membersIn(mention, MemberKind.measure);
    const isTime = dimensions.some(({ member }) => member.type === 'time');
    const isEachRow = role === 'by' && isCountAlone(mention);
    if (isEachRow) this.#takeEachRow(mention, index);
    if (role !== null && grouping.has(role)) draft.grouped.add(mention);
    if (this.#isExcluding && !isColumnOfValue(mention, index, this.#pieces) && this.#takeMissing(mention, role)) return;
    if (draft.rank !== null && isRankedNoun(place)) draft.entities.add(mention);
    else if (draft.rank !== null && isRankMeasure(place)) draft.rank.measure = mention;
    else if (isEachRow && this.#isPer && draft.measures.length > 0) this.#takePer(mention);
    else if (isTime && measures.every(({ quality }) => quality < 1)) this.#takeTime(mention, role);
    else if (dimensions.length > 0 && isDimension(place)) this.#takeDimension(mention, role);
    else this.#takeMeasure(mention, index);
  }

  /** Reads a mention that names the rows: `by machine`, `of every machine`. */
  #takeEachRow(mention: Mention, index: number): void {
    const draft = this.#draft;
    const by = this.#pieces[index - 1];
    if (membersIn(mention, MemberKind.dimension).length === 0 && !this.#isPer) draft.entities.add(mention);
    draft.isOfEachRow ||= by?.kind === 'cue' && /^(?:each|every|for|of)$/.test(by.norm);
  }

  /** Requests an average per item, unless the question relates or compares measures: `cost per case`. */
  #takePer(mention: Mention): void {
    const { measures, bound, cues, entities } = this.#draft;
    const [first] = measures;
    entities.add(mention);
    if (first && !cues.has(Cue.scatter) && !cues.has(Cue.compare)) bound.set(first, ['average']);
  }

  #takeDimension(mention: Mention, role: string | null): void {
    const draft = this.#draft;
    if (this.#isCountBy && !isNumericColumn(mention)) draft.unbound ??= mention.text;
    this.#isCountBy = false;
    // `the number of cities in each city` counts the rows of each city.
    const { counted } = draft;
    if (role === 'by' && counted !== null && counted.stems.join() === mention.stems.join()) {
      draft.by.splice(draft.by.indexOf(counted), 1);
      draft.counted = null;
      draft.countsRows = true;
    }
    draft.by.push(mention);
    if (draft.rank) draft.rank.isPlural ||= isPlural(mention);
    if (role === 'which') this.#questionNoun ??= mention;
    if (draft.rank && role !== 'by') draft.rank.noun ??= mention;
    // In `how many readmitted visits`, a boolean dimension is a condition on the rows, not the counted column.
    if (role !== 'count' || membersIn(mention, MemberKind.dimension).every(({ member }) => member.type === 'boolean'))
      return;
    // The dimension already groups the rows: `for each category, the count for the category`.
    const isGrouped = draft.by.some(
      other =>
        other !== mention &&
        (draft.grouped.has(other) || draft.chart !== null) &&
        other.stems.join() === mention.stems.join(),
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

  /** Selects rows without a value: `without a channel`. For a boolean dimension, the negation means `false` instead. */
  #takeMissing(mention: Mention, role: string | null): boolean {
    const best = (kind: MemberKind) => Math.max(0, ...membersIn(mention, kind).map(({ quality }) => quality));
    const dimensions = membersIn(mention, MemberKind.dimension);
    this.#isExcluding = false;
    const negation = this.#negation;
    this.#negation = null;
    if (dimensions.some(({ member }) => member.type === 'boolean') || negation === null) return false;
    if (role !== 'by' && dimensions.length > 0 && best(MemberKind.dimension) >= best(MemberKind.measure))
      this.#draft.missing.push(mention);
    else this.#draft.unbound = mention.text;
    return true;
  }

  #takeTime(mention: Mention, role: string | null): void {
    this.#draft.times.push(mention);
    if (role === 'which') this.#questionNoun ??= mention;
    if (role === 'by' && this.#draft.grains.length === 0) this.#draft.cues.add(Cue.trend);
  }
}
