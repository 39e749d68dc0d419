import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accounts, dashboardComments } from '../../../../src/platform/db/schema.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  platform = await startTestPlatform();
  await switchComments({ enableDashboardComments: true });
  for (const [name, grant] of Object.entries({
    ann: {
      externalId: 'ann',
      embedTenantName: 'acme',
      email: 'Ann@Acme.example',
      userProfile: { displayName: 'Maryann' },
    },
    bob: { externalId: 'bob', embedTenantName: 'acme' },
    zoe: { externalId: 'zoe', embedTenantName: 'other' },
    inner: { externalId: null, internalId: 'admin', embedTenantName: 'acme' },
  })) {
    tokens[name] = await platform.tokenOf(grant);
  }
});
afterAll(() => platform.stop());

/** Sets the account's embedding configuration, which enables comments. */
const switchComments = (embedding: object) => platform.db.update(accounts).set({ appConfig: { embedding } });

let count = 0;
let publicId: string;
let workbook: string;
let comments: string;

beforeEach(async () => {
  count += 1;
  const { id } = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/commented-${count}`, {});
  workbook = `/api/v1/deployments/1/workbooks/${id}`;
  publicId = (await platform.ok('POST', `${workbook}/publish`, { config: { widgets: [] }, allowEmbed: true })).publicId;
  await platform.ok('PUT', `${workbook}/embed-access`, { allEmbedUsers: true, action: 'read' });
  comments = `/api/v1/embed/dashboard/${publicId}/comments`;
});

const call = (who: string, method: string, path = '', body?: object) =>
  platform.call(method, `${comments}${path}`, body, tokens[who]);
const say = async (who: string, body: string, parentId?: number) => {
  const { status, body: comment } = await call(who, 'POST', '', { body, ...(parentId !== undefined && { parentId }) });
  expect(status).toBe(200);
  return comment;
};
const list = async (who: string, query = '') => {
  const { status, body } = await call(who, 'GET', query);
  expect(status).toBe(200);
  return body;
};
const bodies = ({ items }: { items: { root: { body: string } }[] }) => items.map(({ root }) => root.body);

describe('permission to comment (operations.md, Embed)', () => {
  test("requires the embed session of a tenant's user: keys, internal users and unauthenticated callers are rejected", async () => {
    await say('ann', 'hello');
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { body: 'x' }],
      ['GET', '/mentionable-users', undefined],
      ['PATCH', '/1', { body: 'x' }],
      ['DELETE', '/1', undefined],
      ['POST', '/1/resolve', { resolved: true }],
    ] as const) {
      expect(await platform.call(method, `${comments}${path}`, body)).toMatchObject({ status: 403 });
      expect(await call('inner', method, path, body)).toMatchObject({ status: 403 });
      expect(await platform.call(method, `${comments}${path}`, body, '')).toMatchObject({ status: 401 });
      expect(await platform.call(method, `${comments}${path}`, body, 'wrong')).toMatchObject({ status: 401 });
    }
  });

  test('returns 403 while comments are disabled for the account, which is the default', async () => {
    for (const embedding of [{}, { enableDashboardComments: false }]) {
      await switchComments(embedding);
      const message = expect.stringContaining(
        'PUT /api/v1/app-config {"embedding": {"enableDashboardComments": true}}',
      );
      expect(await call('ann', 'GET')).toMatchObject({ status: 403, body: { message } });
      expect(await call('ann', 'POST', '', { body: 'x' })).toMatchObject({ status: 403 });
    }
    await switchComments({ enableDashboardComments: true });
    expect(await list('ann')).toMatchObject({ items: [] });
  });

  test('returns 404 if the dashboard is not shared or does not exist, 403 if embedding is off', async () => {
    const { id } = await say('ann', 'hello');
    await platform.ok('PUT', `${workbook}/embed-access`, { allowEmbed: false });
    expect(await call('ann', 'GET')).toMatchObject({ status: 403 });
    await platform.ok('PUT', `${workbook}/embed-access`, { allEmbedUsers: true, action: 'none', allowEmbed: true });
    expect(await call('ann', 'GET')).toMatchObject({ status: 404 });
    expect(await call('ann', 'PATCH', `/${id}`, { body: 'x' })).toMatchObject({ status: 404 });
    comments = '/api/v1/embed/dashboard/000000000000/comments';
    expect(await call('ann', 'GET')).toMatchObject({ status: 404 });
  });

  test("other tenants cannot read, answer or change a tenant's comments on a shared dashboard", async () => {
    const { id } = await say('ann', 'a secret of acme');
    expect(await list('zoe', '?includeResolved=true')).toMatchObject({ items: [] });
    expect(await call('zoe', 'POST', '', { body: 'x', parentId: id })).toMatchObject({ status: 404 });
    expect(await call('zoe', 'PATCH', `/${id}`, { body: 'x' })).toMatchObject({ status: 404 });
    expect(await call('zoe', 'DELETE', `/${id}`)).toMatchObject({ status: 404 });
    expect(await call('zoe', 'POST', `/${id}/resolve`, { resolved: true })).toMatchObject({ status: 404 });
    expect(await list('ann')).toMatchObject({ items: [{ root: { id, body: 'a secret of acme', removedAt: null } }] });
  });

  test('a comment is found only on its own dashboard', async () => {
    const { id } = await say('ann', 'here');
    const elsewhere = comments.replace(publicId, await another());
    const call = (method: string, path: string, body?: object) =>
      platform.call(method, `${elsewhere}${path}`, body, tokens.ann);
    expect(await call('PATCH', `/${id}`, { body: 'x' })).toMatchObject({ status: 404 });
    expect(await call('POST', '', { body: 'x', parentId: id })).toMatchObject({ status: 404 });
    expect(await call('GET', '')).toMatchObject({ body: { items: [] } });
  });
});

async function another(): Promise<string> {
  const { id } = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/another-${count}`, {});
  const path = `/api/v1/deployments/1/workbooks/${id}`;
  const board = await platform.ok('POST', `${path}/publish`, { config: { widgets: [] }, allowEmbed: true });
  await platform.ok('PUT', `${path}/embed-access`, { allEmbedUsers: true, action: 'read' });
  return board.publicId;
}

describe('unread comments', () => {
  test('counts comments of other users in open threads, until they are read', async () => {
    const question = await say('ann', 'Why?');
    await say('bob', 'It rained.', question.id);
    const last = await say('bob', 'And snowed.');
    expect(await list('ann')).toMatchObject({ unread: 2, readUpTo: 0 });
    expect(await list('bob')).toMatchObject({ unread: 1 });
    expect(await call('ann', 'PUT', '/read', { upTo: last.id })).toMatchObject({ status: 204 });
    expect(await list('ann', '?first=1')).toMatchObject({ unread: 0, readUpTo: last.id });
    expect(await list('bob')).toMatchObject({ unread: 1 });
    expect(await call('ann', 'PUT', '/read', { upTo: question.id })).toMatchObject({ status: 204 });
    expect(await list('ann')).toMatchObject({ unread: 0, readUpTo: last.id });
  });

  test('counts the comments on each tile, with their replies, and names the mentioned users', async () => {
    const context = { widgetId: 'delay' };
    const { body: root } = await call('bob', 'POST', '', { body: 'Late, @[ann] and @[zoe]?', context });
    await say('bob', 'And later', root.id);
    await say('bob', 'In general');
    expect(await list('ann')).toMatchObject({
      unread: 3,
      unreadTiles: [{ widgetId: 'delay', unread: 2 }],
      mentioned: [{ username: 'ann', firstName: 'Maryann' }],
    });
    expect(await list('bob')).toMatchObject({ unread: 0, unreadTiles: [] });
  });

  test('omits deleted comments and resolved threads', async () => {
    const { id } = await say('bob', 'Resolved');
    const { id: deleted } = await say('bob', 'Deleted');
    expect(await list('ann')).toMatchObject({ unread: 2 });
    await call('bob', 'POST', `/${id}/resolve`, { resolved: true });
    await call('bob', 'DELETE', `/${deleted}`);
    expect(await list('ann')).toMatchObject({ unread: 0 });
  });

  test('comments of other tenants are neither counted nor read', async () => {
    const { id } = await say('ann', 'hello');
    expect(await list('zoe')).toMatchObject({ unread: 0 });
    expect(await call('zoe', 'PUT', '/read', { upTo: id })).toMatchObject({ status: 204 });
    expect(await list('zoe')).toMatchObject({ readUpTo: 0 });
  });
});

describe('context of a comment', () => {
  const context = { widgetId: 'w1', state: { filters: { 'orders.status': { value: 'open' } }, tabs: { w2: 'w3' } } };

  test('returns the tile and the control values, and removes them with the comment', async () => {
    const created = await call('ann', 'POST', '', { body: 'Here', context });
    expect(created).toMatchObject({ status: 200, body: { context } });
    await say('bob', 'Yes', created.body.id);
    expect(await list('bob')).toMatchObject({ items: [{ root: { context } }] });
    await call('ann', 'DELETE', `/${created.body.id}`);
    const [stored] = await platform.db
      .select()
      .from(dashboardComments)
      .where(eq(dashboardComments.id, created.body.id));
    expect(stored).toMatchObject({ body: '', context: null });
  });

  test('rejects unknown keys and control values that are too large', async () => {
    for (const invalid of [
      { tile: 'w1' },
      { widgetId: '' },
      { state: { other: {} } },
      { state: { tabs: { a: 1 } } },
      { state: { filters: { 'a.b': { value: 'x'.repeat(10_000) } } } },
    ]) {
      expect(await call('ann', 'POST', '', { body: 'x', context: invalid })).toMatchObject({ status: 400 });
    }
  });
});

describe('threads (operations.md, Embed)', () => {
  test('returns a comment with the user of the session as author', async () => {
    const comment = await say('ann', 'Why "<b>"?\n');
    expect(comment).toEqual({
      id: expect.any(Number),
      dashboardId: publicId,
      userId: expect.any(Number),
      body: 'Why "<b>"?\n',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      editedAt: null,
      removedAt: null,
      isOwn: true,
      author: { username: 'ann', firstName: 'Maryann' },
      context: null,
    });
    expect(await list('bob')).toMatchObject({ items: [{ root: { ...comment, isOwn: false }, replies: [] }] });
  });

  test('lists the newest threads first and their replies oldest first', async () => {
    const first = await say('ann', 'first');
    await say('bob', 'second');
    await say('bob', 'reply 1', first.id);
    await say('ann', 'reply 2', first.id);
    const { items } = await list('ann');
    expect(bodies({ items })).toEqual(['second', 'first']);
    expect(items[1].replies).toMatchObject([
      { body: 'reply 1', isOwn: false },
      { body: 'reply 2', isOwn: true },
    ]);
  });

  test('returns 400 for a reply to a reply, 404 for a reply to a missing or removed comment', async () => {
    const root = await say('ann', 'root');
    const reply = await say('bob', 'reply', root.id);
    const answer = (parentId: number) => call('ann', 'POST', '', { body: 'x', parentId });
    expect(await answer(reply.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('parentId') },
    });
    expect(await answer(999_999)).toMatchObject({ status: 404 });
    await call('ann', 'DELETE', `/${root.id}`);
    expect(await answer(root.id)).toMatchObject({ status: 404 });
  });

  test('pages by a cursor that is stable while others comment (spec 4.5)', async () => {
    for (const text of ['a', 'b', 'c']) await say('ann', text);
    const first = await list('ann', '?first=2');
    expect(bodies(first)).toEqual(['c', 'b']);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    await say('bob', 'later');
    const after = encodeURIComponent(first.pageInfo.endCursor);
    const second = await list('ann', `?first=2&after=${after}`);
    expect(bodies(second)).toEqual(['a']);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(await call('ann', 'GET', '?after=nonsense')).toMatchObject({ status: 400 });
    expect(await call('ann', 'GET', '?first=0')).toMatchObject({ status: 400 });
  });

  test.each([
    ['no body', {}],
    ['an empty body', { body: '' }],
    ['too long a body', { body: 'x'.repeat(10_001) }],
    ['a body that is not text', { body: 1 }],
    ['an author', { body: 'x', userId: 1 }],
    ['NUL', { body: 'a\0b' }],
    ['an impossible parent', { body: 'x', parentId: -1 }],
  ])('rejects %s with 400 and stores nothing', async (_what, body) => {
    const answer = await call('ann', 'POST', '', body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('body') } });
    expect(await list('ann')).toMatchObject({ items: [] });
  });

  test('limits a thread to 100 replies', async () => {
    const root = await say('ann', 'root');
    const { rows } = await platform.withConnection(client =>
      client.query(`select dashboard_id, embed_tenant_id, user_id from dashboard_comments where id = ${root.id}`),
    );
    const [{ dashboard_id, embed_tenant_id, user_id }] = rows;
    await platform.withConnection(client =>
      client.query(`insert into dashboard_comments (dashboard_id, embed_tenant_id, user_id, parent_id, body)
        select ${dashboard_id}, ${embed_tenant_id}, ${user_id}, ${root.id}, 'r' from generate_series(1, 99)`),
    );
    await say('bob', 'the last one', root.id);
    expect(await call('bob', 'POST', '', { body: 'one more', parentId: root.id })).toMatchObject({ status: 409 });
  });

  test('is recorded in the audit log without its text', async () => {
    const { id } = await say('ann', 'a private remark');
    const entries = await platform.audited('createDashboardComment');
    expect(entries.at(-1)).toMatchObject({ principal: 'embed', target: { publicId, commentId: id } });
    expect(JSON.stringify(entries)).not.toContain('private remark');
  });
});

describe('changing and removing (operations.md, Embed)', () => {
  test('a new body updates the timestamp; the same body changes nothing', async () => {
    const { id } = await say('ann', 'one');
    const changed = (await call('ann', 'PATCH', `/${id}`, { body: 'two' })).body;
    expect(changed).toMatchObject({ id, body: 'two', editedAt: expect.any(String), isOwn: true });
    expect((await call('ann', 'PATCH', `/${id}`, { body: 'two' })).body).toEqual(changed);
    expect(await list('bob')).toMatchObject({ items: [{ root: { body: 'two', editedAt: changed.editedAt } }] });
  });

  test("returns 403 for a colleague's comment, 404 for a removed or missing one", async () => {
    const { id } = await say('ann', 'mine');
    expect(await call('bob', 'PATCH', `/${id}`, { body: 'x' })).toMatchObject({ status: 403 });
    expect(await call('bob', 'DELETE', `/${id}`)).toMatchObject({ status: 403 });
    expect(await call('bob', 'PATCH', '/999999', { body: 'x' })).toMatchObject({ status: 404 });
    expect(await call('ann', 'PATCH', '/abc', { body: 'x' })).toMatchObject({ status: 400 });
    await call('ann', 'DELETE', `/${id}`);
    expect(await call('ann', 'PATCH', `/${id}`, { body: 'x' })).toMatchObject({ status: 404 });
  });

  test('a removed reply remains listed without its text; removing it again changes nothing', async () => {
    const root = await say('ann', 'root');
    const reply = await say('bob', 'sensitive', root.id);
    for (const _ of [1, 2]) expect(await call('bob', 'DELETE', `/${reply.id}`)).toMatchObject({ status: 204 });
    const { items } = await list('ann');
    expect(items).toMatchObject([{ root: { body: 'root' }, replies: [{ body: '', removedAt: expect.any(String) }] }]);
    const stored = await platform.db.select().from(dashboardComments).where(eq(dashboardComments.id, reply.id));
    expect(stored).toMatchObject([{ body: '' }]);
  });

  test('removing the first comment removes the thread and its replies', async () => {
    const root = await say('ann', 'root');
    await say('bob', 'reply', root.id);
    await call('ann', 'DELETE', `/${root.id}`);
    expect(await list('bob', '?includeResolved=true')).toMatchObject({ items: [] });
    expect(await call('ann', 'POST', `/${root.id}/resolve`, { resolved: true })).toMatchObject({ status: 404 });
    const stored = await platform.db.select().from(dashboardComments).where(eq(dashboardComments.parentId, root.id));
    expect(stored).toMatchObject([{ body: '', removedAt: expect.any(Date) }]);
  });

  test('a reply to a concurrently removed thread returns 404', async () => {
    const root = await say('ann', 'root');
    const late = await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`update dashboard_comments set removed_at = now(), body = '' where id = ${root.id}`);
      const waiting = call('bob', 'POST', '', { body: 'too late', parentId: root.id });
      await someoneWaits(client);
      await client.query('commit');
      return waiting;
    });
    expect(late).toMatchObject({ status: 404 });
    expect(await list('bob')).toMatchObject({ items: [] });
  });
});

describe('resolving (operations.md, Embed)', () => {
  const resolve = (who: string, id: number, resolved: boolean) => call(who, 'POST', `/${id}/resolve`, { resolved });

  test('the author resolves and reopens a thread; repeating a request changes nothing', async () => {
    const root = await say('ann', 'root');
    await say('bob', 'reply', root.id);
    const resolved = (await resolve('ann', root.id, true)).body;
    expect(resolved).toMatchObject({ root, resolvedAt: expect.any(String), resolvedBy: root.userId });
    expect(resolved.replies).toHaveLength(1);
    expect((await resolve('ann', root.id, true)).body).toEqual(resolved);
    expect(await list('ann')).toMatchObject({ items: [] });
    expect((await resolve('ann', root.id, false)).body).toMatchObject({ resolvedAt: null, resolvedBy: null });
    expect((await list('ann')).items).toHaveLength(1);
  });

  test('lists open threads by default; the filter for resolved threads takes precedence over the one for all', async () => {
    const root = await say('ann', 'done');
    await say('ann', 'open');
    await resolve('ann', root.id, true);
    expect(bodies(await list('bob'))).toEqual(['open']);
    expect(bodies(await list('bob', '?includeResolved=false'))).toEqual(['open']);
    expect(bodies(await list('bob', '?includeResolved=true'))).toEqual(['open', 'done']);
    expect(bodies(await list('bob', '?resolvedOnly=true&includeResolved=true'))).toEqual(['done']);
    expect(await call('bob', 'GET', '?resolvedOnly=yes')).toMatchObject({ status: 400 });
  });

  test('returns 403 for other users, 400 for a reply', async () => {
    const root = await say('ann', 'root');
    const reply = await say('bob', 'reply', root.id);
    expect(await resolve('bob', root.id, true)).toMatchObject({ status: 403 });
    expect(await resolve('bob', reply.id, true)).toMatchObject({ status: 400 });
    expect(await resolve('ann', 999_999, true)).toMatchObject({ status: 404 });
  });

  test('a removed first comment can be listed and resolved while it has a reply', async () => {
    const root = await say('ann', 'root');
    await say('bob', 'left', root.id);
    await platform.withConnection(client =>
      client.query(`update dashboard_comments set removed_at = now(), body = '' where id = ${root.id}`),
    );
    expect(await list('bob')).toMatchObject({
      items: [{ root: { body: '', removedAt: expect.any(String) }, replies: [{ body: 'left' }] }],
    });
    expect(await resolve('ann', root.id, true)).toMatchObject({ status: 200 });
  });
});

describe('mentionable users (operations.md, Embed)', () => {
  const usernames = async (who: string, query = '') =>
    (await list(who, `/mentionable-users${query}`)).items.map((user: { username: string }) => user.username);

  test('lists only embed users of the tenant of the caller, by username', async () => {
    expect(await list('ann', '/mentionable-users')).toMatchObject({
      items: [
        { id: expect.any(Number), username: 'ann', email: 'ann@acme.example', firstName: 'Maryann' },
        { username: 'bob', email: null, firstName: null },
      ],
      pageInfo: { hasNextPage: false },
    });
    expect(await usernames('zoe')).toEqual(['zoe']);
  });

  test('searches username, email and display name case-insensitively; % and _ are literal', async () => {
    expect(await usernames('ann', '?search=BO')).toEqual(['bob']);
    expect(await usernames('ann', '?search=ACME.')).toEqual(['ann']);
    expect(await usernames('ann', '?search=YAN')).toEqual(['ann']);
    expect(await usernames('ann', `?search=${encodeURIComponent('%')}`)).toEqual([]);
    expect(await usernames('ann', '?search=_')).toEqual([]);
    expect(await usernames('ann', '?search=zoe')).toEqual([]);
    expect(await usernames('ann', `?search=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
    expect(await call('ann', 'GET', `/mentionable-users?search=${'x'.repeat(256)}`)).toMatchObject({ status: 400 });
    expect(await call('ann', 'GET', '/mentionable-users?search=%00')).toMatchObject({ status: 400 });
  });

  test('pages by a cursor', async () => {
    const page = await list('ann', '/mentionable-users?first=1');
    expect(page).toMatchObject({ items: [{ username: 'ann' }], pageInfo: { hasNextPage: true } });
    const after = encodeURIComponent(page.pageInfo.endCursor);
    expect(await usernames('ann', `?first=1&after=${after}`)).toEqual(['bob']);
  });
});
