import { Cue, isOrdinal } from '../vocabulary/cues.js';
import { isConnectingWord } from '../vocabulary/empty-words.js';
import type { Lexicon, Member } from '../vocabulary/lexicon.js';
import { isRowCount, isShare, MemberKind } from '../vocabulary/lexicon.js';
import { normalize, stemOf } from '../vocabulary/words.js';
import { hasOwnAggregate, isCount, isNumericColumn } from './arrange-figures.js';
import { type Draft, isPlural } from './draft.js';
import { hasSameMember } from './mention-role.js';
import type { Mention, Piece } from './pieces.js';
import { ChartKind, type Reading } from './reading.js';
import {
  isAfterRank,
  isEachExtreme,
  isFrequency,
  isGrowth,
  isNever,
  isOfRanked,
  isOfWhole,
  isOtherGrain,
  isSecondRank,
  isShareOfEach,
} from './unclear-cues.js';
import { isUnclearFigure } from './unclear-figures.js';
import { before, isUnclear, type Place, type SpokenPiece } from './unclear-mentions.js';
import { isBoth, isPooledPeriod, isQuestionWord } from './unclear-words.js';

/**
 * Returns the text of the pieces that are not part of the reading. The measures, groupings, conditions, period,
 * comparison, order, limit and chart must account for every word with content. Otherwise, the answer would ignore the
 * word.
 */
export function unaccounted(
  pieces: readonly SpokenPiece[],
  draft: Draft,
  reading: Reading,
  lexicon: Lexicon,
): readonly string[] {
  const members = membersOf(reading);
  return pieces
    .filter(({ piece, text }, index) => {
      const place = { index, pieces, draft, reading };
      if (piece.kind === 'mention')
        return (
          !isMentioned(piece, draft, { reading, members, lexicon }) ||
          isUnconnected(piece, index, pieces, { draft, reading }) ||
          isWordOfTitle(piece, place, lexicon) ||
          isWordOfOthers(piece, place, lexicon) ||
          isUnclear(piece, place) ||
          isUnclearFigure(piece, place)
        );
      if ((piece.kind === 'stop' || piece.kind === 'cue') && isOtherAxis(text, place)) return true;
      if (piece.kind === 'stop') return isMeaningful(text, place, lexicon);
      if (piece.kind === 'cue') return isUnused({ piece, text }, piece, place);
      if (piece.kind === 'date') return isPooledPeriod({ piece, text }, place);
      const isRanked = reading.order !== null && draft.rank !== null;
      if (piece.kind !== 'aggregate' || isRanked) return false;
      if (piece.aggregate === 'count') return !isCounted(place);
      return !isAggregated(piece.aggregate, members) || isOfGrouping(place);
    })
    .map(({ text }) => text);
}

/** Whether a word that usually adds nothing to a question changes the meaning of this one. */
function isMeaningful(text: string, place: Place, lexicon: Lexicon): boolean {
  return (
    (eachRow.test(text) && !isGrouped(place)) ||
    isGroupWord(text, place) ||
    isQuestionWord(text, place) ||
    isBoth(text, place) ||
    isAdjective(text, place) ||
    isDeparture(text, place, lexicon) ||
    isVerbOfFigure(text, place, lexicon)
  );
}

/**
 * Whether a question sorts by the other axis: `sort by the x axis` requests an order by the grouping, and `sort by the
 * y axis` an order by the figure.
 */
function isOtherAxis(text: string, { index, pieces, draft, reading: { order } }: Place): boolean {
  const [, axis] = /^(?:on the )?([xy])(?: axis|-axis)?$/i.exec(text) ?? [];
  const isOrder = ({ piece }: SpokenPiece) => piece.kind === 'cue' && sorts.has(piece.cue);
  const next = pieces.slice(index + 1).find(({ piece }) => piece.kind !== 'stop' && !isFrom(piece));
  const isSort = pieces.slice(0, index).some(isOrder) || (next !== undefined && isOrder(next));
  if (axis === undefined || draft.sort === null || draft.sort.mention !== null || !isSort) return false;
  const kind = axis.toLowerCase() === 'x' ? MemberKind.dimension : MemberKind.measure;
  return order?.member.kind !== kind;
}

const isStop = (piece: Piece | undefined) => piece === undefined || piece.kind === 'stop';
const isFrom = (piece: Piece) => piece.kind === 'cue' && piece.cue === Cue.from;

const sorts: ReadonlySet<Cue> = new Set([Cue.sort, Cue.ascending, Cue.descending]);

/**
 * Matches words that request a value for each row, as in `how much do various cars weigh`. One total does not answer
 * such a question.
 */
const eachRow = /^(?:various|different|individual)$/i;

/**
 * Whether a word requests ranges of a number, as in `age groups`. A grouping by each number does not answer the
 * question.
 */
function isGroupWord(text: string, { index, pieces, draft }: Place): boolean {
  const before = pieces[index - 1]?.piece;
  return /^groups?$/i.test(text) && before?.kind === 'mention' && draft.by.includes(before) && isNumericColumn(before);
}

const changing: ReadonlySet<string> = new Set(['no', 'but', 'times', 'current', 'actual']);

/**
 * Whether a word before a noun changes its meaning, as in `sold tickets`, `no tickets`, `current customers` and `price
 * times quantity`. After the noun, a participle only connects words: `tickets sold by city`.
 */
function isAdjective(text: string, { index, pieces }: Place): boolean {
  const norm = normalize(text);
  const isParticiple = isConnectingWord(norm) && /(?:ed|ld|id|rn|wn|en)$/.test(norm);
  if (!isParticiple && !changing.has(norm)) return false;
  const next = pieces.slice(index + 1).find(({ text: word }) => !/^(?:out|up|off)$/i.test(word))?.piece;
  if (next?.kind !== 'mention') return false;
  // `no comics` and `all genres but comics` exclude a value.
  return norm === 'no' || norm === 'but' || next.targets.some(({ kind }) => kind === 'member');
}

/**
 * Whether a verb selects some of the rows, as in `employees who left`. It only connects words before a place (`flights
 * that left Denver`), and before a date if the model has no other date that it may refer to.
 */
function isDeparture(text: string, { index, pieces }: Place, { members }: Lexicon): boolean {
  if (!/^(?:left|leaves?|gone|went)$/i.test(text)) return false;
  const next = pieces.slice(index + 1).find(({ piece }) => piece.kind !== 'stop')?.piece;
  if (next?.kind === 'mention' || (next?.kind === 'cue' && (isFrom(next) || next.cue === Cue.toward))) return false;
  return next?.kind !== 'date' || [...members.values()].filter(({ type }) => type === 'time').length > 1;
}

/** Verbs that refer to an amount instead of a number of rows. */
const amounts = /^(?:produced?|made|sold|bought|purchased|used|paid|took|spent|earned)$/;

/**
 * Whether a verb may refer to a measure instead of the row count, such as `sold` in `how many books were sold` if the
 * model has a measure Copies sold.
 */
function isVerbOfFigure(
  text: string,
  { draft, reading: { measures } }: Pick<Place, 'draft' | 'reading'>,
  { byStem }: Lexicon,
): boolean {
  const norm = normalize(text);
  if (!isConnectingWord(norm) || !measures.every(({ aggregate }) => aggregate === 'count')) return false;
  // The question does not name the ranked measure: `which plant produced the most`.
  if (draft.rank?.measure === null && draft.measures.length === 0 && amounts.test(norm)) return true;
  return (byStem.get(stemOf(norm)) ?? []).some(
    ({ member }) => member.kind === MemberKind.measure && !measures.includes(member),
  );
}

/**
 * Whether a value describes rows that are joined to the counted rows: `new customers` if only orders have the status
 * `new`.
 */
function isWordOfOthers({ targets }: Mention, { index, pieces, reading }: Place, { cubes }: Lexicon): boolean {
  const next = pieces[index + 1]?.piece;
  if (next?.kind !== 'mention') return false;
  const counted = reading.measures.find(measure => next.targets.some(({ member }) => member === measure));
  const joining = cubes.filter(({ joins }) => joins?.some(({ name }) => name === counted?.cube));
  return targets.some(({ kind, member }) => kind === 'value' && joining.some(({ name }) => name === member.cube));
}

/**
 * Whether a value may also be a word of a date's title: `orders shipped in May` if the model has a column Shipping
 * date. A plural such as `deaths` may mean a value or all rows.
 */
function isWordOfTitle(mention: Mention, place: Place, { byStem }: Lexicon): boolean {
  const { draft, reading } = place;
  const { time } = reading;
  const [stem = '', ...others] = mention.stems;
  const own = mention.targets.flatMap(target => (target.kind === 'value' ? [target.member] : []));
  const isNamed = [...draft.values.map(value => value.mention), ...draft.by, ...draft.entities].some(
    other => other.stems[0] !== stem && other.targets.some(({ member }) => own.includes(member)),
  );
  // `orders that have not been shipped` may have no shipping date.
  const isOpen = isPlural(mention) || /^been$/i.test(before(place)?.text ?? '');
  if (own.length === 0 || others.length > 0 || isNamed || (time === null && !isOpen)) return false;
  return (byStem.get(stem) ?? []).some(({ member }) => member.type === 'time' && (isOpen || member !== time));
}

/**
 * Whether a question subtracts measures, as in `the difference between sales and costs`. The analyst can compare two
 * measures, but it cannot subtract them.
 */
function isDifference({ piece, text }: SpokenPiece, { reading, draft }: Place): boolean {
  const use = { reading, draft, grain: undefined };
  return piece.kind === 'cue' && /^difference between$/i.test(text) && !isCompared(use) && !isChosen(use);
}

/** Whether a reading counts rows or lists values, or whether `count` is part of the name of a numeric column. */
function isCounted(place: Place): boolean {
  const { measures } = place.reading;
  const named = before(place)?.piece;
  if (named?.kind === 'mention' && isNumericColumn(named) && place.draft.by.includes(named)) return true;
  return measures.length === 0 || measures.some(({ aggregate }) => aggregate === null || aggregate.startsWith('count'));
}

const connections: ReadonlySet<Cue> = new Set([
  Cue.and,
  Cue.compare,
  Cue.with,
  Cue.also,
  Cue.what,
  Cue.which,
  Cue.scatter,
  Cue.between,
  Cue.by,
  Cue.over,
]);

/**
 * Whether no word joins a mention to the previous one, as in `by model year`. Without a joining word, one of two
 * groupings or measures only modifies the other.
 */
function isUnconnected(
  mention: Mention,
  index: number,
  pieces: readonly SpokenPiece[],
  { draft, reading }: { readonly draft: Draft; readonly reading: Reading },
): boolean {
  const { grouped, grains, measures, rank, times } = draft;
  // Ignore dimensions that are only conditions: `high priority tickets`.
  const by = draft.by.filter(({ targets }) => targets.some(({ member }) => reading.dimensions.includes(member)));
  const before = pieces.slice(0, index).findLastIndex(({ piece }) => piece.kind === 'mention');
  const previous = pieces[before]?.piece;
  if (previous?.kind !== 'mention' || hasSameMember(previous, mention)) return false;
  const between = pieces.slice(before + 1, index).map(({ piece }) => piece);
  const isJoined = between.some(({ kind, ...piece }) => kind === 'cue' && 'cue' in piece && connections.has(piece.cue));
  if (isJoined) return false;
  if ([...by, ...times].includes(mention) && by.includes(previous) && between.length === 0) return true;
  // A grouping directly before a measure only modifies the measure: `model weights over the years`.
  const isModified = by.includes(previous) && !grouped.has(previous) && between.length === 0;
  // If another grouping follows `by`, a dimension without `by` only modifies a word: `number of car models by origin`.
  if (by.includes(mention) && !grouped.has(mention) && by.some(other => grouped.has(other))) return true;
  if (isModified && measures.includes(mention) && by.length + grains.length + times.length > 1) return true;
  // Two measures need no joining word if each has its own aggregate: `sum(profit), sum(sales)`.
  const isFigure = (one: Mention) => measures.includes(one) && !isCount(one) && !hasOwnAggregate(one, draft);
  return rank === null && isFigure(mention) && isFigure(previous);
}

function membersOf({
  measures,
  dimensions,
  segments,
  conditions,
  time,
  order,
  computation,
}: Reading): ReadonlySet<Member> {
  return new Set([
    ...measures,
    ...dimensions,
    ...segments,
    ...conditions.map(({ member }) => member),
    ...(time ? [time] : []),
    ...(order ? [order.member] : []),
    ...(computation.kind === 'compare rows' ? [...computation.against.measures, ...computation.against.segments] : []),
  ]);
}

interface Known {
  readonly reading: Reading;
  readonly members: ReadonlySet<Member>;
  readonly lexicon: Lexicon;
}

function isMentioned(mention: Mention, draft: Draft, { reading, members, lexicon }: Known): boolean {
  const { targets, stems } = mention;
  const isPart = targets.some(target =>
    target.kind === 'value'
      ? reading.conditions.some(({ member, values }) => member === target.member && values.includes(target.value))
      : members.has(target.member),
  );
  if (isPart || draft.entities.has(mention)) return true;
  if (draft.sort?.mention === mention && reading.order !== null) return true;
  // Several mentions together may name one member: `flights that were on time`.
  const isPartOfName = (lexicon.byStem.get(stems[0] ?? '') ?? []).some(
    phrase => members.has(phrase.member) && stems.every(stem => phrase.stems.includes(stem)),
  );
  return isPartOfName || isNounOfRows(mention, draft, { members, lexicon });
}

/**
 * Whether a row count only names the rows: `flights` in `the average delay of flights`. After `how many`, the row count
 * is a measure.
 */
function isNounOfRows(
  mention: Mention,
  { counts, joined }: Draft,
  { members, lexicon }: Pick<Known, 'members' | 'lexicon'>,
): boolean {
  if (counts.has(mention) || joined.has(mention)) return false;
  const cubes = new Set([...members].map(({ cube }) => cube));
  return mention.targets.some(
    ({ kind, member }) => kind === 'member' && isRowCount(member, lexicon) && cubes.has(member.cube),
  );
}

/** Whether an aggregate precedes a column that only groups the rows: `sum of room number by building`. */
function isOfGrouping({ index, pieces, reading: { dimensions, measures } }: Place): boolean {
  const column = pieces.slice(index + 1).find(({ piece }) => piece.kind !== 'stop')?.piece;
  if (column?.kind !== 'mention') return false;
  const isOne = (members: readonly Member[]) => column.targets.some(({ member }) => members.includes(member));
  return isOne(dimensions) && !isOne(measures);
}

function isAggregated(aggregate: string, members: ReadonlySet<Member>): boolean {
  return [...members].some(
    ({ kind, aggregate: own, title }) =>
      kind === MemberKind.measure &&
      (own === aggregate ||
        (aggregate === 'total' && own !== 'average' && own !== 'max' && own !== 'min') ||
        title.toLowerCase().includes(aggregate)),
  );
}

interface CueUse {
  readonly reading: Reading;
  readonly draft: Draft;
  /** Granularity of a `grain` cue. */
  readonly grain: string | undefined;
}

const isCompared = ({ reading: { computation } }: CueUse) =>
  computation.kind === 'compare' || computation.kind === 'compare rows' || computation.kind === 'contributions';
const isGrouped = ({ reading: { dimensions, grain } }: Pick<CueUse, 'reading'>) =>
  dimensions.length > 0 || grain !== null;
const isSplit = (use: CueUse) => isCompared(use) || isGrouped(use) || use.reading.measures.length > 1;
const isChosen = (use: CueUse) => isCompared(use) || use.reading.conditions.some(({ values }) => values.length > 1);
const isChange = (use: CueUse) => isCompared(use) || use.reading.grain !== null;
const isOrdered = ({ reading }: CueUse) =>
  reading.order !== null ||
  reading.perGroup !== null ||
  isChangeRanking(reading) ||
  reading.grain !== null ||
  reading.measures.some(isExtreme);
const isLimited = ({ reading }: CueUse) =>
  (reading.conditions.length > 0 || reading.span !== null) && !isUnclearThreshold(reading);
// In `are Gentoo penguins heavier than Adelie`, no number follows the comparison.
const isThreshold = (use: CueUse) => (use.draft.conditions.length > 0 || use.reading.span !== null) && isLimited(use);
const isDrawn = ({ reading: { chart, measures } }: CueUse) => chart !== ChartKind.auto || measures.length > 1;

const unclearCues: readonly ((spoken: SpokenPiece, place: Place) => boolean)[] = [
  isEachExtreme,
  isDifference,
  isGrowth,
  isSecondRank,
  (_, place) => isOfRanked(place),
  isNever,
  isShareOfEach,
  isOfWhole,
  isFrequency,
];

/** Whether a cue has no effect on the reading. */
function isUnused(spoken: SpokenPiece, { cue, grain }: Extract<Piece, { kind: 'cue' }>, place: Place): boolean {
  if (unclearCues.some(isOne => isOne(spoken, place)) || isQuestionWord(spoken.text, place)) return true;
  // `worst first` sorts the answer.
  if (isOrdinal(spoken.text)) return place.reading.limit === null || isAfterRank(place);
  // In `has projector = no`, the operand is not part of the reading.
  if (cue === Cue.equals && isStop(place.pieces[place.index + 1]?.piece)) return true;
  if (grain !== undefined && isOtherGrain(spoken, place)) return true;
  // A row count has no age or weight: `how many employees are older than 50 by department`.
  if (ofOneRow.test(spoken.text) && place.reading.conditions.some(({ member }) => member.aggregate === 'count'))
    return true;
  return uses[cue]?.({ ...place, grain }) === false;
}

const ofOneRow = /^(?:older|younger|heavier|lighter|cheaper|taller|longer|shorter|later) than$/i;

/**
 * Checks, per cue that changes the meaning of a question, whether the reading expresses it. Other cues only connect
 * words.
 */
const uses: Partial<Record<Cue, (use: CueUse) => boolean>> = {
  top: isOrdered,
  bottom: isOrdered,
  best: isOrdered,
  worst: isOrdered,
  // `ordered by` does not sort in `quantity ordered by category`.
  sort: use => use.draft.sort === null || isOrdered(use),
  ascending: isOrdered,
  descending: isOrdered,
  gt: isThreshold,
  gte: isThreshold,
  lt: isThreshold,
  lte: isThreshold,
  between: ({ reading }) => !isUnclearThreshold(reading),
  orMore: isLimited,
  orLess: isLimited,
  equals: isLimited,
  share: ({ reading: { computation, measures }, draft }) =>
    computation.kind === 'share' ||
    measures.some(isShare) ||
    (computation.kind === 'compare' && draft.cues.has(Cue.change)),
  running: ({ reading }) => reading.computation.kind === 'running total',
  unusual: ({ reading }) => reading.computation.kind === 'unusual',
  compare: isSplit,
  // `how many airports had strikes` requests the number of groups, not one number per group.
  count: ({ draft: { counted, entities }, reading: { measures } }) =>
    counted === null || entities.has(counted) || measures.length === 0,
  comparative: isChosen,
  better: isChosen,
  // `the difference between two values` is not a change over time.
  change: use => (use.draft.cues.has(Cue.change) ? isChange(use) : isChosen(use)),
  decrease: isChange,
  worsened: ({ reading }) => isChangeRanking(reading),
  improved: ({ reading }) => isChangeRanking(reading),
  howMuch: ({ reading }) =>
    reading.measures.some(({ aggregate }) => aggregate !== 'count' && aggregate !== 'count distinct'),
  trend: ({ reading }) => reading.grain !== null,
  grain: ({ reading, draft, grain }) =>
    reading.grain === grain ||
    draft.removed.includes(grain ?? '') ||
    draft.conditions.some(({ unit }) => unit === grain),
  not: ({ reading }) =>
    reading.conditions.some(({ operator, values }) => operator.startsWith('not') || values.includes('false')),
  bar: isGrouped,
  line: isGrouped,
  histogram: isGrouped,
  pie: isDrawn,
  scatter: use => isDrawn(use) || use.reading.dimensions.some(({ type }) => type === 'number'),
};

/**
 * Whether the groups that a threshold compares are unclear, because there are several groupings or figures: `the name
 * of each city with at least 15 stations`.
 */
function isUnclearThreshold({ conditions, dimensions, grain }: Reading): boolean {
  const figures = new Set(conditions.flatMap(({ member }) => (member.kind === MemberKind.measure ? [member] : [])));
  return figures.size > 1 || (figures.size > 0 && dimensions.length + (grain === null ? 0 : 1) > 1);
}

function isChangeRanking({ computation }: Reading): boolean {
  return computation.kind === 'compare' && computation.ranking !== null;
}

function isExtreme({ aggregate, title }: Member): boolean {
  return aggregate === 'max' || aggregate === 'min' || /\b(?:longest|highest|largest|shortest|lowest)\b/i.test(title);
}
