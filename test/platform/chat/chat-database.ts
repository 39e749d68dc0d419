import type { ChatFrame } from '../../../src/contract/chat.js';
import type { ChatLimits } from '../../../src/platform/chat/chat-limits.js';
import type { ChatCaller, ChatInput, ChatService, StreamFrame } from '../../../src/platform/chat/chat-service.js';
import { createChatService } from '../../../src/platform/chat/create-chat-service.js';
import type { CallerData } from '../../../src/platform/data/caller-data.js';
import type { Db } from '../../../src/platform/db/database.js';
import { seed } from '../../../src/platform/seed.js';
import { openTestDatabase } from '../db/test-database.js';
import { FakeAgent } from './fake-agent.js';

/** Creates a caller. Different names are different owners. */
export function callerOf(name: string): ChatCaller {
  return {
    principal: 'data-token',
    userId: 1,
    embedTenantId: null,
    deploymentId: 1,
    agentId: 1,
    agent: { instructions: null, views: null, tools: null, toolServers: null, suggestions: null, model: null },
    securityContext: { platform: { groups: [], userAttributes: {} } },
    ownerKey: name,
    timezone: 'UTC',
    locale: 'en',
  };
}

const noData: CallerData = {
  meta: () => ({ cubes: [] }),
  load: () => Promise.reject(new Error('There is no data in these tests.')),
};

/** Creates an input with the given parts and defaults for the rest. */
export function ask(parts: Partial<ChatInput>): ChatInput {
  return { chatId: null, messageId: null, input: null, images: [], lastEventId: null, ...parts };
}

/** Leases must not expire by themselves on a slow machine. Tests end them or set a shorter lease time. */
const lasting = { leaseTime: 3_600_000 } as const;

/** Starts a service over a database with a scripted agent. */
export function startService(db: Db, limits: Partial<ChatLimits> = {}, parts: { now?: () => Date } = {}) {
  const agent = new FakeAgent();
  const failures: unknown[] = [];
  const service = createChatService({
    db,
    agentOf: () => agent,
    contextOf: () => ({ data: noData, tools: new Map() }),
    dashboardOf: () => Promise.reject(new Error('No dashboard.')),
    limits: { ...lasting, ...limits },
    onFailure: error => failures.push(error),
    ...parts,
  });
  return { service, agent, failures };
}

/** Opens a database with the rows required by threads. */
export async function openChatDatabase() {
  const database = await openTestDatabase();
  await seed(database.db, { adminKeyHash: 'hash', groups: [] });
  return database;
}

/** Returns all frames of a stream. */
export async function framesOf(stream: AsyncIterable<StreamFrame>): Promise<ChatFrame[]> {
  const frames: ChatFrame[] = [];
  for await (const { frame } of stream) frames.push(frame);
  return frames;
}

/** Opens a stream and reads all frames. */
export async function read(service: ChatService, caller: ChatCaller, parts: Partial<ChatInput>): Promise<ChatFrame[]> {
  return framesOf(await service.open(caller, ask(parts)));
}

/** Reads the first frames of a stream and closes it. */
export async function take(stream: AsyncIterable<StreamFrame>, count: number): Promise<StreamFrame[]> {
  const taken: StreamFrame[] = [];
  if (count === 0) return taken;
  for await (const frame of stream) if (taken.push(frame) >= count) break;
  return taken;
}

/** Returns the thread id from the frames of a stream. */
export function chatIdOf(frames: readonly ChatFrame[]): string {
  return frames.find(({ id }) => id === '__cutoff__')?.state?.chatId ?? 'none';
}

/** A message as assembled by a client. */
interface Message {
  readonly sort: number;
  readonly content: string;
  readonly thinking: string;
  readonly rest: Partial<ChatFrame>;
}

/**
 * Assembles messages as a client does. A delta is appended, any other frame replaces the content, and a user message
 * restarts its turn.
 */
export class Reducer {
  readonly #turns = new Map<string, Map<string, Message>>();
  #current: Map<string, Message> = new Map();
  ended = false;

  add(frame: ChatFrame): void {
    if (frame.id === '__usage__') this.ended = true;
    if (frame.id === undefined || frame.id.startsWith('__')) return;
    if (frame.role === 'user') {
      this.#current = new Map();
      this.#turns.set(frame.id, this.#current);
    }
    const { id, content = '', thinking = '', isDelta, sort = -1, createdAt: _, ...rest } = frame;
    const known = isDelta ? this.#current.get(id) : undefined;
    this.#current.set(id, {
      sort,
      content: (known?.content ?? '') + content,
      thinking: (known?.thinking ?? '') + thinking,
      rest,
    });
  }

  /** Messages ordered by turn and position. */
  get thread() {
    return [...this.#turns].map(([id, messages]) => ({
      id,
      messages: [...messages.values()].sort((a, b) => a.sort - b.sort),
    }));
  }
}
