import type { Hono } from 'hono';
import { runDashboardPython } from '../../../contract/embed.js';
import { PlatformError } from '../../errors.js';
import type { MountOptions } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve } from '../../http/serve.js';
import { findDashboard } from './dashboard-store.js';
import { type DashboardViewer, requireDashboard } from './viewers.js';

/**
 * Mounts the route for Python analyses (operations.md, Embed). This platform does not run Python: after checking input
 * and access, each call returns 403.
 */
export function mountPythonRun(app: Hono, { db }: Pick<RouteDeps, 'db'>, reading: MountOptions<DashboardViewer>): void {
  serve(app, runDashboardPython, reading, async ({ principal: viewer, body }) => {
    const dashboard = await findDashboard(db, requireDashboard(viewer).workbookId);
    const isPublished = dashboard?.reportSnapshots.some(
      ({ id, reportId }) => id === body.reportVersionId && reportId === body.reportId,
    );
    if (!isPublished) throw new PlatformError(403, 'reportVersionId is not the published version of this report.');
    throw new PlatformError(403, 'This platform does not run Python.');
  });
}
