import * as z from 'zod/mini';
import { PublicId } from '../../contract/wire.js';
import { allows, type Rights } from '../access/rights.js';
import { embedPrincipalOf, sentCredential, unknownCredential } from '../auth/authenticate.js';
import { rememberVerified } from '../auth/remember-verified.js';
import { Batches } from '../batches.js';
import { PlatformError } from '../errors.js';
import type { Authenticate } from '../mount.js';
import type { Principal } from '../principal.js';
import type { Db } from '../store/database.js';
import {
  type DashboardReadAnswer,
  type DashboardReading,
  dashboardReader,
  findPublishedDashboard,
  type PublishedDashboard,
} from '../store/published-dashboards.js';
import { Role } from '../store/schema.js';
import { mayReadDeployment, notFound } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';

/** Whoever asks for the published dashboard of a path, and what came of it. */
export interface DashboardReader {
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
 * Signing in to a path with the `publicId` of a dashboard: of an embed token, session, user and access to the dashboard are settled by
 * one statement, which requests that come at once share. It begins after they came, and nothing that it tells is kept.
 */
export function createDashboardReaders({
  db,
  tokens,
  authenticate,
}: PlatformRoutesDeps): Authenticate<DashboardReader> {
  const verify = rememberVerified(tokens.verifyEmbedToken);
  const readings = new Batches<DashboardReading, DashboardReadAnswer | null>(dashboardReader(db));
  return async (request, params) => {
    const read = z.safeParse(PublicId, params?.publicId);
    const publicId = read.success ? read.data : noDashboard;
    const sent = sentCredential(request);
    const claims = sent === null ? null : await verify(sent);
    if (!claims) return keyReader(db, await authenticate(request), publicId);
    const answer = await readings.add({ ...claims, isAdmin: claims.role === Role.admin, publicId });
    if (!answer) throw unknownCredential();
    const principal = embedPrincipalOf(claims, answer.role);
    const isTenantUser = answer.userTenantId === claims.embedTenantId;
    return { principal, rights: principal.rights, isTenantUser, dashboard: answer.dashboard };
  };
}

/** Shares are for embed users: to a user with a key content is open, or a policy opens the dashboard itself. */
async function keyReader(db: Db, principal: Principal, publicId: string): Promise<DashboardReader> {
  const { rights } = principal;
  const found = await findPublishedDashboard(db, principal, publicId);
  const isOpen = (dashboard: PublishedDashboard) =>
    [dashboard.id, dashboard.publicId].some(id => allows(rights, 'EmbedDashboardRead', 'Dashboard', id));
  const isVisible =
    found &&
    ((found.isInReach && mayReadDeployment(principal, found.dashboard.deploymentId)) || isOpen(found.dashboard));
  return { principal, rights, isTenantUser: false, dashboard: isVisible ? found.dashboard : null };
}

/**
 * The dashboard that a caller asks for (operations facts, Embed).
 * @throws PlatformError 404 where the caller may not know of it, 403 where embedding is off.
 */
export function requireDashboard({ principal, dashboard }: DashboardReader): PublishedDashboard {
  if (!dashboard) throw notFound('Dashboard');
  if (!dashboard.allowEmbed && principal.kind === 'embed' && !principal.creatorMode) {
    throw new PlatformError(403, 'Embedding is off for this dashboard: switch allowEmbed on.');
  }
  return dashboard;
}
