import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import { agentChat, type ChatServer, deploymentChat, startChatServer } from './chat-server.js';

const key = 'the-admin-key';
let server: ChatServer;

beforeAll(async () => {
  server = await startChatServer();
  await server.addUserKey('a-users-key');
  await server.tokenOf({
    creatorMode: true,
    userAttributeDefinitions: [
      { name: 'level', type: 'number' },
      { name: 'cities', type: 'string_array' },
    ],
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.chat.open.mockClear();
});

const authorization = { authorization: `Api-Key ${key}` };
const speakFor = (sessionSettings: unknown, headers: Record<string, string> = authorization) =>
  server.stream(headers, { input: 'Hello', sessionSettings });
const message = async (response: Response): Promise<string> => (await response.json()).message;

/** Returns the rows that a grant writes, each with the transaction that last changed it. */
async function written(): Promise<unknown[]> {
  return server.withConnection(async client => {
    const tables = ['users', 'embed_tenants', 'groups', 'group_members', 'user_attributes', 'user_attribute_values'];
    const rows: unknown[] = [];
    for (const table of tables)
      rows.push((await client.query(`select xmin, t.* from ${table} t order by t::text`)).rows);
    return rows;
  });
}

describe('a key', () => {
  test.each(['Api-Key', 'Bearer'])('as %s acts for the user in its session settings', async scheme => {
    const given = {
      externalId: 'ann',
      email: 'Ann@example.com',
      embedTenantName: 'acme',
      groups: ['sales', 'finance'],
      userAttributes: [{ name: 'level', value: 3 }],
      securityContext: { airport: 'ATL' },
      timezone: 'Europe/Berlin',
      locale: 'de',
      allowChatWorkspaceAuthoring: true,
    };
    expect((await speakFor(given, { authorization: `${scheme} ${key}` })).status).toBe(200);
    expect(server.lastCaller()).toMatchObject({
      deploymentId: 1,
      agentId: 1,
      securityContext: { airport: 'ATL', platform: { groups: ['finance', 'sales'], userAttributes: { level: 3 } } },
      timezone: 'Europe/Berlin',
      locale: 'de',
    });
  });

  test('acts like a session with the same grant', async () => {
    const grant = { externalId: 'bea', groups: ['sales'], securityContext: { airport: 'ATL' } };
    await speakFor(grant);
    const byKey = server.lastCaller();
    await server.stream({ authorization: `Bearer ${await server.tokenOf(grant)}` });
    expect(server.lastCaller()).toEqual({ ...byKey, principal: 'embed' });
  });

  test('leaves omitted settings unchanged and clears empty ones', async () => {
    await speakFor({ externalId: 'cleo', groups: ['sales'], userAttributes: [{ name: 'level', value: 1 }] });
    await speakFor({ externalId: 'cleo', groups: null });
    expect(server.lastCaller().securityContext.platform).toEqual({ groups: ['sales'], userAttributes: { level: 1 } });
    await speakFor({ externalId: 'cleo', groups: [], userAttributes: [{ name: 'level', value: null }] });
    expect(server.lastCaller().securityContext.platform).toEqual({ groups: [], userAttributes: {} });
  });

  test('writes nothing if nothing has changed', async () => {
    const given = {
      externalId: 'dora',
      email: 'dora@example.com',
      embedTenantName: 'acme',
      groups: ['sales'],
      userAttributes: [
        { name: 'level', value: 3 },
        { name: 'cities', value: ['Rome', 'Oslo'] },
      ],
    };
    await speakFor(given);
    const before = await written();
    await Promise.all([speakFor(given), speakFor(given), speakFor({ ...given, email: null })]);
    expect(await written()).toEqual(before);
    await speakFor({ ...given, userAttributes: [{ name: 'cities', value: ['Rome'] }] });
    expect(await written()).not.toEqual(before);
  });

  test('can act for many users of a new tenant concurrently, with repeated requests per user', async () => {
    const statuses = Array.from({ length: 60 }, async (_, index) => {
      const response = await speakFor({ externalId: `first-${index % 20}`, embedTenantName: 'brand-new-tenant' });
      return response.status;
    });
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    const users = await server.withConnection(client =>
      client.query(`select 1 from users where external_id like 'first-%'`),
    );
    expect(users.rows).toHaveLength(20);
  });

  test('requires session settings', async () => {
    for (const body of [{ input: 'Hi' }, { input: 'Hi', sessionSettings: null }]) {
      const response = await server.stream(authorization, body);
      expect(response.status).toBe(400);
      expect(await message(response)).toMatch(/^body\.sessionSettings: is required with an API key/);
    }
    const aborted = await server.request('POST', `${agentChat}/abort`, authorization, { chatId: 'c1' });
    expect(aborted.status).toBe(400);
  });

  test('without the admin role cannot act for a user', async () => {
    const user = { authorization: 'Api-Key a-users-key' };
    expect((await speakFor({ externalId: 'ann' }, user)).status).toBe(403);
    expect((await speakFor({ internalId: 'admin' }, user)).status).toBe(403);
    expect((await server.stream(user)).status).toBe(403);
  });

  test('requires an agent', async () => {
    const response = await server.stream(authorization, { sessionSettings: { externalId: 'ann' } }, deploymentChat);
    expect(response.status).toBe(403);
    expect(await message(response)).toBe('agentId is required for Api-Key authentication');
  });
});

describe('an internal user', () => {
  test('is found by name or email, ignoring case', async () => {
    for (const internalId of ['admin', ' ADMIN ', 'Admin@localhost']) {
      expect((await speakFor({ internalId })).status).toBe(200);
      expect(server.lastCaller()).toMatchObject({
        userId: 1,
        securityContext: { platform: { groups: [], userAttributes: {} } },
      });
    }
  });

  test('that does not exist or is external returns 404', async () => {
    await speakFor({ externalId: 'ann', email: 'ann@example.com' });
    for (const internalId of ['nobody', 'ann', 'ann@example.com', '%', "' or 1=1 --"]) {
      expect((await speakFor({ internalId })).status).toBe(404);
    }
  });
});

const refused: readonly [string, object, RegExp][] = [
  ['nobody', {}, /^body\.sessionSettings\.externalId: /],
  ['both', { externalId: 'ann', internalId: 'admin' }, /^body\.sessionSettings\.internalId: /],
  ['an id in upper case', { externalId: 'Ann' }, /^body\.sessionSettings\.externalId: must be lowercase/],
  ['an id with spaces', { externalId: ' ann' }, /^body\.sessionSettings\.externalId: must be lowercase/],
  ['an empty id', { externalId: '' }, /^body\.sessionSettings\.externalId: /],
  ['a blank id', { externalId: '  ' }, /^body\.sessionSettings\.externalId: /],
  ['NUL in an id', { externalId: 'a\0b' }, /NUL/],
  [
    'email of an internal user',
    { internalId: 'admin', email: 'a@b.example' },
    /\.email: is allowed only with externalId/,
  ],
  ['groups of an internal user', { internalId: 'admin', groups: [] }, /\.groups: is allowed only with externalId/],
  ['attributes of an internal user', { internalId: 'admin', userAttributes: [] }, /\.userAttributes: is allowed only/],
  ['context of an internal user', { internalId: 'admin', securityContext: {} }, /\.securityContext: is allowed only/],
  ['roles', { externalId: 'new', roles: ['admin'] }, /\.roles: is not supported/],
  ['no roles', { externalId: 'new', roles: [] }, /\.roles: is not supported/],
  ['isEphemeral', { externalId: 'new', isEphemeral: true }, /\.isEphemeral: is not supported/],
  ['ephemeralTtlSeconds', { externalId: 'new', ephemeralTtlSeconds: 60 }, /\.ephemeralTtlSeconds: is not supported/],
  ['publicDashboardId', { externalId: 'new', publicDashboardId: 'x' }, /\.publicDashboardId: is not supported/],
  ['the key platform', { externalId: 'new', securityContext: { platform: { groups: ['x'] } } }, /\.securityContext: /],
  ['a group that is not there', { externalId: 'new', groups: ['sales', 'none'] }, /\.groups: Groups with names none/],
  ['an unknown attribute', { externalId: 'new', userAttributes: [{ name: 'none', value: 1 }] }, /\.userAttributes: /],
  ['another type', { externalId: 'new', userAttributes: [{ name: 'level', value: 'x' }] }, /\.userAttributes: level/],
  ['an object', { externalId: 'new', userAttributes: [{ name: 'level', value: {} }] }, /\.userAttributes\.0\.value: /],
  [
    'a name twice',
    {
      externalId: 'new',
      userAttributes: [
        { name: 'level', value: 1 },
        { name: 'level', value: 2 },
      ],
    },
    /\.userAttributes: contains "level" twice/,
  ],
  ['an invalid tenant name', { externalId: 'new', embedTenantName: 'A B' }, /\.embedTenantName: /],
  ['an unknown field', { externalId: 'new', isAdmin: true }, /isAdmin/],
  [
    'too much',
    { externalId: 'new', securityContext: { x: 'y'.repeat(9_000) } },
    /\.securityContext: .*the limit of a token is 8000/,
  ],
];

describe('invalid session settings are rejected with the field name and change nothing', () => {
  test.each(refused)('%s', async (_, given, expectedMessage) => {
    const before = await written();
    const response = await speakFor({ embedTenantName: 'brand-new', ...given });
    expect(response.status).toBe(400);
    expect(await message(response)).toMatch(expectedMessage);
    expect(await written()).toEqual(before);
    expect(server.chat.open).not.toHaveBeenCalled();
  });
});

describe('the header x-session-settings', () => {
  const encode = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const list = (header: string) =>
    server.request('GET', `${agentChat}/threads`, { ...authorization, 'x-session-settings': header });

  test('applies to requests without a body, and the body takes precedence', async () => {
    const given = { externalId: 'eve', securityContext: { city: 'Århus' }, locale: 'da' };
    expect((await list(encode(given))).status).toBe(200);
    expect(server.chat.threads.mock.lastCall?.[0]).toMatchObject({
      locale: 'da',
      securityContext: { city: 'Århus' },
    });
    const headers = { ...authorization, 'x-session-settings': encode(given) };
    expect((await server.stream(headers, { input: 'Hi' })).status).toBe(200);
    expect(server.lastCaller().locale).toBe('da');
    await speakFor({ externalId: 'eve', locale: 'sv' }, headers);
    expect(server.lastCaller().locale).toBe('sv');
  });

  test.each([
    ['nothing', ''],
    ['no base64url', '{}'],
    ['no JSON', encode('{')],
    ['no object', encode('[]')],
    ['nobody', encode({})],
    ['an unknown field', encode({ externalId: 'x', y: 1 })],
    ['NUL', encode({ externalId: 'a\0b' })],
    ['depth', encode(`{"externalId":"x","securityContext":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`)],
    ['length', encode({ externalId: 'x', securityContext: { a: 'b'.repeat(40_000) } })],
    ['roles', encode({ externalId: 'x', roles: ['admin'] })],
  ])('is rejected if it contains %s', async (_, header) => {
    const response = await list(header);
    expect(response.status).toBe(400);
    expect(await message(response)).toContain('x-session-settings');
  });
});

describe('a branch', () => {
  test.each<[{ activeBranchName?: string | null; isDefaultBranch?: boolean | null }, number]>([
    [{ activeBranchName: 'main' }, 200],
    [{ activeBranchName: 'master', isDefaultBranch: true }, 200],
    [{ isDefaultBranch: true }, 200],
    [{ activeBranchName: null, isDefaultBranch: null }, 200],
    [{ activeBranchName: 'dev' }, 404],
    [{ activeBranchName: 'dev', isDefaultBranch: false }, 404],
    [{ isDefaultBranch: false }, 404],
    [{ activeBranchName: 'work' }, 200],
    [{ activeBranchName: 'work', isDefaultBranch: false }, 200],
  ])('%j returns %i', async (branch, status) => {
    const body = { input: 'Hi', sessionSettings: { externalId: 'ann' }, ...branch };
    const response = await server.stream(authorization, body);
    expect(response.status).toBe(status);
    const branchName = branch.activeBranchName === 'work' ? 'work' : undefined;
    expect(response.headers.get('x-branch-name')).toBe(branchName ?? null);
    if (status !== 200) return;
    const [cutoff = ''] = (await response.text()).split('\n');
    expect(JSON.parse(cutoff).state).toEqual({ chatId: 'c1', isStreaming: true, ...(branchName && { branchName }) });
    const { modelVersion } = server.lastCaller();
    expect({ branchName: server.lastCaller().branchName, modelVersion }).toEqual({
      branchName,
      modelVersion: branchName && 'version of work',
    });
  });

  test('has separate threads, which other requests name with a header', async () => {
    const sessionSettings = { externalId: 'ann' };
    await server.stream(authorization, { input: 'Hi', sessionSettings });
    const production = server.lastCaller().ownerKey;
    await server.stream(authorization, { input: 'Hi', sessionSettings, activeBranchName: 'work' });
    const { ownerKey } = server.lastCaller();
    expect(ownerKey).not.toBe(production);
    const settings = Buffer.from(JSON.stringify(sessionSettings)).toString('base64url');
    for (const branch of [{}, { 'x-branch-name': 'work' }]) {
      const headers = { ...authorization, 'x-session-settings': settings, ...branch };
      await server.request('GET', `${agentChat}/threads`, headers);
    }
    const owners = server.chat.threads.mock.calls.slice(-2).map(([caller]) => caller.ownerKey);
    expect(owners).toEqual([production, ownerKey]);
  });

  test('is that of an embed session, and cannot be chosen by other tokens', async () => {
    const production = await server.tokenOf({ externalId: 'ann' });
    const sessionKey = 'a'.repeat(64);
    const claims = await server.tokens.verifyEmbedToken(production);
    if (!claims) throw new Error('The token is not valid.');
    const branchToken = await server.tokens.signEmbedToken({ ...claims, sessionKey, branchName: 'work' });
    const tokens = {
      production: { authorization: `Bearer ${production}` },
      branch: { authorization: `Bearer ${branchToken}` },
      chat: { 'x-platform-auth-token': await server.chatTokenOf(production) },
    };
    const status = async (token: keyof typeof tokens, branch: object = {}) => {
      server.chat.open.mockClear();
      const response = await server.stream(tokens[token], { input: 'Hi', ...branch });
      return response.status === 200 ? server.lastCaller().branchName : response.status;
    };
    expect(await status('branch')).toBe('work');
    expect(await status('branch', { activeBranchName: 'work' })).toBe('work');
    for (const branch of [{ activeBranchName: 'other' }, { activeBranchName: 'main' }, { isDefaultBranch: true }]) {
      expect(await status('branch', branch)).toBe(403);
    }
    for (const token of ['production', 'chat'] as const) {
      expect(await status(token, { activeBranchName: 'main' })).toBeUndefined();
      expect(await status(token, { activeBranchName: 'work' })).toBe(403);
    }
  });
});

describe('policies on chat threads (spec 2.8)', () => {
  const thread = 'abcdef01-2345-6789-abcd-ef0123456789';
  const policy = (resources: string[], parts: Partial<Policy> = {}): Policy => ({
    resourceType: 'ChatThread',
    effect: 'deny',
    actions: ['All'],
    resources,
    ...parts,
  });
  let made = 0;
  /** Creates a user of the account with these policies, for whom the host back end acts. */
  const userWith = async (...policies: Policy[]): Promise<string> => {
    const name = `chatting ${++made}`;
    await server.addUserKey(name, 'AIBIUser', policies);
    return `owner of ${name}`;
  };
  const speak = async (...policies: Policy[]) => speakFor({ internalId: await userWith(...policies) });

  test.each([
    ['all', policy(['All'])],
    ['the agent', policy(['1'])],
    ['reading', policy(['All'], { actions: ['ChatThreadRead'] })],
    ['the history', policy(['All'], { actions: ['ChatHistoryRead'] })],
  ])('a deny of %s closes the chat, even if another policy allows it', async (_, deny) => {
    const allow = policy(['All'], { effect: 'allow' });
    const internalId = await userWith(allow, deny);
    const response = await speakFor({ internalId });
    expect(response.status).toBe(403);
    expect(await message(response)).toContain('policy');
    const token = await server.tokenOf({ externalId: undefined, internalId });
    expect((await server.stream({ authorization: `Bearer ${token}` })).status).toBe(403);
    const list = await server.request('GET', `${agentChat}/threads`, { authorization: `Bearer ${token}` });
    expect(list.status).toBe(403);
  });

  test('a deny of another agent or resource has no effect', async () => {
    expect((await speak(policy(['2']))).status).toBe(200);
    expect((await speak(policy(['All'], { actions: ['WorkbookRead'] }))).status).toBe(200);
    expect((await speak(policy(['All'], { effect: 'allow' }))).status).toBe(200);
    expect(server.lastCaller().deniedThreads).toBeUndefined();
  });

  test('a deny of a thread is passed on with the caller', async () => {
    expect((await speak(policy([thread]))).status).toBe(200);
    expect(server.lastCaller().deniedThreads).toEqual(new Set([thread]));
  });
});

describe('agents as records', () => {
  const agents = '/api/v1/deployments/1/agents';
  const chatOf = (scope: string) => `/api/v1/public/local/${scope}/chat`;
  const as = (token: string, path: string) =>
    server.stream({ authorization: `Bearer ${token}` }, { input: 'Hi' }, path);

  test('are for the users of their groups and for users with a policy; for others they do not exist', async () => {
    const { id } = await server.ok('POST', agents, { name: 'Finance', groups: ['finance'], instructions: 'Be exact.' });
    const finance = await server.tokenOf({ externalId: 'fay', groups: ['finance'] });
    const sales = await server.tokenOf({ externalId: 'sam', groups: ['sales'] });
    expect((await as(finance, chatOf(`agents/${id}`))).status).toBe(200);
    expect(server.lastCaller()).toMatchObject({ agentId: id, agent: { instructions: 'Be exact.', views: null } });
    const response = await as(sales, chatOf(`agents/${id}`));
    expect([response.status, await message(response)]).toEqual([404, 'Agent not found']);
    for (const [action, status] of [
      ['AgentRead', 200],
      ['AgentSpaceManage', 404],
    ] as const) {
      const policies: Policy[] = [{ resourceType: 'Agent', actions: [action], resources: [String(id)] }];
      await server.addUserKey(`with ${action}`, 'AIBIUser', policies);
      const token = await server.tokenOf({ externalId: undefined, internalId: `owner of with ${action}` });
      expect((await as(token, chatOf(`agents/${id}`))).status).toBe(status);
    }
    await server.ok('PATCH', `${agents}/1`, { groups: ['sales'] });
    const chosen = async (token: string) => {
      expect((await as(token, chatOf('deployments/1'))).status).toBe(200);
      return server.lastCaller().agentId;
    };
    expect([await chosen(finance), await chosen(sales)]).toEqual([id, 1]);
    await server.ok('PATCH', `${agents}/1`, { groups: null });
  });

  test('are for users with a policy on their space', async () => {
    const space = await server.ok('POST', '/api/v1/deployments/1/agent-spaces', { name: 'Finance' });
    const of = async (spaceId: number | null) =>
      (await server.ok('POST', agents, { name: 'Closed', groups: ['nobody'], spaceId })).id;
    const [inside, outside] = [await of(space.id), await of(null)];
    for (const [action, resources, expected] of [
      ['AgentRead', String(space.id), [200, 404]],
      ['AgentManage', 'All', [200, 404]],
      ['AgentSpaceManage', String(space.id), [404, 404]],
      ['AgentRead', String(space.id + 1), [404, 404]],
    ] as const) {
      const name = `space ${action} ${resources}`;
      await server.addUserKey(name, 'AIBIUser', [
        { resourceType: 'AgentSpace', actions: [action], resources: [resources] },
      ]);
      const token = await server.tokenOf({ externalId: undefined, internalId: `owner of ${name}` });
      const statuses = [inside, outside].map(async id => (await as(token, chatOf(`agents/${id}`))).status);
      expect(await Promise.all(statuses), name).toEqual(expected);
    }
  });

  test('separate the threads of their views', async () => {
    const { id } = await server.ok('POST', agents, { name: 'Sales' });
    const token = await server.tokenOf({ externalId: 'vic' });
    const ownerOf = async (views: string[] | null) => {
      await server.ok('PATCH', `${agents}/${id}`, { views });
      expect((await as(token, chatOf(`agents/${id}`))).status).toBe(200);
      return server.lastCaller().ownerKey;
    };
    const [all, some, again] = [await ownerOf(null), await ownerOf(['orders']), await ownerOf(null)];
    expect(some).not.toBe(all);
    expect(again).toBe(all);
  });
});
