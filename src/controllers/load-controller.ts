import { initialState, Task, TaskStatus } from '@lit/task';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { PaAbortError } from '../client/errors.js';
import { type SessionSource, SessionStatus } from '../client/session/session-status.js';
import { type Problem, ProblemKind, toProblem } from './problem.js';

/** Where one thing that is loaded stands. */
export type LoadState<T> =
  /** Nothing is asked for. */
  | { readonly status: 'waiting' }
  /** On its way; `value` is what stood before, where the same was asked for, or something that it may stand for (`stands`). */
  | { readonly status: 'loading'; readonly value: T | null }
  | { readonly status: 'ready'; readonly value: T }
  /** Called off by the viewer; `value` is what stood before. */
  | { readonly status: 'stopped'; readonly value: T | null }
  | { readonly status: 'failed'; readonly problem: Problem };

/** What is there, also while it is being loaded again. */
export function loadedValue<T>(state: LoadState<T>): T | null {
  return 'value' in state ? state.value : null;
}

/** What a load controller loads. */
export interface LoadOptions<K, T> {
  /** The session to load with, null while there is none. */
  readonly source: () => SessionSource | null;
  /** What is asked for, compared by identity; null asks for nothing. */
  readonly key: () => K | null;
  readonly load: (source: SessionSource, key: K, signal: AbortSignal) => Promise<T>;
  /** Whether what was loaded for one key may stay until another one's is there; by default it may not. */
  readonly stands?: (loaded: K, asked: K) => boolean;
  /** Called once for every failure that is shown. */
  readonly onProblem?: (problem: Problem) => void;
}

interface Loaded<K, T> {
  readonly source: SessionSource;
  readonly key: K;
  readonly value: T;
}

/**
 * Loads one thing with the session, and again when what is asked for changes. The latest call wins and aborts the one
 * before; a call that the session broke off runs again when the session is ready; another identity drops what was there.
 */
export class LoadController<K, T> implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: LoadOptions<K, T>;
  readonly #task: Task<readonly [SessionSource | null, K | null, number], T>;
  #loaded: Loaded<K, T> | null = null;
  #problem: Problem | null = null;
  #followed: SessionSource | null = null;
  #unfollow: (() => void) | null = null;
  /** The call was broken off by something other than a newer one, or could not begin yet. */
  #interrupted = false;
  /** The call was broken off for the viewer: nothing but they, or something else to ask for, begins it again. */
  #stopped = false;
  #startedAt = 0;
  #identities = 0;
  /** How often the session has become ready. */
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

  /** Where the loading stands. */
  get state(): LoadState<T> {
    const value = this.#isCurrent() ? (this.#loaded?.value ?? null) : null;
    if (this.#stopped) return { status: 'stopped', value };
    switch (this.#task.status) {
      case TaskStatus.PENDING:
        return { status: 'loading', value: value ?? this.#standing() };
      case TaskStatus.ERROR:
        return { status: 'failed', problem: this.#problem ?? toProblem(null) };
      case TaskStatus.COMPLETE:
        return value === null ? { status: 'waiting' } : { status: 'ready', value };
      default:
        return this.#interrupted ? { status: 'loading', value: value ?? this.#standing() } : { status: 'waiting' };
    }
  }

  /** When the call that is under way began, by `performance.now()`; null while there is none. */
  get runningSince(): number | null {
    return this.#task.status === TaskStatus.PENDING && !this.#stopped ? this.#startedAt : null;
  }

  /** Loads again what is asked for now. */
  async reload(): Promise<void> {
    await this.#task.run();
  }

  /** Calls off what is under way, until `reload()` or something else is asked for. */
  stop(): void {
    if (this.runningSince === null) return;
    this.#stopped = true;
    this.#task.abort();
    this.#host.requestUpdate();
  }

  /** Resolves when what is asked for is there, has failed or was stopped, or the host has left the page. */
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
    // An element that is only moved is connected again before this runs.
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
    // @lit/task reads this marker as "not run"; its type says nothing of the task's own.
    const notRun = initialState as T;
    const isAsked = source !== null && key !== null;
    this.#interrupted = isAsked && (source.status === SessionStatus.ended || !this.#host.isConnected);
    if (!isAsked || this.#interrupted) return notRun;
    const identity = this.#identities;
    const times = this.#timesReady;
    try {
      const value = await this.#options.load(source, key, signal);
      if (!signal.aborted && identity === this.#identities) this.#loaded = { source, key, value };
      return value;
    } catch (error) {
      if (signal.aborted) return notRun;
      if (!(error instanceof PaAbortError)) throw error;
      this.#interrupted = true;
      // The session may be ready again before it is told here that it broke this off.
      if (times !== this.#timesReady) this.#recover();
      return notRun;
    }
  }

  #isCurrent(): boolean {
    const loaded = this.#loaded;
    return loaded !== null && loaded.source === this.#options.source() && loaded.key === this.#options.key();
  }

  /** What was loaded for another key and may stay for the time being. */
  #standing(): T | null {
    const { source, key, stands } = this.#options;
    const [loaded, asked] = [this.#loaded, key()];
    if (loaded === null || asked === null || loaded.source !== source()) return null;
    return stands?.(loaded.key, asked) ? loaded.value : null;
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
    this.#unfollow =
      source?.subscribe(event => {
        if (event.type === 'identity') this.#forget();
        // The session renews its own token; what failed for want of a network is for whoever asked to ask again.
        const isOnline = event.type === 'wake' && this.#problem?.kind === ProblemKind.offline;
        const isReady = event.type === 'status' && event.status === SessionStatus.ready;
        if (isReady) this.#timesReady += 1;
        if (isOnline || isReady) this.#recover();
      }) ?? null;
  }

  /** What was shown belongs to somebody else. Runs with the next update, if the host is still there by then. */
  #forget(): void {
    this.#loaded = null;
    this.#problem = null;
    this.#identities += 1;
    this.#host.requestUpdate();
  }

  /** There is a session or a network after there was none: what failed or was broken off without it runs now. */
  #recover(): void {
    if (this.#interrupted || this.#problem) void this.reload();
  }
}
