import { PaConnectionError, PaError } from '../errors.js';
import { untilAborted } from '../http/fetch.js';
import { type ChatOptions, readStream, resolveChatEndpoint, type WithChatEndpoint } from './chat-endpoint.js';
import type { ChatService, StreamAsk, StreamOptions } from './chat-service.js';

export type { ChatOptions } from './chat-endpoint.js';

type Calls = typeof import('./chat-calls.js');

/**
 * The Chat API of one agent. Nothing is sent yet.
 * @throws PaError `invalid_options` where it isn't said whom to ask, and as whom.
 */
export function openChat(options: ChatOptions): ChatService {
  const enter = resolveChatEndpoint(options);
  return {
    stream: (ask, streamOptions) => stream(enter, ask, streamOptions),
    abort: async chatId => {
      const calls = await loadCalls();
      await enter(door => calls.abort(door, chatId));
    },
    threads: async (page = {}) => {
      const calls = await loadCalls();
      return unlessMissing(null, () => enter(door => calls.threads(door, page.after, page.signal)));
    },
    rename: async (chatId, title) => {
      const calls = await loadCalls();
      return enter(door => calls.rename(door, chatId, title));
    },
    remove: async chatId => {
      const calls = await loadCalls();
      await enter(door => calls.remove(door, chatId));
    },
    suggestions: async ({ signal } = {}) => {
      const calls = await loadCalls();
      return unlessMissing<readonly string[]>([], () => enter(door => calls.suggestions(door, signal)));
    },
  };
}

/** A session that is refused in the middle of an answer is renewed, and the answer gone on with from where it stood. */
function stream(enter: WithChatEndpoint, ask: StreamAsk, options: StreamOptions): Promise<void> {
  let { lastEventId } = ask;
  const onFrame: StreamOptions['onFrame'] = (frame, eventId) => {
    lastEventId = eventId ?? lastEventId;
    options.onFrame(frame, eventId);
  };
  const opened = enter(door => readStream(door, { ...ask, lastEventId }, { ...options, onFrame }));
  return untilAborted(opened, options.signal);
}

async function loadCalls(): Promise<Calls> {
  try {
    return await import('./chat-calls.js');
  } catch {
    throw new PaConnectionError('A part of pa-embed could not be loaded: check the network and what the page serves.');
  }
}

/** The answer, or what stands for it with a service that has no such address. */
async function unlessMissing<T>(missing: T, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PaError && (error.status === 404 || error.status === 405)) return missing;
    throw error;
  }
}
