import type { Hono } from 'hono';
import { getDashboard, updateDashboardEmbedding } from '../../contract/embed.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import { setAllowEmbed } from '../store/dashboards.js';
import { findPublishedDashboard, type PublishedDashboard } from '../store/published-dashboards.js';
import { mayReadDeployment, notFound } from './access.js';
import { DashboardBodies } from './dashboard-bodies.js';
import { createDashboardReaders, requireDashboard } from './dashboard-readers.js';
import type { PlatformRoutesDeps } from './deps.js';
import { mountEmbedComments } from './embed-comments.js';
import { serve } from './serve.js';
import { write } from './write.js';

/** Published dashboards, for whoever may see them (operations facts, Embed). */
export function mountEmbedDashboards(app: Hono, deps: PlatformRoutesDeps): void {
  const { db } = deps;
  const bodies = new DashboardBodies(db);
  const authenticate = createDashboardReaders(deps);
  const reading = { ...deps, authenticate };
  mountEmbedComments(app, reading);

  serve(app, getDashboard, reading, async ({ principal: reader, request, params }) => {
    // What changes between the look at access and the look at the body is looked at anew, access first.
    for (let current = reader, attempt = 1; attempt <= 3; attempt++) {
      const body = await bodies.find(requireDashboard(current));
      if (body) return body;
      current = await authenticate(request, params);
    }
    throw new PlatformError(503, 'The dashboard changes as it is read: try again in a moment.');
  });

  write(app, updateDashboardEmbedding, deps, async ({ params, body, principal }, tx) => {
    const { publicId } = params;
    const found = await findPublishedDashboard(tx, principal, publicId);
    if (!found?.isInReach || isForeign(principal, found.dashboard)) throw notFound('Dashboard');
    await setAllowEmbed(tx, found.dashboard.workbookId, body.allowEmbed);
    return { publicId, allowEmbed: body.allowEmbed };
  });
}

/** True for a dashboard of another deployment, and to an embed session for that of another tenant, whatever its user's role. */
function isForeign(principal: Principal, { deploymentId, embedTenantId }: PublishedDashboard): boolean {
  if (!mayReadDeployment(principal, deploymentId)) return true;
  return principal.kind === 'embed' && embedTenantId !== null && embedTenantId !== principal.embedTenantId;
}
