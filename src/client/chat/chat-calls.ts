import type { ChatFeedback, ChatThread } from '../../contract/chat.js';
import * as chat from '../../contract/chat.js';
import * as feedback from '../../contract/chat-feedback.js';
import { type RequestInput, request } from '../http/request.js';
import type { ChatEndpoint } from './chat-endpoint.js';
import type { ChatThreads } from './chat-service.js';

// Chat requests other than the stream, with their contract schemas. Lazy-loaded, so that the first text of a chat does
// not wait for them.

/** Stops the run of a thread. */
export async function abort(endpoint: ChatEndpoint, chatId: string): Promise<void> {
  await request(chat.abortChat, { ...inputOf(endpoint), body: { chatId } });
}

/** Returns one page of the caller's threads. */
export async function threads(
  endpoint: ChatEndpoint,
  after: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ChatThreads> {
  const query = after === undefined ? {} : { after };
  const { items, pageInfo } = await request(chat.listChatThreads, { ...inputOf(endpoint), query, signal });
  return { items, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
}

/** Renames a thread. */
export function rename(endpoint: ChatEndpoint, chatId: string, title: string): Promise<ChatThread> {
  return request(chat.renameChatThread, {
    ...inputOf(endpoint),
    params: { ...endpoint.place, chatId },
    body: { title },
  });
}

/** Deletes a thread. */
export async function remove(endpoint: ChatEndpoint, chatId: string): Promise<void> {
  await request(chat.deleteChatThread, { ...inputOf(endpoint), params: { ...endpoint.place, chatId } });
}

/** Stores feedback on the answer to a message; `null` removes it. */
export async function rate(
  endpoint: ChatEndpoint,
  message: { readonly chatId: string; readonly messageId: string },
  rated: ChatFeedback | null,
): Promise<void> {
  const input = { ...inputOf(endpoint), params: { ...endpoint.place, ...message } };
  if (rated) await request(feedback.setChatFeedback, { ...input, body: rated });
  else await request(feedback.deleteChatFeedback, input);
}

/** Returns suggested questions for an empty thread. */
export async function suggestions(endpoint: ChatEndpoint, signal: AbortSignal | undefined): Promise<readonly string[]> {
  return (await request(chat.getChatSuggestions, { ...inputOf(endpoint), signal })).items;
}

function inputOf({ place, ...endpoint }: ChatEndpoint): Omit<RequestInput<typeof chat.abortChat>, 'body' | 'query'> {
  return { ...endpoint, params: place };
}
