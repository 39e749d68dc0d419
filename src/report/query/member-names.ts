import type { Filter, Query } from '../../contract/query.js';

/** Returns the keys of a query's rows in column order. */
export function keysOf({ dimensions = [], timeDimensions = [], measures = [] }: Query): string[] {
  const times = timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity ? [`${dimension}.${granularity}`] : [],
  );
  return [...dimensions, ...times, ...measures];
}

/** Returns the views and cubes that a query uses. */
export function viewsOf(query: Query): ReadonlySet<string> {
  const times = (query.timeDimensions ?? []).map(({ dimension }) => dimension);
  return new Set([...keysOf(query), ...times, ...(query.segments ?? [])].map(viewOf));
}

/** Returns the view or cube of a member. */
export function viewOf(member: string): string {
  return member.slice(0, member.indexOf('.'));
}

/** Converts `running_share` to `Running share`. Names with capitals or spaces are not changed. */
export function humanizeName(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return name;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the measures and dimensions that a query uses, in groups and conditions. */
export function membersOf({ measures, dimensions, timeDimensions, filters }: Query): ReadonlySet<string> {
  const times = (timeDimensions ?? []).map(({ dimension }) => dimension);
  return new Set([...(measures ?? []), ...(dimensions ?? []), ...times, ...(filters ?? []).flatMap(filterMembers)]);
}

function filterMembers(filter: Filter): readonly string[] {
  if ('and' in filter) return filter.and.flatMap(filterMembers);
  return 'or' in filter ? filter.or.flatMap(filterMembers) : [filter.member];
}
