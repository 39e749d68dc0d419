import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../../src/cli/server/listen.js';
import { applyContent } from '../../../src/content/apply-content.js';
import { readContent } from '../../../src/content/read-content.js';
import { createPlatform, type Platform } from '../../../src/platform/create-platform.js';
import { writeParquet } from '../data/engines/duckdb/parquet.js';
import { takePlatformDatabase } from '../db/test-database.js';
import { openEmbedSession, type TestEmbedSession } from '../embed/open-embed-session.js';

const adminKey = 'the-admin-key-of-tests';
const rateLimit = 200;
const model = `
cubes:
  - name: flights
    title: Flights
    sql_table: flights
    dimensions:
      - { name: origin, title: Departure airport, sql: origin, type: string }
    measures:
      - { name: count, type: count }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: origin, operator: equals, values: ["{ securityContext.airport }"] }] }
  - name: salaries
    sql_table: flights
    measures:
      - { name: count, type: count }
    access_policy:
      - group: admins
        row_level: { allow_all: true }
`;
const workbook = (name: string, embedAccess: string) => `name: ${name}
dashboard: { title: ${name}, widgets: [] }
publish: true
embedAccess: ${embedAccess}
`;

let folder: string;
let database: Awaited<ReturnType<typeof takePlatformDatabase>>;
let listener: Listener;
let platform: Platform;
let ids: ReadonlyMap<string, string>;
const failures: string[] = [];
const clients: Client[] = [];
type Airport = 'ATL' | 'ORD';
let sessions: Readonly<Record<Airport, TestEmbedSession>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-mcp-'));
  const directories = ['model', 'sources', 'content', 'content/workbooks'].map(name => join(folder, name));
  for (const directory of directories) await mkdir(directory);
  const [modelDirectory = '', sourcesDirectory = '', contentDirectory = ''] = directories;
  await writeFile(join(modelDirectory, 'flights.yml'), model);
  await writeParquet(
    join(sourcesDirectory, 'flights.parquet'),
    "SELECT unnest(['ATL', 'ATL', 'ORD']) AS origin FROM range(600)",
  );
  database = await takePlatformDatabase();
  listener = await listen({ host: '127.0.0.1', port: 0 });
  platform = await createPlatform({
    publicUrl: listener.url,
    adminKey,
    ...database.options,
    modelDirectory,
    sourcesDirectory,
    limits: { continueWaitMs: 120_000 },
    rateLimit,
    mcp: true,
    onFailure: failure => failures.push(failure),
  });
  listener.serve(platform.fetch);
  sessions = { ATL: await openSession('ATL'), ORD: await openSession('ORD') };
  const shared = join(contentDirectory, 'workbooks');
  await writeFile(join(shared, 'everyone.yml'), workbook('For everyone', '{ allowEmbed: true, allEmbedUsers: true }'));
  await writeFile(join(shared, 'atlanta.yml'), workbook('For Atlanta', '{ allowEmbed: true, tenants: [of-atl] }'));
  await writeFile(join(shared, 'off.yml'), workbook('Not embedded', '{ allowEmbed: false, allEmbedUsers: true }'));
  const target = {
    connection: { baseUrl: listener.url, token: adminKey },
    deploymentId: 1,
    signal: new AbortController().signal,
  };
  const content = await readContent(contentDirectory);
  ids = (await applyContent(content, target, {})).published;
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await listener?.close(0);
  await platform?.close();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

const openSession = (airport: Airport) =>
  openEmbedSession(
    { url: listener.url, adminKey },
    { externalId: airport.toLowerCase(), embedTenantName: `of-${airport.toLowerCase()}`, securityContext: { airport } },
  );

const mcpUrl = () => new URL(`${listener.url}/mcp`);

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(mcpUrl(), { requestInit }));
  clients.push(client);
  return client;
}

const clientOf = (airport: Airport) => connect(sessions[airport].platformApiToken);

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: input });
  const [block] = result.content;
  const text = block?.type === 'text' ? block.text : '';
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON of any shape, and a wrong path fails the test.
  return { text, isError: result.isError === true, data: result.structuredContent as any };
}

async function adminToken(scopes?: readonly string[]): Promise<string> {
  const path = scopes ? '/api/v1/deployments/1/environments/1/tokens' : '/api/v1/deployments/1/token';
  const body = scopes ? { scopes, security_context: { airport: 'ATL' } } : {};
  const response = await fetch(`${listener.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  return scopes ? answer.data.token : answer.platformApiToken;
}

const count = { measures: ['flights.count'] };

describe('the official client', () => {
  it('finds read-only tools with input schemas', async () => {
    const { tools } = await (await clientOf('ATL')).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_model',
      'describe_model',
      'query',
      'list_dashboards',
      'get_dashboard',
    ]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(inputSchema.type).toBe('object');
    }
  });

  it('reads only the rows of its own token, with calls of two tenants interleaved', async () => {
    const callers = { ATL: await clientOf('ATL'), ORD: await clientOf('ORD') } as const;
    const expected = { ATL: '1200', ORD: '600' } as const;
    const sql = 'SELECT origin, MEASURE(count) AS n FROM flights GROUP BY 1';
    const rounds = Array.from({ length: 4 }, (_, round) =>
      (['ATL', 'ORD'] as const).map(async airport => {
        const input = round % 2 === 0 ? { query: { ...count, dimensions: ['flights.origin'] } } : { sql };
        const { data, isError, text } = await call(callers[airport], 'query', input);
        expect(isError, text).toBe(false);
        expect(data.rows).toEqual([[airport, expected[airport]]]);
      }),
    );
    await Promise.all(rounds.flat());
  });

  it('gets at most as many rows as it requests, and whether there are more', async () => {
    const client = await clientOf('ATL');
    const bySql = await call(client, 'query', { sql: 'SELECT origin FROM flights', limit: 7 });
    expect([bySql.data.rows.length, bySql.data.truncated]).toEqual([7, true]);
    const all = await call(client, 'query', { sql: 'SELECT origin FROM flights' });
    expect([all.data.rows.length, all.data.truncated]).toEqual([100, true]);
    const tooMany = await call(client, 'query', { sql: 'SELECT origin FROM flights', limit: 1001 });
    expect(tooMany.isError).toBe(true);
    const grouped = await call(client, 'query', { query: { ...count, dimensions: ['flights.origin'] }, limit: 1 });
    expect(grouped.data).toMatchObject({ totalRows: 1, truncated: false });
  });

  it('cannot distinguish hidden names from unknown ones', async () => {
    const client = await clientOf('ATL');
    const search = await call(client, 'search_model', {});
    expect(search.data.cubes.map((cube: { name: string }) => cube.name)).toEqual(['flights']);
    expect((await call(client, 'describe_model', { name: 'flights' })).data.members).toHaveLength(2);
    const messageOf = async (name: string, input: (cube: string) => Record<string, unknown>) => {
      const [hidden, unknown] = [
        await call(client, name, input('salaries')),
        await call(client, name, input('nothings')),
      ];
      expect([hidden.isError, unknown.isError]).toEqual([true, true]);
      expect(hidden.text).toBe(unknown.text.replaceAll('nothings', 'salaries'));
    };
    await messageOf('describe_model', cube => ({ name: cube }));
    await messageOf('query', cube => ({ query: { measures: [`${cube}.count`] } }));
    await messageOf('query', cube => ({ sql: `SELECT MEASURE(count) FROM ${cube}` }));
    expect(failures).toEqual([]);
  });

  it('reads the dashboards that are shared with its tenant, and no others', async () => {
    const titles = async (client: Client) =>
      (await call(client, 'list_dashboards')).data.dashboards.map(({ title }: { title: string }) => title).sort();
    const [atlanta, chicago] = [await clientOf('ATL'), await clientOf('ORD')];
    expect(await titles(atlanta)).toEqual(['For Atlanta', 'For everyone']);
    expect(await titles(chicago)).toEqual(['For everyone']);
    expect((await call(chicago, 'list_dashboards', { search: 'ATLANTA' })).data.dashboards).toEqual([]);
    const publicId = ids.get('atlanta');
    expect((await call(atlanta, 'get_dashboard', { publicId })).data).toMatchObject({ publicId, title: 'For Atlanta' });
    for (const hidden of [publicId, ids.get('off'), 'AAAAAAAAAAAA', 'x']) {
      expect(await call(chicago, 'get_dashboard', { publicId: hidden })).toMatchObject({
        isError: true,
        text: 'Dashboard not found.',
      });
    }
    const admin = await connect(await adminToken());
    expect(await titles(admin)).toEqual(['For Atlanta', 'For everyone', 'Not embedded']);
  });

  it('is offered only the tools that the scopes of its token allow', async () => {
    const names = async (scopes: string[]) =>
      (await (await connect(await adminToken(scopes))).listTools()).tools.map(({ name }) => name);
    expect(await names(['data'])).toEqual(['query']);
    expect(await names(['meta'])).toEqual(['search_model', 'describe_model', 'list_dashboards', 'get_dashboard']);
  });

  it('is rejected after its session was revoked', async () => {
    const session = await openSession('ATL');
    const client = await connect(session.platformApiToken);
    await fetch(`${listener.url}/api/v1/embed/session/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId: session.sessionId }),
    });
    await expect(client.callTool({ name: 'query', arguments: { query: count } })).rejects.toThrow();
  });
});

const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

async function post(headers: Record<string, string>, body: string = JSON.stringify(rpc)) {
  const accept = 'application/json, text/event-stream';
  const given = { accept, 'content-type': 'application/json', ...headers };
  return platform.fetch(new Request(mcpUrl(), { method: 'POST', headers: given, body }));
}

describe('the endpoint', () => {
  const bearer = () => ({ authorization: `Bearer ${sessions.ATL.platformApiToken}` });

  it('returns 401 without a valid data token', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer x' },
      { authorization: `Bearer ${sessions.ATL.token}` },
      { cookie: `token=${sessions.ATL.platformApiToken}` },
    ]) {
      const response = await post(headers);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await response.text()).not.toContain('tools');
    }
  });

  it('returns 421 for a foreign host and 403 for a page of a foreign origin', async () => {
    expect((await post({ ...bearer(), host: 'evil.example' })).status).toBe(421);
    expect((await post({ ...bearer(), origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ ...bearer(), origin: listener.url })).status).toBe(200);
  });

  it('limits the body, and neither sets cookies nor allows caching', async () => {
    expect((await post(bearer(), JSON.stringify({ ...rpc, padding: 'x'.repeat(256 * 1024) }))).status).toBe(413);
    expect((await post(bearer(), '{')).status).toBe(400);
    expect((await post({ ...bearer(), 'content-type': 'text/plain' })).status).toBe(415);
    const response = await post(bearer());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(response.headers.has('set-cookie')).toBe(false);
    const streams = await platform.fetch(new Request(mcpUrl(), { headers: bearer() }));
    expect(streams.status).toBe(405);
  });

  it('records each tool call in the audit log, without its input', async () => {
    const client = new pg.Client(database.connection);
    await client.connect();
    try {
      await client.query('delete from audit_log');
      const caller = await clientOf('ORD');
      await call(caller, 'query', {
        query: { ...count, filters: [{ member: 'flights.origin', operator: 'equals', values: ['secret'] }] },
      });
      await call(caller, 'get_dashboard', { publicId: ids.get('everyone') });
      const { rows } = await client.query('select operation, principal, user_id, target from audit_log order by id');
      expect(rows).toEqual([
        { operation: 'mcp.query', principal: 'data-token', user_id: expect.anything(), target: { deploymentId: 1 } },
        {
          operation: 'mcp.get_dashboard',
          principal: 'data-token',
          user_id: expect.anything(),
          target: { deploymentId: 1, publicId: ids.get('everyone') },
        },
      ]);
    } finally {
      await client.end();
    }
  });

  it('rejects text that the database cannot search, and queries that are nested too deeply', async () => {
    const before = failures.length;
    const search = { ...rpc, method: 'tools/call', params: { name: 'list_dashboards', arguments: { search: '\0' } } };
    expect((await post(bearer(), JSON.stringify(search))).status).toBe(400);
    const nested = `{"params":${'{"and":['.repeat(15_000)}${']}'.repeat(15_000)}}`;
    expect((await post(bearer(), nested)).status).toBe(400);
    expect(failures.slice(before)).toEqual([]);
  });

  it('counts each message of a batch as a request', async () => {
    const { platformApiToken } = await openEmbedSession(
      { url: listener.url, adminKey },
      { externalId: 'batch', embedTenantName: 'of-atl', securityContext: { airport: 'ATL' } },
    );
    const batch = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ ...rpc, id })));
    const statuses: number[] = [];
    for (let sent = 0; sent < 6; sent += 1) {
      statuses.push((await post({ authorization: `Bearer ${platformApiToken}` }, batch)).status);
    }
    expect(statuses).toContain(200);
    expect(statuses.at(-1)).toBe(429);
  });

  it('limits the requests of a user, and not those of another one', async () => {
    const { platformApiToken } = await openEmbedSession(
      { url: listener.url, adminKey },
      { externalId: 'eager', embedTenantName: 'of-atl', securityContext: { airport: 'ATL' } },
    );
    const authorization = `Bearer ${platformApiToken}`;
    const statuses: number[] = [];
    for (let sent = 0; sent < 3 * rateLimit && !statuses.includes(429); sent += 1) {
      statuses.push((await post({ authorization })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await post({ authorization: `Bearer ${sessions.ORD.platformApiToken}` })).status).toBe(200);
  });
});
