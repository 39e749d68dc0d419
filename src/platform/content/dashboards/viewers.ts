import * as z from 'zod/mini';
import { PublicId } from '../../../contract/wire.js';
import type { Authenticate } from '../../auth/authenticate.js';
import { embedPrincipalOf, invalidCredential, readCredential } from '../../auth/authenticate.js';
import { createDownloadCheck } from '../../auth/download-check.js';
import type { Principal } from '../../auth/principal.js';
import { isAllowed, type Rights } from '../../auth/rights.js';
import { cacheVerifiedTokens } from '../../auth/verified-token-cache.js';
import type { Db } from '../../db/database.js';
import { Role } from '../../db/schema.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { canReadDeployment } from '../../models/require-deployment.js';
import { Batcher } from '../../runtime/batcher.js';
import {
  createDashboardAccessFinder,
  type DashboardReadRequest,
  type DashboardReadResult,
  findPublishedDashboard,
  type PublishedDashboard,
} from './published-dashboard-store.js';

/** Caller that requests a published dashboard, with the dashboard if the caller may read it. */
export interface DashboardViewer {
  readonly principal: Principal;
  readonly rights: Rights;
  /** Whether the caller is a user of the embed tenant of its session. */
  readonly isTenantUser: boolean;
  /** `null` if the dashboard does not exist, or the caller may not read it. */
  readonly dashboard: PublishedDashboard | null;
}

/** Matches no dashboard. Used for paths without a `publicId`. */
const noDashboard = '';

/**
 * Creates the authentication for paths with the `publicId` of a dashboard. For embed tokens, one statement checks
 * session, user and access to the dashboard. Concurrent requests share the statement; it always starts after the
 * request, and its results are not cached.
 */
export function createViewerAuthentication({ db, tokens, authenticate }: RouteDeps): Authenticate<DashboardViewer> {
  const verify = cacheVerifiedTokens(tokens.verifyEmbedToken);
  const checkDownload = createDownloadCheck(db);
  const readings = new Batcher<DashboardReadRequest, DashboardReadResult | null>(createDashboardAccessFinder(db));
  return async (request, params) => {
    const read = z.safeParse(PublicId, params?.publicId);
    const publicId = read.success ? read.data : noDashboard;
    const sent = readCredential(request);
    const claims = sent === null ? null : await verify(sent);
    if (!claims) return keyReader(db, await authenticate(request), publicId);
    const [answer, mayDownload] = await Promise.all([
      readings.add({ ...claims, isAdmin: claims.role === Role.admin, publicId }),
      checkDownload(claims),
    ]);
    if (!answer) throw invalidCredential();
    const principal = embedPrincipalOf({ ...claims, mayDownload }, answer.role);
    const isTenantUser = answer.userTenantId === claims.embedTenantId;
    return { principal, rights: principal.rights, isTenantUser, dashboard: answer.dashboard };
  };
}

/**
 * Returns the viewer of a request without an embed token. Such a viewer needs rights or a policy on the dashboard,
 * because shares apply only to embed users.
 */
async function keyReader(db: Db, principal: Principal, publicId: string): Promise<DashboardViewer> {
  const { rights } = principal;
  const found = await findPublishedDashboard(db, principal, publicId);
  const isOpen = (dashboard: PublishedDashboard) =>
    [dashboard.id, dashboard.publicId].some(id => isAllowed(rights, 'EmbedDashboardRead', 'Dashboard', id));
  const isVisible =
    found &&
    ((found.isInReach && canReadDeployment(principal, found.dashboard.deploymentId)) || isOpen(found.dashboard));
  return { principal, rights, isTenantUser: false, dashboard: isVisible ? found.dashboard : null };
}

/**
 * Returns the requested dashboard (operations.md, Embed).
 * @throws PlatformError 404 if the caller may not read it, 403 if embedding is disabled.
 */
export function requireDashboard({ principal, dashboard }: DashboardViewer): PublishedDashboard {
  if (!dashboard) throw notFound('Dashboard');
  if (!dashboard.allowEmbed && principal.kind === 'embed' && !principal.creatorMode) {
    throw new PlatformError(403, 'Embedding is disabled for this dashboard. Set allowEmbed to true.');
  }
  return dashboard;
}
