import { createHash } from 'node:crypto';
import type { ChatFrame, ChatImage, ChatThread } from '../../contract/chat.js';
import type { SecurityContext } from '../auth/principal.js';
import { PlatformError } from '../errors.js';

/** Who chats. Settled by the routes from key or token; nothing of it comes from a browser's body. */
export interface ChatCaller {
  readonly userId: number;
  /** Whose threads go with it; null where the caller is in none. */
  readonly embedTenantId: number | null;
  readonly deploymentId: number;
  readonly agentId: number;
  readonly securityContext: SecurityContext;
  /**
   * Whose threads these are: user, tenant, deployment, agent and what the caller may see, as one hash. A user whose rights have changed sees none of
   * the threads from before: they hold rows of other rights.
   */
  readonly ownerKey: string;
  /** Threads that a policy closes to the caller: 403 for whatever is done with one. */
  readonly deniedThreads?: ReadonlySet<string>;
  /** IANA name; UTC by default. */
  readonly timezone: string;
  /** BCP 47 tag; en by default. */
  readonly locale: string;
}

/** What a caller asks of a thread; which of these it is settles `open`. */
export interface ChatInput {
  readonly chatId: string | null;
  readonly messageId: string | null;
  readonly input: string | null;
  readonly images: readonly ChatImage[];
  /** Id of the last frame that the caller has (`Last-Event-ID`); null where it has none. */
  readonly lastEventId: string | null;
}

/** A frame with its place in the stream: `<messageId>:<number>`; null for frames that can't be gone back to. */
export interface StreamFrame {
  readonly id: string | null;
  readonly frame: ChatFrame;
}

/** A page of threads. */
export interface ThreadPage {
  readonly items: readonly ChatThread[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** Threads and their runs. Runs go on without readers; only `abort`, their end or the end of the process ends them. */
export interface ChatService {
  /**
   * Sends, joins, resumes or reads. A `messageId` without a `chatId` is looked for among the turns of the owner first: a client whose first
   * request broke off before it was told the thread's id sends it again, and must not begin a second thread. What is wrong with the ask is thrown before the first frame; what goes wrong later comes as frames.
   * Leaving the iterator early leaves the run alone. A reader that falls behind is told the text so far in place of each piece.
   * @throws PlatformError 400, 404 for a thread that isn't the caller's, 409 where another message of the thread is being answered,
   * 429 with too many runs at once.
   */
  open(caller: ChatCaller, ask: ChatInput): Promise<AsyncIterable<StreamFrame>>;
  /** Stops the run of a thread, wherever it runs. @throws PlatformError 403 for somebody else's thread, 404 for none. */
  abort(caller: ChatCaller, chatId: string): Promise<void>;
  threads(caller: ChatCaller, page: { readonly first: number; readonly after: string | null }): Promise<ThreadPage>;
  /** @throws PlatformError 404. */
  rename(caller: ChatCaller, chatId: string, title: string): Promise<ChatThread>;
  /** @throws PlatformError 404. */
  remove(caller: ChatCaller, chatId: string): Promise<void>;
  suggestions(caller: ChatCaller): Promise<readonly string[]>;
  /** Suspends every run at its next step, within the time given, and gives back the leases. */
  close(options: { readonly withinMs: number }): Promise<void>;
}

const titleLength = 80;

/** What a user wrote. */
export interface Prompt {
  readonly input: string;
  readonly images: readonly ChatImage[];
  /** Equal for what is the same. */
  readonly hash: string;
}

/** An ask for a thread as it stands. */
interface ReadThreadInput {
  readonly type: 'read';
  readonly chatId: string;
}

/** An ask for a turn: one to begin, or one that has begun. */
export interface TurnInput {
  readonly type: 'turn';
  readonly chatId: string | null;
  readonly messageId: string | null;
  /** Null where the turn must be there already. */
  readonly prompt: Prompt | null;
  readonly lastEventId: string | null;
}

/** Tells what is asked. @throws PlatformError 400 where nothing is. */
export function parseChatInput({
  chatId,
  messageId,
  input,
  images,
  lastEventId,
}: ChatInput): ReadThreadInput | TurnInput {
  const prompt = input === null && images.length === 0 ? null : promptOf(input ?? '', images);
  if (!prompt && messageId === null) {
    if (chatId === null) throw new PlatformError(400, 'Send a message (input), or name a thread (chatId) to read.');
    return { type: 'read', chatId };
  }
  return { type: 'turn', chatId, messageId, prompt, lastEventId };
}

function promptOf(text: string, images: readonly ChatImage[]): Prompt {
  // As the database can hold it: halves of surrogate pairs, and the one character that it refuses, are replaced.
  const input = Buffer.from(text.replaceAll('\0', '\uFFFD')).toString();
  if (input.trim() === '' && images.length === 0) throw new PlatformError(400, 'input: must not be empty');
  const parts = [input, ...images.flatMap(({ mimeType, data, name }) => [mimeType, data, name ?? null])];
  return { input, images, hash: createHash('sha256').update(JSON.stringify(parts)).digest('hex') };
}

/** Title of a thread that begins with this message. */
export function titleOf({ input, images }: Prompt): string {
  const line = input.trim().split(/[\r\n]/, 1)[0] ?? '';
  const title = [...line].slice(0, titleLength).join('').slice(0, titleLength).trim();
  return title || images[0]?.name?.slice(0, titleLength) || 'Image';
}
