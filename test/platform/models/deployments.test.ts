import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordAttempt } from '../../../src/platform/http/audit.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const one = {
  id: 1,
  name: 'local',
  creationStep: 'ready',
  // The origin of the public URL, without its path.
  deploymentUrl: 'https://platform.example',
};

/** Adds a second deployment, which embed sessions cannot access. */
async function addDeployment(): Promise<void> {
  await platform.withConnection(client =>
    client.query(
      `insert into deployments (id, name, creation_step) values (700, 'other', 'ready') on conflict do nothing`,
    ),
  );
}

describe('deployments (spec 4.5)', () => {
  test.each(['/api/v1/deployments', '/api/v1/deployments/'])('lists at %s', async path => {
    const body = await platform.ok('GET', path);
    expect(body.items[0]).toEqual(one);
    expect(body.data).toEqual(body.items);
    expect(body.count).toBe(body.items.length);
  });

  test('returns one, and 404 for an unknown one', async () => {
    expect(await platform.ok('GET', '/api/v1/deployments/1')).toEqual(one);
    expect(await platform.call('GET', '/api/v1/deployments/99')).toMatchObject({ status: 404 });
    expect(await platform.call('GET', '/api/v1/deployments/one')).toMatchObject({
      status: 400,
      body: { message: 'path.deploymentId: must be a whole number' },
    });
    expect(await platform.call('GET', '/api/v1/deployments/999999999999999')).toMatchObject({ status: 404 });
  });

  test('rejects a page size of 0 and an unknown parameter', async () => {
    expect(await platform.call('GET', '/api/v1/deployments?first=0')).toMatchObject({ status: 400 });
    expect(await platform.call('GET', '/api/v1/deployments?sort=x')).toMatchObject({ status: 400 });
  });

  test('an embed session sees only its own', async () => {
    await addDeployment();
    const token = await platform.tokenOf();
    expect((await platform.ok('GET', '/api/v1/deployments')).count).toBe(2);
    expect((await platform.ok('GET', '/api/v1/deployments', undefined, token)).items).toEqual([one]);
    expect(await platform.call('GET', '/api/v1/deployments/700', undefined, token)).toMatchObject({ status: 404 });
    expect(await platform.call('POST', '/api/v1/deployments/700/token', {}, token)).toMatchObject({ status: 404 });
  });
});

describe('deployment token (GOVERNANCE, Tokens)', () => {
  const path = '/api/v1/deployments/1/token';

  async function lifeOf(body: object | undefined, credential?: string): Promise<number> {
    // Freeze the clock, so that `iat` and `exp` of a token differ by the exact lifetime.
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { platformApiToken } = await platform.ok('POST', path, body, credential);
      const { exp, iat } = decodeJwt(platformApiToken);
      return Number(exp) - Number(iat);
    } finally {
      vi.useRealTimers();
    }
  }

  test('an API key can request 60 to 86,400 seconds (the default) and its token has no tenant', async () => {
    expect(await lifeOf(undefined)).toBe(86_400);
    expect(await lifeOf({ expiresIn: null })).toBe(86_400);
    expect(await lifeOf({ expiresIn: 60 })).toBe(60);
    const { platformApiToken } = await platform.ok('POST', path, {});
    expect(await platform.tokens.verifyDataToken(platformApiToken)).toMatchObject({
      securityContext: { platform: { groups: [], userAttributes: {} } },
      // The token is revoked with the key.
      sessionKey: 'api-key:1',
    });
  });

  test("only an admin's key creates a developer token, not a session of any role", async () => {
    await platform.addUserKey('personal');
    const internal = await platform.tokenOf({ externalId: undefined, internalId: 'admin' });
    const credentials = { admin: undefined, personal: 'personal', embed: await platform.tokenOf(), internal };
    const developers: string[] = [];
    for (const [who, credential] of Object.entries(credentials)) {
      const { platformApiToken } = await platform.ok('POST', path, {}, credential);
      const claims = await platform.tokens.verifyDataToken(platformApiToken);
      if (claims?.isDeveloper) developers.push(who);
    }
    expect(developers).toEqual(['admin']);
  });

  test.each([{ expiresIn: 59 }, { expiresIn: 86_401 }, { expiresIn: 60.5 }, { securityContext: { tenant: 'b' } }])(
    'rejects %j',
    async body => {
      expect(await platform.call('POST', path, body)).toMatchObject({ status: 400 });
      expect(await platform.call('POST', path, body, await platform.tokenOf())).toMatchObject({ status: 400 });
    },
  );

  test("a token of an embed session is limited to 1 h and has exactly the session's context and key", async () => {
    const token = await platform.tokenOf({ groups: ['sales'], securityContext: { airport: 'JFK' } });
    expect(await lifeOf(undefined, token)).toBe(3_600);
    expect(await lifeOf({ expiresIn: 86_400 }, token)).toBe(3_600);
    expect(await lifeOf({ expiresIn: 120 }, token)).toBe(120);
    const { platformApiToken } = await platform.ok('POST', path, {}, token);
    const data = await platform.tokens.verifyDataToken(platformApiToken);
    expect(data?.securityContext).toEqual({ airport: 'JFK', platform: { groups: ['sales'], userAttributes: {} } });
    expect(data?.sessionKey).toBe(decodeJwt(token).sid);
    const closed = await platform.tokenOf({ settings: { allowAi: false } });
    const { platformApiToken: restricted } = await platform.ok('POST', path, {}, closed);
    expect(await platform.tokens.verifyDataToken(restricted)).toMatchObject({ viewer: { allowAi: false } });
  });

  test('a token of an embed session never outlives the embed token', async () => {
    const token = await platform.tokenOf();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 23.5 * 3_600_000 });
    try {
      const { platformApiToken } = await platform.ok('POST', path, {}, token);
      expect(decodeJwt(platformApiToken).exp).toBe(decodeJwt(token).exp);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is not valid as embed token, and an embed token not as data token', async () => {
    const embed = await platform.tokenOf();
    const { platformApiToken } = await platform.ok('POST', path, {}, embed);
    expect(await platform.call('GET', '/api/v1/deployments', undefined, platformApiToken)).toMatchObject({
      status: 401,
    });
    expect(await platform.tokens.verifyDataToken(embed)).toBeNull();
  });

  test('with the scope chat is a chat token with the same lifetime, and not valid as data token', async () => {
    const scope = ['chat'];
    const token = await platform.tokenOf({ groups: ['sales'], settings: { locale: 'de' } });
    expect(await lifeOf({ scope })).toBe(86_400);
    expect(await lifeOf({ scope }, token)).toBe(3_600);
    expect(await lifeOf({ scope, expiresIn: 120 }, token)).toBe(120);
    const { platformApiToken } = await platform.ok('POST', path, { scope }, token);
    expect(await platform.tokens.verifyChatToken(platformApiToken)).toMatchObject({
      deploymentId: 1,
      settings: { locale: 'de' },
      securityContext: { platform: { groups: ['sales'] } },
      sessionKey: decodeJwt(token).sid,
    });
    expect(await platform.tokens.verifyDataToken(platformApiToken)).toBeNull();
  });

  test.each([{ scope: [] }, { scope: ['data'] }, { scope: ['chat', 'chat'] }, { scope: 'chat' }])(
    'rejects %j',
    async body => {
      expect(await platform.call('POST', path, body)).toMatchObject({ status: 400 });
    },
  );
});

describe('rights on models (spec 5)', () => {
  test('DeploymentCreate creates deployments, and SchemaUpdateDevBranches changes branches but not production', async () => {
    const create = { resourceType: 'Global' as const, actions: ['DeploymentCreate'], resources: ['All'] };
    const actions = ['DeploymentRead', 'SchemaRead', 'SchemaUpdateDevBranches'];
    await platform.addUserKey('creator', null, [create]);
    await platform.addUserKey('brancher', null, [{ resourceType: 'Deployment', actions, resources: ['All'] }]);
    const deployment = { name: 'branches' };
    const path = '/build/api/v1/deployments';
    expect(await platform.call('POST', path, deployment, 'brancher')).toMatchObject({ status: 403 });
    const { id } = await platform.ok('POST', path, deployment, 'creator');
    const send = (to: string, body: unknown, method = 'POST') =>
      platform.call(method, `${path}/${id}/${to}`, body, 'brancher');
    const branchName = 'work';
    expect(await send('branches', { name: branchName })).toMatchObject({ status: 200 });
    const files = [{ path: 'model/model.yml', content: 'cubes: [] # changed\n' }];
    expect(await send('data-model/files', { branchName, files }, 'PUT')).toMatchObject({ status: 200 });
    const conflict = [{ path: 'model/model.yml', content: '', baseHash: 'new' }];
    expect(await send('data-model/files', { branchName, files: conflict }, 'PUT')).toMatchObject({
      status: 409,
      body: { code: 'file_conflict', conflicts: [{ path: 'model/model.yml', current: files[0]?.content }] },
    });
    expect(await send('commit', { branchName })).toMatchObject({ status: 200 });
    expect(await send('merge-to-default', { branchName, message: 'm' })).toMatchObject({ status: 403 });
    expect(await send('merge', { branchName })).toMatchObject({ status: 403 });
    expect(await platform.ok('POST', `${path}/${id}/merge`, { branchName })).toMatchObject({ merged: true });
  });

  test.each(['SchemaUpdate', 'SchemaUpdateDevBranches'])('a policy that denies %s protects branches', async denied => {
    const { id } = await platform.ok('POST', '/build/api/v1/deployments', { name: 'protected' });
    const deny = { resourceType: 'Deployment' as const, effect: 'deny' as const, actions: [denied] };
    const key = `without-${denied}`;
    await platform.addUserKey(key, 'AIBIDeveloper', [{ ...deny, resources: [String(id)] }]);
    const path = `/build/api/v1/deployments/${id}/branches`;
    expect(await platform.call('POST', path, { name: 'work' }, key)).toMatchObject({ status: 403 });
  });
});

describe('development mode (operations.md, Data Model part 2)', () => {
  test('gives each user an active branch, which commits and validations use, until it is left or deleted', async () => {
    await platform.addUserKey('developer', 'AIBIDeveloper');
    const { id } = await platform.ok('POST', '/build/api/v1/deployments', { name: 'development' });
    const base = `/build/api/v1/deployments/${id}`;
    const send = (method: string, path: string, body?: object, key?: string) =>
      platform.ok(method, `${base}/${path}`, body, key);
    const activeOf = async (key?: string): Promise<string | undefined> =>
      (await send('GET', 'branches', undefined, key)).items.find(({ isActive }: { isActive: boolean }) => isActive)
        ?.name;
    const refused = (method: string, path: string, body?: object) => platform.call(method, `${base}/${path}`, body);

    expect(await activeOf()).toBeUndefined();
    expect(await refused('POST', 'commit', {})).toMatchObject({ status: 400 });
    expect(await refused('GET', 'data-model/validate?devMode=true')).toMatchObject({ status: 400 });
    for (const [branchName, status] of [
      ['missing', 404],
      ['main', 400],
    ] as const) {
      expect(await refused('POST', 'dev-mode', { branchName })).toMatchObject({ status });
    }

    const started = await Promise.all(['one', 'two'].map(() => send('POST', 'dev-mode', {})));
    const branchName: string = started[0].branchName;
    expect(branchName).toMatch(/^dev-1-[0-9a-f]{8}$/);
    expect(started).toEqual(started.map(() => ({ active: true, branchName, parentBranch: 'main' })));
    const other = await send('POST', 'branches', { name: 'other', activate: true }, 'developer');
    expect(other).toMatchObject({ active: true, branchName: 'other' });
    expect([await activeOf(), await activeOf('developer')]).toEqual([branchName, 'other']);

    const files = [{ path: 'model/model.yml', content: 'cubes: [] # changed\n' }];
    await send('PUT', 'data-model/files', { branchName, files });
    expect(await send('GET', 'data-model/validate?devMode=true')).toMatchObject({ branchName, valid: true });
    const listed = (await send('GET', 'branches?withDiff=true')).items;
    const modified = { path: 'model/model.yml', status: 'modified' };
    expect(listed.map(({ name, diff }: { name: string; diff?: object }) => ({ name, diff }))).toEqual([
      { name: branchName, diff: { isBehind: false, fileCount: 1, files: [expect.objectContaining(modified)] } },
      { name: 'main', diff: undefined },
      { name: 'other', diff: { isBehind: false, fileCount: 0, files: [] } },
    ]);
    expect(await refused('GET', 'data-model/validate?devMode=true&branchName=other')).toMatchObject({ status: 400 });
    expect(await send('POST', 'commit', { message: 'Change', exitDevMode: true })).toEqual({ success: true });
    const [commit] = (await send('GET', `commits?branchName=${branchName}`)).items;
    expect(commit).toMatchObject({ message: 'Change', author: 'user 1' });
    expect([await activeOf(), await activeOf('developer')]).toEqual([undefined, 'other']);

    const personal = { branchName, enabled: true };
    expect(await refused('PUT', 'branches/staging-environment', personal)).toMatchObject({ status: 400 });
    expect(await refused('POST', 'branches', { name: 'dev-2-0123abcd' })).toMatchObject({ status: 400 });

    // A merge moves the caller to the parent, and other users of a deleted branch to the deploy branch.
    await send('POST', 'branches', { name: 'child', from: 'other', activate: true });
    await send('POST', 'merge', { branchName: 'child', deleteBranch: true, switchToParentBranch: true });
    expect(await activeOf()).toBe('other');
    await send('DELETE', 'branches?branchName=other');
    expect([await activeOf(), await activeOf('developer')]).toEqual([undefined, undefined]);
    await send('POST', 'branches', { name: 'other' });
    expect([await activeOf(), await activeOf('developer')]).toEqual([undefined, undefined]);

    expect((await send('POST', 'dev-mode', {})).branchName).toBe(branchName);
    await send('POST', 'merge-to-default', { branchName, message: 'm', removeBranchAfterMerge: true });
    expect(await activeOf()).toBeUndefined();
    for (const _ of [1, 2]) expect(await send('DELETE', 'dev-mode')).toEqual({ success: true });
  });

  test('lists environments of users for callers with SchemaRead, and ends their tokens with them', async () => {
    const { id } = await platform.ok('POST', '/build/api/v1/deployments', { name: 'environments' });
    const { branchName } = await platform.ok('POST', `/build/api/v1/deployments/${id}/dev-mode`, {});
    const path = `/api/v1/deployments/${id}/environments`;
    const [environment, ...rest] = (await platform.ok('GET', `${path}?type=development`)).items;
    expect(rest).toEqual([]);
    expect(environment).toMatchObject({ branch: branchName, user: '1' });
    const body = { security_context: {} };
    await platform.ok('POST', `${path}/${environment.id}/tokens`, body);

    const policies = [
      { resourceType: 'Deployment' as const, actions: ['DeploymentRead', 'SecretsManage'], resources: [String(id)] },
    ];
    await platform.addUserKey('secretive', 'AIBIViewer', policies);
    const listed = await platform.ok('GET', path, undefined, 'secretive');
    expect(listed.items.map(({ type }: { type: string }) => type)).toEqual(['production']);
    const hidden = await platform.call('POST', `${path}/${environment.id}/tokens`, body, 'secretive');
    expect(hidden).toMatchObject({ status: 404 });

    await platform.ok('DELETE', `/build/api/v1/deployments/${id}/dev-mode`);
    expect((await platform.ok('GET', `${path}?type=development`)).items).toEqual([]);
  });
});

test('the audit log contains writes of models that failed in the middle, but not those that were refused', async () => {
  const { id } = await platform.ok('POST', '/build/api/v1/deployments', { name: 'audited' });
  const branches = `/build/api/v1/deployments/${id}/branches`;
  await platform.ok('POST', branches, { name: 'work' });
  expect(await platform.call('POST', branches, { name: 'work' })).toMatchObject({ status: 409 });
  const audited = async (operation: string) =>
    (await platform.audited(operation)).filter(({ target }) => target.deploymentId === id);
  expect(await audited('createBranch')).toHaveLength(1);
  const entry = { operation: 'removeBranch', principal: null, target: { deploymentId: id }, requestId: null };
  const failure = recordAttempt(platform.db, entry, () => Promise.reject(new Error('connection lost')));
  await expect(failure).rejects.toThrow('connection lost');
  expect(await audited('removeBranch')).toHaveLength(1);
});
