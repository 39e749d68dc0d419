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
      singleSignOnOnly: false,
      useAIBIUserInterface: true,
    });
    await platform.ok('PUT', path, { maintenanceWindowTime: '22:30', oidcEnabled: true });
    expect(await platform.ok('PUT', path, { oidcEnabled: null })).toEqual({
      ...before,
      maintenanceWindowTime: '22:30',
    });
    expect(await platform.ok('GET', path)).toEqual({ ...before, maintenanceWindowTime: '22:30' });
  });

  test('the audit log is always written, and the setting has the time of its last change', async () => {
    const changed = await platform.ok('PUT', path, { auditLogEnabled: false });
    expect(changed).toMatchObject({ auditLogEnabled: false, auditLogEnabledCurrent: true });
    expect(Math.abs(changed.auditLogEnabledTimestamp - Date.now() / 1000)).toBeLessThan(60);
    expect(await platform.ok('PUT', path, { auditLogEnabled: false })).toEqual(changed);
    expect((await platform.audited()).at(-1)).toMatchObject({ operation: 'updateTenantSettings' });
  });

  test.each([
    [{ maintenanceWindowDay: 'Someday' }, 'body.maintenanceWindowDay: must be a day'],
    [{ maintenanceWindowTime: '24:00' }, 'body.maintenanceWindowTime: must be a time'],
    [{ auditLogEnabledCurrent: false }, 'body'],
    [{ oidcEnabled: 'yes' }, 'body.oidcEnabled'],
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
