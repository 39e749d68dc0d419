import { Cue } from '../vocabulary/cues.js';
import { hasOwnAggregate, isNumericColumn } from './arrange-figures.js';
import { type Draft, isPlural } from './draft.js';
import type { Mention, Piece } from './pieces.js';
import type { Reading } from './reading.js';

/** A span of a question with its words. */
export interface SpokenPiece {
  readonly piece: Piece;
  readonly text: string;
}

/** A span with all spans of the question and the reading. */
export interface Place {
  readonly index: number;
  readonly pieces: readonly SpokenPiece[];
  readonly draft: Draft;
  readonly reading: Reading;
}

/** Returns the previous span. */
export const before = ({ pieces, index }: Place) => pieces[index - 1];

/** Whether the role of a mention in the reading is not clear from the question. */
export function isUnclear(mention: Mention, place: Place): boolean {
  return unclear.some(isOne => isOne(mention, place));
}

const unclear: readonly ((mention: Mention, place: Place) => boolean)[] = [
  isRatio,
  isPlace,
  isDescribed,
  isStated,
  isFeature,
  isCountPer,
  isAxis,
  isOtherValue,
  isVerb,
  isQuality,
  isExtreme,
  isOtherRows,
];

/** `price per page` may be a price divided by pages, or a price grouped by the number of pages. */
function isRatio(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  const [measure] = reading.measures;
  if (before(place)?.text.toLowerCase() !== 'per' || !draft.by.includes(mention) || !isNumericColumn(mention))
    return false;
  const isPlain = draft.measures.every(one => !hasOwnAggregate(one, draft));
  return isPlain && measure !== undefined && measure.aggregate !== 'count';
}

/** `students who walk to school`: a singular noun after a preposition is not a grouping. */
function isPlace(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  const isPreposition = /^(?:to|at|in|into|inside|from)$/i.test(before(place)?.text ?? '');
  return isPreposition && !isPlural(mention) && isNewGroup(mention, draft, reading);
}

/** `the rating of Acme devices`: a noun after a value is not a grouping. */
function isDescribed(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  const value = before(place)?.piece;
  const isValue = value?.kind === 'mention' && value.targets.some(({ kind }) => kind === 'value');
  return isValue && draft.measures.length > 0 && isNewGroup(mention, draft, reading);
}

/**
 * `how many readings had errors`, `how many products are in stock`: requests a part of the rows, not a grouping by each
 * number.
 */
function isStated(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  if (!draft.by.includes(mention) || !isNumericColumn(mention)) return false;
  const previous = pieces.slice(0, index).findLast(({ piece }) => piece.kind !== 'stop')?.piece;
  if (previous?.kind === 'cue' && previous.cue === Cue.from) return isOfRows(reading);
  if (draft.counts.size === 0) return false;
  const direct = pieces[index - 1]?.piece;
  return previous?.kind === 'mention' || (direct?.kind === 'cue' && direct.cue === Cue.with);
}

/** `strikes with damage` requests some of the rows, not a grouping of all rows by `damage`. */
function isFeature(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const rows = pieces[index - 2]?.piece;
  if (rows?.kind !== 'mention' || !draft.measures.includes(rows) || isPlural(mention) || !isOfRows(reading))
    return false;
  return /^(?:with|having|had)$/i.test(pieces[index - 1]?.text ?? '') && isNewGroup(mention, draft, reading);
}

const isOfRows = ({ measures }: Reading) => measures.every(({ aggregate }) => aggregate === 'count');

/** `devices per site`: requests the number of devices, not the rows of each device. */
function isCountPer(mention: Mention, place: Place): boolean {
  const { draft, reading, index, pieces } = place;
  const isPer =
    pieces[index + 1]?.piece.kind === 'cue' &&
    /^(?:per|for each|for every|in each|each)$/i.test(pieces[index + 1]?.text ?? '');
  return (
    isPer && index === 0 && draft.measures.length === 0 && isPlural(mention) && isNewGroup(mention, draft, reading)
  );
}

/**
 * `origin by cylinders`: the second column may be a grouping or a measure. `cities by sales` is clear, because the
 * plural requests a list of cities.
 */
function isAxis(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const { rank, cues } = draft;
  const previous = pieces[index - 2]?.piece;
  if (previous?.kind !== 'mention' || !draft.by.includes(previous) || isPlural(previous)) return false;
  if (draft.grouped.has(previous) || rank !== null || cues.has(Cue.compare) || cues.has(Cue.which)) return false;
  const isBy = /^by$/i.test(pieces[index - 1]?.text ?? '');
  return (
    isBy &&
    isNumericColumn(mention) &&
    reading.measures.some(one => mention.targets.some(({ member }) => member === one))
  );
}

/**
 * `how many deaths were homicides`: two values of a column select the rows of both only if a word such as `or` joins
 * them.
 */
function isOtherValue(mention: Mention, { draft, pieces, index }: Place): boolean {
  const members = valuesIn(mention);
  const earlier = pieces.slice(0, index).findLastIndex(({ piece }) => isValueOf(piece, members));
  if (earlier < 0 || draft.values.some(one => one.mention === mention && one.isExcluded)) return false;
  const between = pieces.slice(earlier + 1, index);
  const isJoined = between.some(({ piece }) => piece.kind === 'cue' && piece.cue !== Cue.with && piece.cue !== Cue.by);
  return !isJoined && between.length > 0 && !draft.cues.has(Cue.compare) && !draft.cues.has(Cue.comparative);
}

function valuesIn({ targets }: Mention): readonly string[] {
  return targets.flatMap(target => (target.kind === 'value' ? [target.member.name] : []));
}

function isValueOf(piece: Piece, members: readonly string[]): boolean {
  return piece.kind === 'mention' && valuesIn(piece).some(name => members.includes(name));
}

/**
 * `how many embarked in York`, `what percent of women survived`: a verb is neither the counted column nor the whole of
 * a share.
 */
function isVerb(mention: Mention, { draft }: Place): boolean {
  const [first, ...others] = mention.text.split(' ');
  if (others.length > 0 || !/[^e]ed$/i.test(first ?? '')) return false;
  const isPart =
    draft.cues.has(Cue.share) &&
    draft.measures.includes(mention) &&
    draft.values.some(one => one.mention.to <= mention.from);
  return draft.counted === mention || isPart;
}

/** `how late are flights` requests a degree, not the rows that are late. */
function isQuality(mention: Mention, place: Place): boolean {
  const { segments, by } = place.draft;
  return (
    /^how$/i.test(before(place)?.text ?? '') && [...segments, ...by].includes(mention) && !isNumericColumn(mention)
  );
}

/** `max temperature` requests the highest value of a column `Temperature max`, not the sum or average of its values. */
function isExtreme({ text, targets }: Mention, { reading: { measures } }: Place): boolean {
  if (!/^(?:max|min)/i.test(text)) return false;
  return measures.some(
    ({ aggregate, title, ...measure }) =>
      (aggregate === 'total' || aggregate === 'average') &&
      !title.toLowerCase().startsWith(text.toLowerCase()) &&
      targets.some(({ member }) => member.name === measure.name),
  );
}

/** `flights and late flights by month`: the reading would apply the filter to both figures. */
function isOtherRows(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const [figure, join] = [pieces[index - 2]?.piece, pieces[index - 1]?.piece];
  const isJoined = join?.kind === 'cue' && join.cue === Cue.and && figure?.kind === 'mention';
  return (
    isJoined &&
    draft.segments.includes(mention) &&
    draft.measures.includes(figure) &&
    reading.computation.kind !== 'compare rows'
  );
}

/** Whether a mention groups the rows, although the question does not say so. */
function isNewGroup(mention: Mention, { by, grouped }: Draft, { dimensions }: Reading): boolean {
  if (!by.includes(mention) || grouped.has(mention)) return false;
  return mention.targets.some(({ member }) => dimensions.includes(member));
}
