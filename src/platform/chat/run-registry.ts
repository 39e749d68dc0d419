import { FinishReason } from '../../contract/chat.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { pause } from '../runtime/retry.js';
import type { ChatLimits } from './chat-limits.js';
import { type ReadableRun, Run } from './run.js';
import { renewLeases } from './turn-store.js';

const suspended = { reason: FinishReason.suspended, error: null } as const;

/** Dependencies of a run registry. */
export interface RunRegistryOptions {
  readonly db: Db;
  readonly limits: ChatLimits;
  readonly leaseOwner: string;
  readonly onFailure: (error: unknown) => void;
}

interface EndedRun {
  readonly run: ReadableRun;
  readonly size: number;
  readonly until: number;
}

/** The runs of this process. Renews their leases and caches ended runs for a short time. */
export class RunRegistry {
  readonly #options: RunRegistryOptions;
  /** Active runs by the id of their turn. */
  readonly #active = new Map<number, Run>();
  readonly #ended = new Map<number, EndedRun>();
  readonly #timer: NodeJS.Timeout;
  #endedSize = 0;
  #reserved = 0;
  #isRenewing = false;
  #isClosed = false;

  constructor(options: RunRegistryOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#tick(), options.limits.renewEvery).unref();
  }

  /** Returns the active run of a turn. */
  findActive(turnId: number): Run | undefined {
    return this.#active.get(turnId);
  }

  /** Returns the recently ended run of a turn. */
  findEnded(turnId: number): ReadableRun | undefined {
    return this.#ended.get(turnId)?.run;
  }

  /** Returns the active run of a thread. */
  ofThread(threadId: string): Run | undefined {
    return [...this.#active.values()].find(({ turn }) => turn.threadId === threadId);
  }

  /**
   * Starts a run unless the process has too many.
   * @param begin - acquires the lease. If it throws, the run is not counted.
   * @throws PlatformError 429 if there are too many runs, 503 after `close`.
   */
  async start<T>(begin: () => Promise<T>, run: (begun: T) => Run | null): Promise<Run | null> {
    if (this.#isClosed)
      throw new PlatformError(503, 'The service is shutting down. Send the message again in a moment.');
    if (this.#active.size + this.#reserved >= this.#options.limits.processRuns) {
      throw new PlatformError(429, 'Too many answers are being generated. Try again in a moment.');
    }
    this.#reserved += 1;
    try {
      const started = run(await begin());
      if (started) this.#add(started);
      return started;
    } finally {
      this.#reserved -= 1;
    }
  }

  /** Suspends every run at its next step, or immediately after most of the given time has passed. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    for (const run of this.#active.values()) run.suspendAtNextStep();
    // Runs that have not reached their next step after 75 % of the time are stopped. The remaining time is for storing
    // their state.
    await this.#allEnded(withinMs * 0.75);
    for (const run of this.#active.values()) run.stop(suspended);
    await this.#allEnded(withinMs * 0.25);
    clearInterval(this.#timer);
    this.#ended.clear();
  }

  async #allEnded(withinMs: number): Promise<void> {
    const timeUp = new AbortController();
    const ended = Promise.all([...this.#active.values()].map(run => run.ended));
    await Promise.race([ended, pause(withinMs, { signal: timeUp.signal })]);
    timeUp.abort();
  }

  #add(run: Run): void {
    this.#active.set(run.turn.id, run);
    void run.ended.then(() => this.#retire(run));
    // The run acquired its lease while `close` was in progress.
    if (this.#isClosed) run.stop(suspended);
  }

  #retire(run: Run): void {
    const { turn, log, endReason } = run;
    const { id } = turn;
    if (this.#active.get(id) === run) this.#active.delete(id);
    if (this.#isClosed) return;
    this.#remove(id);
    const { size } = log;
    // Caches only this part of the run, because the run itself references everything that it has used.
    this.#ended.set(id, { run: { turn, log, endReason }, size, until: Date.now() + this.#options.limits.lingerTime });
    this.#endedSize += size;
    for (const oldest of this.#ended.keys()) {
      if (this.#endedSize <= this.#options.limits.lingerCharacters) return;
      this.#remove(oldest);
    }
  }

  #remove(turnId: number): void {
    this.#endedSize -= this.#ended.get(turnId)?.size ?? 0;
    this.#ended.delete(turnId);
  }

  async #tick(): Promise<void> {
    for (const [id, { until }] of this.#ended) if (until < Date.now()) this.#remove(id);
    if (this.#isRenewing || this.#active.size === 0) return;
    this.#isRenewing = true;
    try {
      await this.#renew();
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.#isRenewing = false;
    }
  }

  async #renew(): Promise<void> {
    const { db, leaseOwner, limits } = this.#options;
    const runs = [...this.#active.values()];
    const ids = runs.map(({ turn }) => turn.id);
    const renewed = await renewLeases(db, ids, { owner: leaseOwner, milliseconds: limits.leaseTime });
    for (const run of runs) {
      const lease = renewed.find(({ id, attempt }) => id === run.turn.id && attempt === run.turn.attempt);
      if (!lease) run.stop(Run.lost);
      else if (lease.abortRequested) run.stop({ reason: FinishReason.aborted, error: null });
    }
  }
}
