import type { ChatFrame } from '../../../src/contract/chat.js';
import type { ChatLimits } from '../../../src/platform/chat/chat-limits.js';
import type { ChatCaller, ChatInput, ChatService, StreamFrame } from '../../../src/platform/chat/chat-service.js';
import { createChatService } from '../../../src/platform/chat/create-chat-service.js';
import type { CallerData } from '../../../src/platform/data/caller-data.js';
import type { Db } from '../../../src/platform/db/database.js';
import { seed } from '../../../src/platform/seed.js';
import { openTestDatabase } from '../db/test-database.js';
import { FakeAgent } from './fake-agent.js';

/** Someone who chats; other names are other owners. */
export function callerOf(name: string): ChatCaller {
  return {
    userId: 1,
    embedTenantId: null,
    deploymentId: 1,
    agentId: 1,
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

/** An ask, of which a test says what matters to it. */
export function ask(parts: Partial<ChatInput>): ChatInput {
  return { chatId: null, messageId: null, input: null, images: [], lastEventId: null, ...parts };
}

/** No lease of a run ends by itself in these tests, however long a machine stands still: they end them, or say how long one lasts. */
const lasting = { leaseTime: 3_600_000 } as const;

/** A service over a database, with an agent that does as it is told. */
export function startService(db: Db, limits: Partial<ChatLimits> = {}, parts: { now?: () => Date } = {}) {
  const agent = new FakeAgent();
  const failures: unknown[] = [];
  const service = createChatService({
    db,
    agentOf: () => agent,
    contextOf: () => ({ data: noData, tools: new Map() }),
    limits: { ...lasting, ...limits },
    onFailure: error => failures.push(error),
    ...parts,
  });
  return { service, agent, failures };
}

/** A database with the rows that threads need. */
export async function openChatDatabase() {
  const database = await openTestDatabase();
  await seed(database.db, { adminKeyHash: 'hash', groups: [] });
  return database;
}

/** All frames of a stream. */
export async function framesOf(stream: AsyncIterable<StreamFrame>): Promise<ChatFrame[]> {
  const frames: ChatFrame[] = [];
  for await (const { frame } of stream) frames.push(frame);
  return frames;
}

/** Opens and reads to the end. */
export async function read(service: ChatService, caller: ChatCaller, parts: Partial<ChatInput>): Promise<ChatFrame[]> {
  return framesOf(await service.open(caller, ask(parts)));
}

/** The first frames of a stream, which is then left. */
export async function take(stream: AsyncIterable<StreamFrame>, count: number): Promise<StreamFrame[]> {
  const taken: StreamFrame[] = [];
  if (count === 0) return taken;
  for await (const frame of stream) if (taken.push(frame) >= count) break;
  return taken;
}

/** Id of the thread that a stream told of. */
export function chatIdOf(frames: readonly ChatFrame[]): string {
  return frames.find(({ id }) => id === '__cutoff__')?.state?.chatId ?? 'none';
}

/** A message as a reader has it after some frames. */
interface Message {
  readonly sort: number;
  readonly content: string;
  readonly thinking: string;
  readonly rest: Partial<ChatFrame>;
}

/** What a client makes of frames: a delta appends, any other frame replaces, and a user's message begins its turn anew. */
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

  /** By turn and place. */
  get thread() {
    return [...this.#turns].map(([id, messages]) => ({
      id,
      messages: [...messages.values()].sort((a, b) => a.sort - b.sort),
    }));
  }
}
