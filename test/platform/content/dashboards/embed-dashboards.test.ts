import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../../test-platform.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
  await Promise.all([platform.tokenOf({ embedTenantName: 'acme' }), platform.tokenOf({ embedTenantName: 'other' })]);
});
afterAll(() => platform.stop());

let count = 0;
let workbook: string;
let publicId: string;

beforeEach(async () => {
  count += 1;
  const { id } = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/shared-${count}`, {});
  workbook = `/api/v1/deployments/1/workbooks/${id}`;
  publicId = (await platform.ok('POST', `${workbook}/publish`, { config: { widgets: [] }, allowEmbed: true })).publicId;
});

const change = (body: object) => platform.call('PUT', `${workbook}/embed-access`, body);
const read = async (grant: object) =>
  (await platform.call('GET', `/api/v1/embed/dashboard/${publicId}`, undefined, await platform.tokenOf(grant))).status;
const acme = { embedTenantName: 'acme' };
const other = { embedTenantName: 'other' };

describe('embed/dashboard (operations.md, Embed)', () => {
  test('returns 404 to an embed session until the dashboard is shared with its tenant', async () => {
    expect(await read(acme)).toBe(404);
    await change({ ...acme, action: 'read' });
    expect(await read(acme)).toBe(200);
    expect(await read(other)).toBe(404);
    await change({ ...acme, action: 'none' });
    expect(await read(acme)).toBe(404);
  });

  test('is readable by every embed session if it is shared with all embed users', async () => {
    await change({ allEmbedUsers: true, action: 'read' });
    expect([await read(acme), await read(other), await read({})]).toEqual([200, 200, 200]);
    await change({ allEmbedUsers: true, action: 'none' });
    expect(await read(acme)).toBe(404);
  });

  test('returns 403 when embedding is off, except in creator mode; hidden dashboards still return 404', async () => {
    await change({ ...acme, action: 'read', allowEmbed: false });
    expect(await read(acme)).toBe(403);
    expect(await read({ ...acme, creatorMode: true })).toBe(200);
    expect(await read(other)).toBe(404);
    expect(await read({ ...other, creatorMode: true })).toBe(404);
  });

  test("an admin's API key reads all dashboards, a user's key only the user's own", async () => {
    await change({ allowEmbed: false });
    await platform.ok('GET', `/api/v1/embed/dashboard/${publicId}`);
    await platform.addUserKey(`key-${count}`);
    const asUser = await platform.call('GET', `/api/v1/embed/dashboard/${publicId}`, undefined, `key-${count}`);
    expect(asUser).toMatchObject({ status: 404 });
  });

  test('a session of another deployment cannot read the dashboard', async () => {
    await change({ allEmbedUsers: true, action: 'read' });
    await platform.withConnection(client =>
      client.query(`insert into deployments (id, name, creation_step) values (2, 'o', 'ready') on conflict do nothing`),
    );
    expect(await read({ deploymentId: 2 })).toBe(404);
    expect(await read({ deploymentId: 2, externalId: null, internalId: 'admin' })).toBe(404);
    expect(await read({ deploymentId: 1, externalId: null, internalId: 'admin' })).toBe(200);
  });

  test('returns 404 for an unknown id, 400 for an invalid one', async () => {
    expect(await platform.call('GET', '/api/v1/embed/dashboard/000000000000')).toMatchObject({ status: 404 });
    expect(await platform.call('GET', '/api/v1/embed/dashboard/short')).toMatchObject({ status: 400 });
    expect(await platform.call('GET', '/api/v1/embed/dashboard/000000000000', undefined, '')).toMatchObject({
      status: 401,
    });
  });
});

describe('embed-access (operations.md, Dashboard Embed Access)', () => {
  test('returns who can read the dashboard; changes are idempotent', async () => {
    const none = { allowEmbed: true, allEmbedUsers: { enabled: false, action: 'none' }, tenants: [] };
    expect(await platform.ok('GET', `${workbook}/embed-access`)).toMatchObject(none);
    for (const _ of [1, 2]) {
      await platform.ok('PUT', `${workbook}/embed-access`, { ...other, action: 'read' });
      await platform.ok('PUT', `${workbook}/embed-access`, { ...acme, action: 'read', allowEmbed: false });
      await platform.ok('PUT', `${workbook}/embed-access`, { allEmbedUsers: true, action: 'read' });
    }
    const access = await platform.ok('GET', `${workbook}/embed-access`);
    expect(access).toMatchObject({ allowEmbed: false, allEmbedUsers: { enabled: true, action: 'read' } });
    expect(access.tenants).toEqual([
      { ...acme, groupId: expect.any(Number), action: 'read' },
      { ...other, groupId: expect.any(Number), action: 'read' },
    ]);
    await change({ ...acme, action: 'none' });
    await change({ ...acme, action: 'none' });
    expect((await platform.ok('GET', `${workbook}/embed-access`)).tenants).toHaveLength(1);
  });

  test.each([
    ['no change', {}],
    ['only nulls', { action: null, allowEmbed: null }],
    ['a target without action', acme],
    ['an action without target', { action: 'read' }],
    ['allEmbedUsers false as target', { allEmbedUsers: false, action: 'read' }],
    ['two targets', { ...acme, allEmbedUsers: true, action: 'read' }],
    ['an unknown action', { ...acme, action: 'write' }],
    ['an unknown field', { tenant: 'acme', action: 'read' }],
  ])('rejects %s with 400', async (_what, body) => {
    expect(await change(body)).toMatchObject({ status: 400 });
  });

  test('returns 404 for an unknown tenant or workbook and changes nothing', async () => {
    expect(await change({ embedTenantName: 'nobody', action: 'read', allowEmbed: false })).toMatchObject({
      status: 404,
    });
    expect(await platform.ok('GET', `${workbook}/embed-access`)).toMatchObject({ allowEmbed: true });
    const missing = '/api/v1/deployments/1/workbooks/999999/embed-access';
    expect(await platform.call('PUT', missing, { allowEmbed: true })).toMatchObject({ status: 404 });
    expect(await platform.call('GET', missing)).toMatchObject({ status: 404 });
  });

  test('allowEmbed requires a published dashboard, sharing does not', async () => {
    const { id } = await platform.ok('PUT', `/api/v1/deployments/1/workbooks/by-slug/unpublished-${count}`, {});
    const path = `/api/v1/deployments/1/workbooks/${id}/embed-access`;
    expect(await platform.call('PUT', path, { allowEmbed: true })).toMatchObject({ status: 400 });
    expect(await platform.ok('PUT', path, { ...acme, action: 'read' })).toMatchObject({ allowEmbed: false });
  });

  test('rejects embed sessions', async () => {
    const token = await platform.tokenOf(acme);
    const path = `${workbook}/embed-access`;
    expect(await platform.call('GET', path, undefined, token)).toMatchObject({ status: 404 });
    expect(await platform.call('PUT', path, { ...acme, action: 'read' }, token)).toMatchObject({ status: 403 });
  });
});
