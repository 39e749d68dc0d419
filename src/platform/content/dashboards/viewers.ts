import * as z from 'zod/mini';
import { PublicId } from '../../../contract/wire.js';
import type { Authenticate } from '../../auth/authenticate.js';
import { embedPrincipalOf, invalidCredential, readCredential } from '../../auth/authenticate.js';
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

/** Whoever asks for the published dashboard of a path, and what came of it. */
export interface DashboardViewer {
  readonly principal: Principal;
  readonly rights: Rights;
  /** Whether it is a user of the embed tenant in whose session it asks. */
  readonly isTenantUser: boolean;
  /** Null where there is none, or none that the caller may read. */
  readonly dashboard: PublishedDashboard | null;
}

/** No dashboard has this id: it stands for a path that names none. */
const noDashboard = '';

/**
 * Signing in to a path with the `publicId` of a dashboard: of an embed token, session, user and access to the dashboard
 * are settled by one statement, which requests that come at once share. It begins after they came, and nothing that it
 * tells is kept.
 */
export function createViewerAuthentication({ db, tokens, authenticate }: RouteDeps): Authenticate<DashboardViewer> {
  const verify = cacheVerifiedTokens(tokens.verifyEmbedToken);
  const readings = new Batcher<DashboardReadRequest, DashboardReadResult | null>(createDashboardAccessFinder(db));
  return async (request, params) => {
    const read = z.safeParse(PublicId, params?.publicId);
    const publicId = read.success ? read.data : noDashboard;
    const sent = readCredential(request);
    const claims = sent === null ? null : await verify(sent);
    if (!claims) return keyReader(db, await authenticate(request), publicId);
    const answer = await readings.add({ ...claims, isAdmin: claims.role === Role.admin, publicId });
    if (!answer) throw invalidCredential();
    const principal = embedPrincipalOf(claims, answer.role);
    const isTenantUser = answer.userTenantId === claims.embedTenantId;
    return { principal, rights: principal.rights, isTenantUser, dashboard: answer.dashboard };
  };
}

/** Shares are for embed users: to a user with a key content is open, or a policy opens the dashboard itself. */
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
 * The dashboard that a caller asks for (operations facts, Embed).
 * @throws PlatformError 404 where the caller may not know of it, 403 where embedding is off.
 */
export function requireDashboard({ principal, dashboard }: DashboardViewer): PublishedDashboard {
  if (!dashboard) throw notFound('Dashboard');
  if (!dashboard.allowEmbed && principal.kind === 'embed' && !principal.creatorMode) {
    throw new PlatformError(403, 'Embedding is off for this dashboard: switch allowEmbed on.');
  }
  return dashboard;
}
