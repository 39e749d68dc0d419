import { initialState, Task, TaskStatus } from '@lit/task';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { PaAbortError } from '../client/errors.js';
import { type SessionSource, SessionStatus } from '../client/session/session-status.js';
import { type Problem, ProblemKind, toProblem } from './problem.js';

/** State of a value that is loaded. */
export type LoadState<T> =
  /** No value is requested. */
  | { readonly status: 'waiting' }
  /** Loading. `value` is the previous value of the same key, or of a compatible one (`isCompatible`). */
  | { readonly status: 'loading'; readonly value: T | null }
  | { readonly status: 'ready'; readonly value: T }
  /** Stopped by the viewer. `value` is the previous value. */
  | { readonly status: 'stopped'; readonly value: T | null }
  | { readonly status: 'failed'; readonly problem: Problem };

/** Returns the current value, even while it is being reloaded. */
export function loadedValue<T>(state: LoadState<T>): T | null {
  return 'value' in state ? state.value : null;
}

/** Options of a load controller. */
export interface LoadOptions<K, T> {
  /** The session; `null` while there is none. */
  readonly source: () => SessionSource | null;
  /** Key of the value to load, compared by identity; `null` if there is none. */
  readonly key: () => K | null;
  readonly load: (source: SessionSource, key: K, signal: AbortSignal) => Promise<T>;
  /** Whether the value of one key can be shown until another one's is loaded. Defaults to `false`. */
  readonly isCompatible?: (loaded: K, requested: K) => boolean;
  /** Called once for every failure that is shown. */
  readonly onProblem?: (problem: Problem) => void;
}

interface Loaded<K, T> {
  readonly source: SessionSource;
  /** Identity of the session for which the value was loaded. */
  readonly identity: string | null;
  readonly key: K;
  readonly value: T;
}

/**
 * Loads one value with the session, and again when its key changes. The latest request wins and aborts the previous
 * one. A request that was aborted by the session is repeated when the session is ready. When the identity changes, the
 * value is dropped.
 */
export class LoadController<K, T> implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: LoadOptions<K, T>;
  readonly #task: Task<readonly [SessionSource | null, K | null, number], T>;
  #loaded: Loaded<K, T> | null = null;
  #problem: Problem | null = null;
  #followed: SessionSource | null = null;
  #unfollow: (() => void) | null = null;
  /** Whether the request was aborted, but not by a newer request, or could not start yet. */
  #interrupted = false;
  /** Whether the viewer stopped the request. If so, it restarts only if the viewer requests it, or for another key. */
  #stopped = false;
  #startedAt = 0;
  #identities = 0;
  /** Number of times that the session has become ready. */
  #timesReady = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: LoadOptions<K, T>) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
    this.#task = new Task(host, {
      args: () => [options.source(), options.key(), this.#identities] as const,
      task: ([source, key], { signal }) => this.#run(source, key, signal),
      onError: error => this.#handleError(error),
    });
  }

  /** State of the value. */
  get state(): LoadState<T> {
    const value = this.#isCurrent() ? (this.#loaded?.value ?? null) : null;
    if (this.#stopped) return { status: 'stopped', value };
    switch (this.#task.status) {
      case TaskStatus.PENDING:
        return { status: 'loading', value: value ?? this.#placeholder() };
      case TaskStatus.ERROR:
        return { status: 'failed', problem: this.#problem ?? toProblem(null) };
      case TaskStatus.COMPLETE:
        return value === null ? { status: 'waiting' } : { status: 'ready', value };
      default:
        return this.#interrupted ? { status: 'loading', value: value ?? this.#placeholder() } : { status: 'waiting' };
    }
  }

  /** When the current request started, by `performance.now()`; `null` if there is none. */
  get runningSince(): number | null {
    return this.#task.status === TaskStatus.PENDING && !this.#stopped ? this.#startedAt : null;
  }

  /** Reloads the value of the current key. */
  async reload(): Promise<void> {
    await this.#task.run();
  }

  /** Aborts the current request until `reload()` is called or the key changes. */
  stop(): void {
    if (this.runningSince === null) return;
    this.#stopped = true;
    this.#task.abort();
    this.#host.requestUpdate();
  }

  /** Resolves when the value is loaded, has failed or was stopped, or when the host has left the page. */
  async settled(): Promise<void> {
    if (!this.#isSettled()) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  hostConnected(): void {
    if (this.#interrupted) void this.reload();
    this.#follow(this.#options.source());
  }

  hostUpdate(): void {
    if (this.#host.isConnected) this.#follow(this.#options.source());
  }

  hostUpdated(): void {
    if (this.#isSettled()) this.#release();
  }

  hostDisconnected(): void {
    // If the element was only moved, it is reconnected before this runs.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#follow(null);
      if (this.#task.status === TaskStatus.PENDING && !this.#stopped) this.#interrupted = true;
      this.#task.abort();
      this.#release();
    });
  }

  #isSettled(): boolean {
    const { status } = this.state;
    return status === 'ready' || status === 'failed' || status === 'stopped';
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #run(source: SessionSource | null, key: K | null, signal: AbortSignal): Promise<T> {
    this.#problem = null;
    this.#stopped = false;
    this.#startedAt = performance.now();
    // @lit/task interprets this marker as "not run", but its type does not express that.
    const notRun = initialState as T;
    const isRequested = source !== null && key !== null;
    this.#interrupted = isRequested && (source.status === SessionStatus.ended || !this.#host.isConnected);
    if (!isRequested || this.#interrupted) return notRun;
    const identity = this.#identities;
    const times = this.#timesReady;
    try {
      const value = await this.#options.load(source, key, signal);
      if (!signal.aborted && identity === this.#identities)
        this.#loaded = { source, identity: source.identity, key, value };
      return value;
    } catch (error) {
      if (signal.aborted) return notRun;
      if (!(error instanceof PaAbortError)) throw error;
      this.#interrupted = true;
      // The session may have become ready before this abort is reported.
      if (times !== this.#timesReady) this.#recover();
      return notRun;
    }
  }

  #isCurrent(): boolean {
    const loaded = this.#loaded;
    const source = this.#options.source();
    return (
      loaded !== null &&
      loaded.source === source &&
      loaded.identity === source.identity &&
      loaded.key === this.#options.key()
    );
  }

  /**
   * Returns the loaded value of a compatible key, to show until the requested value is loaded; `null` if there is none.
   */
  #placeholder(): T | null {
    const { source, key, isCompatible } = this.#options;
    const [loaded, requested] = [this.#loaded, key()];
    if (loaded === null || requested === null || loaded.source !== source()) return null;
    if (loaded.identity !== loaded.source.identity) return null;
    return isCompatible?.(loaded.key, requested) ? loaded.value : null;
  }

  #handleError(error: unknown): void {
    this.#loaded = null;
    this.#problem = toProblem(error);
    this.#options.onProblem?.(this.#problem);
  }

  #follow(source: SessionSource | null): void {
    if (source === this.#followed) return;
    this.#unfollow?.();
    this.#followed = source;
    // The identity can change while the host is not in the page.
    const { source: loadedFrom, identity } = this.#loaded ?? {};
    if (source && source === loadedFrom && source.identity !== identity) this.#forget();
    this.#unfollow =
      source?.subscribe(event => {
        if (event.type === 'identity') this.#forget();
        // The session renews its own token. For other failures that a lost network caused, the callers retry.
        const isOnline = event.type === 'wake' && this.#problem?.kind === ProblemKind.offline;
        const isReady = event.type === 'status' && event.status === SessionStatus.ready;
        if (isReady) this.#timesReady += 1;
        if (isOnline || isReady) this.#recover();
      }) ?? null;
  }

  /** Drops the value of the previous identity. The reload runs with the next update, if the host is still connected. */
  #forget(): void {
    this.#loaded = null;
    this.#problem = null;
    this.#identities += 1;
    this.#host.requestUpdate();
  }

  /** Repeats a failed or aborted request when the session or the network is available again. */
  #recover(): void {
    if (this.#interrupted || this.#problem) void this.reload();
  }
}
