import { createHash } from 'node:crypto';
import type { AgentToolServer } from '../../contract/agents.js';
import type { ChatContext, ChatFeedback, ChatFrame, ChatImage, ChatThread } from '../../contract/chat.js';
import type { SecurityContext } from '../auth/principal.js';
import { PlatformError } from '../errors.js';

/** Settings of an agent; `null` if not set. */
export interface AgentSettings {
  /** Text that is added to the instructions of the language model. */
  readonly instructions: string | null;
  /** Cubes and views that the agent can read. */
  readonly views: readonly string[] | null;
  /** Names of the tools that the language model can use. */
  readonly tools: readonly string[] | null;
  /** Services whose tools the language model can use. */
  readonly toolServers: readonly AgentToolServer[] | null;
  readonly suggestions: readonly string[] | null;
  /** Name of the language model. */
  readonly model: string | null;
}

/** Caller of the chat, determined from the key or token, never from a body sent by a browser. */
export interface ChatCaller {
  /** Type of the credential of the request. A chat token is a data token that is valid for the Chat API. */
  readonly principal: 'api-key' | 'person' | 'embed' | 'data-token';
  readonly userId: number;
  /** The caller's tenant; `null` if it has none. */
  readonly embedTenantId: number | null;
  readonly deploymentId: number;
  /** The branch whose model answers; production if not set. */
  readonly branchName?: string;
  /** Version of the branch's model, to which cached data is bound; set if messages may be answered. */
  readonly modelVersion?: string;
  readonly agentId: number;
  readonly agent: AgentSettings;
  readonly securityContext: SecurityContext;
  /**
   * Owner of the threads: hash of the user, tenant, deployment, branch, agent, its views and the security context.
   * After a change of these, the user does not see earlier threads, because they may contain rows that the user may no
   * longer see.
   */
  readonly ownerKey: string;
  /** Threads that a policy denies to the caller; every operation on them fails with 403. */
  readonly deniedThreads?: ReadonlySet<string>;
  /** IANA time zone; UTC by default. */
  readonly timezone: string;
  /** BCP 47 tag; en by default. */
  readonly locale: string;
}

/** Input of a chat request. `open` determines from the input whether to send, join, resume or read. */
export interface ChatInput {
  readonly chatId: string | null;
  readonly messageId: string | null;
  readonly input: string | null;
  readonly images: readonly ChatImage[];
  /** The dashboard that the message is about; none by default. */
  readonly context?: ChatContext | null;
  /** Id of the last frame that the caller received (`Last-Event-ID`); `null` if none. */
  readonly lastEventId: string | null;
  /**
   * Thread id chosen by the client, used instead of `chatId`. It can be the id of an existing thread; otherwise the
   * first message with it creates the thread.
   */
  readonly threadKey?: string | null;
}

/** A frame with its event id: `<messageId>:<number>`; `null` for frames after which a client cannot resume. */
export interface StreamFrame {
  readonly id: string | null;
  readonly frame: ChatFrame;
}

/** Identifies the message whose answer is rated. */
export interface RatedMessage {
  readonly chatId: string;
  readonly messageId: string;
}

/** A page of threads. */
export interface ThreadPage {
  readonly items: readonly ChatThread[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** Threads and their runs. A run continues without readers until it ends, is aborted or suspended. */
export interface ChatService {
  /**
   * Sends, joins, resumes or reads, depending on the input. A `messageId` without a `chatId` is looked up among the
   * owner's turns first, because a client that repeats its first request before it has received the id of the thread
   * must not create a second thread. Errors of the input are thrown before the first frame; later errors are frames.
   * Ending the iterator does not end the run. A client that falls behind receives the text so far instead of individual
   * deltas.
   * @throws PlatformError 400, 404 if the thread does not belong to the caller, 409 if another message of the thread is
   * being answered, 429 if the caller has too many runs.
   */
  open(caller: ChatCaller, input: ChatInput): Promise<AsyncIterable<StreamFrame>>;
  /**
   * Runs the task that precedes the first frame of a stream. No agent starts until it ends, except after a limited
   * delay.
   */
  accept<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Resumes or joins the unfinished answer of a thread; `null` if there is none.
   * @param threadKey - as in `ChatInput`.
   * @throws PlatformError 403 if a policy denies the thread, 429 if the caller has too many runs.
   */
  resume(caller: ChatCaller, threadKey: string): Promise<AsyncIterable<StreamFrame> | null>;
  /**
   * Stops the run of a thread in any process.
   * @throws PlatformError 403 if the thread belongs to another user, 404 if it does not exist.
   */
  abort(caller: ChatCaller, chatId: string): Promise<void>;
  threads(caller: ChatCaller, page: { readonly first: number; readonly after: string | null }): Promise<ThreadPage>;
  /** Renames a thread. @throws PlatformError 404 */
  rename(caller: ChatCaller, chatId: string, title: string): Promise<ChatThread>;
  /** Deletes a thread and stops its run. @throws PlatformError 404 */
  remove(caller: ChatCaller, chatId: string): Promise<void>;
  /**
   * Stores the caller's feedback on the answer to a message; `null` removes it.
   * @throws PlatformError 404 if the thread or message does not belong to the caller.
   */
  rate(caller: ChatCaller, message: RatedMessage, feedback: ChatFeedback | null): Promise<void>;
  suggestions(caller: ChatCaller): Promise<readonly string[]>;
  /** Suspends every run at its next step, or when the given time is over, and releases the leases. */
  close(options: { readonly withinMs: number }): Promise<void>;
}

const titleLength = 80;

/** The content of a user message. */
export interface Prompt {
  readonly input: string;
  readonly images: readonly ChatImage[];
  /** The dashboard that the message is about; `null` if none. */
  readonly context: ChatContext | null;
  /** Hash of input and images. */
  readonly hash: string;
}

/** A request to read a thread. */
interface ReadThreadInput {
  readonly type: 'read';
  readonly chatId: string;
}

/** A request for a new or an existing turn. */
export interface TurnInput {
  readonly type: 'turn';
  readonly chatId: string | null;
  readonly messageId: string | null;
  /** `null` if the request refers to an existing turn. */
  readonly prompt: Prompt | null;
  readonly lastEventId: string | null;
  /** Thread id chosen by the client; `null` if the client uses `chatId`. */
  readonly threadKey: string | null;
  /** Id of the thread that the message creates; random by default. */
  readonly newThreadId?: string;
}

/** Determines the type of a request. @throws PlatformError 400 if it has neither content nor ids. */
export function parseChatInput({
  chatId,
  messageId,
  input,
  images,
  context = null,
  lastEventId,
  threadKey = null,
}: ChatInput): ReadThreadInput | TurnInput {
  const prompt = input === null && images.length === 0 ? null : promptOf(input ?? '', images, context);
  if (!prompt && messageId === null) {
    if (chatId === null)
      throw new PlatformError(400, 'Send a message (input), or the id of a thread (chatId) to read.');
    return { type: 'read', chatId };
  }
  return { type: 'turn', chatId, messageId, prompt, lastEventId, threadKey };
}

function promptOf(text: string, images: readonly ChatImage[], context: ChatContext | null): Prompt {
  // Replaces lone surrogates and NUL characters, which the database cannot store.
  const input = Buffer.from(text.replaceAll('\0', '\uFFFD')).toString();
  if (input.trim() === '' && images.length === 0) throw new PlatformError(400, 'input: must not be empty');
  const parts = [input, ...images.flatMap(({ mimeType, data, name }) => [mimeType, data, name ?? null])];
  return { input, images, context, hash: createHash('sha256').update(JSON.stringify(parts)).digest('hex') };
}

/** Returns the title of a thread, derived from its first message. */
export function titleOf({ input, images }: Prompt): string {
  const line = input.trim().split(/[\r\n]/, 1)[0] ?? '';
  const title = [...line].slice(0, titleLength).join('').slice(0, titleLength).trim();
  return title || images[0]?.name?.slice(0, titleLength) || 'Image';
}
