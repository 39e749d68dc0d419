import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatFeedback } from '../../../src/contract/chat.js';
import type { ChatCaller, ChatService } from '../../../src/platform/chat/chat-service.js';
import { chatFeedback } from '../../../src/platform/db/schema.js';
import { callerOf, chatIdOf, openChatDatabase, read, startService } from './chat-database.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
let service: ChatService;
beforeAll(async () => {
  store = await openChatDatabase();
  ({ service } = startService(store.db));
});
afterAll(() => store.stop());

let sent = 0;
/** Sends a question in a new thread, or in an existing one. */
async function asked(owner: ChatCaller, chatId: string | null = null) {
  const messageId = `${1_700_000_000_000 + ++sent}-message`;
  return { messageId, chatId: chatIdOf(await read(service, owner, { input: 'How many?', chatId, messageId })) };
}

/** Returns the feedback in the frames of a thread, by message. */
async function feedbackIn(owner: ChatCaller, chatId: string): Promise<(ChatFeedback | undefined)[]> {
  const frames = await read(service, owner, { chatId });
  return frames.filter(({ role }) => role === 'user').map(({ feedback }) => feedback);
}

test('feedback is returned with its message when the thread is read, and can be changed and removed', async () => {
  const owner = callerOf('ann');
  const first = await asked(owner);
  const second = await asked(owner, first.chatId);
  const { chatId } = first;
  expect(await feedbackIn(owner, chatId)).toEqual([undefined, undefined]);
  await service.rate(owner, second, { rating: 'up' });
  expect(await feedbackIn(owner, chatId)).toEqual([undefined, { rating: 'up' }]);
  await service.rate(owner, second, { rating: 'down', comment: 'Too many.' });
  await service.rate(owner, { ...first, chatId: chatId.toUpperCase() }, { rating: 'up' });
  expect(await feedbackIn(owner, chatId)).toEqual([{ rating: 'up' }, { rating: 'down', comment: 'Too many.' }]);
  await service.rate(owner, second, { rating: 'down' });
  expect(await feedbackIn(owner, chatId)).toEqual([{ rating: 'up' }, { rating: 'down' }]);
  for (let time = 0; time < 2; time += 1) await service.rate(owner, second, null);
  expect(await feedbackIn(owner, chatId)).toEqual([{ rating: 'up' }, undefined]);
});

test('the same feedback again changes nothing, also if it is sent concurrently', async () => {
  const owner = callerOf('bea');
  const message = await asked(owner);
  const stored = () => store.db.select().from(chatFeedback).orderBy(chatFeedback.turnId);
  const feedback = { rating: 'down', comment: 'No.' } as const;
  await Promise.all([1, 2, 3].map(() => service.rate(owner, message, feedback)));
  const before = await stored();
  await service.rate(owner, message, feedback);
  expect(await stored()).toEqual(before);
  await service.rate(owner, message, { rating: 'down' });
  expect(await stored()).not.toEqual(before);
});

test('only the owner of a thread can rate its messages, and only in this thread', async () => {
  const owner = callerOf('cleo');
  const message = await asked(owner);
  const other = await asked(callerOf('other'));
  for (const [caller, rated] of [
    [callerOf('other'), message],
    [{ ...owner, embedTenantId: 1, ownerKey: 'cleo of another tenant' }, message],
    [owner, { ...message, chatId: other.chatId }],
    [owner, { ...message, messageId: other.messageId }],
    [owner, { ...message, chatId: 'not-a-uuid' }],
  ] as const) {
    await expect(service.rate(caller, rated, { rating: 'up' })).rejects.toMatchObject({ status: 404 });
    await expect(service.rate(caller, rated, null)).rejects.toMatchObject({ status: 404 });
  }
  const denied = { ...owner, deniedThreads: new Set([message.chatId]) };
  await expect(service.rate(denied, message, { rating: 'up' })).rejects.toMatchObject({ status: 403 });
  expect(await feedbackIn(owner, message.chatId)).toEqual([undefined]);
});

test('feedback is deleted with its thread', async () => {
  const owner = callerOf('dora');
  const message = await asked(owner);
  const before = await store.db.$count(chatFeedback);
  await service.rate(owner, message, { rating: 'up' });
  expect(await store.db.$count(chatFeedback)).toBe(before + 1);
  await service.remove(owner, message.chatId);
  expect(await store.db.$count(chatFeedback)).toBe(before);
});
