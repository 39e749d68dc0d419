import type { ChatContext, ChatFeedback, ChatFrame, ChatImage, ChatThread } from '../../contract/chat.js';

/** One stream request: a new message, a stream to join or resume, or (only `chatId`) a thread to read. */
export interface StreamAsk {
  readonly chatId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly input?: string | undefined;
  readonly images?: readonly ChatImage[] | undefined;
  /** The dashboard that the message is about. */
  readonly context?: ChatContext | undefined;
  /** Id of the last event received, if the stream uses Server-Sent Events. */
  readonly lastEventId?: string | undefined;
}

/** Callbacks and signal for reading a stream. */
export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every frame, in order. `eventId` is `null` unless the stream uses Server-Sent Events. */
  readonly onFrame: (frame: ChatFrame, eventId: string | null) => void;
  /** Called when the service has responded, before the first frame. */
  readonly onOpen?: (() => void) | undefined;
}

/** One page of threads. */
export interface ChatThreads {
  readonly items: readonly ChatThread[];
  /** Cursor of the next page; `null` on the last page. */
  readonly next: string | null;
}

/** The Chat API of one agent, authorized by a session or by the host's proxy. */
export interface ChatService {
  /**
   * Reads one stream until it ends.
   * @throws {PaError} PaConnectionError if the connection is lost before `__usage__`, PaAbortError if the signal is
   * aborted, else the error of the service.
   */
  stream(ask: StreamAsk, options: StreamOptions): Promise<void>;
  /** Stops the run of a thread. */
  abort(chatId: string): Promise<void>;
  /** Lists the caller's threads. Resolves to `null` if the service does not provide a list. */
  threads(page?: { readonly after?: string | undefined; readonly signal?: AbortSignal }): Promise<ChatThreads | null>;
  rename(chatId: string, title: string): Promise<ChatThread>;
  remove(chatId: string): Promise<void>;
  /**
   * Stores the user's feedback on the answer to a message; `null` removes it. If not set, feedback is shown until the
   * page is reloaded.
   */
  rate?(chatId: string, messageId: string, feedback: ChatFeedback | null): Promise<void>;
  /** Resolves to an empty list if the service provides no suggestions. */
  suggestions(options?: { readonly signal?: AbortSignal }): Promise<readonly string[]>;
}
