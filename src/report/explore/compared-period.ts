import type { ReportSnapshot } from '../../contract/dashboards.js';
import { comparisonColumnName } from '../query/comparison.js';
import type { EarlierPeriod } from './chart-options.js';
import { granularities } from './members.js';
import { type Draft, membersOf } from './query-draft.js';

/** Comparisons of a report with earlier periods (`periodComparisons`). */
export type Comparisons = NonNullable<ReportSnapshot['periodComparisons']>;

/** Periods that users choose, from short to long. */
export const comparedUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
/** A period that users choose. */
export type ComparedUnit = (typeof comparedUnits)[number];

/** Returns the periods that the rows of a draft can be compared with: none without a time dimension. */
export function offeredUnits(draft: Draft): readonly ComparedUnit[] {
  const time = comparedTime(draft);
  if (!time || membersOf(draft, 'measure').length === 0) return [];
  // From coarse to fine. Rows cannot be compared with a period shorter than themselves.
  const order: readonly (string | null | undefined)[] = granularities;
  const rows = order.indexOf(draft.granularities.get(time));
  return comparedUnits.filter(unit => rows === -1 || order.indexOf(unit) <= rows);
}

/** Returns the period that all comparisons share; `null` if a choice of one period cannot express them. */
export function unitOf(comparisons: Comparisons): ComparedUnit | null {
  const [first, ...others] = comparisons.map(({ offset, outputs }) => JSON.stringify([offset, outputs ?? null]));
  const { offset, outputs } = comparisons[0] ?? {};
  if (!first || others.some(other => other !== first) || outputs || Math.abs(offset?.amount ?? 0) !== 1) return null;
  return comparedUnits.find(unit => unit === offset?.unit) ?? null;
}

/** Compares all measures of a draft with the period that is earlier by one unit. */
export function compareWith(draft: Draft, unit: ComparedUnit): Comparisons {
  const timeDimension = comparedTime(draft);
  if (!timeDimension) return [];
  const offset = { amount: 1, unit };
  return membersOf(draft, 'measure').map(({ name: measure }) => ({ measure, timeDimension, offset }));
}

/** Updates comparisons for the members of a draft. Comparisons that users cannot choose stay unchanged. */
export function followDraft(comparisons: Comparisons, draft: Draft): Comparisons {
  const unit = unitOf(comparisons);
  if (unit === null) return comparisons;
  return offeredUnits(draft).includes(unit) ? compareWith(draft, unit) : [];
}

/** Returns the period that charts show next to a measure; `null` without a comparison. */
export function earlierPeriod(
  comparisons: Comparisons,
  titles: Readonly<Record<ComparedUnit, string>>,
): EarlierPeriod | null {
  const unit = unitOf(comparisons);
  if (unit === null) return null;
  return {
    title: titles[unit],
    columnOf: measure => comparisonColumnName(measure, { amount: 1, unit }, 'value'),
  };
}

function comparedTime(draft: Draft): string | null {
  const times = membersOf(draft, 'time');
  const grouped = times.find(({ name }) => draft.granularities.get(name));
  const ranged = times.find(({ name }) => [...draft.filters].some(([member, value]) => member.name === name && value));
  return (grouped ?? ranged)?.name ?? null;
}
