import { Hono } from 'hono';
import { vi } from 'vitest';
import { createApp } from '../../../src/platform/app.js';
import { createAuthenticate, createAuthenticateChat } from '../../../src/platform/auth/authenticate.js';
import { chatRoutes } from '../../../src/platform/chat/chat-routes.js';
import type { ChatCaller, ChatService, StreamFrame } from '../../../src/platform/chat/chat-service.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { startTestPlatform } from '../test-platform.js';

const origin = 'http://localhost:4100';
/** Chat path of the seeded agent. */
export const agentChat = '/api/v1/public/local/agents/1/chat';
/** Chat path of the seeded deployment. */
export const deploymentChat = '/api/v1/public/local/deployments/1/chat';

/** A short stream: the cutoff frame, an answer, and the end. */
export const shortStream: readonly StreamFrame[] = [
  { id: null, frame: { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'c1', isStreaming: true } } },
  { id: '1700000000000-message:1', frame: { id: 'a', role: 'assistant', content: 'Hi', isDelta: true } },
  { id: null, frame: { id: '__usage__', type: 'usage' } },
];

/** Yields frames in order. */
async function* play(frames: readonly StreamFrame[]): AsyncGenerator<StreamFrame> {
  yield* frames;
}

/** Returns a chat service that plays one stream and records its calls. `owners` maps threads to their owners. */
function fakeChat() {
  const owners = new Map<string, string>();
  const require = ({ ownerKey }: ChatCaller, chatId: string): void => {
    if (owners.get(chatId) !== ownerKey) throw new PlatformError(404, 'Thread not found');
  };
  const thread = (id: string, title: string) => ({ id, title, createdAt: '', updatedAt: '', isStreaming: false });
  return {
    owners,
    accept: <T>(task: () => Promise<T>): Promise<T> => task(),
    open: vi.fn<ChatService['open']>(async (caller, { chatId }) => {
      if (chatId !== null) require(caller, chatId);
      return play(shortStream);
    }),
    resume: vi.fn<ChatService['resume']>(async () => null),
    abort: vi.fn<ChatService['abort']>(async ({ ownerKey }, chatId) => {
      if (!owners.has(chatId)) throw new PlatformError(404, 'Thread not found');
      if (owners.get(chatId) !== ownerKey) throw new PlatformError(403, "The thread is somebody else's.");
    }),
    threads: vi.fn<ChatService['threads']>(async () => ({
      items: [thread('c1', 'One')],
      hasNextPage: true,
      endCursor: 'next',
    })),
    rename: vi.fn<ChatService['rename']>(async (caller, chatId, title) => {
      require(caller, chatId);
      return thread(chatId, title);
    }),
    remove: vi.fn<ChatService['remove']>(async (caller, chatId) => require(caller, chatId)),
    rate: vi.fn<ChatService['rate']>(async (caller, { chatId }) => require(caller, chatId)),
    suggestions: vi.fn<ChatService['suggestions']>(async () => ['How many?']),
    close: vi.fn<ChatService['close']>(async () => {}),
  };
}

/**
 * Starts the Chat API with a fake service, together with the Platform API that creates its sessions, on a separate
 * database.
 */
export async function startChatServer() {
  const platform = await startTestPlatform();
  const { db, tokens } = platform;
  const chat = fakeChat();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const app = createApp({
    publicUrl: new URL(origin),
    allowOrigins: ['https://app.example'],
    dataApiPath: '/data-api',
    authenticate: createAuthenticate({ db, tokens }),
    platformRoutes: new Hono(),
    dataRoutes: new Hono(),
    chatRoutes: chatRoutes({
      db,
      chat,
      authenticate: createAuthenticateChat({ db, tokens }),
      async versionOf({ branchName }) {
        if (branchName !== 'work') throw new PlatformError(404, 'Branch not found.');
        return 'version of work';
      },
      onFailure,
    }),
    onFailure,
  });

  const request = async (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    app.request(`${origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  return {
    ...platform,
    chat,
    failures,
    app,
    request,
    /** Opens a stream. */
    stream: (headers: Record<string, string>, body: unknown = { input: 'Hello' }, path = agentChat) =>
      request('POST', `${path}/stream-chat-state`, headers, body),
    /** Returns the caller of the most recently opened stream. */
    lastCaller(): ChatCaller {
      const [caller] = chat.open.mock.lastCall ?? [];
      if (!caller) throw new Error('No stream was opened.');
      return caller;
    },
    /** Exchanges an embed token or a key for a chat token. */
    async chatTokenOf(credential: string): Promise<string> {
      const body = { scope: ['chat'] };
      return (await platform.ok('POST', '/api/v1/deployments/1/token', body, credential)).platformApiToken;
    },
  };
}

/** The Chat API for tests. */
export type ChatServer = Awaited<ReturnType<typeof startChatServer>>;
