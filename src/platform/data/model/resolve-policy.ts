import { utcZone } from '../time/time-zone.js';
import { conditionValues, operatorsOf } from './conditions.js';
import { type DimensionDefinition, type MemberDefinition, MemberKind } from './definition.js';
import type { SourcePath } from './model-files.js';
import type { FilterSource, PolicySource } from './model-schema.js';
import { type Operand, type Policy, parseOperand, type RowCondition, type RowRule, type Scalar } from './policy.js';

/** The cube or view to which the policies belong. */
export interface PolicyScope {
  readonly entity: string;
  readonly members: ReadonlyMap<string, MemberDefinition>;
  report(path: SourcePath, message: string): void;
  /** Called with each dimension that a row filter uses. */
  onFilter(dimension: DimensionDefinition, path: SourcePath): void;
}

const operandHelp =
  'must be a plain value, a list of plain values, or exactly { securityContext.<path> } or { userAttributes.<name> }';

/** Validates one entry of `access_policy` and resolves its names. */
export function resolvePolicy(scope: PolicyScope, source: PolicySource, path: SourcePath): Policy {
  const groups = source.groups ?? (source.group === undefined ? [] : [source.group]);
  if (groups.some(group => group === '' || /[{}]/.test(group)))
    scope.report(path, 'a group must be a plain name, or "*" for everyone');
  const conditions = (source.conditions ?? []).map((condition, index) =>
    resolveIf(scope, condition.if, [...path, 'conditions', index, 'if']),
  );
  const rules = (source.row_level?.filters ?? []).map((filter, index) =>
    resolveFilter(scope, filter, [...path, 'row_level', 'filters', index]),
  );
  const rows = source.row_level?.allow_all === true ? 'all' : ({ kind: 'and', rules } as const);
  return { groups, conditions, members: grantedMembers(scope, source, path), rows };
}

function resolveIf(scope: PolicyScope, value: unknown, path: SourcePath): Operand {
  const operand = parseOperand(value);
  if (operand?.kind === 'attribute') return operand;
  if (operand !== undefined && typeof operand.value === 'boolean') return operand;
  scope.report(path, `the key if ${operandHelp}; it must be true for the policy to match`);
  return { kind: 'literal', value: false };
}

function grantedMembers(scope: PolicyScope, source: PolicySource, path: SourcePath): ReadonlySet<string> {
  const { includes = '*', excludes = [] } = source.member_level ?? {};
  const names = (list: '*' | readonly string[], key: string) =>
    list === '*'
      ? [...scope.members.keys()]
      : list.map((name, index) => ownName(scope, name, [...path, 'member_level', key, index]));
  const granted = new Set(names(includes, 'includes'));
  for (const name of names(excludes, 'excludes')) granted.delete(name);
  return granted;
}

/**
 * Returns the member name without the entity, and reports a name that is not a member of the entity. Accepts `name`,
 * `entity.name`, `{name}`, `{CUBE}.name` and `{CUBE.name}`.
 */
function ownName(scope: PolicyScope, written: string, path: SourcePath): string {
  const name = /^(?:\{CUBE\}\.|\{CUBE\.|\{)?(?:([A-Za-z_]\w*)\.)?([A-Za-z_]\w*)\}?$/.exec(written);
  const own = name?.[1] === undefined || name[1] === scope.entity ? (name?.[2] ?? '') : '';
  if (!scope.members.has(own)) scope.report(path, `${written} is not a member of ${scope.entity}`);
  return own;
}

function resolveFilter(scope: PolicyScope, source: FilterSource, path: SourcePath): RowRule {
  for (const kind of ['and', 'or'] as const) {
    const parts = kind in source ? nestedOf(source, kind) : undefined;
    if (parts) return { kind, rules: parts.map((part, index) => resolveFilter(scope, part, [...path, kind, index])) };
  }
  return resolveCondition(scope, source, path);
}

function nestedOf(source: FilterSource, kind: 'and' | 'or'): readonly FilterSource[] | undefined {
  if (kind === 'and' && 'and' in source) return source.and;
  return kind === 'or' && 'or' in source ? source.or : undefined;
}

function resolveCondition(scope: PolicyScope, source: FilterSource, path: SourcePath): RowCondition {
  const unusable: RowCondition = { kind: 'condition', member: '', type: 'string', operator: 'equals', values: [] };
  if (!('member' in source)) return unusable;
  const member = scope.members.get(ownName(scope, source.member, [...path, 'member']));
  if (member?.kind !== MemberKind.dimension) {
    if (member) scope.report([...path, 'member'], `${source.member} is not a dimension of ${scope.entity}`);
    return unusable;
  }
  scope.onFilter(member, [...path, 'member']);
  const { type } = member;
  const { operator } = source;
  if (!operatorsOf[type].has(operator)) scope.report(path, `${operator} cannot be used with a ${type} member`);
  const values = operands(scope, source, [...path, 'values']);
  const literals: Scalar[] = values.flatMap(value => (value.kind === 'literal' ? [value.value] : []));
  if (values.length > 0 && literals.length === values.length) {
    const converted = conditionValues({ type, operator, timezone: utcZone, origin: 'policy' }, literals);
    if (!converted.ok) scope.report([...path, 'values'], converted.message);
  }
  return { kind: 'condition', member: member.path, type, operator, values };
}

function operands(scope: PolicyScope, source: Extract<FilterSource, { member: string }>, path: SourcePath): Operand[] {
  const declared = source.values;
  if (source.operator === 'set' || source.operator === 'notSet') {
    if (declared !== undefined) scope.report(path, `${source.operator} does not support values`);
    return [];
  }
  const list = Array.isArray(declared) ? declared : [declared];
  if (declared === undefined || list.length === 0) scope.report(path, `${source.operator} requires values`);
  return list.flatMap((value: unknown, index) => {
    const operand = parseOperand(value);
    if (operand === undefined && value !== undefined) {
      scope.report(Array.isArray(declared) ? [...path, index] : path, `values ${operandHelp}`);
    }
    return operand ?? [];
  });
}
