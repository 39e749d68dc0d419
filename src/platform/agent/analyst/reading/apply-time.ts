import { describeSpan } from '../answering/describe-reading.js';
import type { DateMention } from '../time/date-phrases.js';
import {
  adjacentSpan,
  bucketAt,
  type CoveredDays,
  type DateContext,
  type DateSpan,
  dayAfter,
  lastCompletePeriod,
  todayOf,
} from '../time/date-span.js';
import { Cue } from '../vocabulary/cues.js';
import { isAdditive, isShare, type Lexicon, type Member, MemberKind } from '../vocabulary/lexicon.js';
import type { Draft } from './draft.js';
import { choose, EarlyOutcome, impossible, NeedsDays } from './outcome.js';
import type { Computation, Condition, Reading } from './reading.js';
import type { ResolvedParts } from './resolve-draft.js';
import { canJoin, dimensionOf, measureOf, type Scope } from './resolve-members.js';
import { grainOf, grainOfData, isGrain, type TimeContext, timeOf } from './time-axis.js';
import { isShareOfPart, wholeOf } from './to-query.js';

/** Adds periods, shares, comparisons and other computed values from a question to its reading. */
export function applyTime(
  reading: Reading,
  parts: ResolvedParts,
  draft: Draft,
  scope: Scope,
  at: DateContext,
): Reading {
  const compared = comparison({ reading, parts, draft, scope, at });
  const span = compared?.main ?? spanOf(draft, scope) ?? (draft.cues.has(Cue.reset) ? null : reading.span);
  const wanted = grainOf(reading, parts, draft, { compared, span });
  const time = span !== null || wanted !== null ? timeOf({ reading, parts, scope }) : null;
  if (wanted !== null && time !== null && !isGrain(wanted, time))
    throw impossible(`${time.title} can’t be grouped by ${wanted}.`);
  const grain = grainOfData(wanted, reading, { parts, draft, scope, at });
  const sides = comparedRows(reading, draft, scope);
  if (sides && compared) throw impossible('I can compare two filters or two periods, but not both at once.');
  const computation = computationOf({ ...reading, grain }, draft, compared?.against ?? null, scope);
  const dated = { ...reading, span, grain, time, computation, ...sides };
  const computed = withComputed(dated, { parts, draft, scope, at });
  return checked(draft.sort ? sorted(computed, draft, scope) : computed, scope);
}

/** Adds the span, groupings or ranking that computed values require. */
function withComputed(reading: Reading, context: TimeContext): Reading {
  const { draft, parts } = context;
  const { computation } = reading;
  if (draft.aim === 'contributions') return withContributions(reading, context);
  if (computation.kind === 'unusual') return withUsualSpan(reading, context);
  const isRanked = computation.kind === 'compare' && parts.rank !== null && reading.dimensions.length > 0;
  if (!isRanked || !draft.cues.has(Cue.change)) return reading;
  const ranking = parts.rank.desc === draft.isDecrease ? 'asc' : 'desc';
  return { ...reading, order: null, limit: parts.rank.limit, computation: { ...computation, ranking } };
}

/** Maximum number of periods between the two periods of `since May`. */
const maxPeriods = 1200;
/** Maximum number of dimensions by which a change is broken down. */
const maxParts = 8;

/**
 * Breaks down a change by the values of the main dimensions: `why did flights drop?`.
 * @throws {EarlyOutcome} if the question compares no periods.
 */
function withContributions(reading: Reading, { scope }: TimeContext): Reading {
  const { measures, dimensions, conditions, computation } = reading;
  const [measure, ...others] = measures;
  if (computation.kind !== 'compare' || measure === undefined || others.length > 0)
    throw new EarlyOutcome({ kind: 'refuse', refusal: { reason: 'causes' } });
  if (!isAdditive(measure))
    throw impossible(
      `${measure.title} can’t be added up, so its change can’t be broken down by group. ` +
        'Compare the two periods by a grouping instead.',
    );
  const fixed = new Set(conditions.map(({ member }) => member));
  const candidates = [...scope.lexicon.members.values()].filter(
    member =>
      member.suggestsValues &&
      !member.isPrimaryKey &&
      member.joinGroup === scope.joinGroup &&
      !fixed.has(member) &&
      canJoin([measure.cube, member.cube], scope.lexicon.cubes),
  );
  const own = candidates.toSorted((a, b) => Number(b.cube === measure.cube) - Number(a.cube === measure.cube));
  const parts = dimensions.length > 0 ? dimensions : own.slice(0, maxParts);
  if (parts.length === 0) throw impossible(`No grouping breaks down the change of ${measure.title}.`);
  const { against } = computation;
  return {
    ...reading,
    dimensions: parts,
    grain: null,
    order: null,
    limit: null,
    computation: { kind: 'contributions', against },
  };
}

/** Number of days to search for unusual values. They must fit into one result. */
const usualDays = 91;

function withUsualSpan(reading: Reading, context: TimeContext): Reading {
  if (reading.dimensions.length > 0 || reading.measures.length !== 1)
    throw impossible('I can look for unusual values of one measure at a time, without a grouping.');
  if (reading.span !== null || reading.grain !== 'day') return reading;
  const { last } = daysCovered(reading, context);
  return { ...reading, span: { from: dayAfter(last, 1 - usualDays), to: last } };
}

/** Returns the days with data. @throws NeedsDays if they are not loaded yet. */
function daysCovered(reading: Reading, { parts, scope, at }: Omit<TimeContext, 'draft'>): CoveredDays {
  if (at.covered === undefined) throw new NeedsDays(timeOf({ reading, parts, scope }));
  if (at.covered === null) throw impossible('There is no data up to today.');
  return at.covered;
}

/** @throws {EarlyOutcome} if `from` may mean `in` or `since`: `models from 1980`. */
function spanOf({ dates }: Draft, { choices }: Scope): DateSpan | null {
  const [first, ...others] = dates;
  if (others.length > 0) throw impossible('I can show one period at a time, or compare two.');
  if (first?.before === 'period') throw impossible('“The previous period” requires another period, such as “in May”.');
  if (!first?.isFrom || first.since === undefined) return first?.span ?? null;
  const options = [first.since, first.span].map((span, index) => ({
    id: index === 0 ? 'in' : 'since',
    label: () => describeSpan(span, 'en'),
    value: span,
  }));
  return choose({ choices, key: 'from', about: `from ${describeSpan(first.since, 'en')}` }, options);
}

interface Comparison {
  readonly main: DateSpan;
  readonly against: DateSpan;
}

/** Returns the two compared periods, or `null` if nothing is compared. */
function comparison({ reading, ...context }: TimeContext & { readonly reading: Reading }): Comparison | null {
  const { draft, at } = context;
  const { span: base } = reading;
  const { dates, cues, values } = draft;
  const [first, second] = dates;
  const compares = [Cue.compare, Cue.change].some(cue => cues.has(cue)) || draft.aim !== 'figures' || first?.isVersus;
  if (second?.before !== undefined && first) return pair(first.span, adjacentSpan(first.span, -1, unitOf(second)));
  if (!compares || (values.length > 1 && dates.length < 2)) return null;
  if (first === undefined) return impliedComparison(reading, context);
  if (second !== undefined) return pair(first.span, second.span);
  if (first.ends) return pair(first.ends[1], first.ends[0]);
  if (first.since) return pair(latestSince(first.since, reading, context), first.since);
  if (first.before !== undefined) return beforeComparison(first, base);
  if (cues.has(Cue.compare)) return base ? pair(base, first.span) : pair(nowBehind(first.span, at), first.span);
  return pair(first.span, adjacentSpan(first.span, -1));
}

/**
 * Returns the last period of the length of `since` that the data covers completely: 2023 for `since 2015`. If there is
 * none, returns the next period.
 */
function latestSince(since: DateSpan, reading: Reading, context: TimeContext): DateSpan | null {
  const { last, step } = daysCovered(reading, context);
  const end = bucketAt(last, step)?.[1] ?? last;
  let latest = adjacentSpan(since, 1);
  for (let count = 0; count < maxPeriods; count += 1) {
    const next = latest && adjacentSpan(latest, 1);
    if (!next?.to || next.to > end) break;
    latest = next;
  }
  return latest;
}

/** Returns the periods of `compared with the month before`. */
function beforeComparison(date: DateMention, base: DateSpan | null): Comparison | null {
  if (base) return pair(base, adjacentSpan(base, -1, unitOf(date)));
  return date.before === 'period' ? null : pair(adjacentSpan(date.span, 1), date.span);
}

/**
 * Returns the periods of a comparison that names none: the period of the previous question, or the last complete month,
 * and the period before it.
 */
function impliedComparison(reading: Reading, context: TimeContext): Comparison | null {
  const { cues, aim } = context.draft;
  const { span, dimensions, grain } = reading;
  // `how have sales changed over time in each region?` requests the trend instead of a comparison.
  const isOfGroups = cues.has(Cue.change) && !cues.has(Cue.trend) && dimensions.length > 0 && grain === null;
  const isImplied = isOfGroups || aim === 'overview' || (aim === 'contributions' && cues.has(Cue.change));
  if (!isImplied && !cues.has(Cue.compare)) return null;
  if (span) return pair(span, adjacentSpan(span, -1));
  if (!isImplied) return null;
  const period = lastCompletePeriod(daysCovered(reading, context), todayOf(context.at));
  if (period === null) throw impossible('The data covers no complete month. Name two periods to compare.');
  return pair(period, adjacentSpan(period, -1));
}

/**
 * Returns the period after `span` if that period contains today; otherwise `null`. `compared with last month` compares
 * last month with the current month.
 */
function nowBehind(span: DateSpan, at: DateContext): DateSpan | null {
  const next = adjacentSpan(span, 1);
  const today = todayOf(at);
  return next && (next.from ?? '') <= today && today <= (next.to ?? '') ? next : null;
}

function unitOf({ before }: DateMention): string | null {
  return before === undefined || before === 'period' ? null : before;
}

function pair(main: DateSpan | null, against: DateSpan | null): Comparison {
  if (main === null || against === null)
    throw impossible('A comparison requires two periods, such as “May 2001 with April 2001”.');
  return { main, against };
}

/**
 * Splits a reading into the sides of a comparison. The sides are two segments, or a segment and a measure that counts
 * other rows.
 * @throws {EarlyOutcome} if the reading names more than two sets of rows, or rows without a segment.
 */
function comparedRows(
  { measures, segments, dimensions, grain }: Reading,
  { cues }: Draft,
  { lexicon }: Scope,
): Pick<Reading, 'measures' | 'segments' | 'computation'> | null {
  const [first, second, ...more] = segments;
  const isComparison = [Cue.compare, Cue.comparative, Cue.better].some(cue => cues.has(cue));
  if (first === undefined || !isComparison) return null;
  const rows = [...lexicon.members.values()].find(
    ({ aggregate, cube, name }) => aggregate === 'count' && cube === first.cube && name.endsWith('.count'),
  );
  const counts = measures.filter(
    measure => measure !== rows && measure.cube === first.cube && measure.aggregate === 'count',
  );
  const [counted, ...others] = counts;
  const isPair = (second === undefined) === (counted !== undefined) && more.length + others.length === 0;
  if (!isPair || dimensions.length + (grain === null ? 0 : 1) > 1) {
    if (segments.length + measures.length < 3) return null;
    const titles = segments.map(({ title }) => `“${title}”`).join(' and ');
    throw impossible(`I can’t compare the rows of the filter ${titles} with others. Ask for each of them separately.`);
  }
  if (second) return sidesOf(measures, first, { measures, segments: [second] });
  if (rows === undefined || counted === undefined || measures.some(measure => measure !== rows && measure !== counted))
    throw impossible(
      `I can’t compare the rows of the filter “${first.title}” with others. Ask for each of them separately.`,
    );
  return sidesOf([rows], first, { measures: [counted], segments: [] });
}

function sidesOf(
  measures: readonly Member[],
  segment: Member,
  against: Pick<Reading, 'measures' | 'segments'>,
): Pick<Reading, 'measures' | 'segments' | 'computation'> {
  return { measures, segments: [segment], computation: { kind: 'compare rows', against } };
}

/**
 * Rejects the share of a measure that counts some rows per group, because its whole is unknown: `percentage of on-time
 * flights by month`.
 */
function rejectPartialCount(
  { measures: [measure], dimensions, grain }: Pick<Reading, 'measures' | 'dimensions' | 'grain'>,
  { lexicon }: Scope,
): void {
  const isGrouped = dimensions.length > 0 || grain !== null;
  if (measure?.aggregate !== 'count' || measure.name.endsWith('.count') || !isGrouped) return;
  const shares = [...lexicon.members.values()].filter(
    member => member.kind === MemberKind.measure && member.cube === measure.cube && isShare(member),
  );
  throw impossible(
    `I don’t know which total to compare ${measure.title} with.`,
    shares.slice(0, 3).map(({ title }) => title),
  );
}

/**
 * Requires a choice for questions such as `percentage of failed tests by site`, which may request the share of failed
 * tests in each group, or the share of each group in all failed tests. Returns the conditions of the part in the first
 * case, and none in the second.
 */
function partOf({ measures, dimensions, grain, conditions, segments }: Reading, scope: Scope): readonly Condition[] {
  const part = conditions.filter(({ member }) => member.kind !== MemberKind.measure);
  const group = dimensions.map(({ title }) => title).join(' and ') || grain;
  const isOfRows = measures.every(isAdditive);
  rejectPartialCount({ measures, dimensions, grain }, scope);
  if (!isOfRows || group === null || part.length === 0 || segments.length > 0) return [];
  const what = part
    .map(({ values, member }) => (member.type === 'string' ? values.join(' or ') : member.title))
    .join(', ');
  const options = [
    { id: 'groups', label: () => `share of ${what} within each ${group}`, value: part },
    { id: 'whole', label: () => `share of each ${group} in the total of ${what}`, value: [] },
  ];
  return choose({ choices: scope.choices, key: 'share', about: `share of ${what}` }, options);
}

function computationOf(reading: Reading, { cues, dates }: Draft, against: DateSpan | null, scope: Scope): Computation {
  if (against) return { kind: 'compare', against, ranking: null };
  if (cues.has(Cue.share) && cues.has(Cue.change))
    throw impossible(
      'I can show a change in percent between two periods. Ask, for example, “May compared with April”.',
    );
  if (cues.has(Cue.share)) return { kind: 'share', part: partOf(reading, scope) };
  if (cues.has(Cue.running)) return { kind: 'running total' };
  if (cues.has(Cue.unusual)) return { kind: 'unusual' };
  // A new period ends the comparison of the previous question.
  return reading.computation.kind === 'compare' && dates.length > 0 ? { kind: 'none' } : reading.computation;
}

function sorted(reading: Reading, { sort, cues }: Draft, scope: Scope): Reading {
  const { dimensions, measures } = reading;
  const mention = sort?.mention ?? null;
  const isName = mention !== null && typeof mention !== 'string' && /^(?:name|names|title|label)$/i.test(mention.text);
  const named = mention && !isName ? sortMember(reading, mention, scope) : null;
  const member = named ?? (mention ? dimensions[0] : (reading.order?.member ?? measures[0]));
  if (member === undefined) throw impossible('There is nothing to sort.');
  const desc = sort?.desc ?? (member.kind === MemberKind.measure && !cues.has(Cue.ascending));
  // A limited ranking that is sorted differently would contain different rows.
  const { order, limit } = reading;
  if (limit !== null && order !== null && (order.member !== member || order.desc !== desc))
    throw impossible(
      `I can’t sort the first ${limit} rows by ${member.title} without selecting other rows. Sort the table instead.`,
    );
  return { ...reading, order: { member, desc } };
}

/**
 * Returns the column of the reading to sort by. @throws {EarlyOutcome} if the named member is not a column of the
 * reading.
 */
function sortMember(
  reading: Reading,
  mention: NonNullable<NonNullable<Draft['sort']>['mention']>,
  scope: Scope,
): Member | null {
  const { grain, time } = reading;
  if (typeof mention === 'string') {
    if (mention === grain) return time;
    throw impossible(`The answer is not grouped by ${mention}, so I can’t sort by it.`);
  }
  const columns = [...reading.measures, ...reading.dimensions, ...(grain && time ? [time] : [])];
  const own = columns.find(column => mention.targets.some(({ member }) => member === column));
  if (own) return own;
  const measures = mention.targets.some(({ member }) => member.kind === MemberKind.measure);
  const member = measures ? measureOf(mention, scope) : dimensionOf(mention, scope);
  throw impossible(`“${member?.title ?? mention.text}” is not a column of the answer, so I can’t sort by it.`);
}

/**
 * Rejects shares and running totals of measures that are not additive, shares without a grouping or condition, and
 * running totals with a grouping.
 */
function rejectComputed({ measures, dimensions, grain, computation, conditions, segments, limit }: Reading): void {
  const [measure] = measures;
  if (computation.kind === 'share') {
    if (measure === undefined || !isAdditive(measure)) {
      throw impossible(`${measure?.title ?? 'This measure'} can’t be added up, so there is no share of it.`);
    }
    const isSplit = dimensions.length > 0 || grain !== null || segments.length > 0 || conditions.length > 0;
    // A query orders the groups by the size of the part, and not by its share.
    if (limit !== null && isShareOfPart({ segments, computation }))
      throw impossible('I can’t rank groups by a share of their rows. Ask for the share of all groups, with “by …”.');
    if (!isSplit) throw impossible(`A share of ${measure.title} requires a grouping or a condition.`);
  }
  if (computation.kind === 'running total') {
    const other = measures.find(measure => !isAdditive(measure));
    if (other) throw impossible(`${other.title} can’t be added up, so there is no running total of it.`);
    if (dimensions.length > 0) throw impossible('I can show a running total only over time, without another grouping.');
  }
}

/** Rejects readings that a query cannot express or whose result would be unreadable. */
function checked(reading: Reading, { lexicon }: Scope): Reading {
  const { measures, dimensions, computation } = reading;
  rejectComputed(reading);
  rejectUnjoined(reading, lexicon);
  if (computation.kind === 'share') rejectUnjoined(wholeOf(reading), lexicon);
  if (dimensions.length > 3 && computation.kind !== 'contributions')
    throw impossible('I can break down measures by at most three dimensions.');
  if (measures.length > 6) throw impossible('I can show at most six measures.');
  return reading;
}

/** Rejects members without a join path. Also called with the whole of a share, which contains fewer members. */
function rejectUnjoined(reading: Reading, { cubes }: Lexicon): void {
  const { measures, dimensions, segments, conditions, time } = reading;
  const members = [
    ...measures,
    ...dimensions,
    ...segments,
    ...conditions.map(({ member }) => member),
    ...(time ? [time] : []),
  ];
  const names = members.map(({ cube }) => cube);
  if (canJoin(names, cubes)) return;
  const titles = [...new Set(members.map(({ cubeTitle, title }) => `${title} (${cubeTitle})`))].slice(0, 4);
  throw impossible(`${titles.join(' and ')} can’t be combined, because the data model doesn’t join them.`);
}
