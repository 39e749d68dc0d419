import { Cue } from '../vocabulary/cues.js';
import { hasOwnAggregate } from './arrange-figures.js';
import { type Draft, isGroupedByTime, isPlural } from './draft.js';
import { ranks, superlative } from './draft-rules.js';
import { hasSameMember } from './mention-role.js';
import type { Piece } from './pieces.js';
import { before, type Place, type SpokenPiece } from './unclear-mentions.js';

const isBy = (piece: Piece | undefined) => piece?.kind === 'cue' && piece.cue === Cue.by;

/**
 * Whether a superlative with a grouping is ambiguous: `highest cost by department` may mean the highest cost of each
 * department, or the department with the highest cost.
 */
export function isEachExtreme({ piece, text }: SpokenPiece, { index, pieces, draft, reading }: Place): boolean {
  const { rank, by, grouped } = draft;
  if (piece.kind !== 'cue' || rank === null || rank.measure === null || !superlative.test(text)) return false;
  if (rank.noun !== null || rank.count !== null || hasOwnAggregate(rank.measure, draft)) return false;
  const isGrain = by.length === 0 && isTimeAfter(pieces.slice(index + 1), draft);
  const isAfter = isGrain || (by.length > 0 && by.every(one => grouped.has(one) && one.from >= piece.to));
  return isAfter && pieces[index + 1]?.piece === rank.measure && reading.order !== null;
}

/** Whether a granularity or a time dimension follows `by` or a similar word. */
function isTimeAfter(pieces: readonly SpokenPiece[], { times, grouped }: Draft): boolean {
  const said = pieces.map(({ piece }) => piece).filter(({ kind }) => kind === 'cue' || kind === 'mention');
  return said.some((piece, index) =>
    piece.kind === 'mention'
      ? times.includes(piece) && grouped.has(piece)
      : piece.kind === 'cue' && piece.grain !== undefined && isBy(said[index - 1]),
  );
}

/**
 * Whether a question requests the change from each interval to the next, as in `sales growth by month`. A query returns
 * only the values themselves.
 */
export function isGrowth({ text }: SpokenPiece, { index, pieces, draft, reading: { computation } }: Place): boolean {
  const isOf = /^(?:in|of)$/i.test(pieces[index + 1]?.text ?? '');
  const isNoun = /^growth$/i.test(text) || isOf || pieces[index - 1]?.piece.kind === 'mention';
  if (!/^(?:growth|increase|decrease|drop|rise|decline|change)$/i.test(text) || !isNoun) return false;
  return isGroupedByTime(draft) && computation.kind === 'none';
}

/** Whether the average of the totals of all intervals may be requested: `average monthly sales`. */
function isAverageOfTotals(text: string, value: Piece | undefined): boolean {
  return /ly$|^annual$/i.test(text) && value?.kind === 'aggregate' && value.aggregate === 'average';
}

/** Whether an aggregate precedes a unit of time: `total minutes` requests a duration. */
function isDuration(text: string, value: Piece | undefined): boolean {
  return /s$/i.test(text) && value?.kind === 'aggregate';
}

/**
 * Whether a word is a unit, an ordinal or the noun of a value, and not a granularity: `duration in minutes`, `the
 * second highest price`, `rainy days`.
 */
export function isOtherGrain({ text }: SpokenPiece, place: Place): boolean {
  const value = before(place)?.piece;
  if (isAverageOfTotals(text, value) || isDuration(text, value)) return true;
  if (/s$/i.test(text) && value?.kind === 'mention' && value.targets.some(({ kind }) => kind === 'value')) return true;
  const next = place.pieces[place.index + 1]?.piece;
  if (text.toLowerCase() === 'second' && next?.kind === 'cue' && ranks.has(next.cue)) return true;
  // In `second visit by patient`, the word is an ordinal.
  if (text.toLowerCase() === 'second' && !isBy(before(place)?.piece)) return true;
  return /^in$/i.test(before(place)?.text ?? '') && place.draft.measures.length > 0;
}

/**
 * Whether a question ranks in both directions, as in `top 5 and bottom 5`, or ranks two nouns, as in `top 5 airports
 * and top 3 species`. The answer has only one ranking.
 */
export function isSecondRank({ piece }: SpokenPiece, { draft: { cues }, pieces, index }: Place): boolean {
  if (piece.kind !== 'cue' || !ranks.has(piece.cue)) return false;
  if (piece.cue === Cue.bottom && cues.has(Cue.top)) return true;
  if (piece.cue === Cue.worst && cues.has(Cue.best)) return true;
  const isFirst = pieces.slice(0, index).every(one => one.piece.kind !== 'cue' || !ranks.has(one.piece.cue));
  return !isFirst && pieces[index + 1]?.piece.kind === 'number';
}

/** Whether a question requests one figure of several ranked rows: `the average price of the top 5 products`. */
export function isOfRanked({ index, pieces, draft }: Place): boolean {
  const { piece } = pieces[index] ?? {};
  if (piece?.kind !== 'cue' || !ranks.has(piece.cue) || draft.rank?.count == null) return false;
  const words = pieces.slice(Math.max(0, index - 2), index).map(({ text }) => text.toLowerCase());
  const isOf = words.at(-1) === 'of' || words.join(' ') === 'of the';
  const figures = [...draft.measures, draft.rank.measure].filter(one => one !== null);
  return isOf && (draft.aggregates.length > 0 || figures.some(one => hasOwnAggregate(one, draft)));
}

/**
 * Whether the whole of a share is unclear, because two groupings split it: `orders by month with the share of each
 * region`.
 */
export function isShareOfEach({ piece }: SpokenPiece, { pieces, index, reading }: Place): boolean {
  const next = pieces[index + 1];
  const { dimensions, grain } = reading;
  if (piece.kind !== 'cue' || piece.cue !== Cue.share || dimensions.length + Number(grain !== null) < 2) return false;
  return isBy(next?.piece) || /^(?:of|each)$/i.test(next?.text ?? '');
}

/**
 * Whether a question requests groups without matching rows: `which plants never failed`, `districts without overdue
 * loans`. Queries only drop rows.
 */
export function isNever({ text }: SpokenPiece, { index, pieces, draft, reading: { dimensions } }: Place): boolean {
  if (dimensions.length === 0) return false;
  if (/^(?:never|(?:has|have|had|having) no)$/i.test(text)) return true;
  const [group, value] = [pieces[index - 1]?.piece, pieces[index + 1]?.piece];
  if (!/^(?:with no|without)$/i.test(text) || group?.kind !== 'mention' || value?.kind !== 'mention') return false;
  return draft.by.includes(group) && isPlural(group) && !hasSameMember(group, value);
}

/** Whether a ranking word precedes the word: `worst first`. */
export function isAfterRank(place: Place): boolean {
  const piece = before(place)?.piece;
  return piece?.kind === 'cue' && ranks.has(piece.cue);
}

const comparing =
  /^(?:compared (?:with|to)|compare to|in comparison (?:with|to)|comparing|versus|vs|v|v s|against|than)$/i;

/**
 * Whether a ranking by frequency is read as a ranking by a figure: `most common price` is not the highest average
 * price.
 */
export function isFrequency(
  { text }: SpokenPiece,
  { index, pieces, draft: { rank }, reading: { order } }: Place,
): boolean {
  if (!/\b(?:common|frequent|popular|used|rarest)$/i.test(text) || rank === null || rank.measure === null) return false;
  const isCounted = order?.member.aggregate?.startsWith('count') ?? false;
  return pieces[index + 1]?.piece === rank.measure && !isCounted;
}

/** Whether a question compares a part with the whole, as in `fast sessions compared with all sessions`. */
export function isOfWhole({ text }: SpokenPiece, { index, pieces, reading: { computation } }: Place): boolean {
  const next = pieces.slice(index + 1).find(({ text: word }) => !/^(?:the|that|those|of|with|to)$/i.test(word));
  return (
    comparing.test(text) &&
    computation.kind === 'none' &&
    /^(?:all|every|overall|whole|entire)\b/i.test(next?.text ?? '')
  );
}
