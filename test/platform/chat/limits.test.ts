import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/platform/agent/agent.js';
import { defaultChatLimits } from '../../../src/platform/chat/chat-limits.js';
import { eventually } from '../../eventually.js';
import { ask, callerOf, chatIdOf, framesOf, openChatDatabase, read, startService, take } from './chat-database.js';
import { answer, gate, type Script, text } from './fake-agent.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

test.each<[string, object, Script]>([
  [
    'writes endless text',
    { outputCharacters: 1_000 },
    async function* () {
      for (;;) yield { type: 'text', id: 't', delta: 'abc' };
    },
  ],
  [
    'writes endless empty text',
    { outputCharacters: 1_000 },
    async function* () {
      for (;;) yield { type: 'text', id: 't', delta: '' };
    },
  ],
  [
    'calls tools endlessly',
    { toolCharacters: 1_000 },
    async function* () {
      for (let n = 0; ; n += 1) {
        yield { type: 'tool-call', id: `${n}`, name: 't', input: {} };
        yield { type: 'tool-result', id: `${n}`, result: { a: 'x'.repeat(300) } };
      }
    },
  ],
  [
    'starts endless messages',
    {},
    async function* () {
      for (let n = 0; ; n += 1) yield* text(`${n}`, ['x'], false);
    },
  ],
  [
    'takes endless steps',
    { steps: 5 },
    async function* () {
      for (;;) yield { type: 'step', state: {} };
    },
  ],
  [
    'takes too long',
    { runTime: 20 },
    async function* () {
      yield { type: 'text', id: 't', delta: 'x' };
      await new Promise(() => {});
    },
  ],
])('cuts off an agent that %s, and the thread remains usable', async (name, limits, script) => {
  const { service, agent, failures } = startService(store.db, limits);
  const owner = callerOf(name);
  agent.script = script;
  const frames = await read(service, owner, { input: 'x' });
  expect(frames.at(-4)).toMatchObject({ finishReason: 'length', isInProcess: false });
  expect(frames.slice(-2)).toMatchObject([{ error: expect.stringContaining('cut off') }, { id: '__usage__' }]);
  const characters = frames.filter(({ isDelta }) => isDelta).reduce((sum, { content = '' }) => sum + content.length, 0);
  expect(characters).toBeLessThanOrEqual(1_000);
  expect(agent.signals[0]?.aborted).toBe(true);
  expect(failures).toEqual([]);
  agent.script = answer;
  const next = await read(startService(store.db).service, owner, { chatId: chatIdOf(frames), input: 'y' });
  expect(next.at(-3)).toMatchObject({ finishReason: 'stop' });
});

test('truncates a single chunk at the limit', async () => {
  const { service, agent } = startService(store.db, { outputCharacters: 10 });
  agent.script = async function* () {
    yield* text('t', ['abc', 'x'.repeat(1_000_000)]);
    yield { type: 'finish', reason: 'stop' };
  };
  const frames = await read(service, callerOf('piece'), { input: 'x' });
  expect(frames.at(-4)).toMatchObject({ content: 'abcxxxxxxx', finishReason: 'length' });
});

test('limits concurrent runs per owner and per process', async () => {
  const { service, agent } = startService(store.db, { processRuns: 3, ownerRuns: 2 });
  const [ann, bob] = [callerOf('many-a'), callerOf('many-b')];
  const { opened, open } = gate();
  agent.script = async function* (turn) {
    await opened;
    yield* answer(turn);
  };
  const streams = [await service.open(ann, ask({ input: '1' })), await service.open(ann, ask({ input: '2' }))];
  await expect(service.open(ann, ask({ input: '3' }))).rejects.toMatchObject({ status: 429 });
  streams.push(await service.open(bob, ask({ input: '1' })));
  await expect(service.open(bob, ask({ input: '2' }))).rejects.toMatchObject({ status: 429 });
  expect((await service.threads(ann, { first: 10, after: null })).items).toHaveLength(2);
  open();
  await Promise.all(streams.map(framesOf));
  await read(service, bob, { input: '2' });
});

test('limits turns per thread and threads per owner', async () => {
  const { service } = startService(store.db, { threadTurns: 2, ownerThreads: 2 });
  const owner = callerOf('full');
  const chatId = chatIdOf(await read(service, owner, { input: '1' }));
  await read(service, owner, { input: '2', chatId });
  await expect(service.open(owner, ask({ input: '3', chatId }))).rejects.toMatchObject({ status: 409 });
  await read(service, owner, { input: '1' });
  await expect(service.open(owner, ask({ input: '1' }))).rejects.toMatchObject({ status: 409 });
  await service.remove(owner, chatId);
  await read(service, owner, { input: '1' });
});

test('passes as much history as fits, with only the text of older turns', async () => {
  const { service, agent } = startService(store.db, { historyTurns: 12, historyCharacters: 300 });
  const owner = callerOf('history');
  let chatId: string | null = null;
  agent.script = async function* (turn): AsyncGenerator<AgentEvent> {
    yield { type: 'tool-call', id: 'c', name: 't', input: turn.input };
    yield { type: 'tool-result', id: 'c', result: { rows: 'x'.repeat(100) } };
    yield* text('t', ['ok']);
    yield { type: 'finish', reason: 'stop' };
  };
  for (let n = 0; n < 15; n += 1) chatId = chatIdOf(await read(service, owner, { input: `n${n}`, chatId }));
  const history = agent.turns.at(-1)?.history ?? [];
  expect(history.map(({ input }) => input)).toEqual(Array.from({ length: 12 }, (_, n) => `n${n + 2}`));
  expect(history.map(({ calls }) => calls.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  const words = startService(store.db, { historyCharacters: 12 });
  await read(words.service, owner, { input: 'last', chatId });
  expect(words.agent.turns[0]?.history.map(({ input }) => input)).toEqual(['n13', 'n14']);
});

test('rejects a flood of messages from one owner before it reaches the database', async () => {
  const { service } = startService(store.db);
  const owner = callerOf('flood');
  const opened = await Promise.allSettled(
    Array.from({ length: 200 }, () => service.open(owner, ask({ input: 'x', messageId: '1700000000001-message' }))),
  );
  const refused = opened.filter(one => one.status === 'rejected');
  expect(refused).toHaveLength(150);
  expect(refused[0]?.reason).toMatchObject({ status: 429 });
});

test('serves a completed run from memory for a while, then from the store', async () => {
  const limits = { lingerTime: 0, renewEvery: 10 };
  const { service } = startService(store.db, limits);
  const owner = callerOf('linger');
  const messageId = '1700000000001-message';
  await read(service, owner, { input: 'x', messageId });
  await eventually(async () => {
    const stream = await service.open(owner, ask({ messageId }));
    const places: (string | null)[] = [];
    for await (const { id } of stream) places.push(id);
    expect(places.at(-1)).toBe(`${messageId}:0`);
  });
  const small = startService(store.db, { lingerCharacters: 5 });
  await read(small.service, callerOf('small'), { input: 'x', messageId });
  const [, echo] = await take(await small.service.open(callerOf('small'), ask({ messageId })), 2);
  expect(echo?.id).toBe(`${messageId}:0`);
});

test('has the documented limits', () => {
  expect(defaultChatLimits).toMatchObject({ ownerRuns: 3, processRuns: 400, leaseTime: 10_000, renewEvery: 3_000 });
});
