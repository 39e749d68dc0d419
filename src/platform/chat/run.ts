import { setImmediate } from 'node:timers/promises';
import { type ChatContext, type ChatFrame, type ChatUsage, FinishReason } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Agent, AgentContext, AgentDashboard, AgentEvent, AgentTurn } from '../agent/agent.js';
import { withDashboardTools } from '../agent/tools/create-tools.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import type { AgentSemaphore } from './agent-semaphore.js';
import type { ChatLimits } from './chat-limits.js';
import type { ChatCaller } from './chat-service.js';
import { FrameLog } from './frame-log.js';
import { echoFrame, endFrames, maxTurnMessages, stateFrame, type TurnEnd } from './frames.js';
import { loadHistory, pastTurn } from './history.js';
import { messagesAfter, storeResult, storeStep } from './message-store.js';
import { TurnFrames } from './turn-frames.js';
import { findContext, findImages, findState, type Lease, type StoredTurn } from './turn-store.js';

/** Dependencies of a run. */
export interface RunOptions {
  readonly db: Db;
  readonly limits: ChatLimits;
  readonly now: () => Date;
  readonly onFailure: (error: unknown) => void;
  readonly turn: StoredTurn;
  /** Name of the lease owner. */
  readonly leaseOwner: string;
  readonly caller: Pick<ChatCaller, 'timezone' | 'locale' | 'agent'>;
  readonly agent: Agent;
  /** Determines when the agent may start. */
  readonly agentTurns: AgentSemaphore;
  readonly context: Omit<AgentContext, 'signal'> & {
    /** Opens the tools of other services, and closes them with the signal. */
    readonly openRemoteTools?: (signal: AbortSignal) => Promise<AgentContext['tools']>;
  };
  /**
   * Returns the dashboard that a message is about.
   * @throws PlatformError 404 if the caller may not read it.
   */
  readonly dashboardOf: (context: ChatContext) => Promise<AgentDashboard>;
}

/** Result if another process holds the lease. The run must then not store or report anything else. */
const lost = Symbol('lost');

/** The end of a run. */
export type RunEnd = TurnEnd | typeof lost;

/**
 * Offset between the log positions of two attempts. Larger than the number of entries of a log, so that positions of a
 * later attempt are always larger.
 */
const attemptSpan = 1_000_000_000;
/** Number of events after which a run yields to other work, in case its agent never waits. */
const eventsAtOnce = 64;

/** The parts of a run that readers need, even after it has ended. */
export type ReadableRun = Pick<Run, 'turn' | 'log' | 'endReason'>;

/**
 * One attempt at a turn, from the lease to its end, regardless of readers. It ends by itself or by `stop`; `ended`
 * resolves in both cases.
 */
export class Run {
  static readonly lost: typeof lost = lost;
  readonly turn: StoredTurn;
  readonly log: FrameLog;
  readonly ended: Promise<void>;
  readonly #options: RunOptions;
  readonly #lease: Lease;
  readonly #frames: TurnFrames;
  readonly #aborter = new AbortController();
  #stopped: RunEnd | null = null;
  #endReason: FinishReason | null = null;
  #onStop: () => void = () => {};
  #mustSuspend = false;
  #isWorking = false;
  #history: AgentTurn['history'] = [];
  /** Usage of the whole turn, as reported by the agent. */
  #usage: ChatUsage | null;
  #outputCharacters = 0;
  #toolCharacters = 0;
  #steps = 0;

  constructor(options: RunOptions) {
    const { limits, turn, leaseOwner, now } = options;
    this.#options = options;
    this.turn = turn;
    this.#usage = turn.usage;
    this.#lease = { id: turn.id, ownerKey: turn.ownerKey, attempt: turn.attempt, leaseOwner };
    this.log = new FrameLog({ ...limits, start: turn.attempt * attemptSpan });
    this.#frames = new TurnFrames(turn, { now, emit: frame => this.log.append(frame) });
    this.log.append(echoFrame(turn));
    this.ended = this.#execute();
  }

  /** The finish reason in the log; `null` until the log contains the end. */
  get endReason(): FinishReason | null {
    return this.#endReason;
  }

  /** Aborts the run. Later calls do not change the reason. */
  stop(end: RunEnd): void {
    this.#stopped ??= end;
    this.#aborter.abort();
    this.#onStop();
  }

  /** Suspends the run after its next stored step, or immediately if its agent has not started. */
  suspendAtNextStep(): void {
    this.#mustSuspend = true;
    if (!this.#isWorking) this.stop({ reason: FinishReason.suspended, error: null });
  }

  async #execute(): Promise<void> {
    try {
      const end = await this.#takeTurn().catch(error => this.#endAsFailed(error));
      this.#aborter.abort();
      if (end !== lost) await this.#end(end);
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.log.end();
    }
  }

  async #takeTurn(): Promise<RunEnd> {
    const { agentTurns, limits } = this.#options;
    const endTurn = await agentTurns.take(this.#aborter.signal);
    if (!endTurn) return this.#stopped ?? lost;
    this.#isWorking = true;
    const tooLong = { reason: FinishReason.length, error: 'The answer was cut off because it took too long.' } as const;
    const timer = setTimeout(() => this.stop(tooLong), limits.runTime).unref();
    try {
      return await this.#answer();
    } finally {
      clearTimeout(timer);
      endTurn();
    }
  }

  #endAsFailed(error: unknown): RunEnd {
    // After an abort, an agent may throw any error.
    if (this.#stopped) return this.#stopped;
    // The error was caused by the caller, which referred to something that it may not read.
    const isCallers = error instanceof PlatformError && error.status === 404;
    if (!isCallers) this.#options.onFailure(error);
    const message = error instanceof PlatformError ? error.message : 'The answer failed. Send the message again.';
    return { reason: FinishReason.failed, error: message };
  }

  async #answer(): Promise<RunEnd> {
    const { agent, context } = this.#options;
    const { signal } = this.#aborter;
    const [turn, remote] = await Promise.all([this.#prepare(), context.openRemoteTools?.(signal)]);
    if (this.#stopped) return this.#stopped;
    const own = withDashboardTools(context.tools, turn.dashboard);
    const tools = remote ? new Map([...own, ...remote]) : own;
    const events = agent.run(turn, { data: context.data, tools, signal })[Symbol.asyncIterator]();
    try {
      for (let count = 1; ; count += 1) {
        const next = await this.#next(events);
        if (this.#stopped) return this.#stopped;
        if (!next || next.done) throw new Error('The agent ended without a finish event.');
        const end = (await this.#take(next.value)) ?? this.#stopped ?? this.#endIfExceeded();
        if (end) return end;
        if (count % eventsAtOnce === 0) await setImmediate();
      }
    } finally {
      // Do not wait for the agent, because an agent that ignores the signal may never return.
      events.return?.().catch(() => undefined);
    }
  }

  async #prepare(): Promise<AgentTurn> {
    const { db, caller, limits, now, dashboardOf } = this.#options;
    const { turn } = this;
    const isFirst = turn.attempt === 1;
    this.#history = await loadHistory(db, turn, limits);
    for (const { position, frame } of isFirst ? [] : await messagesAfter(db, turn, 0)) {
      this.log.append(frame);
      this.#frames.skipTo(position);
    }
    const about = turn.hasContext ? await findContext(db, turn) : null;
    return {
      history: this.#history,
      dashboard: about && (await dashboardOf(about)),
      input: turn.input,
      images: turn.hasImages ? await findImages(db, turn) : [],
      now: now(),
      timezone: caller.timezone,
      locale: caller.locale,
      ...(caller.agent.instructions !== null && { instructions: caller.agent.instructions }),
      ...(caller.agent.model !== null && { model: caller.agent.model }),
      resumeFrom: isFirst ? null : await findState(db, turn),
    };
  }

  /**
   * Returns the agent's next event; `null` if the run is stopped first. Adds no abort listener, because listeners would
   * accumulate with the events.
   */
  #next(events: AsyncIterator<AgentEvent>): Promise<IteratorResult<AgentEvent> | null> {
    return new Promise((resolve, reject) => {
      this.#onStop = () => resolve(null);
      events.next().then(resolve, reject);
      if (this.#stopped) resolve(null);
    });
  }

  async #take(event: AgentEvent): Promise<RunEnd | null> {
    const frames = this.#frames;
    switch (event.type) {
      case 'text':
      case 'thinking':
        this.#piece(event.id, event.type, event.delta);
        return null;
      case 'text-end':
        frames.endText(event.id, { isFinal: event.final });
        return null;
      case 'tool-call':
        frames.call(event.id, event.name, this.#jsonOf(event.input));
        return null;
      case 'tool-result':
        frames.result(event.id, this.#jsonOf(event.result));
        return null;
      case 'step':
        return this.#step(event.state);
      case 'usage':
        this.#usage = event.usage;
        return null;
      case 'finish':
        return { reason: event.reason, error: event.reason === 'stop' ? null : (event.message ?? null) };
    }
  }

  #piece(id: string, kind: 'text' | 'thinking', piece: string): void {
    const fitting = piece.slice(0, Math.max(0, this.#options.limits.outputCharacters - this.#outputCharacters));
    // An empty delta counts as one character, so that an agent that never writes text reaches the limit.
    this.#outputCharacters += Math.max(1, piece.length);
    if (fitting !== '') this.#frames.piece(id, kind, fitting);
  }

  #jsonOf(value: unknown): string {
    const json = JSON.stringify(value) ?? 'null';
    this.#toolCharacters += json.length;
    return this.#toolCharacters > this.#options.limits.toolCharacters ? '{"error":"The result was too large."}' : json;
  }

  async #step(state: JsonObject): Promise<RunEnd | null> {
    const { db, onFailure } = this.#options;
    this.#frames.close();
    const step = { state, messages: this.#frames.unstored, usage: this.#usage };
    try {
      if (!(await storeStep(db, this.#lease, step))) return lost;
      this.#frames.markStored();
    } catch (error) {
      // The failure is not fatal, because the next step also stores these messages.
      onFailure(error);
    }
    this.#steps += 1;
    return this.#mustSuspend ? { reason: FinishReason.suspended, error: null } : null;
  }

  #endIfExceeded(): RunEnd | null {
    const { limits } = this.#options;
    const isOver =
      this.#outputCharacters > limits.outputCharacters ||
      this.#toolCharacters > limits.toolCharacters ||
      this.#steps > limits.steps ||
      this.#frames.places >= maxTurnMessages;
    return isOver ? { reason: FinishReason.length, error: 'The answer was cut off because it became too long.' } : null;
  }

  /**
   * Stores the end before it is added to the log, so that a reader can send the next message as soon as it receives the
   * end.
   */
  async #end(end: TurnEnd): Promise<void> {
    this.#frames.close();
    const usage = this.#usage;
    const stored = await this.#store(end, usage);
    if (!stored) return;
    this.#frames.finish(stored.reason);
    const answered = pastTurn(this.turn.input, this.log.snapshot());
    const last: readonly ChatFrame[] = endFrames(this.turn, stored, usage);
    for (const frame of [stateFrame(this.turn, [...this.#history, answered]), ...last]) this.log.append(frame);
    this.#endReason = stored.reason;
  }

  async #store(end: TurnEnd, usage: ChatUsage | null): Promise<TurnEnd | null> {
    const { db, onFailure } = this.#options;
    // A suspended turn resumes after its last stored step, so that everything after this step is repeated.
    const messages = end.reason === FinishReason.suspended ? [] : this.#frames.unstored;
    try {
      return (await storeResult(db, this.#lease, { ...end, messages, usage })) ? end : null;
    } catch (error) {
      onFailure(error);
      // Reports `suspended`, which matches the database, because the lease expires soon and the turn can then be
      // resumed.
      return { reason: FinishReason.suspended, error: null };
    }
  }
}
