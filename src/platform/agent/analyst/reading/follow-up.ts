import { Cue } from '../vocabulary/cues.js';
import type { Member } from '../vocabulary/lexicon.js';
import type { Draft } from './draft.js';
import { ChartKind, type Condition, type Reading } from './reading.js';
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
  Cue.by,
  Cue.table,
  Cue.bar,
  Cue.line,
]);

/** Whether a question refers to the previous one, explicitly or because it names no figure. */
export function isFollowUp(draft: Draft, text: string): boolean {
  if (/^\s*(?:and|but|then|so|now)\b/i.test(text)) return true;
  if (draft.first !== null && leads.has(draft.first)) return true;
  if (draft.cues.has(Cue.instead) || draft.cues.has(Cue.also) || draft.cues.has(Cue.what)) return true;
  const isList =
    draft.counted !== null || draft.cues.has(Cue.list) || (draft.cues.has(Cue.which) && draft.rank === null);
  return draft.measures.length === 0 && draft.rank?.measure == null && !isList;
}

/** Applies the changes in a follow-up question to the previous reading. */
export function applyFollowUp(base: Reading, parts: ResolvedParts, draft: Draft): Reading {
  const adds = draft.cues.has(Cue.also);
  const regroups = parts.dimensions.length > 0 || parts.grain !== null;
  const measures = changedMeasures(base, parts, { adds });
  const grouping = regroups
    ? {
        dimensions: adds ? [...new Set([...base.dimensions, ...parts.dimensions])] : parts.dimensions,
        grain: parts.grain ?? (adds ? base.grain : null),
      }
    : { dimensions: base.dimensions, grain: base.grain };
  const ordering = changedOrder(base, parts, draft, { measures, regroups: regroups && !adds });
  return {
    ...base,
    ...grouping,
    ...ordering,
    measures,
    time: parts.time ?? base.time,
    conditions: changedConditions(base.conditions, parts.conditions, draft),
    segments: draft.cues.has(Cue.reset) ? parts.segments : [...new Set([...base.segments, ...parts.segments])],
    chart: draft.chart ?? (regroups && !adds && base.chart !== ChartKind.table ? ChartKind.auto : base.chart),
  };
}

function changedMeasures(
  base: Reading,
  { measures }: ResolvedParts,
  { adds }: { readonly adds: boolean },
): readonly Member[] {
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
