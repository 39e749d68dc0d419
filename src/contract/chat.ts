import * as z from 'zod/mini';
import { imageTypes, maxImageBytes, maxImages, maxInputLength, maxTitleLength } from './chat-limits.js';
import { type ChatEndCode, chatPath, type FinishReason } from './chat-terms.js';
import { operation } from './operation.js';
import { IdParam, JsonObject, type Open, optional, PageQuery, pageOf } from './wire.js';

export * from './chat-limits.js';
export * from './chat-terms.js';

/** Under what a chat stands: an agent by its id, or a deployment, whose own agent then answers. */
export const chatScopes = ['agents', 'deployments'] as const;
/** Under what a chat stands. */
export type ChatScope = (typeof chatScopes)[number];

const params = {
  account: z.string().check(z.minLength(1), z.maxLength(255)),
  scope: z.enum(chatScopes),
  scopeId: IdParam,
};
/** Path parameters of the Chat API. */
export const ChatParams = z.strictObject(params);

/** Id of a message: Unix time in ms and `-message`. Sending one twice sends it once. */
export const MessageId = z
  .string()
  .check(z.regex(/^\d{13,20}-message$/, 'must be the Unix time in milliseconds followed by -message'));
/** Id of a thread, as `__cutoff__` told it. */
export const ChatId = z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be an id that a stream has told as chatId'));

/** An image beside a message: `data` is base64 without a prefix (`ImageAttachmentDto`). */
export const ChatImage = z.strictObject({
  mimeType: z.enum(imageTypes),
  data: z
    .string()
    .check(z.maxLength(Math.ceil(maxImageBytes / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')),
  name: optional(z.string().check(z.maxLength(255))),
});
/** An image beside a message. */
export type ChatImage = z.infer<typeof ChatImage>;

/**
 * Whom a key speaks for (`SessionSettingsDto`): exactly one of `externalId` and `internalId`. Only an API key of an admin may send
 * it, and must; whoever comes with a token is who the token says.
 */
export const ChatSessionSettings = z.strictObject({
  externalId: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  internalId: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  email: optional(z.email()),
  embedTenantName: optional(z.string()),
  groups: optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(1000))),
  userAttributes: optional(z.array(z.strictObject({ name: z.string(), value: z.unknown() })).check(z.maxLength(200))),
  securityContext: optional(JsonObject),
  timezone: optional(z.string().check(z.maxLength(64))),
  locale: optional(z.string().check(z.maxLength(35))),
  allowChatWorkspaceAuthoring: optional(z.boolean()),
  isEphemeral: optional(z.boolean()),
  ephemeralTtlSeconds: optional(z.int()),
  roles: optional(z.array(z.string())),
  publicDashboardId: optional(z.string()),
});
/** Whom a key speaks for, as a host writes it. */
export type ChatSessionSettings = z.input<typeof ChatSessionSettings>;

/** A message to send, a stream to join or resume (`messageId`, with or without `input`), or a thread to read (`chatId` alone). */
export const ChatRequest = z.strictObject({
  input: optional(z.string().check(z.maxLength(maxInputLength))),
  chatId: optional(ChatId),
  messageId: optional(MessageId),
  /** Images of the message. */
  images: optional(z.array(ChatImage).check(z.maxLength(maxImages))),
  sessionSettings: optional(ChatSessionSettings),
  activeBranchName: optional(z.string()),
  isDefaultBranch: optional(z.boolean()),
});
/** A message to send, a stream to join or resume, or a thread to read. */
export type ChatRequest = z.input<typeof ChatRequest>;

/** A call of a tool: `input` and `result` are JSON as text; no result while it runs, `{"error": …}` where it failed. */
export interface ToolCall {
  readonly name: string;
  readonly input?: string;
  readonly result?: string;
}

/** What a run has taken. */
export interface ChatUsage {
  readonly models: readonly string[];
  readonly llmCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
  readonly totalTokens: number;
}

/**
 * One line of a chat stream (operations.md, "Stream line fields"). A plain type: a stream is read by a loop, not by a schema per
 * frame. `finishReason`, `createdAt` and `images` are this platform's own; a client does without them.
 */
export interface ChatFrame {
  /** Message id, or one of `FrameId`; absent on error lines. */
  readonly id?: string;
  readonly role?: 'user' | 'assistant';
  readonly content?: string;
  /** Reasoning of the model. */
  readonly thinking?: string;
  /** Content and thinking are pieces to append; else they replace what stands. */
  readonly isDelta?: boolean;
  readonly isInProcess?: boolean;
  readonly sort?: number;
  /** Node of the agent: `['data_analyst_agent']`, `['data_analyst_agent', 'tools']`, `['final']`. */
  readonly graphPath?: readonly string[];
  readonly toolCall?: ToolCall;
  readonly state?: {
    readonly chatId?: string;
    readonly isStreaming?: boolean;
    readonly suspended?: { readonly messageId: string };
    readonly messages?: readonly unknown[];
  };
  readonly usage?: ChatUsage;
  readonly type?: 'abort' | 'suspend' | 'usage';
  readonly code?: Open<(typeof ChatEndCode)[keyof typeof ChatEndCode]>;
  readonly retryable?: boolean;
  readonly messageId?: string;
  readonly error?: string;
  /** On the last assistant frame of a turn that has ended. */
  readonly finishReason?: FinishReason;
  /** When the message was made (ISO 8601). */
  readonly createdAt?: string;
  /** Images of a user's message, when a thread is read back. */
  readonly images?: readonly ChatImage[];
}

/** A column of a result. `title`, `format` (a d3 pattern) and `currency` are this platform's own. */
export interface DataQueryColumn {
  readonly name: string;
  readonly column_type: string;
  readonly title?: string;
  readonly format?: string;
  readonly currency?: string;
}

/**
 * Result of `dataQuery`, in the shape that the facts give for a query's result (domain.md 2, "Charts in chat"), with the load query in
 * the place of SQL.
 */
export interface DataQueryResult {
  readonly queryTitle: string;
  readonly description: string;
  /** The load query, to run again for all rows. */
  readonly query: JsonObject;
  /** `name` is the member as `Column.member` has it; `column_type` one of String, Double, Int64, Timestamp, Boolean. */
  readonly schema: readonly DataQueryColumn[];
  /** Rows as text, in the order of `schema`; null where there is no value. */
  readonly data: readonly (readonly (string | null)[])[];
  readonly totalRows: number;
  readonly uuid: string;
  /** Vega-Lite as JSON text, without data; absent where a table says it best. */
  readonly vegaSpec?: string;
}

/** A thread in the list of its owner. */
export const ChatThread = z.looseObject({
  id: z.string(),
  title: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  isStreaming: z.boolean(),
});
/** A thread in the list of its owner. */
export type ChatThread = z.infer<typeof ChatThread>;

const common = { api: 'chat', access: 'authenticated', params: ChatParams } as const;

/** Sends, joins, resumes or reads: the answer is a stream of `ChatFrame`, as NDJSON or as Server-Sent Events. */
export const streamChatState = operation({
  ...common,
  id: 'streamChatState',
  method: 'POST',
  path: `${chatPath}/stream-chat-state`,
  body: ChatRequest,
  response: null,
  errors: { 404: 'no such agent, or no such thread of this user', 429: 'too many runs at once' },
});

/** Stops the run of a thread. */
export const abortChat = operation({
  ...common,
  id: 'abortChat',
  method: 'POST',
  path: `${chatPath}/abort`,
  body: z.strictObject({ chatId: ChatId, sessionSettings: optional(ChatSessionSettings) }),
  response: null,
  errors: { 403: 'the thread is somebody else’s', 404: 'no such thread' },
});

/** The caller's threads, the latest first. Our extension, as all that follows. */
export const listChatThreads = operation({
  ...common,
  id: 'listChatThreads',
  method: 'GET',
  path: `${chatPath}/threads`,
  query: PageQuery,
  response: pageOf(ChatThread),
  errors: { 404: 'no such agent' },
});

const threadParams = z.strictObject({ ...params, chatId: ChatId });

/** Renames a thread. */
export const renameChatThread = operation({
  ...common,
  id: 'renameChatThread',
  method: 'PATCH',
  path: `${chatPath}/threads/{chatId}`,
  params: threadParams,
  body: z.strictObject({ title: z.string().check(z.trim(), z.minLength(1), z.maxLength(maxTitleLength)) }),
  response: ChatThread,
  errors: { 404: 'no such thread' },
});

/** Deletes a thread for good; a run of it is stopped. */
export const deleteChatThread = operation({
  ...common,
  id: 'deleteChatThread',
  method: 'DELETE',
  path: `${chatPath}/threads/{chatId}`,
  params: threadParams,
  response: null,
  errors: { 404: 'no such thread' },
});

/** Questions that the model suits, for an empty thread. */
export const getChatSuggestions = operation({
  ...common,
  id: 'getChatSuggestions',
  method: 'GET',
  path: `${chatPath}/suggestions`,
  response: z.looseObject({ items: z.array(z.string()) }),
  errors: { 404: 'no such agent' },
});
