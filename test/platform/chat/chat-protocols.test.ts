import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatProxyHandler } from '../../../src/node/index.js';
import { createPlatform, type Platform } from '../../../src/platform/create-platform.js';
import { type SlowModel, slowAnswer, startSlowModel } from '../../e2e/slow-model.js';
import { writeParquet } from '../data/engines/duckdb/parquet.js';
import { takePlatformDatabase } from '../db/test-database.js';
import { openEmbedSession } from '../embed/open-embed-session.js';

// The clients of the AI SDK and of AG-UI, on a complete platform with the data of two tenants.

const adminKey = 'the-admin-key-of-tests';
const publicUrl = 'http://localhost:4100';
const chat = `${publicUrl}/api/v1/public/local/agents/1/chat`;
const model = `
cubes:
  - name: flights
    title: Flights
    sql_table: flights
    dimensions:
      - { name: origin, title: Origin, sql: origin, type: string }
    measures:
      - { name: count, title: Flights, type: count }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: origin, operator: equals, values: ["{ securityContext.airport }"] }] }
  - name: crews
    title: Crews
    sql_table: flights
    measures:
      - { name: pilots, title: Pilots, type: count }
    access_policy:
      - group: "*"
        row_level: { allow_all: true }
`;

let folder: string;
let database: Awaited<ReturnType<typeof takePlatformDatabase>>;
let slow: SlowModel;
/** Answers with the built-in analyst. */
let platform: Platform;
/** Answers with a language model that pauses. */
let paused: Platform;
type Airport = 'ATL' | 'ORD';
let tokens: Readonly<Record<Airport, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chat-protocols-'));
  const [modelDirectory, sourcesDirectory] = [join(folder, 'model'), join(folder, 'sources')];
  await Promise.all([mkdir(modelDirectory), mkdir(sourcesDirectory)]);
  await writeFile(join(modelDirectory, 'flights.yml'), model);
  const rows = "SELECT 'ATL' AS origin FROM range(300) UNION ALL SELECT 'ORD' FROM range(70)";
  await writeParquet(join(sourcesDirectory, 'flights.parquet'), rows);
  database = await takePlatformDatabase();
  slow = await startSlowModel();
  const options = {
    publicUrl,
    adminKey,
    ...database.options,
    modelDirectory,
    sourcesDirectory,
    limits: { continueWaitMs: 120_000 },
  };
  platform = await createPlatform(options);
  paused = await createPlatform({ ...options, llm: { baseUrl: slow.baseUrl, model: 'slow' } });
  const tokenOf = async (airport: Airport) => {
    const grant = { externalId: airport.toLowerCase(), securityContext: { airport } };
    return (await openEmbedSession({ url: publicUrl, adminKey, fetch: platform.fetch }, grant)).token;
  };
  tokens = { ATL: await tokenOf('ATL'), ORD: await tokenOf('ORD') };
});

afterAll(async () => {
  await slow?.stop();
  await platform?.close();
  await paused?.close();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

const fetchOf =
  ({ fetch }: Pick<Platform, 'fetch'>): typeof globalThis.fetch =>
  (input, init) =>
    fetch(new Request(input, init));
const bearer = (airport: Airport) => ({ authorization: `Bearer ${tokens[airport]}` });

const userMessage = (text: string): UIMessage => ({ id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] });

interface Sending {
  readonly chatId?: string;
  readonly trigger?: 'submit-message' | 'regenerate-message';
}

const transportOf = (airport: Airport, served = platform) =>
  new DefaultChatTransport({ api: `${chat}/ui-messages`, headers: bearer(airport), fetch: fetchOf(served) });

const send = (
  transport: DefaultChatTransport<UIMessage>,
  message: UIMessage,
  { chatId = randomUUID(), trigger = 'submit-message' }: Sending = {},
) => transport.sendMessages({ trigger, chatId, messageId: undefined, messages: [message], abortSignal: undefined });

async function lastOf(stream: ReadableStream<UIMessageChunk>): Promise<UIMessage> {
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream })) last = message;
  if (!last) throw new Error('The stream contains no message.');
  return last;
}

async function chunksOf(stream: ReadableStream<UIMessageChunk>): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const textOf = ({ parts }: UIMessage) => parts.map(part => (part.type === 'text' ? part.text : '')).join('');

/** Returns the input and output of the last query of an answer. */
function queryOf({ parts }: UIMessage) {
  const part = parts.findLast(each => each.type === 'dynamic-tool' && each.toolName === 'dataQuery');
  expect(part).toMatchObject({ state: 'output-available', providerExecuted: true });
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON of any shape, and a wrong path fails the test.
  return part as any;
}

const chatIdOf = (message: UIMessage) => Object(message.metadata).chatId;

async function post(path: string, airport: Airport, body: object, { fetch } = platform): Promise<Response> {
  const headers = { ...bearer(airport), 'content-type': 'application/json' };
  return fetch(new Request(`${chat}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** Returns the user's messages in a thread. */
async function inputsOf(chatId: string, airport: Airport): Promise<string[]> {
  const lines = (await (await post('/stream-chat-state', airport, { chatId })).text()).trim().split('\n');
  return lines.map(line => JSON.parse(line)).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
}

describe('the transport of the AI SDK', () => {
  test('gets text, queries and rows of its own tenant, with answers interleaved', async () => {
    const answers = await Promise.all(
      (['ATL', 'ORD'] as const).map(async airport =>
        lastOf(await send(transportOf(airport), userMessage('Flights by origin'))),
      ),
    );
    for (const [index, [airport, count]] of [
      ['ATL', '300'],
      ['ORD', '70'],
    ].entries()) {
      const answer = answers[index];
      if (!answer) throw new Error('There is no answer.');
      expect(answer.role).toBe('assistant');
      expect(textOf(answer)).not.toBe('');
      const { input, output } = queryOf(answer);
      expect(input.query.measures).toEqual(['flights.count']);
      expect(output.data).toEqual([[airport, count]]);
      expect(answer.parts.filter(({ type }) => type === 'step-start').length).toBeGreaterThan(1);
    }
  });

  test('continues its own thread by an id that the client has chosen', async () => {
    const [chatId, transport] = ['thread/of the client', transportOf('ATL')];
    const first = await lastOf(await send(transport, userMessage('Flights by origin'), { chatId }));
    const second = await lastOf(await send(transport, userMessage('How many flights?'), { chatId }));
    expect(chatIdOf(second)).toBe(chatIdOf(first));
    expect(second.id).not.toBe(first.id);
    expect(await inputsOf(chatIdOf(first), 'ATL')).toEqual(['Flights by origin', 'How many flights?']);
    const third = await lastOf(await send(transport, userMessage('How many flights?'), { chatId: chatIdOf(first) }));
    expect(chatIdOf(third)).toBe(chatIdOf(first));
    const other = await lastOf(await send(transportOf('ORD'), userMessage('How many flights?'), { chatId }));
    expect(chatIdOf(other)).not.toBe(chatIdOf(first));
    const foreign = await lastOf(
      await send(transportOf('ORD'), userMessage('How many flights?'), { chatId: chatIdOf(first) }),
    );
    expect(await inputsOf(chatIdOf(foreign), 'ORD')).toEqual(['How many flights?']);
  });

  test('gets the same answer for a repeated request, and another one for a regenerated message', async () => {
    const [chatId, transport, message] = [randomUUID(), transportOf('ATL'), userMessage('How many flights?')];
    const [first, repeated] = await Promise.all(
      [1, 2].map(async () => lastOf(await send(transport, message, { chatId }))),
    );
    if (!first || !repeated) throw new Error('There is no answer.');
    expect([repeated.id, textOf(repeated)]).toEqual([first.id, textOf(first)]);
    const regenerated = await lastOf(await send(transport, message, { chatId, trigger: 'regenerate-message' }));
    expect(regenerated.id).not.toBe(first.id);
    expect(await inputsOf(chatIdOf(first), 'ATL')).toHaveLength(2);
  });

  test('works through the proxy of a host', async () => {
    const handler = chatProxyHandler({
      baseUrl: publicUrl,
      apiKey: adminKey,
      agentId: 1,
      fetch: fetchOf(platform),
      sessionFor: () => ({ externalId: 'ord', securityContext: { airport: 'ORD' } }),
    });
    const transport = new DefaultChatTransport({
      api: 'https://app.example/api/assistant/chat/ui-messages',
      body: { sessionSettings: { externalId: 'atl', securityContext: { airport: 'ATL' } } },
      fetch: (input, init) => handler(new Request(input, init)),
    });
    const chatId = 'of the page';
    const answer = await lastOf(await send(transport, userMessage('How many flights?'), { chatId }));
    expect(queryOf(answer).output.data).toEqual([['70']]);
    const { chatId: thread, messageId } = Object(answer.metadata);
    const address = `https://app.example/api/assistant/chat/threads/${thread}/messages/${messageId}/feedback`;
    const headers = { 'content-type': 'application/json' };
    const rating = { method: 'PUT', headers, body: '{"rating":"down","comment":"Größer"}' };
    expect((await handler(new Request(address, rating))).status).toBe(204);
    const list = new Request(`${publicUrl}/api/v1/deployments/1/agent-feedback`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    expect((await (await platform.fetch(list)).json()).items).toMatchObject([
      { chatId: thread, messageId, rating: 'down', comment: 'Größer', question: 'How many flights?' },
    ]);
    expect(await transport.reconnectToStream({ chatId })).toBeNull();
  });

  test('resumes an answer that is being written, and only its own', async () => {
    const chatId = randomUUID();
    const transport = transportOf('ATL', paused);
    const stream = await send(transport, userMessage('Tell me everything.'), { chatId });
    await expect.poll(() => slow.startedCount).toBe(1);
    await expect(send(transport, userMessage('And more.'), { chatId })).rejects.toThrow('in progress');
    expect(await transportOf('ORD', paused).reconnectToStream({ chatId })).toBeNull();
    await stream.cancel();
    const resumed = await transport.reconnectToStream({ chatId });
    if (!resumed) throw new Error('There is nothing to resume.');
    const reading = lastOf(resumed);
    slow.release();
    const answer = await reading;
    expect(textOf(answer)).toBe(slowAnswer.join(''));
    expect(await transport.reconnectToStream({ chatId })).toBeNull();
    slow.hold();
  });

  test('reports that the answer was stopped', async () => {
    const stream = await send(transportOf('ATL', paused), userMessage('Tell me everything.'));
    const reader = stream.getReader();
    const started = await reader.read();
    const chatId = Object(Object(started.value).messageMetadata).chatId;
    await expect.poll(() => slow.startedCount).toBe(2);
    reader.releaseLock();
    expect((await post('/abort', 'ATL', { chatId }, paused)).status).toBe(204);
    const chunks = await chunksOf(stream);
    expect(chunks.at(-1)).toMatchObject({ type: 'abort' });
    expect(chunks.filter(({ type }) => type === 'text-start')).toHaveLength(1);
    expect(chunks.filter(({ type }) => type === 'text-end')).toHaveLength(1);
  });

  test.each([
    ['without a message of the user', { role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] }],
    ['without content', { role: 'user', parts: [] }],
    [
      'with an image to fetch',
      { role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'https://evil.example/x.png' }] },
    ],
    ['with an image of another type', { role: 'user', parts: [{ type: 'file', url: 'data:image/png;base64,QUJD' }] }],
  ])('gets 400 for a request %s', async (_name, message) => {
    const response = await post('/ui-messages', 'ATL', { id: 'x', messages: [message] });
    expect(response.status).toBe(400);
    expect((await response.json()).message).toContain('body.messages');
  });
});

const agentOf = (airport: Airport, served = platform) =>
  new HttpAgent({
    url: `${chat}/ag-ui`,
    headers: bearer(airport),
    fetch: (url, init) => served.fetch(new Request(url, init)),
    threadId: randomUUID(),
  });

describe('the client of AG-UI', () => {
  test('gets text, queries and rows of its own tenant, with answers interleaved', async () => {
    const runs = (['ATL', 'ORD'] as const).map(async airport => {
      const agent = agentOf(airport);
      agent.addMessage({ id: randomUUID(), role: 'user', content: 'Flights by origin' });
      const { newMessages } = await agent.runAgent();
      agent.addMessage({ id: randomUUID(), role: 'user', content: [{ type: 'text', text: 'How many flights?' }] });
      const second = await agent.runAgent();
      return { newMessages, second: JSON.stringify(second.newMessages) };
    });
    const expected = [
      ['ATL', '300'],
      ['ORD', '70'],
    ] as const;
    for (const [index, { newMessages, second }] of (await Promise.all(runs)).entries()) {
      const [airport, count] = expected[index] ?? [];
      const calls = newMessages.flatMap(each => (each.role === 'assistant' ? (each.toolCalls ?? []) : []));
      const call = calls.findLast(each => each.function.name === 'dataQuery');
      expect(JSON.parse(call?.function.arguments ?? '').query.measures).toEqual(['flights.count']);
      const result = newMessages.find(each => each.role === 'tool' && each.toolCallId === call?.id);
      expect(JSON.parse(String(result?.content)).data).toEqual([[airport, count]]);
      const texts = newMessages.flatMap(each => (each.role === 'assistant' && each.content ? [each.content] : []));
      expect(texts.length).toBeGreaterThan(0);
      expect(second).toContain(count);
    }
  });

  test('reports that the answer was stopped', async () => {
    const agent = agentOf('ATL', paused);
    agent.addMessage({ id: randomUUID(), role: 'user', content: 'Tell me everything.' });
    let chatId = '';
    let outcome: unknown;
    const running = agent.runAgent(undefined, {
      onCustomEvent: ({ event }) => {
        chatId = event.value.chatId;
      },
      onRunFinishedEvent: ({ event }) => {
        outcome = event.outcome;
      },
    });
    await expect.poll(() => slow.startedCount).toBe(3);
    expect((await post('/abort', 'ATL', { chatId }, paused)).status).toBe(204);
    await running;
    expect(outcome).toEqual({ type: 'cancelled' });
  });
});

describe('an agent that is restricted to views', () => {
  test('reads no others, and suggests its own questions', async () => {
    const create = (body: object) =>
      platform.fetch(
        new Request(`${publicUrl}/api/v1/deployments/1/agents`, {
          method: 'POST',
          headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      );
    const suggestions = ['How many flights are there?'];
    const { id } = await (await create({ name: 'Flights only', views: ['flights'], suggestions })).json();
    const api = `${publicUrl}/api/v1/public/local/agents/${id}/chat`;
    const transport = new DefaultChatTransport({
      api: `${api}/ui-messages`,
      headers: bearer('ATL'),
      fetch: fetchOf(platform),
    });
    const question = 'How many pilots?';
    expect(queryOf(await lastOf(await send(transportOf('ATL'), userMessage(question)))).output.data).toEqual([['370']]);
    const refused = await lastOf(await send(transport, userMessage(question)));
    // Ids are random and can contain the digits.
    expect(JSON.stringify(refused.parts)).not.toMatch(/\b370\b/);
    expect(queryOf(await lastOf(await send(transport, userMessage('How many flights?')))).output.data).toEqual([
      ['300'],
    ]);
    const response = await platform.fetch(new Request(`${api}/suggestions`, { headers: bearer('ATL') }));
    expect((await response.json()).items).toEqual(suggestions);
  });
});
