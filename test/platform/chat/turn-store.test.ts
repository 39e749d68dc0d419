import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messagesAfter, readTurns, storeResult, storeStep } from '../../../src/platform/chat/message-store.js';
import { countOwnerUsage, insertThreads } from '../../../src/platform/chat/thread-store.js';
import * as turns from '../../../src/platform/chat/turn-store.js';
import { chatTurns } from '../../../src/platform/db/schema.js';
import { seed } from '../../../src/platform/seed.js';
import { openTestDatabase } from '../db/test-database.js';

let store: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  store = await openTestDatabase();
  await seed(store.db, { adminKeyHash: 'hash', groups: [] });
});
afterAll(() => store.stop());

const messageId = '1700000000001-message';
const messages = [{ position: 1, frame: { id: '1.1.1', content: 'x' } }];
const step = { state: { done: 1 }, usage: null, messages };

async function begin(ownerKey: string, milliseconds = 60_000) {
  const threadId = randomUUID();
  const thread = { id: threadId, ownerKey, userId: 1, embedTenantId: null, deploymentId: 1, agentId: 1, title: 't' };
  await insertThreads(store.db, [thread]);
  const prompt = { input: 'x', images: [], promptHash: 'h', createdAt: new Date() };
  const [turn] = await turns.insertTurns(store.db, [{ threadId, ownerKey, number: 1, messageId, ...prompt }], {
    owner: 'here',
    milliseconds,
  });
  if (!turn) throw new Error('The turn was not stored.');
  return { turn, lease: { id: turn.id, ownerKey, attempt: 1, leaseOwner: 'here' } };
}

test('a run writes only while it holds its lease', async () => {
  const { turn, lease } = await begin('fence');
  for (const other of [{ leaseOwner: 'there' }, { attempt: 2 }, { ownerKey: 'somebody' }, { id: turn.id + 1 }]) {
    expect(await storeStep(store.db, { ...lease, ...other }, step)).toBe(false);
    expect(await storeStep(store.db, { ...lease, ...other }, { ...step, messages: [] })).toBe(false);
    expect(await storeResult(store.db, { ...lease, ...other }, { ...step, reason: 'stop', error: null })).toBe(false);
  }
  expect(await messagesAfter(store.db, turn, 0)).toEqual([]);
  expect(await storeStep(store.db, lease, step)).toBe(true);
  expect(await messagesAfter(store.db, turn, 0)).toEqual(messages);
  const result = {
    reason: 'stop',
    error: null,
    usage: null,
    messages: [{ position: 2, frame: { id: '1.1.2' } }],
  } as const;
  expect(await storeResult(store.db, lease, result)).toBe(true);
  expect(await storeResult(store.db, lease, { ...result, messages: [] })).toBe(false);
  expect(await turns.readTurn(store.db, turn)).toMatchObject({ status: 'finished', phase: 'ended' });
});

test('rejects a step as a whole if its messages already exist', async () => {
  const { turn, lease } = await begin('whole');
  await storeStep(store.db, lease, step);
  await expect(storeStep(store.db, lease, { ...step, state: { done: 2 } })).rejects.toThrow();
  expect(await turns.findState(store.db, turn)).toEqual({ done: 1 });
});

test('a turn is taken over once, after its lease expires', async () => {
  const { turn, lease } = await begin('take');
  const there = { owner: 'there', milliseconds: 60_000 };
  expect(await turns.takeTurn(store.db, turn, there)).toBeNull();
  await store.db
    .update(chatTurns)
    .set({ leaseExpiresAt: new Date(0) })
    .where(eq(chatTurns.id, turn.id));
  expect(await turns.readTurn(store.db, turn)).toMatchObject({ phase: 'ended' });
  expect(await turns.takeTurn(store.db, turn, there)).toBeNull();
  await store.db
    .update(chatTurns)
    .set({ leaseExpiresAt: new Date(Date.now() - 3_600_000) })
    .where(eq(chatTurns.id, turn.id));
  const taken = await Promise.all([1, 2, 3].map(() => turns.takeTurn(store.db, turn, there)));
  expect(taken.filter(Boolean)).toMatchObject([{ attempt: 2, phase: 'live' }]);
  expect(await turns.renewLeases(store.db, [turn.id], { owner: 'here', milliseconds: 1 })).toEqual([]);
  expect(await storeStep(store.db, lease, step)).toBe(false);
});

test('does not find, count or end turns of another owner', async () => {
  const { turn } = await begin('mine', 1);
  const foreign = { id: turn.id, ownerKey: 'theirs' };
  const thread = { ownerKey: 'theirs', threadId: turn.threadId };
  expect(await turns.findTurns(store.db, [{ ownerKey: 'theirs', chatId: turn.threadId, messageId }])).toEqual([null]);
  expect(await turns.findLastTurns(store.db, [thread])).toEqual([]);
  expect(await turns.findLastTurn(store.db, 'theirs', turn.threadId)).toBeNull();
  expect(await turns.readTurn(store.db, foreign)).toBeNull();
  expect(await readTurns(store.db, thread, { before: 9 }, 9)).toEqual([]);
  const nothing = new Map([['theirs', { threads: 0, runs: 0 }]]);
  expect(await countOwnerUsage(store.db, ['theirs'])).toEqual(nothing);
  await turns.endIdleTurn(store.db, foreign, 'aborted');
  await turns.requestAbort(store.db, foreign);
  expect(await turns.readTurn(store.db, turn)).toMatchObject({ status: 'running', abortRequested: false });
});
