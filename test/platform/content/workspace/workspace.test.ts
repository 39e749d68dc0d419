import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  embedTenants,
  folders,
  reports,
  reportViews,
  workbooks,
  workbookViews,
} from '../../../../src/platform/db/schema.js';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  await platform.db.delete(reports);
  await platform.db.delete(workbooks);
  await platform.db.update(folders).set({ parentId: null });
  await platform.db.delete(folders);
});

const base = '/api/v1/deployments/1';
const workspace = `${base}/workspace`;
type Item = { id: number; type: string; name: string };

async function idOf(inserted: Promise<{ id: number }[]>): Promise<number> {
  const [row] = await inserted;
  if (!row) throw new Error('Nothing was inserted.');
  return row.id;
}
const owner = { deploymentId: 1, createdBy: 1 };
const folder = (name: string, parentId: number | null = null, more: object = {}) =>
  idOf(
    platform.db
      .insert(folders)
      .values({ ...owner, name, parentId, ...more })
      .returning(),
  );
const workbook = (name: string, folderId: number | null = null, more: object = {}) =>
  idOf(
    platform.db
      .insert(workbooks)
      .values({ ...owner, name, folderId, meta: {}, ...more })
      .returning(),
  );
const report = (name: string, folderId: number | null = null, more: object = {}) =>
  idOf(
    platform.db
      .insert(reports)
      .values({ ...owner, name, folderId, ...more })
      .returning(),
  );

async function names(query = '', credential?: string, path = workspace): Promise<string[]> {
  const { items } = await platform.ok('GET', `${path}${query}`, undefined, credential);
  return items.map(({ name }: Item) => name);
}

/** Reads all pages of a list and calls `between` after each page. */
async function paged(query: string, between: () => Promise<unknown> = async () => null): Promise<string[]> {
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const page = await platform.ok('GET', `${workspace}?first=2${query}${after && `&after=${after}`}`);
    seen.push(...page.items.map(({ name }: Item) => name));
    if (!page.pageInfo.hasNextPage) return seen;
    after = page.pageInfo.endCursor;
    await between();
  }
}

describe('the list of a workspace (operations.md, Workspace)', () => {
  test('contains items of all types with the fields of a workbook, folders first', async () => {
    const outer = await folder('Outer');
    const inner = await folder('Z folder', outer);
    const bookId = await workbook('A book', outer, {
      slug: 'a-book',
      meta: { b: 1, dashboardDraft: { widgets: [] }, a: { c: 2 } },
    });
    const reportId = await report('B report', outer, { meta: { kind: 'vega', spec: '{}' } });
    await report('inside a workbook', outer, { workbookId: bookId });
    const { items, pageInfo } = await platform.ok('GET', `${workspace}?folderId=${outer}`);
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const folderPath = [{ id: outer, name: 'Outer' }];
    const shared = { deploymentId: 1, folderId: outer, folderPath, calculatedFields: {}, createdBy: 1, userId: 1 };
    expect(items).toMatchObject([
      { ...shared, id: inner, type: 'FOLDER', name: 'Z folder', meta: {}, user: { email: 'admin@localhost' } },
      {
        ...shared,
        id: bookId,
        type: 'WORKBOOK',
        slug: 'a-book',
        meta: { b: 1, a: { c: 2 } },
        publishedDashboard: null,
      },
      { ...shared, id: reportId, type: 'REPORT', meta: { kind: 'vega' } },
    ]);
    expect(Object.keys(items[1].meta)).toEqual(['b', 'a']);
    expect(items[2].meta).not.toHaveProperty('spec');
    expect(await names()).toEqual(['Outer']);
    expect(await names('?folderId=0')).toEqual(['Outer']);
  });

  test('filters by several types and returns the publication state', async () => {
    await folder('F');
    const id = await workbook('W');
    await report('R');
    expect(await names('?types=FOLDER&types=REPORT')).toEqual(['F', 'R']);
    expect(await names('?types=WORKBOOK')).toEqual(['W']);
    await platform.ok('POST', `${base}/workbooks/${id}/publish`, { config: { kind: 'CLASSIC', widgets: [] } });
    const { items } = await platform.ok('GET', `${workspace}?types=WORKBOOK`);
    expect(items[0].publishedDashboard).toMatchObject({
      workbookId: id,
      title: 'W',
      config: { kind: 'CLASSIC' },
      reportSnapshots: [],
      publicId: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
    });
  });

  test.each([
    ['', ['F1', 'F2', 'apple', 'berry', 'cherry', 'date']],
    ['&orderByField=name&orderByDirection=DESC', ['F1', 'F2', 'date', 'cherry', 'berry', 'apple']],
    ['&orderByField=created_at&orderByDirection=ASC', ['F1', 'F2', 'date', 'berry', 'cherry', 'apple']],
    ['&orderByField=updated_at', ['F1', 'F2', 'apple', 'berry', 'date', 'cherry']],
    ['&orderByField=viewer_last_viewed_at', ['F1', 'F2', 'cherry', 'apple', 'date', 'berry']],
    ['&orderByField=viewer_last_viewed_at&orderByDirection=ASC', ['F1', 'F2', 'berry', 'date', 'apple', 'cherry']],
  ])('is sorted and paged consistently: %s', async (query, expected) => {
    const day = (number: number) => new Date(Date.UTC(2026, 0, number));
    await folder('F2', null, { position: 2 });
    await folder('F1', null, { position: 1 });
    const cherry = await workbook('cherry', null, { createdAt: day(3), updatedAt: day(3) });
    const apple = await report('apple', null, { createdAt: day(4), updatedAt: day(9) });
    await workbook('berry', null, { createdAt: day(2), updatedAt: day(5) });
    await report('date', null, { createdAt: day(1), updatedAt: day(4) });
    const other = await platform.addUserKey(`other-${query.length}`);
    await platform.db.insert(workbookViews).values([
      { userId: 1, workbookId: cherry, viewedAt: day(8) },
      { userId: other, workbookId: cherry, viewedAt: day(1) },
    ]);
    await platform.db.insert(reportViews).values({ userId: 1, reportId: apple, viewedAt: day(7) });
    expect(await names(`?first=100${query}`)).toEqual(expected);
    expect(await paged(query)).toEqual(expected);
  });

  test('has stable pages while others insert, also for equal sort keys', async () => {
    for (const each of ['a', 'a', 'b', 'b']) {
      await workbook(each);
      await report(each);
    }
    const down = '&orderByDirection=DESC';
    let first = true;
    const once = async () => {
      if (first) await report('A first one');
      first = false;
    };
    expect(await paged('', once)).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b']);
    expect(await paged(`&types=REPORT${down}`)).toEqual(['b', 'b', 'a', 'a', 'A first one']);
    const page = await platform.ok('GET', `${workspace}?first=3${down}`);
    const { endCursor } = page.pageInfo;
    for (const query of ['', '?orderByField=created_at', '?orderByField=name&orderByDirection=ASC']) {
      const path = `${workspace}${query}${query ? '&' : '?'}after=${endCursor}`;
      expect(await platform.call('GET', path), path).toMatchObject({ status: 400 });
    }
  });

  test('is searched by substring of the name in all folders, case-insensitively, with literal wildcards', async () => {
    const outer = await folder('Sales');
    await folder('more SALES', outer);
    await workbook('Weekly sales', outer);
    await report('100%_sure');
    await report('1000 sure');
    expect(await names('?search=sales')).toEqual(['Sales', 'more SALES', 'Weekly sales']);
    expect(await names(`?search=${encodeURIComponent('%_')}`)).toEqual(['100%_sure']);
    expect(await names(`?search=${encodeURIComponent('\\')}`)).toEqual([]);
    expect(await names('?search=%20')).toHaveLength(3);
  });

  test.each([
    ['?types=NOTHING', 'query.types.0'],
    ['?orderByField=id', 'query.orderByField'],
    ['?orderByDirection=asc', 'query.orderByDirection'],
    ['?folderId=-1', 'query.folderId'],
    ['?first=0', 'query.first'],
    ['?search=a%00b', 'query.search'],
    ['?after=%7B%7D', 'query.after'],
    [`?search=${'x'.repeat(256)}`, 'query.search'],
    ['?color=red', 'color'],
  ])('rejects %s', async (query, field) => {
    expect(await platform.call('GET', `${workspace}${query}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(field) },
    });
  });

  test.each([
    '9999-13-45T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    'now',
    "'; drop table folders",
  ])('rejects a cursor with the time %s', async time => {
    const cursor = ['workspace created_at DESC', time, '1', '1'];
    const after = Buffer.from(JSON.stringify(cursor)).toString('base64url');
    const path = `${workspace}?orderByField=created_at&after=${after}`;
    expect(await platform.call('GET', path)).toMatchObject({ status: 400 });
  });

  test('contains readable items and their parent folders (spec 5.3)', async () => {
    const outer = await folder('Way');
    await folder('Hidden', outer);
    const book = await workbook('Granted', outer);
    await workbook('Not granted', outer);
    await report('Not granted either', outer);
    const key = `reader-${book}`;
    const userId = await platform.addUserKey(key, 'AIBIViewer', [
      { resourceType: 'Workbook', actions: ['WorkbookRead'], resources: [String(book)] },
    ]);
    await report('Own', null, { createdBy: userId });
    expect(await names('', key)).toEqual(['Way', 'Own']);
    expect(await names(`?folderId=${outer}`, key)).toEqual(['Granted']);
    expect(await names('?search=t', key)).toEqual(['Granted']);
    const away = await folder('Away');
    expect(await platform.call('GET', `${workspace}?folderId=${away}`, undefined, key)).toMatchObject({ status: 404 });
    expect(await platform.call('GET', '/api/v1/deployments/99/workspace')).toMatchObject({ status: 404 });
  });

  test('is denied to embed users, and limited to own content in creator mode', async () => {
    await workbook('Of the account');
    const ann = await platform.tokenOf({ embedTenantName: 'acme' });
    expect(await platform.call('GET', workspace, undefined, ann)).toMatchObject({ status: 403 });
    const creator = { creatorMode: true, externalId: 'cat' };
    const atAcme = await platform.tokenOf({ ...creator, embedTenantName: 'acme' });
    const atOther = await platform.tokenOf({ ...creator, embedTenantName: 'other' });
    await platform.ok('POST', `${base}/folders`, { name: 'Of cat' }, atAcme);
    expect(await names('', atAcme)).toEqual(['Of cat']);
    expect(await names('', atOther)).toEqual([]);
    expect(await names('?search=a', atOther)).toEqual([]);
    // An admin's session is limited to its tenant too.
    const admin = { internalId: 'admin', externalId: null };
    expect(await names('', await platform.tokenOf({ ...admin, embedTenantName: 'other' }))).toEqual(['Of the account']);
    const both = ['Of cat', 'Of the account'];
    expect(await names('', await platform.tokenOf({ ...admin, embedTenantName: 'acme' }))).toEqual(both);
    expect(await names()).toEqual(both);
  });
});

describe('favorites', () => {
  test('mark items of every type for one user, also in other lists', async () => {
    const items = [
      { type: 'FOLDER', id: await folder('A folder') },
      { type: 'WORKBOOK', id: await workbook('A workbook') },
      { type: 'REPORT', id: await report('A report') },
    ];
    await workbook('Another');
    for (const item of items) await platform.ok('POST', `${workspace}/favorite`, { ...item, isFavorite: true });
    expect(await names('?favorites=true')).toEqual(['A folder', 'A report', 'A workbook']);
    const { items: listed } = await platform.ok('GET', `${base}/workbooks`);
    expect(listed.map(({ name, isFavorite }: { name: string; isFavorite: boolean }) => [name, isFavorite])).toEqual([
      ['Another', false],
      ['A workbook', true],
    ]);
    const [entry] = await platform.audited('setWorkspaceFavorite');
    expect(entry?.target).toMatchObject({ type: 'FOLDER', isFavorite: true });
    const key = 'reader-of-all';
    await platform.addUserKey(key, 'AIBIViewer', [
      { resourceType: 'Workbook', actions: ['WorkbookRead'], resources: ['All'] },
    ]);
    expect(await names('?favorites=true', key)).toEqual([]);
  });
});

describe('moving an item (operations.md, Workspace rights)', () => {
  const move = (body: object, credential?: string) => platform.call('POST', `${workspace}/move`, body, credential);

  test('moves it to a folder or the root and returns it; repeating it changes nothing', async () => {
    const target = await folder('Target');
    for (const [type, id] of [
      ['WORKBOOK', await workbook('W')],
      ['REPORT', await report('R')],
      ['FOLDER', await folder('F')],
    ]) {
      const moved = await move({ type, id, folderId: target });
      expect(moved.body).toMatchObject({ type, id, folderId: target, folderPath: [{ name: 'Target' }] });
      expect(await move({ type, id, folderId: target })).toEqual(moved);
      expect(await move({ type, id })).toMatchObject({ status: 200, body: { folderId: null, folderPath: [] } });
    }
    const [entry] = await platform.audited('moveWorkspaceObject');
    expect(entry?.target).toMatchObject({ type: 'WORKBOOK', folderId: target });
  });

  test('rejects moving a folder into itself or a subfolder, and moving a report of a workbook', async () => {
    const outer = await folder('Outer');
    const middle = await folder('Middle', outer);
    const inner = await folder('Inner', middle);
    for (const folderId of [outer, middle, inner]) {
      expect(await move({ type: 'FOLDER', id: outer, folderId })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('itself') },
      });
    }
    const id = await report('R', null, { workbookId: await workbook('W') });
    expect(await move({ type: 'REPORT', id, folderId: inner })).toMatchObject({ status: 400 });
  });

  test('requires manage access to the item and edit access to the folder', async () => {
    const edited = await folder('Edited');
    const read = await folder('Read');
    const hidden = await folder('Hidden');
    const book = await workbook('Managed');
    const other = await workbook('Edited');
    const secret = await report('Secret');
    const key = `mover-${book}`;
    await platform.addUserKey(key, 'AIBIUser', [
      { resourceType: 'Folder', actions: ['FolderEdit'], resources: [String(edited)] },
      { resourceType: 'Folder', actions: ['FolderRead'], resources: [String(read)] },
      { resourceType: 'Workbook', actions: ['WorkbookManage'], resources: [String(book)] },
      { resourceType: 'Workbook', actions: ['WorkbookEdit'], resources: [String(other)] },
    ]);
    const status = async (body: object) => (await move(body, key)).status;
    expect(await status({ type: 'WORKBOOK', id: book, folderId: edited })).toBe(200);
    expect(await status({ type: 'WORKBOOK', id: book, folderId: read })).toBe(403);
    expect(await status({ type: 'WORKBOOK', id: book, folderId: hidden })).toBe(404);
    expect(await status({ type: 'WORKBOOK', id: other, folderId: edited })).toBe(403);
    expect(await status({ type: 'REPORT', id: secret, folderId: edited })).toBe(404);
    expect(await status({ type: 'FOLDER', id: edited, folderId: null })).toBe(403);
    expect(await status({ type: 'FOLDER', id: hidden, folderId: edited })).toBe(404);
  });

  test('is limited to the deployment and the embed tenant', async () => {
    await platform.withConnection(client =>
      client.query(`insert into deployments (name, creation_step) values ('second', 'ready')`),
    );
    const here = await folder('Here');
    const there = await folder('There', null, { deploymentId: 2 });
    const book = await workbook('W');
    expect(await move({ type: 'WORKBOOK', id: book, folderId: there })).toMatchObject({ status: 404 });
    const elsewhere = { type: 'WORKBOOK', id: book, folderId: there };
    expect(await platform.call('POST', '/api/v1/deployments/2/workspace/move', elsewhere)).toMatchObject({
      status: 404,
    });
    const [tenant] = await platform.db.select().from(embedTenants);
    const own = await workbook('Of a tenant', null, { embedTenantId: tenant?.id });
    expect(await move({ type: 'WORKBOOK', id: own, folderId: here })).toMatchObject({ status: 400 });
  });

  test.each([
    [{ type: 'FILE', id: 1 }, 'body.type'],
    [{ type: 'FOLDER', id: 0 }, 'body.id'],
    [{ type: 'FOLDER', id: 1.5 }, 'body.id'],
    [{ type: 'FOLDER', id: 1, folderId: 'x' }, 'body.folderId'],
    [{ type: 'FOLDER' }, 'body.id'],
    [{ type: 'FOLDER', id: 1, parentId: 2 }, 'parentId'],
  ])('rejects %o', async (body, field) => {
    expect(await move(body)).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });
});

test('moving into a concurrently deleted folder fails, or the item ends at the root', async () => {
  for (let round = 0; round < 5; round++) {
    const target = await folder('Doomed');
    const books = [await workbook('a', target), await workbook('b'), await workbook('c')];
    const moves = books.map(id =>
      platform.call('POST', `${workspace}/move`, { type: 'WORKBOOK', id, folderId: target }),
    );
    const deleted = platform.call('DELETE', `${base}/folders/${target}`);
    for (const { status } of await Promise.all(moves)) expect([200, 404]).toContain(status);
    expect(await deleted).toMatchObject({ status: 204 });
    const left = await platform.db.select().from(workbooks).where(eq(workbooks.folderId, target));
    expect(left).toEqual([]);
  }
});

test('nested folders of an embed tenant are deleted with it', async () => {
  const [tenant] = await platform.db.insert(embedTenants).values({ name: 'leaving' }).returning();
  const embedTenantId = tenant?.id;
  const outer = await folder('Outer', null, { embedTenantId });
  const inner = await folder('Inner', outer, { embedTenantId });
  await workbook('In it', inner, { embedTenantId });
  await platform.db.delete(embedTenants).where(eq(embedTenants.name, 'leaving'));
  expect(await names('?search=n')).toEqual([]);
});

describe('bulk operations (operations.md, Workspace)', () => {
  test('move items in order, ignore duplicates, and report failures', async () => {
    const target = await folder('Target');
    const parent = await folder('Parent');
    const book = await workbook('W');
    const { moved, failed } = await platform.ok('POST', `${workspace}/bulk-move`, {
      folderId: target,
      items: [
        { type: 'WORKBOOK', id: book },
        { type: 'REPORT', id: 999_999 },
        { type: 'FOLDER', id: target },
        { type: 'WORKBOOK', id: book },
        { type: 'FOLDER', id: parent },
      ],
    });
    expect(moved).toMatchObject([
      { type: 'WORKBOOK', id: book, folderId: target },
      { type: 'FOLDER', id: parent, folderId: target },
    ]);
    expect(failed).toEqual([
      { type: 'REPORT', id: 999_999, error: { status: 404, message: 'Report not found' } },
      { type: 'FOLDER', id: target, error: { status: 400, message: expect.stringContaining('itself') } },
    ]);
  });

  test('delete in order: subfolders first, then the folder; its content moves to the root', async () => {
    const outer = await folder('Outer');
    const inner = await folder('Inner', outer);
    const full = await folder('Full');
    await folder('In it', full);
    const kept = await workbook('Kept', inner);
    const book = await workbook('Gone');
    const reportId = await report('Gone too', null, { workbookId: book });
    const { deleted, failed } = await platform.ok('POST', `${workspace}/bulk-delete`, {
      items: [
        { type: 'FOLDER', id: inner },
        { type: 'FOLDER', id: outer },
        { type: 'FOLDER', id: full },
        { type: 'WORKBOOK', id: book },
        { type: 'REPORT', id: reportId },
      ],
    });
    expect(deleted).toEqual([
      { type: 'FOLDER', id: inner },
      { type: 'FOLDER', id: outer },
      { type: 'WORKBOOK', id: book },
    ]);
    expect(failed).toMatchObject([
      { type: 'FOLDER', id: full, error: { status: 400 } },
      { type: 'REPORT', id: reportId, error: { status: 404 } },
    ]);
    const [row] = await platform.db.select().from(workbooks).where(eq(workbooks.id, kept));
    expect(row).toMatchObject({ folderId: null });
    const written = await platform.audited('bulkDeleteWorkspaceObjects');
    expect(written.map(({ target }) => target.id)).toEqual([inner, outer, book]);
  });

  test('report each item without access', async () => {
    const read = await workbook('Read');
    const hidden = await workbook('Hidden');
    const key = `bulk-${read}`;
    const userId = await platform.addUserKey(key, 'AIBIUser', [
      { resourceType: 'Workbook', actions: ['WorkbookEdit'], resources: [String(read)] },
    ]);
    const own = await report('Own', null, { createdBy: userId });
    const items = [
      { type: 'WORKBOOK', id: read },
      { type: 'WORKBOOK', id: hidden },
      { type: 'REPORT', id: own },
    ];
    const { deleted, failed } = await platform.ok('POST', `${workspace}/bulk-delete`, { items }, key);
    expect(deleted).toEqual([{ type: 'REPORT', id: own }]);
    expect(failed.map(({ error }: { error: { status: number } }) => error.status)).toEqual([403, 404]);
  });

  test.each([
    ['none', 0],
    ['more than 100', 101],
  ])('accept 1 to 100 items: %s is rejected', async (_what, length) => {
    const items = Array.from({ length }, (_, index) => ({ type: 'FOLDER', id: index + 1 }));
    for (const path of ['bulk-move', 'bulk-delete']) {
      expect(await platform.call('POST', `${workspace}/${path}`, { items })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('body.items') },
      });
    }
  });
});

describe('the shared workspace (operations.md, Workspace)', () => {
  const shared = `${base}/shared-workspace`;
  const published = async (name: string, folderId: number | null = null, more: object = {}) => {
    const id = await workbook(name, folderId, { meta: { secret: 1 }, ...more });
    await platform.ok('POST', `${base}/workbooks/${id}/publish`, { config: { widgets: [] }, allowEmbed: true });
    return id;
  };
  const shareWorkbook = (id: number, audience: object) =>
    platform.ok('PUT', `${base}/workbooks/${id}/embed-access`, { ...audience, action: 'read' });
  const shareFolder = (folderId: number, embedTenantName: string | null) =>
    platform.withConnection(client =>
      client.query(
        `insert into folder_shares (folder_id, group_id) select $1, id from groups where kind = 'sharing' and name = $2`,
        [folderId, embedTenantName === null ? 'system:embed-users' : `system:tenant:${embedTenantName}`],
      ),
    );
  const acme = { embedTenantName: 'acme' };
  const other = { embedTenantName: 'other' };

  test('contains items shared with the tenant or all embed users, for all users of the tenant', async () => {
    const ann = await platform.tokenOf(acme);
    const bob = await platform.tokenOf({ ...acme, externalId: 'bob' });
    const eve = await platform.tokenOf(other);
    await shareWorkbook(await published('For all'), { allEmbedUsers: true });
    await shareWorkbook(await published('For acme'), acme);
    await shareWorkbook(await published('For other'), other);
    await published('For nobody');
    await shareWorkbook(await workbook('Never published'), acme);
    expect(await names('', ann, shared)).toEqual(['For acme', 'For all']);
    expect(await names('', bob, shared)).toEqual(['For acme', 'For all']);
    expect(await names('', eve, shared)).toEqual(['For all', 'For other']);
    expect(await names('?search=ACME', ann, shared)).toEqual(['For acme']);
    expect(await names('?search=acme', eve, shared)).toEqual([]);
  });

  test('has favorites of each user, which are listed from all folders', async () => {
    const ann = await platform.tokenOf(acme);
    const bob = await platform.tokenOf({ ...acme, externalId: 'bob' });
    const eve = await platform.tokenOf(other);
    const folderId = await folder('Nested');
    const id = await published('Deep', folderId);
    await shareWorkbook(id, acme);
    await shareWorkbook(await published('Flat'), acme);
    const mark = (credential: string, isFavorite = true) =>
      platform.call('POST', `${workspace}/favorite`, { type: 'WORKBOOK', id, isFavorite }, credential);
    expect(await mark(ann)).toMatchObject({ status: 200, body: { id, isFavorite: true, meta: {}, user: null } });
    expect(await mark(ann)).toMatchObject({ status: 200 });
    expect(await mark(eve)).toMatchObject({ status: 404 });
    expect(await names('?favorites=true', ann, shared)).toEqual(['Deep']);
    expect(await names('?favorites=true&search=flat', ann, shared)).toEqual([]);
    expect(await names('?favorites=true', bob, shared)).toEqual([]);
    expect(await mark(ann, false)).toMatchObject({ status: 200, body: { isFavorite: false } });
    expect(await names('?favorites=true', ann, shared)).toEqual([]);
  });

  test('omits owners, drafts and meta', async () => {
    const ann = await platform.tokenOf(acme);
    const id = await published('Board');
    await shareWorkbook(id, acme);
    const { items } = await platform.ok('GET', shared, undefined, ann);
    expect(items).toMatchObject([{ id, meta: {}, createdBy: null, userId: null, user: null }]);
    expect(items[0].publishedDashboard).toMatchObject({ fromSharedWorkspace: true, createdBy: null });
    const { publicId } = items[0].publishedDashboard;
    expect(await platform.call('GET', `/api/v1/embed/dashboard/${publicId}`, undefined, ann)).toMatchObject({
      status: 200,
    });
    expect(JSON.stringify(items)).not.toMatch(/secret|localhost/);
  });

  test('shows parent folders at any depth and hides siblings that are not shared', async () => {
    const ann = await platform.tokenOf(acme);
    const eve = await platform.tokenOf(other);
    const outer = await folder('Outer');
    const middle = await folder('Middle', outer);
    const inner = await folder('Inner', middle);
    const sibling = await folder('Sibling', outer);
    await published('Deep', inner);
    await published('Beside', outer);
    await report('Loose', inner);
    await shareFolder(middle, 'acme');
    expect(await names('', ann, shared)).toEqual(['Outer']);
    expect(await names(`?folderId=${outer}`, ann, shared)).toEqual(['Middle']);
    expect(await names(`?folderId=${middle}`, ann, shared)).toEqual(['Inner']);
    expect(await names(`?folderId=${inner}`, ann, shared)).toEqual(['Deep']);
    const { items } = await platform.ok('GET', `${shared}?search=deep`, undefined, ann);
    expect(items[0].folderPath.map(({ name }: Item) => name)).toEqual(['Outer', 'Middle', 'Inner']);
    expect(await names('', eve, shared)).toEqual([]);
    for (const [id, token] of [
      [sibling, ann],
      [inner, eve],
    ] as const) {
      const path = `${shared}?folderId=${id}`;
      expect(await platform.call('GET', path, undefined, token)).toMatchObject({ status: 404 });
    }
    await shareFolder(outer, null);
    expect(await names(`?folderId=${outer}`, eve, shared)).toEqual(['Middle', 'Sibling', 'Beside']);
  });

  test('never contains content of another tenant, even if it is shared', async () => {
    const ann = await platform.tokenOf(acme);
    const eve = await platform.tokenOf(other);
    const [tenant] = await platform.db.select().from(embedTenants).where(eq(embedTenants.name, 'acme'));
    const embedTenantId = tenant?.id;
    const own = await folder('Of acme', null, { embedTenantId });
    await published('Made by acme', own, { embedTenantId });
    await shareFolder(own, null);
    expect(await names(`?folderId=${own}`, ann, shared)).toEqual(['Made by acme']);
    expect(await names('', eve, shared)).toEqual([]);
    expect(await names('?search=a', eve, shared)).toEqual([]);
  });

  test('is paged separately', async () => {
    const ann = await platform.tokenOf(acme);
    for (const name of ['a', 'b', 'c']) await shareWorkbook(await published(name), acme);
    const first = await platform.ok('GET', `${shared}?first=2`, undefined, ann);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true });
    const after = `&after=${first.pageInfo.endCursor}`;
    expect(await names(`?first=2${after}`, ann, shared)).toEqual(['c']);
    expect(await platform.call('GET', `${workspace}?first=2${after}`)).toMatchObject({ status: 400 });
  });

  test('is available to embed sessions in their own deployment', async () => {
    expect(await platform.call('GET', shared)).toMatchObject({ status: 403 });
    expect(await platform.call('GET', shared, undefined, '')).toMatchObject({ status: 401 });
    const ann = await platform.tokenOf(acme);
    expect(await platform.call('GET', '/api/v1/deployments/2/shared-workspace', undefined, ann)).toMatchObject({
      status: 404,
    });
  });
});
