import { randomUUID } from 'node:crypto';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { Batcher } from '../runtime/batcher.js';
import type { ChatLimits } from './chat-limits.js';
import { type ChatCaller, type Prompt, type TurnInput, titleOf } from './chat-service.js';
import { countOwnerUsage, insertThreads, type NewThread, type OwnerUsage, touchThreads } from './thread-store.js';
import {
  endIdleTurn,
  findLastTurns,
  findTurns,
  insertTurns,
  lockOwner,
  type NewTurn,
  type StoredTurn,
  TurnPhase,
  type TurnRef,
  takeTurn,
  tryLockOwners,
} from './turn-store.js';

/** Dependencies of `createBeginTurn`. */
export interface BeginOptions {
  readonly db: Db;
  readonly limits: ChatLimits;
  readonly leaseOwner: string;
  readonly now: () => Date;
}

/** A message that starts a turn. */
export interface NewTurnMessage {
  readonly caller: ChatCaller;
  readonly request: TurnInput & { readonly prompt: Prompt };
}

/** A turn, and whether this call began it. */
export interface BeginResult {
  readonly type: 'begun' | 'found';
  readonly turn: StoredTurn;
}

/** Result for a message of a batch. */
type Outcome =
  | BeginResult
  | { readonly type: 'refused'; readonly reason: unknown }
  /**
   * The message needs its own transaction: another process is beginning a turn of the same owner, or the batch failed.
   */
  | { readonly type: 'alone' };

/** Maximum number of turns that begin in one transaction. */
const maxTogether = 100;
/** Maximum clock skew of a client up to which generated ids sort after the client's ids. */
const maxSkew = 24 * 3600_000;

/**
 * Creates a function that begins the turn for a message. The function creates a thread if the message has none. If
 * another process has begun the turn in the meantime, it returns that turn. Turns that begin concurrently share a
 * transaction; an error of one does not affect the others.
 * @returns a function that throws PlatformError 404 if the thread does not belong to the caller, 409 if it is busy or
 * full, 429 if the caller has too many runs.
 */
export function createBeginTurn(options: BeginOptions): (opening: NewTurnMessage) => Promise<BeginResult> {
  const batches = new Batcher<NewTurnMessage, Outcome>(openings => beginTogether(options, openings), {
    maxItems: maxTogether,
  });
  return async opening => {
    const batched = await batches.add(opening);
    const outcome = batched.type === 'alone' ? await beginAlone(options, opening) : batched;
    if (outcome.type === 'refused') throw outcome.reason;
    if (outcome.type === 'alone')
      throw new Error('Could not start the turn, although it was retried in its own transaction.');
    return outcome;
  };
}

/** Begins turns in one transaction. Does not wait for locks, because all turns of the batch would wait. */
async function beginTogether(options: BeginOptions, openings: readonly NewTurnMessage[]): Promise<readonly Outcome[]> {
  const alone: Outcome = { type: 'alone' };
  try {
    return await options.db.transaction(async tx => {
      const free = await tryLockOwners(tx, [...new Set(openings.map(({ caller }) => caller.ownerKey))]);
      // Selects one message per owner; `delete` is true only for the first.
      const ours = openings.filter(({ caller }) => free.delete(caller.ownerKey));
      const outcomes = await beginLocked(tx, options, ours);
      return openings.map(opening => outcomes.get(opening) ?? alone);
    });
  } catch (error) {
    if (openings.length === 1) throw error;
    return openings.map(() => alone);
  }
}

function beginAlone(options: BeginOptions, opening: NewTurnMessage): Promise<Outcome> {
  return options.db.transaction(async tx => {
    await lockOwner(tx, opening.caller.ownerKey);
    return (await beginLocked(tx, options, [opening])).get(opening) ?? { type: 'alone' };
  });
}

/** A validated turn that is not stored yet. */
interface Planned {
  readonly opening: NewTurnMessage;
  /** The previous turn of the thread. */
  readonly last: StoredTurn | null;
  readonly threadId: string;
}

/** Begins the turns of owners that are locked. @param openings - one message per owner. */
async function beginLocked(
  tx: Db,
  options: BeginOptions,
  openings: readonly NewTurnMessage[],
): Promise<ReadonlyMap<NewTurnMessage, Outcome>> {
  const outcomes = new Map<NewTurnMessage, Outcome>();
  const planned: Planned[] = [];
  const found = await findAll(tx, openings);
  for (const [index, { turn, last, owned }] of found.entries()) {
    const opening = openings[index];
    if (!opening) continue;
    if (turn) outcomes.set(opening, { type: 'found', turn });
    else {
      const reason = refusalOf(opening, last, owned, options.limits);
      if (reason) outcomes.set(opening, { type: 'refused', reason });
      else planned.push({ opening, last, threadId: last?.threadId ?? opening.request.newThreadId ?? randomUUID() });
    }
  }
  if (planned.length === 0) return outcomes;
  const begun = new Map((await store(tx, options, planned)).map(turn => [turn.threadId, turn]));
  for (const { opening, threadId } of planned) {
    const turn = begun.get(threadId);
    if (!turn) throw new Error('An insert did not return a turn.');
    outcomes.set(opening, { type: 'begun', turn });
  }
  return outcomes;
}

/** Stored data that a message refers to. */
interface Found {
  readonly turn: StoredTurn | null;
  readonly last: StoredTurn | null;
  readonly owned: OwnerUsage;
}

async function findAll(tx: Db, openings: readonly NewTurnMessage[]): Promise<readonly Found[]> {
  const ownerKeys = openings.map(({ caller }) => caller.ownerKey);
  const turns = await findTurns(
    tx,
    openings.map(({ caller, request }) => ({
      ...request,
      ownerKey: caller.ownerKey,
      messageId: request.messageId ?? '',
    })),
  );
  const lasts = await findLastTurns(
    tx,
    openings.flatMap(({ caller: { ownerKey }, request: { chatId: threadId } }) =>
      threadId === null ? [] : [{ ownerKey, threadId }],
    ),
  );
  const owned = await countOwnerUsage(tx, ownerKeys);
  return ownerKeys.map((key, index) => ({
    turn: turns[index] ?? null,
    last: lasts.find(({ ownerKey }) => ownerKey === key) ?? null,
    owned: owned.get(key) ?? { threads: 0, runs: 0 },
  }));
}

async function store(
  tx: Db,
  { leaseOwner, limits, now }: BeginOptions,
  planned: readonly Planned[],
): Promise<StoredTurn[]> {
  const added: NewThread[] = [];
  const touched: StoredTurn[] = [];
  const turns: NewTurn[] = [];
  for (const { opening, last, threadId } of planned) {
    const { ownerKey, userId, embedTenantId, deploymentId, agentId } = opening.caller;
    const { messageId, prompt } = opening.request;
    const { input, images, context, hash: promptHash } = prompt;
    if (last) touched.push(last);
    else added.push({ id: threadId, ownerKey, userId, embedTenantId, deploymentId, agentId, title: titleOf(prompt) });
    if (last?.phase === TurnPhase.resumable) await endIdleTurn(tx, last, 'suspended');
    turns.push({
      threadId,
      ownerKey,
      number: (last?.number ?? 0) + 1,
      messageId: messageId ?? (await newMessageId(tx, ownerKey, last, now())),
      input,
      images,
      context,
      promptHash,
      createdAt: now(),
    });
  }
  if (added.length > 0) await insertThreads(tx, added);
  const begun = await insertTurns(tx, turns, { owner: leaseOwner, milliseconds: limits.leaseTime });
  if (touched.length > 0) await touchThreads(tx, touched);
  return begun;
}

/**
 * Takes over a suspended turn. Returns `null` if another process has taken it, or if it can no longer be resumed.
 * @throws PlatformError 429 if the owner has too many runs.
 */
export function resumeTurn({ db, leaseOwner, limits }: BeginOptions, turn: TurnRef): Promise<StoredTurn | null> {
  return db.transaction(async tx => {
    await lockOwner(tx, turn.ownerKey);
    const owned = (await countOwnerUsage(tx, [turn.ownerKey])).get(turn.ownerKey);
    if (owned && owned.runs >= limits.ownerRuns) throw tooManyRuns();
    return takeTurn(tx, turn, { owner: leaseOwner, milliseconds: limits.leaseTime });
  });
}

/** Returns the reason why a turn may not begin; `null` if it may. */
function refusalOf(
  { request }: NewTurnMessage,
  last: StoredTurn | null,
  owned: OwnerUsage,
  { threadTurns, ownerRuns, ownerThreads }: ChatLimits,
): PlatformError | null {
  if (request.chatId !== null && !last) return new PlatformError(404, 'Thread not found.');
  if (last?.phase === TurnPhase.live) return new PlatformError(409, 'Streaming for thread is in progress');
  if (last && last.number >= threadTurns) {
    return new PlatformError(409, 'The thread has reached its maximum length. Start a new thread.');
  }
  if (owned.runs >= ownerRuns) return tooManyRuns();
  if (!last && owned.threads >= ownerThreads) {
    return new PlatformError(409, 'You have reached the maximum number of threads. Delete one.');
  }
  return null;
}

function tooManyRuns(): PlatformError {
  const message = 'You have too many running answers. Wait for one to finish, or stop one.';
  return new PlatformError(429, message);
}

/** Generates an id for a message without one. It sorts after the last one, unless that is in the far future. */
async function newMessageId(tx: Db, ownerKey: string, last: StoredTurn | null, now: Date): Promise<string> {
  const behind = Number.parseInt(last?.messageId ?? '', 10) + 1;
  let time = behind > now.getTime() && behind < now.getTime() + maxSkew ? behind : now.getTime();
  for (;;) {
    const messageId = `${time}-message`;
    const [taken] = await findTurns(tx, [{ ownerKey, chatId: null, messageId }]);
    if (!taken) return messageId;
    time += 1;
  }
}
