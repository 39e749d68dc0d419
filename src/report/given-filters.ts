import type { FilterCondition } from '../contract/widget-config.js';
import type { Control } from './controls.js';
import { conditionOf, controlFor, isMember } from './read-control.js';
import type { Filters } from './state.js';

const mostMembers = 50;

/** A host filters by nothing. */
export const noFilters: Filters = {};

/** What a host gives is as hostile as anything: an own key that names a member, and a condition that can be understood. */
export function readFilters(given: Filters | null): Filters {
  if (typeof given !== 'object' || given === null) return noFilters;
  const entries = Object.entries(given).slice(0, mostMembers);
  return Object.fromEntries(
    entries.flatMap(([member, condition]): [string, FilterCondition | null][] => {
      if (!isMember(member)) return [];
      const read = conditionOf(condition);
      return read || condition === null ? [[member, read]] : [];
    }),
  );
}

/** Keys of what a host gives that are not among what was read of it: they are no members, or their conditions can't be understood. */
export function unreadFilters(given: Filters | null, read: Filters): readonly string[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given)
    .slice(0, mostMembers)
    .filter(member => !Object.hasOwn(read, member));
}

/** Controls for what the host filters by and the dashboard has no control of. */
export function controlsBeside(controls: readonly Control[], ...given: readonly Filters[]): readonly Control[] {
  const known = new Set(controls.flatMap(control => (control.kind === 'filter' ? [control.member] : [])));
  const members = new Set(given.flatMap(filters => Object.keys(filters)).filter(member => !known.has(member)));
  return [...members].flatMap(member => controlFor(member) ?? []);
}
