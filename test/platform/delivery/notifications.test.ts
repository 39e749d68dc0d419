import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  deployments,
  embedTenants,
  notificationRecipients,
  notifications,
  users,
} from '../../../src/platform/db/schema.js';
import { type Answer, startTestPlatform, type TestPlatform } from '../test-platform.js';

const list = '/api/v1/deployments/1/notifications';
const daily = { scheduleType: 'DAILY', hour: 9, minute: 5 };

let platform: TestPlatform;
let dashboard: { id: number; publicId: string };
let other: { id: number; publicId: string };

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.addUserKey('developer-key', 'AIBIDeveloper');
  await platform.addUserKey('other-admin-key', 'Admin');
  await platform.db.insert(deployments).values({ id: 2, name: 'another', creationStep: 'ready' });
  await platform.db.insert(users).values([
    { username: 'ann@example.com', email: 'Ann@Example.com', role: 'user' },
    { username: 'nameless', role: 'user' },
  ]);
  dashboard = await publish('one');
  other = await publish('two');
});

afterEach(async () => {
  vi.useRealTimers();
  await platform.db.delete(notifications);
});
afterAll(() => platform.stop());

async function publish(slug: string): Promise<{ id: number; publicId: string }> {
  const workbook = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/${slug}`, {});
  const path = `/api/v1/deployments/1/workbooks/${workbook.id}/publish`;
  return platform.ok('POST', path, { config: { widgets: [] } });
}

const create = (body: object = {}): Promise<Answer['body']> =>
  platform.ok('POST', list, { dashboardId: dashboard.id, ...daily, ...body });
const userId = async (username: string): Promise<number> => {
  const [user] = await platform.db.select().from(users).where(eq(users.username, username));
  return user?.id ?? 0;
};
const idsOf = (answer: Answer['body']): number[] => answer.items.map(({ id }: { id: number }) => id);
const add = (id: number, ...recipients: object[]) => platform.call('POST', `${list}/${id}/recipients`, { recipients });

describe('creating a notification (spec 2.8)', () => {
  it('returns all fields, the described schedule and the next run', async () => {
    // Freeze the clock, so that all responses have the same next run.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-07-01T12:00:00Z') });
    const created = await create({ timezone: 'Europe/Berlin' });
    expect(created).toEqual({
      id: expect.any(Number),
      name: null,
      deploymentId: 1,
      dashboardId: dashboard.id,
      cronExpression: '5 9 * * *',
      timezone: 'Europe/Berlin',
      humanReadableSchedule: 'At 09:05 every day (Europe/Berlin)',
      isEnabled: true,
      notificationEnabled: true,
      notificationAiSummary: false,
      notificationFormat: 'png',
      alert: null,
      filters: null,
      memberSwitchers: null,
      timeGrains: null,
      subscriberId: null,
      locale: null,
      createdAt: expect.any(String),
      nextRunAt: '2026-07-02T07:05:00.000Z',
    });
    expect(await platform.ok('GET', `${list}/${created.id}`)).toEqual(created);
    const entries = await platform.audited('createNotification');
    expect(entries.at(-1)?.target).toEqual({ deploymentId: 1, id: created.id });
  });

  it('accepts the public id instead of the id, and values of controls', async () => {
    const controls = {
      filters: [{ member: 'orders.status', operator: 'equals', value: ['done', null] }],
      memberSwitchers: [{ member: 'orders.measure', selected: 'orders.count' }],
      timeGrains: [{ member: 'orders.created_at', grain: 'week' }],
    };
    const body = { ...controls, dashboardId: null, dashboardPublicId: dashboard.publicId, notificationFormat: 'pdf' };
    expect(await create(body)).toMatchObject({ ...controls, dashboardId: dashboard.id, notificationFormat: 'pdf' });
  });

  it.each<[string, object, string]>([
    ['no dashboard', { dashboardId: null }, 'body.dashboardId'],
    ['two dashboards', { dashboardPublicId: 'abcdefghijkl' }, 'body.dashboardPublicId'],
    ['an unknown type', { scheduleType: 'YEARLY' }, 'body.scheduleType'],
    ['an invalid hour', { hour: 24 }, 'body.hour'],
    ['a part of another type', { dayOfWeek: 1 }, 'body.dayOfWeek'],
    [
      'a cron of six fields',
      { scheduleType: 'CUSTOM', hour: null, minute: null, customCron: '0 0 9 * * *' },
      'body.customCron',
    ],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'body.timezone'],
    ['a filter without a member', { filters: [{ operator: 'equals' }] }, 'body.filters.0.member'],
    ['an invalid member', { timeGrains: [{ member: 'orders', grain: 'day' }] }, 'body.timeGrains.0.member'],
    ['an unknown field', { recipients: [] }, 'recipients'],
    ['an unknown format', { notificationFormat: 'svg' }, 'body.notificationFormat'],
    ['an id out of range', { dashboardId: 2 ** 60 }, 'body.dashboardId'],
  ])('rejects %s', async (_what, body, field) => {
    const answer = await platform.call('POST', list, { dashboardId: dashboard.id, ...daily, ...body });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    expect(await platform.db.select().from(notifications)).toEqual([]);
  });

  it('finds only dashboards of the same deployment', async () => {
    const of = (deploymentId: number, body: object) =>
      platform.call('POST', `/api/v1/deployments/${deploymentId}/notifications`, { ...daily, ...body });
    expect(await of(1, { dashboardId: 999_999 })).toMatchObject({ status: 404 });
    expect(await of(1, { dashboardPublicId: 'nobody' })).toMatchObject({ status: 404 });
    expect(await of(2, { dashboardId: dashboard.id })).toMatchObject({ status: 404 });
    expect(await of(9, { dashboardId: dashboard.id })).toMatchObject({ status: 404 });
  });
});

describe('changing a notification', () => {
  it('updates sent fields, including parts of the schedule', async () => {
    const { id } = await create({ filters: [{ member: 'orders.status', value: 'done' }] });
    const put = (body: object) => platform.ok('PUT', `${list}/${id}`, body);
    expect(await put({ hour: 10 })).toMatchObject({ cronExpression: '5 10 * * *', isEnabled: true });
    expect(await put({ scheduleType: 'WEEKLY', dayOfWeek: 5 })).toMatchObject({ cronExpression: '5 10 * * 5' });
    expect(await put({ isEnabled: false, notificationEnabled: false })).toMatchObject({
      isEnabled: false,
      notificationEnabled: false,
      nextRunAt: null,
      filters: [{ member: 'orders.status' }],
    });
    expect(await put({ filters: [], notificationFormat: 'pdf' })).toMatchObject({
      filters: [],
      notificationFormat: 'pdf',
    });
    expect(await put({ customCron: '0 0 1 1 *', timezone: 'Asia/Tokyo' })).toMatchObject({
      cronExpression: '0 0 1 1 *',
      timezone: 'Asia/Tokyo',
    });
    const before = await platform.ok('GET', `${list}/${id}`);
    expect(await put({})).toEqual(before);
  });

  it('retains the recipients', async () => {
    const { id } = await create();
    await add(id, { type: 'USER', email: 'ann@example.com' });
    await platform.ok('PUT', `${list}/${id}`, { hour: 1 });
    expect((await platform.ok('GET', `${list}/${id}/recipients`)).items).toHaveLength(1);
  });

  it('merges concurrent writes', async () => {
    const { id } = await create();
    const changes = [{ hour: 1 }, { minute: 2 }, { timezone: 'Asia/Tokyo' }, { isEnabled: false }];
    await Promise.all(changes.map(change => platform.ok('PUT', `${list}/${id}`, change)));
    expect(await platform.ok('GET', `${list}/${id}`)).toMatchObject({
      cronExpression: '2 1 * * *',
      timezone: 'Asia/Tokyo',
      isEnabled: false,
    });
  });

  it('rejects invalid combinations of fields', async () => {
    const { id } = await create();
    for (const [body, field] of [
      [{ dayOfMonth: 3 }, 'body.dayOfMonth'],
      [{ timezone: 'nowhere' }, 'body.timezone'],
      [{ dashboardId: other.id }, 'dashboardId'],
      [{ scheduleType: 'CUSTOM', customCron: '0 9 31 2 *' }, 'body.customCron'],
    ] as const) {
      const answer = await platform.call('PUT', `${list}/${id}`, body);
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    }
    expect(await platform.ok('GET', `${list}/${id}`)).toMatchObject({ cronExpression: '5 9 * * *', timezone: 'UTC' });
  });
});

describe('deleting a notification', () => {
  it('deletes it and its recipients once', async () => {
    const { id } = await create();
    await add(id, { type: 'USER', email: 'ann@example.com' });
    expect(await platform.call('DELETE', `${list}/${id}`)).toEqual({ status: 204, body: undefined });
    expect(await platform.db.select().from(notificationRecipients)).toEqual([]);
    expect(await platform.call('DELETE', `${list}/${id}`)).toMatchObject({ status: 404 });
  });
});

describe('the list of notifications (spec 4.5)', () => {
  it('is sorted newest first and has stable pages', async () => {
    const made = [await create(), await create(), await create()].map(({ id }) => id);
    const first = await platform.ok('GET', `${list}?first=2`);
    expect(idsOf(first)).toEqual([made[2], made[1]]);
    await create();
    const rest = await platform.ok('GET', `${list}?first=2&after=${first.pageInfo.endCursor}`);
    expect(idsOf(rest)).toEqual([made[0]]);
    expect(rest.pageInfo).toMatchObject({ hasNextPage: false });
    expect(await platform.call('GET', `${list}?after=nonsense`)).toMatchObject({ status: 400 });
  });

  it('is filtered by dashboard and by recipient', async () => {
    const plain = await create();
    const forAnn = await create({ dashboardId: other.id });
    const forTenant = await create();
    await add(forAnn.id, { type: 'USER', email: 'ann@example.com' });
    await add(forTenant.id, { type: 'EMBED_USER', embedTenantName: 'acme', externalId: 'bob@acme.example' });
    const ann = await userId('ann@example.com');
    const found = async (query: string) => idsOf(await platform.ok('GET', `${list}?${query}`));
    expect(await found(`dashboardId=${other.id}`)).toEqual([forAnn.id]);
    expect(await found(`dashboardPublicId=${dashboard.publicId}`)).toEqual([forTenant.id, plain.id]);
    expect(await found('dashboardPublicId=nobody')).toEqual([]);
    expect(await found(`recipientUserId=${ann}`)).toEqual([forAnn.id]);
    expect(await found('recipientEmail=ANN@example.com')).toEqual([forAnn.id]);
    expect(await found('recipientEmail=bob@acme.example')).toEqual([]);
    const bob = 'recipientEmbedTenantName=acme&recipientExternalId=Bob@acme.example';
    expect(await found(bob)).toEqual([forTenant.id]);
    expect(await found(`${bob}&dashboardId=${other.id}`)).toEqual([]);
    expect(await found(bob.replace('acme', 'globex'))).toEqual([]);
  });

  it.each([
    'dashboardId=1&dashboardPublicId=abcdefghijkl',
    'recipientUserId=1&recipientEmail=a@b.c',
    'recipientEmail=a@b.c&recipientEmbedTenantName=acme&recipientExternalId=bob',
    'recipientEmbedTenantName=acme',
    'recipientExternalId=bob',
    'recipientEmail=%00',
    'recipientUserId=999999999999999999',
    'dashboardId=0',
    'recipientUserId=x',
    'first=0',
    'what=1',
  ])('rejects %s', async query => {
    expect(await platform.call('GET', `${list}?${query}`)).toMatchObject({ status: 400 });
  });
});

describe('recipients of a notification', () => {
  it('are added once, returned grouped by effect, and listed newest first', async () => {
    const { id } = await create();
    const ann = await userId('ann@example.com');
    const bob = { type: 'EMBED_USER', embedTenantName: 'acme', externalId: 'Bob', email: 'Bob@acme.example' };
    const first = await add(id, { type: 'USER', userId: ann }, bob);
    const [shownAnn, shownBob] = first.body.createdRecipients;
    expect(shownAnn).toEqual({ type: 'USER', userId: ann, username: 'ann@example.com', email: 'Ann@Example.com' });
    expect(shownBob).toEqual({
      type: 'EMBED_USER',
      embedUserId: expect.any(Number),
      embedTenantName: 'acme',
      externalId: 'bob',
      email: 'bob@acme.example',
    });
    const second = await add(id, { type: 'USER', email: 'ann@example.com' }, { ...bob, groups: ['sales'] });
    expect(second).toMatchObject({
      status: 200,
      body: { createdRecipients: [], updatedRecipients: [shownBob], unchangedRecipients: [shownAnn] },
    });
    const third = await add(id, { ...bob, groups: ['sales'] });
    expect(third.body).toMatchObject({ createdRecipients: [], updatedRecipients: [], unchangedRecipients: [shownBob] });
    const page = await platform.ok('GET', `${list}/${id}/recipients?first=1`);
    expect(page).toMatchObject({ items: [shownBob], pageInfo: { hasNextPage: true } });
    const rest = await platform.ok('GET', `${list}/${id}/recipients?after=${page.pageInfo.endCursor}`);
    expect(rest.items).toEqual([shownAnn]);
  });

  it('store the grant fields of an embed user without changing its sessions', async () => {
    const { id } = await create();
    await platform.tokenOf({
      embedTenantName: 'globex',
      creatorMode: true,
      userAttributeDefinitions: [{ name: 'region', type: 'string' }],
    });
    const governed = {
      groups: ['finance'],
      userAttributes: [{ name: 'region', value: 'north' }],
      securityContext: { plan: 'gold' },
    };
    const eve = { type: 'EMBED_USER', embedTenantName: 'globex', externalId: 'eve@globex.example' };
    expect(await add(id, { ...eve, ...governed })).toMatchObject({ status: 200 });
    const [stored] = await platform.db.select().from(notificationRecipients);
    expect(stored?.embed).toEqual(governed);
    const context = await platform.contextOf({ embedTenantName: 'globex', externalId: 'eve@globex.example' });
    expect(context).toEqual({ platform: { groups: [], userAttributes: {} } });
  });

  it.each<[string, object, string]>([
    ['SLACK', { type: 'SLACK', channelId: 'C1' }, 'type'],
    ['a user without an address', { type: 'USER', userId: -1 }, 'userId'],
    ['an unknown user', { type: 'USER', userId: 999_999 }, 'userId'],
    ['an unknown address', { type: 'USER', email: 'nobody@example.com' }, 'email'],
    ['neither id nor address', { type: 'USER' }, 'userId'],
    ['both id and address', { type: 'USER', userId: 1, email: 'ann@example.com' }, 'userId'],
    ['a user with groups', { type: 'USER', userId: 1, groups: ['sales'] }, 'groups'],
    ['an embed user without a tenant', { type: 'EMBED_USER', externalId: 'bob@acme.example' }, 'embedTenantName'],
    ['an embed user without an id', { type: 'EMBED_USER', embedTenantName: 'acme' }, 'externalId'],
    [
      'an embed user without an address',
      { type: 'EMBED_USER', embedTenantName: 'newco', externalId: 'carl' },
      'externalId is not one',
    ],
    ['an unknown group', embedUser({ groups: ['nobody'] }), 'groups'],
    ['an unknown attribute', embedUser({ userAttributes: [{ name: 'x', value: 1 }] }), 'userAttributes'],
    ['a reserved key of the security context', embedUser({ securityContext: { platform: {} } }), 'securityContext'],
    ['an unknown field', { type: 'USER', userId: 1, name: 'x' }, 'name'],
  ])('reject %s together with all other entries', async (_what, recipient, field) => {
    const { id } = await create();
    const fresh = { type: 'EMBED_USER', embedTenantName: 'newco', externalId: 'dora@newco.example' };
    const answer = await add(id, fresh, { type: 'USER', email: 'ann@example.com' }, recipient);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('body.recipients.2') } });
    expect(answer.body.message).toContain(field);
    expect(await platform.db.select().from(notificationRecipients)).toEqual([]);
    expect(await platform.db.select().from(embedTenants).where(eq(embedTenants.name, 'newco'))).toEqual([]);
  });

  it('reject a console user without an email address', async () => {
    const { id } = await create();
    expect(await add(id, { type: 'USER', userId: await userId('nameless') })).toMatchObject({ status: 400 });
  });

  it('reject duplicates and lists that are empty or too long', async () => {
    const { id } = await create();
    const ann = { type: 'USER', userId: await userId('ann@example.com') };
    expect(await add(id, ann, { type: 'USER', email: 'ann@example.com' })).toMatchObject({ status: 400 });
    expect(await add(id)).toMatchObject({ status: 400 });
    expect(await add(id, ...Array.from({ length: 1001 }, () => ann))).toMatchObject({ status: 400 });
  });

  it('can be added 1,000 at a time', async () => {
    const { id } = await create();
    const many = Array.from({ length: 1000 }, (_, index) => embedUser({ externalId: `user${index}@acme.example` }));
    const answer = await add(id, ...many);
    expect(answer.body.createdRecipients).toHaveLength(1000);
    expect((await add(id, ...many)).body.unchangedRecipients).toHaveLength(1000);
  });

  it('are added concurrently in any order without losses or duplicates', async () => {
    const { id } = await create();
    const some = Array.from({ length: 20 }, (_, index) => embedUser({ externalId: `twin${index}@acme.example` }));
    const answers = await Promise.all([add(id, ...some), add(id, ...some.toReversed())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body }) => body.createdRecipients.length).sort((a, b) => a - b)).toEqual([0, 20]);
  });

  it('are removed by type and id; unknown ids are ignored', async () => {
    const { id } = await create();
    const ann = await userId('ann@example.com');
    const { body } = await add(id, { type: 'USER', userId: ann }, embedUser({}));
    const bob: number = body.createdRecipients[1].embedUserId;
    const remove = (...recipients: object[]) => platform.call('DELETE', `${list}/${id}/recipients`, { recipients });
    const left = async () => (await platform.ok('GET', `${list}/${id}/recipients`)).items.length;
    const strangers = [
      { type: 'USER', id: bob },
      { type: 'EMBED_USER', id: ann },
      { type: 'EMBED_USER', id: bob, embedTenantName: 'globex' },
      { type: 'SLACK', id: 'C1' },
      { type: 'USER', id: 'x' },
    ];
    expect(await remove(...strangers)).toEqual({ status: 204, body: undefined });
    expect(await left()).toBe(2);
    await remove({ type: 'EMBED_USER', id: String(bob), embedTenantName: 'acme' });
    expect(await left()).toBe(1);
    await remove({ type: 'USER', id: ann });
    expect(await left()).toBe(0);
    expect(await remove()).toMatchObject({ status: 400 });
  });
});

function embedUser(more: object): object {
  return { type: 'EMBED_USER', embedTenantName: 'acme', externalId: 'bob@acme.example', ...more };
}

describe('access to notifications', () => {
  it('requires an administrator and an existing deployment', async () => {
    const { id } = await create();
    const calls = (deploymentId: number): [string, string, object?][] => {
      const path = `/api/v1/deployments/${deploymentId}/notifications`;
      const recipients = { recipients: [{ type: 'USER', id: 1 }] };
      return [
        ['GET', path],
        ['POST', path, { dashboardId: dashboard.id, ...daily }],
        ['GET', `${path}/${id}`],
        ['PUT', `${path}/${id}`, {}],
        ['GET', `${path}/${id}/recipients`],
        ['POST', `${path}/${id}/recipients`, { recipients: [{ type: 'USER', userId: 1 }] }],
        ['DELETE', `${path}/${id}/recipients`, recipients],
        ['DELETE', `${path}/${id}`],
      ];
    };
    const embed = await platform.tokenOf({ embedTenantName: 'acme', creatorMode: true });
    for (const [method, path, body] of calls(1)) {
      const as = async (credential: string) => (await platform.call(method, path, body, credential)).status;
      expect(await as(''), `${method} ${path}`).toBe(401);
      expect(await as('developer-key'), `${method} ${path}`).toBe(403);
      expect(await as(embed), `${method} ${path}`).toBe(403);
      expect(await as('other-admin-key'), `${method} ${path}`).toBeLessThan(300);
    }
    await create();
    for (const [method, path, body] of [...calls(9), ...calls(2).slice(1)]) {
      expect((await platform.call(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
  });

  it('is granted to an embed session of an administrator on its own deployment', async () => {
    const { id } = await create();
    const token = await platform.tokenOf({ externalId: undefined, internalId: 'admin@localhost' });
    expect(await platform.ok('GET', `${list}/${id}`, undefined, token)).toMatchObject({ id });
    const elsewhere = '/api/v1/deployments/2/notifications';
    expect(await platform.call('GET', elsewhere, undefined, token)).toMatchObject({ status: 404 });
  });
});
