import { randomUUID } from 'node:crypto';
import { type ChatContext, type ChatFeedback, type ChatThread, FinishReason } from '../../contract/chat.js';
import type { Agent, AgentDashboard, AgentTool } from '../agent/agent.js';
import type { CallerData } from '../data/caller-data.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { retryTransaction } from '../http/serve.js';
import { Batcher } from '../runtime/batcher.js';
import { AgentSemaphore } from './agent-semaphore.js';
import { type BeginOptions, createBeginTurn, resumeTurn } from './begin-turn.js';
import { type ChatLimits, defaultChatLimits } from './chat-limits.js';
import {
  type ChatCaller,
  type ChatInput,
  type ChatService,
  type Prompt,
  parseChatInput,
  type RatedMessage,
  type StreamFrame,
  type ThreadPage,
  type TurnInput,
} from './chat-service.js';
import { deleteFeedback, storeFeedback } from './feedback-store.js';
import { type ReadableRun, Run } from './run.js';
import { RunRegistry } from './run-registry.js';
import * as threads from './thread-store.js';
import { readThreadCursor, writeThreadCursor } from './thread-store.js';
import {
  endIdleTurn,
  findLastTurn,
  findTurns,
  type MessageRef,
  readTurn,
  requestAbort,
  type StoredTurn,
  TurnPhase,
} from './turn-store.js';
import { abortableStream, joinStream, newStream, readThread, reasonOf, storedStream } from './turn-stream.js';

const maxWaiting = 50;

/**
 * Executes the requests of each owner one after another, so that a repeated request finds the turn that the first one
 * began.
 */
class OwnerQueue {
  readonly #last = new Map<string, { readonly settled: Promise<unknown>; waiting: number }>();

  /** Runs a task after the earlier tasks of the owner. @throws PlatformError 429 if too many tasks wait. */
  async run<T>(ownerKey: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(ownerKey);
    const waiting = (before?.waiting ?? 0) + 1;
    if (waiting > maxWaiting) throw new PlatformError(429, 'Too many messages at once. Try again in a moment.');
    const done = before ? before.settled.then(task) : task();
    // Ignore the error, because it is returned to the caller of `run`, and the next task runs anyway.
    const entry = { settled: done.catch(() => undefined), waiting };
    this.#last.set(ownerKey, entry);
    try {
      return await done;
    } finally {
      const last = this.#last.get(ownerKey);
      if (last === entry) this.#last.delete(ownerKey);
      else if (last) last.waiting -= 1;
    }
  }
}

/** Dependencies of the chat service. */
export interface ChatServiceOptions {
  readonly db: Db;
  /** Returns an agent by id. @throws PlatformError 404 if the agent does not exist. */
  readonly agentOf: (agentId: number) => Agent;
  /** Data and tools with the rights of a caller. */
  readonly contextOf: (caller: ChatCaller) => {
    readonly data: CallerData;
    readonly tools: ReadonlyMap<string, AgentTool>;
    /** Opens the tools of other services, and closes them with the signal. */
    readonly openRemoteTools?: (signal: AbortSignal) => Promise<ReadonlyMap<string, AgentTool>>;
  };
  /**
   * Returns the dashboard that a message is about, as the caller sees it.
   * @throws PlatformError 404 if the caller may not read it.
   */
  readonly dashboardOf: (caller: ChatCaller, context: ChatContext) => Promise<AgentDashboard>;
  /** Identifies this process among those that use the same database; random by default. */
  readonly instanceId?: string;
  readonly limits?: Partial<ChatLimits>;
  /** Called with every failure that the caller did not cause. */
  readonly onFailure: (error: unknown) => void;
  readonly now?: () => Date;
}

type Frames = AsyncIterable<StreamFrame>;

const stopped = { reason: FinishReason.aborted, error: null } as const;
const maxPage = 100;

/** Creates a chat service on a database that several processes may share. */
export function createChatService(options: ChatServiceOptions): ChatService {
  return new Chat(options);
}

class Chat implements ChatService {
  readonly #options: ChatServiceOptions;
  readonly #begin: BeginOptions;
  readonly #beginTurn: ReturnType<typeof createBeginTurn>;
  readonly #messages: Batcher<MessageRef, StoredTurn | null>;
  readonly #agentTurns: AgentSemaphore;
  readonly #runs: RunRegistry;
  readonly #owners = new OwnerQueue();

  constructor(options: ChatServiceOptions) {
    const { db, onFailure, instanceId: leaseOwner = randomUUID(), now = () => new Date() } = options;
    const limits = { ...defaultChatLimits, ...options.limits };
    this.#options = options;
    this.#begin = { db, limits, leaseOwner, now };
    this.#beginTurn = createBeginTurn(this.#begin);
    this.#messages = new Batcher(messages => findTurns(db, messages));
    this.#agentTurns = new AgentSemaphore({ atOnce: limits.agentsAtOnce, yieldFor: limits.yieldFor });
    this.#runs = new RunRegistry({ db, limits, leaseOwner, onFailure });
  }

  async open(caller: ChatCaller, input: ChatInput): Promise<Frames> {
    const request = parseChatInput(input);
    rejectDenied(caller, request.chatId);
    if (request.type === 'read') return this.#read(caller, request.chatId);
    return this.accept(() => this.#owners.run(caller.ownerKey, () => this.#openTurn(caller, request)));
  }

  accept<T>(task: () => Promise<T>): Promise<T> {
    return this.#agentTurns.accept(task);
  }

  async resume(caller: ChatCaller, threadKey: string): Promise<Frames | null> {
    const { db } = this.#options;
    const thread = await threads.findThreadByKey(db, caller.ownerKey, threadKey);
    rejectDenied(caller, thread?.id ?? null);
    const last = thread && (await findLastTurn(db, caller.ownerKey, thread.id));
    if (!last || last.phase === TurnPhase.ended) return null;
    return this.#openFound(caller, { prompt: null, lastEventId: null }, last);
  }

  async abort(caller: ChatCaller, chatId: string): Promise<void> {
    rejectDenied(caller, chatId);
    const { db } = this.#options;
    const thread = await threads.findThread(db, caller.ownerKey, chatId);
    if (!thread) {
      const [status, message] = (await threads.isThread(db, chatId))
        ? [403, 'The thread belongs to another user.']
        : [404, 'Thread not found.'];
      throw new PlatformError(status, message);
    }
    if (await this.#stopLocally(thread.id)) return;
    const last = await findLastTurn(db, caller.ownerKey, thread.id);
    if (last?.phase === TurnPhase.live) await requestAbort(db, last);
    if (last?.phase === TurnPhase.resumable) await endIdleTurn(db, last, 'aborted');
  }

  async threads(
    caller: ChatCaller,
    { first, after }: { readonly first: number; readonly after: string | null },
  ): Promise<ThreadPage> {
    const size = Math.min(first, maxPage);
    const position = after === null ? null : readThreadCursor(after);
    const page = { limit: size + 1, after: position };
    const found = await threads.listThreads(this.#options.db, caller.ownerKey, page);
    const items = found.slice(0, size);
    const last = items.at(-1);
    return {
      items: items.filter(({ id }) => !caller.deniedThreads?.has(id)).map(threadOf),
      hasNextPage: found.length > size,
      endCursor: last ? writeThreadCursor(last) : null,
    };
  }

  async rename(caller: ChatCaller, chatId: string, title: string): Promise<ChatThread> {
    rejectDenied(caller, chatId);
    const { db } = this.#options;
    await threads.renameThread(db, caller.ownerKey, chatId, title.replaceAll('\0', ''));
    const renamed = await threads.findThread(db, caller.ownerKey, chatId);
    if (!renamed) throw noThread();
    return threadOf(renamed);
  }

  async remove(caller: ChatCaller, chatId: string): Promise<void> {
    rejectDenied(caller, chatId);
    const { db } = this.#options;
    const thread = await threads.findThread(db, caller.ownerKey, chatId);
    if (!thread) throw noThread();
    await this.#stopLocally(thread.id);
    // A run in another process detects at its next lease renewal that its turn no longer exists.
    await threads.deleteThread(db, caller.ownerKey, thread.id);
  }

  async rate(caller: ChatCaller, message: RatedMessage, feedback: ChatFeedback | null): Promise<void> {
    rejectDenied(caller, message.chatId);
    const { db } = this.#options;
    // If the thread is deleted concurrently, the retry reports it.
    await retryTransaction(async () => {
      const [turn] = await findTurns(db, [{ ownerKey: caller.ownerKey, ...message }]);
      if (!turn) throw new PlatformError(404, 'Message not found.');
      await (feedback ? storeFeedback(db, turn.id, feedback) : deleteFeedback(db, turn.id));
    });
  }

  async suggestions(caller: ChatCaller): Promise<readonly string[]> {
    if (caller.agent.suggestions !== null) return caller.agent.suggestions;
    const { agentOf, contextOf } = this.#options;
    return agentOf(caller.agentId).suggestions(contextOf(caller).data, caller.locale);
  }

  close({ withinMs }: { readonly withinMs: number }): Promise<void> {
    return this.#runs.close(withinMs);
  }

  async #read({ ownerKey }: ChatCaller, chatId: string): Promise<Frames> {
    const thread = await threads.findThread(this.#options.db, ownerKey, chatId);
    if (!thread) throw noThread();
    const activeFrames = ({ id }: StoredTurn) => this.#runs.findActive(id)?.log.snapshot() ?? null;
    const read = readThread(this.#begin, { ownerKey, threadId: thread.id }, activeFrames);
    return abortableStream(async function* () {
      for await (const frame of read) yield { id: null, frame };
    });
  }

  async #openTurn(caller: ChatCaller, given: TurnInput): Promise<Frames> {
    const { ownerKey } = caller;
    const request = await this.#findThread(ownerKey, given);
    const { chatId, messageId, prompt } = request;
    rejectDenied(caller, chatId);
    const found = messageId === null ? null : await this.#messages.add({ ownerKey, chatId, messageId });
    if (found) {
      rejectDenied(caller, found.threadId);
      return this.#openFound(caller, request, found);
    }
    if (!prompt) throw new PlatformError(404, 'Message not found. Send it again with its input.');
    return this.#send(caller, request, prompt);
  }

  /** Replaces a thread id chosen by the client with the platform's id of the thread. */
  async #findThread(ownerKey: string, request: TurnInput): Promise<TurnInput> {
    const { threadKey } = request;
    if (threadKey === null) return request;
    const thread = await threads.findThreadByKey(this.#options.db, ownerKey, threadKey);
    return thread
      ? { ...request, chatId: thread.id }
      : { ...request, newThreadId: threads.threadIdOfKey(ownerKey, threadKey) };
  }

  async #send(caller: ChatCaller, request: TurnInput, prompt: Prompt): Promise<Frames> {
    const runOf = this.#createRunFactory(caller);
    let found: StoredTurn | null = null;
    const run = await this.#runs.start(
      () => this.#beginTurn({ caller, request: { ...request, prompt } }),
      begun => {
        if (begun.type === 'begun') return runOf(begun.turn);
        found = begun.turn;
        return null;
      },
    );
    if (run) return abortableStream(signal => newStream(run, signal));
    if (!found) throw new Error('beginTurn returned no turn.');
    return this.#openFound(caller, request, found);
  }

  async #openFound(
    caller: ChatCaller,
    { prompt, lastEventId }: Pick<TurnInput, 'prompt' | 'lastEventId'>,
    turn: StoredTurn,
  ): Promise<Frames> {
    const { db } = this.#options;
    if (prompt && prompt.hash !== turn.promptHash) {
      throw new PlatformError(409, 'This messageId belongs to another message. Use a new messageId for a new message.');
    }
    const run = this.#runs.findActive(turn.id) ?? this.#endedRun(turn) ?? (await this.#resume(caller, turn));
    if (run) return abortableStream(signal => joinStream(db, run, lastEventId, signal));
    // Another process may have resumed the turn in the meantime.
    const current = turn.phase === TurnPhase.resumable ? ((await readTurn(db, turn)) ?? turn) : turn;
    return abortableStream(signal => storedStream(this.#begin, current, signal));
  }

  /** Returns the run that ended a turn, if it is still in memory. */
  #endedRun(turn: StoredTurn): ReadableRun | null {
    const run = turn.phase === TurnPhase.ended ? this.#runs.findEnded(turn.id) : undefined;
    return run && run.turn.attempt === turn.attempt && run.endReason === reasonOf(turn) ? run : null;
  }

  #resume(caller: ChatCaller, turn: StoredTurn): Promise<Run | null> | null {
    if (turn.phase !== TurnPhase.resumable) return null;
    const runOf = this.#createRunFactory(caller);
    return this.#runs.start(
      () => resumeTurn(this.#begin, turn),
      taken => taken && runOf(taken),
    );
  }

  /** Resolves agent and data before anything is stored, so that an unknown agent is reported first. */
  #createRunFactory(caller: ChatCaller): (turn: StoredTurn) => Run {
    const { agentOf, contextOf, dashboardOf, onFailure } = this.#options;
    const agent = agentOf(caller.agentId);
    const context = contextOf(caller);
    const options = { ...this.#begin, onFailure, caller, agent, agentTurns: this.#agentTurns, context };
    return turn => new Run({ ...options, turn, dashboardOf: about => dashboardOf(caller, about) });
  }

  async #stopLocally(threadId: string): Promise<boolean> {
    const run = this.#runs.ofThread(threadId);
    run?.stop(stopped);
    await run?.ended;
    return run !== undefined;
  }
}

function threadOf({ id, title, createdAt, updatedAt, isStreaming }: threads.StoredThread): ChatThread {
  return { id, title, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), isStreaming };
}

/** Rejects a thread that a policy denies (spec 2.8). @throws PlatformError 403 */
function rejectDenied({ deniedThreads }: ChatCaller, chatId: string | null): void {
  if (chatId !== null && deniedThreads?.has(chatId.toLowerCase())) {
    throw new PlatformError(403, 'A policy of your account denies access to this thread.');
  }
}

function noThread(): PlatformError {
  return new PlatformError(404, 'Thread not found.');
}
