import * as z from 'zod/mini';
import { imageTypes, maxImageBytes, maxImages, maxInputLength, maxTitleLength } from './chat-limits.js';
import { type ChatEndCode, chatPath, type FinishReason } from './chat-terms.js';
import { operation } from './operation.js';
import { FilterCondition } from './widget-config.js';
import { IdParam, JsonObject, type Open, optional, PageQuery, PublicId, pageOf, recordOf } from './wire.js';

export * from './chat-limits.js';
export * from './chat-terms.js';

/**
 * Scope of a chat: an agent, or a deployment. For a deployment, the oldest agent that is available to the user answers.
 */
export const chatScopes = ['agents', 'deployments'] as const;
/** Scope of a chat. */
export type ChatScope = (typeof chatScopes)[number];

const params = {
  account: z.string().check(z.minLength(1), z.maxLength(255)),
  scope: z.enum(chatScopes),
  scopeId: IdParam,
};
/** Path parameters of the Chat API. */
export const ChatParams = z.strictObject(params);

/** Id of a message: Unix time in ms followed by `-message`. A message that is sent twice is processed once. */
export const MessageId = z
  .string()
  .check(z.regex(/^\d{13,20}-message$/, 'must be the Unix time in milliseconds followed by -message'));
/** Id of a thread, as reported by `__cutoff__`. */
export const ChatId = z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be a chatId returned by a stream'));

/** An image attached to a message. `data` is base64 without a prefix (`ImageAttachmentDto`). */
export const ChatImage = z.strictObject({
  mimeType: z.enum(imageTypes),
  data: z
    .string()
    .check(z.maxLength(Math.ceil(maxImageBytes / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')),
  name: optional(z.string().check(z.maxLength(255))),
});
/** An image attached to a message. */
export type ChatImage = z.infer<typeof ChatImage>;

/**
 * The user that an API key acts for (`SessionSettingsDto`): exactly one of `externalId` and `internalId`. Required with
 * an API key, which must have the admin role. A token identifies its user itself.
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
/** The user that an API key acts for, as input. */
export type ChatSessionSettings = z.input<typeof ChatSessionSettings>;

const chosenName = z.nullable(z.string().check(z.maxLength(255)));

/**
 * The dashboard that a message is about (extension), 512 KB at most. The platform checks access to the dashboard again
 * and reads its published queries itself. A page can send tile ids and control values, but no query.
 */
export const ChatContext = z.strictObject({
  dashboardPublicId: PublicId,
  /** Widget ids of the tiles that the message is about; none for the whole dashboard. */
  tiles: optional(z.array(z.string().check(z.maxLength(128))).check(z.maxLength(100))),
  /** Current values of the controls, by member, including the conditions from selected marks. */
  controls: optional(
    z.strictObject({
      filters: optional(recordOf(z.nullable(FilterCondition))),
      timeGrains: optional(recordOf(chosenName)),
      members: optional(recordOf(chosenName)),
    }),
  ),
  /** Whether the client applies `setDashboardControls`. If not, the agent does not have that tool. */
  canSetControls: optional(z.boolean()),
});
/** The dashboard that a message is about. */
export type ChatContext = z.infer<typeof ChatContext>;

/**
 * A message to send, a stream to join or resume (`messageId`, with or without `input`), or a thread to read (only
 * `chatId`).
 */
export const ChatRequest = z.strictObject({
  input: optional(z.string().check(z.maxLength(maxInputLength))),
  chatId: optional(ChatId),
  messageId: optional(MessageId),
  /** Images of the message. */
  images: optional(z.array(ChatImage).check(z.maxLength(maxImages))),
  /** The dashboard that the message is about. */
  context: optional(ChatContext),
  sessionSettings: optional(ChatSessionSettings),
  /**
   * The branch whose model answers; production by default. Requires `SchemaRead`. Embed sessions can name only their
   * own branch, which they use by default.
   */
  activeBranchName: optional(z.string()),
  isDefaultBranch: optional(z.boolean()),
});
/** A message to send, a stream to join or resume, or a thread to read. */
export type ChatRequest = z.input<typeof ChatRequest>;

/**
 * A tool call. `input` and `result` are JSON text; `result` is absent while the tool runs, and `{"error": …}` if it
 * failed.
 */
export interface ToolCall {
  readonly name: string;
  readonly input?: string;
  readonly result?: string;
}

/** Language model usage of a run. */
export interface ChatUsage {
  readonly models: readonly string[];
  readonly llmCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
  readonly totalTokens: number;
}

/** Ratings of an answer. */
export const chatRatings = ['up', 'down'] as const;

/** The user's feedback on an answer. */
export interface ChatFeedback {
  readonly rating: (typeof chatRatings)[number];
  readonly comment?: string;
}

/**
 * One line of a chat stream (operations.md, "Stream line fields"). A plain type, because clients parse streams in a
 * loop and not with a schema per frame. `finishReason`, `createdAt`, `images` and `feedback` are extensions of this
 * platform; clients must work without them.
 */
export interface ChatFrame {
  /** Message id, or one of `FrameId`; absent on error lines. */
  readonly id?: string;
  readonly role?: 'user' | 'assistant';
  readonly content?: string;
  /** Reasoning of the model. */
  readonly thinking?: string;
  /** Whether `content` and `thinking` are appended to the previous text. If not, they replace it. */
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
    /** The branch whose model answers, an extension; absent for production. */
    readonly branchName?: string;
  };
  readonly usage?: ChatUsage;
  readonly type?: 'abort' | 'suspend' | 'usage';
  readonly code?: Open<(typeof ChatEndCode)[keyof typeof ChatEndCode]>;
  readonly retryable?: boolean;
  readonly messageId?: string;
  readonly error?: string;
  /** Set on the last assistant frame of a finished turn. */
  readonly finishReason?: FinishReason;
  /** When the message was created (ISO 8601). */
  readonly createdAt?: string;
  /** Images of a user's message; set when a thread is read. */
  readonly images?: readonly ChatImage[];
  /** Feedback on the answer to a user's message; set when a thread is read. */
  readonly feedback?: ChatFeedback;
}

/**
 * A column of a result. All fields except name and type are extensions: `format` is a d3 specifier; `meta` states which
 * numbers the model uses for Sunday and January.
 */
export interface DataQueryColumn {
  readonly name: string;
  readonly column_type: string;
  readonly title?: string;
  readonly format?: string;
  readonly currency?: string;
  readonly meta?: { readonly sunday?: number; readonly january?: number };
}

/** Names of the columns that an answer adds to the rows of its query. Cannot clash with members, which have a dot. */
export const ComputedColumn = { share: 'share', period: 'period' } as const;

/**
 * How the values of an answer follow from the rows of its query: as the share of the total of the first measure, or by
 * comparison with an earlier period (like `periodComparisons` of a report).
 */
export const ComputedValues = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('share') }),
  z.object({
    kind: z.literal('periods'),
    timeDimension: z.string(),
    offset: z.object({ amount: z.int(), unit: z.enum(['day', 'month']) }),
  }),
]);
/** How the values of an answer follow from the rows of its query. */
export type ComputedValues = z.infer<typeof ComputedValues>;

/**
 * Result of `dataQuery`. Has the shape of a query result (domain.md 2, "Charts in chat"), but with the load query
 * instead of SQL.
 */
export interface DataQueryResult {
  readonly queryTitle: string;
  readonly description: string;
  /** The load query; run it to get all rows. */
  readonly query: JsonObject;
  /** `name` is the member, as in `Column.member`; `column_type` is String, Double, Int64, Timestamp or Boolean. */
  readonly schema: readonly DataQueryColumn[];
  /** Rows of text values, in the order of `schema`; `null` for missing values. */
  readonly data: readonly (readonly (string | null)[])[];
  readonly totalRows: number;
  readonly uuid: string;
  /**
   * Identifies the query and the chart within the thread, to pin them to an AI widget of a dashboard (extension). Empty
   * if a widget cannot compute the values of the answer.
   */
  readonly checksum: string;
  /** Set if the answer shows values that the query does not return (extension). */
  readonly computed?: ComputedValues;
  /** Vega-Lite specification as JSON text, without data; absent if the rows are best shown as a table. */
  readonly vegaSpec?: string;
  /** Whether the text or another result of the answer already contains the rows; they then get no tile (extension). */
  readonly isSupporting?: boolean;
}

/**
 * Result of `setDashboardControls`: values that the platform has validated against the published dashboard. The client
 * applies them once, when it receives the result while the answer is running.
 */
export interface DashboardControlsResult {
  readonly dashboardPublicId: string;
  /** Values to set, by member, as in `getState()` of the dashboard; other controls do not change. */
  readonly state: {
    readonly filters: Readonly<Record<string, FilterCondition | null>>;
    readonly timeGrains: Readonly<Record<string, string | null>>;
    readonly members: Readonly<Record<string, string | null>>;
  };
  /** The controls by title, with their values as text; `null` if the control is cleared. */
  readonly changes: readonly { readonly title: string; readonly value: string | null }[];
}

/** A thread in the user's list. */
export const ChatThread = z.looseObject({
  id: z.string(),
  title: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  isStreaming: z.boolean(),
});
/** A thread in the user's list. */
export type ChatThread = z.infer<typeof ChatThread>;

const common = { api: 'chat', access: 'authenticated', params: ChatParams } as const;

/**
 * Sends, joins, resumes or reads a thread. The response is a stream of `ChatFrame`, as NDJSON or Server-Sent Events.
 */
export const streamChatState = operation({
  ...common,
  id: 'streamChatState',
  method: 'POST',
  path: `${chatPath}/stream-chat-state`,
  body: ChatRequest,
  response: null,
  errors: {
    404: 'The agent does not exist, or the user has no such thread.',
    429: 'Too many answers are being generated.',
  },
});

/** Stops the run of a thread. */
export const abortChat = operation({
  ...common,
  id: 'abortChat',
  method: 'POST',
  path: `${chatPath}/abort`,
  body: z.strictObject({ chatId: ChatId, sessionSettings: optional(ChatSessionSettings) }),
  response: null,
  errors: { 403: 'The thread belongs to another user.', 404: 'The thread does not exist.' },
});

/** Lists the caller's threads, latest first. All operations on threads are extensions. */
export const listChatThreads = operation({
  ...common,
  id: 'listChatThreads',
  method: 'GET',
  path: `${chatPath}/threads`,
  query: PageQuery,
  response: pageOf(ChatThread),
  errors: { 404: 'The agent does not exist.' },
});

/** Path parameters of one thread. */
export const ChatThreadParams = z.strictObject({ ...params, chatId: ChatId });

/** Renames a thread. */
export const renameChatThread = operation({
  ...common,
  id: 'renameChatThread',
  method: 'PATCH',
  path: `${chatPath}/threads/{chatId}`,
  params: ChatThreadParams,
  body: z.strictObject({ title: z.string().check(z.trim(), z.minLength(1), z.maxLength(maxTitleLength)) }),
  response: ChatThread,
  errors: { 404: 'The thread does not exist.' },
});

/** Deletes a thread permanently and stops its run. */
export const deleteChatThread = operation({
  ...common,
  id: 'deleteChatThread',
  method: 'DELETE',
  path: `${chatPath}/threads/{chatId}`,
  params: ChatThreadParams,
  response: null,
  errors: { 404: 'The thread does not exist.' },
});

/** Returns questions for an empty thread that the model can answer. */
export const getChatSuggestions = operation({
  ...common,
  id: 'getChatSuggestions',
  method: 'GET',
  path: `${chatPath}/suggestions`,
  response: z.looseObject({ items: z.array(z.string()) }),
  errors: { 404: 'The agent does not exist.' },
});
