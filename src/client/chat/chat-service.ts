import type { ChatFrame, ChatImage, ChatThread } from '../../contract/chat.js';

/** What one request of the stream asks for: a new message, a stream to join or resume, or (`chatId` alone) a thread to read. */
export interface StreamAsk {
  readonly chatId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly input?: string | undefined;
  readonly images?: readonly ChatImage[] | undefined;
  /** Id of the last event that was received, where the stream came as Server-Sent Events. */
  readonly lastEventId?: string | undefined;
}

/** How a stream is read. */
export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every frame in order; `eventId` where the stream is one of Server-Sent Events. */
  readonly onFrame: (frame: ChatFrame, eventId: string | null) => void;
  /** Called once the service has answered, before the first frame. */
  readonly onOpen?: (() => void) | undefined;
}

/** A page of threads. */
export interface ChatThreads {
  readonly items: readonly ChatThread[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

/** The Chat API of one agent, in one caller's name: over a session, or over the host's proxy. */
export interface ChatService {
  /**
   * Reads one stream to its end.
   * @throws PaError: PaConnectionError where it broke off before `__usage__`, PaAbortError for the signal, an error of the service otherwise.
   */
  stream(ask: StreamAsk, options: StreamOptions): Promise<void>;
  /** Stops the run of a thread. */
  abort(chatId: string): Promise<void>;
  /** Null from a service that keeps no list. */
  threads(page?: { readonly after?: string | undefined; readonly signal?: AbortSignal }): Promise<ChatThreads | null>;
  rename(chatId: string, title: string): Promise<ChatThread>;
  remove(chatId: string): Promise<void>;
  /** Empty from a service that has none. */
  suggestions(options?: { readonly signal?: AbortSignal }): Promise<readonly string[]>;
}
