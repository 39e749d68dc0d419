import { PlatformError } from '../errors.js';
import { countThreads, findThread, insertThread, touchThread } from '../store/chat-threads.js';
import {
  countLiveTurns,
  endIdleTurn,
  findLastTurn,
  findTurn,
  insertTurn,
  lockOwner,
  type StoredTurn,
  TurnPhase,
  type TurnRef,
  takeTurn,
} from '../store/chat-turns.js';
import type { Db } from '../store/database.js';
import { type Prompt, type TurnAsk, titleOf } from './chat-ask.js';
import type { ChatLimits } from './chat-limits.js';
import type { ChatCaller } from './chat-service.js';

/** What turns begin with. */
export interface BeginOptions {
  readonly db: Db;
  readonly limits: ChatLimits;
  readonly leaseOwner: string;
  readonly now: () => Date;
}

/** A turn, and whether it is ours to answer. */
export interface Begun {
  readonly type: 'begun' | 'found';
  readonly turn: StoredTurn;
}

/** The furthest that the clock of a client may be ahead for our own ids to keep behind its ids. */
const maxSkew = 24 * 3600_000;

/**
 * Begins the turn of a message, and its thread where none is named. Where another process has begun it in the meantime, that one is
 * found.
 * @throws PlatformError 404 for a thread that isn't the caller's, 409 for one that is busy or full, 429 with too many runs.
 */
export function beginTurn(
  { db, leaseOwner, limits, now }: BeginOptions,
  caller: ChatCaller,
  ask: TurnAsk & { readonly prompt: Prompt },
): Promise<Begun> {
  const { ownerKey } = caller;
  const { chatId, prompt } = ask;
  return db.transaction(async tx => {
    await lockOwner(tx, ownerKey);
    const found = ask.messageId === null ? null : await findTurn(tx, ownerKey, { chatId, messageId: ask.messageId });
    if (found) return { type: 'found', turn: found };
    const last = chatId === null ? null : await findEnd(tx, ownerKey, chatId);
    checkThread(last, limits);
    await checkRuns(tx, ownerKey, limits);
    if (last?.phase === TurnPhase.resumable) await endIdleTurn(tx, last, 'suspended');
    const threadId = last?.threadId ?? (await newThread(tx, caller, prompt, limits));
    const messageId = ask.messageId ?? (await newMessageId(tx, ownerKey, last, now()));
    const { input, images, hash: promptHash } = prompt;
    const number = (last?.number ?? 0) + 1;
    const turn = await insertTurn(
      tx,
      { threadId, ownerKey, number, messageId, input, images, promptHash, createdAt: now() },
      { owner: leaseOwner, milliseconds: limits.leaseTime },
    );
    await touchThread(tx, ownerKey, threadId);
    return { type: 'begun', turn };
  });
}

/**
 * Takes over a turn that was suspended; null when somebody else came first, or it is too late.
 * @throws PlatformError 429 with too many runs.
 */
export function resumeTurn({ db, leaseOwner, limits }: BeginOptions, turn: TurnRef): Promise<StoredTurn | null> {
  return db.transaction(async tx => {
    await lockOwner(tx, turn.ownerKey);
    await checkRuns(tx, turn.ownerKey, limits);
    return takeTurn(tx, turn, { owner: leaseOwner, milliseconds: limits.leaseTime });
  });
}

async function findEnd(tx: Db, ownerKey: string, chatId: string): Promise<StoredTurn> {
  const thread = await findThread(tx, ownerKey, chatId);
  const last = thread && (await findLastTurn(tx, ownerKey, thread.id));
  if (!last) throw new PlatformError(404, 'There is no such thread.');
  return last;
}

function checkThread(last: StoredTurn | null, { threadTurns }: ChatLimits): void {
  if (last?.phase === TurnPhase.live) throw new PlatformError(409, 'Streaming for thread is in progress');
  if (last && last.number >= threadTurns) {
    throw new PlatformError(409, 'The thread is as long as it can be: start a new thread.');
  }
}

async function checkRuns(tx: Db, ownerKey: string, { ownerRuns }: ChatLimits): Promise<void> {
  if ((await countLiveTurns(tx, ownerKey)) >= ownerRuns) {
    throw new PlatformError(429, 'Too many of your messages are being answered: wait for an answer, or stop one.');
  }
}

async function newThread(tx: Db, caller: ChatCaller, prompt: Prompt, { ownerThreads }: ChatLimits): Promise<string> {
  const { ownerKey, userId, deploymentId, agentId } = caller;
  if ((await countThreads(tx, ownerKey)) >= ownerThreads) {
    throw new PlatformError(409, 'You have as many threads as you can have: delete one.');
  }
  return insertThread(tx, { ownerKey, userId, deploymentId, agentId, title: titleOf(prompt) });
}

/** An id for a message that came without one: later than the last one, unless that is from a far future. */
async function newMessageId(tx: Db, ownerKey: string, last: StoredTurn | null, now: Date): Promise<string> {
  const behind = Number.parseInt(last?.messageId ?? '', 10) + 1;
  let time = behind > now.getTime() && behind < now.getTime() + maxSkew ? behind : now.getTime();
  while (await findTurn(tx, ownerKey, { chatId: null, messageId: `${time}-message` })) time += 1;
  return `${time}-message`;
}
