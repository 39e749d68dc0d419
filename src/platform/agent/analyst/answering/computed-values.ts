import type { ComputedValues } from '../../../../contract/chat.js';
import type { JsonObject } from '../../../../contract/wire.js';
import { offsetOf } from '../../../../report/query/comparison-period.js';
import { answerChecksum } from '../../tools/answer-checksum.js';
import type { Reading } from '../reading/reading.js';
import { isShareOfPart, queryOf } from '../reading/to-query.js';
import { isAdditive } from '../vocabulary/lexicon.js';
import { isChartOfPeriods, withBothPeriods } from './compared-chart.js';
import { withShares } from './share-text.js';

/** Completes the results of the queries of an answer. */
type Completion = (results: readonly JsonObject[]) => readonly JsonObject[];

/**
 * Returns the function that adds shares or the rows of both periods to the results; `null` if the answer has neither.
 */
export function completionOf(reading: Reading, locale: string): Completion | null {
  if (reading.computation.kind === 'share') return results => withShares(reading, results);
  return isChartOfPeriods(reading) ? results => withBothPeriods(reading, results, locale) : null;
}

/**
 * States how the values of the first result are computed if its query does not return them. Removes the checksum if an
 * AI widget could not compute them.
 */
export function withComputed(reading: Reading, result: JsonObject): JsonObject {
  const { kind } = reading.computation;
  if (kind === 'none' || kind === 'unusual' || kind === 'running total') return result;
  const computed = computedOf(reading, result);
  if (computed === null) return { ...result, checksum: '' };
  return { ...result, computed, checksum: answerChecksum({ ...result, computed }) };
}

function computedOf(reading: Reading, { vegaSpec }: JsonObject): ComputedValues | null {
  const { computation, time, limit, measures, conditions } = reading;
  if (computation.kind === 'share') {
    const isWhole = limit === null && conditions.every(({ member }) => member.kind !== 'measure');
    const isOfTotal = !isShareOfPart(reading) && measures.every(isAdditive);
    return isWhole && isOfTotal && vegaSpec !== undefined ? { kind: 'share' } : null;
  }
  if (computation.kind !== 'compare' && computation.kind !== 'contributions') return null;
  const { from, to } = computation.against;
  const offset = time && from && to ? offsetOf(queryOf(reading), time.name, [from, to]) : null;
  return time && offset ? { kind: 'periods', timeDimension: time.name, offset } : null;
}
