import { and, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { Db } from '../../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../../db/keyset.js';
import { dashboards, dashboardVersions, workbooks } from '../../db/schema.js';
import { sharedWithTenant } from '../share-store.js';
import { findDashboard } from './dashboard-store.js';

/** A reader of published dashboards who has a data token. */
export interface DataTokenViewer {
  readonly deploymentId: number;
  readonly userId: number;
  /** `null` for an administrator with an API key, who reads all dashboards of the deployment. */
  readonly embedTenantId: number | null;
  /** Set if the session of the viewer does not allow AI. */
  readonly allowAi?: false | undefined;
}

/** An entry of the list of dashboards. */
export type ListedDashboard = {
  readonly id: number;
  readonly publicId: string;
  readonly title: string;
  readonly description: string | null;
};

const title = sql<string>`coalesce(${dashboards.title}, ${dashboardVersions.config} ->> 'title', ${workbooks.name})`;
const description = sql<
  string | null
>`coalesce(${dashboards.description}, ${dashboardVersions.config} ->> 'description')`;

const oldestFirst = new Keyset<ListedDashboard>('viewer-dashboards', { id: dashboards.id }, 'asc');

const isCurrentVersion = and(
  eq(dashboardVersions.dashboardId, dashboards.id),
  eq(dashboardVersions.versionNumber, dashboards.versionNumber),
);

/**
 * Returns the condition on `workbooks` and `dashboards` (operations.md, Embed). In an embed session, it selects
 * dashboards that can be embedded, and that are shared with the tenant or owned by the user.
 */
function readableBy({ deploymentId, userId, embedTenantId }: DataTokenViewer): SQL | undefined {
  const inDeployment = eq(workbooks.deploymentId, deploymentId);
  if (embedTenantId === null) return inDeployment;
  const isOwn = and(
    eq(workbooks.createdBy, userId),
    or(isNull(workbooks.embedTenantId), eq(workbooks.embedTenantId, embedTenantId)),
  );
  return and(inDeployment, eq(dashboards.allowEmbed, true), or(isOwn, sharedWithTenant(embedTenantId)));
}

/** Returns one page of the published dashboards that a viewer may read, oldest first. */
export async function listViewerDashboards(
  db: Db,
  viewer: DataTokenViewer,
  { search, ...page }: PageRequest & { readonly search?: string | undefined },
): Promise<KeysetPage<ListedDashboard>> {
  const pattern = search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = await db
    .select({ id: dashboards.id, publicId: dashboards.publicId, title, description })
    .from(dashboards)
    .innerJoin(workbooks, eq(workbooks.id, dashboards.workbookId))
    .innerJoin(dashboardVersions, isCurrentVersion)
    .where(
      and(
        readableBy(viewer),
        pattern === null ? undefined : or(ilike(title, pattern), ilike(description, pattern)),
        oldestFirst.after(page),
      ),
    )
    .orderBy(...oldestFirst.orderBy)
    .limit(oldestFirst.limit(page));
  return oldestFirst.page(rows, page);
}

/** Returns a published dashboard; `null` if it does not exist, or the viewer may not read it. */
export async function findViewerDashboard(
  db: Db,
  viewer: DataTokenViewer,
  publicId: string,
): Promise<Dashboard | null> {
  const [found] = await db
    .select({ workbookId: dashboards.workbookId })
    .from(dashboards)
    .innerJoin(workbooks, eq(workbooks.id, dashboards.workbookId))
    .where(and(eq(dashboards.publicId, publicId), readableBy(viewer)));
  return found ? findDashboard(db, found.workbookId) : null;
}
