import type { FilterValue, Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { DashboardFilterOperator, FilterCondition } from '../../contract/widget-config.js';
import { dayTime } from '../dates/calendar-days.js';
import { type Choice, type FilterControl, withChoices } from './controls.js';
import { type MemberType, operatorsOf, valuelessOperators } from './filter-condition.js';

/**
 * How the values of a condition are chosen: not at all, from a list, as lines of text, as one value, as two ends, as one day, or as a
 * relative date or a range of days.
 */
export type FilterEditor = 'none' | 'list' | 'lines' | 'one' | 'range' | 'day' | 'days';

/** The operators that a filter offers for a type; the one in force is among them. */
export function availableOperators(
  { operators, single, initial }: FilterControl,
  type: MemberType,
): readonly DashboardFilterOperator[] {
  const suitable = operatorsOf[type];
  const offered = operators ? suitable.filter(operator => operators.includes(operator)) : suitable;
  if (single && !operators) return suitable.filter(operator => operator === (initial?.operator ?? 'equals'));
  return offered.length > 0 ? offered : suitable;
}

/** How the values of an operator are chosen. */
export function editorOf(operator: DashboardFilterOperator, type: MemberType): FilterEditor {
  if (valuelessOperators.includes(operator)) return 'none';
  if (operator === 'custom' || (operator === 'between' && type === 'time')) return 'days';
  if (type === 'time') return 'day';
  if (operator === 'between') return 'range';
  if (operator === 'equals' || operator === 'not_equals') return 'list';
  return /_than/.test(operator) ? 'one' : 'lines';
}

/**
 * The condition of an operator and values; null for what says nothing. What `before` says of its ends stays as long as they are ends.
 */
export function draftCondition(
  operator: DashboardFilterOperator,
  values: readonly FilterValue[],
  before: FilterCondition | null,
): FilterCondition | null {
  if (valuelessOperators.includes(operator)) return { operator };
  const isSaid = (value: FilterValue): boolean => value !== '' && value !== null;
  if (operator === 'between') {
    if (!values.some(isSaid)) return null;
    const [start = null, end = null] = values.map(value => (isSaid(value) ? value : null));
    const { startInclusive, endInclusive } = before ?? {};
    return {
      operator,
      value: [start, end],
      ...(startInclusive === false && { startInclusive }),
      ...(endInclusive === false && { endInclusive }),
    };
  }
  const [first] = values;
  if (first === undefined) return null;
  if (values.length > 1 || first === null) return { operator, value: [...values] };
  return { operator, value: first };
}

/** First and last day of the data; null where it is not known. */
export interface DateBounds {
  readonly min: string | null;
  readonly max: string | null;
}

/** The queries for the first and the last day on which a time has rows, in the dashboard's time zone. */
export function boundsQueries(member: string, choices: readonly Choice[]): readonly [Query, Query] {
  const zone = choices.filter(({ kind }) => kind === 'timezone');
  const query = (direction: 'asc' | 'desc'): Query => ({
    timeDimensions: [{ dimension: member, granularity: 'day' }],
    filters: [{ member, operator: 'set' }],
    order: [[member, direction]],
    limit: 1,
  });
  return [withChoices(query('asc'), zone).query, withChoices(query('desc'), zone).query];
}

/** The day of the only row of a query of `boundsQueries`; null without one. */
export function boundOf(member: string, { rows }: RowSet): string | null {
  const value = rows[0]?.[`${member}.day`];
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  return Number.isNaN(dayTime(day)) ? null : day;
}
