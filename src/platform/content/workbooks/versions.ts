import type { Hono } from 'hono';
import type { UserSummary } from '../../../contract/wire.js';
import { getDashboardVersion, listDashboardVersions } from '../../../contract/workbooks.js';
import { summarizeUsers } from '../../auth/user-store.js';
import { notFound } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve } from '../../http/serve.js';
import { Level } from '../content-access.js';
import { findVersion, listVersions, type StoredVersion } from '../dashboards/dashboard-store.js';
import { requireWorkbook } from '../require-access.js';

/** Mounts the routes that read the published versions of a dashboard, for callers who can edit it. */
export function mountVersions(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, listDashboardVersions, deps, async ({ params, principal }) => {
    const { workbook } = await requireWorkbook(db, principal, params, Level.edit);
    const versions = await listVersions(db, workbook.id);
    const users = await summarizeUsers(
      db,
      versions.flatMap(({ publishedBy }) => publishedBy ?? []),
    );
    return { items: versions.map(version => show(version, users)) };
  });

  serve(app, getDashboardVersion, deps, async ({ params, principal }) => {
    const { workbook } = await requireWorkbook(db, principal, params, Level.edit);
    const version = await findVersion(db, workbook.id, params.versionNumber);
    if (!version) throw notFound('Version');
    const users = await summarizeUsers(db, version.publishedBy === null ? [] : [version.publishedBy]);
    const { config, reportSnapshots } = version;
    return { ...show(version, users), config, reportSnapshots };
  });
}

function show(
  { versionNumber, createdAt, isCurrent, widgetCount, publishedBy }: StoredVersion,
  users: ReadonlyMap<number, UserSummary>,
) {
  return {
    versionNumber,
    createdAt: createdAt.toISOString(),
    isCurrent,
    widgetCount,
    publishedBy: users.get(publishedBy ?? 0),
  };
}
