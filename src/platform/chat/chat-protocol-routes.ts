import { hash } from 'node:crypto';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { ChatImage, maxImages, maxInputLength } from '../../contract/chat.js';
import {
  AgUiImage,
  type AgUiMessage,
  AgUiText,
  resumeUiMessages,
  runAgUi,
  streamUiMessages,
  type UiMessage,
} from '../../contract/chat-protocols.js';
import { describeIssues } from '../../contract/messages.js';
import type { Authenticate } from '../auth/authenticate.js';
import type { ChatPrincipal } from '../auth/principal.js';
import { PlatformError } from '../errors.js';
import { readCall, routePath } from '../http/mount.js';
import type { RequestIdEnv } from '../http/request-id.js';
import { rejectUnstorable } from '../http/serve.js';
import { agUiFormat } from './ag-ui-format.js';
import type { ResolveCaller } from './chat-caller.js';
import { checkImages } from './chat-images.js';
import type { ChatInput, ChatService } from './chat-service.js';
import type { RespondWithStream } from './stream-response.js';
import { uiMessageFormat } from './ui-message-format.js';

/** Dependencies of the routes, shared with the routes of the Chat API. */
interface ChatProtocolOptions {
  readonly chat: ChatService;
  readonly authenticate: Authenticate<ChatPrincipal>;
  readonly callerOf: ResolveCaller;
  readonly respond: RespondWithStream;
  readonly maxBodyBytes: number;
}

/** Mounts the chat endpoints for third-party protocols: the UI message stream of the AI SDK, and AG-UI. */
export function mountChatProtocols(app: Hono, options: ChatProtocolOptions): void {
  const { chat, callerOf, respond, authenticate, maxBodyBytes } = options;
  const reading = { authenticate, maxBodyBytes };

  const uiPath = routePath(streamUiMessages);
  app.on(streamUiMessages.method, uiPath, async (context: Context<RequestIdEnv>) => {
    const call = await readCall(context, streamUiMessages, reading);
    const { id, messages, trigger, sessionSettings } = call.body;
    const last = messages.at(-1);
    const isRepeat = trigger === 'regenerate-message';
    const content = contentOfUiMessage(last);
    const settings = settingsOf(sessionSettings);
    const input = toChatInput(id, isRepeat ? null : (last?.id ?? null), content);
    return respond(context, {
      format: uiMessageFormat(),
      findCaller: () => callerOf(call, settings),
      open: caller => chat.open(caller, input),
    });
  });

  const resumePath = routePath(resumeUiMessages);
  app.on(resumeUiMessages.method, resumePath, async (context: Context<RequestIdEnv>) => {
    const call = await readCall(context, resumeUiMessages, reading);
    const { threadId } = call.params;
    rejectUnstorable(threadId, 'path.threadId');
    return respond(context, {
      format: uiMessageFormat(),
      findCaller: () => callerOf(call),
      open: caller => chat.resume(caller, threadId),
    });
  });

  const agUiPath = routePath(runAgUi);
  app.on(runAgUi.method, agUiPath, async (context: Context<RequestIdEnv>) => {
    const call = await readCall(context, runAgUi, reading);
    const { threadId, runId, messages, sessionSettings } = call.body;
    const settings = settingsOf(sessionSettings);
    const input = toChatInput(threadId, runId, contentOfAgUiMessage(messages.at(-1)));
    return respond(context, {
      format: agUiFormat({ threadId, runId }),
      findCaller: () => callerOf(call, settings),
      open: caller => chat.open(caller, input),
    });
  });
}

type Settings = NonNullable<Parameters<ResolveCaller>[1]>;

function settingsOf(settings: Settings | null | undefined): Settings | null {
  if (settings) rejectUnstorable(settings, 'body.sessionSettings');
  return settings ?? null;
}

/** Content of a message, in any of the protocols. */
interface Content {
  readonly text: string;
  readonly images: readonly ChatImage[];
}

/**
 * Converts a message to the input of the chat service.
 * @param key - identifies the message; equal when the client repeats the request. `null` if the message is always new.
 */
function toChatInput(threadKey: string, key: string | null, { text, images }: Content): ChatInput {
  if (text.length > maxInputLength) {
    throw new PlatformError(400, `body.messages: the last message exceeds the limit of ${maxInputLength} characters`);
  }
  if (text.trim() === '' && images.length === 0) {
    throw new PlatformError(400, 'body.messages: the last message must have text or an image');
  }
  if (images.length > maxImages) {
    throw new PlatformError(400, `body.messages: the last message has more than ${maxImages} images`);
  }
  checkImages(images, 'body.messages: image');
  rejectUnstorable(threadKey, 'body.threadId');
  rejectUnstorable(text, 'body.messages');
  const messageId = key === null ? null : messageIdOf(threadKey, key);
  return { chatId: null, messageId, input: text, images, lastEventId: null, threadKey };
}

/** Returns a message id (`MessageId`) that is the same for each repetition of a request. */
function messageIdOf(threadKey: string, key: string): string {
  const digits = BigInt(`0x${hash('sha256', JSON.stringify([threadKey, key])).slice(0, 16)}`);
  return `${digits.toString().padStart(20, '0')}-message`;
}

function lastOf<M extends { readonly role: string }>(message: M | undefined): M {
  if (message?.role === 'user') return message;
  throw new PlatformError(400, 'body.messages: the last message must have the role user');
}

function contentOfUiMessage(last: UiMessage | undefined): Content {
  const { parts } = lastOf(last);
  return {
    text: parts.flatMap(({ type, text }) => (type === 'text' && text != null ? [text] : [])).join('\n'),
    images: parts.filter(({ type }) => type === 'file').map(({ url, filename }) => imageOf(url ?? '', filename)),
  };
}

const dataUrl = /^data:([\w/+.-]+);base64,(.*)$/s;

/** Returns the image in a data URL. @throws PlatformError 400 for any other URL, because images are not fetched. */
function imageOf(url: string, name: string | null | undefined): ChatImage {
  const [, mimeType, data] = dataUrl.exec(url) ?? [];
  return readImage({ mimeType, data, ...(name != null && { name }) });
}

function readImage(image: unknown): ChatImage {
  const read = z.safeParse(ChatImage, image);
  if (read.success) return read.data;
  const problem = describeIssues('body.messages', read.error.issues);
  throw new PlatformError(400, `${problem}. Send images as base64 data.`);
}

function contentOfAgUiMessage(last: AgUiMessage | undefined): Content {
  const { content } = lastOf(last);
  if (typeof content === 'string') return { text: content, images: [] };
  const texts: string[] = [];
  const images: ChatImage[] = [];
  for (const part of content ?? []) {
    const text = z.safeParse(AgUiText, part);
    const image = z.safeParse(AgUiImage, part);
    if (text.success) texts.push(text.data.text);
    else if (image.success)
      images.push(readImage({ mimeType: image.data.source.mimeType, data: image.data.source.value }));
    else throw new PlatformError(400, 'body.messages: only text and images as base64 data are supported');
  }
  return { text: texts.join('\n'), images };
}
