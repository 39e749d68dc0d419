import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockFolderTree } from '../../../../src/platform/content/workspace/folder-store.js';
import { folders, reports, workbooks } from '../../../../src/platform/db/schema.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const path = '/api/v1/deployments/1/folders';
const at = (id: number) => `${path}/${id}`;
const make = (name: string, body: object = {}, credential?: string) =>
  platform.ok('POST', path, { name, ...body }, credential);
const list = async (query = '', credential?: string): Promise<string[]> => {
  const { items } = await platform.ok('GET', `${path}${query}`, undefined, credential);
  return items.map(({ name }: { name: string }) => name);
};
const move = (id: number, folderId: number | null, credential?: string) =>
  platform.call('POST', '/api/v1/deployments/1/workspace/move', { type: 'FOLDER', id, folderId }, credential);
/** Creates nested folders. Returns their ids, outermost first. */
async function chain(name: string, length: number): Promise<number[]> {
  const ids: number[] = [];
  for (let level = 1; level <= length; level++) {
    ids.push((await make(`${name} ${level}`, { parentId: ids.at(-1) })).id);
  }
  return ids;
}
/** Creates a user whose policies grant access to one folder. */
async function userWith(key: string, action: 'FolderRead' | 'FolderEdit' | 'FolderManage', folderId: number) {
  await platform.addUserKey(key, 'AIBIUser', [
    { resourceType: 'Folder', actions: [action], resources: [String(folderId)] },
  ]);
  return key;
}

describe('folders (operations.md, Folders)', () => {
  test('are created at the root or in a folder, with all fields', async () => {
    const parent = await make('Parent');
    expect(parent).toMatchObject({ type: 'FOLDER', deploymentId: 1, parentId: null, folderPath: [], createdBy: 1 });
    expect(parent).toMatchObject({ updatedBy: 1, user: { id: 1, email: 'admin@localhost' } });
    expect(new Date(parent.createdAt).toISOString()).toBe(parent.createdAt);
    const child = await make('Child', { parentId: parent.id });
    expect(child).toMatchObject({ parentId: parent.id, folderPath: [{ id: parent.id, name: 'Parent' }] });
    expect(child).not.toHaveProperty('embedTenantId');
    const [entry] = await platform.audited('createFolder');
    expect(entry?.target).toEqual({ deploymentId: 1, folderId: parent.id });
  });

  test('are listed per level by position; new folders are last by default', async () => {
    const { id: parentId } = await make('Level');
    await make('b', { parentId });
    await make('c', { parentId });
    await make('a', { parentId, position: 0 });
    const { id } = await make('between', { parentId, position: 1 });
    await make('inner', { parentId: id });
    expect(await list(`?parentId=${parentId}`)).toEqual(['b', 'a', 'c', 'between']);
    expect(await list('?parentId=0')).toEqual(await list());
    expect(await list()).not.toContain('b');
  });

  test('pages are stable while others insert and contain data and count (spec 4.5)', async () => {
    const { id: parentId } = await make('Paged');
    for (let index = 0; index < 5; index++) await make(`p${index}`, { parentId });
    const first = await platform.ok('GET', `${path}?parentId=${parentId}&first=2`);
    expect(first).toMatchObject({ count: 5, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    expect(first.data).toEqual(first.items);
    await make('new', { parentId, position: 0 });
    expect(await list(`?parentId=${parentId}&first=2&after=${first.pageInfo.endCursor}`)).toEqual(['p2', 'p3']);
    expect(await platform.call('GET', `${path}?after=nonsense`)).toMatchObject({ status: 400 });
    const overflow = Buffer.from(JSON.stringify(['folders', '99999999999', '1'])).toString('base64url');
    expect(await platform.call('GET', `${path}?after=${overflow}`)).toMatchObject({ status: 400 });
  });

  test('update only sent fields; repeating it changes nothing', async () => {
    const folder = await make('Before');
    const renamed = await platform.ok('PUT', at(folder.id), { name: 'After' });
    expect(renamed).toMatchObject({ name: 'After', position: folder.position });
    expect(await platform.ok('PUT', at(folder.id), { name: 'After' })).toEqual(renamed);
    expect(await platform.ok('PUT', at(folder.id), {})).toEqual(renamed);
    expect(await platform.ok('PUT', at(folder.id), { position: 7 })).toMatchObject({ name: 'After', position: 7 });
    expect(await platform.call('PUT', at(folder.id), { parentId: 1 })).toMatchObject({ status: 400 });
  });

  test('are deleted only without subfolders; their content moves to the root', async () => {
    const [outer = 0, inner = 0] = await chain('Doomed', 2);
    expect(await platform.call('DELETE', at(outer))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('contains folders') },
    });
    const owner = { deploymentId: 1, createdBy: 1, folderId: inner };
    const [workbook] = await platform.db
      .insert(workbooks)
      .values({ ...owner, name: 'kept', meta: {} })
      .returning();
    const [report] = await platform.db
      .insert(reports)
      .values({ ...owner, name: 'kept' })
      .returning();
    expect(await platform.call('DELETE', at(inner))).toEqual({ status: 204, body: undefined });
    expect(await platform.call('DELETE', at(inner))).toMatchObject({ status: 404 });
    expect(await platform.call('DELETE', at(outer))).toMatchObject({ status: 204 });
    const kept = await platform.db
      .select()
      .from(workbooks)
      .where(eq(workbooks.id, workbook?.id ?? 0));
    expect(kept).toMatchObject([{ folderId: null }]);
    const keptReports = await platform.db
      .select()
      .from(reports)
      .where(eq(reports.id, report?.id ?? 0));
    expect(keptReports).toMatchObject([{ folderId: null }]);
  });

  test('return ancestors, the root first and the folder itself last', async () => {
    const ids = await chain('Way', 3);
    const way = await platform.ok('GET', `${at(ids[2] ?? 0)}/ancestors`);
    expect(way.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(way[2].folderPath).toEqual(
      way.slice(0, 2).map(({ id, name }: { id: number; name: string }) => ({ id, name })),
    );
    expect(await platform.call('GET', `${at(999_999)}/ancestors`)).toMatchObject({ status: 404 });
  });

  test('are nested at most ten levels deep, also after a move', async () => {
    const ids = await chain('Deep', 10);
    const tooDeep = { status: 400, body: { message: expect.stringContaining('10 levels') } };
    expect(await platform.call('POST', path, { name: 'eleventh', parentId: ids[9] })).toMatchObject(tooDeep);
    const [pair = 0] = await chain('Pair', 2);
    expect(await move(pair, ids[8] ?? 0)).toMatchObject(tooDeep);
    expect(await move(pair, ids[7] ?? 0)).toMatchObject({ status: 200 });
  });

  test.each([
    ['no name', {}, 'body.name'],
    ['an empty name', { name: '' }, 'body.name'],
    ['a long name', { name: 'x'.repeat(256) }, 'body.name'],
    ['NUL in the name', { name: 'a\0b' }, 'body.name'],
    ['an invalid parent', { name: 'x', parentId: 0 }, 'body.parentId'],
    ['a position out of range', { name: 'x', position: 3_000_000_000 }, 'body.position'],
    ['a negative position', { name: 'x', position: -1 }, 'body.position'],
    ['an unknown field', { name: 'x', color: 'red' }, 'color'],
  ])('are rejected with %s', async (_what, body, field) => {
    expect(await platform.call('POST', path, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(field) },
    });
  });
});

describe('access to folders (spec 5.3)', () => {
  test('without access: not listed and 404; with read access: 403 for a change', async () => {
    const [outer = 0, inner = 0] = await chain('Guarded', 2);
    await platform.addUserKey('stranger', 'AIBIUser');
    expect(await list('', 'stranger')).toEqual([]);
    for (const [method, where, body] of [
      ['GET', `${path}?parentId=${outer}`],
      ['GET', `${at(outer)}/ancestors`],
      ['PUT', at(outer), { name: 'mine' }],
      ['DELETE', at(inner)],
      ['POST', path, { name: 'x', parentId: outer }],
    ] as const) {
      expect(await platform.call(method, where, body, 'stranger'), where).toMatchObject({ status: 404 });
    }
    const reader = await userWith('reader', 'FolderRead', outer);
    expect(await list('', reader)).toEqual(['Guarded 1']);
    expect(await list(`?parentId=${outer}`, reader)).toEqual(['Guarded 2']);
    expect(await platform.call('PUT', at(inner), { name: 'mine' }, reader)).toMatchObject({ status: 403 });
    expect(await platform.call('POST', path, { name: 'x', parentId: outer }, reader)).toMatchObject({ status: 403 });
  });

  test('is inherited from parent folders; deleting requires manage access', async () => {
    const [outer = 0, inner = 0] = await chain('Given', 2);
    const editor = await userWith('editor', 'FolderEdit', outer);
    expect(await platform.call('PUT', at(inner), { name: 'edited' }, editor)).toMatchObject({ status: 200 });
    expect(await platform.call('DELETE', at(inner), undefined, editor)).toMatchObject({ status: 403 });
    expect(await platform.call('POST', path, { name: 'own', parentId: inner }, editor)).toMatchObject({ status: 200 });
    const manager = await userWith('manager', 'FolderManage', outer);
    expect(await move(inner, null, manager)).toMatchObject({ status: 200 });
  });

  test('makes parents of readable content visible but read-only, without their other children', async () => {
    const [outer = 0, middle = 0, inner = 0] = await chain('Path', 3);
    await make('Sibling', { parentId: outer });
    const reader = await userWith('of-inner', 'FolderRead', inner);
    expect(await list('', reader)).toEqual(['Path 1']);
    expect(await list(`?parentId=${outer}`, reader)).toEqual(['Path 2']);
    expect(await platform.ok('GET', `${at(inner)}/ancestors`, undefined, reader)).toHaveLength(3);
    expect(await platform.call('PUT', at(middle), { name: 'mine' }, reader)).toMatchObject({ status: 404 });
    const [workbook] = await platform.db
      .insert(workbooks)
      .values({ deploymentId: 1, createdBy: 1, folderId: middle, name: 'seen', meta: {} })
      .returning();
    await platform.addUserKey('of-a-workbook', 'AIBIViewer', [
      { resourceType: 'Workbook', actions: ['WorkbookRead'], resources: [String(workbook?.id)] },
    ]);
    expect(await list('', 'of-a-workbook')).toEqual(['Path 1']);
    expect(await list(`?parentId=${outer}`, 'of-a-workbook')).toEqual(['Path 2']);
    expect(await list(`?parentId=${middle}`, 'of-a-workbook')).toEqual([]);
  });

  test('is read-only for viewers, denied to embed users, and limited to own folders in creator mode', async () => {
    const shown = await make('Of the account');
    await platform.addUserKey('viewer', 'AIBIViewer', [
      { resourceType: 'Folder', actions: ['All'], resources: ['All'] },
    ]);
    expect(await list('', 'viewer')).toContain('Of the account');
    expect(await platform.call('POST', path, { name: 'x' }, 'viewer')).toMatchObject({ status: 403 });
    expect(await platform.call('PUT', at(shown.id), { name: 'x' }, 'viewer')).toMatchObject({ status: 403 });
    const ann = await platform.tokenOf({ embedTenantName: 'acme' });
    expect(await platform.call('GET', path, undefined, ann)).toMatchObject({ status: 403 });
    expect(await platform.call('GET', path, undefined, '')).toMatchObject({ status: 401 });
    const creator = { creatorMode: true, externalId: 'cat' };
    const atAcme = await platform.tokenOf({ ...creator, embedTenantName: 'acme' });
    const atOther = await platform.tokenOf({ ...creator, embedTenantName: 'other' });
    const own = await make('Of cat', {}, atAcme);
    expect(await list('', atAcme)).toEqual(['Of cat']);
    expect(await list('', atOther)).toEqual([]);
    expect(await platform.call('PUT', at(own.id), { name: 'x' }, atOther)).toMatchObject({ status: 404 });
    expect(await platform.call('PUT', at(shown.id), { name: 'x' }, atAcme)).toMatchObject({ status: 404 });
    // A folder of the account inside a tenant's folder would prevent deleting the tenant.
    expect(await platform.call('POST', path, { name: 'x', parentId: own.id })).toMatchObject({ status: 400 });
    expect(await move(own.id, shown.id)).toMatchObject({ status: 400 });
  });

  test('is limited to the deployment', async () => {
    const folder = await make('Here');
    const elsewhere = '/api/v1/deployments/77/folders';
    expect(await platform.call('GET', elsewhere)).toMatchObject({ status: 404 });
    expect(await platform.call('POST', elsewhere, { name: 'x' })).toMatchObject({ status: 404 });
    await platform.withConnection(client =>
      client.query(`insert into deployments (name, creation_step) values ('second', 'ready')`),
    );
    expect(await platform.call('PUT', `/api/v1/deployments/2/folders/${folder.id}`, { name: 'x' })).toMatchObject({
      status: 404,
    });
    const body = { name: 'x', parentId: folder.id };
    expect(await platform.call('POST', '/api/v1/deployments/2/folders', body)).toMatchObject({ status: 404 });
  });
});

describe('concurrent changes to the tree', () => {
  /** Blocks requests at the lock on the tree, then releases them at the same time. */
  async function settleConcurrently<T>(requests: () => Promise<T>[]): Promise<T[]> {
    return platform.withConnection(async client => {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(7265003, hashint8(1))');
      const answers = Promise.all(requests());
      await someoneWaits(client);
      await client.query('commit');
      return answers;
    });
  }

  test('fail with 503 if another transaction holds the lock of the tree for too long', async () => {
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(7265003, hashint8(1))');
      const lock = (deploymentId: number) => platform.db.transaction(tx => lockFolderTree(tx, deploymentId, 50));
      await expect(lock(1)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
      await lock(2);
    });
    await platform.db.transaction(async tx => {
      await lockFolderTree(tx, 1, 50);
      const { rows } = await tx.execute('show lock_timeout');
      expect(rows).toEqual([{ lock_timeout: '0' }]);
    });
  });

  test('never create a cycle: of two moves into each other one is rejected', async () => {
    const [a = 0, b = 0] = [(await make('A')).id, (await make('B')).id];
    const answers = await settleConcurrently(() => [move(a, b), move(b, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const rows = await platform.db.select().from(folders);
    expect(
      rows.filter(({ id, parentId }) => (id === a && parentId === b) || (id === b && parentId === a)),
    ).toHaveLength(1);
  });

  test('never lose a folder: creating in a concurrently deleted folder fails, or the delete does', async () => {
    const { id } = await make('Contended');
    const [created, deleted] = await settleConcurrently(() => [
      platform.call('POST', path, { name: 'in it', parentId: id }),
      platform.call('DELETE', at(id)),
    ]);
    const statuses = [created?.status, deleted?.status];
    expect([
      [200, 400],
      [404, 204],
    ]).toContainEqual(statuses);
  });

  test('assign distinct positions to concurrently created folders', async () => {
    const { id: parentId } = await make('Crowd');
    await Promise.all(Array.from({ length: 8 }, (_, index) => make(`c${index}`, { parentId })));
    const { items } = await platform.ok('GET', `${path}?parentId=${parentId}`);
    expect(items.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
