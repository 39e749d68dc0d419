import { Hono } from 'hono';
import { mountAppConfig } from './app-config.js';
import { mountDeployments } from './deployments.js';
import type { PlatformRoutesDeps } from './deps.js';
import { mountEmbedAccess } from './embed-access.js';
import { mountEmbedDashboards } from './embed-dashboard.js';
import { mountEmbedSessions } from './embed-session.js';
import { mountReports } from './reports.js';
import { mountSpec } from './spec.js';
import { mountWorkbooks } from './workbooks.js';

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
  return app;
}
