import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyContent } from '../../../src/content/apply-content.js';
import { readContent } from '../../../src/content/read-content.js';
import type { ChatFrame, DataQueryResult } from '../../../src/contract/chat.js';
import { createPlatform, type Platform } from '../../../src/platform/create-platform.js';
import type { PlatformOptions } from '../../../src/platform/platform-options.js';
import { slowAnswer, startSlowModel } from '../../e2e/slow-model.js';
import { writeParquet } from '../data/engines/duckdb/parquet.js';
import { takePlatformDatabase } from '../db/test-database.js';
import { openEmbedSession } from '../embed/open-embed-session.js';

// Tests the Chat API on a complete platform with keys, tokens, the built-in analyst and the data of two tenants.

const adminKey = 'the-admin-key-of-tests';
const publicUrl = 'http://localhost:4100';
const chat = '/api/v1/public/local/agents/1/chat';
const model = `
cubes:
  - name: flights
    title: Flights
    sql_table: flights
    dimensions:
      - { name: origin, title: Origin, sql: origin, type: string }
      - { name: carrier, title: Carrier, sql: carrier, type: string }
    measures:
      - { name: count, title: Flights, type: count }
      - { name: passengers, title: Passengers, sql: seats, type: sum }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: origin, operator: equals, values: ["{ securityContext.airport }"] }] }
`;
/** 300 flights from ATL and 70 from ORD, with different carriers and passengers. */
const rows = `
SELECT 'ATL' AS origin, 'Amber ' || (i % 3) AS carrier, i AS seats FROM range(300) t(i)
UNION ALL SELECT 'ORD', 'Blue ' || (i % 2), 1000 + i FROM range(70) t(i)`;

const board = `
name: board
dashboard:
  kind: CLASSIC
  title: Board
  widgets:
    - { id: carrier, type: FILTER, position: { x: 0, y: 0, w: 2, h: 1 }, config: { member: flights.carrier } }
    - { id: tile, type: CHART, position: { x: 0, y: 1, w: 6, h: 4 }, config: { report: CarrierTile1 } }
publish: true
embedAccess: { allowEmbed: true, tenants: [readers] }
`;
const tile = `
name: Flights by carrier
workbook: board
query: { dimensions: [flights.carrier], measures: [flights.count] }
meta: { kind: table }
`;

let folder: string;
let options: Partial<PlatformOptions>;
const databases: (() => Promise<void>)[] = [];
const open: Platform[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chat-live-'));
  const [modelDirectory, sourcesDirectory] = [join(folder, 'model'), join(folder, 'sources')];
  await Promise.all([mkdir(modelDirectory), mkdir(sourcesDirectory)]);
  await writeFile(join(modelDirectory, 'flights.yml'), model);
  await writeParquet(join(sourcesDirectory, 'flights.parquet'), rows);
  // These tests do not retry after `Continue wait`, even on a slow machine.
  options = { modelDirectory, sourcesDirectory, limits: { continueWaitMs: 120_000 } };
});

afterAll(async () => {
  for (const platform of open) await platform.close();
  expect(failures).toEqual([]);
  for (const stop of databases) await stop();
  await rm(folder, { recursive: true, force: true });
});

async function newDatabase(): Promise<Pick<PlatformOptions, 'databaseUrl' | 'secretKey'>> {
  const { options: taken, stop } = await takePlatformDatabase();
  databases.push(stop);
  return taken;
}

const failures: string[] = [];
async function start(given: Partial<PlatformOptions>): Promise<Platform> {
  const onFailure = (failure: string) => void failures.push(failure);
  const platform = await createPlatform({ publicUrl, adminKey, onFailure, ...options, ...given });
  open.push(platform);
  return platform;
}

const fetchOf =
  (platform: Platform): typeof fetch =>
  async (input, init) =>
    platform.fetch(new Request(input, init));

function send(platform: Platform, path: string, authorization: string, body?: unknown, method = 'POST') {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return platform.fetch(new Request(`${publicUrl}${path}`, init));
}

async function sessionOf({ fetch }: Platform, airport: string) {
  const grant = { externalId: airport.toLowerCase(), securityContext: { airport } };
  const { token, platformApiToken } = await openEmbedSession({ url: publicUrl, adminKey, fetch }, grant);
  return { bearer: `Bearer ${token}`, platformApiToken };
}

async function framesOf(response: Response): Promise<ChatFrame[]> {
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter(line => line !== '');
  return lines.map(line => JSON.parse(line));
}

const ask = async (platform: Platform, authorization: string, body: object) =>
  framesOf(await send(platform, `${chat}/stream-chat-state`, authorization, body));

const chatIdOf = (frames: readonly ChatFrame[]) => frames.find(({ id }) => id === '__cutoff__')?.state?.chatId ?? '';
const answerOf = (frames: readonly ChatFrame[]) =>
  frames.findLast(({ graphPath, isDelta }) => graphPath?.[0] === 'final' && !isDelta)?.content;

function resultOf(frames: readonly ChatFrame[]): DataQueryResult {
  const call = frames.findLast(({ toolCall }) => toolCall?.name === 'dataQuery' && toolCall.result !== undefined);
  expect(call, JSON.stringify(frames)).toBeDefined();
  return JSON.parse(call?.toolCall?.result ?? '{}');
}

async function loaded(platform: Platform, token: string, { query, schema }: DataQueryResult): Promise<unknown> {
  const response = await send(platform, '/data-api/v1/load', token, { query });
  const { data } = await response.json();
  return data.map((row: Record<string, unknown>) => schema.map(({ name }) => row[name]));
}

const questions = ['How many flights?', 'Passengers by carrier', 'Flights by origin', 'Top 2 carriers by passengers'];

describe('the built-in analyst', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await start(await newDatabase());
  });

  test('answers each tenant only from its own rows, like the Data API', async () => {
    const [atlanta, chicago] = await Promise.all([sessionOf(platform, 'ATL'), sessionOf(platform, 'ORD')]);
    for (const input of questions) {
      const [ours, theirs] = await Promise.all(
        [atlanta, chicago].map(async ({ bearer, platformApiToken }) => {
          const frames = await ask(platform, bearer, { input });
          expect(frames.at(-1)).toMatchObject({ id: '__usage__', type: 'usage' });
          const result = resultOf(frames);
          expect(result.data).toEqual(await loaded(platform, platformApiToken, result));
          return { data: result.data, text: JSON.stringify(frames) };
        }),
      );
      expect(ours?.data, input).not.toEqual(theirs?.data);
      expect(ours?.text).not.toMatch(/ORD|Blue/);
      expect(theirs?.text).not.toMatch(/ATL|Amber/);
    }
    expect(resultOf(await ask(platform, atlanta.bearer, { input: 'How many flights?' })).data).toEqual([['300']]);
    expect(resultOf(await ask(platform, chicago.bearer, { input: 'How many flights?' })).data).toEqual([['70']]);
  });

  test('gives the host acting for a user the same answer as the user', async () => {
    const atlanta = await sessionOf(platform, 'ATL');
    const sessionSettings = { externalId: 'atl', securityContext: { airport: 'ATL' } };
    const frames = await ask(platform, `Api-Key ${adminKey}`, { input: 'How many flights?', sessionSettings });
    expect(resultOf(frames).data).toEqual([['300']]);
    const read = await ask(platform, atlanta.bearer, { chatId: chatIdOf(frames) });
    expect(answerOf(read)).toBe(answerOf(frames));
  });

  test('isolates the threads of tenants', async () => {
    const [atlanta, chicago] = await Promise.all([sessionOf(platform, 'ATL'), sessionOf(platform, 'ORD')]);
    const chatId = chatIdOf(await ask(platform, atlanta.bearer, { input: 'How many flights?' }));
    const stranger = { externalId: 'atl', embedTenantName: 'acme', securityContext: { airport: 'ATL' } };
    for (const [authorization, settings] of [
      [chicago.bearer, {}],
      [`Api-Key ${adminKey}`, { sessionSettings: stranger }],
    ] as const) {
      const as = (path: string, body: object) =>
        send(platform, `${chat}${path}`, authorization, { ...body, ...settings });
      expect((await as('/stream-chat-state', { chatId })).status).toBe(404);
      expect((await as('/stream-chat-state', { chatId, input: 'And by carrier?' })).status).toBe(404);
      expect((await as('/abort', { chatId })).status).toBe(403);
    }
    const path = `${chat}/threads/${chatId}`;
    expect((await send(platform, path, chicago.bearer, { title: 'Mine' }, 'PATCH')).status).toBe(404);
    expect((await send(platform, path, chicago.bearer, undefined, 'DELETE')).status).toBe(404);
    const list = async (bearer: string) =>
      (await (await send(platform, `${chat}/threads`, bearer, undefined, 'GET')).json()).items;
    const mine = expect.objectContaining({ id: chatId });
    expect(await list(chicago.bearer)).not.toContainEqual(mine);
    expect(await list(atlanta.bearer)).toContainEqual(mine);
    expect((await send(platform, path, atlanta.bearer, { title: 'Mine' }, 'PATCH')).status).toBe(200);
    expect((await send(platform, path, atlanta.bearer, undefined, 'DELETE')).status).toBe(204);
    expect(await list(atlanta.bearer)).not.toContainEqual(mine);
  });

  test('answers about a tile of a dashboard with its query and the values of the controls, for its readers only', async () => {
    const content = join(folder, 'content');
    await mkdir(join(content, 'workbooks'), { recursive: true });
    await mkdir(join(content, 'reports'));
    await writeFile(join(content, 'workbooks', 'board.yml'), board);
    await writeFile(join(content, 'reports', 'CarrierTile1.yml'), tile);
    const openSession = async (embedTenantName: string) => {
      const grant = { externalId: `reader-${embedTenantName}`, embedTenantName, securityContext: { airport: 'ATL' } };
      const { token } = await openEmbedSession({ url: publicUrl, adminKey, fetch: fetchOf(platform) }, grant);
      return `Bearer ${token}`;
    };
    const reader = await openSession('readers');
    const connection = { baseUrl: publicUrl, token: adminKey, fetch: fetchOf(platform) };
    const target = { connection, deploymentId: 1, signal: new AbortController().signal };
    const { published } = await applyContent(await readContent(content), target, {});
    const dashboardPublicId = published.get('board');
    const context = {
      dashboardPublicId,
      tiles: ['tile'],
      controls: { filters: { 'flights.carrier': { operator: 'equals', value: ['Amber 1'] } } },
    };
    const explained = await ask(platform, reader, { input: 'Explain this tile', context });
    expect(resultOf(explained)).toMatchObject({ data: [['Amber 1', '100']], query: { measures: ['flights.count'] } });
    const changed = await ask(platform, reader, { input: 'and passengers?', context });
    expect(resultOf(changed).query).toMatchObject({ measures: ['flights.passengers'] });

    const request = { input: 'Show only Amber 1 on the dashboard' };
    const set = await ask(platform, reader, { ...request, context: { dashboardPublicId, canSetControls: true } });
    const call = set.findLast(({ toolCall }) => toolCall?.name === 'setDashboardControls');
    expect(JSON.parse(call?.toolCall?.result ?? '')).toMatchObject({
      dashboardPublicId,
      state: { filters: { 'flights.carrier': { operator: 'equals', value: ['Amber 1'] } } },
    });
    const unset = await ask(platform, reader, { ...request, context: { dashboardPublicId } });
    expect(unset.some(({ toolCall }) => toolCall)).toBe(false);

    const other = await ask(platform, await openSession('others'), { input: 'Explain this tile', context });
    expect(other.find(({ error }) => error !== undefined)?.error ?? answerOf(other)).toContain('was not found');
    const large = { ...context, controls: { filters: { 'flights.carrier': { value: 'x'.repeat(512 * 1024) } } } };
    const path = `${chat}/stream-chat-state`;
    expect((await send(platform, path, reader, { input: 'Explain this', context: large })).status).toBe(413);
    expect((await send(platform, path, reader, { input: 'Explain', context: { dashboardPublicId: 'x' } })).status).toBe(
      400,
    );
  });

  test('suggests questions that it can answer', async () => {
    const { bearer } = await sessionOf(platform, 'ATL');
    const { items } = await (await send(platform, `${chat}/suggestions`, bearer, undefined, 'GET')).json();
    expect(items.length).toBeGreaterThan(0);
    for (const input of items) expect(resultOf(await ask(platform, bearer, { input })).data.length).toBeGreaterThan(0);
  });
});

describe('a platform that shuts down during an answer', () => {
  test('reports it and ends its streams, and another platform on the same database completes the answer', async () => {
    const slow = await startSlowModel();
    const database = await newDatabase();
    const llm = { baseUrl: slow.baseUrl, model: 'slow' };
    try {
      const first = await start({ ...database, llm });
      const { bearer } = await sessionOf(first, 'ATL');
      const messageId = `${Date.now()}-message`;
      const asked = { input: 'Tell me everything.', messageId };
      const askAlike = () => send(first, `${chat}/stream-chat-state`, bearer, asked);
      // Both requests must join the run before the shutdown, because later requests are rejected.
      const opened = await Promise.all([askAlike(), askAlike()]);
      const [streamed, joined] = [framesOf(opened[0]), framesOf(opened[1])];
      await expect.poll(() => slow.startedCount).toBe(1);
      await first.drain();
      const [frames, others] = await Promise.all([streamed, joined]);
      expect(frames.slice(-2)).toMatchObject([
        { id: '__suspended__', type: 'suspend', code: 'chat_suspended', retryable: true, messageId },
        { id: '__usage__' },
      ]);
      expect(others.slice(-2)).toEqual(frames.slice(-2));
      expect((await send(first, `${chat}/stream-chat-state`, bearer, { input: 'More' })).status).toBe(503);
      await first.close();

      slow.release();
      const second = await start({ ...database, llm });
      const chatId = chatIdOf(frames);
      const read = await ask(second, bearer, { chatId });
      expect(read.find(({ id }) => id === '__cutoff__')?.state).toMatchObject({ suspended: { messageId } });
      const resumed = await ask(second, bearer, { ...asked, chatId });
      expect(answerOf(resumed)).toBe(slowAnswer.join(''));
      expect(resumed.at(-1)).toMatchObject({ id: '__usage__' });
      expect(answerOf(await ask(second, bearer, { chatId }))).toBe(slowAnswer.join(''));
    } finally {
      await slow.stop();
    }
  });
});

describe('a platform without a semantic model', () => {
  test('has no agent and reports this only to authenticated callers', async () => {
    const platform = await createPlatform({ publicUrl, adminKey, ...(await newDatabase()) });
    open.push(platform);
    const path = `${chat}/stream-chat-state`;
    expect((await send(platform, path, '', {})).status).toBe(401);
    const answer = await send(platform, path, `Api-Key ${adminKey}`, {});
    expect(answer.status).toBe(404);
    expect((await answer.json()).message).toContain('this platform serves none');
  });

  test.each(['http://llm.example/v1', 'nonsense'])(
    'does not start with the language model address %s',
    async baseUrl => {
      const starting = createPlatform({ publicUrl, adminKey, llm: { baseUrl, model: 'm' } });
      await expect(starting).rejects.toThrow('The base URL of the language model (PA_LLM_BASE_URL) must');
    },
  );
});
