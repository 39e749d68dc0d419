import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type * as z from 'zod/mini';
import * as contract from '../../contract/chat.js';
import { deleteChatFeedback, setChatFeedback } from '../../contract/chat-feedback.js';
import { maxContextBytes } from '../../contract/chat-limits.js';
import type { Authenticate } from '../auth/authenticate.js';
import type { ModelTarget } from '../auth/model-target.js';
import type { ChatPrincipal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { readCall, routePath } from '../http/mount.js';
import type { RequestIdEnv } from '../http/request-id.js';
import { rejectUnstorable, serve } from '../http/serve.js';
import { eventFormat, type FrameFormat, lineFormat } from './chat-body.js';
import { createCallerResolver, type RequestedBranch, type ResolveCaller } from './chat-caller.js';
import { checkImages } from './chat-images.js';
import { mountChatProtocols } from './chat-protocol-routes.js';
import type { ChatInput, ChatService } from './chat-service.js';
import { createStreamResponder } from './stream-response.js';

/** Checks the size of the context of a message. @throws PlatformError 413 if it is too large. */
function checkContext(context: contract.ChatContext | null | undefined): void {
  if (context && Buffer.byteLength(JSON.stringify(context)) > maxContextBytes) {
    throw new PlatformError(413, `body.context: exceeds the limit of ${maxContextBytes / 1024} KB`);
  }
}

/** Dependencies of the routes of the Chat API. */
export interface ChatRoutesOptions {
  readonly db: Db;
  readonly chat: ChatService;
  readonly authenticate: Authenticate<ChatPrincipal>;
  /**
   * Returns the current version of the model of a branch.
   * @throws PlatformError 404 if the branch does not exist, 409 if its model does not compile.
   */
  readonly versionOf: (target: ModelTarget) => Promise<string>;
  /** Called with errors of a stream that has begun, unless the caller caused them. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Maximum body size for a message with images in base64. */
const maxMessageBytes = 12 * 1024 * 1024;
const maxBodyBytes = 256 * 1024;
const pageSize = { default: 50, max: 100 } as const;

/**
 * Mounts the Chat API (operations.md, Chat API; domain.md 2) and its extensions: operations on threads, and
 * suggestions. Before a stream begins, errors go to the error handler of the app; after that, they are frames of the
 * stream.
 */
export function chatRoutes({ db, chat, authenticate, versionOf, onFailure }: ChatRoutesOptions): Hono {
  const app = new Hono({ strict: false });
  const options = { authenticate, maxBodyBytes };

  const respond = createStreamResponder({ accept: task => chat.accept(task), onFailure });
  const callerOf = createCallerResolver(db);
  /** Resolves the caller of a request that is answered. Adds the current model version if the caller uses a branch. */
  const answeredCallerOf: ResolveCaller = async (...call) => {
    const caller = await callerOf(...call);
    const { deploymentId, branchName } = caller;
    return branchName === undefined
      ? caller
      : { ...caller, modelVersion: await versionOf({ deploymentId, branchName }) };
  };

  const path = routePath(contract.streamChatState);
  app.on(contract.streamChatState.method, path, async (context: Context<RequestIdEnv>) => {
    const call = await readCall(context, contract.streamChatState, { authenticate, maxBodyBytes: maxMessageBytes });
    const { body, params, request } = call;
    rejectUnstorable(params, 'path');
    rejectUnstorable(body, 'body');
    const branch = branchOf(body);
    checkImages(body.images ?? []);
    checkContext(body.context);
    const input = toChatInput(body, request.headers);
    return respond(context, {
      format: formatOf(context),
      findCaller: () => answeredCallerOf(call, body.sessionSettings ?? null, branch),
      open: caller => chat.open(caller, input),
    });
  });
  mountChatProtocols(app, { chat, authenticate, callerOf: answeredCallerOf, respond, maxBodyBytes: maxMessageBytes });

  serve(app, contract.abortChat, options, async call => {
    await chat.abort(await callerOf(call, call.body.sessionSettings ?? null), call.body.chatId);
    return undefined;
  });

  serve(app, contract.listChatThreads, options, async call => {
    const { first = pageSize.default, after = null } = call.query;
    const page = await chat.threads(await callerOf(call), { first: Math.min(first, pageSize.max), after });
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

  serve(app, setChatFeedback, options, async call => {
    const { rating, comment } = call.body;
    await chat.rate(await callerOf(call), call.params, { rating, ...(comment && { comment }) });
    return undefined;
  });

  serve(app, deleteChatFeedback, options, async call => {
    await chat.rate(await callerOf(call), call.params, null);
    return undefined;
  });

  serve(app, contract.getChatSuggestions, options, async call => ({
    items: [...(await chat.suggestions(await answeredCallerOf(call)))],
  }));
  return app;
}

type Body = z.output<typeof contract.ChatRequest>;

/** Returns the branch that a body names. @throws PlatformError 404 for a branch without a name. */
function branchOf({ activeBranchName, isDefaultBranch }: Body): RequestedBranch {
  if (isDefaultBranch === true) return null;
  if (isDefaultBranch === false && activeBranchName == null) throw notFound('Branch');
  return activeBranchName ?? undefined;
}

function toChatInput({ chatId, messageId, input, images, context }: Body, headers: Headers): ChatInput {
  return {
    chatId: chatId ?? null,
    messageId: messageId ?? null,
    input: input ?? null,
    images: images ?? [],
    context: context ?? null,
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
