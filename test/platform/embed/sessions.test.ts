import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EmbedUser } from '../../../src/contract/embed-tenants.js';
import { sessionKeyOf } from '../../../src/platform/auth/sessions.js';
import { embedSessions, groups, userAttributes, users } from '../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());
afterEach(() => vi.useRealTimers());

const creator = { creatorMode: true, embedTenantName: 'acme' };
const attributes = { ...creator, userAttributeDefinitions: [{ name: 'region', type: 'string' }] };

describe('generate-session: callers and fields (domain.md 1.1)', () => {
  test('returns a session id of 32 hex digits and stores only its hash', async () => {
    const { status, body } = await platform.mint({});
    expect(status).toBe(200);
    expect(body.sessionId).toMatch(/^[0-9a-f]{32}$/);
    const stored = await platform.db.select().from(embedSessions);
    expect(stored.map(row => row.sessionKey)).toContain(sessionKeyOf(body.sessionId));
    expect(JSON.stringify(stored)).not.toContain(body.sessionId);
  });

  test.each([
    ['no user', { externalId: null }, 'externalId'],
    ['two users', { internalId: 'admin' }, 'internalId'],
    ['email of an internal user', { externalId: null, internalId: 'admin', email: 'a@b.de' }, 'email'],
    ['groups of an internal user', { externalId: null, internalId: 'admin', groups: [] }, 'groups'],
    [
      'own context of an internal user',
      { externalId: null, internalId: 'admin', securityContext: {} },
      'securityContext',
    ],
    ['the key platform', { securityContext: { platform: {} } }, 'securityContext'],
    ['tenant groups without creator mode', { embedTenantName: 'acme', tenantGroups: ['a'] }, 'tenantGroups'],
    ['tenant groups without a tenant', { creatorMode: true, tenantGroups: ['a'] }, 'tenantGroups'],
    ['tenant group definitions alone', { tenantGroupDefinitions: [{ name: 'a' }] }, 'tenantGroupDefinitions'],
    ['a reserved group name', { ...creator, tenantGroupDefinitions: [{ name: 'system:x' }] }, 'tenantGroups'],
    [
      'definitions without creator mode',
      { userAttributeDefinitions: [{ name: 'a', type: 'string' }] },
      'userAttributeDefinitions',
    ],
    [
      'an attribute twice',
      {
        userAttributes: [
          { name: 'a', value: 1 },
          { name: 'a', value: 2 },
        ],
      },
      'userAttributes',
    ],
    ['a bad tenant name', { embedTenantName: 'Acme' }, 'embedTenantName'],
    ['a picture that is not http', { userProfile: { picture: 'javascript:alert(1)' } }, 'userProfile.picture'],
    ['an unknown role', { roles: ['AIBIViewer', 'nope'] }, 'roles: Roles not found: nope'],
    ['the admin role', { roles: ['Admin'] }, 'roles: Roles not found: Admin'],
    ['isEphemeral', { isEphemeral: false }, 'isEphemeral'],
    ['publicDashboardId', { publicDashboardId: 'x' }, 'publicDashboardId'],
    ['an unknown group', { groups: ['sales', 'nope'] }, 'groups: Groups with names nope not found'],
    [
      'an unknown attribute',
      { userAttributes: [{ name: 'nope', value: 1 }] },
      'userAttributes: User attributes not found: nope',
    ],
    [
      'an unknown tenant group',
      { ...creator, tenantGroups: ['nope'] },
      'tenantGroups: Groups with names nope not found',
    ],
    ['text with NUL', { securityContext: { a: ['b\0c'] } }, 'securityContext.a.0'],
    ['claims that no header carries', { securityContext: { a: 'x'.repeat(9_000) } }, 'securityContext'],
  ])('rejects %s with 400 and names the field', async (_what, grant, field) => {
    const { status, body } = await platform.mint(grant);
    expect({ status, message: body.message }).toMatchObject({
      status: 400,
      message: expect.stringContaining(`body.${field}`),
    });
  });

  test('rejects unknown fields, including ephemeralTtlSeconds (spec 9)', async () => {
    const { status, body } = await platform.mint({ ephemeralTtlSeconds: 60 });
    expect(status).toBe(400);
    expect(body.message).toContain('ephemeralTtlSeconds');
  });

  test.each([
    ['a deployment that does not exist', { deploymentId: 2 }],
    ['a branch', { branchName: 'main' }],
    ['an internal user who does not exist', { externalId: null, internalId: 'nobody' }],
  ])('returns 404 for %s', async (_what, grant) => {
    expect(await platform.mint(grant)).toMatchObject({ status: 404 });
  });

  test('returns 404 for a name that is the username of one user and the email of another', async () => {
    const email = 'Both@acme.example';
    await platform.ok('POST', '/api/v1/users', { username: 'email-of', email });
    const one = { externalId: null, internalId: 'both@acme.example' };
    expect(await platform.mint(one)).toMatchObject({ status: 200 });
    const user = { username: email.toLowerCase(), email: 'username-of@acme.example' };
    const { id } = await platform.ok('POST', '/api/v1/users', user);
    expect(await platform.mint(one)).toMatchObject({ status: 404 });
    // A user that is deactivated keeps its name, so the other must not take it over.
    await platform.ok('PUT', `/api/v1/users/${id}`, { isDeactivated: true });
    expect(await platform.mint(one)).toMatchObject({ status: 404 });
    expect(await platform.mint({ ...one, internalId: 'email-of' })).toMatchObject({ status: 200 });
  });

  test('ignores groupDefinitions and treats null as omitted', async () => {
    const grant = { groupDefinitions: [{ name: 'new' }], groups: null, settings: null, embedTenantName: null };
    expect(await platform.mint(grant)).toMatchObject({ status: 200 });
  });

  test('requires an API key of an admin', async () => {
    const token = await platform.tokenOf();
    const admin = await platform.tokenOf({ externalId: null, internalId: 'ADMIN' });
    const grant = { deploymentId: 1, externalId: 'x' };
    expect(await platform.call('POST', '/api/v1/embed/generate-session', grant, token)).toMatchObject({ status: 403 });
    expect(await platform.call('POST', '/api/v1/embed/generate-session', grant, admin)).toMatchObject({ status: 403 });
    expect(await platform.call('POST', '/api/v1/embed/generate-session', grant, '')).toMatchObject({ status: 401 });
    expect(await platform.call('POST', '/api/v1/embed/generate-session', grant, 'wrong')).toMatchObject({
      status: 401,
    });
  });

  test('a rejected grant changes nothing', async () => {
    const grant = { externalId: 'ghost', embedTenantName: 'ghost-tenant', groups: ['nope'] };
    expect(await platform.mint(grant)).toMatchObject({ status: 400 });
    const names = (await platform.db.select().from(users)).map(user => user.externalId);
    expect(names).not.toContain('ghost');
  });
});

describe('generate-session: security context', () => {
  test('contains the keys of the grant and `platform`', async () => {
    const context = await platform.contextOf({ groups: ['sales', 'finance'], securityContext: { airport: 'JFK' } });
    expect(context).toEqual({ airport: 'JFK', platform: { groups: ['finance', 'sales'], userAttributes: {} } });
  });

  test('groups: retained if omitted, replaced by a list, cleared by an empty one', async () => {
    const groupsOf = async (grant: object) =>
      (await platform.contextOf({ externalId: 'gus', ...grant })).platform.groups;
    expect(await groupsOf({ groups: ['sales'] })).toEqual(['sales']);
    expect(await groupsOf({})).toEqual(['sales']);
    expect(await groupsOf({ groups: ['finance'] })).toEqual(['finance']);
    expect(await groupsOf({ groups: [] })).toEqual([]);
  });

  test('tenant groups have names with their tenant and do not affect account groups', async () => {
    const grant = { ...creator, externalId: 'tia', groups: ['sales'] };
    const tenantGroups = { tenantGroupDefinitions: [{ name: 'team', description: 'us' }], tenantGroups: ['team'] };
    const expected = ['sales', 'system:tenant:acme:group:team'];
    expect((await platform.contextOf({ ...grant, ...tenantGroups })).platform.groups).toEqual(expected);
    expect((await platform.contextOf({ ...grant, ...tenantGroups })).platform.groups).toEqual(expected);
    expect((await platform.contextOf({ ...grant, tenantGroups: [] })).platform.groups).toEqual(['sales']);
  });

  test('a tenant group cannot be used or seen by other tenants', async () => {
    await platform.contextOf({ ...creator, tenantGroupDefinitions: [{ name: 'own' }], tenantGroups: ['own'] });
    const other = { creatorMode: true, embedTenantName: 'other', tenantGroups: ['own'] };
    expect(await platform.mint(other)).toMatchObject({ status: 400 });
    const internal = { externalId: null, internalId: 'admin' };
    await platform.contextOf({ ...creator, ...internal, tenantGroups: ['own'] });
    const elsewhere = await platform.contextOf({ ...internal, embedTenantName: 'other' });
    expect(elsewhere.platform.groups).toEqual([]);
  });

  test('sharing groups cannot be claimed as account groups', async () => {
    expect(await platform.mint({ groups: ['system:embed-users'] })).toMatchObject({ status: 400 });
  });

  test('attributes: typed, stored, cleared by null, absent without a value', async () => {
    const valuesOf = async (grant: object) =>
      (await platform.contextOf({ ...attributes, externalId: 'ada', ...grant })).platform.userAttributes;
    expect(await valuesOf({})).toEqual({});
    expect(await valuesOf({ userAttributes: [{ name: 'region', value: 'north' }] })).toEqual({ region: 'north' });
    expect(await valuesOf({})).toEqual({ region: 'north' });
    for (const value of ['7', 'true', 'null', '"x"', '["a"]']) {
      expect(await valuesOf({ userAttributes: [{ name: 'region', value }] })).toEqual({ region: value });
    }
    expect(await valuesOf({ userAttributes: [{ name: 'region', value: null }] })).toEqual({});
    const wrong = await platform.mint({ ...attributes, userAttributes: [{ name: 'region', value: 7 }] });
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('region must be of type string') },
    });
  });

  test.each([
    ['number', '7', 7],
    ['boolean', 'true', true],
    ['string_array', '["a"]', ['a']],
    ['number_array', '[1,2]', [1, 2]],
  ])('a default of type %s applies until a value is set', async (type, defaultValue, value) => {
    const definition = { name: `default_${type}`, type, defaultValue };
    const grant = {
      ...creator,
      externalId: `default-${type.replace('_', '-')}`,
      userAttributeDefinitions: [definition],
    };
    const context = await platform.contextOf(grant);
    expect(context.platform.userAttributes[definition.name]).toEqual(value);
    const bad = { ...grant, userAttributeDefinitions: [{ ...definition, defaultValue: 'nonsense' }] };
    expect(await platform.mint(bad)).toMatchObject({ status: 400 });
  });

  test("an attribute's type is immutable", async () => {
    await platform.contextOf(attributes);
    const changed = { ...creator, userAttributeDefinitions: [{ name: 'region', type: 'number' }] };
    const { status, body } = await platform.mint(changed);
    expect({ status, message: body.message }).toMatchObject({
      status: 400,
      message: expect.stringContaining('cannot change the type of region'),
    });
  });

  test('repeated definitions update descriptions', async () => {
    const definition = { name: 'level', type: 'number', displayName: 'Level' };
    const define = (changes: object) =>
      platform.mint({
        ...creator,
        tenantGroupDefinitions: [{ name: 'described', ...changes }],
        userAttributeDefinitions: [{ ...definition, ...changes }],
      });
    await Promise.all(Array.from({ length: 8 }, (_, n) => define({ description: `${n}` })));
    expect(await define({ description: 'last' })).toMatchObject({ status: 200 });
    expect(await define({})).toMatchObject({ status: 200 });
    const named = (rows: { name: string }[], name: string) => rows.filter(row => row.name === name);
    expect(named(await platform.db.select().from(userAttributes), 'level')).toMatchObject([
      { displayName: 'Level', description: 'last' },
    ]);
    expect(named(await platform.db.select().from(groups), 'described')).toMatchObject([{ description: 'last' }]);
  });

  test('the token contains user, tenant, deployment, settings and session, and expires after 24 h', async () => {
    const settings = { locale: 'de', allowAi: false };
    const embedTheme = { primaryColor: '#123456' };
    const minted = await platform.mint({ externalId: ' Zoe ', settings, embedTheme });
    // Freeze the clock, so that `iat` and `exp` of the token are exactly 24 h apart.
    vi.useFakeTimers({ toFake: ['Date'] });
    const claims = decodeJwt((await platform.exchange(minted.body.sessionId)).body.token);
    const sid = sessionKeyOf(minted.body.sessionId);
    expect(claims).toMatchObject({
      deploymentId: 1,
      embedTenantName: 'local',
      creatorMode: false,
      settings,
      embedTheme,
      sid,
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(86_400);
    const [zoe] = (await platform.db.select().from(users)).filter(user => user.externalId === 'zoe');
    expect(claims.sub).toBe(String(zoe?.id));
  });

  test('a repeated grant resolves to the same user', async () => {
    const grant = { ...attributes, groups: ['sales', 'finance'], userAttributes: [{ name: 'region', value: 'x' }] };
    const identity = async (list: object) => {
      const { iat, exp, jti, sid, ...rest } = decodeJwt(await platform.tokenOf(list));
      return JSON.stringify(rest);
    };
    expect(await identity({ ...grant, groups: ['finance', 'sales'] })).toBe(await identity(grant));
  });

  test('a profile retains omitted fields, and an email is stored in lower case', async () => {
    const userProfile = { displayName: 'Pia', picture: 'https://x.example/p.png' };
    await platform.mint({ externalId: 'pia', email: 'Pia@Example.com', userProfile });
    await platform.mint({ externalId: 'pia', userProfile: { displayName: 'Pia B' } });
    const [pia] = (await platform.db.select().from(users)).filter(user => user.externalId === 'pia');
    expect(pia).toMatchObject({
      displayName: 'Pia B',
      picture: userProfile.picture,
      email: 'pia@example.com',
      role: 'user',
    });
  });

  test('concurrent grants for a new user create one user', async () => {
    const grant = { externalId: 'twin', embedTenantName: 'twins', groups: ['sales'] };
    const answers = await Promise.all(Array.from({ length: 20 }, () => platform.mint(grant)));
    expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200));
    const twins = (await platform.db.select().from(users)).filter(user => user.externalId === 'twin');
    expect(twins).toHaveLength(1);
  });
});

describe('session/token (domain.md 1.2)', () => {
  test('works once: of 20 concurrent exchanges one gets the token', async () => {
    const { body } = await platform.mint({});
    const answers = await Promise.all(Array.from({ length: 20 }, () => platform.exchange(body.sessionId)));
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(19).fill(401)]);
    expect(await platform.exchange(body.sessionId)).toMatchObject({ status: 401 });
  });

  test('records the last login of its user at most once per minute', async () => {
    const lastLogin = async () => {
      const { items } = await platform.ok('GET', '/api/v1/embed-tenants/logins/users');
      return Object.fromEntries(items.map((user: EmbedUser) => [user.externalId, user.lastLogin]));
    };
    const come = async (externalId: string) => {
      const { body } = await platform.mint({ externalId, embedTenantName: 'logins' });
      return platform.exchange(body.sessionId);
    };
    await platform.mint({ externalId: 'ann', embedTenantName: 'logins' });
    expect(await lastLogin()).toEqual({ ann: null });
    await Promise.all(['ann', 'bob', 'bob'].map(come));
    const first = await lastLogin();
    expect(first).toEqual({ ann: expect.any(String), bob: expect.any(String) });
    await come('ann');
    expect(await lastLogin()).toEqual(first);
    await platform.withConnection(client =>
      client.query("update users set last_login_at = '2020-01-01' where external_id = 'ann'"),
    );
    await come('ann');
    const again = await lastLogin();
    expect(again.bob).toBe(first.bob);
    expect(again.ann >= first.ann).toBe(true);
  });

  test('returns 401 for an invalid session and does not echo it', async () => {
    const answer = await platform.exchange('0123456789abcdef0123456789abcdef');
    expect(answer).toMatchObject({ status: 401 });
    expect(answer.body.message).not.toContain('0123456789abcdef');
    expect(await platform.exchange("'; --")).toMatchObject({ status: 401 });
  });

  test('returns 401 after 5 minutes', async () => {
    await platform.withConnection(async client => {
      const before = await client.query('select now() as now');
      const { body } = await platform.mint({});
      // The session was minted between these two times.
      const { rows } = await client.query(
        `select max(expires_at) - interval '5 minutes' as minted, now() + interval '1 ms' as after from embed_sessions`,
      );
      expect(rows[0].minted.getTime()).toBeGreaterThanOrEqual(before.rows[0].now.getTime());
      expect(rows[0].minted.getTime()).toBeLessThanOrEqual(rows[0].after.getTime());
      await client.query('update embed_sessions set expires_at = now()');
      expect(await platform.exchange(body.sessionId)).toMatchObject({ status: 401 });
    });
  });
});

describe('session/revoke (domain.md 1.3)', () => {
  const revoke = (sessionId: string, credential?: string) =>
    platform.call('POST', '/api/v1/embed/session/revoke', { sessionId }, credential);
  const read = (token: string) => platform.call('GET', '/api/v1/app-config', undefined, token);

  test('before the exchange: the session cannot be exchanged', async () => {
    const { body } = await platform.mint({});
    expect(await revoke(body.sessionId)).toMatchObject({ status: 204, body: undefined });
    expect(await platform.exchange(body.sessionId)).toMatchObject({ status: 401 });
  });

  test('after the exchange: the token is rejected, others are not', async () => {
    const { body } = await platform.mint({});
    const { token } = (await platform.exchange(body.sessionId)).body;
    const other = await platform.tokenOf();
    expect(await read(token)).toMatchObject({ status: 200 });
    expect(await revoke(body.sessionId)).toMatchObject({ status: 204 });
    expect(await revoke(body.sessionId)).toMatchObject({ status: 204 });
    expect(await read(token)).toMatchObject({ status: 401 });
    expect(await read(other)).toMatchObject({ status: 200 });
  });

  test('returns 204 for an unknown session, 400 for an invalid one, 403 to an embed session', async () => {
    expect(await revoke('f'.repeat(32))).toMatchObject({ status: 204 });
    expect(await revoke('not hex')).toMatchObject({ status: 400 });
    expect(await revoke('f'.repeat(32), await platform.tokenOf())).toMatchObject({ status: 403 });
  });

  test('a concurrent exchange does not return a valid token', async () => {
    for (let round = 0; round < 10; round++) {
      const { body } = await platform.mint({});
      const [exchanged] = await Promise.all([platform.exchange(body.sessionId), revoke(body.sessionId)]);
      if (exchanged.status === 200) expect(await read(exchanged.body.token)).toMatchObject({ status: 401 });
      else expect(exchanged.status).toBe(401);
    }
  });
});

describe('a repeated grant (domain.md 1.1)', () => {
  const grant = {
    ...attributes,
    embedTenantProfile: { displayName: 'Acme' },
    externalId: 'again',
    email: 'Again@Acme.example',
    userProfile: { displayName: 'A. Gain', picture: 'https://acme.example/a.png' },
    groups: ['sales', 'finance'],
    tenantGroups: ['own'],
    userAttributes: [{ name: 'region', value: 'north' }],
    securityContext: { airport: 'JFK' },
  };
  const { userAttributeDefinitions: _, ...again } = grant;
  const rowsOf = async () =>
    platform.withConnection(async client => {
      const { rows } = await client.query(`select u.xmin::text as user, t.xmin::text as tenant, m.xmin::text as member,
        v.xmin::text as value from users u join embed_tenants t on t.id = u.embed_tenant_id
        left join group_members m on m.user_id = u.id left join user_attribute_values v on v.user_id = u.id
        where u.external_id = 'again' order by m.group_id`);
      return rows;
    });

  test('writes no stored data and mints an equal session', async () => {
    const first = await platform.contextOf({ ...grant, tenantGroupDefinitions: [{ name: 'own' }] });
    const before = await rowsOf();
    expect(before).toHaveLength(3);
    expect(await platform.contextOf(again)).toEqual(first);
    expect(await platform.contextOf({ ...again, groups: ['finance', 'sales', 'sales'] })).toEqual(first);
    expect(await platform.contextOf({ ...creator, externalId: 'again', securityContext: { airport: 'JFK' } })).toEqual(
      first,
    );
    expect(await rowsOf()).toEqual(before);
  });

  test.each([
    ['groups', { groups: ['sales'] }, { groups: ['sales', 'system:tenant:acme:group:own'] }],
    ['no groups', { groups: [] }, { groups: ['system:tenant:acme:group:own'] }],
    ['no tenant groups', { tenantGroups: [] }, { groups: ['finance', 'sales'] }],
    ['a value', { userAttributes: [{ name: 'region', value: 'south' }] }, { userAttributes: { region: 'south' } }],
    ['a cleared value', { userAttributes: [{ name: 'region', value: null }] }, { userAttributes: {} }],
  ])('with other %s is applied', async (_what, change, seen) => {
    await platform.contextOf({ ...grant, tenantGroupDefinitions: [{ name: 'own' }] });
    expect((await platform.contextOf({ ...again, ...change })).platform).toMatchObject(seen);
  });

  test.each([
    ['email', { email: 'new@acme.example' }, { email: 'new@acme.example' }],
    ['name', { userProfile: { displayName: 'New' } }, { displayName: 'New' }],
    ['picture', { userProfile: { picture: 'https://acme.example/b.png' } }, { picture: 'https://acme.example/b.png' }],
  ])('with another %s is applied', async (_what, change, stored) => {
    await platform.contextOf({ ...grant, tenantGroupDefinitions: [{ name: 'own' }] });
    await platform.contextOf({ ...again, ...change });
    const found = await platform.db.select().from(users).where(eq(users.externalId, 'again'));
    expect(found).toMatchObject([stored]);
  });

  test.each([
    ['an unknown group', { groups: ['nope'] }, 400],
    ['an unknown attribute', { userAttributes: [{ name: 'nope', value: null }] }, 400],
    ['a value of another type', { userAttributes: [{ name: 'region', value: 1 }] }, 400],
    ['claims that no header carries', { securityContext: { a: 'x'.repeat(9_000) } }, 400],
    ['a deployment that is not there', { deploymentId: 999 }, 404],
  ])('with %s is still rejected', async (_what, change, expected) => {
    await platform.contextOf({ ...grant, tenantGroupDefinitions: [{ name: 'own' }] });
    expect(await platform.mint({ ...again, ...change })).toMatchObject({ status: expected });
  });

  test('concurrent grants each get a session of their user', async () => {
    const externalIds = Array.from({ length: 30 }, (_unused, index) => `crowd-${index % 10}`);
    for (const externalId of externalIds.slice(0, 10)) await platform.tokenOf({ externalId });
    const minted = await Promise.all(externalIds.map(externalId => platform.mint({ externalId })));
    expect(new Set(minted.map(({ body }) => body.sessionId)).size).toBe(30);
    const tokens = await Promise.all(minted.map(({ body }) => platform.exchange(body.sessionId)));
    const subjects = tokens.map(({ body }) => Number(decodeJwt(body.token).sub));
    const stored = await platform.db.select().from(users);
    const names = new Map(stored.map(({ id, externalId }) => [id, externalId]));
    expect(subjects.map(id => names.get(id))).toEqual(externalIds);
  });
});

test('one of several concurrent exchanges of a session gets a token', async () => {
  const { body } = await platform.mint({});
  const answers = await Promise.all(Array.from({ length: 8 }, () => platform.exchange(body.sessionId)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
});

test('the audit log records minting, exchange and revocation without session ids (spec 5)', async () => {
  const { sessionId } = (await platform.mint({ externalId: 'audited' })).body;
  const { sessionId: again } = (await platform.mint({ externalId: 'audited' })).body;
  const { token } = (await platform.exchange(sessionId)).body;
  await platform.exchange(sessionId);
  await platform.call('POST', '/api/v1/embed/session/revoke', { sessionId });
  const { sub, embedTenantId } = decodeJwt(token);
  const target = { deploymentId: 1, embedTenantId, userId: Number(sub) };
  const entries = (await platform.audited()).slice(-4);
  expect(entries).toMatchObject([
    { operation: 'generateSession', principal: 'api-key', target },
    { operation: 'generateSession', principal: 'api-key', target },
    { operation: 'postTokenBySessionId', principal: 'none', userId: null, target },
    { operation: 'revokeSession', principal: 'api-key', target: {} },
  ]);
  const journal = JSON.stringify(entries);
  for (const secret of [sessionId, again, sessionKeyOf(sessionId)]) expect(journal).not.toContain(secret);
});

test('an account is limited to 10,000 external users; existing users can still sign in (domain.md 1.1)', async () => {
  await platform.tokenOf({ externalId: 'known' });
  await platform.withConnection(client =>
    client.query(`insert into users (embed_tenant_id, external_id, role)
      select t.id, 'many-' || n, 'user' from embed_tenants t, generate_series(1, 10000) n where t.name = 'local'`),
  );
  expect(await platform.mint({ externalId: 'one-more' })).toMatchObject({ status: 403 });
  expect(await platform.mint({ externalId: 'known' })).toMatchObject({ status: 200 });
});
