import { BoundedCache } from '../../runtime/bounded-cache.js';
import type { TaskQueue } from '../../runtime/task-queue.js';
import type { Engine, EngineResult } from '../engines/engine.js';
import type { Statement } from '../semantic-model.js';
import { Stage } from './continue-wait.js';
import { CacheUse } from './query-event.js';
import { type RunHandle, SingleFlight, type WaitOptions } from './single-flight.js';

/** Bounds of a statement runner. */
export interface StatementRunnerOptions {
  readonly engine: Engine;
  readonly lane: TaskQueue;
  /** Bytes of the results that are kept. */
  readonly cacheBytes: number;
  /** How long a result is given out again. */
  readonly cacheMaxAgeMs: number;
}

/** Who asks for the rows of a statement, and how. */
export interface StatementRequest extends WaitOptions {
  /** Whose turn it takes: any text that tells callers apart; called only for what has to be run. */
  readonly caller: () => string;
  /** Stands for the state of model and data that the statement is for. */
  readonly versions: string;
  /** Runs the statement even when its result is at hand. */
  readonly fresh: boolean;
}

/** Rows, where they came from and what they took. */
export interface StatementResult {
  readonly result: EngineResult;
  readonly cache: CacheUse;
  readonly queueMs: number;
  readonly engineMs: number;
  /** Of the rows in memory, about. */
  readonly bytes: number;
  /** When the rows were read, in milliseconds since 1970. */
  readonly storedAt: number;
}

type FreshResult = Omit<StatementResult, 'cache'>;

/** Of results that wait for those who were told to ask again. */
const readyBytes = 256 * 1024 * 1024;

/**
 * Runs statements: few at once, equal ones together, and keeps what they return. The row filter and its values are part of a
 * statement, so callers share a result only where they see the same rows.
 */
export class StatementRunner {
  readonly #options: StatementRunnerOptions;
  readonly #lane: TaskQueue;
  readonly #shared = new SingleFlight<FreshResult>({ readyBytes, bytesOf: ({ bytes }) => bytes });
  readonly #cache: BoundedCache<EngineResult>;

  constructor(options: StatementRunnerOptions) {
    this.#options = options;
    this.#lane = options.lane;
    this.#cache = new BoundedCache(options.cacheBytes);
  }

  /** What is kept. */
  get stats(): { cacheBytes: number; cacheEntries: number } {
    return { cacheBytes: this.#cache.bytes, cacheEntries: this.#cache.size };
  }

  /**
   * The rows of a statement.
   * @throws PlatformError as `Engine.run` and `TaskQueue.run` do; ContinueWait when the caller's patience is over.
   */
  async rows(statement: Statement, asked: StatementRequest): Promise<StatementResult> {
    const key = JSON.stringify([asked.versions, statement.sql, statement.parameters]);
    // Who comes back for a run picks up that run, with what it took.
    const found = asked.fresh || this.#shared.isReady(key) ? undefined : this.#cache.find(key);
    if (found && Date.now() - found.storedAt < this.#options.cacheMaxAgeMs) {
      const { value: result, bytes, storedAt } = found;
      return { result, bytes, storedAt, cache: CacheUse.hit, queueMs: 0, engineMs: 0 };
    }
    const cache = this.#shared.has(key) ? CacheUse.shared : CacheUse.miss;
    const ran = await this.#shared.run(key, handle => this.#run(key, statement, asked.caller(), handle), asked);
    return { ...ran, cache };
  }

  async #run(key: string, { sql, parameters }: Statement, caller: string, handle: RunHandle): Promise<FreshResult> {
    const { signal } = handle;
    const askedAt = performance.now();
    let startedAt = askedAt;
    const result = await this.#lane.run(
      caller,
      () => {
        startedAt = performance.now();
        handle.stage = Stage.running;
        return this.#options.engine.run(sql, parameters, { signal });
      },
      signal,
    );
    const engineMs = performance.now() - startedAt;
    const bytes = sizeOf(result);
    this.#cache.set(key, result, bytes);
    return { result, bytes, storedAt: Date.now(), queueMs: startedAt - askedAt, engineMs };
  }
}

/** About how many bytes a result has: two a character, and a pointer with the head of a string for each cell. */
function sizeOf(result: EngineResult): number {
  let bytes = 200;
  for (const column of result.columns) {
    for (const cell of column) bytes += 24 + (typeof cell === 'string' ? 2 * cell.length : 0);
  }
  return bytes;
}
