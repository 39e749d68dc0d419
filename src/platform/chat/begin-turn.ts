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

/** What turns begin with. */
export interface BeginOptions {
  readonly db: Db;
  readonly limits: ChatLimits;
  readonly leaseOwner: string;
  readonly now: () => Date;
}

/** A message that a turn is to begin with. */
export interface NewTurnMessage {
  readonly caller: ChatCaller;
  readonly ask: TurnInput & { readonly prompt: Prompt };
}

/** A turn, and whether it is ours to answer. */
export interface BeginResult {
  readonly type: 'begun' | 'found';
  readonly turn: StoredTurn;
}

/** What came of an opening within a batch. */
type Outcome =
  | BeginResult
  | { readonly type: 'refused'; readonly reason: unknown }
  /** Somebody else begins a turn of the same owner, or some opening could not be stored. */
  | { readonly type: 'alone' };

/** So many turns that begin in one transaction. */
const maxTogether = 100;
/** The furthest that the clock of a client may be ahead for our own ids to keep behind its ids. */
const maxSkew = 24 * 3600_000;

/**
 * Makes what begins the turn of a message, and its thread where none is named. Where another process has begun it in the meantime, that
 * one is found. Turns that are to begin at the same moment share a transaction; what is wrong with one of them is its own affair.
 * @returns a function that throws PlatformError 404 for a thread that isn't the caller's, 409 for one that is busy or full, 429 with too
 * many runs.
 */
export function createBeginTurn(options: BeginOptions): (opening: NewTurnMessage) => Promise<BeginResult> {
  const batches = new Batcher<NewTurnMessage, Outcome>(openings => beginTogether(options, openings), {
    maxItems: maxTogether,
  });
  return async opening => {
    const together = await batches.add(opening);
    const outcome = together.type === 'alone' ? await beginAlone(options, opening) : together;
    if (outcome.type === 'refused') throw outcome.reason;
    if (outcome.type === 'alone') throw new Error('A turn has begun neither with others nor alone.');
    return outcome;
  };
}

/** Waits for no lock, since many would wait with it. */
async function beginTogether(options: BeginOptions, openings: readonly NewTurnMessage[]): Promise<readonly Outcome[]> {
  const alone: Outcome = { type: 'alone' };
  try {
    return await options.db.transaction(async tx => {
      const free = await tryLockOwners(tx, [...new Set(openings.map(({ caller }) => caller.ownerKey))]);
      // The first of each owner.
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

/** A turn that is in order, before it is stored. */
interface Planned {
  readonly opening: NewTurnMessage;
  /** The turn before it in its thread. */
  readonly last: StoredTurn | null;
  readonly threadId: string;
}

/** @param openings - of as many owners, each of which is locked. */
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
      else planned.push({ opening, last, threadId: last?.threadId ?? randomUUID() });
    }
  }
  if (planned.length === 0) return outcomes;
  const begun = new Map((await store(tx, options, planned)).map(turn => [turn.threadId, turn]));
  for (const { opening, threadId } of planned) {
    const turn = begun.get(threadId);
    if (!turn) throw new Error('The database did not return the turn that it has stored.');
    outcomes.set(opening, { type: 'begun', turn });
  }
  return outcomes;
}

/** What an opening finds. */
interface Found {
  readonly turn: StoredTurn | null;
  readonly last: StoredTurn | null;
  readonly owned: OwnerUsage;
}

async function findAll(tx: Db, openings: readonly NewTurnMessage[]): Promise<readonly Found[]> {
  const ownerKeys = openings.map(({ caller }) => caller.ownerKey);
  const turns = await findTurns(
    tx,
    openings.map(({ caller, ask }) => ({ ...ask, ownerKey: caller.ownerKey, messageId: ask.messageId ?? '' })),
  );
  const lasts = await findLastTurns(
    tx,
    openings.flatMap(({ caller: { ownerKey }, ask: { chatId: threadId } }) =>
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
    const { messageId, prompt } = opening.ask;
    const { input, images, hash: promptHash } = prompt;
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
 * Takes over a turn that was suspended; null when somebody else came first, or it is too late.
 * @throws PlatformError 429 with too many runs.
 */
export function resumeTurn({ db, leaseOwner, limits }: BeginOptions, turn: TurnRef): Promise<StoredTurn | null> {
  return db.transaction(async tx => {
    await lockOwner(tx, turn.ownerKey);
    const owned = (await countOwnerUsage(tx, [turn.ownerKey])).get(turn.ownerKey);
    if (owned && owned.runs >= limits.ownerRuns) throw tooManyRuns();
    return takeTurn(tx, turn, { owner: leaseOwner, milliseconds: limits.leaseTime });
  });
}

/** Why a turn may not begin; null where it may. */
function refusalOf(
  { ask }: NewTurnMessage,
  last: StoredTurn | null,
  owned: OwnerUsage,
  { threadTurns, ownerRuns, ownerThreads }: ChatLimits,
): PlatformError | null {
  if (ask.chatId !== null && !last) return new PlatformError(404, 'There is no such thread.');
  if (last?.phase === TurnPhase.live) return new PlatformError(409, 'Streaming for thread is in progress');
  if (last && last.number >= threadTurns) {
    return new PlatformError(409, 'The thread is as long as it can be: start a new thread.');
  }
  if (owned.runs >= ownerRuns) return tooManyRuns();
  if (!last && owned.threads >= ownerThreads) {
    return new PlatformError(409, 'You have as many threads as you can have: delete one.');
  }
  return null;
}

function tooManyRuns(): PlatformError {
  const message = 'Too many of your messages are being answered: wait for an answer, or stop one.';
  return new PlatformError(429, message);
}

/** An id for a message that came without one: later than the last one, unless that is from a far future. */
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
