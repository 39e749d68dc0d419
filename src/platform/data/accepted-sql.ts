import { createHash } from 'node:crypto';
import { BoundedCache } from '../runtime/bounded-cache.js';
import type { SqlDialect } from './engines/engine.js';
import type { ModelSources } from './model/model-sources.js';

/** Maximum size of the keys of an engine, in bytes. */
const maxBytes = 1_000_000;

/** The SQL of models that an engine has accepted, so that later checks of these models can skip it. */
export class AcceptedSql {
  readonly #keys = new BoundedCache<true>(maxBytes);
  readonly #stateOf: () => string;

  /** @param stateOf - returns text that changes whenever the engine may accept other SQL, for example other tables. */
  constructor(stateOf: () => string) {
    this.#stateOf = stateOf;
  }

  /** Returns the accepted SQL of one model. */
  ofModel(sources: ModelSources, dialect: SqlDialect): AcceptedModelSql {
    return new AcceptedModelSql(this.#keys, this.#stateOf, sources, dialect);
  }
}

/** The SQL of one model that an engine has accepted. */
export class AcceptedModelSql {
  readonly #keys: BoundedCache<true>;
  readonly #stateOf: () => string;
  readonly #sources: ModelSources;
  readonly #state: string;
  /** Hash of everything that all statements of the model depend on. */
  readonly #model: string;
  readonly #cubes = new Map<string, string>();

  constructor(keys: BoundedCache<true>, stateOf: () => string, sources: ModelSources, dialect: SqlDialect) {
    this.#keys = keys;
    this.#stateOf = stateOf;
    this.#sources = sources;
    this.#state = stateOf();
    // A reference in SQL is a cube or a member, depending on the names of the cubes.
    this.#model = hashOf([this.#state, dialect, [...sources.cubes.keys()]]);
  }

  /**
   * Whether the engine has accepted the statements of a subject.
   * @param subject - identifies the statements.
   * @param cubes - all cubes that the statements can read.
   */
  has(subject: readonly string[], cubes: ReadonlySet<string>): boolean {
    return this.#keys.find(this.#keyOf(subject, cubes)) !== undefined;
  }

  /** Stores that the engine has accepted the statements, unless it has changed meanwhile. */
  add(subject: readonly string[], cubes: ReadonlySet<string>): void {
    if (this.#stateOf() === this.#state) this.#keys.set(this.#keyOf(subject, cubes), true, 0);
  }

  /** The key contains the whole definition of each cube, in the order of the model. */
  #keyOf(subject: readonly string[], cubes: ReadonlySet<string>): string {
    const names = [...this.#sources.cubes.keys()].filter(name => cubes.has(name));
    return hashOf([this.#model, subject, names.map(name => this.#cubeHash(name))]);
  }

  #cubeHash(name: string): string {
    const known = this.#cubes.get(name) ?? hashOf(this.#sources.cubes.get(name)?.source);
    this.#cubes.set(name, known);
    return known;
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
