import type { FilterOperator } from '../../../../contract/query.js';
import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { membersIn } from './draft.js';
import type { Mention } from './pieces.js';
import { ChartKind } from './reading.js';

export const comparisons: Partial<Record<Cue, FilterOperator>> = {
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  equals: 'equals',
};
export const charts: Partial<Record<Cue, ChartKind>> = {
  table: ChartKind.table,
  bar: ChartKind.bar,
  line: ChartKind.line,
  pie: ChartKind.pie,
  scatter: ChartKind.scatter,
  histogram: ChartKind.histogram,
};
export const ranks: ReadonlySet<Cue> = new Set([Cue.top, Cue.bottom, Cue.best, Cue.worst]);
/** Cues before the parts of the previous reading that a question removes or replaces. */
export const removals: ReadonlySet<Cue> = new Set([Cue.remove, Cue.insteadOf, Cue.replace]);
export const superlative =
  /^(?:longest|highest|largest|biggest|greatest|max|maximum|lowest|smallest|shortest|min|minimum)\b/i;

/** Words that add a grouping instead of replacing the previous one. */
export const splitting =
  /^(?:split|broken|break|divided|separated?|segmented|segregated|stacked?|colou?r|facet|trellis)/;

/** Whether a word ranks by length. The user must then choose the measure that it means. */
export function isLengthWord(word: string): boolean {
  return /^(?:longest|shortest)$/i.test(word);
}

/** Whether a mention names a measure with this aggregate. A count also matches `total`. */
export function hasAggregate(mention: Mention, aggregate: string): boolean {
  return membersIn(mention, MemberKind.measure).some(
    ({ member }) => member.aggregate === aggregate || (aggregate === 'total' && member.aggregate?.startsWith('count')),
  );
}

export const eachOf = new Set(['per', 'for', 'each', 'every']);

export function isCountAlone(mention: Mention): boolean {
  return membersIn(mention).every(({ member }) => member.aggregate === 'count');
}

/** Whether a number is valid as a number of rows to show. */
export function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= 1000;
}

export function isCountable(mention: Mention): boolean {
  return membersIn(mention).some(({ member }) => member.kind === MemberKind.measure || member.type === 'number');
}

export function directionAfter(cue: Cue | null): 'from' | 'toward' | null {
  if (cue === Cue.from) return 'from';
  return cue === Cue.toward ? 'toward' : null;
}
