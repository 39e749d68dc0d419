import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findPage } from '../../src/console/people/list-page.js';
import type { Call } from '../../src/console/people/people-api.js';
import { english } from '../../src/console/people/people-messages.js';
import { peoplePages } from '../../src/console/people/people-pages.js';

const pageInfo = { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: 'next' };
const { signal } = new AbortController();

/** Requests as method, path with query, and body. */
const sent = vi.fn<(request: string) => void>();
let items: readonly object[] = [];
let policies: object[] = [];
let config: object = {};
const account = {
  auditLogEnabled: true,
  auditLogEnabledCurrent: true,
  auditLogEnabledTimestamp: 0,
  hasSupportAccess: false,
  maintenanceWindowDay: 'Sunday',
  maintenanceWindowEnabled: false,
  maintenanceWindowTime: '03:00',
  oidcEnabled: false,
  sessionIdleMinutes: 120,
  sessionLifetimeHours: 12,
  singleSignOnOnly: false,
  useAIBIUserInterface: false,
};
const deployment = { id: 5, name: 'main', deploymentUrl: 'https://platform.example', creationStep: 'ready', value: '' };
const workbook = {
  ...{ id: 7, deploymentId: 5, name: 'Sales', type: 'WORKBOOK', createdAt: '', updatedAt: '', calculatedFields: {} },
  ...{ meta: {}, folderPath: [{ id: 2, name: 'Sales' }] },
};
const access = {
  allowEmbed: true,
  allEmbedUsers: { enabled: true, action: 'read' },
  tenants: [{ embedTenantName: 'acme', groupId: 1, action: 'read' }],
};

const fetch = vi.fn<typeof globalThis.fetch>(async (url, init) => {
  const { pathname, search } = new URL(String(url));
  sent([init?.method, decodeURIComponent(pathname + search), init?.body].filter(Boolean).join(' '));
  const one = {
    id: 3,
    name: 'x',
    username: 'ann',
    email: '',
    isAdmin: false,
    notifications: {},
    userCount: 0,
    createdAt: '',
    key: 'the secret',
    user: { id: 3, username: 'ann' },
    role: null,
    items,
    data: items,
    policies,
  };
  if (/app-config|tenant\/settings/.test(pathname))
    return Response.json(pathname.endsWith('config') ? config : account);
  if (pathname.endsWith('/embed-access')) return Response.json(access);
  if (pathname.endsWith('/workbooks/7')) return Response.json(workbook);
  if (init?.method === 'DELETE') return new Response(null, { status: 204 });
  return Response.json(
    init?.method === 'GET' && !/\/(?:me|roles\/\d+)$/.test(pathname) ? { items, data: items, pageInfo, count: 1 } : one,
  );
});
const call: Call = operation => operation({ baseUrl: 'https://platform.example', token: 'token', fetch });
const pageOf = (id: string) => {
  const page = findPage(peoplePages(call, english), id);
  if (page?.id !== id) throw new Error(`There is no page ${id}.`);
  return page;
};

beforeEach(() => {
  vi.clearAllMocks();
  items = [];
  policies = [];
});

describe('Pages for administrators', () => {
  it.each([
    ['users', 'GET /api/v1/users?first=50&after=next&search=an'],
    ['groups', 'GET /api/v1/groups?first=50&after=next&search=an'],
    ['api-keys', 'GET /api/v1/api-keys?first=50&after=next&search=an'],
    ['audit-log', 'GET /api/v1/audit-log?first=50&after=next&operation=an'],
    ['groups/3', 'GET /api/v1/groups/3/users?first=50&after=next&search=an'],
    ['tenants', 'GET /api/v1/embed-tenants?first=50&after=next&search=an'],
    ['roles', 'GET /api/v1/roles?first=50&after=next&search=an'],
    ['scim-keys', 'GET /api/v1/scim-keys?first=50&after=next&search=an'],
    ['query-log', 'GET /api/v1/query-log?first=50&after=next&search=an'],
    ['tenants/acme/users', 'GET /api/v1/embed-tenants/acme/users?first=50&after=next&search=an'],
    ['tenants/acme/sessions', 'GET /api/v1/embed-tenants/acme/sessions?first=50&after=next&search=an'],
    ['content', 'GET /api/v1/deployments/5/workbooks?first=50&after=next&search=an'],
    ['variables', 'GET /api/v1/deployments/5/env-vars?first=50&after=next&search=an'],
    ['tenants/acme/dashboards', 'GET /api/v1/deployments/5/embed-tenants/acme/workbooks?first=50&after=next&search=an'],
    ['roles/3', 'GET /api/v1/users?first=50&after=next&search=an&role=x'],
  ])('load %s by page and search', async (id, expected) => {
    if (expected.includes('/deployments/')) items = [{ ...workbook, ...deployment }];
    const page = pageOf(id);
    expect(page.searchLabel).not.toBeNull();
    const found = await page.load({ first: 50, after: 'next', search: 'an' }, signal);
    expect(sent.mock.calls.at(-1)).toEqual([expected]);
    expect(found.pageInfo).toMatchObject({ hasNextPage: true, endCursor: 'next' });
  });

  it('deactivate and activate users, and end their sessions', async () => {
    const user = { id: 3, username: 'ann', email: 'ann@acme.example', isAdmin: true, notifications: {} };
    items = [user, { ...user, id: 4, isDeactivated: true, firstName: 'Bob', defaultRoles: ['AIBIUser'] }];
    const { items: rows } = await pageOf('users').load({ first: 50 }, signal);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['ann', 'ann@acme.example', 'Administrator', 'Active', 'Never'],
      ['Bob', 'ann@acme.example', 'Administrator, AIBIUser', 'Deactivated', 'Never'],
    ]);
    sent.mockClear();
    for (const action of rows.flatMap(({ actions }) => actions)) await action.run();
    expect(sent.mock.calls.flat()).toEqual([
      'DELETE /api/v1/users/3/sessions',
      'PUT /api/v1/users/3 {"isDeactivated":true}',
      'PUT /api/v1/users/4 {"isDeactivated":false}',
    ]);
    expect(rows.flatMap(({ actions }) => actions.map(({ question }) => question))).toEqual([
      'End all sessions of ann?',
      'Deactivate ann? The user’s API keys, sessions and tokens stop working immediately.',
      null,
    ]);
  });

  it('create users with a role or as administrators', async () => {
    const { create } = pageOf('users');
    const roles = create?.fields.find(({ name }) => name === 'role');
    items = [{ id: 9, name: 'Night reader', policies: [] }];
    expect((await roles?.options?.())?.map(({ value }) => value)).toEqual([
      ...['', 'AIBIViewer', 'AIBIUser', 'AIBIDeveloper', 'Admin', 'Night reader'],
    ]);
    sent.mockClear();
    await create?.run({ email: 'ann@acme.example', username: '', firstName: 'Ann', role: 'Night reader' });
    await create?.run({ email: 'bob@acme.example', username: 'bob', firstName: '', role: 'Admin' });
    await create?.run({ email: 'cleo@acme.example', password: ' long enough for it ' });
    expect(sent.mock.calls.flat()).toEqual([
      'POST /api/v1/users {"username":"ann@acme.example","email":"ann@acme.example","firstName":"Ann","defaultRoles":["Night reader"]}',
      'POST /api/v1/users {"username":"bob","email":"bob@acme.example","isAdmin":true}',
      'POST /api/v1/users {"username":"cleo@acme.example","email":"cleo@acme.example","password":" long enough for it "}',
    ]);
  });

  it('create roles, and assign them to users', async () => {
    const { create } = pageOf('roles');
    await create?.run({ name: 'reader', tier: 'AIBIView', type: '', actions: '', resources: '' });
    await create?.run({
      name: 'both',
      tier: '',
      type: 'Workbook',
      actions: 'WorkbookRead, ,WorkbookEdit',
      resources: '7',
    });
    items = [{ id: 4, username: 'ann', email: 'ann@acme.example', isAdmin: false, notifications: {} }];
    const users = pageOf('roles/3');
    await users.create?.run({ user: 'ann' });
    const { items: rows } = await users.load({ first: 50 }, signal);
    await rows[0]?.actions[0]?.run();
    expect(rows[0]?.actions[0]?.question).toBe('Remove the role from ann?');
    expect(sent.mock.calls.flat().filter(request => !request.startsWith('GET'))).toEqual([
      'POST /api/v1/roles {"name":"reader","policies":[{"resourceType":"Global","actions":["AIBIView"],"resources":["All"]}]}',
      'POST /api/v1/roles {"name":"both","policies":[{"resourceType":"Workbook","actions":["WorkbookRead","WorkbookEdit"],"resources":["7"]}]}',
      'PUT /api/v1/roles/3/users/4',
      'DELETE /api/v1/roles/3/users/4',
    ]);
  });

  it('add and remove policies of a role', async () => {
    const reader = { resourceType: 'Workbook', actions: ['WorkbookRead'], resources: ['7', '8'] };
    const closed = { resourceType: 'ChatThread', actions: ['ChatThreadRead'], resources: ['All'], effect: 'deny' };
    policies = [reader, closed];
    const page = pageOf('roles/3/policies');
    const { items: rows } = await page.load({ first: 50 }, signal);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Workbook', '7, 8', 'WorkbookRead', 'allow'],
      ['ChatThread', 'All', 'ChatThreadRead', 'deny'],
    ]);
    expect(rows[1]?.actions[0]?.question).toBe(
      'Remove the policy ChatThread All: ChatThreadRead (deny)? Users and groups lose its permissions.',
    );
    sent.mockClear();
    await rows[1]?.actions[0]?.run();
    await page.create?.run({ type: 'Folder', actions: 'FolderRead', resources: '', effect: 'allow' });
    const added = { resourceType: 'Folder', actions: ['FolderRead'], resources: ['All'] };
    expect(sent.mock.calls.flat().filter(request => !request.startsWith('GET'))).toEqual([
      `PUT /api/v1/roles/3 ${JSON.stringify({ policies: [reader] })}`,
      `PUT /api/v1/roles/3 ${JSON.stringify({ policies: [reader, closed, added] })}`,
    ]);
  });

  it('revoke sessions of embed tenants, of their users, and single ones', async () => {
    const item = { name: 'acme', username: 'ann', userId: 4, userCount: 1, startedAt: '2026-01-01T00:00:00Z' };
    for (const path of ['', '/acme/users', '/acme/sessions']) {
      items = [{ ...item, id: path.endsWith('sessions') ? '4f' : 4 }];
      const { items: rows } = await pageOf(`tenants${path}`).load({ first: 50 }, signal);
      expect(rows[0]?.actions[0]?.question).toMatch(/session/);
      await rows[0]?.actions[0]?.run();
    }
    expect(sent.mock.calls.flat().filter(request => !request.startsWith('GET'))).toEqual([
      'DELETE /api/v1/embed-tenants/acme/sessions',
      'DELETE /api/v1/embed-tenants/acme/sessions?userId=4',
      'DELETE /api/v1/embed-tenants/acme/sessions?id=4f',
    ]);
  });

  it('create groups with a role, and add and remove members', async () => {
    await pageOf('groups').create?.run({ name: 'night shift', role: '9' });
    expect(sent.mock.calls).toEqual([['POST /api/v1/groups {"name":"night shift","roleId":9}']]);
    sent.mockClear();
    items = [
      { id: 3, username: 'ann', email: 'ann@acme.example', isAdmin: false, notifications: {}, isDeactivated: false },
    ];
    const members = pageOf('groups/7');
    await members.create?.run({ user: 'Ann@acme.example' });
    await expect(members.create?.run({ user: 'ann@acme' })).rejects.toThrow('No user has the name or email ann@acme.');
    const { items: rows } = await members.load({ first: 50 }, signal);
    await rows[0]?.actions[0]?.run();
    expect(sent.mock.calls.flat()).toEqual([
      'GET /api/v1/users?first=100&search=Ann@acme.example',
      'POST /api/v1/groups/7/users {"userIds":[3]}',
      'GET /api/v1/users?first=100&search=ann@acme',
      'GET /api/v1/groups/7/users?first=50',
      'DELETE /api/v1/groups/7/users {"userIds":[3]}',
    ]);
  });

  it('create keys, whose secret is returned once, and set variables', async () => {
    const created = await pageOf('api-keys').create?.run({ name: 'ci', role: 'AIBIViewer', username: '', expires: '' });
    expect(created).toEqual({ secret: 'the secret' });
    items = [{ id: 5, name: 'main', deploymentUrl: 'https://platform.example', creationStep: 'ready', value: '' }];
    await pageOf('variables').create?.run({ name: 'REGION', value: 'eu' });
    expect(sent.mock.calls.flat()).toEqual([
      'GET /api/v1/users/me',
      'POST /api/v1/api-keys {"name":"ci","userId":3,"role":"AIBIViewer"}',
      'GET /api/v1/deployments',
      'PUT /api/v1/deployments/5/env-vars {"env_variables":[{"name":"REGION","value":"eu"}]}',
    ]);
  });

  it('show policies, delete roles, and create and revoke SCIM keys', async () => {
    policies = [{ resourceType: 'Workbook', actions: ['WorkbookRead', 'WorkbookEdit'], resources: ['All'] }];
    items = [{ id: 3, name: 'reader', createdAt: '', policies }];
    const { items: roles } = await pageOf('roles').load({ first: 50 }, signal);
    expect(roles[0]?.cells).toEqual(['reader', 'Workbook All: WorkbookRead, WorkbookEdit']);
    await roles[0]?.actions[0]?.run();
    const keys = pageOf('scim-keys');
    expect(await keys.create?.run({ name: 'directory' })).toEqual({ secret: 'the secret' });
    items = [{ id: 4, name: 'directory', createdAt: '2026-01-01T00:00:00Z' }];
    await (await keys.load({ first: 50 }, signal)).items[0]?.actions[0]?.run();
    expect(sent.mock.calls.flat().filter(request => !request.startsWith('GET'))).toEqual([
      'DELETE /api/v1/roles/3',
      'POST /api/v1/scim-keys {"name":"directory"}',
      'DELETE /api/v1/scim-keys/4',
    ]);
  });

  it('select slow queries, and those of a user', async () => {
    await pageOf('query-log').load({ first: 50, search: '250' }, signal);
    await pageOf('query-log').load({ first: 50, search: 'ann' }, signal);
    expect(sent.mock.calls).toEqual([
      ['GET /api/v1/query-log?first=50&minMs=250'],
      ['GET /api/v1/query-log?first=50&search=ann'],
    ]);
  });

  it('change one value of nested settings, and restore defaults', async () => {
    const page = pageOf('settings');
    config = {
      revision: 'r1',
      applyThemeGlobally: false,
      restrictDataDownload: false,
      sheetsAgentChatEnabled: false,
      embedding: { locale: 'de', allowAi: true },
    };
    const { items: rows } = await page.load({ first: 50, search: 'EMBEDDING.LOCALE' }, signal);
    expect(rows.map(({ cells }) => cells)).toEqual([['embedding.locale', 'de']]);
    sent.mockClear();
    await page.create?.run({ setting: 'embedding.locale', value: 'fr' });
    await page.create?.run({ setting: 'restrictDataDownload', value: 'true' });
    await page.create?.run({ setting: 'sessionIdleMinutes', value: 'null' });
    // The platform stores only whole themes.
    await page.create?.run({ setting: 'appTheme.light.accentColor', value: '#c00' });
    expect(sent.mock.calls.flat().filter(request => request.startsWith('PUT'))).toEqual([
      'PUT /api/v1/app-config {"embedding":{"allowAi":true,"locale":"fr"},"revision":"r1"}',
      'PUT /api/v1/app-config {"restrictDataDownload":true,"revision":"r1"}',
      'PUT /api/v1/tenant/settings {"sessionIdleMinutes":null}',
      expect.stringMatching(
        /^PUT .*app-config {"appTheme":{"light":{"accentColor":"#c00".*"palette":{}},"revision":"r1"}$/,
      ),
    ]);
  });

  it('change settings again if another administrator has changed them at the same time', async () => {
    const ofApps = { applyThemeGlobally: false, restrictDataDownload: false, sheetsAgentChatEnabled: false };
    config = { ...ofApps, revision: 'r1', embedding: { allowAi: true } };
    fetch.mockImplementationOnce(async () => Response.json(config));
    fetch.mockImplementationOnce(async () => {
      config = { ...ofApps, revision: 'r2', embedding: { allowAi: false } };
      return Response.json({ statusCode: 409, message: 'Changed.', error: 'Conflict' }, { status: 409 });
    });
    await pageOf('settings').create?.run({ setting: 'embedding.locale', value: 'fr' });
    expect(sent.mock.calls.flat()).toEqual([
      'GET /api/v1/app-config',
      'PUT /api/v1/app-config {"embedding":{"allowAi":false,"locale":"fr"},"revision":"r2"}',
    ]);
  });

  it('share dashboards, stop sharing them, and delete variables', async () => {
    items = [{ id: 5, name: 'REGION', deploymentUrl: 'https://platform.example', creationStep: 'ready', value: 'eu' }];
    const access = pageOf('content/7');
    await access.create?.run({ tenant: 'acme' });
    await access.create?.run({ tenant: '*' });
    // An empty field must not share the dashboard with every tenant.
    expect(access.create?.fields).toEqual([{ name: 'tenant', label: english.messages.tenantOrAll }]);
    const { items: rows } = await access.load({ first: 50 }, signal);
    await rows[1]?.actions[0]?.run();
    // Shares of the folders above apply to all their workbooks.
    expect(rows.map(({ cells, actions }) => [...cells, actions.length])).toEqual([
      ['All embed users', '', 'Active', 1],
      ['acme', '', 'Active', 1],
      ['All embed users', 'Sales', 'Active', 0],
      ['acme', 'Sales', 'Active', 0],
    ]);
    expect((await access.load({ first: 50, search: 'ACM' }, signal)).items).toHaveLength(2);
    const { items: variables } = await pageOf('variables').load({ first: 50 }, signal);
    await variables[0]?.actions[0]?.run();
    expect(sent.mock.calls.flat().filter(request => !request.startsWith('GET'))).toEqual([
      'PUT /api/v1/deployments/5/workbooks/7/embed-access {"embedTenantName":"acme","action":"read"}',
      'PUT /api/v1/deployments/5/workbooks/7/embed-access {"allEmbedUsers":true,"action":"read"}',
      'PUT /api/v1/deployments/5/workbooks/7/embed-access {"embedTenantName":"acme","action":"none"}',
      'DELETE /api/v1/deployments/5/env-vars/REGION',
    ]);
  });

  it.each(['', 'no-such-page', 'groups/x', '%', 'tenants/acme/other'])(
    'open a list for the fragment "%s"',
    fragment => {
      const page = findPage(peoplePages(call, english), fragment);
      expect(page?.id).toBe(['groups', 'tenants'].find(id => fragment.startsWith(id)) ?? 'users');
    },
  );
});
