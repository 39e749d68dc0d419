import type { DashboardState } from './dashboard-state.js';
import { readFilters } from './given-filters.js';
import { isGrain, isMember } from './read-control.js';

const most = { names: 500, text: 200 } as const;

/**
 * A state with what a host puts in the place of its parts. That is as hostile as anything: of each part the names that can be meant, and
 * what can be understood of them; a part that is none stays as it is.
 */
export function readState(given: Partial<DashboardState>, before: DashboardState): DashboardState {
  const { filters, timeGrains, members, tabs } = isGroup(given) ? given : before;
  return {
    filters: isGroup(filters) ? readFilters(filters) : before.filters,
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
      typeof value === 'string' && value.length <= most.text ? [[id, value]] : [],
    ),
  );
}

function entriesOf(given: object): readonly [string, unknown][] {
  return Object.entries(given).slice(0, most.names);
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
