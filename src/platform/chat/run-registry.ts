import { setTimeout as wait } from 'node:timers/promises';
import { FinishReason } from '../../contract/chat.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import type { ChatLimits } from './chat-limits.js';
import { type ReadableRun, Run } from './run.js';
import { renewLeases } from './turn-store.js';

const suspended = { reason: FinishReason.suspended, error: null } as const;

/** What a registry needs. */
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

/** The runs of this process: keeps their leases, and those that have ended for a short while. */
export class RunRegistry {
  readonly #options: RunRegistryOptions;
  /** By the id of the turn. */
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

  /** The run that answers a turn. */
  active(turnId: number): Run | undefined {
    return this.#active.get(turnId);
  }

  /** The run that has answered a turn, or given it up, a short while ago. */
  ended(turnId: number): ReadableRun | undefined {
    return this.#ended.get(turnId)?.run;
  }

  /** The run of a thread. */
  ofThread(threadId: string): Run | undefined {
    return [...this.#active.values()].find(({ turn }) => turn.threadId === threadId);
  }

  /**
   * Begins a run if there is room for one.
   * @param begin - takes the lease; what it throws leaves the room free.
   * @throws PlatformError 429 with too many runs, 503 once closed.
   */
  async start<T>(begin: () => Promise<T>, run: (begun: T) => Run | null): Promise<Run | null> {
    if (this.#isClosed) throw new PlatformError(503, 'The service is going down: send the message again in a moment.');
    if (this.#active.size + this.#reserved >= this.#options.limits.processRuns) {
      throw new PlatformError(429, 'Too many answers are being written: try again in a moment.');
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

  /** Suspends every run: at its next step, or where it stands when the time is nearly up. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    for (const run of this.#active.values()) run.suspendAtNextStep();
    // A quarter of the time is left for those to be stored that make no step.
    await this.#allEnded(withinMs * 0.75);
    for (const run of this.#active.values()) run.stop(suspended);
    await this.#allEnded(withinMs * 0.25);
    clearInterval(this.#timer);
    this.#ended.clear();
  }

  async #allEnded(withinMs: number): Promise<void> {
    const timeUp = new AbortController();
    const ended = Promise.all([...this.#active.values()].map(run => run.ended));
    await Promise.race([ended, wait(withinMs, undefined, { signal: timeUp.signal }).catch(() => undefined)]);
    timeUp.abort();
  }

  #add(run: Run): void {
    this.#active.set(run.turn.id, run);
    void run.ended.then(() => this.#retire(run));
    // It took its lease while the service was closed.
    if (this.#isClosed) run.stop(suspended);
  }

  #retire(run: Run): void {
    const { turn, log, told } = run;
    const { id } = turn;
    if (this.#active.get(id) === run) this.#active.delete(id);
    if (this.#isClosed) return;
    this.#forget(id);
    const { size } = log;
    // Not the run itself: it holds whatever it has worked with.
    this.#ended.set(id, { run: { turn, log, told }, size, until: Date.now() + this.#options.limits.lingerTime });
    this.#endedSize += size;
    for (const oldest of this.#ended.keys()) {
      if (this.#endedSize <= this.#options.limits.lingerCharacters) return;
      this.#forget(oldest);
    }
  }

  #forget(turnId: number): void {
    this.#endedSize -= this.#ended.get(turnId)?.size ?? 0;
    this.#ended.delete(turnId);
  }

  async #tick(): Promise<void> {
    for (const [id, { until }] of this.#ended) if (until < Date.now()) this.#forget(id);
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
