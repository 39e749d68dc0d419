import type { MetaCube } from '../../../../contract/meta.js';
import { Cue } from '../vocabulary/cues.js';
import type { DimensionValues } from '../vocabulary/dimension-values.js';
import { isFigure, type Lexicon, type Member, MemberKind, withoutBrackets } from '../vocabulary/lexicon.js';
import { stemsOf } from '../vocabulary/words.js';
import { isCount } from './arrange-figures.js';
import { type Draft, isGroupedByTime, isPlural, isTimeRanked, membersIn, type Rank, rankBy } from './draft.js';
import { isLengthWord } from './draft-rules.js';
import { askBack, type Choices, choose, confirmed, impossible, labelOf, type Option } from './outcome.js';
import type { Mention, Target } from './pieces.js';

type MemberTarget = Extract<Target, { kind: 'member' }>;

/** Scope for resolving mentions: the members that one query can combine, and the choices made so far. */
export interface Scope {
  readonly lexicon: Lexicon;
  readonly joinGroup: string;
  readonly choices: Choices;
  /** `null` before values are loaded. */
  readonly values: readonly DimensionValues[] | null;
}

/**
 * Returns the group of members that matches most mentions, preferring views over cubes; `null` if nothing is mentioned.
 */
export function joinGroupOf(draft: Draft, lexicon: Lexicon): string | null {
  const { measures, by, times, segments, excludedSegments, missing } = draft;
  const mentions = [...measures, ...by, ...times, ...segments, ...excludedSegments, ...missing];
  for (const { mention } of draft.values) mentions.push(mention);
  for (const { target } of draft.conditions) if (target) mentions.push(target);
  for (const mention of [draft.rank?.measure, draft.sort?.mention])
    if (mention && typeof mention !== 'string') mentions.push(mention);
  const scores = new Map<string, number>();
  for (const mention of mentions) {
    const best = new Map<string, number>();
    for (const target of mention.targets) {
      const worth = target.kind === 'value' ? 1 : 1 + target.quality / 10;
      best.set(target.member.joinGroup, Math.max(best.get(target.member.joinGroup) ?? 0, worth));
    }
    for (const [joinGroup, worth] of best) scores.set(joinGroup, (scores.get(joinGroup) ?? 0) + worth);
  }
  const isView = (joinGroup: string) => lexicon.cubes.some(({ name, type }) => name === joinGroup && type === 'view');
  const [first] = [...scores].sort(([one, a], [other, b]) => b - a || Number(isView(other)) - Number(isView(one)));
  return first?.[0] ?? null;
}

/**
 * Aggregates in order of preference, for mentions that name none. Of sums and averages, the first one in the model is
 * preferred.
 */
const usual: readonly (readonly string[])[] = [
  ['count'],
  ['total', 'average'],
  ['count distinct'],
  ['number'],
  ['max'],
  ['min'],
];
const said: Readonly<Record<string, string>> = {
  average: 'average',
  total: 'total',
  max: 'max',
  min: 'min',
  median: 'median',
};

/** Resolves a mention to a measure. @throws {EarlyOutcome} if several match or none has the requested aggregate. */
export function measureOf(mention: Mention, scope: Scope, aggregate: string | null = null): Member {
  const targets = best(inScope(membersIn(mention, MemberKind.measure), scope), 0.15);
  const wanted = aggregate === null ? null : (said[aggregate] ?? null);
  const fitting = wanted === null ? targets : targets.filter(({ member }) => isOf(member, wanted));
  if (fitting.length === 0 && wanted !== null && targets.length > 0) {
    const there = targets.map(({ member }) => member.title);
    const averages = targets.filter(({ member }) => wanted === 'median' && member.aggregate === 'average');
    const open = { choices: scope.choices, key: `median ${mention.text}`, about: `${aggregate} ${mention.text}` };
    if (averages.length > 0) return confirmed(open, optionsOf(averages, scope));
    throw impossible(`This data has no ${aggregate} of “${mention.text}”.`, there);
  }
  const own = usual.map(names => fitting.filter(({ member }) => names.includes(member.aggregate ?? '')));
  const [first] = own.find(({ length }) => length > 0) ?? [];
  const isLikeFirst = ({ member }: MemberTarget) => member.aggregate === first?.member.aggregate;
  const options = wanted === null && first ? fitting.filter(isLikeFirst) : fitting;
  return chosen(mention, options, scope);
}

/**
 * Whether a measure has the requested aggregate. A count also satisfies a request for a total, regardless of its name
 * in the model.
 */
function isOf(member: Member, wanted: string): boolean {
  return (
    member.aggregate === wanted ||
    (wanted === 'total' && (member.aggregate === 'count' || member.aggregate === 'count distinct'))
  );
}

/** Resolves a mention to a dimension. @throws {EarlyOutcome} if several match. */
export function dimensionOf(
  mention: Mention,
  scope: Scope,
  fits: (member: Member) => boolean = () => true,
): Member | null {
  const targets = inScope(membersIn(mention, MemberKind.dimension), scope).filter(({ member }) => fits(member));
  if (targets.length === 0) return null;
  return chosen(mention, best(targets, 0.1), scope);
}

/** Resolves a mention to a segment. @throws {EarlyOutcome} if several match. */
export function segmentOf(mention: Mention, scope: Scope): Member | null {
  const targets = inScope(membersIn(mention, MemberKind.segment), scope);
  return targets.length === 0 ? null : chosen(mention, best(targets, 0.1), scope);
}

/** Resolves a mention to a value and its dimension. @throws {EarlyOutcome} if several match. */
export function valueMeant(
  mention: Mention,
  scope: Scope,
  direction: 'from' | 'toward' | null,
): Extract<Target, { kind: 'value' }> {
  const targets = inScope(
    mention.targets.filter(target => target.kind === 'value'),
    scope,
  );
  const led = targets.filter(({ member }) => directionOf(member) === direction);
  const neutral = targets.filter(
    ({ member }) => direction === null || directionOf(member) === null || directionOf(member) === direction,
  );
  const fitting = direction !== null && led.length > 0 ? led : neutral;
  const options = (fitting.length > 0 ? fitting : targets).map(target => ({
    id: `${target.member.name}=${target.value}`,
    label: () => `${labelOf(target.member, scope.lexicon)}: ${target.value}`,
    value: target,
  }));
  const key = `value ${mention.text}`;
  // If every match belongs to the opposite direction, let the user choose, because all of them contradict the question.
  const open = { choices: scope.choices, key, about: mention.text };
  const isUncertain = fitting.length === 0 || options.every(({ value }) => value.isPart);
  if (isUncertain && !scope.choices.has(key)) throw askBack(open, options);
  return choose(open, options);
}

const origins = /\b(?:origin|from|source|departure|sender|start|pickup)\b/i;
const destinations = /\b(?:destination|to|target|arrival|receiver|recipient|end|dropoff)\b/i;

function directionOf(member: Member): 'from' | 'toward' | null {
  const words = `${member.name.replaceAll(/[._]/g, ' ')} ${member.title}`;
  if (destinations.test(words)) return 'toward';
  return origins.test(words) ? 'from' : null;
}

function inScope<T extends Target>(targets: readonly T[], { joinGroup }: Scope): T[] {
  return targets.filter(({ member }) => member.joinGroup === joinGroup);
}

/** Returns targets that are within `margin` of the best quality. */
function best(targets: readonly MemberTarget[], margin: number): MemberTarget[] {
  const top = Math.max(...targets.map(({ quality }) => quality));
  return targets.filter(({ quality }) => quality >= top - margin);
}

function chosen(mention: Mention, targets: readonly MemberTarget[], scope: Scope): Member {
  const options = optionsOf(targets, scope);
  if (options.length === 0) throw impossible(`“${mention.text}” is not a measure of this data.`);
  const open = { choices: scope.choices, key: `member ${mention.text}`, about: mention.text };
  return targets.every(({ isLoose }) => isLoose) ? confirmed(open, options) : choose(open, options);
}

/** Returns members as the possible meanings of a mention. */
function optionsOf(
  targets: readonly Pick<MemberTarget, 'member'>[],
  { lexicon }: Pick<Scope, 'lexicon'>,
): Option<Member>[] {
  return targets.map(({ member }) => ({ id: member.name, label: () => labelOf(member, lexicon), value: member }));
}

/** Returns the text column whose values name the rows of a join group, if the model has one as the primary key. */
export function rowName({ lexicon, joinGroup }: Pick<Scope, 'lexicon' | 'joinGroup'>): Member | null {
  const keys = [...lexicon.members.values()].filter(
    member => member.isPrimaryKey && member.type === 'string' && member.joinGroup === joinGroup,
  );
  return keys.length === 1 ? (keys[0] ?? null) : null;
}

/** Whether one query can combine members of these cubes: one of them must reach all others through joins. */
export function canJoin(names: readonly string[], cubes: readonly MetaCube[]): boolean {
  const wanted = new Set(names);
  if (wanted.size < 2) return true;
  return [...wanted].some(start => {
    const reached = new Set([start]);
    for (const name of reached) {
      for (const join of cubes.find(cube => cube.name === name)?.joins ?? []) reached.add(join.name);
    }
    return [...wanted].every(name => reached.has(name));
  });
}

/** A resolved ranking by size. */
export interface ResolvedRank {
  /** `null` if the question names no measure for the ranking. */
  readonly measure: Member | null;
  readonly desc: boolean;
  readonly limit: number;
}

const bad = new Set(
  stemsOf(
    'delay late lateness cancelled cancellation complaint returned refund refunded error failure failed cost churn defect loss waste wait overdue expense incident',
  ),
);

const lengths = new Set(stemsOf('time duration length distance runtime'));
const lasting = new Set(stemsOf('time duration latency response age'));

/** Whether lower values are better: as the model states, otherwise for delays, durations and similar measures. */
function isBetterLow(measure: Member): boolean {
  if (isRated(measure)) return measure.annotation.meta?.better === 'less';
  return stemsOf(withoutBrackets(measure.title)).some(stem => bad.has(stem)) || isLasting(measure);
}

/** Whether the model states if higher or lower values of a measure are better. */
function isRated({ annotation: { meta } }: Member): boolean {
  return meta?.better === 'more' || meta?.better === 'less';
}

function isLong({ title }: Member): boolean {
  return stemsOf(withoutBrackets(title)).some(stem => lengths.has(stem));
}

function isLasting({ title }: Member): boolean {
  return lasting.has(stemsOf(withoutBrackets(title)).at(-1) ?? '');
}

/**
 * Returns the ranking if the superlative is part of the measure's name, as in `which weekday has the longest delay`.
 */
export function superlativeRank({ superlative, cues, by, grains }: Draft): Rank | null {
  if (superlative === null || !cues.has(Cue.which) || by.length + grains.length === 0) return null;
  const direction = /^(?:shortest|lowest|smallest|min)/i.test(superlative.text) ? 'bottom' : 'top';
  return rankBy(direction, superlative.text, {
    measure: superlative,
    isPlural: by.some(isPlural),
    noun: by[0] ?? null,
  });
}

/** Resolves the measure, direction and size of a ranking. @throws {EarlyOutcome} if one is ambiguous. */
export function rankOf(rank: Rank, draft: Draft, scope: Scope, usual: Member | null): ResolvedRank | null {
  const isOfGroups = draft.by.length > 0 || isGroupedByTime(draft) || isTimeRanked(draft);
  if (rank.isAggregate && !isOfGroups && rank.measure !== null) return null;
  const named = rank.measure ? measureOf(rank.measure, scope, aggregateIn(rank.measure, draft)) : null;
  const measure = named ?? (usual === null ? unnamedMeasure(rank, draft, scope) : null);
  const desc = isDescending(rank.direction, measure ?? usual);
  const limit = rank.count ?? (rank.isPlural || !(isOfGroups || isTimeNoun(rank, draft)) ? 10 : 1);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw impossible('I can show between 1 and 1,000 rows.');
  return { measure, desc, limit };
}

/** Whether a time dimension in the singular names the ranked noun: `the year with the most deaths`. */
function isTimeNoun({ measure }: Rank, { times }: Draft): boolean {
  const [time] = times;
  return time !== undefined && measure !== null && time.from < measure.from && !isPlural(time);
}

/** Returns the measure that the user chooses for a ranking that names none; `null` to rank by the row count. */
function unnamedMeasure(rank: Rank, draft: Draft, scope: Scope): Member | null {
  if (isLengthWord(rank.word)) return worthOf(rank.word, scope);
  // The row count is the same for each row, so it does not rank `the biggest room`.
  const rows = rank.noun !== null && typeof rank.noun !== 'string' && isCount(rank.noun) ? rank.noun : null;
  const isOfWorth = rank.direction === 'best' || rank.direction === 'worst';
  return isOfWorth || rows !== null ? worthOf(worthWord(draft), scope, rows) : null;
}

/** Returns the word whose measure the user must choose. */
export function worthWord({ cues, rank }: Pick<Draft, 'cues' | 'rank'>): string {
  if (cues.has(Cue.worsened)) return 'worse';
  if (cues.has(Cue.improved) || cues.has(Cue.better)) return 'better';
  return cues.has(Cue.change) ? 'change' : (rank?.word ?? 'best');
}

function aggregateIn(mention: Mention, { bound }: Draft): string | null {
  return (bound.get(mention) ?? []).find(aggregate => !mention.stems.includes(aggregate)) ?? null;
}

/** Whether the ranking is descending. For measures such as delays, the best values are the lowest. */
function isDescending(direction: Rank['direction'], by: Member | null): boolean {
  if (direction === 'top' || direction === 'bottom') return direction === 'top';
  const isBad = by !== null && isBetterLow(by);
  return direction === 'best' ? !isBad : isBad;
}

/**
 * Resolves the measure of "best" or "worst". If there are several measures, the user must choose.
 * @param rows - the ranked noun if it names the rows. Their number is not a choice.
 */
export function worthOf(word: string, { lexicon, joinGroup, choices }: Scope, rows: Mention | null = null): Member {
  const measures = [...lexicon.members.values()].filter(
    member =>
      isFigure(member) && member.joinGroup === joinGroup && !rows?.targets.some(target => target.member === member),
  );
  const fits = isLengthWord(word) ? isLong : isRated;
  const rated = measures.filter(fits);
  const options = optionsOf(
    (rated.length > 0 ? rated : measures).map(member => ({ member })),
    { lexicon },
  );
  return choose({ choices, key: 'worth', about: word }, options);
}
