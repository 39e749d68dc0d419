import { Cue } from '../vocabulary/cues.js';
import type { Member } from '../vocabulary/lexicon.js';
import { isCount, isNumericColumn } from './arrange-figures.js';
import type { Draft } from './draft.js';
import { impossible } from './outcome.js';
import type { Mention } from './pieces.js';
import { ChartKind, type Condition, emptyReading, type Reading } from './reading.js';
import type { ResolvedParts } from './resolve-draft.js';

const leads: ReadonlySet<Cue> = new Set([
  Cue.and,
  Cue.what,
  Cue.also,
  Cue.instead,
  Cue.only,
  Cue.not,
  Cue.sort,
  Cue.show,
  Cue.reset,
  Cue.remove,
  Cue.replace,
  Cue.insteadOf,
  Cue.by,
  Cue.table,
  Cue.bar,
  Cue.line,
]);

/** Whether a question refers to the previous one, explicitly or because it names no measure. */
export function isFollowUp(draft: Draft, text: string): boolean {
  if (/^\s*(?:and|but|then|so|now)\b/i.test(text)) return true;
  if (draft.first !== null && leads.has(draft.first)) return true;
  // A scatter plot of two columns needs no measure.
  const isPlot = draft.chart === ChartKind.scatter && draft.by.filter(isNumericColumn).length > 1;
  // `why did it change in May` refers to the previous measure.
  if (draft.aim === 'contributions') return draft.measures.length === 0 && draft.rank?.measure == null;
  if (draft.aim !== 'figures' || isPlot) return false;
  if (
    draft.cues.has(Cue.instead) ||
    draft.cues.has(Cue.insteadOf) ||
    draft.cues.has(Cue.also) ||
    draft.cues.has(Cue.what)
  )
    return true;
  const isList =
    draft.counted !== null || draft.cues.has(Cue.list) || (draft.cues.has(Cue.which) && draft.rank === null);
  return draft.measures.length === 0 && draft.rank?.measure == null && !isList;
}

/**
 * Removes the parts of the previous reading that a question removes or replaces. If such a part is a value that the
 * previous reading does not filter by, adds a filter that excludes it.
 * @throws {EarlyOutcome} if any other part is not in the previous reading.
 */
export function withoutRemoved(base: Reading, draft: Draft): Reading {
  let reading = base;
  for (const part of draft.removed)
    reading = typeof part === 'string' ? withoutGrain(reading, part) : without(reading, part, draft);
  return reading;
}

function withoutGrain(reading: Reading, grain: string): Reading {
  if (reading.grain !== grain) throw impossible(`The previous answer is not grouped by ${grain}.`);
  return { ...reading, grain: null };
}

function without(reading: Reading, part: Mention, draft: Draft): Reading {
  draft.entities.add(part);
  const kept = withoutMember(reading, part);
  if (kept !== reading) return kept;
  if (!part.targets.some(({ kind }) => kind === 'value'))
    throw impossible(`“${part.text}” is not part of the previous answer.`);
  draft.values.push({ mention: part, isExcluded: true, direction: null });
  return reading;
}

function withoutMember(reading: Reading, { targets }: Mention): Reading {
  const isNamed = (member: Member) => targets.some(target => target.kind === 'member' && target.member === member);
  const selects = ({ member, values }: Condition) =>
    targets.some(target => target.kind === 'value' && target.member === member && values.includes(target.value));
  const { measures, dimensions, segments, conditions } = reading;
  const members = [...measures, ...dimensions, ...segments, ...conditions.map(({ member }) => member)];
  if (!conditions.some(selects) && !members.some(isNamed)) return reading;
  return {
    ...reading,
    measures: measures.filter(member => !isNamed(member)),
    dimensions: dimensions.filter(member => !isNamed(member)),
    segments: segments.filter(member => !isNamed(member)),
    conditions: conditions.flatMap(condition => {
      // If a column is both a grouping and a condition, remove only the grouping.
      const isOnlyCondition = isNamed(condition.member) && !dimensions.includes(condition.member);
      if (!selects(condition)) return isOnlyCondition ? [] : [condition];
      const values = condition.values.filter(
        value => !targets.some(target => target.kind === 'value' && target.value === value),
      );
      return values.length > 0 ? [{ ...condition, values }] : [];
    }),
  };
}

/** Whether a follow-up question adds its grouping to the previous one instead of replacing it. */
function addsGrouping(
  { dimensions, grain }: Reading,
  parts: ResolvedParts,
  { cues, first, isSplit, removed }: Draft,
): boolean {
  if (cues.has(Cue.also) || removed.length > 0) return true;
  if (isSplit && dimensions.length + (grain === null ? 0 : 1) === 1) return true;
  // Add the grouping of `and by genre` to values per year.
  const isFurther = first === Cue.and && !cues.has(Cue.instead) && grain !== null && dimensions.length === 0;
  return isFurther && parts.dimensions.length > 0;
}

/** Applies the changes in a follow-up question to the previous reading. */
export function applyFollowUp(base: Reading, parts: ResolvedParts, draft: Draft): Reading {
  const adds = addsGrouping(base, parts, draft);
  const regroups = parts.dimensions.length > 0 || parts.grain !== null;
  // A scatter plot keeps its axes.
  const axes = base.measures.length === 0 ? base.dimensions.filter(({ type }) => type === 'number') : [];
  const measures = namesOnlyRows(draft, parts)
    ? base.measures
    : changedMeasures(base, parts, { adds: adds || draft.isOfSame });
  const grouping = changedGrouping(base, parts, adds ? base : { dimensions: axes, grain: null });
  const isRedrawn = regroups && !adds && axes.length === 0 && base.chart !== ChartKind.table;
  const ordering = changedOrder(base, parts, draft, { measures, regroups: regroups && !adds });
  return {
    ...base,
    ...grouping,
    ...ordering,
    ...(parts.perGroup ? { order: null, limit: null, computation: emptyReading.computation } : {}),
    perGroup: parts.perGroup ?? (regroups ? null : base.perGroup),
    measures,
    time: parts.time ?? base.time,
    conditions: changedConditions(base.conditions, parts.conditions, draft),
    segments: draft.cues.has(Cue.reset) ? parts.segments : [...new Set([...base.segments, ...parts.segments])],
    chart: draft.chart ?? (isRedrawn ? ChartKind.auto : base.chart),
  };
}

/** @param rest - the part of the previous grouping to keep if the question names another grouping. */
function changedGrouping(
  base: Reading,
  { dimensions, grain }: ResolvedParts,
  rest: Pick<Reading, 'dimensions' | 'grain'>,
): Pick<Reading, 'dimensions' | 'grain'> {
  if (dimensions.length === 0 && grain === null) return { dimensions: base.dimensions, grain: base.grain };
  return { dimensions: [...new Set([...rest.dimensions, ...dimensions])], grain: grain ?? rest.grain };
}

const filtering: ReadonlySet<Cue> = new Set([Cue.only, Cue.not]);

/** Whether a row count only names the rows that a follow-up question selects: `only late flights`. */
function namesOnlyRows({ first, measures, counts, segments, values }: Draft, { rank }: ResolvedParts): boolean {
  if (first === null || !filtering.has(first) || rank !== null || segments.length + values.length === 0) return false;
  return measures.length > 0 && measures.every(one => isCount(one) && !counts.has(one));
}

function changedMeasures(
  base: Reading,
  { measures }: ResolvedParts,
  { adds }: { readonly adds: boolean },
): readonly Member[] {
  // A scatter plot of two columns has no measure.
  if (measures.length + base.measures.length + base.dimensions.length === 0)
    throw impossible('An answer requires at least one measure.');
  if (measures.length === 0) return base.measures;
  return adds ? [...new Set([...base.measures, ...measures])] : measures;
}

function changedOrder(
  base: Reading,
  { rank }: ResolvedParts,
  draft: Draft,
  { measures, regroups }: { readonly measures: readonly Member[]; readonly regroups: boolean },
): Pick<Reading, 'order' | 'limit'> {
  const [first] = measures;
  if (rank) {
    const member = rank.measure ?? first;
    return { order: member ? { member, desc: rank.desc } : null, limit: rank.limit };
  }
  const kept = regroups ? { order: null, limit: null } : { order: base.order, limit: base.limit };
  const order =
    kept.order && first && !measures.includes(kept.order.member) && !base.dimensions.includes(kept.order.member)
      ? { ...kept.order, member: first }
      : kept.order;
  return { order, limit: draft.limit ?? kept.limit };
}

/** Replaces earlier conditions on the same member. */
function changedConditions(
  before: readonly Condition[],
  now: readonly Condition[],
  draft: Draft,
): readonly Condition[] {
  if (draft.cues.has(Cue.reset)) return now;
  const adds = draft.cues.has(Cue.also);
  const merged = now.map(condition => {
    const same = before.find(
      ({ member, operator }) => adds && member === condition.member && operator === condition.operator,
    );
    return same ? { ...condition, values: [...new Set([...same.values, ...condition.values])] } : condition;
  });
  return [...before.filter(({ member }) => !now.some(condition => condition.member === member)), ...merged];
}
