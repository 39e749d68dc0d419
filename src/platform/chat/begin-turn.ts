import { PlatformError } from '../errors.js';
import { countOwned, insertThread, type Owned, touchThread } from '../store/chat-threads.js';
import {
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
    checkOwner(await countOwned(tx, ownerKey), limits, last === null);
    if (last?.phase === TurnPhase.resumable) await endIdleTurn(tx, last, 'suspended');
    const threadId = last?.threadId ?? (await newThread(tx, caller, prompt));
    const messageId = ask.messageId ?? (await newMessageId(tx, ownerKey, last, now()));
    const { input, images, hash: promptHash } = prompt;
    const number = (last?.number ?? 0) + 1;
    const turn = await insertTurn(
      tx,
      { threadId, ownerKey, number, messageId, input, images, promptHash, createdAt: now() },
      { owner: leaseOwner, milliseconds: limits.leaseTime },
    );
    if (last) await touchThread(tx, ownerKey, threadId);
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
    checkOwner(await countOwned(tx, turn.ownerKey), limits, false);
    return takeTurn(tx, turn, { owner: leaseOwner, milliseconds: limits.leaseTime });
  });
}

async function findEnd(tx: Db, ownerKey: string, chatId: string): Promise<StoredTurn> {
  const last = await findLastTurn(tx, ownerKey, chatId);
  if (!last) throw new PlatformError(404, 'There is no such thread.');
  return last;
}

function checkThread(last: StoredTurn | null, { threadTurns }: ChatLimits): void {
  if (last?.phase === TurnPhase.live) throw new PlatformError(409, 'Streaming for thread is in progress');
  if (last && last.number >= threadTurns) {
    throw new PlatformError(409, 'The thread is as long as it can be: start a new thread.');
  }
}

function checkOwner(has: Owned, { ownerRuns, ownerThreads }: ChatLimits, isNewThread: boolean): void {
  if (has.runs >= ownerRuns) {
    throw new PlatformError(429, 'Too many of your messages are being answered: wait for an answer, or stop one.');
  }
  if (isNewThread && has.threads >= ownerThreads) {
    throw new PlatformError(409, 'You have as many threads as you can have: delete one.');
  }
}

function newThread(tx: Db, { ownerKey, userId, deploymentId, agentId }: ChatCaller, prompt: Prompt): Promise<string> {
  return insertThread(tx, { ownerKey, userId, deploymentId, agentId, title: titleOf(prompt) });
}

/** An id for a message that came without one: later than the last one, unless that is from a far future. */
async function newMessageId(tx: Db, ownerKey: string, last: StoredTurn | null, now: Date): Promise<string> {
  const behind = Number.parseInt(last?.messageId ?? '', 10) + 1;
  let time = behind > now.getTime() && behind < now.getTime() + maxSkew ? behind : now.getTime();
  while (await findTurn(tx, ownerKey, { chatId: null, messageId: `${time}-message` })) time += 1;
  return `${time}-message`;
}
