import { PaConnectionError, PaError } from '../errors.js';
import { untilAborted } from '../http/fetch.js';
import { type ChatOptions, readStream, resolveChatEndpoint, type WithChatEndpoint } from './chat-endpoint.js';
import type { ChatService, StreamAsk, StreamOptions } from './chat-service.js';

export type { ChatOptions } from './chat-endpoint.js';

type Calls = typeof import('./chat-calls.js');

/**
 * Opens the Chat API of one agent. Sends no request.
 * @throws {PaError} `invalid_options` if the options name no session or proxy, or no agent.
 */
export function openChat(options: ChatOptions): ChatService {
  const withEndpoint = resolveChatEndpoint(options);
  return {
    stream: (ask, streamOptions) => stream(withEndpoint, ask, streamOptions),
    abort: async chatId => {
      const calls = await loadCalls();
      await withEndpoint(endpoint => calls.abort(endpoint, chatId));
    },
    threads: async (page = {}) => {
      const calls = await loadCalls();
      return unlessMissing(null, () => withEndpoint(endpoint => calls.threads(endpoint, page.after, page.signal)));
    },
    rename: async (chatId, title) => {
      const calls = await loadCalls();
      return withEndpoint(endpoint => calls.rename(endpoint, chatId, title));
    },
    remove: async chatId => {
      const calls = await loadCalls();
      await withEndpoint(endpoint => calls.remove(endpoint, chatId));
    },
    rate: async (chatId, messageId, feedback) => {
      const calls = await loadCalls();
      await withEndpoint(async endpoint => {
        // Services with another dialect do not have this operation.
        if (!endpoint.dialect) await calls.rate(endpoint, { chatId, messageId }, feedback);
      });
    },
    suggestions: async ({ signal } = {}) => {
      const calls = await loadCalls();
      return unlessMissing<readonly string[]>([], () => withEndpoint(endpoint => calls.suggestions(endpoint, signal)));
    },
  };
}

/**
 * Reads the stream of an answer. If the session is rejected in the meantime, renews it and resumes the stream after the
 * last event.
 */
function stream(withEndpoint: WithChatEndpoint, ask: StreamAsk, options: StreamOptions): Promise<void> {
  let { lastEventId } = ask;
  const onFrame: StreamOptions['onFrame'] = (frame, eventId) => {
    lastEventId = eventId ?? lastEventId;
    options.onFrame(frame, eventId);
  };
  const opened = withEndpoint(endpoint => readStream(endpoint, { ...ask, lastEventId }, { ...options, onFrame }));
  return untilAborted(opened, options.signal);
}

async function loadCalls(): Promise<Calls> {
  try {
    return await import('./chat-calls.js');
  } catch {
    throw new PaConnectionError(
      'Could not load a part of pa-embed. Check the network, and that the page serves all files of pa-embed.',
    );
  }
}

/** Returns the result of the call, or `missing` if the service does not implement the endpoint. */
async function unlessMissing<T>(missing: T, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PaError && (error.status === 404 || error.status === 405)) return missing;
    throw error;
  }
}
