import { compileModel } from './compile-model.js';
import type { SqlDialect } from './engines/engine.js';
import { stateOfFolder } from './model/model-files.js';
import type { LiveModel, SemanticModel } from './semantic-model.js';

/** What a live model is read from, and who hears of it. */
export interface LiveModelOptions {
  /** Folder of the YAML files. */
  readonly directory: string;
  /** Whose SQL statements are in. */
  readonly dialect: SqlDialect;
  /** Names of the tables that cubes may read, as they are now. */
  readonly tables: () => readonly string[];
  /** Called with a changed version before it replaces the one that serves, which goes on meanwhile. */
  readonly prepare?: (model: SemanticModel) => Promise<void>;
  /** Hears, once per state of the files, why they could not be taken in: the version before is served on. */
  readonly onProblem?: (message: string) => void;
  /** Hears of a changed version that serves from now on. */
  readonly onChange?: (model: SemanticModel) => void;
  /** How often the files are looked at; every second by default. */
  readonly pollMs?: number;
  /** How long changed files have to stay as they are before they are read: whoever writes may not be done. 200 ms by default. */
  readonly settleMs?: number;
}

/** A live model that looks at its files until it is closed. */
export interface OpenedModel extends LiveModel {
  /** Looks no more; what serves goes on serving. */
  close(): Promise<void>;
}

/**
 * Compiles the model of a folder, and again when a file changes or the engine has other tables. Whoever took `current` keeps a
 * whole version, so a query ends on the one that it began with.
 * @throws ModelError when the files don't compile now; later that is told to `onProblem`.
 */
export async function openLiveModel(options: LiveModelOptions): Promise<OpenedModel> {
  // The state comes first: a file that is written while it is read shows as a change.
  const state = await stateOf(options);
  const { directory, dialect, tables } = options;
  return new WatchedModel(options, state, await compileModel({ directory, dialect, tables: tables() }));
}

/** Everything that compiling depends on. */
async function stateOf({ directory, tables }: LiveModelOptions): Promise<string> {
  return JSON.stringify([await stateOfFolder(directory), [...tables()].sort()]);
}

class WatchedModel implements LiveModel {
  readonly #options: LiveModelOptions;
  readonly #pollMs: number;
  readonly #settleMs: number;
  #current: SemanticModel;
  /** The state that was compiled last, whether that went well or not. */
  #tried: string;
  /** A state that was seen once: files are read when it is seen twice. */
  #seen: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: LiveModelOptions, state: string, first: SemanticModel) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? 1000;
    this.#settleMs = options.settleMs ?? 200;
    this.#tried = state;
    this.#current = first;
    this.#lookAfter(this.#pollMs);
  }

  get current(): SemanticModel {
    return this.#current;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #lookAfter(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(next => this.#lookAfter(next));
    }, delayMs).unref();
  }

  /** Returns when to look again. */
  async #look(): Promise<number> {
    const state = await stateOf(this.#options);
    if (state === this.#tried) {
      this.#seen = undefined;
      return this.#pollMs;
    }
    if (state !== this.#seen) {
      this.#seen = state;
      return this.#settleMs;
    }
    this.#tried = state;
    await this.#reload();
    return this.#pollMs;
  }

  async #reload(): Promise<void> {
    const { directory, dialect, tables, prepare, onChange, onProblem } = this.#options;
    try {
      const next = await compileModel({ directory, dialect, tables: tables() });
      await prepare?.(next);
      if (this.#isClosed) return;
      this.#current = next;
      onChange?.(next);
    } catch (error) {
      if (!this.#isClosed) onProblem?.(error instanceof Error ? error.message : 'The semantic model can not be read.');
    }
  }
}
