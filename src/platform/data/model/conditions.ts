import type { FilterOperator } from '../../../contract/query.js';
import { type LocalRange, localRange } from '../time/relative-dates.js';
import { DayEdge, localTime, type TimeZone, utcTime } from '../time/time-zone.js';

/** What the values of a member are. */
export const MemberType = { string: 'string', number: 'number', boolean: 'boolean', time: 'time' } as const;
/** What the values of a member are. */
export type MemberType = (typeof MemberType)[keyof typeof MemberType];

/** A condition on one dimension, ready to be printed; times are UTC without a zone. */
export interface Condition {
  readonly type: MemberType;
  readonly operator: FilterOperator;
  readonly values: readonly (string | number | boolean | null)[];
}

/** What values are for. */
interface ConditionShape {
  readonly type: MemberType;
  readonly operator: FilterOperator;
  /** Of dates that name none. */
  readonly timezone: TimeZone;
  /** What relative dates count from; without it they don't fit. */
  readonly now?: Date | undefined;
  /** A caller may ask for NULL, for the empty text, and for a text by a number; a policy's value that is one of these is unfit. */
  readonly origin: 'caller' | 'policy';
}

/** Values that fit, or what they should have been. */
type ConditionValues =
  | {
      readonly ok: true;
      readonly values: Condition['values'];
      /** The dates that were understood, in local time, where the operator takes phrases as well. */
      readonly local?: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

type Value = Condition['values'][number];

const setOperators: readonly FilterOperator[] = ['set', 'notSet'];
const equality: readonly FilterOperator[] = ['equals', 'notEquals'];
const comparison: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte'];
/** Operators that look for each of their values in the text of every row. */
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
/** Of a day, its end. */
const comparesWithEnd: readonly FilterOperator[] = ['beforeOrOnDate', 'afterDate'];

/** The operators that make sense for values of a type. */
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

/** Brings values into the form that `predicateSql` takes, or says why they don't fit. The message never holds a value. */
export function conditionValues(shape: ConditionShape, given: readonly unknown[]): ConditionValues {
  const { type, operator, origin } = shape;
  // The foreign client offers its users the operators of texts for true and false too.
  if (origin === 'caller' && type === MemberType.boolean && textOperators.includes(operator))
    return conditionValues({ ...shape, type: MemberType.string }, given);
  if (!operatorsOf[type].has(operator)) return refuse(`${operator} can't be used with a ${type} member`);
  if (setOperators.includes(operator)) return { ok: true, values: [] };
  if (given.length === 0) return refuse(`${operator} needs values`);
  if (ranges.includes(operator) || dates.includes(operator)) return rangeValues(shape, given);
  const single = comparison.includes(operator);
  if (single && given.length > 1) return refuse(`${operator} takes one value`);
  const values: Value[] = [];
  for (const value of given) {
    const fitting = value === null && !single && shape.origin === 'caller' ? null : typed(shape, value);
    if (fitting === undefined) return refuse(`${operator} takes ${expected[type]} here`);
    values.push(fitting);
  }
  return { ok: true, values };
}

function refuse(message: string): ConditionValues {
  return { ok: false, message };
}

function typed(shape: ConditionShape, value: unknown): Value | undefined {
  const { type, origin } = shape;
  if (type === MemberType.string) return fitText(value, origin);
  if (type === MemberType.number) return fitNumber(value);
  if (type === MemberType.boolean) return fitBoolean(value);
  return typeof value === 'string' ? fitTime(shape, value) : undefined;
}

function fitTime({ timezone }: ConditionShape, value: string): Value | undefined {
  const local = localTime(value, DayEdge.start, timezone);
  return local && utcTime(local, timezone);
}

/** Both ends of a range in UTC. The last millisecond of a range is meant to its last microsecond. */
export function utcRange([from, to]: LocalRange, timezone: TimeZone): [from: string, to: string] {
  const last = utcTime(to, timezone, DayEdge.end);
  return [utcTime(from, timezone), to.endsWith('.999') ? `${last}999` : last];
}

function fitText(value: unknown, origin: ConditionShape['origin']): Value | undefined {
  if (typeof value === 'string') return value === '' && origin === 'policy' ? undefined : value;
  if (origin === 'policy') return undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function fitNumber(value: unknown): Value | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = String(value);
  const wellFormed = number.length <= 64 && /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(number);
  return wellFormed && Number.isFinite(Number(number)) ? number : undefined;
}

function fitBoolean(value: unknown): Value | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

function rangeValues({ operator, timezone, now }: ConditionShape, given: readonly unknown[]): ConditionValues {
  const isRange = ranges.includes(operator);
  if (given.length > (isRange ? 2 : 1)) return refuse(`${operator} takes ${isRange ? 'one date or two' : 'one value'}`);
  const texts = given.filter(value => typeof value === 'string');
  const range = texts.length === given.length ? localRange(texts, { timezone, now }) : undefined;
  if (range === undefined)
    return refuse(`${operator} takes ${expected.time}${now ? ', or phrases such as last 7 days' : ''}`);
  const [from, to] = utcRange(range, timezone);
  if (isRange) return { ok: true, values: [from, to], local: range };
  return comparesWithEnd.includes(operator)
    ? { ok: true, values: [to], local: [range[1]] }
    : { ok: true, values: [from], local: [range[0]] };
}
