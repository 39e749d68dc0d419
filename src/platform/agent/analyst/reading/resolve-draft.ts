import { Cue } from '../vocabulary/cues.js';
import { isRowCount, type Member, MemberKind } from '../vocabulary/lexicon.js';
import { group, hasOwnAggregate, isCount, isNumericColumn } from './arrange-figures.js';
import { countOrFigure } from './count-or-figure.js';
import { defaultMeasures, usualMeasure } from './default-measures.js';
import { aggregatesFor, type Draft, isGroupedByTime, isPlural, isTimeRanked, membersIn } from './draft.js';
import { hasAggregate } from './draft-rules.js';
import { askBack, choose, impossible, labelOf } from './outcome.js';
import type { Mention } from './pieces.js';
import { ChartKind, type Condition, emptyReading, type RankPerGroup, type Reading } from './reading.js';
import { rejectAggregates, rejectCountedGrain, rejectExclusions, rejectOtherRows } from './refuse-draft.js';
import { conditionsOf } from './resolve-conditions.js';
import {
  dimensionOf,
  measureOf,
  type ResolvedRank,
  rankOf,
  rowName,
  type Scope,
  segmentOf,
  superlativeRank,
  worthOf,
  worthWord,
} from './resolve-members.js';

/** The parts of a question with resolved members, before they are merged with the previous reading. */
export interface ResolvedParts {
  /** Mentioned measures; empty if the question names none. */
  readonly measures: readonly Member[];
  readonly dimensions: readonly Member[];
  readonly grain: string | null;
  readonly time: Member | null;
  readonly conditions: readonly Condition[];
  readonly segments: readonly Member[];
  readonly rank: ResolvedRank | null;
  readonly perGroup: RankPerGroup | null;
  /** Whether rows are counted or listed without a measure. */
  readonly listed: boolean;
}

/**
 * Resolves each mention of a draft.
 * @param base - the previous reading for a follow-up question; otherwise `null`.
 * @throws {EarlyOutcome} if a mention is ambiguous.
 */
export function resolveDraft(draft: Draft, scope: Scope, base: Reading | null): ResolvedParts {
  rejectExclusions(draft, scope);
  rejectCountedGrain(draft);
  rejectOtherRows(draft, scope);
  arrangeSpread(draft, scope);
  const { values, missing, numbers, having } = conditionsOf(draft, scope);
  const dimensions = dimensionsOf(draft, scope, values);
  askForDistinct(draft, dimensions, scope);
  const isPerGroup = isRankPerGroup(draft, dimensions);
  if (!isPerGroup) sortGroups(draft, dimensions);
  const isEntity = having !== null && dimensions.length + draft.grains.length === 0 && base === null;
  const measures = measuresOf(draft, scope, { isEntity });
  if (isEntity) dimensions.push(...entityOf(draft, scope, having));
  const rows = namedRows(draft, measures, { scope, base });
  dimensions.push(...rows);
  const rank = rankIn(draft, scope, [...measures, ...(base?.measures ?? [])]);
  const isUnnamed = measures.length === 0 && having === null;
  if (isUnnamed && !rank?.measure) rejectAggregates(draft, scope);
  return {
    measures: rank?.measure
      ? ranked(rank.measure, draft, measures)
      : shownMeasures(rows.length > 0 ? figures(measures) : measures, having),
    dimensions,
    grain: draft.grains.at(0) ?? null,
    time: timeNamed(draft, scope),
    conditions: [...values, ...missing, ...numbers],
    segments: draft.segments.flatMap(mention => segmentOf(mention, scope) ?? []),
    rank,
    perGroup: isPerGroup ? perGroupOf(rank, draft, scope) : null,
    listed: isListed(draft) || rows.length > 0 || (isUnnamed && !rank && asksForRows(draft)),
  };
}

/**
 * Returns the column that names the rows if a question lists them (`what cars have 3 cylinders?`) or requests a value
 * for each row (`the weight of every car`).
 * @throws {EarlyOutcome} if the rows have no name.
 */
function namedRows(
  draft: Draft,
  measures: readonly Member[],
  { scope, base }: { readonly scope: Scope; readonly base: Reading | null },
): readonly Member[] {
  const { by, grains, times, rank, counts, counted, countsRows, isOfEachRow, cues, chart, aim } = draft;
  if (by.length + grains.length + times.length + counts.size > 0 || rank !== null || base !== null) return [];
  if (countsRows || counted !== null || chart !== null || aim !== 'figures') return [];
  if ([Cue.share, Cue.compare, Cue.comparative, Cue.change, Cue.trend, Cue.running].some(cue => cues.has(cue)))
    return [];
  const isList = figures(measures).length === 0 && (cues.has(Cue.list) || (measures.length > 0 && cues.has(Cue.which)));
  const isEach = isOfEachRow && figures(measures).length > 0;
  if (!isList && !isEach) return [];
  const name = rowName(scope);
  const isPlain = draft.measures.every(one => !hasOwnAggregate(one, draft));
  if (name === null && isEach && isPlain)
    throw impossible(
      'The rows have no name, so I can’t show a value for each row. Ask for a grouping, such as “by …”.',
    );
  return name === null ? [] : [name];
}

/** Returns the measures that are not row counts. */
function figures(measures: readonly Member[]): readonly Member[] {
  return measures.filter(({ aggregate }) => aggregate !== 'count');
}

/** Adds the measure of a condition if the question names no other measure: `states with a delay over 20`. */
function shownMeasures(measures: readonly Member[], having: Condition | null): readonly Member[] {
  const isOnlyCount = measures.every(({ aggregate }) => aggregate === 'count');
  return having && isOnlyCount && !measures.includes(having.member) ? [having.member] : measures;
}

function timeNamed({ times: [first] }: Draft, scope: Scope): Member | null {
  return first ? dimensionOf(first, scope, ({ type }) => type === 'time') : null;
}

/** Requests a choice between a measure per group and a row count per value: `distribution of weight by origin`. */
function arrangeSpread(draft: Draft, scope: Scope): void {
  const { spread } = draft;
  if (spread === null) return;
  const measure = measureOf(spread, scope);
  const column = dimensionOf(spread, scope, ({ type }) => type === 'number');
  const count = usualMeasure(scope, [measure]);
  if (column === null || count === null) return;
  const options = [
    { id: 'rows', label: () => `${labelOf(count, scope.lexicon)} by ${column.title}`, value: true },
    { id: 'figure', label: () => labelOf(measure, scope.lexicon), value: false },
  ];
  if (choose({ choices: scope.choices, key: 'spread', about: spread.text }, options)) group(draft, [spread]);
}

/**
 * Offers the row count if a question counts the values of a dimension per group, which requires a measure: `number of
 * models by origin`.
 */
function askForDistinct(draft: Draft, dimensions: Member[], scope: Scope): void {
  const { counted, grains, times, measures } = draft;
  const isGrouped = dimensions.length > 1 || (grains.length + times.length > 0 && dimensions.length > 0);
  if (counted === null || !isGrouped || measures.length > 0) return;
  const about = `number of ${counted.text}`;
  const open = { choices: scope.choices, key: `counted ${counted.text}`, about };
  const usual = usualMeasure(scope, dimensions);
  if (usual === null) throw impossible(`I can’t count “${counted.text}” per group.`);
  const options = [{ id: usual.name, label: () => labelOf(usual, scope.lexicon), value: usual }];
  if (!scope.choices.has(open.key)) throw askBack(open, options);
  const member = dimensionOf(counted, scope);
  draft.entities.add(counted);
  if (member !== null) dimensions.splice(dimensions.indexOf(member), 1);
}

/** Whether one of two groupings is ranked within the other: `top 3 cities per month`. */
function isRankPerGroup(draft: Draft, dimensions: readonly Member[]): boolean {
  const { rank, grains, by, cues, grouped } = draft;
  if (rank === null || rank.noun === null || cues.has(Cue.change)) return false;
  const isColumn = typeof rank.noun !== 'string' && rank.isAggregate && isNumericColumn(rank.noun);
  const isPair = dimensions.length + timeGroups(draft) === 2;
  // `highest rating per office` requests the extreme of each group, and `highest amount` the extreme of all rows, not
  // the value with the most rows.
  const isFigure = isPair || rank.measure === null;
  if (typeof rank.noun !== 'string' && isColumn && (isFigure || !grouped.has(rank.noun)))
    throw impossible(
      `This data has no ${rank.direction === 'bottom' ? 'min' : 'max'} of “${rank.noun.text}”.`,
      membersIn(rank.noun, MemberKind.measure).map(({ member }) => member.title),
    );
  if (!isPair) return false;
  return typeof rank.noun === 'string' ? grains.includes(rank.noun) : by.includes(rank.noun);
}

/** Returns the number of groupings by time. A time dimension after `by` is one of them. */
function timeGroups(draft: Draft): number {
  return draft.grains.length > 0 ? draft.grains.length : Number(isGroupedByTime(draft));
}

function perGroupOf(resolved: ResolvedRank | null, { rank }: Draft, scope: Scope): RankPerGroup | null {
  if (resolved === null) return null;
  const ranked = rank?.noun && typeof rank.noun !== 'string' ? dimensionOf(rank.noun, scope) : null;
  return { ranked, desc: resolved.desc, limit: resolved.limit };
}

function rankIn(draft: Draft, scope: Scope, [usual = null]: readonly (Member | null)[]): ResolvedRank | null {
  const rank = draft.rank ?? superlativeRank(draft);
  // In `the best year for horror movies`, the row count only names the rows.
  const isWorth = rank?.direction === 'best' || rank?.direction === 'worst';
  const isOfRows = isWorth && draft.measures.length > 0 && draft.measures.every(one => isNamingRows(one, draft));
  return rank && rankOf(rank, draft, scope, isOfRows ? null : usual);
}

function isNamingRows(mention: Mention, { counts, joined }: Draft): boolean {
  return isCount(mention) && !counts.has(mention) && !joined.has(mention);
}

/** Replaces a ranking that one query cannot express with a sort by size: `state with the most flights per month`. */
function sortGroups(draft: Draft, dimensions: readonly Member[]): void {
  const { rank } = draft;
  if (dimensions.length === 0 || dimensions.length + timeGroups(draft) < 2) return;
  if (rank === null || draft.cues.has(Cue.change)) return;
  if (rank.count !== null)
    throw impossible(
      'I can rank one group within another, such as “top 3 cities per month”. Ask like that, or leave out the second grouping.',
    );
  if (rank.measure !== null) draft.measures.push(rank.measure);
  draft.rank = null;
  draft.sort = { mention: null, desc: rank.direction !== 'bottom' };
}

/** Whether a chart shows values of each row instead of a measure. */
function isListed({ chart, measures }: Draft): boolean {
  return chart === ChartKind.scatter && measures.length === 0;
}

/** Whether a question lists or counts rows instead of aggregating a measure. */
function asksForRows({ counted, entities, cues }: Draft): boolean {
  if ((counted && entities.has(counted)) || cues.has(Cue.change)) return false;
  return counted !== null || ((cues.has(Cue.which) || cues.has(Cue.list)) && !cues.has(Cue.histogram));
}

/** Returns the measure of the ranking, followed by the measures that are explicitly requested with it. */
function ranked(measure: Member, { joined }: Draft, measures: readonly Member[]): Member[] {
  const others = measures.filter(other => other !== measure && (joined.size > 0 || other.aggregate !== 'count'));
  return [measure, ...others];
}

/** Reads an extreme without a grouping: as an aggregate of its measure, or as a ranking of rows. */
function readExtreme(draft: Draft, mentions: Mention[], scope: Scope): void {
  const { rank } = draft;
  if (!rank?.isAggregate || rank.measure === null) return;
  if (draft.by.length > 0 || isGroupedByTime(draft) || isTimeRanked(draft)) return;
  const aggregate = rank.direction === 'bottom' ? 'min' : 'max';
  if (hasAggregate(rank.measure, aggregate) || rowName(scope) === null) {
    draft.bound.set(rank.measure, [aggregate]);
    mentions.push(rank.measure);
    return;
  }
  // `the highest rated films` requests several rows.
  const isPluralNoun = mentions.some(mention => isCount(mention) && isPlural(mention));
  draft.rank = { ...rank, isAggregate: false, count: rank.count ?? (isPluralNoun ? null : 1) };
}

/** A mention with the measure that it names. */
interface SettledMeasure {
  readonly mention: Mention;
  readonly measure: Member;
}

/** Whether a measure is requested. A count next to other measures often only names the rows. */
function isRequested(settled: readonly SettledMeasure[], index: number, draft: Draft): boolean {
  const [one, next] = [settled[index], settled[index + 1]];
  if (!one) return false;
  const isJoined = draft.joined.has(one.mention) || (next !== undefined && draft.joined.has(next.mention));
  if (isJoined || draft.counts.has(one.mention) || one.measure.aggregate !== 'count') return true;
  return settled.every(({ measure }) => measure.aggregate === 'count' || measure === one.measure);
}

function measuresOf(draft: Draft, scope: Scope, { isEntity }: { readonly isEntity: boolean }): Member[] {
  const mentions = draft.measures.filter(mention => !(isEntity && membersIn(mention, MemberKind.dimension).length > 0));
  readExtreme(draft, mentions, scope);
  // Ask for the measure if the question names none: `is Denver better?`, `which categories grew?`.
  const isRankOfChange = draft.rank?.measure === null && draft.cues.has(Cue.change);
  if (mentions.length === 0 && (isRankOfChange || draft.cues.has(Cue.better)))
    return [worthOf(worthWord(draft), scope)];
  const whole = mentions.length > 1 && draft.joined.size === 0 ? wholePhrase(mentions, scope) : null;
  if (whole) return [whole];
  rejectAdjectives(mentions, scope);
  const settled = mentions.flatMap(mention => {
    confirm(mention, draft, scope);
    const named = countOrFigure(mention, draft, scope);
    if (named !== null) return [{ mention, measure: named }];
    return aggregatesFor(draft, mention).map(aggregate => ({
      mention,
      measure: measureOf(mention, scope, aggregate),
    }));
  });
  const kept = settled.filter((_, index) => isRequested(settled, index, draft));
  const rows = kept.filter(({ measure }) => isRowCount(measure, scope.lexicon));
  // In `how many tickets were closed`, the participle names the measure, and the noun only names the rows.
  const [event, ...events] = kept.filter(one => !rows.includes(one) && /ed$/i.test(one.mention.text));
  if (event && events.length === 0 && kept.length === rows.length + 1 && draft.joined.size === 0) {
    for (const { mention } of rows) draft.counts.delete(mention);
    return [event.measure];
  }
  const isPair = draft.joined.size > 0 || kept.some(({ measure }) => measure.aggregate !== 'count');
  const all = [...new Set(kept.map(({ measure }) => measure))];
  return isPair ? all : all.slice(0, 1);
}

/**
 * Requests confirmation for a partial measure name after a value. For example, `return rate` does not mean the discount
 * rate of returned items.
 */
function confirm(mention: Mention, draft: Draft, scope: Scope): void {
  const targets = membersIn(mention, MemberKind.measure).filter(({ member }) => member.joinGroup === scope.joinGroup);
  const key = `member ${mention.text}`;
  const isHalf = targets.every(({ quality }) => quality < 0.5);
  if (!isHalf || scope.choices.has(key) || !draft.values.some(({ mention: value }) => value.to === mention.from))
    return;
  throw askBack(
    { choices: scope.choices, key, about: mention.text },
    targets.map(({ member }) => ({ id: member.name, label: () => labelOf(member, scope.lexicon), value: member })),
  );
}

/**
 * Rejects adjectives that the model does not define. In `delayed flights`, for example, a measure of the delay does not
 * define which flights count as delayed.
 */
function rejectAdjectives(mentions: readonly Mention[], scope: Scope): void {
  const adjective = mentions.find((mention, index) => {
    const next = mentions[index + 1];
    return (
      /ed$/i.test(mention.text) &&
      next?.from === mention.to &&
      isCountMention(next, scope) &&
      !isCountMention(mention, scope)
    );
  });
  if (adjective === undefined) return;
  const segments = [...scope.lexicon.members.values()].filter(
    ({ kind, joinGroup }) => kind === MemberKind.segment && joinGroup === scope.joinGroup,
  );
  throw impossible(
    `I don’t know which ones count as “${adjective.text}”.`,
    segments.slice(0, 3).map(({ title }) => title),
  );
}

function isCountMention(mention: Mention, { joinGroup }: Scope): boolean {
  return membersIn(mention, MemberKind.measure).some(
    ({ member, quality }) => member.joinGroup === joinGroup && member.aggregate === 'count' && quality > 0.5,
  );
}

/**
 * Returns the measure whose phrase contains the words of all mentions: `flights that were on time` matches the measure
 * On-time flights.
 */
function wholePhrase(mentions: readonly Mention[], { lexicon, joinGroup }: Scope): Member | null {
  const stems = [...new Set(mentions.flatMap(mention => mention.stems))];
  const [first = ''] = stems;
  const phrases = lexicon.byStem.get(first) ?? [];
  const found = phrases.filter(({ member, stems: all }) => {
    const isShort = all.length <= stems.length + 1;
    return (
      member.kind === MemberKind.measure &&
      member.joinGroup === joinGroup &&
      isShort &&
      stems.every(stem => all.includes(stem))
    );
  });
  const [only, ...others] = new Set(found.map(({ member }) => member));
  return only !== undefined && others.length === 0 ? only : null;
}

function dimensionsOf(draft: Draft, scope: Scope, values: readonly Condition[]): Member[] {
  const dimensions: Member[] = [];
  for (const mention of draft.by) {
    const member = dimensionOf(mention, scope, ({ type }) => type !== 'time');
    if (member === null) {
      const [target] = membersIn(mention);
      throw impossible(
        `“${mention.text}” can’t be combined with the rest of the question.`,
        target ? [target.member.title] : [],
      );
    }
    // In `in the city of Boston`, the dimension only qualifies the value. In `for the categories A and B`, it groups
    // the answer.
    // `crops that are not wheat` requests the other crops.
    const isRequested = isPlural(mention) && draft.values[0]?.isExcluded && draft.measures.length === 0;
    const isQualifier =
      !(draft.grouped.has(mention) || isRequested) &&
      values.some(condition => condition.member === member && (condition.values.length < 2 || !isPlural(mention))) &&
      isAdjacent(mention, draft);
    if (!isQualifier && member.type !== 'boolean' && !dimensions.includes(member)) dimensions.push(member);
  }
  const versus = values.find(({ values: list, operator }) => operator === 'equals' && list.length > 1);
  const isComparison =
    [Cue.compare, Cue.comparative, Cue.better].some(cue => draft.cues.has(cue)) && draft.dates.length < 2;
  if (versus && (isComparison || isOfEachValue(draft)) && !dimensions.includes(versus.member))
    dimensions.push(versus.member);
  return dimensions;
}

/**
 * Whether a question with several values of a column requests a figure for each of them: `European and Japanese cars`.
 * A total, a share, a ranking or a comparison of periods applies to all of them together.
 */
function isOfEachValue({ isOfEachValue: isEach, rank, cues, conditions, aim, dates, ...draft }: Draft): boolean {
  const isWhole = [Cue.share, Cue.running, Cue.unusual, Cue.change, Cue.between].some(cue => cues.has(cue));
  const isTotal = draft.aggregates.includes('total') || draft.measures.some(({ stems }) => stems.includes('total'));
  return (
    isEach && !isWhole && !isTotal && rank === null && conditions.length === 0 && dates.length < 2 && aim === 'figures'
  );
}

function isAdjacent(mention: Mention, { values }: Draft): boolean {
  return values.some(
    ({ mention: value }) => Math.min(Math.abs(value.from - mention.to), Math.abs(mention.from - value.to)) <= 1,
  );
}

/** Returns the dimension to group by if a condition compares a measure: `destinations with at least 1,000 flights`. */
function entityOf(draft: Draft, scope: Scope, having: Condition): Member[] {
  const dimension = draft.measures.flatMap(mention => {
    const rows = membersIn(mention).find(({ member, quality }) => isRowCount(member, scope.lexicon) && quality === 1);
    // In `exams with a score above 90`, the rows have no column Exam, and the column Exam type does not name them.
    const fits = (member: Member) =>
      member.type === 'string' &&
      membersIn(mention).some(one => one.member === member && (rows === undefined || one.quality >= rows.quality));
    return dimensionOf(mention, scope, fits) ?? [];
  })[0];
  if (dimension) return [dimension];
  const name = draft.measures.some(one => isCount(one)) ? rowName(scope) : null;
  if (name) return [name];
  const about = `${having.member.title} per what?`;
  throw askBack({ choices: scope.choices, key: 'group', about }, []);
}

/** Combines the parts of a question that does not follow up on a previous one. */
export function freshReading(parts: ResolvedParts, draft: Draft, scope: Scope): Reading {
  const { dimensions, conditions, segments, grain, time, rank } = parts;
  const near = [...dimensions, ...segments, ...conditions.map(({ member }) => member)];
  const isList = parts.listed && dimensions.length > 0;
  const measures = parts.measures.length > 0 || isList ? parts.measures : defaultMeasures(draft, scope, near);
  if (measures.length + dimensions.length === 0) throw impossible('The question names no measure.');
  const sort = rank && !parts.perGroup ? (rank.measure ?? measures[0]) : null;
  return {
    ...emptyReading,
    measures,
    dimensions,
    grain,
    time,
    conditions,
    segments,
    order: sort && rank ? { member: sort, desc: rank.desc } : null,
    limit: parts.perGroup ? null : (rank?.limit ?? draft.limit),
    perGroup: parts.perGroup,
    chart: draft.chart ?? ChartKind.auto,
  };
}
