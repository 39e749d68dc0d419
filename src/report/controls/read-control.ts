import type { DashboardWidget } from '../../contract/dashboards.js';
import type { ControlVisibility, FilterCondition } from '../../contract/widget-config.js';
import { humanizeName } from '../query/member-names.js';
import type { Control, FieldControl, ParentControl, ParentOption, Scalar } from './controls.js';
import { isOperator } from './filter-condition.js';

const limits = { values: 500, members: 50, options: 50, text: 200 } as const;
const memberName = /^[A-Za-z_]\w{0,99}\.[A-Za-z_]\w{0,99}$/;
const grainName = /^[A-Za-z_]\w{0,99}$/;
const grains = ['day', 'week', 'month', 'quarter', 'year'];

type Config = Readonly<Record<string, unknown>>;

/**
 * Reads the control of a widget (`contract/widget-config.ts`); `null` if the widget is not a control or its
 * configuration is invalid.
 */
export function controlOf({ id, type, config }: DashboardWidget): Control | null {
  if (!config) return null;
  if (type === 'PARENT') return parentOf(id, config);
  const { member } = config;
  if (!isMember(member)) return null;
  switch (type) {
    case 'FILTER':
      return filterOf(id, member, config);
    case 'TIME_GRAIN': {
      const values = textsOf(config.granularities)?.filter(isGrain) ?? grains;
      return { id, kind: 'grain', ...headOf(config, member), member, values, initial: textOf(config.value) };
    }
    case 'FIELD': {
      const members = membersOf(config.members);
      const head = { id, kind: 'field', ...headOf(config, member), member } as const;
      return members.length === 0 ? null : { ...head, members, initial: textOf(config.value) };
    }
    default:
      return null;
  }
}

/** Returns a filter control for a member without a control on the dashboard. */
export function controlFor(member: string): Control | null {
  return isMember(member) ? filterOf(`filter:${member}`, member, {}) : null;
}

/** True for a member name (`view.dimension`). */
export function isMember(value: unknown): value is string {
  return typeof value === 'string' && memberName.test(value);
}

/** True for a valid name of a granularity. */
export function isGrain(value: unknown): value is string {
  return typeof value === 'string' && grainName.test(value);
}

/** Parses a condition from untrusted input; `null` if there is none. Invalid properties are omitted. */
export function conditionOf(given: unknown): FilterCondition | null {
  if (!isConfig(given)) return null;
  const { operator, startInclusive, endInclusive, caseSensitive } = given;
  if (operator !== undefined && operator !== null && !isOperator(operator)) return null;
  const value = conditionValue(given.value);
  if (value === undefined && !(isOperator(operator) && /^is_/.test(operator))) return null;
  return {
    ...(isOperator(operator) && { operator }),
    ...(value !== undefined && { value }),
    ...(typeof startInclusive === 'boolean' && { startInclusive }),
    ...(typeof endInclusive === 'boolean' && { endInclusive }),
    ...(typeof caseSensitive === 'boolean' && { caseSensitive }),
  };
}

/** Returns the mapping of controls to members that a CHART widget defines, by control id. */
export function mappingOf({ config }: DashboardWidget): ReadonlyMap<string, string | null> {
  const controls = isConfig(config?.controls) ? Object.entries(config.controls) : [];
  return new Map(
    controls.flatMap(([id, member]): [string, string | null][] =>
      member === null || isMember(member) ? [[id, member]] : [],
    ),
  );
}

function filterOf(id: string, member: string, config: Config): Control {
  const { operators, single, userAttribute } = config;
  return {
    id,
    kind: 'filter',
    ...headOf(config, member),
    member,
    values: Array.isArray(config.values) ? config.values.filter(isScalar).map(short).slice(0, limits.values) : null,
    single: single === true,
    operators: Array.isArray(operators) ? operators.filter(isOperator) : null,
    initial: conditionOf(config),
    userAttribute: textOf(userAttribute),
  };
}

function headOf(config: Config, member: string): { title: string; visibility: ControlVisibility } {
  const { visibility } = config;
  return {
    title: textOf(config.title) ?? humanizeName(member.slice(member.indexOf('.') + 1)),
    visibility: visibility === 'hidden' || visibility === 'disabled' ? visibility : 'visible',
  };
}

function membersOf(given: unknown): FieldControl['members'] {
  if (!Array.isArray(given)) return [];
  return given.slice(0, limits.members).flatMap((item: unknown) => {
    if (isMember(item)) return [{ member: item, title: null }];
    return isConfig(item) && isMember(item.member) ? [{ member: item.member, title: textOf(item.title) }] : [];
  });
}

function parentOf(id: string, config: Config): ParentControl | null {
  const { options } = config;
  if (!Array.isArray(options)) return null;
  const { visibility } = headOf(config, '');
  const read = options.slice(0, limits.options).flatMap((option: unknown) => optionOf(option) ?? []);
  if (read.length === 0) return null;
  return {
    id,
    kind: 'parent',
    title: textOf(config.title) ?? '',
    visibility,
    options: read,
    initial: textOf(config.value),
  };
}

function optionOf(given: unknown): ParentOption | null {
  if (!isConfig(given) || !isConfig(given.controls)) return null;
  const id = textOf(given.id);
  if (id === null) return null;
  const controls = Object.entries(given.controls).flatMap(([control, choice]): [string, string | FilterCondition][] => {
    const chosen = textOf(choice) ?? conditionOf(choice);
    return chosen === null ? [] : [[control, chosen]];
  });
  return { id, title: textOf(given.title) ?? id, controls: new Map(controls) };
}

function conditionValue(given: unknown): FilterCondition['value'] | undefined {
  if (isScalar(given)) return given === '' ? undefined : short(given);
  if (!Array.isArray(given)) return undefined;
  const values = given.filter((item: unknown) => item === null || isScalar(item)).slice(0, limits.values);
  return values.length === 0 ? undefined : values.map(item => (item === null ? null : short(item)));
}

function textsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.flatMap(item => textOf(item) ?? []).slice(0, limits.values) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, limits.text) : null;
}

function short(value: Scalar): Scalar {
  return typeof value === 'string' ? value.slice(0, limits.text) : value;
}

function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
