import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import type { ChatFrame } from '../../src/contract/chat.js';
import type { Message } from './chat-browser.js';
import { type DocumentName, documentOf, piecesOf } from './chat-corpus.js';
import { root } from './root.js';

// Serves the benchmark page and a chat that streams one text in 2,000 pieces, one every 2.5 ms.

const pieces = 2000;
const everyMs = 2.5;
/** Number of messages in the long thread. */
export const threadLength = 1000;

const folders: Readonly<Record<string, string>> = {
  '/pa-embed/': join(root, 'dist', 'standalone'),
  '/deep-chat/': join(root, 'node_modules', 'deep-chat', 'dist'),
  '/': join(root, 'test', 'bench', 'chat-page'),
};
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Starts the server on a free port. */
export async function startChatServer(): Promise<{ origin: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bench');
    const doc = /^\/chat\/(\w+)\/chat\/stream-chat-state$/.exec(url.pathname)?.[1];
    if (doc !== undefined) return void answer(request, response, doc);
    if (url.pathname.startsWith('/chat/')) return void response.writeHead(404).end();
    return sendFile(response, url.pathname);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function sendFile(response: ServerResponse, pathname: string): void {
  const [prefix = '/', folder = ''] = Object.entries(folders).find(([start]) => pathname.startsWith(start)) ?? [];
  const file = normalize(join(folder, pathname.slice(prefix.length)));
  try {
    const body = file.startsWith(folder) ? readFileSync(file) : null;
    if (!body) throw new Error('outside');
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, doc: string): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const sent: unknown = JSON.parse(body);
  const input = String(Object(sent).input ?? '');
  const messageId = String(Object(sent).messageId ?? '1700000000000-message');
  const isEvents = (request.headers.accept ?? '').includes('text/event-stream');
  response.writeHead(200, { 'content-type': isEvents ? 'text/event-stream' : 'application/json' });
  let count = 0;
  const write = (frame: ChatFrame) => {
    const text = JSON.stringify(frame);
    response.write(isEvents ? `id: ${messageId}:${++count}\ndata: ${text}\n\n` : `${text}\n`);
  };
  await stream(write, input, { doc, messageId });
  write({ id: '__usage__', type: 'usage', usage });
  response.end();
}

const usage = {
  models: [],
  llmCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  totalTokens: 0,
};
const chatId = 'bench';
const analyst = ['data_analyst_agent'];

async function stream(
  write: (frame: ChatFrame) => void,
  input: string,
  { doc, messageId }: { readonly doc: string; readonly messageId: string },
): Promise<void> {
  const text = documentOf(doc as DocumentName);
  write({ id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId, isStreaming: true } });
  write({ id: messageId, role: 'user', content: input, isDelta: false, sort: 1 });
  const answering = { id: 'answer', role: 'assistant', sort: 2 } as const;
  const begin = performance.now();
  let sent = 0;
  for (const content of piecesOf(text, pieces)) {
    sent += 1;
    write({ ...answering, content, isDelta: true, isInProcess: true, graphPath: analyst });
    // Timers are coarser than the interval, so a late piece is sent immediately.
    const ahead = begin + sent * everyMs - performance.now();
    if (ahead >= 1) await new Promise(resolve => setTimeout(resolve, ahead));
  }
  write({
    ...answering,
    content: text,
    isDelta: false,
    isInProcess: false,
    graphPath: ['final'],
    finishReason: 'stop',
  });
}

/** Returns the long thread: questions, and responses with a few lines of Markdown. */
export function longThread(): Message[] {
  return Array.from({ length: threadLength / 2 }, (_, turn) => turnOf(turn)).flat();
}

function turnOf(turn: number): Message[] {
  const late = 100 - (turn % 100);
  const answer = `There were **${turn * 97} flights** in week ${turn}.\n\n- on time: ${turn % 100} %\n- late: ${late} %\n\nSee \`flights.count\`.`;
  return [
    { role: 'user', text: `How many flights were there in week ${turn}?` },
    { role: 'ai', text: answer },
  ];
}
