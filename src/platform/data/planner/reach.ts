import type { MemberDefinition } from '../model/definition.js';
import type { ModelSources } from '../model/model-sources.js';
import { parseTemplate, References } from '../model/references.js';

type Neighbors = ReadonlyMap<string, readonly string[]>;

/** A join whose SQL reads cubes other than the two that it joins. */
interface WideJoin {
  readonly from: string;
  readonly to: string;
  readonly reads: ReadonlySet<string>;
}

/** Determines which cubes and views a query can read, so that only their access decisions become part of its key. */
export class Reach {
  readonly #joined: Neighbors;
  readonly #joining: Neighbors;
  readonly #wide: readonly WideJoin[];
  /** For each cube, the cubes that are reachable through its joins. Filled on demand. */
  readonly #below = new Map<string, ReadonlySet<string>>();
  /** For each cube, the cubes whose joins reach it. Filled on demand. */
  readonly #above = new Map<string, ReadonlySet<string>>();

  constructor(sources: ModelSources) {
    const { cubes } = sources;
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
    this.#wide = wideJoins(sources);
  }

  /**
   * Returns the cubes and views that the SQL of a query over these members can read: those that it names or reads,
   * every cube on a join path between two of them, and the cubes that the SQL of those joins reads. If a cube is
   * missing in the result, the query fails instead of reading it, because no SQL is generated for a cube without an
   * access decision.
   * @param hints - cubes that the join path must include.
   */
  of(members: Iterable<MemberDefinition>, hints: readonly string[]): ReadonlySet<string> {
    const ends = new Set(hints);
    for (const { entity, reads } of members) {
      ends.add(entity);
      for (const cube of reads) ends.add(cube);
    }
    for (;;) {
      const between = this.#between(ends);
      const { size } = ends;
      for (const { from, to, reads } of this.#wide) {
        if (between.has(from) && between.has(to)) for (const cube of reads) ends.add(cube);
      }
      if (ends.size === size) return between;
    }
  }

  #between(ends: ReadonlySet<string>): ReadonlySet<string> {
    // A single cube needs no joins.
    if (ends.size < 2) return ends;
    const below = [...ends].map(end => reachableFrom(end, this.#joined, this.#below));
    const above = [...ends].map(end => reachableFrom(end, this.#joining, this.#above));
    const between = new Set(ends);
    for (const cubes of below) for (const cube of cubes) if (above.some(others => others.has(cube))) between.add(cube);
    return between;
  }
}

function reachableFrom(start: string, next: Neighbors, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const before = known.get(start);
  if (before) return before;
  const found = new Set([start]);
  for (const name of found) for (const other of next.get(name) ?? []) found.add(other);
  known.set(start, found);
  return found;
}

function wideJoins(sources: ModelSources): WideJoin[] {
  const references = new References(sources);
  const readsOf = (cube: string, sql: string): string[] =>
    (parseTemplate(sql) ?? []).flatMap(piece => {
      const reference = typeof piece === 'string' ? undefined : references.resolve(cube, piece);
      if (reference === undefined) return [];
      return reference.kind === 'cube'
        ? [reference.cube]
        : [...(references.reads(reference.cube, reference.member) ?? [])];
    });
  return [...sources.cubes.values()].flatMap(({ source: { name: from, joins = [] } }) =>
    joins.flatMap(({ name: to, sql }) => {
      const reads = new Set(readsOf(from, sql).filter(cube => cube !== from && cube !== to));
      return reads.size > 0 ? [{ from, to, reads }] : [];
    }),
  );
}
