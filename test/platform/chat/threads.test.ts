import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, callerOf, chatIdOf, framesOf, openChatDatabase, read, startService } from './chat-database.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

test('lists threads in pages, most recently used first', async () => {
  const { service } = startService(store.db);
  const owner = callerOf('pages');
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift(chatIdOf(await read(service, owner, { input: `thread ${n}` })));
  const oldest = ids.pop() ?? '';
  await read(service, owner, { input: 'more', chatId: oldest });
  const expected = [oldest, ...ids];
  const found: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 3; page += 1) {
    const { items, hasNextPage, endCursor } = await service.threads(owner, { first: 2, after });
    found.push(...items.map(({ id }) => id));
    expect(hasNextPage).toBe(page < 2);
    after = endCursor;
  }
  expect(found).toEqual(expected);
  expect(await service.threads(callerOf('nobody'), { first: 2, after: null })).toEqual({
    items: [],
    hasNextPage: false,
    endCursor: null,
  });
});

const madeUp = ['1 x y', '-1 a', '999999999999999 00000000-0000-0000-0000-000000000000'];
test.each(['x', '', ...madeUp.map(text => Buffer.from(text).toString('base64url'))])(
  'rejects the cursor "%s"',
  async after => {
    const { service } = startService(store.db);
    await expect(service.threads(callerOf('c'), { first: 2, after })).rejects.toMatchObject({ status: 400 });
  },
);

test('a forged cursor reveals nothing', async () => {
  const { service } = startService(store.db);
  const after = Buffer.from(`${Date.now() + 1_000_000} not-a-uuid`).toString('base64url');
  expect((await service.threads(callerOf('made-up'), { first: 2, after })).items).toEqual([]);
});

test('only its owner can rename and delete a thread', async () => {
  const { service } = startService(store.db);
  const [owner, other] = [callerOf('owner'), callerOf('other')];
  const messageId = '1700000000001-message';
  const chatId = chatIdOf(await read(service, owner, { input: 'mine', messageId }));
  await expect(service.rename(other, chatId, 'theirs')).rejects.toMatchObject({ status: 404 });
  await expect(service.remove(other, chatId)).rejects.toMatchObject({ status: 404 });
  await expect(service.abort(other, chatId)).rejects.toMatchObject({ status: 403 });
  for (const parts of [{ chatId }, { chatId, input: 'x' }, { chatId, messageId }, { messageId }]) {
    await expect(service.open(other, ask(parts))).rejects.toMatchObject({ status: 404 });
  }
  expect(await service.rename(owner, chatId, 'Ours\0')).toMatchObject({
    id: chatId,
    title: 'Ours',
    isStreaming: false,
  });
  await service.remove(owner, chatId);
  await expect(service.remove(owner, chatId)).rejects.toMatchObject({ status: 404 });
  await expect(service.rename(owner, chatId, 'x')).rejects.toMatchObject({ status: 404 });
  await expect(service.abort(owner, chatId)).rejects.toMatchObject({ status: 404 });
  await expect(service.open(owner, ask({ chatId }))).rejects.toMatchObject({ status: 404 });
});

test('deleting a thread stops its run', async () => {
  const { service, agent, failures } = startService(store.db);
  const owner = callerOf('delete');
  agent.script = async function* () {
    yield { type: 'text', id: 't', delta: 'x' };
    await new Promise(() => {});
  };
  const stream = await service.open(owner, ask({ input: 'x' }));
  const [thread] = (await service.threads(owner, { first: 1, after: null })).items;
  await service.remove(owner, thread?.id ?? '');
  const frames = await framesOf(stream);
  expect(frames.at(-2)).toMatchObject({ id: '__aborted__' });
  expect(agent.signals.every(signal => signal.aborted)).toBe(true);
  expect(failures).toEqual([]);
});

test('a title is the truncated first line', async () => {
  const { service } = startService(store.db);
  const owner = callerOf('titles');
  const image = { mimeType: 'image/png', data: 'AAAA', name: 'chart.png' } as const;
  await read(service, owner, { input: `\n  ${'😀'.repeat(100)}\nsecond` });
  await read(service, owner, { images: [image] });
  await read(service, owner, { images: [{ mimeType: 'image/png', data: 'AAAA' }] });
  const { items } = await service.threads(owner, { first: 10, after: null });
  expect(items.map(({ title }) => title)).toEqual(['Image', 'chart.png', '😀'.repeat(40)]);
});

test('suggestions come from the agent in the language of the caller', async () => {
  const { service } = startService(store.db);
  expect(await service.suggestions({ ...callerOf('s'), locale: 'de' })).toEqual(['What is new? (de)']);
});

test('a thread denied by a policy is closed to its owner, by its id and by a message id in it (spec 2.8)', async () => {
  const { service } = startService(store.db);
  const owner = callerOf('denied');
  const messageId = `${Date.now()}-message`;
  const denied = chatIdOf(await read(service, owner, { input: 'denied', messageId }));
  const open = chatIdOf(await read(service, owner, { input: 'open' }));
  const caller = { ...owner, deniedThreads: new Set([denied]) };
  for (const asked of [
    { chatId: denied },
    { chatId: denied.toUpperCase() },
    { chatId: denied, input: 'more' },
    { messageId },
    { messageId, input: 'denied' },
  ]) {
    await expect(service.open(caller, ask(asked)), JSON.stringify(asked)).rejects.toMatchObject({ status: 403 });
  }
  await expect(service.abort(caller, denied)).rejects.toMatchObject({ status: 403 });
  await expect(service.rename(caller, denied, 'x')).rejects.toMatchObject({ status: 403 });
  await expect(service.remove(caller, denied)).rejects.toMatchObject({ status: 403 });
  expect((await service.threads(caller, { first: 10, after: null })).items.map(({ id }) => id)).toEqual([open]);
  expect((await service.threads(owner, { first: 10, after: null })).items).toHaveLength(2);
});
