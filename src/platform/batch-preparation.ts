import { PlatformError } from './errors.js';
import type { RouteDeps } from './http/route-deps.js';

/** Functions that take long, and depend only on their arguments and the model. */
type SlowFunctions = Pick<RouteDeps, 'compileChart' | 'convertSql' | 'publicModel'>;

/**
 * A batch with SQL reports needs three attempts, because charts depend on the converted SQL. More are needed if other
 * requests change the content meanwhile.
 */
const maxAttempts = 5;

/** Rolls back a transaction that has used placeholders. */
class ResultsAreMissing extends Error {}

/**
 * Runs the slow functions of a transaction outside of it. The transaction gets placeholders for results that are
 * missing, and is rolled back and repeated when they are prepared.
 */
export class BatchPreparation {
  /** The functions for the transaction. */
  readonly functions: SlowFunctions;
  readonly #deadline: number;
  readonly #results = new Map<string, PromiseSettledResult<unknown>>();
  readonly #missing = new Map<string, () => unknown>();

  /** @param deadline - time after which no further attempt and no further function starts, in milliseconds. */
  constructor({ compileChart, convertSql, publicModel }: SlowFunctions, deadline: number) {
    this.#deadline = deadline;
    this.functions = {
      compileChart: async (...args) => this.#resultOf('compileChart', args, () => compileChart(...args), {}),
      convertSql: async (...args) => this.#resultOf('convertSql', args, () => convertSql(...args), null),
      publicModel: async (...args) => this.#resultOf('publicModel', args, () => publicModel(...args), null),
    };
  }

  /**
   * Calls `transact` with a check that must be the last part of the transaction. Repeats it until no result is missing.
   * @throws PlatformError 503 if it takes too long, or other requests change the content in every attempt.
   */
  async run<T>(transact: (requireResults: () => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      this.#missing.clear();
      try {
        return await transact(() => {
          if (this.#missing.size > 0) throw new ResultsAreMissing();
        });
      } catch (error) {
        // Another error can be a consequence of a placeholder, or of a step that comes after it.
        if (this.#missing.size === 0) throw error;
      }
      await this.#prepare();
    }
    throw new PlatformError(503, 'Other requests change the content of the batch. Try again in a moment.');
  }

  /** @throws PlatformError 503 if the batch takes too long. */
  requireTime(): void {
    if (Date.now() > this.#deadline) throw new PlatformError(503, 'The batch takes too long. Send fewer steps.');
  }

  async #prepare(): Promise<void> {
    for (const [key, work] of this.#missing) {
      this.requireTime();
      const [result] = await Promise.allSettled([(async () => work())()]);
      this.#results.set(key, result);
    }
  }

  #resultOf<T>(name: keyof SlowFunctions, args: readonly unknown[], work: () => T | Promise<T>, placeholder: T): T {
    const key = JSON.stringify([name, args]);
    const result = this.#results.get(key);
    if (result?.status === 'rejected') throw result.reason;
    if (result) return result.value as T;
    this.#missing.set(key, work);
    return placeholder;
  }
}
