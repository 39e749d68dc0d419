import type { FilterCondition } from '../../contract/widget-config.js';
import type { Filters } from './control-state.js';
import type { Control } from './controls.js';
import type { DashboardState } from './dashboard-state.js';
import { conditionOf, controlFor, isGrain, isMember } from './read-control.js';

const maxMembers = 50;

/** Default if the host sets no filters. */
export const noFilters: Filters = {};

/**
 * Parses the filters of a host. The input is untrusted, so only own keys that are member names and valid conditions are
 * accepted.
 */
export function parseHostFilters(given: Filters | null): Filters {
  if (typeof given !== 'object' || given === null) return noFilters;
  const entries = Object.entries(given).slice(0, maxMembers);
  return Object.fromEntries(
    entries.flatMap(([member, condition]): [string, FilterCondition | null][] => {
      if (!isMember(member)) return [];
      const read = conditionOf(condition);
      return read || condition === null ? [[member, read]] : [];
    }),
  );
}

/**
 * Returns the keys of the host's filters that were rejected, because they are not member names or their conditions are
 * invalid.
 */
export function invalidHostFilters(given: Filters | null, read: Filters): readonly string[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given)
    .slice(0, maxMembers)
    .filter(member => !Object.hasOwn(read, member));
}

/** Returns a filter control for each member that the host filters and no control of the dashboard covers. */
export function implicitControls(controls: readonly Control[], ...given: readonly Filters[]): readonly Control[] {
  const known = new Set(controls.flatMap(control => (control.kind === 'filter' ? [control.member] : [])));
  const members = new Set(given.flatMap(filters => Object.keys(filters)).filter(member => !known.has(member)));
  return [...members].flatMap(member => controlFor(member) ?? []);
}

const limits = { names: 500, text: 200 } as const;

/**
 * Returns a state with the parts that a host sets. The input is untrusted, so each part accepts only valid names and
 * values, and an invalid part is not changed.
 */
export function parseHostState(given: Partial<DashboardState>, before: DashboardState): DashboardState {
  const { filters, timeGrains, members, tabs } = isGroup(given) ? given : before;
  return {
    filters: isGroup(filters) ? parseHostFilters(filters) : before.filters,
    timeGrains: isGroup(timeGrains) ? choicesIn(timeGrains, isGrain) : before.timeGrains,
    members: isGroup(members) ? choicesIn(members, isMember) : before.members,
    tabs: isGroup(tabs) ? namesIn(tabs) : before.tabs,
  };
}

function choicesIn(given: object, isKnown: (value: unknown) => value is string): Record<string, string | null> {
  return Object.fromEntries(
    entriesOf(given).flatMap(([member, value]): [string, string | null][] =>
      isMember(member) && (value === null || isKnown(value)) ? [[member, value]] : [],
    ),
  );
}

function namesIn(given: object): Record<string, string> {
  return Object.fromEntries(
    entriesOf(given).flatMap(([id, value]): [string, string][] =>
      typeof value === 'string' && value.length <= limits.text ? [[id, value]] : [],
    ),
  );
}

function entriesOf(given: object): readonly [string, unknown][] {
  return Object.entries(given).slice(0, limits.names);
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
