import type { MetaCube, MetaResponse } from '../contract/meta.js';

/** Tells whether rows of a measure's cube are counted in more than one group of a dimension: then its groups don't add up. */
export type Multiplied = (measure: string, dimensions: readonly string[]) => boolean;

const toOne = new Set(['belongsTo', 'hasOne', 'many_to_one', 'one_to_one']);

/**
 * Finds that out by the joins of a model: from a measure's cube to that of a dimension there is one row, or there may be more. Where the
 * model doesn't show the cubes, nothing is known to be multiplied.
 */
export function multipliedBy({ cubes }: MetaResponse): Multiplied {
  const known = new Map(cubes.flatMap(cube => (cube.type === 'cube' ? [[cube.name, cube] as const] : [])));
  const members = cubes.flatMap(cube => [...cube.measures, ...cube.dimensions]);
  const aliases = new Map(
    members.flatMap(({ name, aliasMember }) => (aliasMember ? [[name, aliasMember] as const] : [])),
  );
  const cubeOf = (member: string): MetaCube | undefined => {
    const own = member.split('.').slice(0, 2).join('.');
    return known.get((aliases.get(own) ?? own).split('.')[0] ?? '');
  };
  const reached = new Map<string, ReadonlySet<string>>();
  return (measure, dimensions) => {
    const from = cubeOf(measure);
    if (!from) return false;
    const single = reached.get(from.name) ?? reachOf(from, known);
    reached.set(from.name, single);
    return dimensions.some(dimension => {
      const cube = cubeOf(dimension);
      return cube !== undefined && !single.has(cube.name);
    });
  };
}

/** Cubes of which one row at most belongs to a row of this one. */
function reachOf(from: MetaCube, known: ReadonlyMap<string, MetaCube>): ReadonlySet<string> {
  const found = new Set([from.name]);
  // A set is gone through to its end, with what is added meanwhile.
  for (const name of found) {
    for (const join of known.get(name)?.joins ?? []) if (toOne.has(join.relationship)) found.add(join.name);
  }
  return found;
}
