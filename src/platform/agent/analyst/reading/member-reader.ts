import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import type { AggregateReader } from './aggregate-reader.js';
import { isNumericColumn } from './arrange-figures.js';
import { type Draft, isPlural, membersIn, sortOf } from './draft.js';
import { directionAfter, isCountAlone, superlative } from './draft-rules.js';
import {
  cueAt,
  isAfterAnd,
  isColumnOfValue,
  isDimension,
  isParticipleOfValue,
  isPopulation,
  isRankedNoun,
  isRankMeasure,
  type Role,
} from './mention-role.js';
import type { NumberReader } from './number-reader.js';
import type { Mention, Piece } from './pieces.js';
import type { RankReader } from './rank-reader.js';

/** What the words before a mention state about it. */
export interface Lead {
  role: Role;
  isExcluding: boolean;
  /** A negation whose target has not been read yet. */
  negation: string | null;
  /** Whether to remove the next mentions from the previous reading. */
  isRemoving: boolean;
  /** Whether the next measure is an average per item: `per case`. */
  isPer: boolean;
  /** Whether the next mention is a grouping by a number: `by number of cylinders`. */
  isCountBy: boolean;
}

interface Readers {
  readonly numbers: NumberReader;
  readonly ranks: RankReader;
  readonly aggregates: AggregateReader;
}

const grouping: ReadonlySet<Role> = new Set(['by', 'which']);

/** Reads the mentions of a question: measures, groupings, values and segments. */
export class MemberReader {
  readonly #pieces: readonly Piece[];
  readonly #draft: Omit<Draft, 'aim'>;
  readonly #lead: Lead;
  readonly #numbers: NumberReader;
  readonly #ranks: RankReader;
  readonly #aggregates: AggregateReader;

  constructor(
    pieces: readonly Piece[],
    draft: Omit<Draft, 'aim'>,
    lead: Lead,
    { numbers, ranks, aggregates }: Readers,
  ) {
    this.#pieces = pieces;
    this.#draft = draft;
    this.#lead = lead;
    this.#numbers = numbers;
    this.#ranks = ranks;
    this.#aggregates = aggregates;
  }

  take(mention: Mention, index: number): void {
    const draft = this.#draft;
    if (this.#numbers.isUnit(mention) || this.#numbers.takeUnit(mention, index)) return;
    const values = mention.targets.some(({ kind }) => kind === 'value');
    const isTarget = this.#numbers.isTarget(mention);
    const role = this.#lead.role;
    this.#aggregates.bind(mention, index);
    if (this.#lead.isRemoving) {
      draft.removed.push(mention);
      return;
    }
    if (!isTarget && role !== 'by' && role !== 'which' && isParticipleOfValue(mention, index, this.#pieces)) {
      draft.entities.add(mention);
      return;
    }
    if (!isTarget) {
      if (role === 'sort') sortOf(draft).mention = mention;
      else if (values) this.#takeValue(mention, index);
      else if (membersIn(mention).every(({ member }) => member.kind === MemberKind.segment)) {
        (this.#lead.isExcluding ? draft.excludedSegments : draft.segments).push(mention);
        this.#lead.negation = null;
      } else this.#takeMember(mention, index, role);
    }
    if (!values) {
      this.#ranks.takeCount();
      this.#numbers.note(mention);
      if (!isAfterAnd(this.#pieces, index + 1) || role !== 'by') this.#lead.role = null;
    }
  }

  #takeValue(mention: Mention, index: number): void {
    const draft = this.#draft;
    const previous = this.#pieces[index - 1];
    const isListed = previous?.kind === 'cue' && previous.cue === Cue.and && draft.values.length > 0;
    const direction = directionAfter(cueAt(this.#pieces, index - 1));
    const last = draft.values.at(-1);
    const since = last === undefined ? [] : this.#pieces.slice(this.#pieces.indexOf(last.mention), index);
    draft.isOfEachValue ||= since.some(piece => piece.kind === 'cue' && piece.cue === Cue.and && piece.norm === 'and');
    const isExcluded = isListed && last ? last.isExcluded : this.#lead.isExcluding;
    draft.values.push({
      mention,
      isExcluded,
      direction: isListed && direction === null && last ? last.direction : direction,
    });
    this.#lead.isExcluding = cueAt(this.#pieces, index + 1) === Cue.and && this.#lead.isExcluding;
    this.#lead.negation = null;
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
    if (this.#lead.isExcluding && !isColumnOfValue(mention, index, this.#pieces) && this.#takeMissing(mention, role))
      return;
    if (isPopulation(place) || isRankedNoun(place)) draft.entities.add(mention);
    else if (draft.rank !== null && isRankMeasure(place)) draft.rank.measure = mention;
    else if (isEachRow && this.#lead.isPer && draft.measures.length > 0) this.#takePer(mention);
    else if (isTime && measures.every(({ quality }) => quality < 1)) this.#takeTime(mention, role);
    else if (dimensions.length > 0 && isDimension(place)) this.#takeDimension(mention, role);
    else this.#takeMeasure(mention, index);
  }

  /** Reads a mention that names the rows: `by machine`, `of every machine`. */
  #takeEachRow(mention: Mention, index: number): void {
    const draft = this.#draft;
    const by = this.#pieces[index - 1];
    if (membersIn(mention, MemberKind.dimension).length === 0 && !this.#lead.isPer) draft.entities.add(mention);
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
    if (this.#lead.isCountBy && !isNumericColumn(mention)) draft.unbound ??= mention.text;
    this.#lead.isCountBy = false;
    // `the number of cities in each city` counts the rows of each city.
    const { counted } = draft;
    if (role === 'by' && counted !== null && counted.stems.join() === mention.stems.join()) {
      draft.by.splice(draft.by.indexOf(counted), 1);
      draft.counted = null;
      draft.countsRows = true;
    }
    if (this.#isCountOfRank(mention)) draft.counted = mention;
    draft.by.push(mention);
    if (draft.rank) draft.rank.isPlural ||= isPlural(mention);
    if (role === 'which') this.#ranks.note(mention);
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

  /** Whether a ranking counts the values of a column: `which city has the most customers`. */
  #isCountOfRank(mention: Mention): boolean {
    const { by, rank } = this.#draft;
    const before = this.#pieces[this.#pieces.indexOf(mention) - 1];
    const isMost = before?.kind === 'cue' && /^(?:most|fewest|least)$/.test(before.norm);
    return rank !== null && isMost && by.length > 0 && isPlural(mention) && !isNumericColumn(mention);
  }

  #takeMeasure(mention: Mention, index: number): void {
    const draft = this.#draft;
    if (membersIn(mention, MemberKind.measure).length === 0) {
      draft.by.push(mention);
      return;
    }
    if (isAfterAnd(this.#pieces, index) && draft.measures.length > 0) draft.joined.add(mention);
    draft.measures.push(mention);
    if (this.#lead.role === 'count') draft.counts.add(mention);
    if (superlative.test(mention.text)) draft.superlative = mention;
  }

  /** Selects rows without a value: `without a channel`. For a boolean dimension, the negation means `false` instead. */
  #takeMissing(mention: Mention, role: string | null): boolean {
    const best = (kind: MemberKind) => Math.max(0, ...membersIn(mention, kind).map(({ quality }) => quality));
    const dimensions = membersIn(mention, MemberKind.dimension);
    this.#lead.isExcluding = false;
    const negation = this.#lead.negation;
    this.#lead.negation = null;
    if (dimensions.some(({ member }) => member.type === 'boolean') || negation === null) return false;
    if (role !== 'by' && dimensions.length > 0 && best(MemberKind.dimension) >= best(MemberKind.measure))
      this.#draft.missing.push(mention);
    else this.#draft.unbound = mention.text;
    return true;
  }

  #takeTime(mention: Mention, role: string | null): void {
    this.#draft.times.push(mention);
    if (role === 'which') this.#ranks.note(mention);
    if (role === 'by' && this.#draft.grains.length === 0) this.#draft.cues.add(Cue.trend);
  }
}
