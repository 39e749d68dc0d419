import { and, eq, isNull, not, or, sql } from 'drizzle-orm';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { Principal } from '../../auth/principal.js';
import { isRevoked } from '../../auth/sessions.js';
import type { Db } from '../../db/database.js';
import { dashboards, Role, users, workbooks } from '../../db/schema.js';
import { contentAccess, Level } from '../content-access.js';
import { sharedWithCondition } from '../share-store.js';
import { findDashboard, isDownloadRestricted, restrictDataDownload } from './dashboard-store.js';

/** A published dashboard as far as access to it, and what its readers are told, hang on it. */
export interface PublishedDashboard {
  readonly id: number;
  readonly publicId: string;
  readonly workbookId: number;
  readonly deploymentId: number;
  /** The embed tenant whose content it is; null for content of the account. */
  readonly embedTenantId: number | null;
  readonly allowEmbed: boolean;
  /** Grows with all that readers are told. */
  readonly revision: number;
  /** Of the account, and then of the reader: it is part of what readers are told. */
  readonly restrictDataDownload: boolean;
}

/** What somebody with an embed token asks for; all but `publicId` is what the token says. */
export interface DashboardReadRequest {
  readonly publicId: string;
  readonly sessionKey: string;
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly deploymentId: number;
  readonly embedTenantId: number;
}

/** Whom an embed token stands for, and what that user may read. */
export interface DashboardReadResult {
  readonly role: Role;
  /** Null of a user of the account, in whose name a host may mint sessions too. */
  readonly userTenantId: number | null;
  /** Null where there is none, or none that the user may read. */
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

/** Rows of `asked` are readings, as `readings` names their columns. */
const asked = {
  place: sql<number>`asked.place::integer`,
  sessionKey: sql<string>`asked.session_key`,
  userId: sql<number>`asked.user_id`,
  deploymentId: sql<number>`asked.deployment_id`,
  tenantId: sql<number>`asked.tenant_id`,
  publicId: sql<string>`asked.public_id`,
} as const;
const readings = sql`unnest(${sql.placeholder('sessionKeys')}::text[], ${sql.placeholder('userIds')}::bigint[],
  ${sql.placeholder('areAdmins')}::boolean[], ${sql.placeholder('deploymentIds')}::bigint[],
  ${sql.placeholder('tenantIds')}::bigint[], ${sql.placeholder('publicIds')}::text[])
  with ordinality as asked(session_key, user_id, is_admin, deployment_id, tenant_id, public_id, place)`;

/** Content of the account, or of the session's own tenant: no session comes near that of another, but by a share. */
const isOwnTenants = or(isNull(workbooks.embedTenantId), eq(workbooks.embedTenantId, asked.tenantId));
const isOwners = eq(workbooks.createdBy, asked.userId);
const isAdmins = sql`(asked.is_admin and ${users.role} = ${sql.raw(`'${Role.admin}'`)})`;
const isReadable = sql`(${isOwnTenants} and (${isOwners} or ${isAdmins}) or ${sharedWithCondition(workbooks, asked.tenantId)})`;

/**
 * Settles who reads and what they may read, both at once, for readings that come together, in one statement that the server plans once
 * a connection. Null for whoever is not signed in: the session was revoked, or its tenant or user is gone.
 */
export function createDashboardAccessFinder(
  db: Db,
): (readings: readonly DashboardReadRequest[]) => Promise<readonly (DashboardReadResult | null)[]> {
  const statement = db
    .select({
      place: asked.place,
      role: users.role,
      userTenantId: users.embedTenantId,
      ...columns,
    })
    .from(readings)
    .innerJoin(users, eq(users.id, asked.userId))
    .leftJoin(dashboards, eq(dashboards.publicId, asked.publicId))
    .leftJoin(workbooks, and(isPublished, eq(workbooks.deploymentId, asked.deploymentId), isReadable))
    .where(not(isRevoked({ sessionKey: asked.sessionKey, embedTenantId: asked.tenantId })))
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

/** A published dashboard, and whether a caller may read its workbook. */
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

/** What readers of a dashboard are told; null when it has changed since it was found to be in this revision. */
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
