import { Cue } from '../vocabulary/cues.js';
import { type Member, MemberKind } from '../vocabulary/lexicon.js';
import { stemsOf } from '../vocabulary/words.js';
import { isCount, isNumericColumn } from './arrange-figures.js';
import { type Draft, membersIn } from './draft.js';
import { isCountAlone, isLengthWord, ranks } from './draft-rules.js';
import type { Mention, Piece } from './pieces.js';

/**
 * Role of the next mention. Determined by a preceding `by`, `which`, `how many` or `sort by`; `null` if none precedes
 * it.
 */
export type Role = 'by' | 'which' | 'count' | 'sort' | null;

/** A mention and its context in the question. */
export interface Place {
  readonly mention: Mention;
  readonly index: number;
  readonly pieces: readonly Piece[];
  readonly role: Role;
  readonly draft: Omit<Draft, 'aim'>;
  /** Whether the mention follows a number that may be the number of rows to show. */
  readonly isCounted: boolean;
}

/** Returns the cue at an index, if any. */
export function cueAt(pieces: readonly Piece[], index: number): Cue | null {
  const piece = pieces[index];
  return piece?.kind === 'cue' ? piece.cue : null;
}

/** Whether `and` joins the piece at an index to the previous ones. */
export function isAfterAnd(pieces: readonly Piece[], index: number): boolean {
  const [before, here] = [cueAt(pieces, index - 1), cueAt(pieces, index)];
  // `and what` also joins: `flights per month, and what was the average delay`.
  const isQuestion = before === Cue.which && cueAt(pieces, index - 2) === Cue.and;
  return isQuestion || before === Cue.and || here === Cue.and;
}

/** Whether two mentions may refer to the same member: `origin country`. */
export function hasSameMember(first: Mention, second: Mention): boolean {
  return first.targets.some(({ member }) => second.targets.some(other => other.member === member));
}

function isRankCue(pieces: readonly Piece[], index: number): boolean {
  const piece = pieces[index];
  return piece?.kind === 'cue' ? ranks.has(piece.cue) : piece?.kind === 'number' && isRankCue(pieces, index - 1);
}

/**
 * Whether a participle names the column of an adjacent value, or is a word of its title: `R rated movies`, `movies
 * rated R` with a column MPAA rating.
 */
export function isParticipleOfValue(mention: Mention, index: number, pieces: readonly Piece[]): boolean {
  if (!/ed$/i.test(mention.text)) return false;
  return [pieces[index - 1], pieces[index + 1]].some(
    piece =>
      piece?.kind === 'mention' &&
      (piece.to === mention.from || piece.from === mention.to) &&
      piece.targets.some(
        ({ kind, member }) =>
          kind === 'value' &&
          (mention.targets.some(target => target.member === member) || isInTitle(mention.stems, member)),
      ),
  );
}

function isInTitle(stems: readonly string[], { title }: Member): boolean {
  const own = stemsOf(title);
  return stems.every(stem => own.includes(stem));
}

/** Whether a mention names the column of the value after it: `not in the city of Boston`. */
export function isColumnOfValue(mention: Mention, index: number, pieces: readonly Piece[]): boolean {
  const next = pieces[index + 1];
  if (next?.kind !== 'mention') return false;
  return next.targets.some(
    ({ kind, member }) => kind === 'value' && mention.targets.some(target => target.member === member),
  );
}

/**
 * Whether `ordered by` adds a grouping, as in `quantity ordered by category`. It sorts if the column already groups the
 * answer.
 */
export function isNewGrouping(piece: Piece | undefined, { by }: Pick<Draft, 'by'>): boolean {
  if (piece?.kind !== 'mention' || piece.targets.some(({ member }) => member.type !== 'string')) return false;
  return !by.some(other => other.stems.every(stem => piece.stems.includes(stem)));
}

/** Whether a mention that may be both a dimension and a measure is a dimension. */
export function isDimension(place: Place): boolean {
  const { mention, index, pieces, role, draft } = place;
  const { rank, by, grains } = draft;
  const dimensions = membersIn(mention, MemberKind.dimension);
  if (membersIn(mention, MemberKind.measure).length === 0) return true;
  // In `what percent of movies are dramas`, `movies` is a row count.
  if (cueAt(pieces, index - 1) === Cue.share && isCount(mention)) return false;
  const isKnown = by.length + grains.length > 0;
  // In `top 5 cities by delay`, the ranked dimension is already known, so `delay` is the measure.
  if (role === 'by') return !(rank !== null && isKnown) && dimensions.length > 0 && !isOrderedBy(place);
  // In `what is the weight`, the column is a measure. In `what weight has the highest price`, the column is ranked.
  if (role === 'which' && (!isNumericColumn(mention) || isRankedColumn(place))) return dimensions.length > 0;
  if (role === 'count') return false;
  const isAfterRank = isRankCue(pieces, index - 1);
  if (isAfterRank && isCountedNoun(place)) return true;
  if (rank !== null && !isKnown && (isAfterRank || isRankCue(pieces, index - 2))) return true;
  const worth = (kind: MemberKind) => Math.max(0, ...membersIn(mention, kind).map(({ quality }) => quality));
  return worth(MemberKind.dimension) > worth(MemberKind.measure) + 0.15;
}

/** Whether a numeric column directly after the question word is ranked: `which year level has the highest score`. */
function isRankedColumn({ index, pieces }: Place): boolean {
  const before = pieces[index - 1];
  const isDeterminer = before?.kind === 'cue' && before.cue === Cue.which && before.to - before.from === 1;
  const rank = pieces.findIndex((piece, at) => at > index && piece.kind === 'cue' && ranks.has(piece.cue));
  return isDeterminer && rank > index && pieces.slice(rank).some(({ kind }) => kind === 'mention');
}

/**
 * Whether a numeric column orders rows or groups: `list cities by sales`, `compare A and B by sales`, `top 5 cars by
 * weight`.
 */
function isOrderedBy({ mention, draft }: Place): boolean {
  if (!isNumericColumn(mention)) return false;
  const { by, grouped, measures, cues, values, counted, rank, entities } = draft;
  if (cues.has(Cue.compare) && values.length > 1) return true;
  if (rank !== null) return rank.count !== null && entities.size > 0 && by.length === 0;
  const [noun, ...others] = by;
  const names = noun ? membersIn(noun, MemberKind.dimension) : [];
  const isNamed = names.length > 0 && names.every(({ member }) => member.type === 'string');
  const isNoun = cues.has(Cue.list) || cues.has(Cue.which) || (noun !== undefined && !grouped.has(noun));
  return isNamed && isNoun && others.length + measures.length === 0 && counted === null && !cues.has(Cue.histogram);
}

/**
 * Whether a mention is the measure of a ranking: after a superlative (`the highest delay`), or after `by` if the
 * ranked dimension is known.
 */
export function isRankMeasure(place: Place): boolean {
  const { mention, index, pieces, role, draft } = place;
  const { rank, by, grains } = draft;
  if (rank === null || rank.measure !== null || membersIn(mention, MemberKind.measure).length === 0) return false;
  const isKnown = by.length + grains.length > 0;
  if (role === 'by' || !isRankCue(pieces, index - 1)) return isKnown || (role === 'by' && isOrderedBy(place));
  if (isCountedNoun(place)) return false;
  const dimensions = membersIn(mention, MemberKind.dimension).filter(
    ({ member }) => member.type !== 'number' || role === 'which',
  );
  return dimensions.length === 0 || isKnown;
}

/**
 * Whether a row count names the ranked rows instead of the measure of the ranking: `the fastest cars`, `the longest
 * movie`.
 */
export function isRankedNoun({ mention, index, pieces, role, draft: { rank } }: Place): boolean {
  if (rank === null || rank.measure !== null) return false;
  // In `which teacher has the best students`, the number of students is not the measure of the ranking.
  const isWorth = rank.direction === 'best' || rank.direction === 'worst';
  // In `the best year for horror movies`, the number of movies is not the measure either.
  if (!isRankCue(pieces, index - 1)) return isWorth && role === null && rank.noun !== null && isCount(mention);
  if (!isCountAlone(mention) && !(isWorth && rank.noun !== null && isCount(mention))) return false;
  // A numeric column follows: `top 5 cars by weight`.
  const number = cueAt(pieces, index + 1) === Cue.by ? pieces[index + 2] : undefined;
  const isByNumber = number?.kind === 'mention' && isNumericColumn(number);
  return isWorth || isLengthWord(rank.word) || isByNumber;
}

/**
 * Whether `among` or `across` precedes the name of the rows, which another grouping follows: `the average size among
 * rooms in each building`.
 */
export function isPopulation({ mention, index, pieces }: Place): boolean {
  const before = pieces[index - 1];
  const isAmong = before?.kind === 'cue' && /^(?:among|across)$/.test(before.norm);
  return isAmong && isCount(mention) && cueAt(pieces, index + 1) === Cue.by;
}

/** Whether a mention names the groups to rank: `for each country, the top 2 products`. */
function isCountedNoun({ mention, draft: { rank }, isCounted }: Place): boolean {
  const isName = membersIn(mention, MemberKind.dimension).some(({ member }) => member.type === 'string');
  return rank?.noun === null && (rank.count !== null || isCounted) && isName;
}
