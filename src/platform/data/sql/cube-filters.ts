import type { Filter, FilterOperator } from '../../../contract/query.js';
import type { Access } from '../model/access-control.js';
import { MemberType } from '../model/conditions.js';
import { type MemberDefinition, MemberKind } from '../model/definition.js';
import { type TimeZone, utcZone } from '../time/time-zone.js';
import { call } from './expression/operations.js';
import { constantOf, dateBefore } from './filter-constant.js';
import type { Expression } from './tree.js';

/** Context in which conditions are converted to filters. */
export interface FilterScope {
  readonly access: Access;
  readonly timezone: TimeZone;
  /** Returns the path of the member if the expression is exactly the value of a member; otherwise `undefined`. */
  pathOf(value: Expression): string | undefined;
}

/** Conditions split into load query filters and the rest. */
export interface SplitConditions {
  readonly filters: readonly Filter[];
  readonly rest: readonly Expression[];
}

/** Limits of the generated filters. They do not exceed the limits of a load query. */
const limits = { filters: 100, depth: 10, values: 1000 } as const;

/** Splits a condition at its top-level ANDs. */
export function conjuncts(where: Expression | null): readonly Expression[] {
  if (where === null) return [];
  return where.kind === 'call' && where.name === 'and' ? where.args.flatMap(conjuncts) : [where];
}

/** Combines conditions by AND. */
export function conjunction(conditions: readonly Expression[]): Expression | null {
  const [first = null, ...others] = conditions;
  return others.length === 0 ? first : call('and', conditions, undefined);
}

/**
 * Converts conditions to load query filters if a filter has exactly the same meaning, that is, if it is true for the
 * same rows. All other conditions are returned unchanged. A lower and an upper bound of a time become one
 * `inDateRange`.
 */
export function splitFilters(conditions: readonly Expression[], scope: FilterScope): SplitConditions {
  const filters: Filter[] = [];
  const bounds: Bound[] = [];
  const rest: Expression[] = [];
  let remaining: number = limits.filters;
  for (const condition of conditions) {
    const parts = partsOf(condition).map(part => boundOf(part, scope) ?? filterOf(part, scope));
    const found = parts.filter(part => part !== undefined);
    const size = found.reduce((sum, part) => sum + ('filter' in part ? 1 : sizeOf(part)), 0);
    if (found.length < parts.length || size > remaining) {
      rest.push(condition);
      continue;
    }
    remaining -= size;
    for (const part of found) {
      if ('filter' in part) bounds.push(part);
      else filters.push(...('and' in part ? part.and : [part]));
    }
  }
  return { filters: [...rangesOf(bounds), ...filters], rest };
}

/** A comparison with a time, both as a separate filter and, if possible, as a bound of a range. */
interface Bound {
  readonly filter: Filter;
  readonly member: string;
  readonly from?: string;
  readonly to?: string;
}

/**
 * Combines the tightest bounds of each member into one range. Comparisons that are not bounds remain separate filters.
 */
function rangesOf(bounds: readonly Bound[]): Filter[] {
  const members = [...new Set(bounds.map(({ member }) => member))];
  return members.flatMap(member => {
    const own = bounds.filter(bound => bound.member === member);
    // Compare as text, because local times have equal length.
    const from = own.flatMap(bound => bound.from ?? []).reduce(later, '');
    const to = own.flatMap(bound => bound.to ?? []).reduce(earlier, '');
    if (from === '' || to === '') return own.map(({ filter }) => filter);
    const others = own.filter(bound => bound.from === undefined && bound.to === undefined).map(({ filter }) => filter);
    return [{ member, operator: 'inDateRange' as const, values: [from, to] }, ...others];
  });
}

function later(one: string, other: string): string {
  return other > one ? other : one;
}

function earlier(one: string, other: string): string {
  return one === '' || other < one ? other : one;
}

function partsOf(condition: Expression): readonly Expression[] {
  if (condition.kind !== 'call' || condition.name !== 'between') return [condition];
  const [value, low, high] = condition.args;
  if (value === undefined || low === undefined || high === undefined) return [condition];
  return [call('>=', [value, low], undefined), call('<=', [value, high], undefined)];
}

function boundOf(condition: Expression, scope: FilterScope): Bound | undefined {
  const compared = comparisonOf(condition, scope);
  if (compared?.member.type !== MemberType.time || compared.member.kind === MemberKind.measure) return undefined;
  const {
    operator,
    value,
    filter,
    member: { path: member },
  } = compared;
  if (operator === '>=') return { filter, member, from: value };
  if (operator === '<=') return { filter, member, to: value };
  const before = operator === '<' ? dateBefore(value, scope.timezone) : undefined;
  return { filter, member, ...(before !== undefined && { to: before }) };
}

/** Returns the filter with the same meaning as a condition, or `undefined` if there is none. */
function filterOf(condition: Expression, scope: FilterScope, depth = 1): Filter | undefined {
  if (depth > limits.depth) return undefined;
  const truth = truthOf(condition, scope);
  if (truth) return truth;
  if (condition.kind !== 'call') return undefined;
  const { name, args } = condition;
  switch (name) {
    case 'and':
    case 'or': {
      const parts = args.map(part => filterOf(part, scope, depth + 1));
      const filters = parts.filter(part => part !== undefined);
      if (filters.length < parts.length) return undefined;
      return name === 'and' ? { and: filters } : { or: filters };
    }
    case 'between':
      return filterOf({ ...condition, name: 'and', args: partsOf(condition) }, scope, depth);
    case 'is_null':
    case 'is_not_null':
      return presence(args[0], name === 'is_null' ? 'notSet' : 'set', scope);
    case 'in':
      return among(args, 'equals', scope);
    case 'ilike':
      return matching(args, scope, { isNegated: false });
    case 'not':
      return negateFilter(args[0], scope);
    default:
      return comparisonOf(condition, scope)?.filter;
  }
}

function negateFilter(condition: Expression | undefined, scope: FilterScope): Filter | undefined {
  if (condition?.kind !== 'call') return undefined;
  if (condition.name === 'in') return among(condition.args, 'notEquals', scope);
  return condition.name === 'ilike' ? matching(condition.args, scope, { isNegated: true }) : undefined;
}

/** Returns the filter for a boolean member that is used as a condition. */
function truthOf(condition: Expression, scope: FilterScope): Filter | undefined {
  const whole = memberOf(condition, scope);
  if (whole) return whole.type === MemberType.boolean ? filter(whole, 'equals', ['true']) : undefined;
  if (condition.kind !== 'call') return undefined;
  const member = memberOf(condition.args[0], scope);
  if (member?.type !== MemberType.boolean) return undefined;
  switch (condition.name) {
    case 'is_true':
      return filter(member, 'equals', ['true']);
    case 'not':
    case 'is_false':
      return filter(member, 'equals', ['false']);
    case 'is_not_true':
      return filter(member, 'notEquals', ['true']);
    case 'is_not_false':
      return filter(member, 'notEquals', ['false']);
    default:
      return undefined;
  }
}

type ValueMember = Exclude<MemberDefinition, { kind: 'segment' }>;

function presence(value: Expression | undefined, operator: FilterOperator, scope: FilterScope): Filter | undefined {
  const member = memberOf(value, scope);
  return member && { member: member.path, operator };
}

function among(args: readonly Expression[], operator: FilterOperator, scope: FilterScope): Filter | undefined {
  const [value, ...constants] = args;
  const member = memberOf(value, scope);
  const values = member && constants.map(constant => constantOf(constant, typeOf(value), member.type, scope.timezone));
  const known = values?.filter(one => one !== undefined) ?? [];
  if (member === undefined || known.length < constants.length || known.length > limits.values) return undefined;
  return operator === 'equals' ? filter(member, operator, known) : present(member, operator, known);
}

/** Returns the filter for `ILIKE '%x%'` with wildcards only before and after the text. */
function matching(
  args: readonly Expression[],
  scope: FilterScope,
  { isNegated }: { readonly isNegated: boolean },
): Filter | undefined {
  const [value, pattern, mark] = args;
  const member = memberOf(value, scope);
  if (member?.type !== MemberType.string || pattern?.kind !== 'literal' || mark?.kind !== 'literal') return undefined;
  const [, before, text, after] = /^(%?)([^%_\\]+)(%?)$/s.exec(String(pattern.value ?? '')) ?? [];
  if (text === undefined || text.includes(String(mark.value || '\\')) || (before === '' && after === ''))
    return undefined;
  const infix = after === '' ? 'endsWith' : 'contains';
  const match = before === '' ? 'startsWith' : infix;
  const negations = { startsWith: 'notStartsWith', endsWith: 'notEndsWith', contains: 'notContains' } as const;
  return isNegated ? present(member, negations[match], [text]) : filter(member, match, [text]);
}

const flipped: Readonly<Record<string, string>> = { '=': '=', '<>': '<>', '<': '>', '>': '<', '<=': '>=', '>=': '<=' };
const numberOperators: Readonly<Record<string, FilterOperator>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' };
const timeOperators: Readonly<Record<string, FilterOperator>> = {
  '<': 'beforeDate',
  '<=': 'beforeOrOnDate',
  '>': 'afterDate',
  '>=': 'afterOrOnDate',
};

/** Returns the filter for a comparison of a member with a constant, in either order. */
function comparisonOf(condition: Expression, scope: FilterScope) {
  if (condition.kind !== 'call' || !Object.hasOwn(flipped, condition.name)) return undefined;
  const [left, right] = condition.args;
  const isFlipped = memberOf(left, scope) === undefined;
  const [value, constant] = isFlipped ? [right, left] : [left, right];
  const operator = (isFlipped ? flipped[condition.name] : condition.name) ?? '';
  const member = memberOf(value, scope);
  const known = member && constant && constantOf(constant, typeOf(value), member.type, scope.timezone);
  if (member === undefined || known === undefined) return undefined;
  const found = comparison(member, operator, known);
  return found && { operator, member, value: known, filter: found };
}

function comparison(member: ValueMember, operator: string, value: string): Filter | undefined {
  if (operator === '=') return filter(member, 'equals', [value]);
  if (operator === '<>') return present(member, 'notEquals', [value]);
  if (member.type === MemberType.number) return filter(member, numberOperators[operator], [value]);
  // Skip times that end in .999, because the filters for these two operators extend them to the last microsecond of
  // that millisecond.
  const isEnd = (operator === '<=' || operator === '>') && value.endsWith('.999');
  return member.type === MemberType.time && !isEnd ? filter(member, timeOperators[operator], [value]) : undefined;
}

function filter(member: ValueMember, operator: FilterOperator | undefined, values: string[]): Filter | undefined {
  return operator && { member: member.path, operator, values };
}

/** Returns a filter that excludes NULL, because a negated comparison in SQL never matches NULL. */
function present(member: ValueMember, operator: FilterOperator, values: string[]): Filter {
  const { path } = member;
  return {
    and: [
      { member: path, operator, values },
      { member: path, operator: 'set' },
    ],
  };
}

/**
 * Returns the member that a value reads, with or without a widening cast. Returns `undefined` for members whose filters
 * compare other values than rows show because of the time zone.
 */
function memberOf(value: Expression | undefined, scope: FilterScope): ValueMember | undefined {
  const path = value && scope.pathOf(bare(value));
  const member = path === undefined ? undefined : scope.access.members.get(path);
  if (member === undefined || member.kind === MemberKind.segment) return undefined;
  const isOther = member.kind === MemberKind.dimension && member.zoned && scope.timezone.name !== utcZone.name;
  return isOther ? undefined : member;
}

function typeOf(value: Expression | undefined) {
  return value && bare(value).type;
}

/** Removes a cast that only widens a number to a larger numeric type. */
function bare(value: Expression): Expression {
  const widened = ['bigint', 'numeric', 'double'];
  const whole = ['integer', 'bigint'];
  const isWidened = value.kind === 'cast' && value.scale === undefined && value.precision === undefined;
  return isWidened && widened.includes(value.type) && whole.includes(value.value.type) ? value.value : value;
}

function sizeOf(filter: Filter): number {
  if ('member' in filter) return 1;
  const parts = 'and' in filter ? filter.and : filter.or;
  return parts.reduce((sum, part) => sum + sizeOf(part), 1);
}
