import type { FilterValue } from '../contract/query.js';
import type { DashboardFilterOperator, FilterCondition } from '../contract/widget-config.js';
import type { FilterControl } from './controls.js';
import { type MemberType, operatorsOf, valueless } from './filter-condition.js';

/**
 * How the values of a condition are chosen: not at all, from a list, as lines of text, as one value, as two ends, as one day, or as a
 * relative date or a range of days.
 */
export type FilterEditor = 'none' | 'list' | 'lines' | 'one' | 'range' | 'day' | 'days';

/** The operators that a filter offers for a type; the one in force is among them. */
export function offeredOperators(
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
  if (valueless.includes(operator)) return 'none';
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
  if (valueless.includes(operator)) return { operator };
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
