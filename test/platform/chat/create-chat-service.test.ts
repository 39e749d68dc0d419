import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatFrame, FinishReason } from '../../../src/contract/chat.js';
import type { AgentEvent } from '../../../src/platform/agent/agent.js';
import { eventually } from '../../eventually.js';
import {
  ask,
  callerOf,
  chatIdOf,
  framesOf,
  openChatDatabase,
  Reducer,
  read,
  startService,
  take,
} from './chat-database.js';
import { answer, gate, oneCall, text } from './fake-agent.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

const ann = callerOf('ann');
const id = '1700000000001-message';
const cut = async function* (): AsyncGenerator<AgentEvent> {
  yield* text('t', ['Half'], true);
  throw new Error('secret detail');
};

describe('sending', () => {
  test('streams the frames in chronological order', async () => {
    const { service } = startService(store.db);
    const frames = await read(service, callerOf('facts'), { input: 'hello\nthere', messageId: id });
    const chatId = chatIdOf(frames);
    const at = { graphPath: ['data_analyst_agent'], role: 'assistant', isDelta: true, isInProcess: true } as const;
    const whole = { role: 'assistant', isDelta: false, isInProcess: false } as const;
    const tool = { role: 'assistant', isDelta: false, graphPath: ['data_analyst_agent', 'tools'], sort: 1002 } as const;
    expect(frames).toMatchObject([
      { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId, isStreaming: true } },
      { id, role: 'user', content: 'hello\nthere', isDelta: false, sort: 1000, createdAt: expect.any(String) },
      { ...at, thinking: 'Hm', sort: 1001 },
      { ...at, content: 'Let me ', sort: 1001 },
      { ...at, content: 'look.', sort: 1001 },
      { ...whole, content: 'Let me look.', thinking: 'Hm', graphPath: ['data_analyst_agent'], sort: 1001 },
      { ...tool, isInProcess: true, toolCall: { name: 'dataQuery', input: '{"q":"c1"}' } },
      { ...tool, isInProcess: false, toolCall: { name: 'dataQuery', input: '{"q":"c1"}', result: '{"rows":"c1"}' } },
      { ...at, content: 'You said ', sort: 1003 },
      { ...at, content: 'hello\nthere', sort: 1003 },
      { ...at, content: '.', sort: 1003 },
      { ...whole, content: 'You said hello\nthere.', graphPath: ['final'], finishReason: 'stop', sort: 1003 },
      {
        id: '__state__',
        state: {
          messages: [
            { lc: 1, type: 'constructor', id: expect.any(Array), kwargs: { content: 'hello\nthere' } },
            { lc: 1, type: 'constructor', id: expect.any(Array), kwargs: { content: 'You said hello\nthere.' } },
          ],
        },
      },
      { id: '__usage__', type: 'usage', usage: oneCall },
    ]);
    expect(frames[6]?.toolCall).not.toHaveProperty('result');
    expect(frames[6]?.id).toBe(frames[7]?.id);
    const page = await service.threads(callerOf('facts'), { first: 10, after: null });
    expect(page.items).toMatchObject([{ id: chatId, title: 'hello', isStreaming: false }]);
  });

  test('continues a thread with its history and without replaying it', async () => {
    const { service, agent } = startService(store.db);
    const chatId = chatIdOf(await read(service, ann, { input: 'one' }));
    const frames = await read(service, ann, { input: 'two', chatId });
    expect(frames[0]?.id).toBe('__cutoff__');
    expect(frames[1]).toMatchObject({ role: 'user', content: 'two', sort: 2000 });
    expect(agent.turns[1]).toMatchObject({
      input: 'two',
      resumeFrom: null,
      history: [
        {
          input: 'one',
          answer: 'You said one.',
          calls: [{ name: 'dataQuery', input: { q: 'c1' }, result: { rows: 'c1' } }],
        },
      ],
    });
  });

  test('creates increasing ids, regardless of ids from clients with a wrong clock', async () => {
    const now = () => new Date(1_800_000_000_000);
    const { service } = startService(store.db, {}, { now });
    const owner = callerOf('skewed');
    const ids: (string | undefined)[] = [];
    let chatId: string | null = null;
    for (const messageId of [null, null, '99999999999999999999-message', null, '1000000000000-message', null]) {
      const frames = await read(service, owner, { input: 'hi', chatId, messageId });
      chatId = chatIdOf(frames);
      if (messageId === null) ids.push(frames[1]?.id);
    }
    expect(ids).toEqual([0, 1, 2, 3].map(n => `${1_800_000_000_000 + n}-message`));
  });

  test.each([
    [{}, 400],
    [{ input: '  \n' }, 400],
    [{ chatId: 'no-such-thread' }, 404],
    [{ chatId: 'no-such-thread', input: 'hi' }, 404],
    [{ chatId: '6b1f5fd0-0000-4000-8000-000000000000', input: 'hi' }, 404],
    [{ messageId: '1600000000000-message' }, 404],
  ])('rejects %j with %i', async (parts, status) => {
    const { service, agent } = startService(store.db);
    await expect(service.open(ann, ask(parts))).rejects.toMatchObject({ status });
    expect(agent.turns).toEqual([]);
  });

  test('accepts text that the database cannot store, and messages with only images, and returns both', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('odd');
    const images = [{ mimeType: 'image/png', data: 'AAAA', name: 'chart.png' }] as const;
    const odd = { input: 'a\0b\uD800', messageId: id };
    const chatId = chatIdOf(await read(service, owner, odd));
    await read(service, owner, { chatId, images });
    await read(service, owner, odd);
    expect(agent.turns).toHaveLength(2);
    expect(agent.turns[1]).toMatchObject({ input: '', images });
    const back = await read(service, owner, { chatId });
    expect(back.filter(({ role }) => role === 'user')).toMatchObject([{ content: 'a\uFFFDb\uFFFD' }, { images }]);
  });

  test('stores any agent output unchanged', async () => {
    const { service, agent, failures } = startService(store.db);
    const odd = 'a\0b\uD800 \\u0000 {"},NULL \u2028';
    agent.script = async function* () {
      yield { type: 'tool-call', id: odd, name: odd, input: { [odd]: odd } };
      yield { type: 'tool-result', id: odd, result: { [odd]: odd } };
      yield { type: 'step', state: { [odd]: odd } };
      yield* text(odd, [odd, odd]);
      yield { type: 'finish', reason: 'failed', message: odd };
    };
    const frames = await read(service, ann, { input: 'x' });
    const back = await read(service, ann, { chatId: chatIdOf(frames) });
    const whole = frames.filter(({ isInProcess, role }) => isInProcess === false && role === 'assistant');
    expect(back.slice(1, 3)).toEqual(whole);
    expect(whole[1]?.content).toBe(odd + odd);
    expect(failures).toEqual([]);
  });

  test('reports a failed agent without details and accepts the next message', async () => {
    const { service, agent, failures } = startService(store.db);
    agent.script = cut;
    const frames = await read(service, ann, { input: 'x' });
    expect(frames.at(-4)).toMatchObject({ content: 'Half', finishReason: 'failed', isInProcess: false });
    expect(frames.slice(-3)).toMatchObject([
      { id: '__state__' },
      { error: 'The answer failed. Send the message again.' },
      { id: '__usage__', usage: { models: [], totalTokens: 0 } },
    ]);
    expect(failures).toMatchObject([{ message: 'secret detail' }]);
    expect(JSON.stringify(frames)).not.toContain('secret');
    const chatId = chatIdOf(frames);
    const back = await read(service, ann, { chatId });
    expect(back.at(-4)).toMatchObject({ content: 'Half', finishReason: 'failed' });
    agent.script = answer;
    expect((await read(service, ann, { chatId, input: 'y' })).at(-1)).toMatchObject({ usage: oneCall });
  });

  test.each<[string, () => AsyncGenerator<AgentEvent>]>([
    ['ends without a word', async function* () {}],
    [
      'sends what is no JSON',
      async function* () {
        yield { type: 'tool-call', id: 'c', name: 't', input: 1n };
      },
    ],
    [
      'says that it failed',
      async function* () {
        yield { type: 'finish', reason: 'failed', message: 'No model today.' };
      },
    ],
  ])('an agent that %s has failed, which is reported in an empty message', async (_, script) => {
    const { service, agent } = startService(store.db);
    agent.script = script;
    const frames = await read(service, ann, { input: 'x' });
    expect(frames.slice(2)).toMatchObject([
      { role: 'assistant', content: '', finishReason: FinishReason.failed, isInProcess: false },
      { id: '__state__' },
      { error: expect.any(String) },
      { id: '__usage__' },
    ]);
    const back = await read(service, ann, { chatId: chatIdOf(frames) });
    expect(back.slice(0, 2)).toMatchObject([{ role: 'user' }, { content: '', finishReason: FinishReason.failed }]);
  });
});

describe('joining', () => {
  test('20 identical sends share one run, and each receives the complete stream', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('twenty');
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => service.open(owner, ask({ input: 'same', messageId: id }))),
    );
    const all = await Promise.all(streams.map(framesOf));
    expect(agent.turns).toHaveLength(1);
    const threads = all.map(frames => {
      const reducer = new Reducer();
      for (const frame of frames) reducer.add(frame);
      expect(frames.at(-1)).toMatchObject({ id: '__usage__', usage: oneCall });
      return reducer.thread;
    });
    expect(new Set(threads.map(thread => JSON.stringify(thread))).size).toBe(1);
  });

  test('a reconnecting reader receives the thread, the turn so far and new frames', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('back');
    const chatId = chatIdOf(await read(service, owner, { input: 'first' }));
    const { opened, open } = gate();
    agent.script = async function* () {
      yield { type: 'text', id: 't', delta: 'one ' };
      yield { type: 'text', id: 't', delta: 'two ' };
      await opened;
      yield { type: 'text', id: 't', delta: 'three' };
      yield { type: 'text-end', id: 't', final: true };
      yield { type: 'finish', reason: 'stop' };
    };
    await take(await service.open(owner, ask({ chatId, input: 'second', messageId: id })), 4);
    const again = await service.open(owner, ask({ chatId, messageId: id }));
    const before = await read(service, owner, { chatId });
    expect(before.slice(4)).toMatchObject([
      { id: '__cutoff__', state: { chatId, isStreaming: true } },
      { id, role: 'user' },
      { content: 'one two ', isDelta: false, isInProcess: true },
      { id: '__state__' },
      { id: '__usage__', usage: { totalTokens: 0 } },
    ]);
    const frames: ChatFrame[] = [];
    for await (const { frame } of again) {
      frames.push(frame);
      if (frame.content === 'one two ') open();
    }
    expect(frames.map(({ id: frameId, content }) => content ?? frameId)).toEqual([
      'first',
      'Let me look.',
      expect.stringMatching(/^1\.1\./),
      'You said first.',
      '__cutoff__',
      'second',
      'one two ',
      'three',
      'one two three',
      '__state__',
      '__usage__',
    ]);
    expect(frames[6]).toMatchObject({ isDelta: false, isInProcess: true });
    expect(frames[3]).toMatchObject({ finishReason: 'stop' });
  });

  test('a reader with a last event id receives only later frames', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('placed');
    const { opened, open } = gate();
    agent.script = async function* () {
      yield { type: 'text', id: 't', delta: 'one' };
      await opened;
      yield { type: 'text', id: 't', delta: ' two' };
      yield { type: 'text-end', id: 't', final: true };
      yield { type: 'finish', reason: 'stop' };
    };
    const first = await take(await service.open(owner, ask({ input: 'x', messageId: id })), 3);
    open();
    const lastEventId = first[2]?.id ?? null;
    const rest = await framesOf(await service.open(owner, ask({ messageId: id, lastEventId })));
    expect(rest[0]?.id).toBe('__cutoff__');
    expect(rest.some(({ role }) => role === 'user')).toBe(false);
    expect(rest.at(-3)).toMatchObject({ content: 'one two', isDelta: false });
    for (const unknown of [`${id}:0`, `${id}:999999999999`, `${id}:x`, '1-message:1', 'x']) {
      const whole = await framesOf(await service.open(owner, ask({ messageId: id, lastEventId: unknown })));
      expect(whole.slice(0, 2)).toMatchObject([{ id: '__cutoff__' }, { id, role: 'user' }]);
    }
  });

  test('an answered message is read from the store and is not answered again', async () => {
    const owner = callerOf('again');
    const one = startService(store.db);
    const frames = await read(one.service, owner, { input: 'x', messageId: id });
    const two = startService(store.db);
    const stream = await two.service.open(owner, ask({ input: 'x', messageId: id, chatId: chatIdOf(frames) }));
    const again: { id: string | null }[] = [];
    const [live, stored] = [new Reducer(), new Reducer()];
    for (const frame of frames) live.add(frame);
    for await (const placed of stream) {
      again.push(placed);
      stored.add(placed.frame);
    }
    expect(stored.thread).toEqual(live.thread);
    expect(again.slice(1).every(placed => placed.id === `${id}:0`)).toBe(true);
    expect(again.at(-1)).toMatchObject({ frame: { id: '__usage__', usage: oneCall } });
    expect(two.agent.turns).toEqual([]);
  });

  test('rejects a message id that was used for another message, and a second message in a busy thread', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('busy');
    const { opened, open } = gate();
    agent.script = async function* (turn) {
      await opened;
      yield* answer(turn);
    };
    const stream = await service.open(owner, ask({ input: 'x', messageId: id }));
    const chatId = chatIdOf((await take(stream, 1)).map(({ frame }) => frame));
    const images = [{ mimeType: 'image/png', data: 'AAAA' }] as const;
    await expect(service.open(owner, ask({ input: 'other', messageId: id }))).rejects.toMatchObject({ status: 409 });
    await expect(service.open(owner, ask({ input: 'x', images, messageId: id }))).rejects.toMatchObject({
      status: 409,
    });
    await expect(service.open(owner, ask({ input: 'y', chatId }))).rejects.toMatchObject({
      status: 409,
      message: 'Streaming for thread is in progress',
    });
    open();
    await read(service, owner, { messageId: id });
    expect(agent.turns).toHaveLength(1);
  });

  test('a waiting reader that disconnects is released immediately, and the run continues', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('waiting');
    const { opened, open } = gate();
    agent.script = async function* (turn) {
      await opened;
      yield* answer(turn);
    };
    const reader = (await service.open(owner, ask({ input: 'x', messageId: id })))[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    const waiting = reader.next();
    await reader.return?.();
    expect(await waiting).toMatchObject({ done: true });
    open();
    expect((await read(service, owner, { messageId: id })).at(-1)).toMatchObject({ usage: oneCall });
    expect(agent.signals[0]?.aborted).toBe(true);
    expect((await read(service, owner, { messageId: id })).at(-3)).toMatchObject({ finishReason: 'stop' });
  });
});

describe('stopping', () => {
  test('an abort ends the run for all readers, stores partial output and is idempotent', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('stop');
    agent.script = async function* (_, { signal }) {
      yield { type: 'text', id: 't', delta: 'Half an' };
      yield { type: 'tool-call', id: 'c', name: 'dataQuery', input: {} };
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const stream = await service.open(owner, ask({ input: 'x', messageId: id }));
    const frames = framesOf(stream);
    await eventually(() => expect(agent.turns).toHaveLength(1));
    const chatId = (await service.threads(owner, { first: 1, after: null })).items[0]?.id ?? '';
    await expect(service.abort(ann, chatId)).rejects.toMatchObject({ status: 403 });
    await expect(service.abort(owner, 'none')).rejects.toMatchObject({ status: 404 });
    await eventually(async () => expect(await read(service, owner, { chatId })).toHaveLength(6));
    await service.abort(owner, chatId);
    await service.abort(owner, chatId);
    const received = await frames;
    expect(received.slice(-3)).toMatchObject([
      { id: '__state__' },
      { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: expect.any(String) },
      { id: '__usage__' },
    ]);
    expect(received.filter(({ isInProcess }) => isInProcess).map(frame => frame.id)).toEqual(
      expect.arrayContaining([received.find(frame => frame.toolCall)?.id]),
    );
    expect(received.at(-4)).toMatchObject({ finishReason: 'aborted' });
    const back = await read(service, owner, { chatId });
    expect(back.slice(1, 4)).toMatchObject([
      { content: 'Half an', isInProcess: false },
      { toolCall: { result: expect.stringContaining('error') }, isInProcess: false },
      { content: '', finishReason: 'aborted' },
    ]);
    agent.script = answer;
    expect((await read(service, owner, { chatId, input: 'next' })).at(-1)).toMatchObject({ usage: oneCall });
  });

  test('an abort does not wait for an agent that ignores the signal', async () => {
    const { service, agent } = startService(store.db);
    const owner = callerOf('deaf');
    agent.script = async function* () {
      yield { type: 'text', id: 't', delta: 'x' };
      await new Promise(() => {});
    };
    const frames = framesOf(await service.open(owner, ask({ input: 'x' })));
    const [thread] = (await service.threads(owner, { first: 1, after: null })).items;
    expect(thread).toMatchObject({ isStreaming: true });
    await service.abort(owner, thread?.id ?? '');
    expect((await frames).at(-2)).toMatchObject({ id: '__aborted__' });
  });
});
