import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StreamReducer } from '../../../src/client/chat/reduce.js';
import type { AgentEvent, AgentTurn } from '../../../src/platform/agent/agent.js';
import type { ChatCaller, ChatService } from '../../../src/platform/chat/chat-service.js';
import { chatTurns } from '../../../src/platform/db/schema.js';
import { eventually } from '../../eventually.js';
import { ask, callerOf, chatIdOf, framesOf, openChatDatabase, read, startService } from './chat-database.js';
import { answer, call, gate, oneCall, text } from './fake-agent.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());

const twice = { ...oneCall, llmCalls: 2, totalTokens: 14 };
const id = '1700000000001-message';

/** Runs two steps. The second one waits before it starts. */
function twoSteps(opened: Promise<void>) {
  return async function* (turn: AgentTurn): AsyncGenerator<AgentEvent> {
    if (turn.resumeFrom === null) {
      yield* call('c1');
      yield { type: 'usage', usage: oneCall };
      yield { type: 'step', state: { done: 1 } };
    }
    yield { type: 'text', id: 't', delta: 'Half' };
    await opened;
    yield* text('t', [' of it.']);
    yield { type: 'usage', usage: oneCall };
    yield { type: 'finish', reason: 'stop' };
  };
}

async function expireLease(owner: ChatCaller, age = '1 second'): Promise<void> {
  await store.db
    .update(chatTurns)
    .set({ leaseExpiresAt: sql`clock_timestamp() - ${age}::interval` })
    .where(eq(chatTurns.ownerKey, owner.ownerKey));
}

/** Closes a service whose run completes no step. */
async function goDown(service: ChatService, owner: ChatCaller): Promise<void> {
  await service.close({ withinMs: 0 });
  await eventually(async () => {
    const [turn] = await store.db.select().from(chatTurns).where(eq(chatTurns.ownerKey, owner.ownerKey));
    expect(turn?.status).toBe('suspended');
  });
}

const withoutId = ({ id: _, ...rest }: object & { id?: string }) => rest;

test('closing suspends a run at its next step, and another process resumes it', async () => {
  const owner = callerOf('close');
  const one = startService(store.db);
  const { opened, open } = gate();
  one.agent.script = async function* () {
    yield* call('c1');
    await opened;
    yield { type: 'usage', usage: oneCall };
    yield { type: 'step', state: { done: 1 } };
    yield* text('t', ['Never received.']);
  };
  const frames = framesOf(await one.service.open(owner, ask({ input: 'x', messageId: id })));
  await eventually(() => expect(one.agent.turns).toHaveLength(1));
  const closed = one.service.close({ withinMs: 20_000 });
  await expect(one.service.open(owner, ask({ input: 'y' }))).rejects.toMatchObject({ status: 503 });
  open();
  await closed;
  const received = await frames;
  const chatId = chatIdOf(received);
  expect(received.slice(-4)).toMatchObject([
    { content: '', finishReason: 'suspended' },
    { id: '__state__' },
    {
      id: '__suspended__',
      type: 'suspend',
      code: 'chat_suspended',
      retryable: true,
      messageId: id,
      error: expect.any(String),
    },
    { id: '__usage__', usage: oneCall },
  ]);
  expect(one.agent.signals[0]?.aborted).toBe(true);

  const two = startService(store.db);
  two.agent.script = async function* (turn) {
    expect(turn.resumeFrom).toEqual({ done: 1 });
    yield* text('t', ['Done.']);
    yield { type: 'usage', usage: twice };
    yield { type: 'finish', reason: 'stop' };
  };
  const back = await read(two.service, owner, { chatId });
  expect(back.slice(2, 4)).toMatchObject([
    { content: '', finishReason: 'suspended' },
    { id: '__cutoff__', state: { chatId, isStreaming: false, suspended: { messageId: id } } },
  ]);
  await expect(two.service.open(owner, ask({ messageId: id, chatId, input: 'z' }))).rejects.toMatchObject({
    status: 409,
  });
  const lastEventId = `${id}:1000000002`;
  const rest = await read(two.service, owner, { messageId: id, chatId, lastEventId });
  expect(rest.filter(({ isInProcess }) => !isInProcess)).toMatchObject([
    { id: '__cutoff__', state: { chatId, isStreaming: true } },
    { id, role: 'user', content: 'x' },
    { toolCall: { result: '{"rows":"c1"}' }, isInProcess: false },
    { content: 'Done.', finishReason: 'stop' },
    { id: '__state__' },
    { id: '__usage__', usage: twice },
  ]);
  expect(
    (await read(two.service, owner, { chatId })).map(({ content, finishReason }) => [content, finishReason]),
  ).toEqual([
    ['x', undefined],
    [undefined, undefined],
    ['Done.', 'stop'],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('closing suspends a run whose agent has not started, and it is resumed completely', async () => {
  const owner = callerOf('queued');
  const one = startService(store.db, { agentsAtOnce: 1 });
  const { opened, open } = gate();
  one.agent.script = async function* (turn) {
    await opened;
    yield* answer(turn);
  };
  const working = framesOf(await one.service.open(callerOf('working'), ask({ input: 'x' })));
  await eventually(() => expect(one.agent.turns).toHaveLength(1));
  const queued = framesOf(await one.service.open(owner, ask({ input: 'y', messageId: id })));
  const closed = one.service.close({ withinMs: 20_000 });
  expect((await queued).map(({ id: frame }) => frame)).toEqual([
    '__cutoff__',
    id,
    expect.any(String),
    '__state__',
    '__suspended__',
    '__usage__',
  ]);
  open();
  await Promise.all([closed, working]);
  expect(one.agent.turns).toHaveLength(1);
  const two = startService(store.db);
  expect(await read(two.service, owner, { messageId: id })).toContainEqual(
    expect.objectContaining({ content: 'You said y.', finishReason: 'stop' }),
  );
});

test('closing interrupts a run that completes no step in time, and its last step counts', async () => {
  const owner = callerOf('break');
  const one = startService(store.db);
  one.agent.script = twoSteps(new Promise(() => {}));
  const frames = framesOf(await one.service.open(owner, ask({ input: 'x', messageId: id })));
  await eventually(async () => {
    expect(JSON.stringify(await read(one.service, owner, { chatId: await threadOf(owner) }))).toContain('Half');
  });
  await one.service.close({ withinMs: 40 });
  const received = await frames;
  expect(received.at(-4)).toMatchObject({ content: 'Half', finishReason: 'suspended', isInProcess: false });
  expect(received.at(-2)).toMatchObject({ id: '__suspended__' });
  const two = startService(store.db);
  two.agent.script = twoSteps(Promise.resolve());
  const rest = await read(two.service, owner, { messageId: id });
  expect(two.agent.turns[0]?.resumeFrom).toEqual({ done: 1 });
  expect(rest.filter(({ isInProcess }) => isInProcess === false).map(({ content }) => content)).toEqual([
    'x',
    undefined,
    'Half of it.',
  ]);
  // The next attempt must not reuse the message id of the interrupted attempt.
  expect(rest.at(-3)?.id).not.toBe(received.at(-4)?.id);
});

async function threadOf(owner: ChatCaller): Promise<string> {
  const [found] = await store.db.select().from(chatTurns).where(eq(chatTurns.ownerKey, owner.ownerKey));
  return found?.threadId ?? '';
}

test('another process resumes the turn of a crashed process when the lease expires', async () => {
  const owner = callerOf('killed');
  const dead = startService(store.db, { renewEvery: 3_600_000 });
  dead.agent.script = twoSteps(new Promise(() => {}));
  await dead.service.open(owner, ask({ input: 'x', messageId: id }));
  await eventually(async () => {
    const [turn] = await store.db.select().from(chatTurns).where(eq(chatTurns.ownerKey, owner.ownerKey));
    expect(turn?.state).toEqual({ done: 1 });
  });
  const heir = startService(store.db);
  heir.agent.script = twoSteps(Promise.resolve());
  const chatId = await threadOf(owner);
  const before = await read(heir.service, owner, { chatId });
  expect(before[0]).toMatchObject({ id: '__cutoff__', state: { isStreaming: true } });
  await expireLease(owner);
  const back = await read(heir.service, owner, { chatId });
  expect(back.find(({ id: frameId }) => frameId === '__cutoff__')?.state).toEqual({
    chatId,
    isStreaming: false,
    suspended: { messageId: id },
  });
  const frames = await read(heir.service, owner, { chatId, messageId: id, input: 'x' });
  expect(frames.at(-3)).toMatchObject({ content: 'Half of it.', finishReason: 'stop' });
  expect(heir.agent.turns).toHaveLength(1);
});

test('a run that lost its lease neither writes nor streams', async () => {
  const owner = callerOf('zombie');
  const one = startService(store.db, { renewEvery: 3_600_000 });
  const { opened, open } = gate();
  one.agent.script = twoSteps(opened);
  const frames = framesOf(await one.service.open(owner, ask({ input: 'x', messageId: id })));
  await eventually(async () => {
    expect(JSON.stringify(await read(one.service, owner, { chatId: await threadOf(owner) }))).toContain('Half');
  });
  await expireLease(owner);
  const two = startService(store.db);
  two.agent.script = async function* () {
    yield* text('t', ['The heir’s.']);
    yield { type: 'finish', reason: 'stop' };
  };
  const heirs = await read(two.service, owner, { messageId: id });
  open();
  const received = await frames;
  expect(received.some(({ id: frameId }) => frameId === '__usage__')).toBe(false);
  expect(one.failures).toEqual([]);
  const again = await read(startService(store.db).service, owner, { messageId: id });
  const wholes = heirs.filter(({ isDelta }) => !isDelta);
  expect(again.map(withoutId)).toEqual(
    wholes
      .map(frame => (frame.id === '__cutoff__' ? { ...frame, state: { ...frame.state, isStreaming: false } } : frame))
      .map(withoutId),
  );
});

test('renewal extends a lease during a long run and detects its loss', async () => {
  const owner = callerOf('renewed');
  const one = startService(store.db, { renewEvery: 20, leaseTime: 400 });
  one.agent.script = twoSteps(new Promise(() => {}));
  const frames = framesOf(await one.service.open(owner, ask({ input: 'x', messageId: id })));
  const started = await leaseOf(owner);
  await eventually(async () => expect((await leaseOf(owner)) - started).toBeGreaterThan(500));
  await store.db.update(chatTurns).set({ leaseOwner: 'somebody else' }).where(eq(chatTurns.ownerKey, owner.ownerKey));
  expect((await frames).at(-1)?.id).not.toBe('__usage__');
});

async function leaseOf(owner: ChatCaller): Promise<number> {
  const [found] = await store.db.select().from(chatTurns).where(eq(chatTurns.ownerKey, owner.ownerKey));
  return found?.leaseExpiresAt?.getTime() ?? 0;
}

test('a new message ends a suspended turn, which is then reported as suspended and not resumed', async () => {
  const owner = callerOf('passed');
  const one = startService(store.db);
  one.agent.script = twoSteps(new Promise(() => {}));
  await one.service.open(owner, ask({ input: 'x', messageId: id }));
  await goDown(one.service, owner);
  const two = startService(store.db);
  const chatId = await threadOf(owner);
  await read(two.service, owner, { chatId, input: 'next' });
  const back = await read(two.service, owner, { chatId });
  expect(back.find(({ finishReason }) => finishReason)).toMatchObject({ finishReason: 'suspended' });
  expect(back.find(({ id: frameId }) => frameId === '__cutoff__')?.state).not.toHaveProperty('suspended');
  const again = await read(two.service, owner, { messageId: id });
  expect(two.agent.turns).toHaveLength(1);
  expect(again.some(({ id: frameId }) => frameId === '__suspended__')).toBe(false);
  expect(again.at(-1)).toMatchObject({ id: '__usage__' });
});

test('a suspended turn can no longer be resumed after 24 hours', async () => {
  const owner = callerOf('late');
  const one = startService(store.db);
  one.agent.script = twoSteps(new Promise(() => {}));
  await one.service.open(owner, ask({ input: 'x', messageId: id }));
  await goDown(one.service, owner);
  await expireLease(owner, '23 hours 59 minutes');
  const two = startService(store.db);
  const chatId = await threadOf(owner);
  const cutoff = async () => (await read(two.service, owner, { chatId })).find(({ id: i }) => i === '__cutoff__');
  expect((await cutoff())?.state).toHaveProperty('suspended');
  await expireLease(owner, '24 hours 1 second');
  expect((await cutoff())?.state).not.toHaveProperty('suspended');
  expect((await read(two.service, owner, { messageId: id, input: 'x' })).at(-1)).toMatchObject({ id: '__usage__' });
  expect(two.agent.turns).toEqual([]);
});

test('a lost run is reported as suspended while it can be resumed, then as interrupted', async () => {
  const owner = callerOf('lost');
  const dead = startService(store.db, { renewEvery: 3_600_000 });
  dead.agent.script = twoSteps(new Promise(() => {}));
  await dead.service.open(owner, ask({ input: 'x', messageId: id }));
  await eventually(async () => {
    const [turn] = await store.db.select().from(chatTurns).where(eq(chatTurns.ownerKey, owner.ownerKey));
    expect(turn?.state).toEqual({ done: 1 });
  });
  const { service } = startService(store.db);
  const chatId = await threadOf(owner);
  const endAfter = async (messageId: string | null): Promise<string | null | undefined> => {
    const reducer = new StreamReducer();
    reducer.open('replay', messageId);
    reducer.push(await read(service, owner, { chatId, messageId }));
    return reducer.conversation.turns.at(-1)?.end;
  };
  await expireLease(owner);
  expect(await endAfter(null)).toBe('suspended');
  await expireLease(owner, '24 hours 1 second');
  expect(await endAfter(null)).toBe('interrupted');
  expect(await endAfter(id)).toBe('interrupted');
});

test('an abort of a suspended turn ends it', async () => {
  const owner = callerOf('give-up');
  const one = startService(store.db);
  one.agent.script = twoSteps(new Promise(() => {}));
  await one.service.open(owner, ask({ input: 'x', messageId: id }));
  await goDown(one.service, owner);
  const two = startService(store.db);
  const chatId = await threadOf(owner);
  await two.service.abort(owner, chatId);
  const back = await read(two.service, owner, { chatId });
  expect(back.find(({ finishReason }) => finishReason)).toMatchObject({ finishReason: 'aborted' });
  expect(back.find(({ id: frameId }) => frameId === '__cutoff__')?.state).not.toHaveProperty('suspended');
});

test('many identical sends resume a turn once', async () => {
  const owner = callerOf('stampede');
  const one = startService(store.db);
  one.agent.script = twoSteps(new Promise(() => {}));
  await one.service.open(owner, ask({ input: 'x', messageId: id }));
  await goDown(one.service, owner);
  const [two, three] = [startService(store.db, { followEvery: 10 }), startService(store.db, { followEvery: 10 })];
  two.agent.script = twoSteps(Promise.resolve());
  three.agent.script = two.agent.script;
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, n) => read((n % 2 ? two : three).service, owner, { input: 'x', messageId: id })),
  );
  expect(two.agent.turns.length + three.agent.turns.length).toBe(1);
  for (const frames of all) {
    expect(frames.findLast(({ content }) => content !== undefined)).toMatchObject({
      content: 'Half of it.',
      finishReason: 'stop',
    });
    expect(frames.at(-1)).toEqual(all[0]?.at(-1));
  }
});

test('a lost database leaves a turn resumable and no reader waiting', async () => {
  const database = await openChatDatabase();
  const owner = callerOf('down');
  const { service, agent, failures } = startService(database.db, { renewEvery: 3_600_000 });
  const { opened, open } = gate();
  agent.script = async function* (turn) {
    await opened;
    yield* answer(turn);
  };
  const frames = framesOf(await service.open(owner, ask({ input: 'x', messageId: id })));
  await eventually(() => expect(agent.turns).toHaveLength(1));
  await database.stop();
  open();
  expect((await frames).slice(-2)).toMatchObject([{ id: '__suspended__', retryable: true }, { id: '__usage__' }]);
  expect(failures.length).toBeGreaterThan(0);
});
