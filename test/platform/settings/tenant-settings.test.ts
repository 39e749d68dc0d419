import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const path = '/api/v1/tenant/settings';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

describe('tenant settings (operations.md, Tenant Settings)', () => {
  test('have defaults and store values', async () => {
    const before = await platform.ok('GET', path);
    expect(before).toEqual({
      auditLogEnabled: true,
      auditLogEnabledCurrent: true,
      auditLogEnabledTimestamp: 0,
      hasSupportAccess: false,
      maintenanceWindowDay: 'Sunday',
      maintenanceWindowEnabled: false,
      maintenanceWindowTime: '03:00',
      oidcEnabled: false,
      sessionIdleMinutes: 120,
      sessionLifetimeHours: 12,
      singleSignOnOnly: false,
      useAIBIUserInterface: true,
    });
    await platform.ok('PUT', path, { maintenanceWindowTime: '22:30', oidcEnabled: false });
    expect(await platform.ok('PUT', path, { oidcEnabled: null })).toEqual({
      ...before,
      maintenanceWindowTime: '22:30',
    });
    expect(await platform.ok('GET', path)).toEqual({ ...before, maintenanceWindowTime: '22:30' });
  });

  test('switch the audit log off and on, which is always recorded', async () => {
    const changed = await platform.ok('PUT', path, { auditLogEnabled: false });
    expect(changed).toMatchObject({ auditLogEnabled: false, auditLogEnabledCurrent: false });
    expect(Math.abs(changed.auditLogEnabledTimestamp - Date.now() / 1000)).toBeLessThan(60);
    expect(await platform.ok('PUT', path, { auditLogEnabled: false })).toEqual(changed);
    const before = await platform.audited();
    expect(before.at(-1)).toMatchObject({ operation: 'updateTenantSettings' });
    await platform.ok('POST', '/api/v1/roles', { name: 'unrecorded', policies: [] });
    expect(await platform.audited()).toHaveLength(before.length);
    await platform.ok('PUT', path, { auditLogEnabled: null });
    await platform.ok('POST', '/api/v1/roles', { name: 'recorded', policies: [] });
    expect(await platform.audited()).toHaveLength(before.length + 2);
  });

  test('change the lifetime of sessions, including existing ones', async () => {
    const { token } = await platform.signedIn('AIBIUser');
    const me = () => platform.call('GET', '/api/v1/users/me', undefined, token);
    const age = (sql: string) => platform.withConnection(client => client.query(`update person_sessions set ${sql}`));
    await platform.ok('PUT', path, { sessionIdleMinutes: 5, sessionLifetimeHours: 1 });
    expect(await me()).toMatchObject({ status: 200 });
    await age(`last_used_at = now() - interval '6 minutes'`);
    expect(await me()).toMatchObject({ status: 401 });
    await age(`last_used_at = now(), created_at = now() - interval '61 minutes'`);
    expect(await me()).toMatchObject({ status: 401 });
    await platform.ok('PUT', path, { sessionIdleMinutes: null, sessionLifetimeHours: null });
    expect(await me()).toMatchObject({ status: 200 });
  });

  test('of the audit log and of sessions cannot be changed in the session of a page', async () => {
    const page = await platform.tokenOf({ externalId: null, internalId: 'admin' });
    for (const body of [{ auditLogEnabled: false }, { sessionLifetimeHours: 24 }]) {
      expect(await platform.call('PUT', path, body, page)).toMatchObject({ status: 403 });
    }
    expect(await platform.call('PUT', path, { hasSupportAccess: false }, page)).toMatchObject({ status: 200 });
  });

  test.each([
    [{ maintenanceWindowDay: 'Someday' }, 'body.maintenanceWindowDay: must be a day'],
    [{ maintenanceWindowTime: '24:00' }, 'body.maintenanceWindowTime: must be a time'],
    [{ auditLogEnabledCurrent: false }, 'body'],
    [{ oidcEnabled: 'yes' }, 'body.oidcEnabled'],
    [{ oidcEnabled: true }, 'body.oidcEnabled: is not supported by this platform; omit it'],
    [{ hasSupportAccess: true }, 'body.hasSupportAccess: is not supported by this platform; omit it'],
    [{ maintenanceWindowEnabled: true }, 'body.maintenanceWindowEnabled: is not supported by this platform; omit it'],
    [{ sessionIdleMinutes: 4 }, 'body.sessionIdleMinutes'],
    [{ sessionLifetimeHours: 25 }, 'body.sessionLifetimeHours'],
  ])('rejects %j', async (body, message) => {
    const answer = await platform.call('PUT', path, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  test('require an administrator', async () => {
    await platform.addUserKey('a-developer', 'AIBIDeveloper');
    for (const method of ['GET', 'PUT']) {
      expect(await platform.call(method, path, undefined, 'a-developer')).toMatchObject({ status: 403 });
      expect(await platform.call(method, path, undefined, await platform.tokenOf())).toMatchObject({ status: 403 });
    }
  });
});

test('there is one region, visible to callers with a role (operations.md, Regions)', async () => {
  await platform.addUserKey('a-viewer');
  const regions = await platform.ok('GET', '/api/v1/regions', undefined, 'a-viewer');
  expect(regions).toMatchObject({ items: [{ id: 1, name: 'local' }], count: 1, pageInfo: { hasNextPage: false } });
  expect(regions.data).toEqual(regions.items);
  expect(await platform.call('GET', '/api/v1/regions', undefined, await platform.tokenOf())).toMatchObject({
    status: 403,
  });
});
