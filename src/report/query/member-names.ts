import type { Query } from '../../contract/query.js';

/** Keys of the rows of a query, in the order of its columns. */
export function keysOf({ dimensions = [], timeDimensions = [], measures = [] }: Query): string[] {
  const times = timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity ? [`${dimension}.${granularity}`] : [],
  );
  return [...dimensions, ...times, ...measures];
}

/** Names of the views and cubes that a query is asked of. */
export function viewsOf(query: Query): ReadonlySet<string> {
  const times = (query.timeDimensions ?? []).map(({ dimension }) => dimension);
  return new Set([...keysOf(query), ...times, ...(query.segments ?? [])].map(viewOf));
}

/** The view or cube of a member. */
export function viewOf(member: string): string {
  return member.slice(0, member.indexOf('.'));
}

/** `running_share` as `Running share`; what was written with capitals or spaces stays as it is. */
export function humanizeName(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return name;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
