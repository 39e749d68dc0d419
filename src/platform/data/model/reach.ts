import type { MemberDefinition } from './definition.js';
import type { ModelSources } from './model-sources.js';

type Neighbours = ReadonlyMap<string, readonly string[]>;

/** Tells which cubes and views a query can read at all, so that nothing else of what a caller may read has to go along with it. */
export class Reach {
  readonly #joined: Neighbours;
  readonly #joining: Neighbours;
  /** By cube, those that joins lead to, and those from which joins lead to it; found when they are asked for. */
  readonly #below = new Map<string, ReadonlySet<string>>();
  readonly #above = new Map<string, ReadonlySet<string>>();

  constructor({ cubes }: ModelSources) {
    const joined = new Map<string, string[]>();
    const joining = new Map<string, string[]>();
    for (const { source } of cubes.values()) {
      for (const { name } of source.joins ?? []) {
        joined.set(source.name, [...(joined.get(source.name) ?? []), name]);
        joining.set(name, [...(joining.get(name) ?? []), source.name]);
      }
    }
    this.#joined = joined;
    this.#joining = joining;
  }

  /**
   * The cubes and views that may enter the SQL of a query of these members: those that it names or reads, and every cube that lies on
   * a way of joins between two of them. What is missing here can't be read by mistake: the SQL of a cube that no decision goes along
   * with is never made.
   * @param hints - cubes that joins are led through.
   */
  of(members: Iterable<MemberDefinition>, hints: readonly string[]): ReadonlySet<string> {
    const ends = new Set(hints);
    for (const { entity, reads } of members) {
      ends.add(entity);
      for (const cube of reads) ends.add(cube);
    }
    // Nothing is joined where one cube is read.
    if (ends.size < 2) return ends;
    const below = [...ends].map(end => reached(end, this.#joined, this.#below));
    const above = [...ends].map(end => reached(end, this.#joining, this.#above));
    const between = new Set(ends);
    for (const cubes of below) for (const cube of cubes) if (above.some(others => others.has(cube))) between.add(cube);
    return between;
  }
}

function reached(start: string, next: Neighbours, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const before = known.get(start);
  if (before) return before;
  const found = new Set([start]);
  for (const name of found) for (const other of next.get(name) ?? []) found.add(other);
  known.set(start, found);
  return found;
}
