import { compileEmptyModel, compileModel, type ModelOptions } from './compile-model.js';
import type { SqlDialect } from './engines/engine.js';
import { MissingVariableError } from './model/model-error.js';
import { stateOfFolder } from './model/model-files.js';
import { revisionOf, type VariableSource, type VariableTokens } from './model/variables.js';
import type { LiveModel, SemanticModel } from './semantic-model.js';

/** Source of a live model and its callbacks. */
export interface LiveModelOptions {
  /** Folder that contains the YAML files. */
  readonly directory: string;
  /** SQL dialect of the generated statements. */
  readonly dialect: SqlDialect;
  /** Returns the current names of the tables that cubes may read; `null` if they are unknown, which allows all. */
  readonly tables: () => readonly string[] | null;
  /** Environment variables of the deployment, and the tokens that replace them; none by default. */
  readonly variables?: { readonly source: VariableSource; readonly tokens: VariableTokens };
  /** Called with a changed version before it replaces the current one, which stays in use until then. */
  readonly prepare?: (model: SemanticModel) => Promise<void>;
  /**
   * Called once for each version of the files that cannot be compiled, with a message that states the reason and which
   * model is served instead.
   */
  readonly onProblem?: (message: string) => void;
  /** Called after a changed version has become the current one. */
  readonly onChange?: (model: SemanticModel) => void;
  /** Interval between checks of the files in milliseconds; 1,000 by default. */
  readonly pollMs?: number;
  /**
   * How long changed files must stay unchanged before they are read, because a write may still be in progress, in
   * milliseconds; 200 by default.
   */
  readonly settleMs?: number;
}

/** A live model that watches its files until it is closed. */
export interface OpenedModel extends LiveModel {
  /** Stops watching the files. The current version stays usable. */
  close(): Promise<void>;
}

/**
 * Compiles the model of a folder and recompiles it if a file, an environment variable or the engine's list of tables
 * changes. Callers read `current` once per query, so that the version cannot change during a query. If only values of
 * environment variables are missing at first, an empty model is served until they are set. A model that was compiled
 * before its tables were known is replaced with an empty one if it cannot be compiled with its tables.
 * @throws ModelError if the initial files don't compile. Later problems are passed to `onProblem`.
 */
export async function openLiveModel(options: LiveModelOptions): Promise<OpenedModel> {
  // Read the state before the files, so that a change in between is detected later.
  const state = await stateOf(options);
  const isUnchecked = options.tables() === null;
  return new WatchedModel(options, { state, isUnchecked }, await compileFirst(options));
}

async function compileFirst(options: LiveModelOptions): Promise<SemanticModel> {
  try {
    return await compileModel(inputsOf(options));
  } catch (error) {
    if (!(error instanceof MissingVariableError)) throw error;
    options.onProblem?.(`No data is served until its environment variables are set. ${error.message}`);
    return compileEmptyModel(inputsOf(options));
  }
}

/** Returns the inputs of a compilation. */
function inputsOf({ directory, dialect, tables, variables }: LiveModelOptions): ModelOptions {
  const scope = variables && { values: variables.source.current, tokens: variables.tokens };
  const names = tables();
  return { directory, dialect, ...(names && { tables: names }), ...(scope && { variables: scope }) };
}

/** Returns a key that changes if any input of the compilation changes. */
async function stateOf({ directory, tables, variables }: LiveModelOptions): Promise<string> {
  const revision = variables && revisionOf(variables.source.current);
  const names = tables();
  return JSON.stringify([await stateOfFolder(directory), names && [...names].sort(), revision]);
}

class WatchedModel implements LiveModel {
  readonly #options: LiveModelOptions;
  readonly #pollMs: number;
  readonly #settleMs: number;
  #current: SemanticModel;
  /** The state of the last compilation, which may have failed. */
  #tried: string;
  /** A state that was observed once. The files are read when it is observed again. */
  #seen: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #check: Promise<void> | undefined;
  #isClosed = false;
  /** Whether the current version was compiled while its tables were unknown, so that every table was allowed. */
  #isUnchecked: boolean;

  constructor(
    options: LiveModelOptions,
    { state, isUnchecked }: { readonly state: string; readonly isUnchecked: boolean },
    first: SemanticModel,
  ) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? 1000;
    this.#settleMs = options.settleMs ?? 200;
    this.#tried = state;
    this.#current = first;
    this.#isUnchecked = isUnchecked;
    this.#scheduleCheck(this.#pollMs);
  }

  get current(): SemanticModel {
    return this.#current;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#check;
  }

  #scheduleCheck(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#check = this.#checkFiles().then(next => this.#scheduleCheck(next));
    }, delayMs).unref();
  }

  /** Checks the files and returns the delay until the next check in milliseconds. */
  async #checkFiles(): Promise<number> {
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
    const { prepare, onProblem } = this.#options;
    const isUnchecked = this.#options.tables() === null;
    try {
      const next = await compileModel(inputsOf(this.#options));
      await prepare?.(next);
      this.#serve(next, { isUnchecked });
    } catch (error) {
      if (this.#isClosed) return;
      const reason = error instanceof Error ? error.message : 'Cannot read the semantic model.';
      const isRejected = this.#isUnchecked && !isUnchecked;
      const consequence = isRejected
        ? 'No data is served, because the tables of the previous version were not checked.'
        : 'The previous version stays in use.';
      onProblem?.(`${consequence} ${reason}`);
      if (isRejected) this.#serve(await compileEmptyModel(inputsOf(this.#options)), { isUnchecked });
    }
  }

  #serve(next: SemanticModel, { isUnchecked }: { readonly isUnchecked: boolean }): void {
    if (this.#isClosed) return;
    this.#current = next;
    this.#isUnchecked = isUnchecked;
    this.#options.onChange?.(next);
  }
}
