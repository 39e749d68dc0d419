import type { FilterValue, Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { DashboardFilterOperator, FilterCondition } from '../../contract/widget-config.js';
import { dayTime } from '../dates/calendar-days.js';
import { type Choice, type FilterControl, withChoices } from './controls.js';
import { type MemberType, operatorsOf, valuelessOperators } from './filter-condition.js';

/**
 * Input for the values of a condition: no input, a list, lines of text, a single value, two bounds, a single day, or a
 * relative date or range of days.
 */
export type FilterEditor = 'none' | 'list' | 'lines' | 'one' | 'range' | 'day' | 'days';

/** Returns the operators that a filter offers for a type. Includes the default operator. */
export function availableOperators(
  { operators, single, initial }: FilterControl,
  type: MemberType,
): readonly DashboardFilterOperator[] {
  const suitable = operatorsOf[type];
  const offered = operators ? suitable.filter(operator => operators.includes(operator)) : suitable;
  if (single && !operators) return suitable.filter(operator => operator === (initial?.operator ?? 'equals'));
  return offered.length > 0 ? offered : suitable;
}

/** Returns the input for the values of an operator. */
export function editorOf(operator: DashboardFilterOperator, type: MemberType): FilterEditor {
  if (valuelessOperators.includes(operator)) return 'none';
  if (operator === 'custom' || (operator === 'between' && type === 'time')) return 'days';
  if (type === 'time') return 'day';
  if (operator === 'between') return 'range';
  if (operator === 'equals' || operator === 'not_equals') return 'list';
  return /_than/.test(operator) ? 'one' : 'lines';
}

/**
 * Returns the condition of an operator and values; `null` if it restricts nothing. Ranges inherit `startInclusive` and
 * `endInclusive` from `before`.
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

/** First and last day of the data; `null` if not known. */
export interface DateBounds {
  readonly min: string | null;
  readonly max: string | null;
}

/**
 * Returns the queries for the first and the last day on which a time dimension has rows, in the time zone of the
 * dashboard.
 */
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

/** Returns the day in the result of a query of `boundsQueries`; `null` if it has no rows. */
export function boundOf(member: string, { rows }: RowSet): string | null {
  const value = rows[0]?.[`${member}.day`];
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  return Number.isNaN(dayTime(day)) ? null : day;
}
