import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createBeginTurn, type NewTurnMessage } from '../../../src/platform/chat/begin-turn.js';
import { defaultChatLimits } from '../../../src/platform/chat/chat-limits.js';
import { type ChatCaller, type ChatInput, parseChatInput } from '../../../src/platform/chat/chat-service.js';
import { lockOwner } from '../../../src/platform/chat/turn-store.js';
import { ask, callerOf, openChatDatabase } from './chat-database.js';
import { gate } from './fake-agent.js';

let store: Awaited<ReturnType<typeof openChatDatabase>>;
beforeAll(async () => {
  store = await openChatDatabase();
});
afterAll(() => store.stop());
afterEach(() => vi.restoreAllMocks());

const messageId = '1700000000001-message';

function start(limits = {}) {
  const begin = createBeginTurn({
    db: store.db,
    limits: { ...defaultChatLimits, leaseTime: 3_600_000, ...limits },
    leaseOwner: 'here',
    now: () => new Date(),
  });
  return { begin, transaction: vi.spyOn(store.db, 'transaction') };
}

function openingOf(caller: ChatCaller | string, parts: Partial<ChatInput> = {}): NewTurnMessage {
  const asked = parseChatInput(ask({ input: 'x', messageId, ...parts }));
  if (asked.type === 'read' || !asked.prompt) throw new Error('Nothing is sent.');
  return {
    caller: typeof caller === 'string' ? callerOf(caller) : caller,
    request: { ...asked, prompt: asked.prompt },
  };
}

test('begins simultaneous turns in one transaction', async () => {
  const { begin, transaction } = start();
  const openings = Array.from({ length: 40 }, (_, n) => openingOf(`crowd ${n}`, { input: `question ${n}` }));
  const begun = await Promise.all(openings.map(begin));
  expect(begun.map(({ type }) => type)).toEqual(openings.map(() => 'begun'));
  expect(begun.map(({ turn }) => [turn.ownerKey, turn.input])).toEqual(
    openings.map(({ caller, request: { prompt } }) => [caller.ownerKey, prompt.input]),
  );
  expect(new Set(begun.map(({ turn }) => turn.threadId)).size).toBe(40);
  expect(transaction).toHaveBeenCalledTimes(1);
});

test('finds, rejects or begins each turn independently', async () => {
  const { begin, transaction } = start({ ownerRuns: 1 });
  const [known, busy] = [await begin(openingOf('known')), await begin(openingOf('busy'))];
  transaction.mockClear();
  const settled = await Promise.allSettled(
    [
      openingOf('known'),
      openingOf('busy', { messageId: '1700000000002-message' }),
      openingOf('busy too', { chatId: busy.turn.threadId, messageId: '1700000000002-message' }),
      openingOf('made up', { chatId: 'no uuid' }),
      openingOf('new'),
      openingOf('without id', { messageId: null }),
    ].map(begin),
  );
  expect(settled).toMatchObject([
    { value: { type: 'found', turn: { id: known.turn.id } } },
    { reason: { status: 429 } },
    { reason: { status: 404 } },
    { reason: { status: 404 } },
    { value: { type: 'begun', turn: { ownerKey: 'new', number: 1 } } },
    { value: { type: 'begun', turn: { messageId: expect.stringMatching(/^\d{13}-message$/) } } },
  ]);
  expect(transaction).toHaveBeenCalledTimes(1);
});

test('continues a thread while other turns begin threads', async () => {
  const { begin } = start({ leaseTime: 0 });
  const { turn } = await begin(openingOf('goes on'));
  const next = { chatId: turn.threadId.toUpperCase(), messageId: '1700000000002-message' };
  const [second, other] = await Promise.all([openingOf('goes on', next), openingOf('begins', {})].map(begin));
  expect(second?.turn).toMatchObject({ threadId: turn.threadId, number: 2 });
  expect(other?.turn.threadId).not.toBe(turn.threadId);
  expect((await begin(openingOf('goes on', next))).type).toBe('found');
});

test('stores the other turns if one cannot be stored', async () => {
  const { begin } = start();
  const gone = { ...callerOf('gone'), userId: 987_654 };
  const settled = await Promise.allSettled([openingOf('before'), openingOf(gone), openingOf('behind')].map(begin));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('does not delay others if one owner is locked by another process', async () => {
  const { begin } = start();
  const { opened, open } = gate();
  const locked = gate();
  const elsewhere = store.db.transaction(async tx => {
    await lockOwner(tx, 'slow');
    locked.open();
    await opened;
  });
  await locked.opened;
  let isBegun = false;
  const slow = begin(openingOf('slow')).finally(() => {
    isBegun = true;
  });
  expect((await Promise.all([begin(openingOf('quick')), begin(openingOf('quick too'))])).length).toBe(2);
  expect(isBegun).toBe(false);
  open();
  await elsewhere;
  expect((await slow).type).toBe('begun');
});

test('begins identical simultaneous turns once', async () => {
  const { begin } = start();
  const begun = await Promise.all(Array.from({ length: 5 }, () => begin(openingOf('equal'))));
  expect(begun.map(({ type }) => type).toSorted()).toEqual(['begun', 'found', 'found', 'found', 'found']);
  expect(new Set(begun.map(({ turn }) => turn.id)).size).toBe(1);
});
