import { BoundedCache } from '../../runtime/bounded-cache.js';
import type { TaskQueue } from '../../runtime/task-queue.js';
import type { Engine, EngineResult } from '../engines/engine.js';
import type { Statement } from '../semantic-model.js';
import { Stage } from './continue-wait.js';
import { CacheUse } from './query-event.js';
import { type RunHandle, SingleFlight, type WaitOptions } from './single-flight.js';

/** Dependencies and limits of a statement runner. */
export interface StatementRunnerOptions {
  readonly engine: Engine;
  readonly queue: TaskQueue;
  /** Size of the result cache in bytes. */
  readonly cacheBytes: number;
  /** Age in milliseconds up to which a cached result is fresh. */
  readonly cacheMaxAgeMs: number;
}

/** Options of a request for the rows of a statement. */
export interface StatementRequest extends WaitOptions {
  /** Returns a key that identifies the caller in the queue. Called only if the statement has to run. */
  readonly caller: () => string;
  /** Identifies the versions of model and data. */
  readonly versions: string;
  /** Whether to run the statement even if its result is cached. */
  readonly fresh: boolean;
}

/** Rows with their source, times and size. */
export interface StatementResult {
  readonly result: EngineResult;
  readonly cache: CacheUse;
  readonly queueMs: number;
  readonly engineMs: number;
  /** Approximate size of the rows in memory. */
  readonly bytes: number;
  /** Time when the rows were read, in milliseconds since 1970. */
  readonly storedAt: number;
}

type FreshResult = Omit<StatementResult, 'cache'>;

/** Maximum size of the results that wait for callers that got `ContinueWait`. */
const readyBytes = 256 * 1024 * 1024;

/**
 * Runs statements with limited concurrency, shares identical runs and caches their results. A statement includes the
 * row filter and its values, so callers share a result only if they see the same rows.
 */
export class StatementRunner {
  readonly #options: StatementRunnerOptions;
  readonly #queue: TaskQueue;
  readonly #shared = new SingleFlight<FreshResult>({ readyBytes, bytesOf: ({ bytes }) => bytes });
  readonly #cache: BoundedCache<EngineResult>;

  constructor(options: StatementRunnerOptions) {
    this.#options = options;
    this.#queue = options.queue;
    this.#cache = new BoundedCache(options.cacheBytes);
  }

  /** Returns the size of the cache. */
  get stats(): { cacheBytes: number; cacheEntries: number } {
    return { cacheBytes: this.#cache.bytes, cacheEntries: this.#cache.size };
  }

  /**
   * Returns the rows of a statement.
   * @throws PlatformError as `Engine.run` and `TaskQueue.run` do; ContinueWait when the maximum wait is over.
   */
  async rows(statement: Statement, request: StatementRequest): Promise<StatementResult> {
    const key = JSON.stringify([request.versions, statement.sql, statement.parameters]);
    // A caller that repeats its request after `ContinueWait` gets the result of its run, including the measured times.
    const cached = request.fresh || this.#shared.isReady(key) ? undefined : this.#cache.find(key);
    if (cached && Date.now() - cached.storedAt < this.#options.cacheMaxAgeMs) {
      const { value: result, bytes, storedAt } = cached;
      return { result, bytes, storedAt, cache: CacheUse.hit, queueMs: 0, engineMs: 0 };
    }
    const cache = this.#shared.has(key) ? CacheUse.shared : CacheUse.miss;
    const ran = await this.#shared.run(key, handle => this.#run(key, statement, request.caller(), handle), request);
    return { ...ran, cache };
  }

  async #run(key: string, { sql, parameters }: Statement, caller: string, handle: RunHandle): Promise<FreshResult> {
    const { signal } = handle;
    const queuedAt = performance.now();
    let startedAt = queuedAt;
    const result = await this.#queue.run(
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
    return { result, bytes, storedAt: Date.now(), queueMs: startedAt - queuedAt, engineMs };
  }
}

/** Estimates the size of a result in bytes: two per character, plus a pointer and a string header for each cell. */
function sizeOf(result: EngineResult): number {
  let bytes = 200;
  for (const column of result.columns) {
    for (const cell of column) bytes += 24 + (typeof cell === 'string' ? 2 * cell.length : 0);
  }
  return bytes;
}
