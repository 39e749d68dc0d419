import type { Hono } from 'hono';
import { getDashboard } from '../../contract/embed.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import { findDashboard, type StoredDashboard } from '../store/dashboards.js';
import type { Db } from '../store/database.js';
import { isSharedWith } from '../store/shares.js';
import { isManager, notFound } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';

/** Published dashboards, for whoever may see them (operations facts, Embed). */
export function mountEmbedDashboards(app: Hono, deps: PlatformRoutesDeps): void {
  const { db } = deps;

  serve(app, getDashboard, deps, async ({ params, principal }) => {
    const found = await findDashboard(db, { publicId: params.publicId });
    if (!found || !(await isVisible(db, found, principal))) throw notFound('Dashboard');
    if (!found.dashboard.allowEmbed && principal.kind === 'embed' && !principal.creatorMode) {
      throw new PlatformError(403, 'Embedding is off for this dashboard: switch allowEmbed on.');
    }
    return found.dashboard;
  });
}

async function isVisible(db: Db, { dashboard, ownerId }: StoredDashboard, principal: Principal): Promise<boolean> {
  if (isManager(principal) || principal.userId === ownerId) return isInReach(dashboard.deploymentId, principal);
  if (principal.kind === 'api-key' || !isInReach(dashboard.deploymentId, principal)) return false;
  return isSharedWith(db, dashboard.workbookId, principal.embedTenantId);
}

function isInReach(deploymentId: number, principal: Principal): boolean {
  return principal.kind === 'api-key' || principal.deploymentId === deploymentId;
}
