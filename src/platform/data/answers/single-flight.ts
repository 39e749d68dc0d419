import { abortedError } from '../../errors.js';
import { ContinueWait, Stage } from './continue-wait.js';

/** Work under way, as the one who does it sees it. */
export interface RunHandle {
  /** Aborts when nobody waits any more for work that goes on. */
  readonly signal: AbortSignal;
  /** What is told to whoever is asked to wait. */
  stage: Stage;
}

/** How long one caller waits. */
export interface WaitOptions {
  /** The caller has left. */
  readonly signal?: AbortSignal | undefined;
  /** Resolves when the caller is to be told to ask again; called once there is something to wait for. */
  readonly over?: () => Promise<unknown>;
  /** How long the work goes on for a caller who was told to ask again. */
  readonly keepMs?: number;
  /**
   * Hears that a result was handed out, and how it is given back: for a caller who was told to ask again for the sake of something
   * else, and who expects to find it then.
   */
  readonly onTaken?: (giveBack: () => void) => void;
}

/** How much is kept of what is ready. */
export interface SingleFlightOptions<T> {
  /** Of all results together that wait to be picked up; the newest is kept however large it is. */
  readonly readyBytes: number;
  /** Size of a result, about. */
  readonly bytesOf: (result: T) => number;
  /** Gives back what a result holds that nobody was given. */
  readonly discard?: (result: T) => void;
}

interface Flight<T> extends RunHandle {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly startedAt: number;
  settled: boolean;
  /** Of key and result, about. */
  bytes: number;
  /** Whether the result waits to be picked up. */
  isReady: boolean;
  waiters: number;
  /** Until then (`performance.now()`) someone may come back who was told to ask again. */
  keptUntil: number;
  /** Ends the time for which the run is kept without anyone. */
  expiry: NodeJS.Timeout | undefined;
  /** Discards the result; undefined until there is one, and once somebody was given it. */
  discard: (() => void) | undefined;
}

const defaultKeepMs = 10_000;

/**
 * Runs equal work once for everyone who asks while it is under way. Each caller's abort is the caller's own. Who is told to ask
 * again is expected back: for so long the work goes on without anyone, and its result stays to be picked up. Then, or when the
 * last caller has left for good, the work is aborted.
 */
export class SingleFlight<T> {
  readonly #options: SingleFlightOptions<T>;
  /** Those that are ready in the order in which they became so. */
  readonly #runs = new Map<string, Flight<T>>();
  #readyBytes = 0;

  constructor(options: SingleFlightOptions<T>) {
    this.#options = options;
  }

  /** Whether work of this key is under way, or waits to be picked up. */
  has(key: string): boolean {
    return this.#runs.has(key);
  }

  /** Whether work of this key is done, and waits to be picked up. */
  isReady(key: string): boolean {
    return this.#runs.get(key)?.isReady === true;
  }

  /**
   * @param key - Everything that the result depends on.
   * @param start - Begins the work; called only when none of this key is under way.
   * @throws PlatformError 499 when the caller's own signal aborts, ContinueWait when its patience is over, else what the work throws.
   */
  async run(key: string, start: (handle: RunHandle) => Promise<T>, patience: WaitOptions = {}): Promise<T> {
    if (patience.signal?.aborted) throw abortedError();
    const run = this.#runs.get(key) ?? this.#start(key, start);
    this.#pickUp(run);
    run.waiters += 1;
    try {
      const result = await untilOver(run, patience);
      run.discard = undefined;
      patience.onTaken?.(() => this.#takeBack(key, run));
      return result;
    } catch (error) {
      if (error instanceof ContinueWait) run.keptUntil = performance.now() + (patience.keepMs ?? defaultKeepMs);
      throw error;
    } finally {
      run.waiters -= 1;
      if (run.waiters === 0) this.#leave(key, run);
    }
  }

  #start(key: string, start: (handle: RunHandle) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const handle: RunHandle = { signal: controller.signal, stage: Stage.waiting };
    const state = { settled: false, bytes: 0, isReady: false, waiters: 0, keptUntil: 0 };
    const later = { expiry: undefined, discard: undefined };
    const result = start(handle);
    const run: Flight<T> = Object.assign(handle, {
      result,
      controller,
      startedAt: performance.now(),
      ...state,
      ...later,
    });
    const settle = (bytes: number) => {
      run.settled = true;
      run.bytes = bytes + 2 * key.length;
      // What is ready is old soon: it is kept for whoever is expected back, however long the work was to go on.
      if (run.waiters === 0) this.#keep(key, run, Math.min(run.keptUntil - performance.now(), defaultKeepMs));
    };
    // Told to whoever waits or comes back; where nobody does it is no unhandled rejection.
    run.result.then(
      value => {
        run.discard = () => this.#options.discard?.(value);
        settle(this.#options.bytesOf(value));
      },
      () => settle(0),
    );
    this.#runs.set(key, run);
    return run;
  }

  #leave(key: string, run: Flight<T>): void {
    this.#keep(key, run, run.settled ? 0 : run.keptUntil - performance.now());
  }

  /** Once more there to be picked up, unless whoever asked meanwhile has begun afresh. */
  #takeBack(key: string, run: Flight<T>): void {
    if (this.#runs.has(key)) return;
    this.#runs.set(key, run);
    this.#keep(key, run, defaultKeepMs);
  }

  #keep(key: string, run: Flight<T>, ms: number): void {
    this.#pickUp(run);
    if (ms <= 0) {
      this.#end(key, run);
      return;
    }
    run.expiry = setTimeout(() => this.#end(key, run), ms).unref();
    if (run.settled) this.#makeReady(key, run);
  }

  #makeReady(key: string, run: Flight<T>): void {
    run.isReady = true;
    this.#readyBytes += run.bytes;
    this.#runs.delete(key);
    this.#runs.set(key, run);
    for (const [name, other] of this.#runs) {
      if (this.#readyBytes <= this.#options.readyBytes) return;
      if (other.isReady && other !== run) this.#end(name, other);
    }
  }

  #pickUp(run: Flight<T>): void {
    clearTimeout(run.expiry);
    if (run.isReady) this.#readyBytes -= run.bytes;
    run.isReady = false;
  }

  /** Once ended, a run takes no one in any more: whoever comes next starts afresh. */
  #end(key: string, run: Flight<T>): void {
    this.#pickUp(run);
    if (this.#runs.get(key) === run) this.#runs.delete(key);
    if (!run.settled) run.controller.abort();
    run.discard?.();
    run.discard = undefined;
  }
}

async function untilOver<T>(run: Flight<T>, { signal, over }: WaitOptions): Promise<T> {
  if (!signal && !over) return run.result;
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortedError());
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  const waited = over?.().then(() => {
    throw new ContinueWait(run.stage, performance.now() - run.startedAt);
  });
  try {
    return await Promise.race(waited ? [run.result, aborted, waited] : [run.result, aborted]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
