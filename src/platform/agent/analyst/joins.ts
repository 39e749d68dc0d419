import type { MetaCube } from '../../../contract/meta.js';

/** Whether members of some cubes can stand in one query: one of the cubes leads to all others, join by join. */
export function canJoin(names: readonly string[], cubes: readonly MetaCube[]): boolean {
  const wanted = new Set(names);
  if (wanted.size < 2) return true;
  return [...wanted].some(start => {
    const reached = new Set([start]);
    for (const name of reached) {
      for (const join of cubes.find(cube => cube.name === name)?.joins ?? []) reached.add(join.name);
    }
    return [...wanted].every(name => reached.has(name));
  });
}
