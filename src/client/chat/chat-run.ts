import type { ChatContext, ChatFrame, ChatImage } from '../../contract/chat.js';
import { ChatEndCode, FrameId } from '../../contract/chat-terms.js';
import { isTransient, PaAbortError, PaError, PaErrorCode } from '../errors.js';
import { untilAborted } from '../http/fetch.js';
import { backOff, pause, retry } from '../http/retry.js';
import type { ChatService, StreamAsk } from './chat-service.js';
import type { StreamKind } from './reduce.js';

const firstRetryMs = 500;
const maxRetryMs = 15_000;
/** Maximum number of consecutive attempts without a frame; `wake()` resets the count. */
const maxFailures = 40;
/** Maximum number of error responses before the service has accepted the message. */
const maxRefusals = 5;
/** Number of consecutive failures after which the status is `offline` instead of `reconnecting`. */
const offlineAfter = 3;
/** Maximum number of streams of one run, successful or not. */
const maxStreams = 500;
/** Maximum time to wait for a suspended answer to resume, in ms. */
const maxSuspendedMs = 5 * 60_000;
/** Maximum `Retry-After` that is honored, in ms. */
const maxWaitMs = 60_000;
/**
 * Time without a frame, in ms, after which a tab that wakes up considers its stream lost. Heartbeats are sent more
 * often, but are not frames.
 */
const silentMs = 30_000;
/** Maximum time to wait for a stopped answer to end, in ms. */
const maxStopMs = 5000;
const maxReadRetries = 3;

/**
 * Status of a run as the client sees it. `offline` means that several reconnection attempts have failed; the client
 * keeps trying.
 */
export type RunStatus = 'connecting' | 'streaming' | 'reconnecting' | 'suspended' | 'offline';

/** Callbacks for the progress of a run. */
export interface RunObserver {
  /** A stream was opened. Pass the arguments to `StreamReducer.open`. */
  onOpen(kind: StreamKind, messageId: string | null): void;
  /** Frames arrived, in order. Pass them to `StreamReducer.push`. */
  onFrames(frames: readonly ChatFrame[]): void;
  onStatus(status: RunStatus): void;
}

/** A message to send. If `input` is `null`, the answer to an existing message is joined or resumed. */
export interface TurnAsk {
  /** `null` for a new thread. */
  readonly chatId: string | null;
  readonly messageId: string;
  readonly input: string | null;
  readonly images?: readonly ChatImage[];
  /** The dashboard that the message is about. */
  readonly context?: ChatContext | null;
}

/** A turn in progress. */
export interface TurnRun {
  /**
   * Resolves when the answer ends for any reason, and when it is suspended and not resumed (the last status is
   * `suspended`). Rejects with PaAbortError if the signal is aborted, and with other errors that a retry cannot fix.
   */
  readonly done: Promise<void>;
  /** Retries pending work immediately. Call it when the tab comes to the foreground or the network is back. */
  wake(): void;
  /**
   * Stops the run on the service. The stream then ends, or is closed after 5 s. Rejects if the service could not be
   * reached; the run then continues.
   */
  stop(): Promise<void>;
}

/**
 * Sends a message, or joins an existing one. Reconnects after lost connections and service restarts until the answer
 * ends.
 */
export function runTurn(service: ChatService, ask: TurnAsk, observer: RunObserver, signal?: AbortSignal): TurnRun {
  return new Run(service, ask, observer, signal);
}

/** Joins or resumes the answer to an existing message. */
export function joinTurn(
  service: ChatService,
  ask: { readonly chatId: string; readonly messageId: string },
  observer: RunObserver,
  signal?: AbortSignal,
): TurnRun {
  return runTurn(service, { ...ask, input: null }, observer, signal);
}

/**
 * Reads an existing thread. If an answer is still in progress afterwards (`Conversation.isStreaming`), follow it with
 * `joinTurn`.
 * @throws {PaError}
 */
export async function readThread(
  service: ChatService,
  chatId: string,
  observer: RunObserver,
  signal?: AbortSignal,
): Promise<void> {
  const read = (failures: number): Promise<void> => {
    observer.onStatus(failures === 0 ? 'connecting' : 'reconnecting');
    return readOnce(service, chatId, observer, signal);
  };
  const pauseAfter = (error: unknown, failures: number): number | null =>
    isTransient(error) ? backOff(failures, firstRetryMs, maxRetryMs) : null;
  return retry(read, { maxRetries: maxReadRetries, pauseAfter, signal });
}

async function readOnce(
  service: ChatService,
  chatId: string,
  observer: RunObserver,
  signal: AbortSignal | undefined,
): Promise<void> {
  let refusal: string | undefined;
  let sawThread = false;
  await service.stream(
    { chatId },
    {
      signal,
      onOpen: () => observer.onOpen('replay', null),
      onFrame: frame => {
        sawThread ||= frame.id === FrameId.cutoff;
        refusal ??= frame.error;
        observer.onFrames([frame]);
      },
    },
  );
  // The service returned an error line instead of the thread, so the error belongs to none of its turns.
  if (!sawThread && refusal !== undefined) throw new PaError(PaErrorCode.serverFailed, refusal);
}

/** Returns an id for a new message: the current time, or a later one if the clock is behind the id `last`. */
export function newMessageId(last: string | null): string {
  const before = Number(last?.split('-')[0]);
  return `${Math.max(Date.now(), Number.isSafeInteger(before) ? before + 1 : 0)}-message`;
}

class Run {
  readonly done: Promise<void>;
  readonly #service: ChatService;
  readonly #ask: TurnAsk;
  readonly #observer: RunObserver;
  readonly #lifetime = new AbortController();
  /** Aborted to end a pause or a stream that has gone silent. */
  #wait = new AbortController();
  #isPausing = false;
  #chatId: string | null;
  #lastEventId: string | undefined;
  /** Whether the service has accepted the message. If so, the message must not be sent again. */
  #isAccepted: boolean;
  /** Whether the service runs the message, as far as the client knows. */
  #isRunning: boolean;
  #isSuspended = false;
  #isStopping = false;
  /** Whether the service has reported how the answer ended. */
  #hasEnd = false;
  #hasLeft = false;
  #failures = 0;
  #refusals = 0;
  #suspensions = 0;
  #suspendedMs = 0;
  #lastFrameAt = 0;
  #notifyRunning: (() => void) | null = null;

  constructor(service: ChatService, ask: TurnAsk, observer: RunObserver, signal: AbortSignal | undefined) {
    this.#service = service;
    this.#ask = ask;
    this.#observer = observer;
    this.#chatId = ask.chatId;
    this.#isAccepted = ask.input === null;
    this.#isRunning = this.#isAccepted;
    const abort = (): void => this.#lifetime.abort();
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    this.done = this.#follow().finally(() => {
      signal?.removeEventListener('abort', abort);
      this.#lifetime.abort();
    });
  }

  wake(): void {
    this.#failures = 0;
    if (this.#isPausing || Date.now() - this.#lastFrameAt > silentMs) this.#wait.abort();
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
    // While a retry is pending, the service does not have the message. Cancel the retry instead of waiting for the run.
    const isUnsent = !this.#isAccepted && this.#isPausing;
    if (!isUnsent) await this.#untilRunning();
    if (this.#lifetime.signal.aborted) return;
    if (this.#chatId !== null) await this.#abort(this.#chatId);
    if (this.#lifetime.signal.aborted) return;
    if (isUnsent) return this.#leave();
    this.wake();
    // `done` reports its error to the caller that started the run. Here, wait only for the end.
    await Promise.race([this.done, pause(maxStopMs, this.#lifetime.signal)]).catch(() => {});
    if (!this.#lifetime.signal.aborted) this.#leave();
  }

  async #follow(): Promise<void> {
    for (let count = 0; count < maxStreams; count += 1) {
      this.#emitStatus(count);
      try {
        await this.#stream();
        if (!this.#isSuspended) {
          // Some services do not report that they stopped the run. In that case, the viewer's stop ends the turn.
          if (this.#isStopping && !this.#hasEnd) this.#emitAborted();
          return;
        }
        if (this.#suspendedMs >= maxSuspendedMs) break;
        this.#suspensions += 1;
        await this.#pause(null);
      } catch (error) {
        if (this.#hasLeft) return;
        if (this.#lifetime.signal.aborted) throw new PaAbortError();
        await this.#pause(this.#retryDelay(error));
      }
      if (this.#hasLeft) return;
    }
    this.#observer.onStatus('suspended');
  }

  #emitStatus(count: number): void {
    if (count === 0) this.#observer.onStatus('connecting');
    else if (this.#isSuspended) this.#observer.onStatus('suspended');
    else this.#observer.onStatus(this.#failures >= offlineAfter ? 'offline' : 'reconnecting');
  }

  async #stream(): Promise<void> {
    this.#wait = new AbortController();
    const { signal } = this.#wait;
    const end = (): void => this.#wait.abort();
    this.#lifetime.signal.addEventListener('abort', end, { once: true });
    this.#lastFrameAt = Date.now();
    try {
      const onOpen = (): void => this.#open();
      const onFrame = (frame: ChatFrame, eventId: string | null): void => {
        if (!signal.aborted) this.#read(frame, eventId);
      };
      await untilAborted(this.#service.stream(this.#streamAsk(), { signal, onOpen, onFrame }), signal);
    } finally {
      this.#lifetime.signal.removeEventListener('abort', end);
    }
  }

  #streamAsk(): StreamAsk {
    const { messageId, input, images, context } = this.#ask;
    return {
      messageId,
      chatId: this.#chatId ?? undefined,
      lastEventId: this.#lastEventId,
      ...(this.#isAccepted || input === null ? {} : { input, images, ...(context && { context }) }),
    };
  }

  #open(): void {
    this.#isSuspended = false;
    this.#lastFrameAt = Date.now();
    this.#observer.onOpen(this.#lastEventId === undefined ? 'replay' : 'continue', this.#ask.messageId);
    this.#observer.onStatus('streaming');
  }

  #read(frame: ChatFrame, eventId: string | null): void {
    // Every stream begins with these frames, so they do not prove that this one works.
    if (frame.id !== FrameId.cutoff && frame.id !== this.#ask.messageId) this.#failures = 0;
    this.#lastFrameAt = Date.now();
    this.#lastEventId = eventId ?? this.#lastEventId;
    this.#hasEnd ||= frame.finishReason !== undefined || frame.error !== undefined || frame.id === FrameId.aborted;
    if (frame.id === FrameId.cutoff) {
      this.#chatId ??= frame.state?.chatId ?? null;
      // The frames before this one belong to earlier turns.
      this.#hasEnd = false;
    } else if (frame.id === FrameId.suspended) {
      this.#isSuspended = true;
      // Another process continues from the last step and numbers its frames from the start.
      this.#lastEventId = undefined;
    }
    if (frame.id === this.#ask.messageId && this.#chatId !== null) this.#isAccepted = true;
    this.#isRunning = this.#chatId !== null;
    if (this.#isRunning) this.#notifyRunning?.();
    this.#observer.onFrames([frame]);
  }

  /**
   * Returns the wait that the service requests, in ms, or `null`.
   * @throws the error if a retry cannot help.
   */
  #retryDelay(error: unknown): number | null {
    // If `wake()` has abandoned the stream, the abort does not count as a failure.
    if (error instanceof PaAbortError && this.#wait.signal.aborted) return null;
    this.#failures += 1;
    if (error instanceof PaError && error.status !== null && !this.#isAccepted) this.#refusals += 1;
    const retryAfterMs = error instanceof PaError ? error.retryAfterMs : null;
    const isEnough = this.#failures >= maxFailures || this.#refusals >= maxRefusals;
    if (isEnough || !isTransient(error) || (retryAfterMs ?? 0) > maxWaitMs) throw error;
    return retryAfterMs;
  }

  async #pause(requestedMs: number | null): Promise<void> {
    this.#emitStatus(1);
    const attempt = this.#isSuspended ? this.#suspensions : this.#failures;
    const ms = Math.max(requestedMs ?? 0, backOff(attempt, firstRetryMs, maxRetryMs));
    if (this.#isSuspended) this.#suspendedMs += ms;
    this.#wait = new AbortController();
    const end = (): void => this.#wait.abort();
    this.#lifetime.signal.addEventListener('abort', end, { once: true });
    this.#isPausing = true;
    // The pause ends early if `wake()` is called or the run is disposed.
    await pause(ms, this.#wait.signal).catch(() => {});
    this.#isPausing = false;
    this.#lifetime.signal.removeEventListener('abort', end);
    if (this.#lifetime.signal.aborted && !this.#hasLeft) throw new PaAbortError();
  }

  /**
   * Waits for the first frame: before it, there is nothing to stop, and a new thread has no id. Gives up after
   * `maxStopMs`, because some services report no id.
   */
  async #untilRunning(): Promise<void> {
    if (this.#isRunning) return;
    const running = new Promise<void>(resolve => {
      this.#notifyRunning = resolve;
    });
    // The wait may end early. Callers check whether the run was disposed.
    await Promise.race([running, pause(maxStopMs, this.#lifetime.signal)]).catch(() => {});
  }

  async #abort(chatId: string): Promise<void> {
    try {
      await this.#service.abort(chatId);
    } catch (error) {
      // Status 404 means that no run is in progress.
      if (!(error instanceof PaError && error.status === 404)) throw error;
    }
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#emitAborted();
    this.#lifetime.abort();
  }

  #emitAborted(): void {
    this.#observer.onFrames([{ id: FrameId.aborted, type: 'abort', code: ChatEndCode.aborted }]);
  }
}
