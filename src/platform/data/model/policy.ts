import type { FilterOperator } from '../../../contract/query.js';
import type { SecurityContext } from '../../auth/principal.js';
import { utcZone } from '../time/time-zone.js';
import { type Condition, conditionValues, type MemberType } from './conditions.js';

/** A literal value in a policy. */
export type Scalar = string | number | boolean;

/** Right-hand side of a policy condition: a literal, or a path in the caller's security context. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: Scalar }
  | { readonly kind: 'attribute'; readonly path: readonly string[] };

const expression = /^\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,8})\s*\}$/;
const forbidden = new Set(['constructor', 'prototype', '__proto__']);

/**
 * Parses a value of `values` or `if`: a literal, `{ securityContext.<path> }` or `{ userAttributes.<name> }`. Returns
 * `undefined` for any other text with a brace. Expressions are data and are never evaluated.
 */
export function parseOperand(value: unknown): Operand | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return { kind: 'literal', value };
  if (typeof value !== 'string') return undefined;
  if (!/[{}]/.test(value)) return { kind: 'literal', value };
  const path = expression.exec(value)?.[1]?.split('.');
  if (path === undefined || path.some(part => forbidden.has(part))) return undefined;
  const [root, ...rest] = path;
  if (root === 'securityContext') return { kind: 'attribute', path: rest };
  if (root !== 'userAttributes' || rest.length !== 1) return undefined;
  return { kind: 'attribute', path: ['platform', 'userAttributes', ...rest] };
}

/** Resolves an operand for a caller; `undefined` if the security context has no such own property. */
function resolveOperand(operand: Operand, context: SecurityContext): unknown {
  if (operand.kind === 'literal') return operand.value;
  let value: unknown = context;
  for (const part of operand.path) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A condition of a policy on one dimension of its cube or view. */
export interface RowCondition {
  readonly kind: 'condition';
  /** Path of the dimension. */
  readonly member: string;
  readonly type: MemberType;
  readonly operator: FilterOperator;
  readonly values: readonly Operand[];
}

/** A tree of policy conditions. */
export type RowRule = RowCondition | { readonly kind: 'and' | 'or'; readonly rules: readonly RowRule[] };

/** A parsed entry of `access_policy`. */
export interface Policy {
  /** Group names; `*` matches every caller. */
  readonly groups: readonly string[];
  /** Conditions that must all be true for the policy to apply. */
  readonly conditions: readonly Operand[];
  /** Names of the granted members. */
  readonly members: ReadonlySet<string>;
  /** Granted rows. The model must state `all` explicitly; it is never a default. */
  readonly rows: 'all' | RowRule;
}

/** A row filter with the caller's values. Plain data, because the SQL compiler uses its JSON as a cache key. */
export type RowFilter =
  | { readonly kind: 'condition'; readonly member: string; readonly condition: Condition }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly RowFilter[] };

/** Access to a cube or view: the rows that each matching policy grants, by the index of the policy; never empty. */
export type Decision = ReadonlyMap<number, 'all' | RowFilter>;

/**
 * Evaluates the policies of a cube or view; `undefined` if none matches, so that the cube or view does not exist for
 * the caller.
 */
export function decide(policies: readonly Policy[], context: SecurityContext): Decision | undefined {
  const matching = new Map<number, 'all' | RowFilter>();
  policies.forEach((policy, index) => {
    if (!appliesTo(policy, context)) return;
    const filter = policy.rows === 'all' ? 'all' : resolveRule(policy.rows, context);
    if (filter !== undefined) matching.set(index, filter);
  });
  return matching.size === 0 ? undefined : matching;
}

/** Returns the rows that at least one of the policies grants. */
function anyOf(rows: readonly ('all' | RowFilter)[]): 'all' | RowFilter {
  const filters = rows.filter(row => row !== 'all');
  return filters.length < rows.length ? 'all' : { kind: 'or', filters };
}

/**
 * Returns the rows that a query of these members may read. Policies are ORed, but each member is combined only with
 * rows of policies that grant the member.
 */
export function rowsOf(policies: readonly Policy[], decision: Decision, members: Iterable<string>): 'all' | RowFilter {
  const [only] = decision.size === 1 ? decision.entries() : [];
  // Fast path for a single policy that grants every member.
  if (only && [...members].every(name => policies[only[0]]?.members.has(name))) return only[1];
  const sets = new Map<string, readonly number[]>();
  const add = (indices: readonly number[]) => sets.set(indices.join(), indices);
  for (const name of members) add([...decision.keys()].filter(index => policies[index]?.members.has(name)));
  if (sets.size === 0) add([...decision.keys()]);
  const filters = [...sets.values()]
    .map(indices => anyOf(indices.map(index => decision.get(index) ?? { kind: 'or', filters: [] })))
    .filter(rows => rows !== 'all');
  if (filters.length === 0) return 'all';
  return filters.length === 1 && filters[0] ? filters[0] : { kind: 'and', filters };
}

function appliesTo(policy: Policy, context: SecurityContext): boolean {
  const isMember = policy.groups.some(group => group === '*' || context.platform.groups.includes(group));
  return isMember && policy.conditions.every(condition => resolveOperand(condition, context) === true);
}

/**
 * Returns `undefined` if a value is missing or invalid. The whole policy then does not match, even if the condition is
 * inside an `or`.
 */
function resolveRule(rule: RowRule, context: SecurityContext): RowFilter | undefined {
  if (rule.kind === 'condition') {
    const { member, type, operator } = rule;
    const operandValues = rule.values.flatMap(operand => {
      const value = resolveOperand(operand, context);
      return Array.isArray(value) && value.length > 0 ? value : [value];
    });
    const values = conditionValues({ type, operator, timezone: utcZone, origin: 'policy' }, operandValues);
    return values.ok ? { kind: 'condition', member, condition: { type, operator, values: values.values } } : undefined;
  }
  const filters: RowFilter[] = [];
  for (const part of rule.rules) {
    const filter = resolveRule(part, context);
    if (filter === undefined) return undefined;
    filters.push(filter);
  }
  return { kind: rule.kind, filters };
}
