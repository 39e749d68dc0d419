import { randomInt } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { DashboardConfigInput } from '../../contract/dashboard-input.js';
import type { Dashboard } from '../../contract/dashboards.js';
import type { Db } from './database.js';
import { dashboards, dashboardVersions, reportSnapshots, workbooks } from './schema.js';

/** A report about to be frozen: its snapshot gets an id when it is stored. */
export type NewSnapshot = typeof reportSnapshots.$inferSelect.snapshot;

/** What is published; null keeps what the dashboard has. */
export interface Publication {
  readonly workbookId: number;
  readonly userId: number;
  readonly allowEmbed: boolean | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly config: DashboardConfigInput;
  readonly snapshots: readonly NewSnapshot[];
}

/** A published dashboard, and who owns it. */
export interface StoredDashboard {
  readonly dashboard: Dashboard;
  readonly ownerId: number;
}

/** How a dashboard is looked up. */
export type DashboardKey = { readonly publicId: string } | { readonly workbookId: number };

/** A published dashboard in its current version, with its snapshots. */
export async function findDashboard(db: Db, key: DashboardKey): Promise<StoredDashboard | null> {
  const [row] = await db
    .select({ board: dashboards, version: dashboardVersions, workbook: workbooks })
    .from(dashboards)
    .innerJoin(workbooks, eq(workbooks.id, dashboards.workbookId))
    .innerJoin(
      dashboardVersions,
      and(
        eq(dashboardVersions.dashboardId, dashboards.id),
        eq(dashboardVersions.versionNumber, dashboards.versionNumber),
      ),
    )
    .where('publicId' in key ? eq(dashboards.publicId, key.publicId) : eq(dashboards.workbookId, key.workbookId));
  if (!row) return null;
  const { board, version, workbook } = row;
  const snapshots = await db
    .select()
    .from(reportSnapshots)
    .where(eq(reportSnapshots.versionId, version.id))
    .orderBy(asc(reportSnapshots.id));
  const dashboard = {
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
    restrictDataDownload: false,
    title: board.title ?? version.config.title ?? workbook.name,
  };
  return { dashboard, ownerId: workbook.createdBy };
}

/** Id of a workbook's dashboard; null when it was never published. */
export async function findDashboardId(db: Db, workbookId: number): Promise<number | null> {
  const [row] = await db.select({ id: dashboards.id }).from(dashboards).where(eq(dashboards.workbookId, workbookId));
  return row?.id ?? null;
}

/** Publishes the next version of a workbook's dashboard; who publishes at once gets one number each. */
export async function publishVersion(db: Db, publication: Publication): Promise<void> {
  const { workbookId, userId, allowEmbed, title, description, config, snapshots } = publication;
  await db.transaction(async tx => {
    const [board] = await tx
      .insert(dashboards)
      .values({
        workbookId,
        publicId: newPublicId(),
        allowEmbed: allowEmbed ?? false,
        title,
        description,
        createdBy: userId,
      })
      .onConflictDoUpdate({
        target: dashboards.workbookId,
        set: {
          versionNumber: sql`${dashboards.versionNumber} + 1`,
          ...(allowEmbed !== null && { allowEmbed }),
          ...(title !== null && { title }),
          ...(description !== null && { description }),
        },
      })
      .returning();
    if (!board) throw new Error('An upsert returned no row.');
    const [version] = await tx
      .insert(dashboardVersions)
      .values({ dashboardId: board.id, versionNumber: board.versionNumber, config })
      .returning({ id: dashboardVersions.id });
    if (!version) throw new Error('An insert returned no row.');
    if (snapshots.length === 0) return;
    await tx.insert(reportSnapshots).values(snapshots.map(snapshot => ({ versionId: version.id, snapshot })));
  });
}

/** Allows or refuses embedding of a workbook's dashboard. */
export async function setAllowEmbed(db: Db, workbookId: number, allowEmbed: boolean): Promise<void> {
  await db.update(dashboards).set({ allowEmbed }).where(eq(dashboards.workbookId, workbookId));
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function newPublicId(): string {
  return Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
