import type { ChatThread } from '../../contract/chat.js';
import * as chat from '../../contract/chat.js';
import { type RequestInput, request } from '../http/request.js';
import type { ChatEndpoint } from './chat-endpoint.js';
import type { ChatThreads } from './chat-service.js';

// What a chat asks beside its stream, the contract's schemas with it: a chunk of its own, which the first words need not wait for.

/** Stops the run of a thread. */
export async function abort(door: ChatEndpoint, chatId: string): Promise<void> {
  await request(chat.abortChat, { ...inputOf(door), body: { chatId } });
}

/** One page of the caller's threads. */
export async function threads(
  door: ChatEndpoint,
  after: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ChatThreads> {
  const query = after === undefined ? {} : { after };
  const { items, pageInfo } = await request(chat.listChatThreads, { ...inputOf(door), query, signal });
  return { items, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
}

/** Renames a thread. */
export function rename(door: ChatEndpoint, chatId: string, title: string): Promise<ChatThread> {
  return request(chat.renameChatThread, { ...inputOf(door), params: { ...door.place, chatId }, body: { title } });
}

/** Deletes a thread. */
export async function remove(door: ChatEndpoint, chatId: string): Promise<void> {
  await request(chat.deleteChatThread, { ...inputOf(door), params: { ...door.place, chatId } });
}

/** Questions for an empty thread. */
export async function suggestions(door: ChatEndpoint, signal: AbortSignal | undefined): Promise<readonly string[]> {
  return (await request(chat.getChatSuggestions, { ...inputOf(door), signal })).items;
}

function inputOf({ place, ...door }: ChatEndpoint): Omit<RequestInput<typeof chat.abortChat>, 'body' | 'query'> {
  return { ...door, params: place };
}
