import type { MemberDefinition, ModelDefinition } from './definition.js';
import type { ModelSources } from './model-sources.js';

/** Tells which cubes and views a query can read at all, so that nothing else of what a caller may read has to go along with it. */
export class Reach {
  /** By cube or view, those that it hangs together with. */
  readonly #together = new Map<string, ReadonlySet<string>>();

  constructor({ cubes }: ModelSources, model: ModelDefinition) {
    for (const name of model.entities.keys()) this.#together.set(name, new Set([name]));
    for (const { source } of cubes.values()) this.#tie(source.name, source.joins?.map(join => join.name) ?? []);
    for (const { name, members } of model.entities.values())
      for (const { reads } of members.values()) this.#tie(name, reads);
  }

  /**
   * The cubes and views that may enter the SQL of a query of these members. What is missing here can't be read by mistake: the SQL of a
   * cube that no decision goes along with is never made.
   * @param hints - cubes that joins are led through.
   */
  of(members: ReadonlySet<MemberDefinition>, hints: readonly string[]): ReadonlySet<string> {
    const [only, ...others] = new Set([...members].flatMap(({ entity, reads }) => [entity, ...reads]));
    // Nothing is joined where one cube is read.
    if (only !== undefined && others.length === 0 && hints.length === 0) return new Set([only]);
    const [first, ...more] = new Set(
      [...members].map(({ entity }) => this.#together.get(entity)).concat(hints.map(name => this.#together.get(name))),
    );
    if (first === undefined) return new Set();
    return more.length === 0 ? first : new Set([first, ...more].flatMap(part => [...(part ?? [])]));
  }

  #tie(name: string, others: Iterable<string>): void {
    for (const other of others) {
      const [own, its] = [this.#together.get(name), this.#together.get(other)];
      if (own === undefined || its === undefined || own === its) continue;
      const both = new Set([...own, ...its]);
      for (const each of both) this.#together.set(each, both);
    }
  }
}
