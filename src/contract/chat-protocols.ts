import * as z from 'zod/mini';
import { ChatParams, ChatSessionSettings } from './chat.js';
import { chatPath } from './chat-terms.js';
import { operation } from './operation.js';
import { optional } from './wire.js';

// Chat endpoints for the protocols of the AI SDK and AG-UI, so that a host's own chat UI can use an agent (extensions).
// In both protocols, the client chooses the thread ids and sends the whole conversation. The platform reads only the
// last message, because it stores the previous ones.

/** Id that a client has chosen for a thread or message. */
const ClientId = z.string().check(z.minLength(1), z.maxLength(256));
const maxMessages = 10_000;

/** A part of a message: text, or an image as a data URL. Parts of other types are ignored in earlier messages. */
const UiMessagePart = z.looseObject({
  type: z.string(),
  text: optional(z.string()),
  mediaType: optional(z.string()),
  url: optional(z.string()),
  filename: optional(z.string()),
});

/** A message of the AI SDK (`UIMessage`). */
export const UiMessage = z.looseObject({ id: optional(z.string()), role: z.string(), parts: z.array(UiMessagePart) });
/** A message of the AI SDK (`UIMessage`). */
export type UiMessage = z.output<typeof UiMessage>;

/** Body that `DefaultChatTransport` of the AI SDK sends. */
export const UiMessagesRequest = z.strictObject({
  /** The client's id of the thread, or the id of a thread of the Chat API. */
  id: ClientId,
  messages: z.array(UiMessage).check(z.minLength(1), z.maxLength(maxMessages)),
  /** `regenerate-message` requests another answer to the last message. */
  trigger: optional(z.string()),
  messageId: optional(z.string()),
  sessionSettings: optional(ChatSessionSettings),
});

/** A message of AG-UI. */
export const AgUiMessage = z.looseObject({
  id: optional(z.string()),
  role: z.string(),
  content: optional(z.union([z.string(), z.array(z.looseObject({ type: z.string() }))])),
});
/** A message of AG-UI. */
export type AgUiMessage = z.output<typeof AgUiMessage>;

/** An image in the content of an AG-UI message. */
export const AgUiImage = z.looseObject({
  type: z.literal('image'),
  source: z.looseObject({ type: z.literal('data'), value: z.string(), mimeType: z.string() }),
});
/** Text in the content of an AG-UI message. */
export const AgUiText = z.looseObject({ type: z.literal('text'), text: z.string() });

const ignored = z.optional(z.unknown());

/** Input of an AG-UI run (`RunAgentInput`). The platform ignores the client's state, tools and context. */
export const AgUiRequest = z.strictObject({
  /** The client's id of the thread, or the id of a thread of the Chat API. */
  threadId: ClientId,
  runId: ClientId,
  messages: z.array(AgUiMessage).check(z.minLength(1), z.maxLength(maxMessages)),
  protocolVersion: ignored,
  parentRunId: ignored,
  state: ignored,
  tools: ignored,
  context: ignored,
  forwardedProps: ignored,
  resume: ignored,
  sessionSettings: optional(ChatSessionSettings),
});

const common = { api: 'chat', access: 'authenticated' } as const;
const errors = {
  404: 'The agent does not exist.',
  409: 'Another message of the thread is being answered.',
  429: 'Too many answers are being generated.',
} as const;

/** Answers the last message. The response is a UI message stream of the AI SDK. */
export const streamUiMessages = operation({
  ...common,
  id: 'streamUiMessages',
  method: 'POST',
  path: `${chatPath}/ui-messages`,
  params: ChatParams,
  body: UiMessagesRequest,
  response: null,
  errors,
});

/** Resumes the unfinished answer of a thread as a UI message stream; 204 if there is none. */
export const resumeUiMessages = operation({
  ...common,
  id: 'resumeUiMessages',
  method: 'GET',
  path: `${chatPath}/ui-messages/{threadId}/stream`,
  params: z.extend(ChatParams, { threadId: ClientId }),
  response: null,
  errors: { 404: 'The agent does not exist.', 429: 'Too many answers are being generated.' },
});

/** Answers the last message. The response is a stream of AG-UI events. */
export const runAgUi = operation({
  ...common,
  id: 'runAgUi',
  method: 'POST',
  path: `${chatPath}/ag-ui`,
  params: ChatParams,
  body: AgUiRequest,
  response: null,
  errors,
});
