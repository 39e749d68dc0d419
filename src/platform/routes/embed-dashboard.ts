import type { Hono } from 'hono';
import { getDashboard, updateDashboardEmbedding } from '../../contract/embed.js';
import { allowsOnDeployment } from '../access/rights.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import { setAllowEmbed } from '../store/dashboards.js';
import type { Db } from '../store/database.js';
import { findPublishedDashboard, type PublishedDashboard } from '../store/published-dashboards.js';
import { attributeValuesOf } from '../store/user-attributes.js';
import { mayReadDeployment, notFound } from './access.js';
import { DashboardBodies, withAttributes } from './dashboard-bodies.js';
import { createDashboardReaders, type DashboardReader, requireDashboard } from './dashboard-readers.js';
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
      const body = await bodies.find(asTold(current));
      if (body) return body.userAttributes.length === 0 ? body.json : withAttributes(body, await valuesOf(db, current));
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

/** The dashboard that a caller asks for, with downloads closed to whoever lacks the right to them (spec 2.2). */
function asTold(reader: DashboardReader): PublishedDashboard {
  const dashboard = requireDashboard(reader);
  const mayDownload = allowsOnDeployment(reader.rights, 'DownloadData', dashboard.deploymentId);
  return { ...dashboard, restrictDataDownload: dashboard.restrictDataDownload || !mayDownload };
}

/** A session has its user's attributes with it, as the model's policies see them. */
async function valuesOf(db: Db, { principal }: DashboardReader): Promise<Readonly<Record<string, unknown>>> {
  if (principal.kind === 'embed') return principal.securityContext.platform.userAttributes;
  return attributeValuesOf(db, principal.userId);
}

/** True for a dashboard of another deployment, and to an embed session for that of another tenant, whatever its user's role. */
function isForeign(principal: Principal, { deploymentId, embedTenantId }: PublishedDashboard): boolean {
  if (!mayReadDeployment(principal, deploymentId)) return true;
  return principal.kind === 'embed' && embedTenantId !== null && embedTenantId !== principal.embedTenantId;
}
