import type { ChatFrame, ChatImage } from '../../contract/chat.js';
import { ChatEndCode, FrameId } from '../../contract/chat-terms.js';
import { isTransient, PaAbortError, PaError, PaErrorCode } from '../errors.js';
import { backOff, pause, untilAborted } from '../http/fetch.js';
import type { ChatService, StreamAsk } from './chat-service.js';
import type { StreamKind } from './reduce.js';

const firstRetryMs = 500;
const maxRetryMs = 15_000;
/** Attempts in a row without a frame; `wake()` begins to count anew. */
const maxFailures = 40;
/** Answers in place of a stream, before the service has taken the message. */
const maxRefusals = 5;
/** From here on a reconnection is called offline. */
const offlineAfter = 3;
/** Streams of one run, whatever becomes of them. */
const maxStreams = 500;
/** Longest that a suspended answer is waited for. */
const maxSuspendedMs = 5 * 60_000;
/** Longest that a service may ask to wait. */
const maxWaitMs = 60_000;
/** After a silence of this length a tab that wakes up takes its stream for lost: heartbeats come more often, but are not frames. */
const silentMs = 30_000;
/** Longest that the end of a stopped answer is waited for. */
const maxStopMs = 5000;
const readAttempts = 4;

/** Where a run stands, seen from here. `offline` is a reconnection that has failed several times and goes on. */
export type RunStatus = 'connecting' | 'streaming' | 'reconnecting' | 'suspended' | 'offline';

/** What a run tells. */
export interface RunObserver {
  /** A stream begins: `StreamReducer.open` wants to know. */
  onOpen(kind: StreamKind, messageId: string | null): void;
  /** Frames in order: `StreamReducer.push` takes them. */
  onFrames(frames: readonly ChatFrame[]): void;
  onStatus(status: RunStatus): void;
}

/** A message to send; without `input` one to join or resume. */
export interface TurnAsk {
  /** Null in a new thread. */
  readonly chatId: string | null;
  readonly messageId: string;
  readonly input: string | null;
  readonly images?: readonly ChatImage[];
}

/** A turn under way. */
export interface TurnRun {
  /**
   * Resolves at the end of the answer, however it ended, and when it rests as suspended (the last status). Rejects with PaAbortError for
   * the signal, else with what can't be mended by trying again.
   */
  readonly done: Promise<void>;
  /** The tab came to the foreground or the network is back: tries at once what it waits for. */
  wake(): void;
  /**
   * Has the service stop the run; the stream then ends by itself, or is left after 5 s. Rejects where the service could not be told:
   * then the run goes on.
   */
  stop(): Promise<void>;
}

/** Sends a message, or joins one, and stays with it through lost connections and restarts of the service until its answer ends. */
export function runTurn(service: ChatService, ask: TurnAsk, observer: RunObserver, signal?: AbortSignal): TurnRun {
  return new Run(service, ask, observer, signal);
}

/** Joins or resumes the answer to a message of a thread. */
export function joinTurn(
  service: ChatService,
  ask: { readonly chatId: string; readonly messageId: string },
  observer: RunObserver,
  signal?: AbortSignal,
): TurnRun {
  return runTurn(service, { ...ask, input: null }, observer, signal);
}

/**
 * Reads a thread back. Where an answer is under way afterwards (`Conversation.isStreaming`), `joinTurn` follows it.
 * @throws PaError
 */
export async function readThread(
  service: ChatService,
  chatId: string,
  observer: RunObserver,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    observer.onStatus(attempt === 0 ? 'connecting' : 'reconnecting');
    try {
      return await readOnce(service, chatId, observer, signal);
    } catch (error) {
      if (!isTransient(error) || attempt + 1 >= readAttempts) throw error;
      await pause(backOff(attempt, firstRetryMs, maxRetryMs), signal);
    }
  }
}

async function readOnce(
  service: ChatService,
  chatId: string,
  observer: RunObserver,
  signal: AbortSignal | undefined,
): Promise<void> {
  let refusal: string | undefined;
  let isTold = false;
  await service.stream(
    { chatId },
    {
      signal,
      onOpen: () => observer.onOpen('replay', null),
      onFrame: frame => {
        isTold ||= frame.id === FrameId.cutoff;
        refusal ??= frame.error;
        observer.onFrames([frame]);
      },
    },
  );
  // An error line in the place of the thread belongs to no turn of it.
  if (!isTold && refusal !== undefined) throw new PaError(PaErrorCode.serverFailed, refusal);
}

/** An id for a new message: the time, but always after `last`, whatever the clock does. */
export function newMessageId(last: string | null): string {
  const before = Number(last?.split('-')[0]);
  return `${Math.max(Date.now(), Number.isSafeInteger(before) ? before + 1 : 0)}-message`;
}

class Run {
  readonly done: Promise<void>;
  readonly #service: ChatService;
  readonly #ask: TurnAsk;
  readonly #observer: RunObserver;
  readonly #life = new AbortController();
  /** Aborted to end what is waited for: a pause, or a stream that has fallen silent. */
  #wait = new AbortController();
  #isPausing = false;
  #chatId: string | null;
  #lastEventId: string | undefined;
  /** The service has taken the message: it need not be sent again. */
  #isTaken: boolean;
  /** The service runs it, as far as we know. */
  #isRunning: boolean;
  #isSuspended = false;
  #isStopping = false;
  /** The service said how the answer ended. */
  #hasEnd = false;
  #hasLeft = false;
  #failures = 0;
  #refusals = 0;
  #suspensions = 0;
  #suspendedMs = 0;
  #heardAt = 0;
  #tellRunning: (() => void) | null = null;

  constructor(service: ChatService, ask: TurnAsk, observer: RunObserver, signal: AbortSignal | undefined) {
    this.#service = service;
    this.#ask = ask;
    this.#observer = observer;
    this.#chatId = ask.chatId;
    this.#isTaken = ask.input === null;
    this.#isRunning = this.#isTaken;
    const leave = (): void => this.#life.abort();
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    this.done = this.#follow().finally(() => {
      signal?.removeEventListener('abort', leave);
      this.#life.abort();
    });
  }

  wake(): void {
    this.#failures = 0;
    if (this.#isPausing || Date.now() - this.#heardAt > silentMs) this.#wait.abort();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    try {
      await this.#stop();
    } catch (error) {
      this.#isStopping = false;
      throw error;
    }
  }

  async #stop(): Promise<void> {
    // What is to be sent once more is not sent again.
    const isUnsent = !this.#isTaken && this.#isPausing;
    if (!isUnsent) await this.#untilRunning();
    if (this.#life.signal.aborted) return;
    if (this.#chatId !== null) await this.#abort(this.#chatId);
    if (this.#life.signal.aborted) return;
    if (isUnsent) return this.#leave();
    this.wake();
    await Promise.race([this.done, pause(maxStopMs, this.#life.signal)]).catch(() => {});
    if (!this.#life.signal.aborted) this.#leave();
  }

  async #follow(): Promise<void> {
    for (let count = 0; count < maxStreams; count += 1) {
      this.#tellStatus(count);
      try {
        await this.#stream();
        if (!this.#isSuspended) {
          // Not every service says that it stopped: without a word of the service, the viewer's own decides.
          if (this.#isStopping && !this.#hasEnd) this.#tellAborted();
          return;
        }
        if (this.#suspendedMs >= maxSuspendedMs) break;
        this.#suspensions += 1;
        await this.#pause(null);
      } catch (error) {
        if (this.#hasLeft) return;
        if (this.#life.signal.aborted) throw new PaAbortError();
        await this.#pause(this.#reasonToRetry(error));
      }
      if (this.#hasLeft) return;
    }
    this.#observer.onStatus('suspended');
  }

  #tellStatus(count: number): void {
    if (count === 0) this.#observer.onStatus('connecting');
    else if (this.#isSuspended) this.#observer.onStatus('suspended');
    else this.#observer.onStatus(this.#failures >= offlineAfter ? 'offline' : 'reconnecting');
  }

  async #stream(): Promise<void> {
    this.#wait = new AbortController();
    const { signal } = this.#wait;
    const end = (): void => this.#wait.abort();
    this.#life.signal.addEventListener('abort', end, { once: true });
    this.#heardAt = Date.now();
    try {
      const onOpen = (): void => this.#open();
      const onFrame = (frame: ChatFrame, eventId: string | null): void => {
        if (!signal.aborted) this.#read(frame, eventId);
      };
      await untilAborted(this.#service.stream(this.#streamAsk(), { signal, onOpen, onFrame }), signal);
    } finally {
      this.#life.signal.removeEventListener('abort', end);
    }
  }

  #streamAsk(): StreamAsk {
    const { messageId, input, images } = this.#ask;
    return {
      messageId,
      chatId: this.#chatId ?? undefined,
      lastEventId: this.#lastEventId,
      ...(this.#isTaken || input === null ? {} : { input, images }),
    };
  }

  #open(): void {
    this.#isSuspended = false;
    this.#heardAt = Date.now();
    this.#observer.onOpen(this.#lastEventId === undefined ? 'replay' : 'continue', this.#ask.messageId);
    this.#observer.onStatus('streaming');
  }

  #read(frame: ChatFrame, eventId: string | null): void {
    // What every stream begins with is no sign that this one goes on.
    if (frame.id !== FrameId.cutoff && frame.id !== this.#ask.messageId) this.#failures = 0;
    this.#heardAt = Date.now();
    this.#lastEventId = eventId ?? this.#lastEventId;
    this.#hasEnd ||= frame.finishReason !== undefined || frame.error !== undefined || frame.id === FrameId.aborted;
    if (frame.id === FrameId.cutoff) {
      this.#chatId ??= frame.state?.chatId ?? null;
      // What came before is the thread's past.
      this.#hasEnd = false;
    } else if (frame.id === FrameId.suspended) {
      this.#isSuspended = true;
      // Another process goes on, from the last step: it numbers its frames anew.
      this.#lastEventId = undefined;
    }
    if (frame.id === this.#ask.messageId && this.#chatId !== null) this.#isTaken = true;
    this.#isRunning = this.#chatId !== null;
    if (this.#isRunning) this.#tellRunning?.();
    this.#observer.onFrames([frame]);
  }

  /** How long the service asks to wait, where trying again may help; else throws. */
  #reasonToRetry(error: unknown): number | null {
    // A stream that a waking tab has given up.
    if (error instanceof PaAbortError && this.#wait.signal.aborted) return null;
    this.#failures += 1;
    if (error instanceof PaError && error.status !== null && !this.#isTaken) this.#refusals += 1;
    const retryAfterMs = error instanceof PaError ? error.retryAfterMs : null;
    const isEnough = this.#failures >= maxFailures || this.#refusals >= maxRefusals;
    if (isEnough || !isTransient(error) || (retryAfterMs ?? 0) > maxWaitMs) throw error;
    return retryAfterMs;
  }

  async #pause(askedMs: number | null): Promise<void> {
    this.#tellStatus(1);
    const attempt = this.#isSuspended ? this.#suspensions : this.#failures;
    const ms = Math.max(askedMs ?? 0, backOff(attempt, firstRetryMs, maxRetryMs));
    if (this.#isSuspended) this.#suspendedMs += ms;
    this.#wait = new AbortController();
    const end = (): void => this.#wait.abort();
    this.#life.signal.addEventListener('abort', end, { once: true });
    this.#isPausing = true;
    await pause(ms, this.#wait.signal).catch(() => {});
    this.#isPausing = false;
    this.#life.signal.removeEventListener('abort', end);
    if (this.#life.signal.aborted && !this.#hasLeft) throw new PaAbortError();
  }

  /** Before its first frame there is nothing to be stopped, and a new thread has no id; a service that tells none is not waited for. */
  async #untilRunning(): Promise<void> {
    if (this.#isRunning) return;
    const told = new Promise<void>(resolve => {
      this.#tellRunning = resolve;
    });
    await Promise.race([told, pause(maxStopMs, this.#life.signal)]).catch(() => {});
  }

  async #abort(chatId: string): Promise<void> {
    try {
      await this.#service.abort(chatId);
    } catch (error) {
      // Nothing runs there.
      if (!(error instanceof PaError && error.status === 404)) throw error;
    }
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#tellAborted();
    this.#life.abort();
  }

  #tellAborted(): void {
    this.#observer.onFrames([{ id: FrameId.aborted, type: 'abort', code: ChatEndCode.aborted }]);
  }
}
