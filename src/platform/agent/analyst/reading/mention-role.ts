import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { isCount, isNumericColumn } from './arrange-figures.js';
import { type Draft, membersIn } from './draft.js';
import { isCountAlone, isLengthWord, ranks } from './draft-rules.js';
import type { Mention, Piece } from './pieces.js';

/** Role of the next mention: after `by`, `which`, `how many` or `sort by`. */
export type Role = 'by' | 'which' | 'count' | 'sort' | null;

/** A mention with what precedes it. */
export interface Place {
  readonly mention: Mention;
  readonly index: number;
  readonly pieces: readonly Piece[];
  readonly role: Role;
  readonly draft: Omit<Draft, 'aim'>;
  /** Whether a number precedes the mention that may be a row count. */
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
  // `flights per month, and what was the average delay`
  const isQuestion = before === Cue.which && cueAt(pieces, index - 2) === Cue.and;
  return isQuestion || before === Cue.and || here === Cue.and;
}

function isRankCue(pieces: readonly Piece[], index: number): boolean {
  const piece = pieces[index];
  return piece?.kind === 'cue' ? ranks.has(piece.cue) : piece?.kind === 'number' && isRankCue(pieces, index - 1);
}

/** `R rated movies`, `movies rated R`: a word for the column of an adjacent value. */
export function isParticipleOfValue(mention: Mention, index: number, pieces: readonly Piece[]): boolean {
  if (!/ed$/i.test(mention.text)) return false;
  return [pieces[index - 1], pieces[index + 1]].some(
    piece =>
      piece?.kind === 'mention' &&
      (piece.to === mention.from || piece.from === mention.to) &&
      piece.targets.some(
        ({ kind, member }) => kind === 'value' && mention.targets.some(target => target.member === member),
      ),
  );
}

/** `quantity ordered by category`: the participle describes the figure, unless the column is already shown. */
export function isNewGrouping(piece: Piece | undefined, { by }: Pick<Draft, 'by'>): boolean {
  if (piece?.kind !== 'mention' || piece.targets.some(({ member }) => member.type !== 'string')) return false;
  return !by.some(other => other.stems.join() === piece.stems.join());
}

/** Whether a mention that may be both a dimension and a measure is a dimension. */
export function isDimension(place: Place): boolean {
  const { mention, index, pieces, role, draft } = place;
  const { rank, by, grains } = draft;
  const dimensions = membersIn(mention, MemberKind.dimension);
  if (membersIn(mention, MemberKind.measure).length === 0) return true;
  // `what percent of movies are dramas`: the number of rows.
  if (cueAt(pieces, index - 1) === Cue.share && isCount(mention)) return false;
  const isKnown = by.length + grains.length > 0;
  // `top 5 cities by delay`: the ranked dimension is already known.
  if (role === 'by') return !(rank !== null && isKnown) && dimensions.length > 0 && !isOrderedBy(place);
  // In `what is the weight` a number is a figure, in `what weight has the highest price` it is ranked.
  if (role === 'which' && (!isNumericColumn(mention) || isRankedColumn(place))) return dimensions.length > 0;
  if (role === 'count') return false;
  const isAfterRank = isRankCue(pieces, index - 1);
  if (isAfterRank && isCountedNoun(place)) return true;
  if (rank !== null && !isKnown && (isAfterRank || isRankCue(pieces, index - 2))) return true;
  const worth = (kind: MemberKind) => Math.max(0, ...membersIn(mention, kind).map(({ quality }) => quality));
  return worth(MemberKind.dimension) > worth(MemberKind.measure) + 0.15;
}

/** `which year level has the highest score`: a numeric column right after the question word, before a ranking. */
function isRankedColumn({ index, pieces }: Place): boolean {
  const before = pieces[index - 1];
  const isDeterminer = before?.kind === 'cue' && before.cue === Cue.which && before.to - before.from === 1;
  const rank = pieces.findIndex((piece, at) => at > index && piece.kind === 'cue' && ranks.has(piece.cue));
  return isDeterminer && rank > index && pieces.slice(rank).some(({ kind }) => kind === 'mention');
}

/** `list cities by sales`, `compare A and B by sales`, `top 5 cars by weight`: a number that orders rows or groups. */
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

/** `the fastest cars`, `the longest movie`: rows, whose number does not measure what is ranked. */
export function isRankedNoun({ mention, index, pieces, draft: { rank } }: Place): boolean {
  if (rank === null || rank.measure !== null || !isRankCue(pieces, index - 1)) return false;
  // `which teacher has the best students`: their number does not measure what is best.
  const isWorth = rank.direction === 'best' || rank.direction === 'worst';
  if (!isCountAlone(mention) && !(isWorth && rank.noun !== null && isCount(mention))) return false;
  // `top 5 cars by weight`
  const number = cueAt(pieces, index + 1) === Cue.by ? pieces[index + 2] : undefined;
  const isByNumber = number?.kind === 'mention' && isNumericColumn(number);
  return isWorth || isLengthWord(rank.word) || isByNumber;
}

/** `for each country, the top 2 products`: a number of groups to rank. */
function isCountedNoun({ mention, draft: { rank }, isCounted }: Place): boolean {
  const isName = membersIn(mention, MemberKind.dimension).some(({ member }) => member.type === 'string');
  return rank?.noun === null && (rank.count !== null || isCounted) && isName;
}
