import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import { roles, userRoles, users } from '../../../src/platform/db/schema.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/roles';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const reader = { resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['1'] };
const viewing = { resourceType: 'Global', actions: ['AIBIView'], resources: ['All'] };
const make = (name: string, policies: unknown[] = [reader]) => platform.ok('POST', path, { name, policies });
const builtIn = async (name: string): Promise<number> => {
  const [role] = await platform.db.select().from(roles).where(eq(roles.name, name));
  return role?.id ?? 0;
};

describe('roles (operations.md, Roles)', () => {
  test('are created, read, partially updated and deleted', async () => {
    const made = await platform.ok('POST', path, { name: ' Readers ', description: 'They read', policies: [reader] });
    expect(made).toEqual({ id: made.id, name: 'Readers', description: 'They read', policies: [reader] });
    expect(await platform.ok('GET', `${path}/${made.id}`)).toEqual(made);
    expect(await platform.ok('PUT', `${path}/${made.id}`, { name: 'Watchers' })).toEqual({ ...made, name: 'Watchers' });
    const replaced = await platform.ok('PUT', `${path}/${made.id}`, { policies: [viewing] });
    expect(replaced.policies).toEqual([viewing]);
    expect(await platform.call('DELETE', `${path}/${made.id}`)).toMatchObject({ status: 204 });
    expect(await platform.call('GET', `${path}/${made.id}`)).toMatchObject({ status: 404 });
    expect(await platform.call('PUT', `${path}/${made.id}`, {})).toMatchObject({ status: 404 });
    expect(await platform.call('DELETE', `${path}/${made.id}`)).toMatchObject({ status: 404 });
  });

  test('the list contains custom roles, newest first, paged (spec 4.5)', async () => {
    const first = await make('first');
    const second = await make('second');
    const all = await platform.ok('GET', path);
    expect(all.items.slice(0, 2)).toEqual([second, first]);
    expect(all.data).toEqual(all.items);
    expect(all.count).toBe(all.items.length);
    expect(all.items.map(({ name }: { name: string }) => name)).not.toContain('AIBIViewer');
    const page = await platform.ok('GET', `${path}?first=1`);
    expect(page).toMatchObject({ items: [second], pageInfo: { hasNextPage: true }, count: all.count });
    const next = await platform.ok('GET', `${path}?first=1&after=${page.pageInfo.endCursor}`);
    expect(next.items).toEqual([first]);
    expect(await platform.ok('GET', `${path}?search=FIRS`)).toMatchObject({ items: [first], count: 1 });
  });

  test('returns 409 for a name that is taken, also for concurrent requests', async () => {
    const taken = await make('taken');
    const other = await make('other');
    expect(await platform.call('POST', path, { name: 'taken', policies: [] })).toMatchObject({ status: 409 });
    expect(await platform.call('PUT', `${path}/${other.id}`, { name: 'taken' })).toMatchObject({ status: 409 });
    expect(await platform.ok('PUT', `${path}/${taken.id}`, { name: 'taken' })).toEqual(taken);
    expect(await platform.ok('GET', `${path}/${other.id}`)).toEqual(other);
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`insert into roles (name, policies) values ('raced', '[]')`);
      const second = platform.call('POST', path, { name: 'raced', policies: [] });
      await someoneWaits(client);
      await client.query('commit');
      expect(await second).toMatchObject({ status: 409 });
    });
  });

  test.each(['AIBIUser', 'admin'])('returns 400 for the name %s of a built-in role', async name => {
    expect(await platform.call('POST', path, { name, policies: [] })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('body.name') },
    });
  });

  test('a built-in role can be read, but not changed or deleted', async () => {
    const id = await builtIn('AIBIUser');
    expect(await platform.ok('GET', `${path}/${id}`)).toMatchObject({ id, name: 'AIBIUser' });
    expect(await platform.call('PUT', `${path}/${id}`, { policies: [] })).toMatchObject({ status: 400 });
    expect(await platform.call('DELETE', `${path}/${id}`)).toMatchObject({ status: 400 });
  });

  test.each([
    [{ ...reader, actions: [] }, 'actions'],
    [{ ...reader, resources: [] }, 'resources'],
    [{ ...reader, resources: ['local'] }, 'resources: of Deployment must be All or numeric ids'],
    [{ ...reader, resources: ['0'] }, 'resources'],
    [{ ...reader, resources: ['All', '1'] }, 'resources: must be either All'],
    [{ ...reader, actions: ['All', 'DeploymentRead'] }, 'actions: must be either All'],
    [{ ...reader, actions: ['Everything'] }, 'actions'],
    [{ ...reader, resourceType: 'Galaxy' }, 'resourceType'],
    [{ ...reader, effect: 'deny' }, 'effect: is supported only for ChatThread'],
    [{ ...viewing, actions: ['All'] }, 'actions: of Global'],
    [{ ...viewing, actions: ['DeploymentRead'] }, 'actions: of Global'],
    [{ ...viewing, resources: ['1'] }, 'resources: of Global must be All'],
    [{ resourceType: 'ChatThread', actions: ['WorkbookRead'], resources: ['All'] }, 'actions: of ChatThread'],
    [{ resourceType: 'ChatThread', actions: ['All'], resources: ['x'] }, 'resources: of ChatThread'],
    [{ ...reader, until: 'tomorrow' }, 'body.policies.0'],
    [
      { ...reader, actions: ['PlaygroundRead'] },
      'PlaygroundRead on Deployment is not enforced by this platform; omit it',
    ],
    [{ ...reader, actions: ['DeploymentRead', 'APMRead'] }, 'APMRead on Deployment is not enforced'],
    [{ ...viewing, actions: ['BillingRead'] }, 'BillingRead on Global is not enforced by this platform; omit it'],
    [{ resourceType: 'ReportFolder', actions: ['All'], resources: ['1'] }, 'All on ReportFolder is not enforced'],
    [{ resourceType: 'Folder', actions: ['ReportRead'], resources: ['1'] }, 'ReportRead on Folder is not enforced'],
    [
      { resourceType: 'ChatThread', actions: ['All'], resources: ['0d8a35c6-6c0e-4f0e-9d0b-0d8a35c66c0e'] },
      'resources: a policy that allows a single thread is not supported',
    ],
  ])('a policy %j is rejected with the name of the field', async (policy, message) => {
    const answer = await platform.call('POST', path, { name: 'never', policies: [policy] });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(await platform.db.$count(roles, eq(roles.name, 'never'))).toBe(0);
  });

  test('a stored policy without an effect stays readable, and is accepted when it is sent unchanged', async () => {
    const idle = { resourceType: 'Deployment', actions: ['APMRead', 'PlaygroundRead'], resources: ['All'] } as const;
    const [stored] = await platform.db
      .insert(roles)
      .values({
        name: 'of an earlier version',
        policies: [{ ...idle, actions: [...idle.actions], resources: ['All'] }],
      })
      .returning();
    const put = (body: object) => platform.call('PUT', `${path}/${stored?.id}`, body);
    expect((await platform.ok('GET', `${path}/${stored?.id}`)).policies).toEqual([idle]);
    expect(await put({ description: 'Old' })).toMatchObject({ status: 200, body: { policies: [idle] } });
    const reordered = { ...idle, actions: ['PlaygroundRead', 'APMRead'] };
    expect(await put({ policies: [reader, reordered] })).toMatchObject({ status: 200 });
    expect(await put({ policies: [{ ...idle, resources: ['1'] }] })).toMatchObject({ status: 400 });
    expect(await put({ policies: [] })).toMatchObject({ status: 200 });
    expect(await put({ policies: [idle] })).toMatchObject({ status: 400 });
  });

  test('AuditLogManage gives access to the audit log, and nothing else', async () => {
    const auditor: Policy[] = [{ resourceType: 'Global', actions: ['AuditLogManage'], resources: ['All'] }];
    await platform.addUserKey('auditor', null, auditor);
    expect(await platform.call('GET', '/api/v1/audit-log?first=1', undefined, 'auditor')).toMatchObject({
      status: 200,
    });
    expect(await platform.call('GET', path, undefined, 'auditor')).toMatchObject({ status: 403 });
    await platform.addUserKey('no-auditor', 'AIBIDeveloper');
    expect(await platform.call('GET', '/api/v1/audit-log', undefined, 'no-auditor')).toMatchObject({ status: 403 });
  });

  test('DeploymentAgentRead gives access to all agents of the deployment', async () => {
    const agents: Policy[] = [
      { resourceType: 'Global', actions: ['AIBIView'], resources: ['All'] },
      { resourceType: 'Deployment', actions: ['DeploymentRead', 'DeploymentAgentRead'], resources: ['1'] },
    ];
    await platform.addUserKey('agent-reader', null, agents);
    await platform.addUserKey('no-agent-reader', 'AIBIViewer');
    const at = '/api/v1/deployments/1/agents';
    const listed = await platform.ok('GET', at, undefined, 'agent-reader');
    expect(listed.items).not.toEqual([]);
    expect(await platform.ok('GET', `${at}/${listed.items[0].id}`, undefined, 'agent-reader')).toEqual(listed.items[0]);
    expect(await platform.call('GET', at, undefined, 'no-agent-reader')).toMatchObject({ status: 403 });
  });

  test('policies on content and chat threads are stored as sent, including unknown ids', async () => {
    const policies = [
      { resourceType: 'Workbook', actions: ['WorkbookEdit'], resources: ['4711'] },
      { resourceType: 'Folder', actions: ['All'], resources: ['All'] },
      { resourceType: 'ChatThread', effect: 'deny', actions: ['All'], resources: ['1'] },
    ];
    expect((await make('content', policies)).policies).toEqual(policies);
  });

  test('requires an administrator, by key or by session', async () => {
    await platform.addUserKey('a-developer', 'AIBIDeveloper');
    const creator = await platform.tokenOf({ creatorMode: true });
    const internal = await platform.tokenOf({ externalId: undefined, internalId: 'admin' });
    expect(await platform.call('GET', path, undefined, 'a-developer')).toMatchObject({ status: 403 });
    expect(await platform.call('POST', path, { name: 'x', policies: [] }, creator)).toMatchObject({ status: 403 });
    expect(await platform.call('GET', path, undefined, internal)).toMatchObject({ status: 200 });
  });

  test('the audit log records the role without its policies', async () => {
    const { id } = await make('audited');
    const entries = await platform.audited('createRole');
    expect(entries.at(-1)).toMatchObject({ target: { roleId: id }, userId: 1 });
  });
});

describe('roles of users (operations.md, Roles part 2)', () => {
  const at = (roleId: number, userId: number) => `${path}/${roleId}/users/${userId}`;

  test('are assigned and removed idempotently and apply from the next request', async () => {
    const userId = await platform.addUserKey('assigned', null);
    const role = await make('for one', [viewing, reader]);
    const read = () => platform.call('GET', '/api/v1/deployments/1', undefined, 'assigned');
    expect(await read()).toMatchObject({ status: 404 });
    for (const _ of [1, 2]) expect(await platform.call('PUT', at(role.id, userId))).toMatchObject({ status: 204 });
    expect(await read()).toMatchObject({ status: 200 });
    for (const _ of [1, 2]) expect(await platform.call('DELETE', at(role.id, userId))).toMatchObject({ status: 204 });
    expect(await read()).toMatchObject({ status: 404 });
  });

  test('are combined if a user has several', async () => {
    const userId = await platform.addUserKey('united', null);
    const [one, two] = [await make('one of two', [viewing]), await make('two of two', [reader])];
    await platform.call('PUT', at(one.id, userId));
    await platform.call('PUT', at(two.id, userId));
    expect(await platform.call('GET', '/api/v1/regions', undefined, 'united')).toMatchObject({ status: 200 });
    expect(await platform.call('GET', '/api/v1/deployments/1', undefined, 'united')).toMatchObject({ status: 200 });
  });

  test('can be built-in roles, except Admin: 404', async () => {
    const userId = await platform.addUserKey('promoted', null);
    expect(await platform.call('PUT', at(await builtIn('AIBIUser'), userId))).toMatchObject({ status: 204 });
    expect(await platform.call('GET', '/api/v1/regions', undefined, 'promoted')).toMatchObject({ status: 200 });
    expect(await platform.call('PUT', at(await builtIn('Admin'), userId))).toMatchObject({ status: 404 });
  });

  test('returns 404 for an unknown role or user, and for an embed user (spec 5)', async () => {
    const role = await make('for nobody');
    await platform.tokenOf({ externalId: 'embedded' });
    const [embedded] = await platform.db.select().from(users).where(eq(users.externalId, 'embedded'));
    expect(await platform.call('PUT', at(role.id, 999_999))).toMatchObject({ status: 404 });
    expect(await platform.call('DELETE', at(role.id, 999_999))).toMatchObject({ status: 404 });
    expect(await platform.call('PUT', at(999_999, 1))).toMatchObject({ status: 404 });
    expect(await platform.call('DELETE', at(999_999, 1))).toMatchObject({ status: 204 });
    expect(await platform.call('PUT', at(role.id, embedded?.id ?? 0))).toMatchObject({ status: 404 });
  });

  test('are removed with the role', async () => {
    const userId = await platform.addUserKey('left', null);
    const role = await make('passing', [reader]);
    await platform.call('PUT', at(role.id, userId));
    await platform.call('DELETE', `${path}/${role.id}`);
    expect(await platform.db.$count(userRoles, eq(userRoles.roleId, role.id))).toBe(0);
    expect(await platform.call('GET', '/api/v1/deployments/1', undefined, 'left')).toMatchObject({ status: 404 });
  });
});
