import type { FilterOperator } from '../../../contract/query.js';
import { type LocalRange, localRange } from '../time/relative-dates.js';
import { DayEdge, localTime, type TimeZone, utcTime } from '../time/time-zone.js';

/** Type of the values of a member. */
export const MemberType = { string: 'string', number: 'number', boolean: 'boolean', time: 'time' } as const;
/** Type of the values of a member. */
export type MemberType = (typeof MemberType)[keyof typeof MemberType];

/** A condition on one dimension with validated values; times are UTC without a zone. */
export interface Condition {
  readonly type: MemberType;
  readonly operator: FilterOperator;
  readonly values: readonly (string | number | boolean | null)[];
}

/** Rules for validating values. */
interface ConditionShape {
  readonly type: MemberType;
  readonly operator: FilterOperator;
  /** Time zone of dates that do not specify one. */
  readonly timezone: TimeZone;
  /** Reference time of relative dates. If it is not set, relative dates are rejected. */
  readonly now?: Date | undefined;
  /** Who set the condition. Only callers may filter by NULL, by an empty string, or by a number on a string member. */
  readonly origin: 'caller' | 'policy';
}

/** Converted values, or an error message. */
type ConditionValues =
  | {
      readonly ok: true;
      readonly values: Condition['values'];
      /** Parsed dates in local time. Set for operators that accept relative dates. */
      readonly local?: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

type Value = Condition['values'][number];

const setOperators: readonly FilterOperator[] = ['set', 'notSet'];
const equality: readonly FilterOperator[] = ['equals', 'notEquals'];
const comparison: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte'];
/** Operators that search for text. */
export const textOperators: readonly FilterOperator[] = [
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
];
const ranges: readonly FilterOperator[] = ['inDateRange', 'notInDateRange'];
const dates: readonly FilterOperator[] = ['beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'];
/** Operators that compare with the end of a day. */
const comparesWithEnd: readonly FilterOperator[] = ['beforeOrOnDate', 'afterDate'];

/** Operators supported for each type. */
export const operatorsOf: Readonly<Record<MemberType, ReadonlySet<FilterOperator>>> = {
  string: new Set([...setOperators, ...equality, ...comparison, ...textOperators]),
  number: new Set([...setOperators, ...equality, ...comparison]),
  boolean: new Set([...setOperators, ...equality]),
  time: new Set([...setOperators, ...equality, ...comparison, ...ranges, ...dates]),
};

const expected: Readonly<Record<MemberType, string>> = {
  string: 'texts',
  number: 'numbers',
  boolean: 'true or false',
  time: 'dates such as 2001-01-31 or 2001-01-31T08:00:00',
};

/**
 * Converts values to the form that `predicateSql` takes, or returns an error message. The message contains no value.
 */
export function conditionValues(shape: ConditionShape, input: readonly unknown[]): ConditionValues {
  const { type, operator, origin } = shape;
  // Clients offer text operators for booleans too.
  if (origin === 'caller' && type === MemberType.boolean && textOperators.includes(operator))
    return conditionValues({ ...shape, type: MemberType.string }, input);
  if (!operatorsOf[type].has(operator)) return reject(`${operator} cannot be used with a ${type} member`);
  if (setOperators.includes(operator)) return { ok: true, values: [] };
  if (input.length === 0) return reject(`${operator} requires values`);
  if (ranges.includes(operator) || dates.includes(operator)) return rangeValues(shape, input);
  const single = comparison.includes(operator);
  if (single && input.length > 1) return reject(`${operator} requires one value`);
  const values: Value[] = [];
  for (const value of input) {
    const converted = value === null && !single && shape.origin === 'caller' ? null : convertValue(shape, value);
    if (converted === undefined) return reject(`${operator} requires ${expected[type]}`);
    values.push(converted);
  }
  return { ok: true, values };
}

function reject(message: string): ConditionValues {
  return { ok: false, message };
}

function convertValue(shape: ConditionShape, value: unknown): Value | undefined {
  const { type, origin } = shape;
  if (type === MemberType.string) return toText(value, origin);
  if (type === MemberType.number) return toNumber(value);
  if (type === MemberType.boolean) return toBoolean(value);
  return typeof value === 'string' ? toUtcTime(shape, value) : undefined;
}

function toUtcTime({ timezone }: ConditionShape, value: string): Value | undefined {
  const local = localTime(value, DayEdge.start, timezone);
  return local && utcTime(local, timezone);
}

/**
 * Converts a range to UTC. If the range ends with the last millisecond of a day, the result ends with the last
 * microsecond.
 */
export function utcRange([from, to]: LocalRange, timezone: TimeZone): [from: string, to: string] {
  const last = utcTime(to, timezone, DayEdge.end);
  return [utcTime(from, timezone), to.endsWith('.999') ? `${last}999` : last];
}

function toText(value: unknown, origin: ConditionShape['origin']): Value | undefined {
  if (typeof value === 'string') return value === '' && origin === 'policy' ? undefined : value;
  if (origin === 'policy') return undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function toNumber(value: unknown): Value | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = String(value);
  const isWellFormed = number.length <= 64 && /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(number);
  return isWellFormed && Number.isFinite(Number(number)) ? number : undefined;
}

function toBoolean(value: unknown): Value | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

function rangeValues({ operator, timezone, now }: ConditionShape, input: readonly unknown[]): ConditionValues {
  const isRange = ranges.includes(operator);
  if (input.length > (isRange ? 2 : 1))
    return reject(`${operator} requires ${isRange ? 'one or two dates' : 'one value'}`);
  const texts = input.filter(value => typeof value === 'string');
  const range = texts.length === input.length ? localRange(texts, { timezone, now }) : undefined;
  if (range === undefined)
    return reject(`${operator} requires ${expected.time}${now ? ', or phrases such as last 7 days' : ''}`);
  const [from, to] = utcRange(range, timezone);
  if (isRange) return { ok: true, values: [from, to], local: range };
  return comparesWithEnd.includes(operator)
    ? { ok: true, values: [to], local: [range[1]] }
    : { ok: true, values: [from], local: [range[0]] };
}
