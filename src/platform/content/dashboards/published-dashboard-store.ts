import { and, eq, isNull, not, or, sql } from 'drizzle-orm';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { Principal } from '../../auth/principal.js';
import { isRevoked } from '../../auth/sessions.js';
import { isActiveUser } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { dashboards, Role, users, workbooks } from '../../db/schema.js';
import { contentAccess, Level } from '../content-access.js';
import { sharedWithCondition } from '../share-store.js';
import { findDashboard, isDownloadRestricted, restrictDataDownload } from './dashboard-store.js';

/** Fields of a published dashboard that determine who may read it and which content they get. */
export interface PublishedDashboard {
  readonly id: number;
  readonly publicId: string;
  readonly workbookId: number;
  readonly deploymentId: number;
  /** Embed tenant that owns the content; `null` for content of the account. */
  readonly embedTenantId: number | null;
  readonly allowEmbed: boolean;
  /** Increases with every change that readers can see. */
  readonly revision: number;
  /**
   * Whether the account restricts downloads. The value is later combined with the reader's rights, and is part of the
   * content for readers.
   */
  readonly restrictDataDownload: boolean;
}

/** Dashboard request with an embed token; all fields but `publicId` come from the token. */
export interface DashboardReadRequest {
  readonly publicId: string;
  readonly sessionKey: string;
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly deploymentId: number;
  readonly embedTenantId: number;
}

/** User of an embed token, and the dashboard if the user may read it. */
export interface DashboardReadResult {
  readonly role: Role;
  /** `null` for a user of the account, for whom hosts may mint sessions too. */
  readonly userTenantId: number | null;
  /** `null` if the dashboard does not exist, or the user may not read it. */
  readonly dashboard: PublishedDashboard | null;
}

const columns = {
  board: {
    id: dashboards.id,
    publicId: dashboards.publicId,
    workbookId: dashboards.workbookId,
    allowEmbed: dashboards.allowEmbed,
    revision: dashboards.revision,
  },
  workbook: {
    deploymentId: workbooks.deploymentId,
    embedTenantId: workbooks.embedTenantId,
  },
  restrictDataDownload,
} as const;

const isPublished = eq(workbooks.id, dashboards.workbookId);

/** Columns of the rows of `requested`, as defined by `readings`. */
const requested = {
  place: sql<number>`requested.place::integer`,
  sessionKey: sql<string>`requested.session_key`,
  userId: sql<number>`requested.user_id`,
  deploymentId: sql<number>`requested.deployment_id`,
  tenantId: sql<number>`requested.tenant_id`,
  publicId: sql<string>`requested.public_id`,
} as const;
const readings = sql`unnest(${sql.placeholder('sessionKeys')}::text[], ${sql.placeholder('userIds')}::bigint[],
  ${sql.placeholder('areAdmins')}::boolean[], ${sql.placeholder('deploymentIds')}::bigint[],
  ${sql.placeholder('tenantIds')}::bigint[], ${sql.placeholder('publicIds')}::text[])
  with ordinality as requested(session_key, user_id, is_admin, deployment_id, tenant_id, public_id, place)`;

/** Condition for content of the account or of the session's own tenant. Content of other tenants requires a share. */
const isOwnTenants = or(isNull(workbooks.embedTenantId), eq(workbooks.embedTenantId, requested.tenantId));
const isOwners = eq(workbooks.createdBy, requested.userId);
const isAdmins = sql`(requested.is_admin and ${users.role} = ${sql.raw(`'${Role.admin}'`)})`;
const isReadable = sql`(${isOwnTenants} and (${isOwners} or ${isAdmins}) or ${sharedWithCondition(workbooks, requested.tenantId)})`;

/**
 * Authenticates and authorizes a batch of dashboard requests in one prepared statement. Returns `null` for a request
 * whose session is not valid, because the session was revoked, its tenant or user was deleted, or its user is
 * deactivated.
 */
export function createDashboardAccessFinder(
  db: Db,
): (readings: readonly DashboardReadRequest[]) => Promise<readonly (DashboardReadResult | null)[]> {
  const statement = db
    .select({
      place: requested.place,
      role: users.role,
      userTenantId: users.embedTenantId,
      ...columns,
    })
    .from(readings)
    .innerJoin(users, and(eq(users.id, requested.userId), isActiveUser))
    .leftJoin(dashboards, eq(dashboards.publicId, requested.publicId))
    .leftJoin(workbooks, and(isPublished, eq(workbooks.deploymentId, requested.deploymentId), isReadable))
    .where(not(isRevoked({ sessionKey: requested.sessionKey, embedTenantId: requested.tenantId })))
    .prepare('read_dashboards');
  return async list => {
    const rows = await statement.execute({
      sessionKeys: list.map(({ sessionKey }) => sessionKey),
      userIds: list.map(({ userId }) => userId),
      areAdmins: list.map(({ isAdmin }) => isAdmin),
      deploymentIds: list.map(({ deploymentId }) => deploymentId),
      tenantIds: list.map(({ embedTenantId }) => embedTenantId),
      publicIds: list.map(({ publicId }) => publicId),
    });
    const answers: (DashboardReadResult | null)[] = list.map(() => null);
    for (const { place, role, userTenantId, board, workbook, restrictDataDownload } of rows) {
      const dashboard = board && workbook && { ...board, ...workbook, restrictDataDownload };
      answers[place - 1] = { role, userTenantId, dashboard };
    }
    return answers;
  };
}

/** Returns a published dashboard, and whether the caller may read its workbook. */
export async function findPublishedDashboard(
  db: Db,
  principal: Principal,
  publicId: string,
): Promise<{ readonly dashboard: PublishedDashboard; readonly isInReach: boolean } | null> {
  const mayRead = sql<boolean>`${contentAccess(principal).workbook(Level.read)}`;
  const [found] = await db
    .select({ ...columns, isInReach: mayRead })
    .from(dashboards)
    .innerJoin(workbooks, isPublished)
    .where(eq(dashboards.publicId, publicId));
  if (!found) return null;
  const { board, workbook, restrictDataDownload, isInReach } = found;
  return { dashboard: { ...board, ...workbook, restrictDataDownload }, isInReach };
}

/** Returns the content of a dashboard for its readers; `null` if its revision has changed. */
export async function loadRevision(db: Db, found: PublishedDashboard): Promise<Dashboard | null> {
  const { workbookId, revision, restrictDataDownload } = found;
  return db.transaction(
    async tx => {
      const [current] = await tx
        .select({ revision: dashboards.revision })
        .from(dashboards)
        .where(and(eq(dashboards.id, found.id), eq(dashboards.revision, revision)));
      const stored = current ? await findDashboard(tx, workbookId) : null;
      return stored && { ...stored, restrictDataDownload: restrictDataDownload || isDownloadRestricted(stored.config) };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
