import { intervalSql } from './dialects/interval.js';

/** How far around a span of time a measure looks, as the library read it from the model. */
export type RollingWindow =
  | { readonly type: 'to_date'; readonly granularity: string }
  | {
      readonly type?: 'fixed';
      /** Before the end of the span, or before its start where `offset` says so. */
      readonly trailing?: string;
      readonly leading?: string;
      readonly offset?: 'start' | 'end';
    };

/** SQL of two local times: the first instant of a span and the first one after it. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

/** From the finest. Weeks begin at days, but neither months nor weeks at each other. */
const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];

/**
 * A condition on SQL of a local time: whether it lies in the window around a span, of which the end is open.
 * @param last - where many spans follow one another, the last of them: then the time lies in any of their windows, or between two.
 */
export function inWindow(time: string, window: RollingWindow, first: Span, last = first): string {
  if (window.type === 'to_date')
    return `${time} >= date_trunc('${window.granularity}', ${first.start}) AND ${time} < ${last.end}`;
  const { trailing, leading, offset = 'end' } = window;
  const conditions = [
    ...(trailing === 'unbounded' ? [] : [`${time} >= ${shifted(first[offset], '-', trailing)}`]),
    ...(leading === 'unbounded' ? [] : [`${time} < ${shifted(last[offset], '+', leading)}`]),
  ];
  return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ');
}

function shifted(time: string, sign: '-' | '+', interval: string | undefined): string {
  return interval === undefined ? time : `(${time} ${sign} ${intervalSql(interval)})`;
}

/**
 * The coarsest granularity by which rows may be added up ahead: each of its buckets lies wholly inside or wholly outside of any window.
 * @param intervals - what the spans are made of: intervals, or names of granularities.
 */
export function resolutionOf(window: RollingWindow, intervals: readonly string[]): string {
  const edges = window.type === 'to_date' ? [window.granularity] : [window.trailing ?? '', window.leading ?? ''];
  const named = [...intervals, ...edges].flatMap(text => units.filter(unit => text.includes(unit)));
  const finest = units.find(unit => named.includes(unit)) ?? 'day';
  const isMixed = finest === 'week' && named.some(unit => units.indexOf(unit) > units.indexOf('week'));
  return isMixed ? 'day' : finest;
}
