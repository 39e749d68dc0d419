import { randomInt } from 'node:crypto';
import { and, asc, desc, eq, lte, ne, sql } from 'drizzle-orm';
import type { DashboardConfigInput } from '../../../contract/dashboard-input.js';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { Db } from '../../db/database.js';
import { accounts, dashboards, dashboardVersions, reportSnapshots, workbooks } from '../../db/schema.js';

/** A frozen report. Its snapshot gets an id when it is stored. */
export type NewSnapshot = typeof reportSnapshots.$inferSelect.snapshot;

/** State of a published dashboard: its current version and the fields that apply to all versions. */
export interface PublishedState {
  readonly id: number;
  readonly allowEmbed: boolean;
  readonly title: string | null;
  readonly description: string | null;
  readonly versionNumber: number;
  readonly versionId: number;
  readonly config: DashboardConfigInput;
  readonly snapshots: readonly NewSnapshot[];
}

/** A version to publish. */
export type NewVersion = Pick<PublishedState, 'versionNumber' | 'config' | 'snapshots'> & {
  readonly publishedBy: number;
};

/** Maximum number of stored versions per dashboard. */
const maxVersions = 50;

/** Change to the fields that apply to all versions, or to the number of the current version. */
export type DashboardChange = Partial<Pick<PublishedState, 'allowEmbed' | 'title' | 'description' | 'versionNumber'>>;

/** Account setting for all dashboards: disables the download of rows. */
export const restrictDataDownload = sql<boolean>`coalesce((select (${accounts.appConfig} ->> 'restrictDataDownload')::boolean from ${accounts} limit 1), false)`;

/** True if the dashboard's own settings disable the download of rows. */
export function isDownloadRestricted({ settings }: Pick<DashboardConfigInput, 'settings'>): boolean {
  return settings?.restrictDataDownload === true;
}

/** Returns the current version of a workbook's published dashboard, with its snapshots; `null` if never published. */
export async function findDashboard(db: Db, workbookId: number): Promise<Dashboard | null> {
  const [row] = await db
    .select({ board: dashboards, version: dashboardVersions, workbook: workbooks, restrictDataDownload })
    .from(dashboards)
    .innerJoin(workbooks, eq(workbooks.id, dashboards.workbookId))
    .innerJoin(
      dashboardVersions,
      and(
        eq(dashboardVersions.dashboardId, dashboards.id),
        eq(dashboardVersions.versionNumber, dashboards.versionNumber),
      ),
    )
    .where(eq(dashboards.workbookId, workbookId));
  if (!row) return null;
  const { board, version, workbook } = row;
  const snapshots = await snapshotsOf(db, version.id);
  return {
    allowEmbed: board.allowEmbed,
    config: version.config,
    deploymentId: workbook.deploymentId,
    id: board.id,
    publicId: board.publicId,
    reportSnapshots: snapshots.map(({ id, snapshot }) => ({ ...snapshot, id })),
    status: 'published',
    versionId: version.id,
    versionNumber: board.versionNumber,
    workbookId: workbook.id,
    createdBy: board.createdBy,
    description: board.description ?? version.config.description,
    restrictDataDownload: row.restrictDataDownload || isDownloadRestricted(version.config),
    title: board.title ?? version.config.title ?? workbook.name,
  };
}

/** Returns the id of a workbook's dashboard; `null` if never published. */
export async function findDashboardId(db: Db, workbookId: number): Promise<number | null> {
  const [row] = await db.select({ id: dashboards.id }).from(dashboards).where(eq(dashboards.workbookId, workbookId));
  return row?.id ?? null;
}

/** Creates the dashboard of a workbook with its first version. Returns false if the workbook already has one. */
export async function createDashboard(
  tx: Db,
  dashboard: Pick<typeof dashboards.$inferInsert, 'workbookId' | 'allowEmbed' | 'title' | 'description' | 'createdBy'>,
  version: Omit<NewVersion, 'versionNumber' | 'publishedBy'>,
): Promise<boolean> {
  const [board] = await tx
    .insert(dashboards)
    .values({ ...dashboard, publicId: newPublicId() })
    .onConflictDoNothing({ target: dashboards.workbookId })
    .returning({ id: dashboards.id });
  if (board) {
    await addVersion(tx, board.id, { ...version, versionNumber: 1, publishedBy: dashboard.createdBy });
  }
  return board !== undefined;
}

/** Returns the config of a dashboard's current version; `null` if the dashboard does not exist. */
export async function findConfig(db: Db, dashboardId: number): Promise<DashboardConfigInput | null> {
  const isCurrent = and(
    eq(dashboardVersions.dashboardId, dashboards.id),
    eq(dashboardVersions.versionNumber, dashboards.versionNumber),
  );
  const [found] = await db
    .select({ config: dashboardVersions.config })
    .from(dashboards)
    .innerJoin(dashboardVersions, isCurrent)
    .where(eq(dashboards.id, dashboardId));
  return found?.config ?? null;
}

/** Returns the published state of a workbook; `null` if never published. */
export async function findPublished(db: Db, workbookId: number): Promise<PublishedState | null> {
  const [board] = await db.select().from(dashboards).where(eq(dashboards.workbookId, workbookId));
  return board ? withVersion(db, board) : null;
}

/** Returns the published state of a workbook, locked until the transaction ends; `null` if never published. */
export async function lockPublished(tx: Db, workbookId: number): Promise<PublishedState | null> {
  const [board] = await tx.select().from(dashboards).where(eq(dashboards.workbookId, workbookId)).for('update');
  return board ? withVersion(tx, board) : null;
}

async function withVersion(
  db: Db,
  { id, allowEmbed, title, description, versionNumber }: typeof dashboards.$inferSelect,
): Promise<PublishedState> {
  const [version] = await db
    .select()
    .from(dashboardVersions)
    .where(and(eq(dashboardVersions.dashboardId, id), eq(dashboardVersions.versionNumber, versionNumber)));
  if (!version) throw new Error('The current version of a dashboard does not exist.');
  const snapshots = (await snapshotsOf(db, version.id)).map(({ snapshot }) => snapshot);
  const { id: versionId, config } = version;
  return { id, allowEmbed, title, description, versionNumber, versionId, config, snapshots };
}

/**
 * Adds a version to a dashboard, and deletes the oldest versions. Readers get the new version when `changeDashboard`
 * makes it the current one.
 */
export async function addVersion(
  tx: Db,
  dashboardId: number,
  { versionNumber, config, snapshots, publishedBy }: NewVersion,
): Promise<void> {
  const [version] = await tx
    .insert(dashboardVersions)
    .values({ dashboardId, versionNumber, config, publishedBy })
    .returning({ id: dashboardVersions.id });
  if (!version) throw new Error('An insert returned no row.');
  const isOld = lte(dashboardVersions.versionNumber, versionNumber - maxVersions);
  await tx.delete(dashboardVersions).where(and(eq(dashboardVersions.dashboardId, dashboardId), isOld));
  if (snapshots.length === 0) return;
  await tx.insert(reportSnapshots).values(snapshots.map(snapshot => ({ versionId: version.id, snapshot })));
}

/** Changes the fields that apply to all versions of a dashboard. */
export async function changeDashboard(tx: Db, dashboardId: number, change: DashboardChange): Promise<void> {
  await tx
    .update(dashboards)
    .set({ ...change, revision: nextRevision })
    .where(eq(dashboards.id, dashboardId));
}

/** Changes the config of the current version without creating a new version. */
export async function changeConfig(
  tx: Db,
  { id, versionId }: Pick<PublishedState, 'id' | 'versionId'>,
  config: DashboardConfigInput,
): Promise<void> {
  await tx.update(dashboardVersions).set({ config }).where(eq(dashboardVersions.id, versionId));
  await changeDashboard(tx, id, {});
}

/** A published version. */
export interface StoredVersion {
  readonly versionNumber: number;
  readonly createdAt: Date;
  readonly isCurrent: boolean;
  readonly widgetCount: number;
  readonly publishedBy: number | null;
}

const versionColumns = {
  versionNumber: dashboardVersions.versionNumber,
  createdAt: dashboardVersions.createdAt,
  publishedBy: dashboardVersions.publishedBy,
  isCurrent: sql<boolean>`${dashboardVersions.versionNumber} = ${dashboards.versionNumber}`,
  widgetCount: sql<number>`coalesce(json_array_length(${dashboardVersions.config} -> 'widgets'), 0)`,
};

/** Returns the published versions of a workbook's dashboard, newest first. */
export async function listVersions(db: Db, workbookId: number): Promise<StoredVersion[]> {
  return db
    .select(versionColumns)
    .from(dashboardVersions)
    .innerJoin(dashboards, eq(dashboards.id, dashboardVersions.dashboardId))
    .where(eq(dashboards.workbookId, workbookId))
    .orderBy(desc(dashboardVersions.versionNumber))
    .limit(maxVersions);
}

/** Returns a published version with its reports; `null` if there is none with this number. */
export async function findVersion(
  db: Db,
  workbookId: number,
  versionNumber: number,
): Promise<(StoredVersion & Pick<Dashboard, 'config' | 'reportSnapshots'>) | null> {
  const [found] = await db
    .select({ ...versionColumns, id: dashboardVersions.id, config: dashboardVersions.config })
    .from(dashboardVersions)
    .innerJoin(dashboards, eq(dashboards.id, dashboardVersions.dashboardId))
    // The parameter is a bigint, because numbers above the range of the column are valid input.
    .where(
      and(eq(dashboards.workbookId, workbookId), sql`${dashboardVersions.versionNumber} = ${versionNumber}::bigint`),
    );
  if (!found) return null;
  const { id, ...version } = found;
  const snapshots = await snapshotsOf(db, id);
  return { ...version, reportSnapshots: snapshots.map(each => ({ ...each.snapshot, id: each.id })) };
}

/** Whether a workbook's dashboard may be embedded; `null` if never published. */
export async function findAllowEmbed(db: Db, workbookId: number): Promise<boolean | null> {
  const { allowEmbed } = dashboards;
  const [row] = await db.select({ allowEmbed }).from(dashboards).where(eq(dashboards.workbookId, workbookId));
  return row?.allowEmbed ?? null;
}

/** Enables or disables embedding of a workbook's dashboard. */
export async function setAllowEmbed(
  db: Db,
  workbookId: number,
  { allowEmbed }: { readonly allowEmbed: boolean },
): Promise<void> {
  await db
    .update(dashboards)
    .set({ allowEmbed, revision: nextRevision })
    .where(and(eq(dashboards.workbookId, workbookId), ne(dashboards.allowEmbed, allowEmbed)));
}

const nextRevision = sql`${dashboards.revision} + 1`;

async function snapshotsOf(db: Db, versionId: number): Promise<(typeof reportSnapshots.$inferSelect)[]> {
  return db
    .select()
    .from(reportSnapshots)
    .where(eq(reportSnapshots.versionId, versionId))
    .orderBy(asc(reportSnapshots.id));
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function newPublicId(): string {
  return Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
