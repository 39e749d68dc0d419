import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScimUrn } from '../../../src/contract/scim.js';
import { folders, groupMembers, users } from '../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const base = '/api/scim/v2';
let platform: TestPlatform;
let key: string;
let count = 0;
beforeAll(async () => {
  platform = await startTestPlatform();
  key = (await platform.ok('POST', '/api/v1/scim-keys', { name: 'Okta' })).key;
});
afterAll(() => platform.stop());

function unique(name: string): string {
  count += 1;
  return `${name}-${count}`;
}
const call = (method: string, path: string, body?: object) => platform.call(method, `${base}${path}`, body, key);
async function ok(method: string, path: string, body?: object) {
  const answer = await call(method, path, body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: method === 'POST' ? 201 : 200 });
  return answer.body;
}
const createUser = (fields: object = {}) => ok('POST', '/Users', { userName: unique('person'), ...fields });
const createGroup = (fields: object = {}) => ok('POST', '/Groups', { displayName: unique('team'), ...fields });
const patch = (resource: string, ...operations: object[]) =>
  ok('PATCH', resource, { schemas: [ScimUrn.patch], Operations: operations });
const find = async (filter: string, type = 'Users'): Promise<string[]> =>
  (await ok('GET', `/${type}?filter=${encodeURIComponent(filter)}`)).Resources.map(({ id }: { id: string }) => id);

describe('users', () => {
  test('are created as Okta sends them, found, deactivated and deleted', async () => {
    const userName = unique('Ann.Lee');
    const sent = {
      schemas: [ScimUrn.user],
      userName,
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ primary: true, value: `${userName}@acme.example`, type: 'work' }],
      displayName: 'Ann Lee',
      locale: 'en-US',
      externalId: '00u1abc',
      groups: [],
      password: 'never stored',
      active: true,
    };
    const made = await ok('POST', '/Users', sent);
    expect(made).toMatchObject({
      schemas: [ScimUrn.user],
      userName,
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ primary: true, value: `${userName}@acme.example`, type: 'work' }],
      externalId: '00u1abc',
      active: true,
      groups: [],
      meta: { resourceType: 'User', location: `https://platform.example/somewhere${base}/Users/${made.id}` },
    });
    expect(made).not.toHaveProperty('password');
    expect(await platform.ok('GET', `/api/v1/users/${made.id}`)).toMatchObject({
      username: userName,
      email: `${userName}@acme.example`,
      firstName: 'Ann Lee',
      externalId: '00u1abc',
      isAdmin: false,
      defaultRoles: [],
    });
    expect(await find(`userName eq "${userName.toUpperCase()}"`)).toEqual([made.id]);

    const apiKey = (await platform.ok('POST', '/api/v1/api-keys', { name: userName, userId: Number(made.id) })).key;
    expect(await platform.call('GET', '/api/v1/users/me', undefined, apiKey)).toMatchObject({ status: 200 });
    const off = await patch(`/Users/${made.id}`, { op: 'replace', value: { active: false } });
    expect(off).toMatchObject({ active: false, externalId: '00u1abc' });
    expect(await platform.call('GET', '/api/v1/users/me', undefined, apiKey)).toMatchObject({ status: 401 });

    expect(await call('DELETE', `/Users/${made.id}`)).toEqual({ status: 204, body: undefined });
    expect(await call('GET', `/Users/${made.id}`)).toMatchObject({ status: 404 });
    expect(await find(`userName eq "${userName}"`)).toEqual([]);
  });

  test('are created and changed as Microsoft Entra sends them', async () => {
    const { id } = await createUser({
      schemas: [ScimUrn.user, ScimUrn.enterpriseUser],
      active: 'True',
      emails: [{ primary: true, type: 'work', value: 'first@acme.example' }],
      [ScimUrn.enterpriseUser]: { department: 'Sales', manager: '7' },
    });
    const changed = await patch(
      `/Users/${id}`,
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'second@acme.example' },
      { op: 'Add', path: `${ScimUrn.enterpriseUser}:employeeNumber`, value: 42 },
      { op: 'Replace', value: { 'name.givenName': 'Bo', displayName: 'Bo', unknownAttribute: 1 } },
      { op: 'Replace', path: 'active', value: 'False' },
    );
    expect(changed).toMatchObject({
      schemas: [ScimUrn.user, ScimUrn.enterpriseUser],
      active: false,
      displayName: 'Bo',
      name: { givenName: 'Bo' },
      phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
      emails: [{ primary: true, type: 'work', value: 'second@acme.example' }],
      [ScimUrn.enterpriseUser]: { department: 'Sales', manager: { value: '7' }, employeeNumber: '42' },
    });
    expect(await platform.ok('GET', `/api/v1/users/${id}`)).toMatchObject({
      email: 'second@acme.example',
      firstName: 'Bo',
      isDeactivated: true,
    });
    const again = await patch(
      `/Users/${id}`,
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"]' },
      { op: 'remove', path: `${ScimUrn.enterpriseUser}:department` },
      { op: 'add', path: 'emails', value: [{ type: 'home', value: 'home@acme.example', primary: true }] },
      { op: 'replace', path: 'active', value: true },
    );
    expect(again).toMatchObject({
      active: true,
      phoneNumbers: [],
      emails: [
        { type: 'work', primary: false },
        { type: 'home', primary: true },
      ],
    });
    expect(again[ScimUrn.enterpriseUser]).not.toHaveProperty('department');
  });

  test('are replaced: attributes that are not sent are cleared, and a deactivated user is not activated', async () => {
    const { id, userName } = await createUser({ title: 'Analyst', nickName: 'Bo', active: false });
    const replaced = await ok('PUT', `/Users/${id}`, { USERNAME: userName, nickName: 'Bobby' });
    expect(replaced).toMatchObject({ userName, nickName: 'Bobby', active: false });
    expect(replaced).not.toHaveProperty('title');
  });

  test('have a unique name and primary email, compared without case', async () => {
    const { userName } = await createUser({ emails: [{ value: 'taken@acme.example' }] });
    const other = await createUser();
    const taken = { status: 409, body: { code: 'uniqueness' } };
    expect(await call('POST', '/Users', { userName: userName.toUpperCase() })).toMatchObject(taken);
    const emails = [{ value: 'TAKEN@acme.example' }];
    expect(await call('POST', '/Users', { userName: unique('person'), emails })).toMatchObject(taken);
    expect(await call('PUT', `/Users/${other.id}`, { userName })).toMatchObject(taken);
    expect(await ok('GET', `/Users/${other.id}`)).toMatchObject({ userName: other.userName });
  });

  test('without the built-in administrator and embed users, and without a way to become an administrator', async () => {
    const admin = await platform.ok('GET', '/api/v1/users/me');
    const visitor = await platform.ok('POST', '/api/v1/embed-tenants/acme/user', { externalId: 'visitor' });
    for (const hidden of [admin, visitor]) {
      expect(await call('GET', `/Users/${hidden.id}`)).toMatchObject({ status: 404 });
      expect(await call('DELETE', `/Users/${hidden.id}`)).toMatchObject({ status: 404 });
      expect(await find(`id eq "${hidden.id}"`)).toEqual([]);
    }
    const { id } = await createUser({ roles: ['Admin'], entitlements: [{ value: 'admin' }], isAdmin: true });
    expect(await platform.ok('GET', `/api/v1/users/${id}`)).toMatchObject({ isAdmin: false, defaultRoles: [] });
  });

  test.each([
    [{}, /userName: is required/],
    [{ userName: ' ' }, /userName: is required/],
    [{ userName: 'x'.repeat(256) }, /255/],
    [{ userName: 'ann', active: 'maybe' }, /active: must be true or false/],
    [{ userName: 'ann', name: 'Ann' }, /name: must be an object/],
    [{ userName: 'ann', emails: [{ value: {} }] }, /emails\[0\]\.value: must be text/],
    [{ userName: 'ann', title: 'x'.repeat(20_001) }, /20000|20,000/],
    [{ userName: 'a\0b' }, /NUL/],
  ])('with invalid attributes are rejected: %j', async (body, message) => {
    const answer = await call('POST', '/Users', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
  });

  test.each([
    [{ op: 'move', path: 'title', value: 'x' }, 'invalidValue'],
    [{ op: 'remove' }, 'invalidPath'],
    [{ op: 'add', path: 'a b', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
  ])('are not changed by an invalid change: %j', async (operation, code) => {
    const user = await createUser();
    const answer = await call('PATCH', `/Users/${user.id}`, {
      Operations: [{ op: 'add', path: 'title', value: 'B' }, operation],
    });
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(await ok('GET', `/Users/${user.id}`)).toEqual(user);
  });
});

describe('filters of users', () => {
  test('compare strings, states, times, lists and the enterprise extension', async () => {
    const tag = unique('tag');
    const made = await createUser({
      externalId: tag,
      displayName: `Zoë ${tag}`,
      emails: [
        { type: 'work', value: `${tag}@acme.example` },
        { type: 'home', value: 'x@home.example' },
      ],
      name: { familyName: tag },
      [ScimUrn.enterpriseUser]: { department: tag },
    });
    const other = await createUser({ emails: [{ type: 'home', value: `${tag}@other.example` }] });
    const only = [made.id];
    const both = `(externalId eq "${tag}" or id eq "${other.id}")`;
    expect(await find(`externalId eq "${tag}"`)).toEqual(only);
    expect(await find(`externalId eq "${tag.toUpperCase()}"`)).toEqual([]);
    expect(await find(`${ScimUrn.user}:displayName ew "${tag.toUpperCase()}"`)).toEqual(only);
    expect(await find(`emails[type eq "work" and value sw "${tag}"]`)).toEqual(only);
    expect(await find(`emails.value co "${tag}@"`)).toEqual([made.id, other.id]);
    expect(await find(`name.familyName eq "${tag}" and not (active eq false)`)).toEqual(only);
    expect(await find(`${ScimUrn.enterpriseUser}:department eq "${tag}"`)).toEqual(only);
    expect(await find(`${both} and externalId pr`)).toEqual(only);
    expect(await find(`${both} and active eq "True"`)).toEqual([made.id, other.id]);
    expect(await find(`${both} and meta.created gt "2199-01-01T00:00:00Z"`)).toEqual([]);
    const group = await createGroup({ members: [{ value: other.id }] });
    expect(await find(`groups.value eq "${group.id}"`)).toEqual([other.id]);
  });

  test.each([
    '__proto__.polluted eq "yes"',
    'userName eq "ann" and __proto__.polluted eq "yes"',
    'emails[__proto__.polluted eq "yes"]',
    'Constructor.prototype.polluted eq "yes"',
    'userName eq "a\\" constructor.prototype.polluted eq "b"',
    'hasOwnProperty.polluted eq "yes"',
  ])('reject %s, which would change the prototype of all objects', async filter => {
    expect(await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject({ status: 400 });
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
    expect('polluted' in Object.prototype.hasOwnProperty).toBe(false);
  });

  test('accept values that contain such a name', async () => {
    expect(await call('GET', `/Users?filter=${encodeURIComponent('title eq "Constructor"')}`)).toMatchObject({
      status: 200,
    });
  });

  test.each([
    'userName',
    'userName eq',
    '((',
    'password eq "x"',
    'meta.created gt "soon"',
    'active eq "maybe"',
    'x'.repeat(2001),
    Array(9).fill('(title pr or active eq true)').join(' and '),
    'a.b.c eq "x"',
    'userName ~ "x"',
  ])('that are invalid or not supported are rejected: %s', async filter => {
    const answer = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalidFilter' } });
  });

  test('page by index and count', async () => {
    const title = unique('title');
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await createUser({ title })).id);
    const page = (query: string) => ok('GET', `/Users?filter=${encodeURIComponent(`title eq "${title}"`)}&${query}`);
    expect(await page('startIndex=2&count=1')).toMatchObject({
      schemas: [ScimUrn.list],
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ id: ids[1] }],
    });
    expect(await page('count=0')).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await page('startIndex=-5&count=-1')).toMatchObject({ totalResults: 3, startIndex: 1, Resources: [] });
    const [first] = (await page('attributes=title')).Resources;
    expect(Object.keys(first).sort()).toEqual(['active', 'id', 'meta', 'schemas', 'title', 'userName']);
  });
});

describe('groups', () => {
  test('are the account’s groups: created, renamed, changed by member and deleted', async () => {
    const [ann, bo] = [await createUser(), await createUser()];
    const group = await createGroup({ externalId: 'g-1', members: [{ value: ann.id }] });
    expect(group).toMatchObject({
      externalId: 'g-1',
      members: [{ value: ann.id, display: ann.userName, type: 'User' }],
    });
    const url = `/Groups/${group.id}`;
    const members = async () => (await ok('GET', url)).members.map(({ value }: { value: string }) => value);

    await patch(url, { op: 'Add', path: 'members', value: [{ value: bo.id }] });
    expect(await members()).toEqual([ann.id, bo.id]);
    expect(await ok('GET', `/Users/${bo.id}`)).toMatchObject({
      groups: [{ value: group.id, display: group.displayName }],
    });
    await patch(url, { op: 'remove', path: `members[value eq "${ann.id}"]` });
    expect(await members()).toEqual([bo.id]);
    await patch(
      url,
      { op: 'Remove', path: 'members', value: [{ value: bo.id }] },
      { op: 'add', value: { members: [{ value: ann.id }] } },
    );
    expect(await members()).toEqual([ann.id]);
    await patch(
      url,
      { op: 'replace', path: 'displayName', value: 'Renamed' },
      { op: 'replace', path: 'members', value: [{ value: bo.id }] },
    );
    expect(await ok('GET', url)).toMatchObject({ displayName: 'Renamed', members: [{ value: bo.id }] });
    expect(await ok('GET', `${url}?excludedAttributes=members`)).not.toHaveProperty('members');
    expect(await find('displayName eq "renamed"', 'Groups')).toEqual([group.id]);
    expect(await find(`members.value eq "${bo.id}"`, 'Groups')).toEqual([group.id]);
    await ok('PUT', url, { displayName: 'Renamed' });
    expect(await members()).toEqual([]);
    expect(await call('DELETE', url)).toMatchObject({ status: 204 });
    expect(await ok('GET', `/Users/${bo.id}`)).toMatchObject({ groups: [] });
  });

  test('reject unknown members, names that are taken, and change nothing', async () => {
    const [group, other] = [await createGroup(), await createGroup()];
    const url = `/Groups/${group.id}`;
    const admin = await platform.ok('GET', '/api/v1/users/me');
    for (const value of ['999999999', 'abc', String(admin.id)]) {
      const change = {
        Operations: [
          { op: 'replace', path: 'displayName', value: 'Lost' },
          { op: 'add', path: 'members', value: [{ value }] },
        ],
      };
      expect(await call('PATCH', url, change)).toMatchObject({ status: 400, body: { code: 'invalidValue' } });
    }
    const taken = { status: 409, body: { code: 'uniqueness' } };
    expect(await call('POST', '/Groups', { displayName: other.displayName })).toMatchObject(taken);
    expect(await call('PUT', url, { displayName: other.displayName })).toMatchObject(taken);
    expect(await ok('GET', url)).toEqual(group);
  });

  test('keep embed users, whom a directory does not see', async () => {
    const [sales] = await find('displayName eq "sales"', 'Groups');
    await platform.mint({ externalId: 'seller', groups: ['sales'] });
    const ann = await createUser();
    const replaced = await ok('PUT', `/Groups/${sales}`, { displayName: 'sales', members: [{ value: ann.id }] });
    expect(replaced.members).toMatchObject([{ value: ann.id }]);
    await ok('PUT', `/Groups/${sales}`, { displayName: 'sales' });
    const members = await platform.db
      .select({ name: users.externalId })
      .from(groupMembers)
      .innerJoin(users, eq(users.id, groupMembers.userId))
      .where(eq(groupMembers.groupId, Number(sales)));
    expect(members).toEqual([{ name: 'seller' }]);
  });

  test('accept a change to 10,000 members', async () => {
    const inserted = await platform.db.execute<{ id: string }>(
      "insert into users (username, role) select 'member-' || n, 'user' from generate_series(1, 10000) n returning id",
    );
    const value = inserted.rows.map(({ id }) => ({ value: String(id) }));
    const group = await createGroup();
    const url = `/Groups/${group.id}?excludedAttributes=members`;
    expect(await patch(url, { op: 'add', path: 'members', value })).not.toHaveProperty('members');
    expect(await find(`members.value eq "${value[9999]?.value}"`, 'Groups')).toEqual([group.id]);
    await patch(url, { op: 'remove', path: 'members' });
    expect((await ok('GET', `/Groups/${group.id}`)).members).toEqual([]);
  });
});

describe('versions (RFC 7644, 3.14)', () => {
  const request = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    platform.app.request(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });

  test.each(['Users', 'Groups'])('of %s prevent lost changes', async type => {
    const { id } = await (type === 'Users' ? createUser() : createGroup());
    const read = await request('GET', `/${type}/${id}`, {});
    const etag = read.headers.get('etag') ?? '';
    expect(read.headers.get('content-type')).toBe('application/scim+json');
    expect(etag).toMatch(/^W\/"\d+"$/);
    expect((await request('GET', `/${type}/${id}`, { 'if-none-match': etag })).status).toBe(304);
    const change = { Operations: [{ op: 'add', path: 'externalId', value: 'x' }] };
    expect((await request('PATCH', `/${type}/${id}`, { 'if-match': etag }, change)).status).toBe(200);
    expect((await request('PATCH', `/${type}/${id}`, { 'if-match': etag }, change)).status).toBe(412);
    expect((await request('DELETE', `/${type}/${id}`, { 'if-match': etag })).status).toBe(412);
    expect((await request('DELETE', `/${type}/${id}`, { 'if-match': '*' })).status).toBe(204);
  });
});

describe('SCIM keys', () => {
  test('are valid in the Provisioning API only, listed with their last use, and revoked', async () => {
    const made = await platform.ok('POST', '/api/v1/scim-keys', { name: 'Entra' });
    const get = (path: string) => platform.call('GET', path, undefined, made.key);
    expect(await get(`${base}/Users?count=0`)).toMatchObject({ status: 200 });
    for (const path of ['/api/v1/users', '/api/v1/users/me', '/api/v1/scim-keys', '/api/v1/deployments']) {
      expect(await get(path)).toMatchObject({ status: 401 });
    }
    const { items } = await platform.ok('GET', '/api/v1/scim-keys');
    const listed = items.find(({ id }: { id: number }) => id === made.id);
    expect(await platform.ok('GET', '/api/v1/scim-keys?search=ENT')).toMatchObject({ items: [listed], count: 1 });
    expect(listed).toMatchObject({ name: 'Entra', lastUsedAt: expect.any(String) });
    expect(JSON.stringify(items)).not.toContain(made.key);
    expect(await platform.call('POST', '/api/v1/scim-keys', { name: 'Entra' })).toMatchObject({ status: 409 });
    expect(await platform.call('DELETE', `/api/v1/scim-keys/${made.id}`)).toMatchObject({ status: 204 });
    expect(await get(`${base}/Users`)).toMatchObject({ status: 401 });
  });

  test('delete users, whose content is transferred to the built-in administrator', async () => {
    const admin = await platform.ok('GET', '/api/v1/users/me');
    const { id, userName } = await createUser();
    const apiKey = await platform.ok('POST', '/api/v1/api-keys', { name: userName, userId: Number(id) });
    const policies = [
      { resourceType: 'Global', actions: ['AIBIExplore'], resources: ['All'] },
      { resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['All'] },
    ];
    const role = await platform.ok('POST', '/api/v1/roles', { name: userName, policies });
    await platform.call('PUT', `/api/v1/roles/${role.id}/users/${id}`);
    const folder = await platform.call('POST', '/api/v1/deployments/1/folders', { name: userName }, apiKey.key);
    expect(folder.status).toBe(200);
    expect(await call('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 });
    const [kept] = await platform.db.select().from(folders).where(eq(folders.id, folder.body.id));
    expect(kept?.createdBy).toBe(admin.id);
  });
});

test('discovery describes what is supported', async () => {
  expect(await ok('GET', '/ServiceProviderConfig')).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
  });
  const types = await ok('GET', '/ResourceTypes');
  expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group']);
  const schemas = await ok('GET', '/Schemas');
  const urns = schemas.Resources.map(({ id }: { id: string }) => id);
  expect(urns).toEqual([ScimUrn.user, ScimUrn.enterpriseUser, ScimUrn.group]);
  expect(await ok('GET', `/Schemas/${ScimUrn.user}`)).toEqual(schemas.Resources[0]);
  expect(await call('GET', '/ResourceTypes/Robot')).toMatchObject({ status: 404 });
});
