import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

const all = '/api/v1/deployments';
const path = `${all}/1`;
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const query = (text: string) => platform.withConnection(client => client.query(text));
const add = (id: number, step = 'ready') =>
  query(`insert into deployments (id, name, creation_step) values (${id}, 'd${id}', '${step}')`);

describe('lists of deployments (operations.md, Deployments part 1)', () => {
  const idsOf = (body: { items: { id: number }[] }) => body.items.map(({ id }) => id);

  beforeAll(async () => {
    await add(21, 'schema');
    await add(22, 'upload');
    await add(23, 'schema');
  });
  afterAll(() => query('delete from deployments where id > 20'));

  test('page by offset and limit or by cursor, with the total', async () => {
    const whole = await platform.ok('GET', all);
    expect(idsOf(whole)).toEqual([1, 21, 22, 23]);
    expect(whole).toMatchObject({ count: 4, totalCount: 4, pagination: { limit: 1000, offset: 0, total: 4 } });
    const part = await platform.ok('GET', `${all}?offset=1&limit=2`);
    expect(idsOf(part)).toEqual([21, 22]);
    expect(part).toMatchObject({ data: part.items, totalCount: 4, pagination: { limit: 2, offset: 1, total: 4 } });
    expect(part.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    expect(await platform.ok('GET', `${all}?limit=0`)).toMatchObject({ items: [], count: 4 });
    const first = await platform.ok('GET', `${all}?first=2`);
    expect(idsOf(first)).toEqual([1, 21]);
    expect(idsOf(await platform.ok('GET', `${all}?after=${first.pageInfo.endCursor}`))).toEqual([22, 23]);
    // A page by offset can be continued by cursor.
    expect(idsOf(await platform.ok('GET', `${all}?after=${part.pageInfo.endCursor}`))).toEqual([23]);
  });

  test('filter by one or several creation steps', async () => {
    expect(idsOf(await platform.ok('GET', `${all}?creationStep=schema`))).toEqual([21, 23]);
    const two = await platform.ok('GET', `${all}?creationStep=schema&creationStep=upload&limit=2`);
    expect(idsOf(two)).toEqual([21, 22]);
    expect(two.totalCount).toBe(3);
  });

  test.each(['offset=1&first=1', 'limit=1&after=x', 'after=x', 'offset=-1', 'limit=x', 'creationStep=done'])(
    'reject %s',
    async text => {
      expect(await platform.call('GET', `${all}?${text}`)).toMatchObject({ status: 400 });
    },
  );

  test('contain and count only deployments that the caller can read (spec 5)', async () => {
    const read = (id: string): Policy => ({
      resourceType: 'Deployment',
      actions: ['DeploymentRead'],
      resources: [id],
    });
    await platform.addUserKey('of-two', null, [read('21'), read('23'), read('999')]);
    await platform.addUserKey('of-none', null);
    const manage: Policy = { resourceType: 'Global', actions: ['DeploymentsManage'], resources: ['All'] };
    await platform.addUserKey('manager', null, [manage]);
    const seen = await platform.ok('GET', all, undefined, 'of-two');
    expect(idsOf(seen)).toEqual([21, 23]);
    expect(seen.totalCount).toBe(2);
    expect(idsOf(await platform.ok('GET', all, undefined, 'of-none'))).toEqual([]);
    expect(idsOf(await platform.ok('GET', all, undefined, 'manager'))).toEqual([1, 21, 22, 23]);
    expect(idsOf(await platform.ok('GET', all, undefined, await platform.tokenOf()))).toEqual([1]);
  });
});

describe('settings of a deployment (operations.md, Deployments parts 1 and 3)', () => {
  const settings = () => platform.ok('GET', `${path}/settings`);

  test('have defaults, store values, and restore the default for null', async () => {
    const before = await settings();
    expect(before).toMatchObject({ id: 1, name: 'local', creationStep: 'ready', deployBranchName: 'main' });
    const cspsConfig = { enabled: false, storageProvider: 's3', s3Bucket: 'exports' };
    const set = { deployBranchName: 'main', cspsConfig, template: 'multiCluster' };
    const changed = await platform.ok('PUT', path, set);
    expect(changed).toEqual({ ...before, ...set });
    expect(await platform.ok('PUT', path, {})).toEqual(changed);
    expect(await settings()).toEqual(changed);
    const reset = { deployBranchName: null, cspsConfig: null, template: null };
    expect(await platform.ok('PUT', path, reset)).toEqual(before);
  });

  test('template variables are merged by key', async () => {
    await platform.ok('PUT', path, { templateVariables: { a: 1, b: { c: 2 } } });
    const changed = await platform.ok('PUT', path, { templateVariables: { a: null, d: 'x' } });
    expect(changed.templateVariables).toEqual({ b: { c: 2 }, d: 'x' });
    expect((await platform.ok('PUT', path, { templateVariables: null })).templateVariables).toEqual({});
  });

  test('can include the name', async () => {
    expect(await platform.ok('PUT', path, { name: ' Renamed ' })).toMatchObject({ name: 'Renamed' });
    expect(await platform.ok('GET', path)).toMatchObject({ name: 'Renamed' });
  });

  test('concurrent changes to different settings both apply', async () => {
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`update deployments set settings = '{"region":"here"}' where id = 1`);
      const other = platform.ok('PUT', path, { template: 'multiCluster' });
      await someoneWaits(client);
      await client.query('commit');
      const changed = { region: 'here', template: 'multiCluster' };
      expect(await other).toMatchObject(changed);
      // A stored value can be sent again.
      expect(await platform.ok('PUT', path, changed)).toMatchObject(changed);
    });
  });

  test.each([
    [{ releaseChannelVersion: '1.2.3' }, 'body.releaseChannelVersion: is not a version'],
    [{ name: ' ' }, 'body.name'],
    [{ creationStep: 'ready' }, 'body'],
    [{ cloudProvider: 'moon' }, 'body.cloudProvider'],
    [{ cspsConfig: { enabled: true } }, 'body.cspsConfig.storageProvider'],
    [{ customDomain: 'https://a.example.com' }, 'body.customDomain'],
    [{ customDomain: 'a.example.com' }, 'body.customDomain: is not supported by this platform; omit it'],
    [{ cspsConfig: { enabled: true, storageProvider: 's3' } }, 'body.cspsConfig: is not supported'],
    [{ deployBranchName: 'release' }, 'body.deployBranchName: is not supported'],
    [{ deployProjectRoot: 'sub' }, 'body.deployProjectRoot: is not supported'],
    [{ region: 'eu' }, 'body.region: is not supported'],
    [{ templateVariables: { a: 'x'.repeat(64_000) } }, 'body: the settings would have'],
  ])('are rejected, case %#', async (body, message) => {
    const answer = await platform.call('PUT', path, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  test('return 404 without read access, 403 without DeploymentUpdate, for every kind of caller (spec 5.3)', async () => {
    await platform.addUserKey('reads', 'AIBIViewer');
    await platform.addUserKey('knows-nothing', null);
    await platform.addUserKey('develops', 'AIBIDeveloper');
    const creator = await platform.tokenOf({ creatorMode: true });
    for (const [method, at] of [
      ['PUT', path],
      ['GET', `${path}/settings`],
    ] as const) {
      expect(await platform.call(method, at, undefined, 'knows-nothing')).toMatchObject({ status: 404 });
      expect(await platform.call(method, at, undefined, 'reads')).toMatchObject({ status: 403 });
      expect(await platform.call(method, at, undefined, creator)).toMatchObject({ status: 403 });
      expect(await platform.call(method, at, undefined, 'develops')).toMatchObject({ status: 200 });
    }
    await add(7);
    expect(await platform.call('PUT', `${all}/7`, {}, creator)).toMatchObject({ status: 404 });
    expect(await platform.call('PUT', `${all}/99`, {})).toMatchObject({ status: 404 });
  });
});

describe('deleting a deployment (operations.md, Deployments part 1)', () => {
  const on = (...actions: Policy['actions']): Policy[] => [{ resourceType: 'Deployment', actions, resources: ['31'] }];

  test('requires DeploymentDelete or DeploymentsManage: 403 otherwise, 404 if not readable (spec 5)', async () => {
    await platform.addUserKey('may-read', null, on('DeploymentRead'));
    await platform.addUserKey('may-delete', null, on('DeploymentRead', 'DeploymentDelete'));
    await platform.addUserKey('may-manage', null, on('DeploymentsManage'));
    const remove = (key: string, id = 31) => platform.call('DELETE', `${all}/${id}`, undefined, key);
    for (const key of ['may-delete', 'may-manage']) {
      await add(31);
      expect(await remove('may-read')).toMatchObject({ status: 403 });
      expect(await remove(key, 1)).toMatchObject({ status: 404 });
      expect(await remove(key)).toMatchObject({ status: 200, body: { success: true } });
      expect(await remove(key)).toMatchObject({ status: 404 });
    }
    expect(await remove(await platform.tokenOf(), 1)).toMatchObject({ status: 403 });
  });

  test('deletes all of its content', async () => {
    await add(32);
    const made = await platform.withConnection(async client => {
      const insert = async (text: string): Promise<number> =>
        (await client.query(`insert into ${text} returning id`)).rows[0].id;
      const outer = await insert(`folders (deployment_id, name, created_by) values (32, 'outer', 1)`);
      const inner = await insert(
        `folders (deployment_id, parent_id, name, created_by) values (32, ${outer}, 'inner', 1)`,
      );
      const book = await insert(
        `workbooks (deployment_id, folder_id, name, meta, created_by) values (32, ${inner}, 'w', '{}', 1)`,
      );
      await insert(`reports (deployment_id, workbook_id, name, created_by) values (32, ${book}, 'r', 1)`);
      return insert(`deployment_environments (deployment_id, type) values (32, 'production')`);
    });
    const tokens = `${all}/32/environments/${made}/tokens`;
    await platform.ok('POST', tokens, { security_context: {} });
    await platform.ok('DELETE', `${all}/32`);
    for (const table of ['folders', 'workbooks', 'reports', 'deployment_environments']) {
      expect((await query(`select * from ${table} where deployment_id = 32`)).rows, table).toEqual([]);
    }
    expect((await query('select * from environment_tokens')).rows).toEqual([]);
    expect(await platform.call('GET', tokens)).toMatchObject({ status: 404 });
  });

  test('returns 409 for the last one, also if the last two are deleted concurrently', async () => {
    await query('delete from deployments where id <> 1');
    expect(await platform.call('DELETE', path)).toMatchObject({ status: 409 });
    await add(33);
    const both = await Promise.all([1, 33].map(id => platform.call('DELETE', `${all}/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
