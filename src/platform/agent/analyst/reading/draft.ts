import type { FilterOperator } from '../../../../contract/query.js';
import type { DateMention } from '../time/date-phrases.js';
import type { Cue } from '../vocabulary/cues.js';
import type { MemberKind } from '../vocabulary/lexicon.js';
import { stemOf } from '../vocabulary/words.js';
import type { Mention, Target } from './pieces.js';
import type { ChartKind } from './reading.js';

/** A numeric condition before its member is resolved. */
export interface DraftCondition {
  readonly operator: FilterOperator;
  readonly value: number;
  readonly isPercent: boolean;
  /** Time unit of the number: `over 2 hours`. */
  readonly unit: string | null;
  /** Words that compare: `older than`. */
  readonly word?: string | null;
  target: Mention | null;
}

/** A mentioned dimension value and its role. */
export interface DraftValue {
  readonly mention: Mention;
  readonly isExcluded: boolean;
  /** Set if `from` or `to` precedes the value. */
  readonly direction: 'from' | 'toward' | null;
}

/** Ranking by size: `top 5`, `worst`. */
export interface Rank {
  readonly direction: 'top' | 'bottom' | 'best' | 'worst';
  /** Whether the word means an aggregate if the question names a measure but no groups: `the highest delay`. */
  readonly isAggregate: boolean;
  /** Word for the rank: `longest`. */
  readonly word: string;
  count: number | null;
  measure: Mention | null;
  /** Whether the ranked noun is plural. */
  isPlural: boolean;
  /** The ranked noun: a mention of a dimension, or a granularity. */
  noun: Mention | string | null;
}

/** Returns a ranking. Measure, number and noun are `null` unless given in `more`. */
export function rankBy(
  direction: Rank['direction'],
  word: string,
  more: Partial<Omit<Rank, 'direction' | 'word'>>,
): Rank {
  return { direction, word, isAggregate: false, count: null, measure: null, isPlural: false, noun: null, ...more };
}

/** Kind of question: measures, the contributions to a change, or an overview of the main measures. */
export type Aim = 'figures' | 'contributions' | 'overview';

/** The parts of a question, with mentions that may still be ambiguous. */
export interface Draft {
  readonly aim: Aim;
  readonly measures: Mention[];
  /** Measures that `and` joins to another measure. */
  readonly joined: Set<Mention>;
  readonly by: Mention[];
  /** Mentions in `by` that the question explicitly groups by. */
  readonly grouped: Set<Mention>;
  readonly grains: string[];
  readonly values: DraftValue[];
  readonly segments: Mention[];
  readonly excludedSegments: Mention[];
  /** Dimensions for which rows without a value are requested. */
  readonly missing: Mention[];
  /** Mentions and granularities that a follow-up question removes or replaces. */
  readonly removed: (Mention | string)[];
  /** Whether the question names a decrease. The largest change is then the largest decrease. */
  isDecrease: boolean;
  /** Whether `and` joins several values: `European and Japanese cars`. */
  isOfEachValue: boolean;
  /** Whether the question adds a grouping to the previous answer: `split by origin`. */
  isSplit: boolean;
  /** Whether the question refers to the rows of the previous answer: `and their average delay`. */
  isOfSame: boolean;
  /** Text of a negation that cannot be applied to a member or value. */
  unbound: string | null;
  readonly conditions: DraftCondition[];
  readonly dates: DateMention[];
  readonly times: Mention[];
  /** All mentioned aggregates. */
  readonly aggregates: string[];
  /** Aggregates by the mention that they belong to: `average` by `mpg` in `cylinders and average mpg`. */
  readonly bound: Map<Mention, string[]>;
  /** Whether the question contains `count` without a noun. */
  countsRows: boolean;
  /** A column of a grouped distribution: either a measure per group, or a grouping of counted rows. */
  spread: Mention | null;
  /** Mentions that only name the rows: `cost per case`. */
  readonly entities: Set<Mention>;
  /** Whether the question requests a value for each row: `the weight of every car`. */
  isOfEachRow: boolean;
  /** Measures after `how many`. */
  readonly counts: Set<Mention>;
  readonly unknown: string[];
  readonly cues: Set<Cue>;
  /** Cue of the first piece, if that piece is a cue. Some cues identify a follow-up question. */
  first: Cue | null;
  rank: Rank | null;
  /** Requested order. `mention` is a member or a granularity; `null` if the question names none. */
  sort: { mention: Mention | string | null; desc: boolean | null } | null;
  limit: number | null;
  chart: ChartKind | null;
  /** The dimension whose values are counted, as in `how many states`. */
  counted: Mention | null;
  /** The counted granularity, as in `how many days`. Queries cannot count the intervals of a granularity. */
  countedGrain: string | null;
  /** A measure whose own name contains a superlative: `the longest delay`. */
  superlative: Mention | null;
}

/** Returns the parts of an empty question. */
export function emptyDraft(): Omit<Draft, 'aim'> {
  return {
    measures: [],
    joined: new Set(),
    by: [],
    grouped: new Set(),
    grains: [],
    values: [],
    segments: [],
    excludedSegments: [],
    missing: [],
    removed: [],
    isDecrease: false,
    isOfEachValue: false,
    isSplit: false,
    isOfSame: false,
    unbound: null,
    conditions: [],
    dates: [],
    times: [],
    aggregates: [],
    bound: new Map(),
    counts: new Set(),
    entities: new Set(),
    countsRows: false,
    isOfEachRow: false,
    spread: null,
    unknown: [],
    cues: new Set(),
    first: null,
    rank: null,
    sort: null,
    limit: null,
    chart: null,
    counted: null,
    countedGrain: null,
    superlative: null,
  };
}

/** Returns the order that a question requests. Adds an empty one if the draft has none. */
export function sortOf(draft: Pick<Draft, 'sort'>): NonNullable<Draft['sort']> {
  draft.sort ??= { mention: null, desc: null };
  return draft.sort;
}

/** Returns the members that a mention may refer to. */
export function membersIn(mention: Mention, kind?: MemberKind): Extract<Target, { kind: 'member' }>[] {
  return mention.targets
    .filter(target => target.kind === 'member')
    .filter(({ member }) => kind === undefined || member.kind === kind);
}

/** Whether the last word of a mention is plural. */
export function isPlural({ text }: Mention): boolean {
  const last = text.split(' ').at(-1)?.toLowerCase() ?? '';
  return last.endsWith('s') && stemOf(last) !== last && !last.endsWith('ss');
}

/** Whether a ranked noun is plural. */
export function isPluralNoun(noun: Mention | string): boolean {
  return typeof noun !== 'string' && isPlural(noun);
}

/** Whether a question groups by time, with a granularity or with a time dimension after `by`: `by release year`. */
export function isGroupedByTime({ grains, times, grouped, rank }: Omit<Draft, 'aim'>): boolean {
  return grains.length > 0 || times.some(time => grouped.has(time) && rank?.noun !== time);
}

/** Whether the ranked noun is a time dimension: `which release year has the highest budget`. */
export function isTimeRanked({ rank, times }: Pick<Draft, 'rank' | 'times'>): boolean {
  return rank !== null && rank.noun !== null && typeof rank.noun !== 'string' && times.includes(rank.noun);
}

/** Returns the aggregates of a mention, without those that its words already contain. */
export function aggregatesFor({ bound }: Draft, mention: Mention): readonly (string | null)[] {
  const own = (bound.get(mention) ?? []).filter(aggregate => !mention.stems.includes(aggregate));
  return own.length > 0 ? own : [null];
}
