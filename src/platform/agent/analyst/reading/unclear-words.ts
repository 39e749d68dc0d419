import { isAdditive } from '../vocabulary/lexicon.js';
import { isTimeRanked } from './draft.js';
import type { Place, SpokenPiece } from './unclear-mentions.js';

/**
 * Whether a question word requests a group that the answer does not contain: `where do the orders come from`, `who
 * spent the most`, `when was the highest delay`.
 */
export function isQuestionWord(text: string, { index, reading, draft }: Place): boolean {
  if (index > 0) return false;
  const { dimensions, grain } = reading;
  if (/^(?:where|who|whom|whose)$/i.test(text)) return dimensions.length === 0;
  return /^when$/i.test(text) && grain === null && dimensions.length === 0 && !isTimeRanked(draft);
}

/** Whether `both` refers to two parts that only an earlier question names: `compare both`. */
export function isBoth(text: string, { draft }: Place): boolean {
  if (!/^both$/i.test(text)) return false;
  const { values, dates, measures, by, segments, grains } = draft;
  const periods = dates.flatMap(({ ends }) => ends ?? [null]);
  return [values, periods, [...by, ...grains], [...measures, ...segments]].every(parts => parts.length < 2);
}

/**
 * Whether the average of two periods may be requested for each of them: `the average delay in May and June`. Sums and
 * counts can be added up, so they may be requested for both.
 */
export function isPooledPeriod({ piece, text }: SpokenPiece, { reading }: Pick<Place, 'reading'>): boolean {
  if (piece.kind !== 'date' || piece.date.ends === undefined) return false;
  if (!/\band\b/i.test(text) || /^between\b/i.test(text)) return false;
  const { grain, computation, measures } = reading;
  return grain === null && computation.kind === 'none' && measures.some(measure => !isAdditive(measure));
}
