import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/contract/roles.js';
import { type Answer, someoneWaits, startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

const all = '/api/v1/deployments/1/workbooks';
const at = (id: number) => `${all}/${id}`;
const position = { x: 0, y: 0, w: 2, h: 2 };
const note = { type: 'TEXT', position, config: { markdown: 'hi' } };
const create = (body: object = {}, credential?: string): Promise<Answer['body']> =>
  platform.ok('POST', all, body, credential);
const put = (id: number, body: object, credential?: string) => platform.call('PUT', at(id), body, credential);
const read = (id: number, credential?: string) => platform.call('GET', at(id), undefined, credential);
const folder = async (name: string, credential?: string): Promise<number> =>
  (await platform.ok('POST', '/api/v1/deployments/1/folders', { name }, credential)).id;
const creator = (embedTenantName: string, externalId = 'ann') =>
  platform.tokenOf({ embedTenantName, externalId, creatorMode: true });
const onWorkbook = (id: number, action: Policy['actions'][number]): Policy => ({
  resourceType: 'Workbook',
  actions: [action],
  resources: [String(id)],
});
const slugTaken = { status: 409, body: { code: 'slug_taken' } };

describe('creating a workbook (spec 4.5)', () => {
  test('creates a workbook of the caller without a slug', async () => {
    const workbook = await create({ name: 'Mine', meta: { a: 1 } });
    expect(workbook).toMatchObject({
      name: 'Mine',
      meta: { a: 1 },
      slug: null,
      folderId: null,
      folderPath: [],
      userId: 1,
    });
    expect((await read(workbook.id)).body).toEqual(workbook);
    expect(await create()).toMatchObject({ name: 'Untitled workbook', isFavorite: false });
  });

  test('creates it in the given folder', async () => {
    const folderId = await folder('Sales');
    expect(await create({ folderId })).toMatchObject({ folderId, folderPath: [{ id: folderId, name: 'Sales' }] });
    expect(await platform.call('POST', all, { folderId: 999_999 })).toMatchObject({ status: 404 });
  });

  test('requires the AI BI User role and an existing deployment (spec 4.3, rule 5)', async () => {
    await platform.addUserKey('viewer-creates', 'AIBIViewer');
    await platform.addUserKey('user-creates', 'AIBIUser');
    expect(await platform.call('POST', all, {}, 'viewer-creates')).toMatchObject({ status: 403 });
    expect(await platform.call('POST', all, {}, 'user-creates')).toMatchObject({ status: 200 });
    expect(await platform.call('POST', '/api/v1/deployments/2/workbooks', {})).toMatchObject({ status: 404 });
  });

  test.each([
    ['an unknown field', { slug: 'x' }, 'slug'],
    ['a long name', { name: 'x'.repeat(256) }, 'body.name'],
    ['an invalid folder', { folderId: 0 }, 'body.folderId'],
    ['an invalid draft', { meta: { dashboardDraft: { widgets: 1 } } }, 'body.meta.dashboardDraft.widgets'],
  ])('rejects %s with 400 and names the field', async (_what, body, field) => {
    const answer = await platform.call('POST', all, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });
});

describe('listing workbooks', () => {
  test('pages newest first, stable while others insert, with the deprecated fields (spec 4.5)', async () => {
    await platform.addUserKey('lister', 'AIBIUser');
    const made = [await create({}, 'lister'), await create({}, 'lister'), await create({}, 'lister')];
    const ids = made.map(({ id }) => id).reverse();
    const first = await platform.ok('GET', `${all}?first=2`, undefined, 'lister');
    expect(first).toMatchObject({ count: 3, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    expect(first.data).toEqual(first.items);
    await create({}, 'lister');
    const rest = await platform.ok('GET', `${all}?first=2&after=${first.pageInfo.endCursor}`, undefined, 'lister');
    expect([...first.items, ...rest.items].map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(await platform.call('GET', `${all}?after=nonsense`)).toMatchObject({ status: 400 });
  });

  test('filters by folder or root', async () => {
    await platform.addUserKey('sorter', 'AIBIUser');
    const folderId = await folder('Of the sorter', 'sorter');
    const inside = await create({ folderId }, 'sorter');
    const outside = await create({}, 'sorter');
    const idsIn = async (query: string) =>
      (await platform.ok('GET', `${all}?folderId=${query}`, undefined, 'sorter')).items.map(
        ({ id }: { id: number }) => id,
      );
    expect(await idsIn(String(folderId))).toEqual([inside.id]);
    expect(await idsIn('0')).toEqual([outside.id]);
    expect(await platform.call('GET', `${all}?folderId=-1`)).toMatchObject({ status: 400 });
  });

  test('omits drafts and workbooks that the caller cannot read', async () => {
    const { id } = await create({ meta: { kept: 1, dashboardDraft: { widgets: [note] } } });
    const items = (await platform.ok('GET', all)).items;
    expect(items.find((item: { id: number }) => item.id === id).meta).toEqual({ kept: 1 });
    const token = await creator('listed');
    const own = await create({}, token);
    expect(await platform.ok('GET', all, undefined, token)).toMatchObject({ count: 1, items: [{ id: own.id }] });
    expect(await platform.ok('GET', all, undefined, await creator('elsewhere'))).toMatchObject({ count: 0, items: [] });
    expect(await platform.call('GET', all, undefined, await platform.tokenOf())).toMatchObject({ status: 403 });
  });
});

describe('reading a workbook', () => {
  test('returns the draft with edit access, other fields with read access', async () => {
    const { id } = await create({ meta: { kept: 1, dashboardDraft: { widgets: [note] } } });
    await platform.addUserKey('reads-one', 'AIBIViewer', [onWorkbook(id, 'WorkbookRead')]);
    await platform.addUserKey('edits-one', 'AIBIUser', [onWorkbook(id, 'WorkbookEdit')]);
    const seen = (await read(id, 'reads-one')).body;
    expect(seen).toMatchObject({ meta: { kept: 1 }, dashboardDraft: null });
    expect(JSON.stringify(seen)).not.toContain('markdown');
    expect((await read(id, 'edits-one')).body).toMatchObject({ dashboardDraft: { widgets: [{ id: 'widget-1' }] } });
    await platform.addUserKey('reads-none', 'AIBIDeveloper');
    expect(await read(id, 'reads-none')).toMatchObject({ status: 404 });
  });

  test('records a view at most once per minute', async () => {
    const { id } = await create();
    const seenAt = () =>
      platform.withConnection(async client => {
        const { rows } = await client.query('select viewed_at from workbook_views where workbook_id = $1', [id]);
        return rows.map(({ viewed_at }) => viewed_at.getTime());
      });
    await read(id);
    const [first] = await seenAt();
    await read(id);
    expect(await seenAt()).toEqual([first]);
    await platform.withConnection(client =>
      client.query(`update workbook_views set viewed_at = '2020-01-01' where workbook_id = $1`, [id]),
    );
    await read(id);
    expect((await seenAt())[0]).toBeGreaterThanOrEqual(first ?? Number.NaN);
  });
});

describe('updating a workbook (spec 4.5)', () => {
  test('updates sent fields, replaces meta and returns the workbook', async () => {
    const { id } = await create({ name: 'Old', meta: { a: 1, b: 2 } });
    const { body } = await put(id, { meta: { c: 3 }, slug: ' Quarter-1 ' });
    expect(body).toMatchObject({ id, name: 'Old', slug: 'quarter-1' });
    expect(body.meta).toEqual({ c: 3 });
    expect((await read(id)).body).toEqual(body);
    expect((await put(id, { name: 'New' })).body).toMatchObject({ name: 'New', meta: { c: 3 }, slug: 'quarter-1' });
  });

  test('repeating the request does not change updatedAt', async () => {
    const { id } = await create();
    const body = { name: 'Same', meta: { x: { y: [1] } }, slug: 'same-again', folderId: await folder('Same') };
    const first = (await put(id, body)).body;
    expect((await put(id, body)).body).toEqual(first);
    expect((await put(id, {})).body).toEqual(first);
  });

  test('moving to a folder or the root requires manage access and edit access to the target', async () => {
    await platform.addUserKey('mover', 'AIBIUser');
    const mine = await create({}, 'mover');
    const own = await folder('Own', 'mover');
    const foreign = await folder('Foreign');
    expect((await put(mine.id, { folderId: own }, 'mover')).body).toMatchObject({ folderId: own });
    expect(await put(mine.id, { folderId: foreign }, 'mover')).toMatchObject({ status: 404 });
    expect((await put(mine.id, { folderId: null }, 'mover')).body).toMatchObject({ folderId: null, folderPath: [] });
    const { id } = await create();
    await platform.addUserKey('edits-only', 'AIBIUser', [onWorkbook(id, 'WorkbookEdit')]);
    expect(await put(id, { name: 'Edited' }, 'edits-only')).toMatchObject({ status: 200 });
    expect(await put(id, { name: 'Moved', folderId: null }, 'edits-only')).toMatchObject({ status: 403 });
    expect((await read(id)).body).toMatchObject({ name: 'Edited' });
  });

  test('returns 404 without read access, 403 without edit access, 404 for another deployment', async () => {
    const { id } = await create();
    await platform.addUserKey('put-nothing', 'AIBIUser');
    await platform.addUserKey('put-read', 'AIBIUser', [onWorkbook(id, 'WorkbookRead')]);
    expect(await put(id, { name: 'x' }, 'put-nothing')).toMatchObject({ status: 404 });
    expect(await put(id, { name: 'x' }, 'put-read')).toMatchObject({ status: 403 });
    expect(await platform.call('PUT', `/api/v1/deployments/2/workbooks/${id}`, {})).toMatchObject({ status: 404 });
    expect(await put(id, {}, await creator('put-tenant'))).toMatchObject({ status: 404 });
  });

  test.each([
    ['an invalid draft', { meta: { dashboardDraft: { widget: [] } } }, 'body.meta.dashboardDraft'],
    ['an empty slug', { slug: '  ' }, 'body.slug'],
    ['a slug that is not text', { slug: 1 }, 'body.slug'],
    ['an unknown field', { type: 'WORKBOOK' }, 'type'],
  ])('rejects %s with 400 and names the field', async (_what, body, field) => {
    const { id } = await create();
    expect(await put(id, body)).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });
});

describe('slugs that are taken (spec 4.5, slugTakeover)', () => {
  const slugOf = async (id: number) => (await read(id)).body.slug;

  test('returns 409 slug_taken for a slug of another workbook; slugTakeover removes it from the holder', async () => {
    const holder = await create();
    const other = await create({ name: 'Other' });
    await put(holder.id, { slug: 'held' });
    expect(await put(other.id, { slug: 'held', name: 'Renamed' })).toMatchObject(slugTaken);
    expect(await put(other.id, { slug: 'held', slugTakeover: false })).toMatchObject(slugTaken);
    expect((await read(other.id)).body).toMatchObject({ name: 'Other', slug: null });
    expect((await put(other.id, { slug: 'held', slugTakeover: true })).body).toMatchObject({ slug: 'held' });
    expect(await slugOf(holder.id)).toBeNull();
    expect((await put(other.id, { slug: 'held', slugTakeover: true })).body).toMatchObject({ slug: 'held' });
  });

  test('takeover requires edit access to the holder', async () => {
    const holder = await create();
    await put(holder.id, { slug: 'guarded' });
    await platform.addUserKey('takes-blind', 'AIBIUser');
    await platform.addUserKey('takes-reading', 'AIBIUser', [onWorkbook(holder.id, 'WorkbookRead')]);
    await platform.addUserKey('takes-editing', 'AIBIUser', [onWorkbook(holder.id, 'WorkbookEdit')]);
    for (const key of ['takes-blind', 'takes-reading']) {
      const mine = await create({}, key);
      expect(await put(mine.id, { slug: 'guarded', slugTakeover: true }, key)).toMatchObject(slugTaken);
    }
    expect(await slugOf(holder.id)).toBe('guarded');
    const mine = await create({}, 'takes-editing');
    const taken = await put(mine.id, { slug: 'guarded', slugTakeover: true }, 'takes-editing');
    expect(taken).toMatchObject({ status: 200, body: { slug: 'guarded' } });
  });

  test('concurrent takeovers are serialized and leave one holder', async () => {
    const holder = await create();
    const [one, two] = [await create(), await create()];
    for (let round = 0; round < 10; round++) {
      await put(holder.id, { slug: 'expected', slugTakeover: true });
      const takeover = { slug: 'expected', slugTakeover: true };
      const answers = await Promise.all([put(one.id, takeover), put(two.id, takeover)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const slugs = await Promise.all([holder, one, two].map(({ id }) => slugOf(id)));
      expect(slugs.filter(slug => slug === 'expected')).toHaveLength(1);
      expect(slugs[0]).toBeNull();
    }
  });

  test('takeovers of each other’s slugs do not deadlock', async () => {
    const [one, two] = [await create(), await create()];
    await put(one.id, { slug: 'slug-one' });
    await put(two.id, { slug: 'slug-two' });
    const answers = await Promise.all([
      put(one.id, { slug: 'slug-two', slugTakeover: true }),
      put(two.id, { slug: 'slug-one', slugTakeover: true }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([await slugOf(one.id), await slugOf(two.id)]).toEqual(['slug-two', 'slug-one']);
  });

  test('a slug that moves to another workbook during the request is resolved again', async () => {
    const [one, two] = [await create(), await create()];
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`update workbooks set slug = 'moving' where id = $1`, [one.id]);
      const answer = put(two.id, { slug: 'moving' });
      await someoneWaits(client);
      await client.query('commit');
      expect(await answer).toMatchObject(slugTaken);
    });
  });

  test('are scoped to the embed tenant and not visible to others', async () => {
    const bySlug = `${all}/by-slug/private-slug`;
    const account = await platform.ok('PUT', bySlug, { name: 'Account' });
    const ours = await platform.ok('PUT', bySlug, { name: 'Ours' }, await creator('slug-a'));
    const theirs = await platform.ok('PUT', bySlug, { name: 'Theirs' }, await creator('slug-b'));
    expect(new Set([account.id, ours.id, theirs.id]).size).toBe(3);
    expect(await platform.ok('PUT', bySlug, {}, await creator('slug-a'))).toMatchObject({ id: ours.id, name: 'Ours' });
    // A colleague of the tenant shares the slug namespace, but cannot access the workbook.
    expect(await platform.call('PUT', bySlug, {}, await creator('slug-a', 'bob'))).toMatchObject({ status: 404 });
  });
});

describe('a dashboard’s draft', () => {
  const draft = (id: number, body: object, credential?: string) =>
    platform.call('PUT', `${at(id)}/dashboard`, body, credential);

  test('is replaced, removed by null, and retained if omitted', async () => {
    const { id } = await create({ meta: { kept: 1 } });
    const { body } = await draft(id, { dashboardDraft: { title: 'D', widgets: [note] } });
    expect(body).toMatchObject({ dashboardDraft: { title: 'D', widgets: [{ id: 'widget-1' }] } });
    const before = (await read(id)).body;
    expect(before.meta).toEqual({ kept: 1, dashboardDraft: { title: 'D', widgets: [note] } });
    await draft(id, { dashboardDraft: { title: 'D', widgets: [note] } });
    await draft(id, {});
    expect((await read(id)).body).toEqual(before);
    expect((await draft(id, { dashboardDraft: null })).body).toMatchObject({ dashboardDraft: null });
    expect((await read(id)).body).toMatchObject({ meta: { kept: 1 }, dashboardDraft: null });
  });

  test('is not replaced if it changed since its revision was read', async () => {
    const { id, draftRevision: first } = await create();
    const mine = await draft(id, { dashboardDraft: { title: 'Mine' }, draftRevision: first });
    expect(mine).toMatchObject({ status: 200, body: { dashboardDraft: { title: 'Mine' } } });
    const { draftRevision } = mine.body;
    expect(draftRevision).not.toBe(first);
    expect((await read(id)).body).toMatchObject({ draftRevision });
    expect(await draft(id, { dashboardDraft: { title: 'Theirs' }, draftRevision: first })).toMatchObject({
      status: 409,
      body: { code: 'draft_changed' },
    });
    // A new name does not change the draft.
    await put(id, { name: 'Renamed' });
    expect(await draft(id, { dashboardDraft: { title: 'Next' }, draftRevision })).toMatchObject({ status: 200 });
    expect((await read(id)).body).toMatchObject({ dashboardDraft: { title: 'Next' } });
  });

  test('has a revision only for callers who can edit it', async () => {
    const { id } = await create({ meta: { dashboardDraft: { title: 'D' } } });
    await platform.addUserKey('revision-reads', 'AIBIUser', [onWorkbook(id, 'WorkbookRead')]);
    expect((await read(id, 'revision-reads')).body.draftRevision).toBeNull();
  });

  test('is validated and requires edit access', async () => {
    const { id } = await create();
    await platform.addUserKey('draft-reads', 'AIBIUser', [onWorkbook(id, 'WorkbookRead')]);
    expect(await draft(id, { dashboardDraft: { widgets: [{ type: 'CHART', position }] } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('body.dashboardDraft.widgets.0.config.reportId') },
    });
    expect(await draft(id, { dashboardDraft: null }, 'draft-reads')).toMatchObject({ status: 403 });
    expect(await draft(999_999, {})).toMatchObject({ status: 404 });
  });
});

describe('deleting a workbook', () => {
  const remove = (id: number, credential?: string) => platform.call('DELETE', at(id), undefined, credential);

  test('deletes its reports, dashboard and shares', async () => {
    const { id } = await create();
    const report = await platform.ok('POST', '/api/v1/deployments/1/reports', { name: 'R', workbookId: id });
    const dashboard = await platform.ok('POST', `${at(id)}/publish`, { config: { widgets: [] } });
    await platform.ok('PUT', `${at(id)}/embed-access`, { allEmbedUsers: true, action: 'read' });
    expect(await remove(id)).toMatchObject({ status: 204 });
    expect(await read(id)).toMatchObject({ status: 404 });
    expect(await remove(id)).toMatchObject({ status: 404 });
    const reports = `/api/v1/deployments/1/reports/${report.id}`;
    expect(await platform.call('GET', reports)).toMatchObject({ status: 404 });
    expect(await platform.call('GET', `/api/v1/embed/dashboard/${dashboard.publicId}`)).toMatchObject({ status: 404 });
  });

  test('requires manage access and is recorded in the audit log', async () => {
    const { id } = await create();
    await platform.addUserKey('deletes-editing', 'AIBIUser', [onWorkbook(id, 'WorkbookEdit')]);
    await platform.addUserKey('deletes-managing', 'AIBIUser', [onWorkbook(id, 'WorkbookManage')]);
    expect(await remove(id, 'deletes-editing')).toMatchObject({ status: 403 });
    expect(await remove(id, await creator('deletes'))).toMatchObject({ status: 404 });
    expect(await remove(id, 'deletes-managing')).toMatchObject({ status: 204 });
    const plan = await platform.withConnection(client =>
      client.query(`select operation, target from audit_log where target->>'workbookId' = $1 order by id`, [
        String(id),
      ]),
    );
    expect(plan.rows).toEqual([
      { operation: 'createWorkbook', target: { deploymentId: 1, workbookId: id } },
      { operation: 'deleteWorkbook', target: { deploymentId: 1, workbookId: id } },
    ]);
  });
});
