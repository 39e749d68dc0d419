import type { Filter, Query } from '../../../../contract/query.js';
import { type DateSpan, dayAfter } from '../time/date-span.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import type { Reading } from './reading.js';

/** Returns the key of the time column in rows and order. */
export function timeColumn({ time, grain }: Reading): string | null {
  return time && grain ? `${time.name}.${grain}` : null;
}

/**
 * Returns the queries of a reading: the measures, followed by the other side of a comparison or the whole of a share.
 */
export function queriesOf(reading: Reading): Query[] {
  const { computation } = reading;
  const main = queryOf(reading);
  const other = otherSide(reading);
  if (other) return [main, queryOf(other)];
  if (computation.kind === 'contributions')
    return [reading.span, computation.against].map(span => queryOf({ ...reading, dimensions: [], span }));
  return computation.kind === 'share' ? [main, queryOf(wholeOf(reading))] : [main];
}

/** Returns the other side of a comparison: another period or other rows; `null` without a comparison. */
export function otherSide(reading: Reading): Reading | null {
  const { computation } = reading;
  if (computation.kind === 'compare') return { ...reading, span: computation.against };
  return computation.kind === 'compare rows' ? { ...reading, ...computation.against } : null;
}

/**
 * Returns the whole of a share. For the share of a part in each group, removes the segments or conditions of the part.
 * Otherwise removes the groups, or the conditions if there are no groups.
 */
export function wholeOf(reading: Reading): Reading {
  const isSplit = reading.dimensions.length > 0 || reading.grain !== null;
  const part = reading.computation.kind === 'share' ? reading.computation.part : [];
  if (isSplit && isShareOfPart(reading)) {
    const rest = reading.conditions.filter(condition => !part.includes(condition));
    return { ...reading, segments: part.length > 0 ? reading.segments : [], conditions: rest, limit: null };
  }
  const conditions = reading.conditions.filter(({ member }) => isSplit && member.kind !== MemberKind.measure);
  const time = reading.span ? reading.time : null;
  return { ...reading, conditions, segments: [], dimensions: [], grain: null, order: null, limit: null, time };
}

/** Whether a share is the share of some rows in each group: `percentage of late flights by month`. */
export function isShareOfPart({ segments, computation }: Pick<Reading, 'segments' | 'computation'>): boolean {
  return segments.length > 0 || (computation.kind === 'share' && computation.part.length > 0);
}

export function queryOf(reading: Reading): Query {
  const { measures, dimensions, segments, limit, time, grain } = reading;
  const names = (members: Reading['measures']) => members.map(({ name }) => name);
  const dateRange = closed(reading.span);
  const filters = [
    ...reading.conditions.map(({ member, operator, values }) => ({
      member: member.name,
      operator,
      ...(values.length > 0 ? { values: [...values] } : {}),
    })),
    ...openFilters(reading),
    ...(reading.rows ? [reading.rows] : []),
  ];
  const order = orderOf(reading);
  return {
    ...(measures.length > 0 ? { measures: names(measures) } : {}),
    ...(dimensions.length > 0 ? { dimensions: names(dimensions) } : {}),
    ...(segments.length > 0 ? { segments: names(segments) } : {}),
    ...(time && (grain || dateRange)
      ? {
          timeDimensions: [
            { dimension: time.name, ...(grain ? { granularity: grain } : {}), ...(dateRange ? { dateRange } : {}) },
          ],
        }
      : {}),
    ...(filters.length > 0 ? { filters } : {}),
    ...(order.length > 0 ? { order } : {}),
    ...(limit === null ? {} : { limit }),
  };
}

function closed(span: DateSpan | null): [string, string] | null {
  return span?.from && span.to ? [span.from, span.to] : null;
}

/** Returns the filter for an open-ended span. */
function openFilters({ span, time }: Reading): Filter[] {
  if (span === null || time === null || closed(span)) return [];
  if (span.to !== null) return [{ member: time.name, operator: 'beforeDate', values: [dayAfter(span.to)] }];
  return span.from === null ? [] : [{ member: time.name, operator: 'afterOrOnDate', values: [span.from] }];
}

/**
 * Returns the requested order. By default, times, hours and weekdays are in natural order, and other rows are sorted by
 * size.
 */
function orderOf(reading: Reading): [string, 'asc' | 'desc'][] {
  const { order, perGroup, time, grain, dimensions, measures } = reading;
  const [measure] = measures;
  if (perGroup && measure) {
    const group = perGroup.ranked === null ? dimensions[0] : (dimensions.find(one => one !== perGroup.ranked) ?? time);
    return [...(group ? [[group.name, 'asc'] as [string, 'asc']] : []), [measure.name, perGroup.desc ? 'desc' : 'asc']];
  }
  if (order) return [[order.member.name, order.desc ? 'desc' : 'asc']];
  if (time && grain) return [[time.name, 'asc']];
  const [dimension] = dimensions;
  if (dimension === undefined) return [];
  return [dimension.ordered || measure === undefined ? [dimension.name, 'asc'] : [measure.name, 'desc']];
}
