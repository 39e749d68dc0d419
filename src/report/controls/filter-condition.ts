import type { Filter, FilterOperator, FilterValue, MemberFilter } from '../../contract/query.js';
import type { DashboardFilterOperator, FilterCondition } from '../../contract/widget-config.js';
import { isNumberText } from '../format/numeric-value.js';

/** Value types of members that filters distinguish. */
export type MemberType = 'string' | 'number' | 'boolean' | 'time';

/**
 * Reason why a condition cannot become a filter: `operator` or `value` does not fit the member type, or the Data API
 * has no comparison with the requested case sensitivity (`case`).
 */
export type ConditionProblem = 'operator' | 'value' | 'case';

/**
 * Data API filters of a condition, or the reason why there are none. An empty list means that the condition restricts
 * nothing.
 */
export type ConditionFilters = { readonly filters: readonly Filter[] } | { readonly problem: ConditionProblem };

const maxValues = 500;
const maxPhraseLength = 100;
const nothing: ConditionFilters = { filters: [] };

const setOperators = ['is_null', 'is_not_null'] as const;
const equality = ['equals', 'not_equals'] as const;
const comparison = ['greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal', 'between'] as const;
const textMatches = [
  'contains',
  'not_contains',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
] as const;
const emptiness = ['is_empty', 'is_not_empty'] as const;

/** Operators by member type, in the order in which they are offered. */
export const operatorsOf: Readonly<Record<MemberType, readonly DashboardFilterOperator[]>> = {
  string: [...equality, ...textMatches, ...comparison, ...emptiness, ...setOperators],
  number: [...equality, ...comparison, ...setOperators],
  boolean: [...equality, ...setOperators],
  time: ['custom', 'between', ...equality, ...comparison.slice(0, 4), ...setOperators],
};

/** Operators without a value. */
export const valuelessOperators: readonly string[] = [...emptiness, ...setOperators];

const dataOperators: Readonly<Record<string, FilterOperator>> = {
  equals: 'equals',
  not_equals: 'notEquals',
  greater_than: 'gt',
  greater_than_or_equal: 'gte',
  less_than: 'lt',
  less_than_or_equal: 'lte',
  contains: 'contains',
  not_contains: 'notContains',
  starts_with: 'startsWith',
  not_starts_with: 'notStartsWith',
  ends_with: 'endsWith',
  not_ends_with: 'notEndsWith',
};
/** For time members, a date means a whole day. */
const dateOperators: Readonly<Record<string, FilterOperator>> = {
  greater_than: 'afterDate',
  greater_than_or_equal: 'afterOrOnDate',
  less_than: 'beforeDate',
  less_than_or_equal: 'beforeOrOnDate',
};

const operatorNames: ReadonlySet<unknown> = new Set(Object.values(operatorsOf).flat());

/** True for an operator of dashboard filters. */
export function isOperator(value: unknown): value is DashboardFilterOperator {
  return operatorNames.has(value);
}

/** Returns the operator of dashboard filters for an operator of Data API filters on members of any type but `time`. */
export function dashboardOperatorOf(operator: FilterOperator): DashboardFilterOperator | undefined {
  if (operator === 'set') return 'is_not_null';
  if (operator === 'notSet') return 'is_null';
  return operatorsOf.string.find(name => dataOperators[name] === operator);
}

/** Returns the operator of a condition; `equals` by default. */
export function operatorOf({ operator }: FilterCondition): string {
  return operator ?? 'equals';
}

/** Returns the values of a condition, at most `maxValues`. */
export function valuesOf({ value }: FilterCondition): readonly FilterValue[] {
  if (Array.isArray(value)) return value.slice(0, maxValues);
  return value === undefined || value === null ? [] : [value];
}

/**
 * Converts a condition on a member to Data API filters. The Data API compares whole values case-sensitively and parts
 * of values case-insensitively; a condition that requires the opposite is a problem.
 * @param type Type of the member; `null` if not known: the operator and its values then determine it.
 */
export function conditionFilters(
  member: string,
  condition: FilterCondition,
  type: MemberType | null,
): ConditionFilters {
  const operator = operatorOf(condition);
  const kind = type ?? typeBy(condition);
  if (!operatorsOf[kind].some(known => known === operator)) return { problem: 'operator' };
  if (kind === 'string' && !comparesAs(operator, condition)) return { problem: 'case' };
  const one = (name: FilterOperator, values?: FilterValue[]): ConditionFilters => ({
    filters: [values ? { member, operator: name, values } : { member, operator: name }],
  });
  if (operator === 'is_null') return one('notSet');
  if (operator === 'is_not_null') return one('set');
  if (operator === 'is_empty') return one('equals', ['']);
  if (operator === 'is_not_empty') return one('notEquals', ['', null]);
  const values = valuesOf(condition);
  const isOpen = operator === 'between';
  if (!values.every(value => (isOpen && value === '') || fits(value, kind))) return { problem: 'value' };
  if (isOpen) return betweenFilters(member, condition, kind);
  if (values.length === 0) return nothing;
  if (kind === 'time') return timeFilters(member, operator, values);
  const name = dataOperators[operator];
  if (name === undefined) return { problem: 'operator' };
  const isSingle = comparison.some(known => known === operator);
  if (!isSingle) return one(name, [...values]);
  const [value = null] = values;
  return value === null ? nothing : one(name, [value]);
}

/** Infers the type of a member from the operator and values of a condition. */
function typeBy(condition: FilterCondition): MemberType {
  const operator = operatorOf(condition);
  if (operator === 'custom') return 'time';
  if (textMatches.some(known => known === operator) || emptiness.some(known => known === operator)) return 'string';
  const values = valuesOf(condition).filter(value => value !== null && value !== '');
  if (values.length === 0) return 'string';
  if (values.every(value => typeof value === 'number')) return 'number';
  if (values.every(value => typeof value === 'boolean')) return 'boolean';
  return values.every(isDate) ? 'time' : 'string';
}

/**
 * True if the meaning of a condition depends on the member type. For example, a date means a day for times, but literal
 * text for strings.
 */
export function needsType(condition: FilterCondition): boolean {
  return typeBy(condition) === 'time' && operatorOf(condition) !== 'custom';
}

/** True if the Data API accepts a value for a member of this type. */
function fits(value: FilterValue, kind: MemberType): boolean {
  if (value === null || kind === 'string') return true;
  const text = String(value);
  if (kind === 'number') return isNumberText(text);
  if (kind === 'boolean') return text === 'true' || text === 'false';
  return typeof value === 'string' && value !== '' && value.length <= maxPhraseLength;
}

function isDate(value: FilterValue): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d([T ]|$)/.test(value);
}

function comparesAs(operator: string, { caseSensitive }: Pick<FilterCondition, 'caseSensitive'>): boolean {
  if (caseSensitive === null || caseSensitive === undefined) return true;
  return textMatches.some(known => known === operator) ? !caseSensitive : caseSensitive;
}

/** Returns the filters of a range. An empty bound adds no filter. */
function betweenFilters(member: string, condition: FilterCondition, kind: MemberType): ConditionFilters {
  const { value, startInclusive, endInclusive } = condition;
  const [start, end] = Array.isArray(value) ? value : [value];
  const names = kind === 'time' ? dateOperators : dataOperators;
  const bound = (edge: FilterValue | undefined, name: string): MemberFilter[] => {
    const operator = names[name];
    return edge === undefined || edge === null || edge === '' || operator === undefined
      ? []
      : [{ member, operator, values: [edge] }];
  };
  return {
    filters: [
      ...bound(start, startInclusive === false ? 'greater_than' : 'greater_than_or_equal'),
      ...bound(end, endInclusive === false ? 'less_than' : 'less_than_or_equal'),
    ],
  };
}

/**
 * Returns the filters of a time member. Dates are days, and `custom` values are phrases. A negation includes rows
 * without a time, as for other types.
 */
function timeFilters(member: string, operator: string, values: readonly FilterValue[]): ConditionFilters {
  const name = dateOperators[operator];
  if (name !== undefined) {
    const [value = null] = values;
    return value === null ? nothing : { filters: [{ member, operator: name, values: [String(value)] }] };
  }
  const set: MemberFilter = { member, operator: operator === 'not_equals' ? 'set' : 'notSet' };
  const times = values.flatMap(value => (value === null || value === '' ? [] : [String(value)]));
  const withNull = values.includes(null);
  if (operator === 'not_equals') {
    const outside = times.map((time): Filter => ({ member, operator: 'notInDateRange', values: [time] }));
    if (withNull) return { filters: [...outside, set] };
    return { filters: outside.map(filter => ({ or: [filter, { member, operator: 'notSet' }] })) };
  }
  const inside = times.map((time): Filter => ({ member, operator: 'inDateRange', values: [time] }));
  const any = withNull ? [...inside, set] : inside;
  return any.length > 1 ? { filters: [{ or: any }] } : { filters: any };
}

const unit = '(second|minute|hour|day|week|month|quarter|year)';
const date = '\\d{4}-\\d\\d-\\d\\d(t\\d\\d(:\\d\\d){1,2}(\\.\\d{1,6})?)?';
const moment = `(now|today|yesterday|tomorrow|${date}|\\d{1,6} ${unit}s? (ago|from now)|in \\d{1,6} ${unit}s?|(this|last|past|previous|next) ${unit})`;
const phrase = new RegExp(`^(${moment}|(last|past|previous|next) \\d{1,6} ${unit}s?|from ${moment} to ${moment})$`);

/** True for a date or a date phrase that the Data API is known to support. */
export function isPhrase(text: string): boolean {
  return text.length <= maxPhraseLength && phrase.test(text.trim().toLowerCase().replace(/\s+/g, ' '));
}
