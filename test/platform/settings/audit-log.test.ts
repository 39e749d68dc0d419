import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../../../src/platform/db/schema.js';
import { deleteOldAuditEntries } from '../../../src/platform/settings/audit-log.js';
import { startTestPlatform, type TestPlatform } from '../test-platform.js';

const log = '/api/v1/audit-log';
const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.addUserKey('developer-key', 'AIBIDeveloper');
  const entry = { principal: 'api-key', target: { deploymentId: 1 } };
  await platform.db.insert(auditLog).values([
    { ...entry, at: new Date(day(1)), operation: 'createReport', userId: 1 },
    { ...entry, at: new Date(day(2)), operation: 'createReport', userId: 2 },
    { ...entry, at: new Date(day(3)), operation: 'deleteReport', userId: 1, requestId: 'request-3' },
  ]);
});

afterAll(() => platform.stop());

const daysOf = (answer: { items: readonly { at: string }[] }) =>
  answer.items.map(({ at }) => new Date(at).getUTCDate());

describe('the audit log', () => {
  it('lists writes newest first in stable pages', async () => {
    const first = await platform.ok('GET', `${log}?first=2&to=${day(4)}`);
    expect(daysOf(first)).toEqual([3, 2]);
    expect(first.items[0]).toEqual({
      id: expect.any(Number),
      at: day(3),
      operation: 'deleteReport',
      principal: 'api-key',
      userId: 1,
      embedTenantId: null,
      target: { deploymentId: 1 },
      requestId: 'request-3',
    });
    const rest = await platform.ok('GET', `${log}?first=2&to=${day(4)}&after=${first.pageInfo.endCursor}`);
    expect(daysOf(rest)).toEqual([1]);
    expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it.each([
    ['operation=createReport', [2, 1]],
    ['userId=1', [3, 1]],
    ['userId=1&operation=createReport', [1]],
    [`from=${day(2)}`, [3, 2]],
    [`from=${day(2)}&to=${day(3)}`, [2]],
    ['operation=none', []],
  ])('is filtered by %s', async (query, days) => {
    expect(daysOf(await platform.ok('GET', `${log}?${query}`))).toEqual(days);
  });

  it.each([
    'from=yesterday',
    'to=2026-13-01T00:00:00Z',
    'from=0000-01-01T00:00:00Z',
    'from=0001-01-01T00:00:00%2B14:00',
    'operation=%00',
    'userId=x',
    'first=0',
    'after=x',
    'who=me',
  ])('rejects %s', async query => {
    expect(await platform.call('GET', `${log}?${query}`)).toMatchObject({ status: 400 });
  });

  it('requires an administrator', async () => {
    expect(await platform.call('GET', log, undefined, '')).toMatchObject({ status: 401 });
    expect(await platform.call('GET', log, undefined, 'developer-key')).toMatchObject({ status: 403 });
    const token = await platform.tokenOf({ embedTenantName: 'acme', creatorMode: true });
    expect(await platform.call('GET', log, undefined, token)).toMatchObject({ status: 403 });
  });

  it('retains entries for 400 days', async () => {
    const at = (days: number) => sql`now() - ${days} * interval '1 day'`;
    const entry = { principal: 'api-key', target: {}, operation: 'ofLongAgo' };
    await platform.db.insert(auditLog).values([
      { ...entry, at: at(399), userId: 399 },
      { ...entry, at: at(401), userId: 401 },
    ]);
    await deleteOldAuditEntries(platform.db);
    const { items } = await platform.ok('GET', `${log}?operation=ofLongAgo`);
    expect(items).toMatchObject([{ userId: 399 }]);
  });
});
