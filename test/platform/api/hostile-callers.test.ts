import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/platform/app.js';
import { createAuthenticateChat, createAuthenticateData } from '../../../src/platform/auth/authenticate.js';
import { adminRights } from '../../../src/platform/auth/rights.js';
import { Level } from '../../../src/platform/content/content-access.js';
import { showReports } from '../../../src/platform/content/reports/show-report.js';
import { reports } from '../../../src/platform/db/schema.js';
import { someoneWaits, startTestPlatform, type TestPlatform } from '../test-platform.js';

const deployment = '/api/v1/deployments/1';
const halfCharacter = '\ud800';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.addUserKey('user', 'AIBIUser');
});
afterAll(() => platform.stop());

describe('Stored values', () => {
  it.each([
    ['a value of a workbook', `${deployment}/workbooks`, { meta: { note: halfCharacter } }, 'body.meta.note'],
    ['a key of a report', `${deployment}/reports`, { meta: { [halfCharacter]: 1 } }, 'body.meta'],
    ['a name', `${deployment}/folders`, { name: `f${halfCharacter}` }, 'body.name'],
  ])('contain no lone surrogates in %s, because they would break every list', async (_, path, body, field) => {
    const refused = await platform.call('POST', path, body, 'user');
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(`${field}: `) } });
    expect(await platform.ok('GET', `${deployment}/workspace`)).toMatchObject({ items: [] });
  });

  it('contain no lone surrogates in a grant, because its tenant could not be deleted', async () => {
    const grant = { embedTenantName: 'half', securityContext: { note: halfCharacter } };
    expect(await platform.mint(grant)).toMatchObject({ status: 400 });
    expect(await platform.mint({ embedTenantName: 'half', securityContext: { note: '😀' } })).toMatchObject({
      status: 200,
    });
    expect(await platform.call('DELETE', '/api/v1/embed-tenants/half/')).toMatchObject({ status: 204 });
  });

  it('contain no queries nested deeper than the limit of a body', async () => {
    const jsonQuery = `{"filters":[${'{"and":['.repeat(5000)}${']}'.repeat(5000)}]}`;
    const refused = await platform.call('POST', `${deployment}/reports`, { jsonQuery }, 'user');
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^body\.jsonQuery.* nested/) },
    });
    expect(refused.body.message.length).toBeLessThan(400);
  });
});

describe('Access to a report', () => {
  it('does not increase from edit to manage by moving it to a workbook of the caller (spec 4.2, 5.3)', async () => {
    const report = await platform.ok('POST', `${deployment}/reports`, {
      name: "the admin's",
      publicId: 'NotYoursAtAl',
    });
    const policy = { resourceType: 'Report', actions: ['ReportEdit'], resources: [String(report.id)] } as const;
    const folder = await platform.ok('POST', `${deployment}/folders`, { name: 'managed' });
    const managed = { resourceType: 'Folder', actions: ['FolderManage'], resources: [String(folder.id)] } as const;
    const all = [policy, managed].map(each => ({
      ...each,
      actions: [...each.actions],
      resources: [...each.resources],
    }));
    await platform.addUserKey('editor', 'AIBIUser', all);
    const workbook = await platform.ok('POST', `${deployment}/workbooks`, {}, 'editor');
    const path = `${deployment}/reports/${report.id}`;
    for (const place of [{ workbookId: workbook.id }, { folderId: folder.id }]) {
      expect(await platform.call('PUT', path, place, 'editor')).toMatchObject({ status: 403 });
      const byPublicId = `${deployment}/reports/by-public-id/NotYoursAtAl`;
      expect(await platform.call('PUT', byPublicId, place, 'editor')).toMatchObject({ status: 403 });
    }
    expect(await platform.ok('GET', path)).toMatchObject({ workbookId: null, folderId: null, version: report.version });
    expect(await platform.call('DELETE', path, undefined, 'editor')).toMatchObject({ status: 403 });
    expect(await platform.ok('PUT', path, { name: 'mine to edit' }, 'editor')).toMatchObject({ canManage: false });
  });

  it('does not reveal roles of the account to embed tenants (spec 2.2)', async () => {
    const policies = [{ resourceType: 'Report', actions: ['ReportRead'], resources: ['All'] }];
    await platform.ok('POST', '/api/v1/roles', { name: 'who looks after beta', policies });
    const token = await platform.tokenOf({ embedTenantName: 'alpha', creatorMode: true });
    const made = await platform.ok('POST', `${deployment}/reports`, { name: 'own' }, token);
    expect(made).toMatchObject({ canManage: true });
    const { items } = await platform.ok('GET', `${deployment}/reports`, undefined, token);
    const read = await platform.ok('GET', `${deployment}/reports/${made.id}`, undefined, token);
    expect(JSON.stringify([made, items, read])).not.toContain('rolesWithAccess');
    expect(await platform.ok('GET', `${deployment}/reports/${made.id}`)).toHaveProperty('rolesWithAccess');
  });

  it('omits reports of a concurrently deleted owner from lists', async () => {
    const [report] = await platform.db.select().from(reports).limit(1);
    if (!report) throw new Error('There is no report.');
    const orphan = { report: { ...report, createdBy: 999_999 }, level: Level.read };
    const admin = { kind: 'api-key', keyId: 1, userId: 1, rights: adminRights } as const;
    const listed = await showReports(platform.db, admin, [orphan, { report, level: Level.read }]);
    expect(listed.map(({ id }) => id)).toEqual([report.id]);
  });
});

describe('A write to a concurrently deleted target', () => {
  it('returns 404 for a comment on a dashboard', async () => {
    await platform.ok('PUT', '/api/v1/app-config', { embedding: { enableDashboardComments: true } });
    const { id } = await platform.ok('POST', `${deployment}/workbooks`, {});
    const { publicId } = await platform.ok('POST', `${deployment}/workbooks/${id}/publish`, {
      config: {},
      allowEmbed: true,
    });
    const token = await platform.tokenOf({ embedTenantName: 'readers' });
    const target = { embedTenantName: 'readers', action: 'read' };
    await platform.ok('PUT', `${deployment}/workbooks/${id}/embed-access`, target);
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query('delete from workbooks where id = $1', [id]);
      const pending = platform.call('POST', `/api/v1/embed/dashboard/${publicId}/comments`, { body: 'late' }, token);
      await someoneWaits(client);
      await client.query('commit');
      expect(await pending).toMatchObject({ status: 404 });
    });
  });

  it.each(['workbooks', 'folders'])('returns 404 for a tenant that creates %s', async what => {
    const token = await platform.tokenOf({ embedTenantName: 'leaving', creatorMode: true });
    await platform.withConnection(async client => {
      await client.query('begin');
      await client.query(`delete from embed_tenants where name = 'leaving'`);
      const pending = platform.call('POST', `${deployment}/${what}`, { name: 'late' }, token);
      await someoneWaits(client);
      await client.query('commit');
      expect(await pending).toMatchObject({ status: 404 });
    });
    expect((await platform.ok('GET', `${deployment}/workspace?search=late`)).items).toEqual([]);
  });
});

describe('An embed tenant', () => {
  it('cannot infer the number of other folders from a position', async () => {
    const made = async (embedTenantName: string, name: string) =>
      platform.ok(
        'POST',
        `${deployment}/folders`,
        { name },
        await platform.tokenOf({ embedTenantName, creatorMode: true }),
      );
    for (const name of ['one', 'two']) await made('many', name);
    expect(await made('few', 'first')).toMatchObject({ position: 0 });
    expect(await made('few', 'second')).toMatchObject({ position: 1 });
  });
});

describe('A revoked API key', () => {
  it('invalidates its Data and Chat API tokens', async () => {
    const { db, tokens } = platform;
    const { id, key } = await platform.ok('POST', '/api/v1/api-keys', {
      name: 'k',
      username: 'host',
      role: 'AIBIUser',
    });
    const data = await platform.ok('POST', `${deployment}/token`, {}, key);
    const chat = await platform.ok('POST', `${deployment}/token`, { scope: ['chat'] }, key);
    const dataRequest = new Request('https://x.example/v1/load', { headers: { authorization: data.platformApiToken } });
    const headers = { 'x-platform-auth-token': chat.platformApiToken };
    const chatRequest = new Request('https://x.example', { headers });
    const ofData = createAuthenticateData({ db, tokens });
    const ofChat = createAuthenticateChat({ db, tokens });
    await expect(ofData(dataRequest)).resolves.toBeDefined();
    await expect(ofChat(chatRequest)).resolves.toBeDefined();
    expect(await platform.call('DELETE', `/api/v1/api-keys/${id}`)).toMatchObject({ status: 204 });
    await expect(ofData(dataRequest)).rejects.toMatchObject({ status: 403 });
    await expect(ofChat(chatRequest)).rejects.toMatchObject({ status: 401 });
  });
});

describe('One request', () => {
  it('cannot increase the metadata of a workbook without limit (spec 4.3, rule 1)', async () => {
    const path = `${deployment}/workbooks/by-slug/growing`;
    const half = 'x'.repeat(3 * 1024 * 1024);
    const first = await platform.ok('PUT', path, { meta: { one: half } });
    expect(await platform.call('PUT', path, { meta: { two: half } })).toMatchObject({ status: 400 });
    const stored = await platform.ok('GET', `${deployment}/workbooks/${first.id}`);
    expect(Object.keys(stored.meta)).toEqual(['one']);
    expect(await platform.call('DELETE', `${deployment}/workbooks/${first.id}`)).toMatchObject({ status: 204 });
  });

  it.each([
    ['email', { email: `${'a'.repeat(320)}@example.com` }],
    ['userProfile.picture', { userProfile: { picture: `https://example.com/${'a'.repeat(2048)}` } }],
    ['tenantGroupDefinitions', { tenantGroupDefinitions: many(name => ({ name })) }],
    ['userAttributeDefinitions', { userAttributeDefinitions: many(name => ({ name, type: 'string' })) }],
    ['userAttributes', { userAttributes: many(name => ({ name, value: 1 })) }],
  ])('cannot mint a session with more %s than the limit', async (field, part) => {
    const grant = { embedTenantName: 'large', creatorMode: true, ...part };
    const refused = await platform.mint(grant);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`body.${field}: must have at most`) },
    });
  });

  it.each(['1e400', '-1e309', `1${'0'.repeat(400)}`])(
    'cannot store a number out of range as null: %s',
    async number => {
      const body = `{"name": "numbers", "meta": {"list": [{"a": ${number}}]}}`;
      const headers = { authorization: 'Bearer the-admin-key', 'content-type': 'application/json' };
      const answer = await platform.app.request(`${deployment}/workbooks`, { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('body.meta.list.0.a: must be a finite number');
    },
  );

  it('cannot store an infinite number, which JSON would write as null', async () => {
    const attribute = { name: 'endless', type: 'number_array', defaultValue: '[1e999]' };
    expect(await platform.call('POST', '/api/v1/user-attributes', attribute)).toMatchObject({ status: 400 });
  });

  it.each([['plain-1'], ['x'.repeat(129)], ['not plain'], [undefined]])(
    'has the same id in its response and in the audit log: sent %s',
    async sent => {
      const app = createApp({
        publicUrl: new URL('https://platform.example'),
        allowOrigins: [],
        dataApiPath: '/data-api',
        authenticate: platform.deps.authenticate,
        platformRoutes: platform.app,
        dataRoutes: new Hono(),
        chatRoutes: new Hono(),
        onFailure: () => undefined,
      });
      const headers = { authorization: 'Bearer the-admin-key', ...(sent !== undefined && { 'x-request-id': sent }) };
      const init = { method: 'POST', headers };
      const answer = await app.request(`https://platform.example${deployment}/workbooks`, init);
      expect(answer.status).toBe(200);
      const { items } = await platform.ok('GET', '/api/v1/audit-log?first=1');
      expect(items).toMatchObject([{ operation: 'createWorkbook', requestId: answer.headers.get('x-request-id') }]);
      expect(items[0].requestId === sent).toBe(sent === 'plain-1');
    },
  );
});

function many<T>(entry: (name: string) => T): T[] {
  return Array.from({ length: 1001 }, (_, index) => entry(`name${index}`));
}
