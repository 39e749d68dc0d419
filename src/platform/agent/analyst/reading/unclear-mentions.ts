import { Cue } from '../vocabulary/cues.js';
import { isAdditive, type Member, MemberKind } from '../vocabulary/lexicon.js';
import { stemsOf } from '../vocabulary/words.js';
import { hasOwnAggregate, isCount, isNumericColumn } from './arrange-figures.js';
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
  isPartOfColumn,
  isPerValue,
  isAfterGrain,
  isPlace,
  isDescribed,
  isStated,
  isFeature,
  isFigureOfRows,
  isAdjectiveOfRows,
  isSuperlativeRow,
  isCountPer,
  isAxis,
  isOtherValue,
  isVerb,
  isQuality,
  isExtreme,
  isOtherRows,
  isSingleRow,
  isSortOrGroup,
  isRowsOrValues,
  isPooled,
  isInColumn,
  isPerRow,
  isByFigure,
  isRowsOfThreshold,
];

/**
 * Whether a question may request a ratio: `price per page` may be a price divided by the number of pages, or a price
 * grouped by the number of pages. `orders per customer` divides by the second measure.
 */
function isRatio(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  const [measure] = reading.measures;
  const text = before(place)?.text.toLowerCase();
  if (text !== 'per' && text !== 'over') return false;
  if (draft.measures.includes(mention)) return place.index > 1;
  if (text !== 'per') return false;
  if (!draft.by.includes(mention) || !isNumericColumn(mention)) return false;
  const isPlain = draft.measures.every(one => !hasOwnAggregate(one, draft));
  return isPlain && measure !== undefined && measure.aggregate !== 'count';
}

/** Whether a question requests the share of a column, which would group the answer: `tips in percent of price`. */
function isPartOfColumn(mention: Mention, place: Place): boolean {
  const previous = before(place)?.piece;
  const isOfShare = previous?.kind === 'cue' && previous.cue === Cue.share;
  return isOfShare && place.draft.by.includes(mention) && isNumericColumn(mention);
}

/**
 * Whether a question divides by the rows with a value, as in `employees per manager`. The analyst would only filter by
 * the value.
 */
function isPerValue(mention: Mention, place: Place): boolean {
  return valuesIn(mention).length > 0 && /^(?:per|each|every|for each|for every)$/i.test(before(place)?.text ?? '');
}

/** Whether a granularity precedes a noun, which then modifies it: `cost per day of stay`. */
function isAfterGrain({ targets }: Mention, { reading, pieces, index }: Place): boolean {
  const last = pieces.slice(0, index).findLast(({ piece }) => piece.kind !== 'stop')?.piece;
  const isGrain = last?.kind === 'cue' && last.grain !== undefined;
  return isGrain && targets.some(({ kind, member }) => kind === 'member' && reading.dimensions.includes(member));
}

/** Whether a mention is a singular noun after a preposition, which is not a grouping: `students who walk to school`. */
function isPlace(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  const isPreposition = /^(?:to|at|in|into|inside|from)$/i.test(before(place)?.text ?? '');
  return isPreposition && !isPlural(mention) && isNewGroup(mention, draft, reading);
}

/** Whether a mention is a noun after a value, which is not a grouping: `the rating of Acme devices`. */
function isDescribed(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  const value = before(place)?.piece;
  const isValue = value?.kind === 'mention' && value.targets.some(({ kind }) => kind === 'value');
  return isValue && draft.measures.length > 0 && isNewGroup(mention, draft, reading);
}

/**
 * Whether a mention selects a part of the rows instead of grouping by each number: `how many readings had errors`, `how
 * many products are in stock`.
 */
function isStated(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  if (!draft.by.includes(mention) || !isNumericColumn(mention)) return false;
  const previous = pieces.slice(0, index).findLast(({ piece }) => piece.kind !== 'stop')?.piece;
  if (previous?.kind === 'cue' && previous.cue === Cue.from) return isOfRows(reading);
  if (draft.counts.size === 0) return false;
  const direct = pieces[index - 1]?.piece;
  return previous?.kind === 'mention' || (direct?.kind === 'cue' && direct.cue === Cue.with);
}

/** Whether a mention selects some of the rows instead of grouping all rows: `strikes with damage`. */
function isFeature(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const rows = pieces[index - 2]?.piece;
  if (rows?.kind !== 'mention' || isPlural(mention) || !isOfRows(reading)) return false;
  if (!/^(?:with|having|had)$/i.test(pieces[index - 1]?.text ?? '')) return false;
  // `flights to Denver with delay` does not group by the delay.
  if (draft.values.some(one => one.mention === rows))
    return mention.targets.some(({ member }) => reading.dimensions.includes(member));
  return draft.measures.includes(rows) && isNewGroup(mention, draft, reading);
}

/**
 * Whether a measure selects some of the rows instead of being requested: `students with fines` may mean the students
 * that have a fine.
 */
function isFigureOfRows(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const rows = pieces[index - 2]?.piece;
  if (rows?.kind !== 'mention' || !/^(?:with|having|had)$/i.test(pieces[index - 1]?.text ?? '')) return false;
  if (!draft.measures.includes(mention) || isCount(mention) || hasOwnAggregate(mention, draft)) return false;
  const isValue = draft.values.some(one => one.mention === rows);
  return isValue || (isCount(rows) && reading.dimensions.length === 0 && reading.grain === null);
}

/**
 * Whether an adjective before the rows describes them, although it is read as a grouping: `discounted orders by region`
 * with a column Discount, `the average score of critical inspections` with a column Critical.
 */
function isAdjectiveOfRows(mention: Mention, place: Place): boolean {
  const { draft, reading, pieces, index } = place;
  const rows = pieces[index + 1]?.piece;
  if (rows?.kind !== 'mention' || !isCount(rows)) return false;
  const isOf = /^of$/i.test(before(place)?.text ?? '') && draft.measures.length > 0 && !isPlural(mention);
  if (isOf && !isOfRows(reading)) return mention.targets.some(({ member }) => reading.dimensions.includes(member));
  if (!/^\S+ed$/i.test(mention.text)) return false;
  const isTitle = mention.targets.some(({ member }) => member.title.toLowerCase().includes(mention.text.toLowerCase()));
  return !isTitle && isNewGroup(mention, draft, reading);
}

/** Whether a measure such as Longest duration is read for `the longest sessions`, which requests rows. */
function isSuperlativeRow(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const rows = pieces[index + 1]?.piece;
  if (mention !== draft.superlative || !/^\S+$/.test(mention.text) || rows?.kind !== 'mention') return false;
  return isCount(rows) && reading.dimensions.length === 0 && reading.grain === null;
}

const isOfRows = ({ measures }: Reading) => measures.every(({ aggregate }) => aggregate === 'count');

/**
 * Whether a question requests the number of a dimension's values per group, not the rows of each value: `devices per
 * site`.
 */
function isCountPer(mention: Mention, place: Place): boolean {
  const { draft, reading, index, pieces } = place;
  const isPer =
    pieces[index + 1]?.piece.kind === 'cue' &&
    /^(?:per|for each|for every|in each|each)$/i.test(pieces[index + 1]?.text ?? '');
  return (
    isPer && index === 0 && draft.measures.every(isCount) && isPlural(mention) && isNewGroup(mention, draft, reading)
  );
}

/**
 * Whether the second of two columns may be a grouping or a measure, as in `origin by cylinders` or `order date by
 * sales`. `cities by sales` is clear, because the plural requests a list of cities.
 */
function isAxis(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const { rank, cues, times } = draft;
  const previous = pieces[index - 2]?.piece;
  if (previous?.kind !== 'mention' || ![...draft.by, ...times].includes(previous) || isPlural(previous)) return false;
  if (draft.grouped.has(previous) || rank !== null || cues.has(Cue.compare) || cues.has(Cue.which)) return false;
  const isBy = /^by$/i.test(pieces[index - 1]?.text ?? '');
  return (
    isBy &&
    isNumericColumn(mention) &&
    (times.includes(previous) || reading.measures.some(one => mention.targets.some(({ member }) => member === one)))
  );
}

/**
 * Whether a second value of a column lacks a joining word such as `or`, as in `how many deaths were homicides`. Two
 * values select the rows of both only with such a word.
 */
function isOtherValue(mention: Mention, { draft, pieces, index }: Place): boolean {
  const members = valuesIn(mention);
  const earlier = pieces.slice(0, index).findLastIndex(({ piece }) => isValueOf(piece, members));
  if (earlier < 0 || draft.values.some(one => one.mention === mention && one.isExcluded)) return false;
  const between = pieces.slice(earlier + 1, index);
  const isJoined =
    between.some(({ piece }) => piece.kind === 'cue' && !separating.has(piece.cue)) ||
    pieces[earlier]?.text.endsWith(',') ||
    mention.text.startsWith(',');
  return !isJoined && !draft.cues.has(Cue.compare) && !draft.cues.has(Cue.comparative);
}

/** Cues that do not join two values of a column: `from Berlin to Paris`. */
const separating: ReadonlySet<Cue> = new Set([Cue.with, Cue.by, Cue.from, Cue.toward]);

function valuesIn({ targets }: Mention): readonly string[] {
  return targets.flatMap(target => (target.kind === 'value' ? [target.member.name] : []));
}

function isValueOf(piece: Piece, members: readonly string[]): boolean {
  return piece.kind === 'mention' && valuesIn(piece).some(name => members.includes(name));
}

/**
 * Whether a mention is a verb, which is neither the counted column nor the whole of a share: `how many embarked in
 * York`, `what percent of women survived`.
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

/** Whether a question requests a degree instead of selecting rows: `how late are flights`. */
function isQuality(mention: Mention, place: Place): boolean {
  const { segments, by } = place.draft;
  return (
    /^how$/i.test(before(place)?.text ?? '') && [...segments, ...by].includes(mention) && !isNumericColumn(mention)
  );
}

/**
 * Whether an aggregate requests the extreme value of a column: for a column `Temperature max`, `max temperature`
 * requests the highest value, not the sum or average.
 */
function isExtreme({ text, targets }: Mention, { reading: { measures } }: Place): boolean {
  if (!/^(?:max|min)/i.test(text)) return false;
  return measures.some(
    ({ aggregate, title, ...measure }) =>
      (aggregate === 'total' || aggregate === 'average') &&
      !title.toLowerCase().startsWith(text.toLowerCase()) &&
      targets.some(({ member }) => member.name === measure.name),
  );
}

/**
 * Whether a filter belongs to only one of two measures, as in `flights and late flights by month`. The reading would
 * apply the filter to both.
 */
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

/** Whether a mention requests one row, as in `the airline with the code UA`. A row count of 1 does not answer this. */
function isSingleRow(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  if (!draft.measures.includes(mention) || draft.counts.has(mention) || draft.countsRows || isPlural(mention))
    return false;
  const isOnlyCount = isOfRows(reading) && reading.dimensions.length === 0 && reading.grain === null;
  const isOfValue = draft.values.length > 0 && reading.computation.kind === 'none';
  return isOnlyCount && isOfValue && /^the$/i.test(before(place)?.text ?? '');
}

/** Whether a column may group the answer or only order it: `sales by region, by name in descending order`. */
function isSortOrGroup(mention: Mention, { draft, reading, pieces, index }: Place): boolean {
  const { by, grouped, sort } = draft;
  const next = pieces.slice(index + 1).find(({ piece }) => piece.kind !== 'stop')?.piece;
  const isDirection = next?.kind === 'cue' && (next.cue === Cue.ascending || next.cue === Cue.descending);
  if (!isDirection || sort === null || sort.mention !== null || !by.includes(mention)) return false;
  return grouped.has(mention) && reading.dimensions.length > 1;
}

/**
 * Whether a row count may also be the number of distinct values of a column with the same name: `how many countries` in
 * a table of countries and years.
 */
function isRowsOrValues({ stems, targets }: Mention, { reading: { measures } }: Place): boolean {
  const isRows = measures.some(({ aggregate, name }) => aggregate === 'count' && targets.some(isOf(name)));
  return isRows && targets.some(({ member }) => isColumn(member) && stemsOf(member.title).join() === stems.join());
}

const isOf =
  (name: string) =>
  ({ member }: Mention['targets'][number]) =>
    member.name === name;

// Exclude the columns `name`, `title` and `label`, because they name the rows.
const isColumn = ({ kind, type, isPrimaryKey, name }: Member) =>
  kind === MemberKind.dimension && type === 'string' && !isPrimaryKey && !/\.(?:name|title|label)$/.test(name);

/**
 * Whether the average of two values may be requested for each of them: `life expectancy in China and India`. Sums and
 * counts can be added up, so they may be requested for both.
 */
function isPooled(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  if (!/^and$/i.test(before(place)?.text ?? '') || !draft.values.some(one => one.mention === mention)) return false;
  const isSelected = reading.conditions.some(
    ({ member, operator, values }) =>
      operator === 'equals' &&
      values.length > 1 &&
      !reading.dimensions.includes(member) &&
      valuesIn(mention).includes(member.name),
  );
  return isSelected && reading.measures.some(measure => !isAdditive(measure));
}

/**
 * Whether a numeric column may be a measure instead of the grouping of a row count: `how do penguins of each sex
 * compare in body mass`.
 */
function isInColumn(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  if (!draft.by.includes(mention) || !isNumericColumn(mention) || !isOfRows(reading)) return false;
  return /^(?:in|where|whose)$/i.test(before(place)?.text ?? '') && draft.counts.size === 0 && !draft.countsRows;
}

/** Whether a grouping only names the rows of an average: `average energy use per building by city`. */
function isPerRow(mention: Mention, place: Place): boolean {
  const { reading } = place;
  const isRow = mention.targets.some(({ member }) => member.isPrimaryKey && reading.dimensions.includes(member));
  const isPer = /^(?:per|for each|of each)$/i.test(before(place)?.text ?? '');
  return (
    isRow && isPer && reading.dimensions.length > 1 && reading.measures.some(({ aggregate }) => aggregate === 'average')
  );
}

/** Whether a measure follows `by`, but neither groups nor orders the answer: `films by rating`. */
function isByFigure(mention: Mention, place: Place): boolean {
  const { draft, reading } = place;
  if (!/^by$/i.test(before(place)?.text ?? '') || !draft.measures.includes(mention)) return false;
  return reading.dimensions.length === 0 && reading.grain === null && reading.order === null;
}

/**
 * Whether a condition on a measure may select rows instead of the groups of the answer: `films with a rating over 8 by
 * genre` may count films.
 */
function isRowsOfThreshold(mention: Mention, place: Place): boolean {
  const { draft, reading, pieces, index } = place;
  const next = pieces[index + 1]?.piece;
  if (!isCount(mention) || !draft.measures.includes(mention) || next?.kind !== 'cue' || next.cue !== Cue.with)
    return false;
  const isOfFigure = reading.conditions.some(
    ({ member }) => member.kind === MemberKind.measure && !mention.targets.some(isOf(member.name)),
  );
  // `products with more than 100 orders` names the groups, and films are their own groups.
  const isGroup = reading.dimensions.some(one => one.isPrimaryKey || mention.targets.some(isOf(one.name)));
  return isOfFigure && !isGroup;
}

/** Whether a mention groups the rows although the question does not request a grouping. */
function isNewGroup(mention: Mention, { by, grouped }: Draft, { dimensions }: Reading): boolean {
  if (!by.includes(mention) || grouped.has(mention)) return false;
  return mention.targets.some(({ member }) => dimensions.includes(member));
}
