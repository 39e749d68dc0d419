import type { ChatFrame, ChatImage } from '../../contract/chat.js';
import { PaError, PaErrorCode } from '../errors.js';
import type { ChatService } from './chat-service.js';
import type { StreamKind } from './reduce.js';

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
  void [service, ask, observer, signal];
  throw new PaError(PaErrorCode.invalidOptions, 'Not there yet.');
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

/** Reads a thread back. Where an answer is under way afterwards (`Conversation.isStreaming`), `joinTurn` follows it. */
export async function readThread(
  service: ChatService,
  chatId: string,
  observer: RunObserver,
  signal?: AbortSignal,
): Promise<void> {
  await Promise.resolve([service, chatId, observer, signal]);
}

/** An id for a new message: the time, but always after `last`, whatever the clock does. */
export function newMessageId(last: string | null): string {
  const before = Number(last?.split('-')[0]);
  return `${Math.max(Date.now(), Number.isSafeInteger(before) ? before + 1 : 0)}-message`;
}
