import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StreamFrame } from '../../../src/platform/chat/chat-service.js';
import { eventually } from '../../eventually.js';
import { ask, callerOf, chatIdOf, framesOf, openChatDatabase, Reducer, read, startService } from './chat-database.js';
import { answer, call, gate, oneCall, text } from './fake-agent.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

const id = '1700000000001-message';
const limits = { followEvery: 10, renewEvery: 20 };

async function until(stream: AsyncIterable<StreamFrame>, isIt: (placed: StreamFrame) => boolean): Promise<void> {
  for await (const placed of stream) if (isIt(placed)) return;
}

test('a run can be followed from another process to its end', async () => {
  const owner = callerOf('follow');
  const [here, there] = [startService(store.db, limits), startService(store.db, limits)];
  const { opened, open } = gate();
  here.agent.script = async function* () {
    yield* call('c1');
    yield { type: 'step', state: { done: 1 } };
    await opened;
    yield* text('t', ['All ', 'done.']);
    yield { type: 'usage', usage: oneCall };
    yield { type: 'finish', reason: 'stop' };
  };
  const own = framesOf(await here.service.open(owner, ask({ input: 'x', messageId: id })));
  const followed = new Reducer();
  for await (const { frame } of await there.service.open(owner, ask({ input: 'x', messageId: id }))) {
    if (frame.id === '__cutoff__') expect(frame.state).toMatchObject({ isStreaming: true });
    if (frame.toolCall?.result) open();
    followed.add(frame);
  }
  const direct = new Reducer();
  for (const frame of await own) direct.add(frame);
  expect(followed.thread).toEqual(direct.thread);
  expect(followed.ended).toBe(true);
  expect(there.agent.turns).toEqual([]);
});

test('a reader that switches between processes receives a consistent thread', async () => {
  const owner = callerOf('mixed');
  const [here, there] = [startService(store.db, limits), startService(store.db, limits)];
  const { opened, open } = gate();
  here.agent.script = async function* (turn) {
    yield { type: 'text', id: 't', delta: 'begun' };
    await opened;
    yield* answer(turn);
  };
  const reader = new Reducer();
  const places: (string | null)[] = [];
  await until(await here.service.open(owner, ask({ input: 'x', messageId: id })), ({ frame, id: place }) => {
    reader.add(frame);
    places.push(place);
    return frame.content === 'begun';
  });
  let lastEventId: string | null = null;
  await until(await there.service.open(owner, ask({ messageId: id, lastEventId: places.at(-1) ?? null })), placed => {
    reader.add(placed.frame);
    lastEventId = placed.id ?? lastEventId;
    return placed.frame.role === 'user';
  });
  expect(lastEventId).toBe(`${id}:0`);
  open();
  for await (const { frame } of await here.service.open(owner, ask({ messageId: id, lastEventId }))) reader.add(frame);
  const whole = new Reducer();
  for (const frame of await read(there.service, owner, { messageId: id })) whole.add(frame);
  expect(reader.thread).toEqual(whole.thread);
});

test('an abort reaches the process that runs the agent', async () => {
  const owner = callerOf('abort');
  const [here, there] = [startService(store.db, limits), startService(store.db, limits)];
  here.agent.script = async function* () {
    yield { type: 'text', id: 't', delta: 'x' };
    await new Promise(() => {});
  };
  const own = framesOf(await here.service.open(owner, ask({ input: 'x', messageId: id })));
  const followed = framesOf(await there.service.open(owner, ask({ input: 'x', messageId: id })));
  const chatId = (await there.service.threads(owner, { first: 1, after: null })).items[0]?.id ?? '';
  await eventually(() => expect(here.agent.signals).toHaveLength(1));
  await expect(there.service.open(owner, ask({ chatId, input: 'y' }))).rejects.toMatchObject({ status: 409 });
  await there.service.abort(owner, chatId);
  expect((await own).at(-2)).toMatchObject({ id: '__aborted__' });
  expect((await followed).at(-2)).toMatchObject({ id: '__aborted__' });
  await there.service.abort(owner, chatId);
  expect(here.agent.signals[0]?.aborted).toBe(true);
});

test('deleting a thread ends its run in any process', async () => {
  const owner = callerOf('delete');
  const [here, there] = [startService(store.db, limits), startService(store.db, limits)];
  here.agent.script = async function* () {
    yield { type: 'text', id: 't', delta: 'x' };
    await new Promise(() => {});
  };
  const own = framesOf(await here.service.open(owner, ask({ input: 'x', messageId: id })));
  const followed = framesOf(await there.service.open(owner, ask({ messageId: id })));
  const chatId = (await there.service.threads(owner, { first: 1, after: null })).items[0]?.id ?? '';
  await eventually(() => expect(here.agent.signals).toHaveLength(1));
  await there.service.remove(owner, chatId);
  await own;
  expect((await followed).slice(-2)).toMatchObject([{ error: 'The thread was deleted.' }, { id: '__usage__' }]);
  expect(here.agent.signals[0]?.aborted).toBe(true);
  expect(here.failures).toEqual([]);
});

test('identical sends to two processes share one run, and the runs of an owner are counted across processes', async () => {
  const owner = callerOf('both');
  const [here, there] = [startService(store.db, limits), startService(store.db, limits)];
  const { opened, open } = gate();
  for (const { agent } of [here, there]) {
    agent.script = async function* (turn) {
      await opened;
      yield* answer(turn);
    };
  }
  const streams = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      (n % 2 ? here : there).service.open(owner, ask({ input: 'x', messageId: id })),
    ),
  );
  await here.service.open(owner, ask({ input: 'two' }));
  await there.service.open(owner, ask({ input: 'three' }));
  await expect(here.service.open(owner, ask({ input: 'four' }))).rejects.toMatchObject({ status: 429 });
  await eventually(() => expect(here.agent.turns.length + there.agent.turns.length).toBe(3));
  open();
  const all = await Promise.all(streams.map(framesOf));
  expect(new Set(all.map(chatIdOf)).size).toBe(1);
  for (const frames of all) expect(frames.at(-1)).toMatchObject({ usage: oneCall });
});
