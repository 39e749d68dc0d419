import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ChartError, ChartErrorCode } from '../../../charts/chart-error.js';
import { checkViewCount } from '../../../charts/spec/view-count.js';
import type { JsonObject } from '../../../contract/wire.js';
import { PlatformError } from '../../errors.js';

/** Request to the worker thread: the arguments of `compileForPublishing`. */
export interface CompileRequest {
  readonly spec: JsonObject;
  readonly columns: readonly string[] | null;
}

/** Message from the worker thread: `ready` once, then one response per request. */
export type CompileResponse =
  | { readonly kind: 'ready' }
  | { readonly kind: 'compiled'; readonly vega: JsonObject }
  | { readonly kind: 'failed'; readonly code: ChartErrorCode | null; readonly message: string };

/** Options of a `ChartCompiler`. */
export interface ChartCompilerOptions {
  /** Maximum time of one compilation in ms, not counting the start of the thread; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** Maximum number of queued compilations. They run one at a time, so a request waits for all earlier ones. */
const maxWaiting = 100;
const maxMemoryMb = 512;

/**
 * Compiles specifications for publishing in a worker thread, one at a time, so that large ones do not block the event
 * loop. The thread starts with the first request and is replaced after a timeout or failure.
 */
export class ChartCompiler {
  readonly #timeoutMs: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;

  constructor({ timeoutMs = 10_000 }: ChartCompilerOptions = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Compiles a specification as `compileForPublishing` does.
   * @throws ChartError in the same cases, and if the specification has too many views or takes too long; PlatformError
   * 503 if too many wait.
   */
  async compile(spec: JsonObject, columns: readonly string[] | null): Promise<JsonObject> {
    checkViewCount(spec);
    if (this.#waiting >= maxWaiting)
      throw new PlatformError(503, 'Too many charts are being compiled. Try again in a moment.');
    this.#waiting += 1;
    const compiled = this.#last.then(() => this.#compileNow({ spec, columns }));
    // Ignore the error, because it is returned to the caller, and the next compilation runs anyway.
    this.#last = compiled.catch(() => {});
    return compiled.finally(() => {
      this.#waiting -= 1;
    });
  }

  /** Stops the thread and rejects the current compilation. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  async #compileNow(request: CompileRequest): Promise<JsonObject> {
    if (this.#isClosed) throw closedProblem();
    const worker = await this.#startedWorker();
    worker.ref();
    try {
      return await this.#awaitResponse(worker, request);
    } finally {
      // An idle thread does not keep the process alive.
      worker.unref();
    }
  }

  async #startedWorker(): Promise<Worker> {
    if (this.#worker) return this.#worker;
    const worker = startThread();
    this.#worker = worker;
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    await this.#response(worker);
    return worker;
  }

  async #awaitResponse(worker: Worker, request: CompileRequest): Promise<JsonObject> {
    let isLate = false;
    const timeout = setTimeout(() => {
      isLate = true;
      void worker.terminate();
    }, this.#timeoutMs);
    try {
      worker.postMessage(request);
      const response = await this.#response(worker);
      if (response.kind === 'compiled') return response.vega;
      const { code, message } = response.kind === 'failed' ? response : { code: null, message: 'unknown reason' };
      throw code === null ? new Error(message) : new ChartError(code, message);
    } catch (error) {
      throw isLate ? tooComplex(`more than ${this.#timeoutMs / 1000} s`) : error;
    } finally {
      clearTimeout(timeout);
    }
  }

  /** Waits for the response of the thread. */
  #response(worker: Worker): Promise<CompileResponse> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void) => () => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        action();
      };
      const onMessage = (response: CompileResponse) => settle(() => resolve(response))();
      const onError = (error: Error & { code?: string }) =>
        settle(() => {
          // The thread is about to end; the next request starts another one.
          if (this.#worker === worker) this.#worker = undefined;
          const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
          reject(isTooLarge ? tooComplex(`more than ${maxMemoryMb} MB of memory`) : error);
        })();
      const onExit = settle(() => reject(this.#isClosed ? closedProblem() : new Error('The thread ended.')));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

function tooComplex(what: string): ChartError {
  return new ChartError(
    ChartErrorCode.tooLarge,
    `Compiling the specification of the chart takes ${what}. Simplify it.`,
  );
}

function closedProblem(): PlatformError {
  return new PlatformError(503, 'The platform is shutting down. Try again in a moment.');
}

function startThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: maxMemoryMb };
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./chart-worker.js', import.meta.url), { resourceLimits });
  }
  // When the platform runs from its sources, as in tests, the thread must load tsx itself, because Node.js 20 does not
  // apply `--import tsx` to threads.
  const loader = new URL(
    'dist/esm/api/index.mjs',
    pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json')),
  );
  const source = new URL('./chart-worker.ts', import.meta.url);
  const script = `import { register } from '${loader.href}'; register(); await import('${source.href}');`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { resourceLimits });
}
