import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthenticateChat, createAuthenticateData } from '../../../src/platform/auth/authenticate.js';
import { users } from '../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/users';
let platform: TestPlatform;
let count = 0;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

/** Creates a user with a unique name. */
async function person(fields: object = {}): Promise<TestUser> {
  count += 1;
  const username = `person-${count}`;
  return platform.ok('POST', path, { username, email: `${username}@acme.example`, ...fields });
}
interface TestUser {
  readonly id: number;
  readonly username: string;
  readonly email: string;
}
const keyOf = async (user: TestUser): Promise<string> =>
  (await platform.ok('POST', '/api/v1/api-keys', { name: `key of ${user.username}`, userId: user.id })).key;
const put = (id: number, body: object, key?: string) => platform.call('PUT', `${path}/${id}`, body, key);
const bulk = (action: string, userIds: number[], key?: string) =>
  platform.ok('POST', `${path}/bulk`, { action, userIds }, key);
const admin = () => platform.ok('GET', `${path}/me`);

describe('users (operations.md, Users Admin)', () => {
  test('are created with roles and settings, read, changed and deleted', async () => {
    const made = await platform.ok('POST', path, {
      username: ' ann.lee ',
      email: 'Ann@acme.example',
      firstName: 'Ann',
      picture: 'https://acme.example/ann.png',
      externalId: 'okta-7',
      defaultRoles: ['AIBIUser', 'AIBIViewer'],
      settings: { locale: 'de', theme: null },
    });
    expect(made).toMatchObject({
      username: 'ann.lee',
      email: 'Ann@acme.example',
      firstName: 'Ann',
      externalId: 'okta-7',
      isAdmin: false,
      isDeactivated: false,
      defaultRoles: ['AIBIUser', 'AIBIViewer'],
      settings: { locale: 'de' },
      notifications: {},
    });
    expect(await platform.ok('GET', `${path}/${made.id}`)).toEqual(made);
    const changed = await put(made.id, { title: 'Analyst', picture: null, settings: { timezone: 'Europe/Berlin' } });
    expect(changed.body).toEqual({
      ...made,
      title: 'Analyst',
      picture: null,
      settings: { locale: 'de', timezone: 'Europe/Berlin' },
    });
    expect(await platform.call('DELETE', `${path}/${made.id}`)).toMatchObject({ status: 204 });
    expect(await platform.call('GET', `${path}/${made.id}`)).toMatchObject({ status: 404 });
  });

  test('have usernames and emails that are unique ignoring case, even with concurrent requests', async () => {
    const { username, email } = await person();
    const again = (fields: object) =>
      platform.call('POST', path, { username: 'x', email: 'x@acme.example', ...fields });
    expect(await again({ username: username.toUpperCase() })).toMatchObject({ status: 409 });
    expect(await again({ email: email.toUpperCase() })).toMatchObject({ status: 409 });
    // Names that look like the name of another user.
    for (const invisible of ['\u200b', '\u00ad', '\u202e', '\n'])
      expect(await again({ username: `ad${invisible}min` }), invisible).toMatchObject({ status: 400 });
    const raced = await Promise.all([1, 2, 3].map(() => again({ username: 'raced', email: 'raced@acme.example' })));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('can sign in with the password that they are created or changed with', async () => {
    const user = await person({ password: 'correct horse battery' });
    const signIn = async (password: string) => {
      const headers = { origin: 'https://platform.example', 'content-type': 'application/json' };
      const body = JSON.stringify({ email: user.email, password });
      const sent = { method: 'POST', headers, body };
      const caller = { remoteAddress: '203.0.113.7' };
      return (await platform.app.request('https://platform.example/api/v1/sign-in', sent, caller)).status;
    };
    expect(JSON.stringify([user, await platform.audited()])).not.toContain('battery');
    expect(await signIn('correct horse battery')).toBe(204);
    expect((await put(user.id, { password: 'another long password' })).body).toMatchObject({ id: user.id });
    expect(await signIn('correct horse battery')).toBe(401);
    expect(await signIn('another long password')).toBe(204);
  });

  test('bad input names the field and creates nothing', async () => {
    const before = await platform.db.$count(users);
    const bad = [
      [{ email: 'nobody' }, 'body.email: must be an email address'],
      [{ picture: 'javascript:alert(1)' }, 'body.picture: must be an absolute http or https URL'],
      [{ defaultRoles: ['Nonsense'] }, 'body.defaultRoles: no role is named "Nonsense"'],
      [{ defaultRoles: ['Admin'] }, 'body.defaultRoles: no role is named "Admin"'],
      [{ password: 'secret' }, 'body.password: must have at least 12 characters'],
    ] as const;
    for (const [fields, message] of bad) {
      const answer = await platform.call('POST', path, { username: 'bad', email: 'bad@acme.example', ...fields });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(message);
    }
    expect(await platform.db.$count(users)).toBe(before);
  });

  test('the list is paged, ordered by username, searched and filtered, and has no embed users', async () => {
    await platform.tokenOf({ externalId: 'embedded' });
    const [one, two] = [await person({ firstName: 'Zoë 50%' }), await person({ isAdmin: true })];
    await bulk('DEACTIVATE', [one.id]);
    const names = async (query: string) =>
      (await platform.ok('GET', `${path}?${query}`)).items.map(({ username }: TestUser) => username);
    const all = await names('');
    expect(all).toEqual([...all].sort());
    expect(all).toEqual(expect.arrayContaining(['admin', one.username, two.username]));
    expect(await names('search=zoë%2050%25')).toEqual([one.username]);
    expect(await names('status=deactivated')).toEqual([one.username]);
    expect(await names('role=Admin')).toEqual(['admin', two.username]);
    expect(await names('search=embedded')).toEqual([]);
    const page = await platform.ok('GET', `${path}?first=1`);
    const next = await platform.ok('GET', `${path}?first=1&after=${page.pageInfo.endCursor}`);
    expect([page.items[0].username, next.items[0].username]).toEqual(all.slice(0, 2));
  });

  test('embed users are not users of the account', async () => {
    const token = await platform.tokenOf({ externalId: 'visitor' });
    const [visitor] = await platform.db.select().from(users).where(eq(users.externalId, 'visitor'));
    expect(await platform.call('GET', `${path}/${visitor?.id}`)).toMatchObject({ status: 404 });
    expect(await platform.call('DELETE', `${path}/${visitor?.id}`)).toMatchObject({ status: 404 });
    expect(await platform.call('GET', `${path}/me`, undefined, token)).toMatchObject({ status: 403 });
    expect(await platform.call('PATCH', `${path}/me/settings`, { locale: 'de' }, token)).toMatchObject({ status: 403 });
  });

  test('change their own settings: merged per key, sheets per field, null clears', async () => {
    const user = await person();
    const key = await keyOf(user);
    const patch = async (body: object) => (await platform.ok('PATCH', `${path}/me/settings`, body, key)).settings;
    await patch({ locale: 'de', sheets: { autoRunQueryOnChange: true } });
    const merged = { locale: 'de', sheets: { autoRunQueryOnChange: true, revealSheetOnOpen: false } };
    expect(await patch({ sheets: { revealSheetOnOpen: false } })).toEqual(merged);
    expect(await patch({ locale: null, sheets: { revealSheetOnOpen: null } })).toEqual({
      sheets: { autoRunQueryOnChange: true },
    });
    expect(await patch({ sheets: null })).toEqual({});
    expect(await platform.ok('GET', `${path}/me`, undefined, key)).toMatchObject({ id: user.id, settings: {} });
  });
});

test('the caller’s user has the policies of its roles and groups, with the profile of the user', async () => {
  const policy = { resourceType: 'Workbook', actions: ['WorkbookRead'], resources: ['7'] };
  const ofGroup = { resourceType: 'Global', actions: ['AuditLogManage'], resources: ['All'] };
  const role = await platform.ok('POST', '/api/v1/roles', { name: 'Reads one', policies: [policy] });
  const groupRole = await platform.ok('POST', '/api/v1/roles', { name: 'Audits', policies: [ofGroup] });
  const user = await person({ firstName: 'Ann', picture: 'https://acme.example/a.png', defaultRoles: [role.name] });
  const group = await platform.ok('POST', '/api/v1/groups', { name: 'auditors', roleId: groupRole.id });
  await platform.call('POST', `/api/v1/groups/${group.id}/users`, { userIds: [user.id] });
  const profile = { email: user.email, firstName: 'Ann', picture: 'https://acme.example/a.png' };
  const { userPolicies } = await platform.ok('GET', `${path}/me`, undefined, await keyOf(user));
  expect(userPolicies).toEqual([
    { ...policy, ...profile },
    { ...ofGroup, ...profile },
  ]);
  const everything = { resourceType: 'Global', actions: ['All'], resources: ['All'] };
  expect((await admin()).userPolicies).toMatchObject([everything]);
  expect(await platform.ok('GET', `${path}/${user.id}`)).not.toHaveProperty('userPolicies');
});

describe('deactivation', () => {
  test('ends API keys, embed sessions and tokens of a user with the next request', async () => {
    const user = await person();
    const key = await keyOf(user);
    const embedToken = await platform.tokenOf({ internalId: user.username, externalId: undefined });
    const waiting = (await platform.mint({ internalId: user.username, externalId: undefined })).body.sessionId;
    const tokenOf = async (kind: object, credential: string) =>
      (await platform.ok('POST', '/api/v1/deployments/1/token', { expiresIn: 600, ...kind }, credential))
        .platformApiToken;
    const dataToken = await tokenOf({}, embedToken);
    const chatToken = await tokenOf({ scope: ['chat'] }, embedToken);
    const data = createAuthenticateData({ db: platform.db, tokens: platform.tokens });
    const chat = createAuthenticateChat({ db: platform.db, tokens: platform.tokens });
    const withData = () => data(new Request('https://x.example/v1/load', { headers: { authorization: dataToken } }));
    const headers = { 'x-platform-auth-token': chatToken };
    const withChat = () => chat(new Request('https://x.example/chat', { headers }));
    await Promise.all([withData(), withChat()]);

    expect((await put(user.id, { isDeactivated: true })).body).toMatchObject({ isDeactivated: true });
    expect(await platform.call('GET', `${path}/me`, undefined, key)).toMatchObject({ status: 401 });
    expect(await platform.call('GET', '/api/v1/app-config', undefined, embedToken)).toMatchObject({ status: 401 });
    expect(await platform.exchange(waiting)).toMatchObject({ status: 401 });
    await expect(withData()).rejects.toMatchObject({ status: 403, message: 'Invalid token' });
    await expect(withChat()).rejects.toMatchObject({ status: 401 });
    expect(await platform.mint({ internalId: user.username, externalId: undefined })).not.toMatchObject({
      status: 200,
    });

    expect((await put(user.id, { isDeactivated: false })).body).toMatchObject({ isDeactivated: false });
    expect(await platform.call('GET', `${path}/me`, undefined, key)).toMatchObject({ status: 401 });
    await expect(withData()).rejects.toMatchObject({ status: 403 });
    const renewed = await platform.tokenOf({ internalId: user.username, externalId: undefined });
    expect(await platform.call('GET', '/api/v1/app-config', undefined, renewed)).toMatchObject({ status: 200 });
  });

  test('of oneself, of the last active administrator and of the built-in one is rejected', async () => {
    const { id: builtIn } = await admin();
    const boss = await person({ isAdmin: true });
    const key = await keyOf(boss);
    expect(await put(boss.id, { isDeactivated: true }, key)).toMatchObject({ status: 403 });
    expect(await platform.call('DELETE', `${path}/${boss.id}`, undefined, key)).toMatchObject({ status: 400 });
    expect(await put(builtIn, { isDeactivated: true }, key)).toMatchObject({ status: 403 });
    expect(await platform.call('DELETE', `${path}/${builtIn}`, undefined, key)).toMatchObject({ status: 403 });
    const others = (await platform.ok('GET', `${path}?role=Admin&status=active`)).items as TestUser[];
    await bulk(
      'DEACTIVATE',
      others.map(({ id }) => id).filter(id => id !== builtIn && id !== boss.id),
    );
    expect(await put(builtIn, { isAdmin: false }, key)).toMatchObject({ status: 403 });
    expect(await put(builtIn, { isAdmin: false })).toMatchObject({ status: 403 });
    // Without the built-in administrator, which only a changed database lacks, the other is the last one.
    await platform.db.update(users).set({ role: 'user' }).where(eq(users.id, builtIn));
    expect(await put(boss.id, { isAdmin: false }, key)).toMatchObject({ status: 403 });
    await platform.db.update(users).set({ role: 'admin' }).where(eq(users.id, builtIn));
    expect((await put(boss.id, { isAdmin: false }, key)).body).toMatchObject({ isAdmin: false });
  });

  test('in bulk reports each user, collapses repeated ids and is idempotent', async () => {
    const [one, two] = [await person(), await person()];
    const unknown = 999_999;
    const { id: self } = await admin();
    const answer = await bulk('DEACTIVATE', [one.id, unknown, one.id, self, two.id]);
    expect(answer).toEqual({
      action: 'DEACTIVATE',
      succeeded: [one.id, two.id],
      failed: [
        { userId: unknown, error: { status: 404, message: 'User not found' } },
        { userId: self, error: { status: 403, message: 'You cannot deactivate yourself.' } },
      ],
    });
    expect(await bulk('DEACTIVATE', [one.id])).toMatchObject({ succeeded: [one.id], failed: [] });
    expect(await bulk('ACTIVATE', [one.id, two.id])).toMatchObject({ succeeded: [one.id, two.id] });
    expect(await bulk('DELETE', [one.id, two.id, self])).toMatchObject({
      succeeded: [one.id, two.id],
      failed: [{ userId: self, error: { status: 400 } }],
    });
    const audited = await platform.audited('bulkUserAction');
    expect(audited.at(-1)).toMatchObject({ target: { id: two.id, action: 'DELETE' } });
  });
});

describe('deletion', () => {
  test('keeps content and gives it to another user', async () => {
    const [author, heir] = [await person({ defaultRoles: ['AIBIUser'] }), await person({ defaultRoles: ['AIBIUser'] })];
    const [authors, heirs] = [await keyOf(author), await keyOf(heir)];
    const workbooks = '/api/v1/deployments/1/workbooks';
    const workbook = await platform.ok('POST', workbooks, { name: 'Left behind' }, authors);
    expect(await platform.call('GET', `${workbooks}/${workbook.id}`, undefined, heirs)).toMatchObject({ status: 404 });
    const remove = (reassignTo: number) =>
      platform.call('DELETE', `${path}/${author.id}?reassignTo=${reassignTo}`, undefined);
    expect(await remove(999_999)).toMatchObject({ status: 404 });
    expect(await remove(author.id)).toMatchObject({ status: 400 });
    expect(await remove(heir.id)).toMatchObject({ status: 204 });
    expect(await platform.ok('GET', `${workbooks}/${workbook.id}`, undefined, heirs)).toMatchObject({
      name: 'Left behind',
    });
    expect(await platform.call('GET', workbooks, undefined, authors)).toMatchObject({ status: 401 });
  });
});
