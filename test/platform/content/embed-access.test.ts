import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const deployment = '/api/v1/deployments/1';
let count = 0;
let acme: { embedTenantName: string };
let other: { embedTenantName: string };

beforeEach(async () => {
  count += 1;
  acme = { embedTenantName: `acme-${count}` };
  other = { embedTenantName: `other-${count}` };
  await Promise.all([platform.tokenOf(acme), platform.tokenOf(other)]);
});

const newFolder = async (name: string, parentId?: number): Promise<number> =>
  (await platform.ok('POST', `${deployment}/folders`, { name: `${name} ${count}`, parentId })).id;

async function publish(name: string, folderId?: number) {
  const { id } = await platform.ok('PUT', `${deployment}/workbooks/by-slug/${name}-${count}`, { folderId });
  const published = { config: { widgets: [] }, allowEmbed: true };
  const { publicId } = await platform.ok('POST', `${deployment}/workbooks/${id}/publish`, published);
  return { id, publicId, access: `${deployment}/workbooks/${id}/embed-access` };
}

const read = async (publicId: string, grant: object) =>
  (await platform.call('GET', `/api/v1/embed/dashboard/${publicId}`, undefined, await platform.tokenOf(grant))).status;
const shareFolder = (id: number, body: object, credential?: string) =>
  platform.call('PUT', `${deployment}/folders/${id}/embed-access`, body, credential);

describe('folders shared with embed users (an extension)', () => {
  test('grant that tenant access to dashboards published in them at any depth, until they are unshared', async () => {
    const outer = await newFolder('outer');
    const inner = await newFolder('inner', await newFolder('middle', outer));
    const [near, deep, beside] = [await publish('near', outer), await publish('deep', inner), await publish('beside')];
    for (const _ of [1, 2]) await shareFolder(outer, { ...acme, action: 'read' });
    expect([await read(near.publicId, acme), await read(deep.publicId, acme)]).toEqual([200, 200]);
    expect([await read(beside.publicId, acme), await read(deep.publicId, other)]).toEqual([404, 404]);
    await shareFolder(outer, { ...acme, action: 'none' });
    expect(await read(deep.publicId, acme)).toBe(404);
    await shareFolder(outer, { allEmbedUsers: true, action: 'read' });
    expect([await read(deep.publicId, acme), await read(deep.publicId, other)]).toEqual([200, 200]);
    await shareFolder(outer, { allEmbedUsers: true, action: 'none' });
    expect(await read(deep.publicId, other)).toBe(404);
  });

  test('a shared folder does not grant access to its parents or siblings', async () => {
    const outer = await newFolder('outer');
    const inner = await newFolder('inner', outer);
    const above = await publish('above', outer);
    await shareFolder(inner, { ...acme, action: 'read' });
    expect(await read(above.publicId, acme)).toBe(404);
  });

  test('return the tenants they are shared with', async () => {
    const id = await newFolder('told');
    await shareFolder(id, { ...other, action: 'read' });
    expect((await shareFolder(id, { ...acme, action: 'read' })).body).toEqual({
      allEmbedUsers: { enabled: false, action: 'none', groupId: expect.any(Number) },
      tenants: [acme, other].map(tenant => ({ ...tenant, groupId: expect.any(Number), action: 'read' })),
    });
    const { allEmbedUsers, tenants } = await platform.ok('GET', `${deployment}/folders/${id}/embed-access`);
    expect([allEmbedUsers.enabled, tenants.length]).toEqual([false, 2]);
  });

  test.each([
    {},
    { action: 'read' },
    { allEmbedUsers: true },
    { allEmbedUsers: true, embedTenantName: 'acme', action: 'read' },
    { allEmbedUsers: true, action: 'edit' },
    { allEmbedUsers: true, action: 'read', allowEmbed: true },
  ])('400 for %j', async body => {
    expect(await shareFolder(await newFolder('bad'), body)).toMatchObject({ status: 400 });
  });

  test('returns 404 without read access, 403 without manage access', async () => {
    const id = await newFolder('levels');
    const share = { ...acme, action: 'read' };
    const path = `${deployment}/folders/${id}/embed-access`;
    const policy = (action: 'FolderRead' | 'FolderEdit' | 'FolderManage') => [
      { resourceType: 'Folder', actions: [action], resources: [String(id)] },
    ];
    await platform.addUserKey(`f-none-${count}`, 'AIBIUser');
    await platform.addUserKey(`f-read-${count}`, 'AIBIUser', policy('FolderRead'));
    await platform.addUserKey(`f-edit-${count}`, 'AIBIUser', policy('FolderEdit'));
    await platform.addUserKey(`f-manage-${count}`, 'AIBIUser', policy('FolderManage'));
    const statusesOf = async (key: string) => [
      (await platform.call('GET', path, undefined, key)).status,
      (await platform.call('PUT', path, share, key)).status,
    ];
    expect(await statusesOf(`f-none-${count}`)).toEqual([404, 404]);
    expect(await statusesOf(`f-read-${count}`)).toEqual([200, 403]);
    expect(await statusesOf(`f-edit-${count}`)).toEqual([200, 403]);
    expect(await statusesOf(`f-manage-${count}`)).toEqual([200, 200]);
    expect(await statusesOf(await platform.tokenOf(acme))).toEqual([403, 403]);
    expect(await shareFolder(999_999, share)).toMatchObject({ status: 404 });
    expect(await shareFolder(id, { embedTenantName: 'nobody', action: 'read' })).toMatchObject({ status: 404 });
  });
});

describe('access to workbooks (operations.md, Dashboard Embed Access)', () => {
  test('requires read access to read and manage access to change', async () => {
    const { id, access } = await publish('levels');
    const policy = (action: 'WorkbookRead' | 'WorkbookEdit' | 'WorkbookManage') => [
      { resourceType: 'Workbook', actions: [action], resources: [String(id)] },
    ];
    await platform.addUserKey(`w-none-${count}`, 'AIBIUser');
    await platform.addUserKey(`w-read-${count}`, 'AIBIUser', policy('WorkbookRead'));
    await platform.addUserKey(`w-edit-${count}`, 'AIBIUser', policy('WorkbookEdit'));
    await platform.addUserKey(`w-manage-${count}`, 'AIBIUser', policy('WorkbookManage'));
    const statusesOf = async (key: string) => [
      (await platform.call('GET', access, undefined, key)).status,
      (await platform.call('PUT', access, { ...acme, action: 'read' }, key)).status,
    ];
    expect(await statusesOf(`w-none-${count}`)).toEqual([404, 404]);
    expect(await statusesOf(`w-read-${count}`)).toEqual([200, 403]);
    expect(await statusesOf(`w-edit-${count}`)).toEqual([200, 403]);
    expect(await statusesOf(`w-manage-${count}`)).toEqual([200, 200]);
  });

  test('a change to allowEmbed creates a new revision; repeating it does not', async () => {
    const { id, access } = await publish('revision');
    const revision = () =>
      platform.withConnection(
        async client =>
          (await client.query('select revision from dashboards where workbook_id = $1', [id])).rows[0].revision,
      );
    const before = await revision();
    await platform.ok('PUT', access, { allowEmbed: true });
    expect(await revision()).toBe(before);
    await platform.ok('PUT', access, { allowEmbed: false });
    expect(await revision()).toBeGreaterThan(before);
  });

  test('content created in creator mode can be shared only with its own tenant (5.3)', async () => {
    const creator = await platform.tokenOf({ ...acme, creatorMode: true });
    const { id } = await platform.ok('POST', `${deployment}/workbooks`, { name: 'mine' }, creator);
    const access = `${deployment}/workbooks/${id}/embed-access`;
    for (const target of [other, { allEmbedUsers: true }]) {
      const refused = await platform.call('PUT', access, { ...target, action: 'read' });
      expect(refused).toMatchObject({ status: 400 });
    }
    const put = (body: object) => platform.call('PUT', access, body, creator);
    expect(await put({ ...other, action: 'none' })).toMatchObject({ status: 404 });
    expect(await put({ embedTenantName: 'nobody', action: 'none' })).toMatchObject({ status: 404 });
    expect(await put({ allEmbedUsers: true, action: 'read' })).toMatchObject({ status: 403 });
    expect(await put({ ...acme, action: 'read' })).toMatchObject({
      status: 200,
      body: { tenants: [{ ...acme, action: 'read' }] },
    });
    expect((await platform.ok('GET', access, undefined, creator)).tenants).toHaveLength(1);
    expect((await platform.ok('GET', access)).tenants).toHaveLength(1);
  });

  test('is not shared with a concurrently deleted tenant', async () => {
    const { access } = await publish('racing');
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query('delete from embed_tenants where name = $1', [acme.embedTenantName]);
      const sharing = platform.call('PUT', access, { ...acme, action: 'read' });
      await someoneWaits(client);
      await client.query('commit');
      expect(await sharing).toMatchObject({ status: 404 });
    });
  });

  test('with showWorkbookShare: false, a creator cannot share, but can publish again what is shared', async () => {
    const grant = { ...acme, externalId: 'ann', creatorMode: true };
    const creator = await platform.tokenOf(grant);
    const limited = await platform.tokenOf({ ...grant, settings: { showWorkbookShare: false } });
    const { id } = await platform.ok('POST', `${deployment}/workbooks`, { name: 'own' }, creator);
    const change = (token: string, body: object) =>
      platform.call('PUT', `${deployment}/workbooks/${id}/embed-access`, body, token);
    const reading = { ...acme, action: 'read' };
    const denied = {
      status: 403,
      body: { message: 'This session cannot share content: its setting showWorkbookShare is false.' },
    };
    expect(await change(limited, reading)).toMatchObject(denied);
    expect(await change(creator, reading)).toMatchObject({ status: 200 });
    expect(await change(limited, reading)).toMatchObject({ status: 200 });
    expect(await change(limited, { ...acme, action: 'none' })).toMatchObject({ status: 200 });
    expect(await change(limited, reading)).toMatchObject(denied);
  });
});

describe('workbooks of an embed tenant', () => {
  const list = async (query = '', tenant = acme.embedTenantName) => {
    const { items } = await platform.ok('GET', `${deployment}/embed-tenants/${tenant}/workbooks${query}`);
    // Ignore workbooks that other tests shared with all embed users.
    const slugs: string[] = items.map((workbook: { slug: string }) => workbook.slug);
    return slugs.filter(slug => slug.endsWith(`-${count}`)).map(slug => slug.replace(/-\d+$/, ''));
  };

  test('include workbooks shared with it, with all embed users or by a folder, without duplicates', async () => {
    const outer = await newFolder('outer');
    const inner = await newFolder('inner', outer);
    const direct = await publish('direct', inner);
    await publish('deep', inner);
    const everyones = await publish('everyones');
    await publish('nobodys');
    const others = await publish('others');
    await platform.ok('PUT', direct.access, { ...acme, action: 'read' });
    await platform.ok('PUT', everyones.access, { allEmbedUsers: true, action: 'read' });
    await platform.ok('PUT', others.access, { ...other, action: 'read' });
    await shareFolder(outer, { ...acme, action: 'read' });
    expect(await list()).toEqual(['everyones', 'deep', 'direct']);
    expect(await list('?accessSource=tenant')).toEqual(['direct']);
    expect(await list('?accessSource=allEmbedUsers')).toEqual(['everyones']);
    expect(await list('?accessSource=folder')).toEqual(['deep', 'direct']);
    expect(await list('?accessSource=folder&search=DEE')).toEqual(['deep']);
    expect(await list('', acme.embedTenantName.toUpperCase())).toEqual(['everyones', 'deep', 'direct']);
    expect(await list('', other.embedTenantName)).toEqual(['others', 'everyones']);
    await platform.ok('PUT', everyones.access, { allEmbedUsers: true, action: 'none' });
    const path = `${deployment}/embed-tenants/${acme.embedTenantName}/workbooks`;
    const first = await platform.ok('GET', `${path}?first=1&accessSource=folder`);
    expect(first).toMatchObject({ items: [{ type: 'WORKBOOK' }], pageInfo: { hasNextPage: true } });
    const second = await platform.ok('GET', `${path}?first=1&accessSource=folder&after=${first.pageInfo.endCursor}`);
    expect(second).toMatchObject({ items: [{ id: direct.id }], pageInfo: { hasNextPage: false } });
  });

  test('match what its sessions can read in a random folder tree', async () => {
    const folders: number[] = [];
    const boards: { id: number; publicId: string; access: string }[] = [];
    for (let index = 0; index < 8; index++) {
      // The folders form a binary tree, in which the parent of folder n is folder (n - 1) / 2.
      folders.push(await newFolder(`f${index}`, index === 0 ? undefined : folders[Math.floor((index - 1) / 2)]));
      boards.push(await publish(`b${index}`, folders[index]));
    }
    await shareFolder(folders[1] ?? 0, { ...acme, action: 'read' });
    await shareFolder(folders[5] ?? 0, { allEmbedUsers: true, action: 'read' });
    await platform.ok('PUT', boards[2]?.access ?? '', { ...acme, action: 'read' });
    const readable: string[] = [];
    for (const [index, { publicId }] of boards.entries()) {
      if ((await read(publicId, acme)) === 200) readable.push(`b${index}`);
    }
    expect((await list()).sort()).toEqual(readable);
    expect(readable).toEqual(['b1', 'b2', 'b3', 'b4', 'b5', 'b7']);
  });

  test('require an admin; 404 for an unknown tenant or deployment, 400 for an unknown source', async () => {
    const path = `${deployment}/embed-tenants/${acme.embedTenantName}/workbooks`;
    await platform.addUserKey(`l-${count}`, 'AIBIDeveloper');
    expect(await platform.call('GET', path, undefined, `l-${count}`)).toMatchObject({ status: 403 });
    expect(await platform.call('GET', path, undefined, await platform.tokenOf(acme))).toMatchObject({ status: 403 });
    expect(await platform.call('GET', `${deployment}/embed-tenants/nobody/workbooks`)).toMatchObject({ status: 404 });
    expect(await platform.call('GET', path.replace('/1/', '/77/'))).toMatchObject({ status: 404 });
    expect(await platform.call('GET', `${path}?accessSource=all`)).toMatchObject({ status: 400 });
  });
});
