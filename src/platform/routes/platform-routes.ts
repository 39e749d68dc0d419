import { Hono } from 'hono';
import { mountApiKeys } from './api-keys.js';
import { mountAppConfig } from './app-config.js';
import { mountAuditLog } from './audit-log.js';
import { mountDeployments } from './deployments.js';
import type { PlatformRoutesDeps } from './deps.js';
import { mountEmbedAccess } from './embed-access.js';
import { mountEmbedDashboards } from './embed-dashboard.js';
import { mountEmbedSessions } from './embed-session.js';
import { mountFolders } from './folders.js';
import { mountRegions } from './regions.js';
import { mountReports } from './reports.js';
import { mountRepository } from './repository.js';
import { mountRoles } from './roles.js';
import { mountSpec } from './spec.js';
import { mountTenantSettings } from './tenant-settings.js';
import { mountTransformSync } from './transform-sync.js';
import { mountWorkbooks } from './workbooks.js';
import { mountWorkspace } from './workspace.js';

/** All operations of the Platform API, each mounted from its contract. Errors are thrown for the app's own handler. */
export function platformRoutes(deps: PlatformRoutesDeps): Hono {
  const app = new Hono({ strict: false });
  mountEmbedSessions(app, deps);
  mountEmbedDashboards(app, deps);
  mountDeployments(app, deps);
  mountAppConfig(app, deps);
  mountWorkbooks(app, deps);
  mountEmbedAccess(app, deps);
  mountReports(app, deps);
  mountSpec(app, deps);
  mountTransformSync(app, deps);
  mountRepository(app, deps);
  mountAuditLog(app, deps);
  mountFolders(app, deps);
  mountWorkspace(app, deps);
  mountApiKeys(app, deps);
  mountRegions(app, deps);
  mountRoles(app, deps);
  mountTenantSettings(app, deps);
  return app;
}
