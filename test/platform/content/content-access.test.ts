import { and, eq, isNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/contract/roles.js';
import type { EmbedPrincipal, Principal } from '../../../src/platform/auth/principal.js';
import { adminRights, creatorRights, noRights, type Rights, Tier } from '../../../src/platform/auth/rights.js';
import {
  type ContentAccess,
  contentAccess,
  Level,
  levelColumn,
  reachableOn,
} from '../../../src/platform/content/content-access.js';
import { findBrokenReports } from '../../../src/platform/content/dashboards/broken-reports.js';
import {
  dashboards,
  dashboardVersions,
  deployments,
  embedTenants,
  folders,
  reportSnapshots,
  reports,
  users,
  workbooks,
} from '../../../src/platform/db/schema.js';
import { openTestDatabase } from '../db/test-database.js';

/** Users: 1 and 2 of the account, 3 of tenant 1, 4 of tenant 2. */
let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  await db.insert(deployments).values({ id: 1, name: 'local', creationStep: 'ready' });
  await db.insert(embedTenants).values([
    { id: 1, name: 'acme' },
    { id: 2, name: 'globex' },
  ]);
  await db.insert(users).values([
    { id: 1, username: 'one', role: 'user' },
    { id: 2, username: 'two', role: 'user' },
    { id: 3, embedTenantId: 1, externalId: 'ann', role: 'user' },
    { id: 4, embedTenantId: 2, externalId: 'ann', role: 'user' },
  ]);
  const own = <T extends object>(id: number, parts: T) => ({
    id,
    name: `n${id}`,
    deploymentId: 1,
    createdBy: 1,
    ...parts,
  });
  // Folder 10 contains 11, which contains 12. Folder 20 is a sibling of 10.
  await db.insert(folders).values([own(10, {}), own(11, { parentId: 10 }), own(12, { parentId: 11 }), own(20, {})]);
  await db
    .insert(workbooks)
    .values([
      own(100, { meta: {}, folderId: 12 }),
      own(101, { meta: {}, folderId: 20 }),
      own(102, { meta: {} }),
      own(103, { meta: {}, createdBy: 3, embedTenantId: 1 }),
      own(104, { meta: {}, createdBy: 4, embedTenantId: 2 }),
      own(105, { meta: {}, createdBy: 1, embedTenantId: 1 }),
    ]);
  await db
    .insert(reports)
    .values([
      own(200, { workbookId: 100 }),
      own(201, { workbookId: 101, folderId: 11 }),
      own(202, {}),
      own(203, { workbookId: 103, createdBy: 3, embedTenantId: 1 }),
    ]);
});
afterAll(() => database.stop());

const rights = (tier: Tier, ...policies: Policy[]): Rights => ({ isAdmin: false, tier, policies });
const key = (userId: number, given: Rights): Principal => ({ kind: 'api-key', keyId: 1, userId, rights: given });
const session = (userId: number, embedTenantId: number, given: Rights): EmbedPrincipal => ({
  kind: 'embed',
  userId,
  rights: given,
  deploymentId: 1,
  embedTenantId,
  embedTenantName: 'acme',
  creatorMode: true,
  sessionKey: 'k',
  expiresAt: new Date(),
  settings: {},
  securityContext: { platform: { groups: [], userAttributes: {} } },
});
const on = (resourceType: string, action: string, ...ids: (number | 'All')[]): Policy => ({
  resourceType,
  actions: [action],
  resources: ids.map(String),
});

/** Checks that the read paths together list exactly the readable content. */
async function expectReadPaths({ readPaths, workbook, report }: ContentAccess): Promise<void> {
  const { db } = database;
  const loose = and(report(Level.read), isNull(reports.workbookId));
  for (const [table, by, condition, where] of [
    [workbooks, readPaths.workbooks, workbook(Level.read), undefined],
    [reports, readPaths.reports, report(Level.read), undefined],
    [reports, readPaths.looseReports, loose, isNull(reports.workbookId)],
  ] as const) {
    const found = await db
      .select({ id: table.id })
      .from(table)
      .where(reachableOn(table, by, where));
    const readable = await db.select({ id: table.id }).from(table).where(condition);
    expect(found.map(({ id }) => id).sort(), 'readPaths').toEqual(readable.map(({ id }) => id).sort());
  }
}

/** Returns the levels of a caller on all workbooks and reports, and checks that the SQL conditions agree. */
async function levels(principal: Principal): Promise<Record<number, Level>> {
  const access = contentAccess(principal);
  const { db } = database;
  const found: Record<number, Level> = {};
  for (const [table, of] of [
    [folders, access.folder],
    [workbooks, access.workbook],
    [reports, access.report],
  ] as const) {
    const rows = await db.select({ id: table.id, level: levelColumn(of) }).from(table);
    for (const { id, level } of rows) if (level !== Level.none) found[id] = level;
    for (const level of [Level.read, Level.edit, Level.manage]) {
      const reached = await db.select({ id: table.id }).from(table).where(of(level));
      const expected = rows.filter(row => row.level >= level).map(({ id }) => id);
      expect(reached.map(({ id }) => id).sort(), `level ${level}`).toEqual(expected.sort());
    }
  }
  await expectReadPaths(access);
  return found;
}

const { read, edit, manage } = Level;

describe('access to content (spec 5.3)', () => {
  test('owners manage their own content and see no content of others (default deny)', async () => {
    expect(await levels(key(2, rights(Tier.explore)))).toEqual({});
    const mine = await levels(key(1, rights(Tier.explore)));
    expect(new Set(Object.values(mine))).toEqual(new Set([manage]));
    expect(Object.keys(mine).map(Number)).toEqual([10, 11, 12, 20, 100, 101, 102, 200, 201, 202]);
  });

  test('the license tier limits access: a viewer reads its own content, a user without a tier nothing', async () => {
    expect(new Set(Object.values(await levels(key(1, rights(Tier.view)))))).toEqual(new Set([read]));
    expect(await levels(key(1, rights(Tier.none)))).toEqual({});
    const managing = on('Workbook', 'WorkbookManage', 'All');
    expect((await levels(key(2, rights(Tier.view, managing))))[102]).toBe(read);
    expect(await levels(key(2, rights(Tier.none, managing)))).toEqual({});
  });

  test.each([
    ['WorkbookRead', read],
    ['WorkbookEdit', edit],
    ['WorkbookManage', manage],
    ['All', manage],
  ] as const)('a policy %s on a workbook applies to it and its reports', async (action, level) => {
    expect(await levels(key(2, rights(Tier.explore, on('Workbook', action, 100))))).toEqual({ 100: level, 200: level });
  });

  test.each([
    ['FolderRead', read],
    ['FolderEdit', edit],
    ['FolderManage', manage],
  ] as const)('a policy %s on a folder applies to everything below it, at any depth', async (action, level) => {
    expect(await levels(key(2, rights(Tier.explore, on('Folder', action, 11))))).toEqual({
      11: level,
      12: level,
      100: level,
      200: level,
      201: level,
    });
  });

  test('a policy on all folders or workbooks applies to the content of each', async () => {
    const inFolders = await levels(key(2, rights(Tier.explore, on('Folder', 'FolderRead', 'All'))));
    expect(Object.keys(inFolders).map(Number)).toEqual([10, 11, 12, 20, 100, 101, 200, 201]);
    const inWorkbooks = await levels(key(2, rights(Tier.explore, on('Workbook', 'WorkbookRead', 'All'))));
    expect(Object.keys(inWorkbooks).map(Number)).toEqual([100, 101, 102, 103, 104, 105, 200, 201, 203]);
  });

  test('a policy on a report applies to that report only, not to its workbook', async () => {
    expect(await levels(key(2, rights(Tier.explore, on('Report', 'ReportEdit', 201))))).toEqual({ 201: edit });
  });

  test('the highest level of several policies applies', async () => {
    const policies = [on('Folder', 'FolderRead', 10), on('Workbook', 'WorkbookEdit', 100), on('Report', 'All', 200)];
    const found = await levels(key(2, rights(Tier.explore, ...policies)));
    expect(found).toMatchObject({ 10: read, 12: read, 100: edit, 200: manage, 201: read });
    expect(found).not.toHaveProperty('101');
  });

  test('a policy with another resource type, another action or invalid ids grants nothing', async () => {
    const odd = { ...on('Workbook', 'WorkbookRead'), resources: ['0 or true', '-1', '1e2', ''] };
    const policies = [
      on('Deployment', 'All', 'All'),
      on('ReportFolder', 'All', 'All'),
      on('Dashboard', 'All', 100),
      on('Workbook', 'ReportManage', 'All'),
      on('Folder', 'WorkbookRead', 'All'),
      odd,
    ];
    expect(await levels(key(2, rights(Tier.develop, ...policies)))).toEqual({});
  });

  test('an admin manages everything, or in an embed session the content of the account and the session’s tenant', async () => {
    const all = await levels(key(2, adminRights));
    expect(Object.keys(all)).toHaveLength(14);
    const inSession = await levels(session(2, 1, adminRights));
    expect(Object.keys(inSession)).toHaveLength(13);
    expect(inSession).not.toHaveProperty('104');
  });
});

describe('embed sessions (GOVERNANCE)', () => {
  test('a creator can access its own content in its own tenant only', async () => {
    expect(await levels(session(3, 1, creatorRights))).toEqual({ 103: manage, 203: manage });
    expect(await levels(session(4, 2, creatorRights))).toEqual({ 104: manage });
  });

  test('an internal user can access content of the tenant in a session, and other content with an API key', async () => {
    expect(await levels(session(1, 1, creatorRights))).toEqual({ 105: manage });
    expect(await levels(session(1, 2, creatorRights))).toEqual({});
    expect(await levels(key(1, rights(Tier.explore)))).not.toHaveProperty('105');
  });

  test('grants no access without creator mode', async () => {
    expect(await levels(session(3, 1, noRights))).toEqual({});
  });

  test('ownership in one tenant grants nothing in another', async () => {
    expect(await levels(session(3, 2, creatorRights))).toEqual({});
  });
});

test('terminates on a cycle of folders', async () => {
  await database.db.update(folders).set({ parentId: 12 }).where(eq(folders.id, 10));
  try {
    const found = await levels(key(2, rights(Tier.explore, on('Folder', 'FolderRead', 11))));
    expect(found).toMatchObject({ 10: read, 11: read, 12: read });
  } finally {
    await database.db.update(folders).set({ parentId: sql`null` }).where(eq(folders.id, 10));
  }
});

test('the reports that a model breaks contain only those of workbooks that the caller can read', async () => {
  const { db } = database;
  for (const workbookId of [100, 101]) {
    const published = { workbookId, publicId: `public-${workbookId}`, allowEmbed: false, createdBy: 1 };
    const [dashboard] = await db.insert(dashboards).values(published).returning();
    const version = { dashboardId: dashboard?.id ?? 0, versionNumber: 1, config: { widgets: [] } };
    const [stored] = await db.insert(dashboardVersions).values(version).returning();
    const meta = { jsonQuery: { measures: [`secret_${workbookId}.total`] } };
    const snapshot = Object({ reportId: workbookId + 100, meta });
    await db.insert(reportSnapshots).values({ versionId: stored?.id ?? 0, snapshot });
  }
  const found = async (principal: Principal, deploymentId = 1) =>
    (await findBrokenReports(db, principal, deploymentId, new Set())).reports;
  const [first, second] = [100, 101].map(id => ({
    dashboardPublicId: `public-${id}`,
    reportId: id + 100,
    members: [`secret_${id}.total`],
  }));
  expect(await found(key(1, rights(Tier.explore)))).toEqual([first, second]);
  expect(await found(key(2, rights(Tier.explore, on('Workbook', 'WorkbookRead', 101))))).toEqual([second]);
  expect(await found(key(2, rights(Tier.explore, on('Folder', 'FolderRead', 10))))).toEqual([first]);
  for (const [userId, given] of [
    [2, rights(Tier.explore)],
    [1, rights(Tier.none)],
  ] as const)
    expect(await found(key(userId, given))).toEqual([]);
  expect(await found(session(3, 1, rights(Tier.explore)))).toEqual([]);
  expect(await found(key(1, rights(Tier.explore)), 2)).toEqual([]);
});
