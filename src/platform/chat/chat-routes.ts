import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type * as z from 'zod/mini';
import * as contract from '../../contract/chat.js';
import { type ChatImage, type imageTypes, maxImageBytes } from '../../contract/chat.js';
import type { Authenticate } from '../auth/authenticate.js';
import type { ChatPrincipal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { readCall, routePath } from '../http/mount.js';
import type { RequestIdEnv } from '../http/request-id.js';
import { refuseUnstorable, serve } from '../http/serve.js';
import { StreamLimit } from '../runtime/stream-limit.js';
import { chatBody, eventFormat, type FrameFormat, lineFormat } from './chat-body.js';
import { createCallerResolver } from './chat-caller.js';
import type { ChatInput, ChatService } from './chat-service.js';

/** What files of a type begin with, in hex. */
const beginnings: Readonly<Record<(typeof imageTypes)[number], RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^474946383[79]61/,
  'image/webp': /^52494646.{8}57454250/,
};
/** Characters of base64 that hold the beginning. */
const beginningLength = 16;

/**
 * Refuses images that are not what they are said to be, before a model or a page is given them.
 * @throws PlatformError 400 that names the image
 */
export function checkImages(images: readonly ChatImage[]): void {
  for (const [index, { data, mimeType }] of images.entries()) {
    const field = `body.images.${index}.data`;
    // The schema has seen to the characters; base64 comes in fours.
    if (data.length % 4 !== 0) throw new PlatformError(400, `${field}: must be base64, padded`);
    if (Buffer.byteLength(data, 'base64') > maxImageBytes) {
      throw new PlatformError(400, `${field}: an image has ${maxImageBytes / 1024 / 1024} MB at most`);
    }
    const beginning = Buffer.from(data.slice(0, beginningLength), 'base64').toString('hex');
    if (!beginnings[mimeType].test(beginning)) throw new PlatformError(400, `${field}: is not of type ${mimeType}`);
  }
}

/** What the routes of the Chat API need. */
export interface ChatRoutesOptions {
  readonly db: Db;
  readonly chat: ChatService;
  readonly authenticate: Authenticate<ChatPrincipal>;
  /** Hears of what goes wrong with a stream that has begun, unless it was the caller's doing. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Room for the images of a message in base64. */
const maxMessageBytes = 12 * 1024 * 1024;
const maxBodyBytes = 256 * 1024;
const defaultBranch = 'main';
const pageSize = { usual: 50, most: 100 } as const;

/** Proxies between are neither to keep nor to change nor to hold back what comes. */
const streamHeaders = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const;

function tooManyStreams(): PlatformError {
  return new PlatformError(429, 'Too many chats are being read at once: close one, or try again in a moment.');
}

/**
 * The Chat API (operations.md, Chat API; domain facts 2), and our extensions: the list of a caller's threads, and suggestions. Errors
 * are thrown for the app's own handler until a stream has begun; from then on they are lines of it.
 */
export function chatRoutes({ db, chat, authenticate, onFailure }: ChatRoutesOptions): Hono {
  const app = new Hono({ strict: false });
  const options = { authenticate, maxBodyBytes };

  // A run is one, however many read it, but each reader has a connection and a chunk.
  const streams = new StreamLimit({ all: 2_000, own: 30, refusal: tooManyStreams });
  const callerOf = createCallerResolver(db);

  const path = routePath(contract.streamChatState);
  app.on(contract.streamChatState.method, path, async (context: Context<RequestIdEnv>) => {
    const call = await readCall(context, contract.streamChatState, { authenticate, maxBodyBytes: maxMessageBytes });
    const { body, params, request } = call;
    refuseUnstorable(params, 'path');
    refuseUnstorable(body, 'body');
    checkBranch(body);
    checkImages(body.images ?? []);
    const caller = await callerOf(call, body.sessionSettings ?? null);
    const onEnd = streams.enter(caller.ownerKey);
    const frames = await chat.open(caller, askOf(body, request.headers)).catch((error: unknown) => {
      onEnd();
      throw error;
    });
    const format = formatOf(context);
    const requestId = context.get('requestId');
    const stream = chatBody(frames, { format, onEnd, onFailure: error => onFailure(error, requestId) });
    return context.body(stream, 200, { 'content-type': format.contentType, ...streamHeaders });
  });

  serve(app, contract.abortChat, options, async call => {
    await chat.abort(await callerOf(call, call.body.sessionSettings ?? null), call.body.chatId);
    return undefined;
  });

  serve(app, contract.listChatThreads, options, async call => {
    const { first = pageSize.usual, after = null } = call.query;
    const page = await chat.threads(await callerOf(call), { first: Math.min(first, pageSize.most), after });
    const { items, hasNextPage, endCursor } = page;
    return { items: [...items], pageInfo: { hasNextPage, hasPreviousPage: after !== null, endCursor } };
  });

  serve(app, contract.renameChatThread, options, async call =>
    chat.rename(await callerOf(call), call.params.chatId, call.body.title),
  );

  serve(app, contract.deleteChatThread, options, async call => {
    await chat.remove(await callerOf(call), call.params.chatId);
    return undefined;
  });

  serve(app, contract.getChatSuggestions, options, async call => ({
    items: [...(await chat.suggestions(await callerOf(call)))],
  }));
  return app;
}

type Body = z.output<typeof contract.ChatRequest>;

/** Data is served of one branch, whose name is open: what is told as the default one is that. */
function checkBranch({ activeBranchName, isDefaultBranch }: Body): void {
  const isDefault = isDefaultBranch ?? (activeBranchName == null || activeBranchName === defaultBranch);
  if (!isDefault) throw notFound('Branch');
}

function askOf({ chatId, messageId, input, images }: Body, headers: Headers): ChatInput {
  return {
    chatId: chatId ?? null,
    messageId: messageId ?? null,
    input: input ?? null,
    images: images ?? [],
    lastEventId: headers.get('last-event-id'),
  };
}

function formatOf(context: Context): FrameFormat {
  const type = accepts(context, {
    header: 'Accept',
    supports: [lineFormat.contentType, eventFormat.contentType],
    default: lineFormat.contentType,
  });
  return type === eventFormat.contentType ? eventFormat : lineFormat;
}
