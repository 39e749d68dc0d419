import { and, asc, inArray, isNotNull } from 'drizzle-orm';
import { type ReportPlacement, SyncStatus } from '../../../contract/report-placements.js';
import type { Report, RoleWithAccess } from '../../../contract/reports.js';
import type { UserSummary } from '../../../contract/wire.js';
import type { Principal } from '../../auth/principal.js';
import { summarizeUsers } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { roles, workbooks } from '../../db/schema.js';
import { tenantNames } from '../../embed/tenant-store.js';
import { notFound } from '../../http/access.js';
import { contentAccess, Level } from '../content-access.js';
import { folderPathsOf, type PathEntry } from '../workspace/folder-store.js';
import { placementsOf, queryChecksum, type StoredPlacement } from './report-placement-store.js';
import { displayPublicId, findReportWithLevel, type ReportKey, type ReportWithLevel } from './report-store.js';

/** A role and its policies. */
type PolicyRole = Pick<typeof roles.$inferSelect, 'id' | 'name' | 'policies'>;

/** Ids by which policies can grant access to a report. */
interface ReportPlace {
  readonly reportId: number;
  readonly workbookId: number | null;
  /** Folders that contain the report or its workbook, at any depth. */
  readonly folderIds: readonly number[];
}

/** Returns the account's roles, by name. */
async function listPolicyRoles(db: Db): Promise<PolicyRole[]> {
  return db
    .select({ id: roles.id, name: roles.name, policies: roles.policies })
    .from(roles)
    .orderBy(asc(roles.name), asc(roles.id));
}

/** Returns the roles that grant access to a report, each with the granting actions. */
function rolesReaching(all: readonly PolicyRole[], place: ReportPlace): RoleWithAccess[] {
  return all.flatMap(({ id, name, policies }) => {
    const actions = policies
      .filter(policy => policy.effect !== 'deny' && reaches(policy, place))
      .flatMap(policy => (policy.resourceType === 'Global' ? ['All'] : policy.actions));
    return actions.length === 0 ? [] : [{ id, name, actions: [...new Set(actions)] }];
  });
}

function reaches({ actions, resourceType, resources }: PolicyRole['policies'][number], place: ReportPlace): boolean {
  const names = (ids: readonly number[]) => ids.length > 0 && (resources.includes('All') || namesOne(resources, ids));
  switch (resourceType) {
    case 'Global':
      return actions.includes('All');
    case 'Report':
      return names([place.reportId]);
    case 'Workbook':
      return names(place.workbookId === null ? [] : [place.workbookId]);
    case 'Folder':
      return names(place.folderIds);
    default:
      return false;
  }
}

const namesOne = (resources: readonly string[], ids: readonly number[]) =>
  ids.some(id => resources.includes(String(id)));

/** Returns the folders of workbooks by workbook id. Omits workbooks at the root. */
async function foldersOfWorkbooks(db: Db, workbookIds: readonly number[]): Promise<Map<number, number>> {
  if (workbookIds.length === 0) return new Map();
  const rows = await db
    .select({ id: workbooks.id, folderId: workbooks.folderId })
    .from(workbooks)
    .where(and(inArray(workbooks.id, [...new Set(workbookIds)]), isNotNull(workbooks.folderId)));
  return new Map(rows.flatMap(({ id, folderId }) => (folderId === null ? [] : [[id, folderId] as const])));
}

/** Returns a report with all of its placements (spec 2.2). */
export async function showReport(db: Db, principal: Principal, key: ReportKey): Promise<Report> {
  const reached = await findReportWithLevel(db, contentAccess(principal), key);
  if (!reached) throw notFound('Report');
  return showReportWithLevel(db, principal, reached);
}

/** Returns a report that was already read, with all of its placements. */
export async function showReportWithLevel(db: Db, principal: Principal, reached: ReportWithLevel): Promise<Report> {
  const placements = await placementsOf(db, [reached.report.id]);
  const [shown] = await describeAll(db, principal, [reached], placements);
  if (!shown) throw notFound('Report');
  return shown;
}

/**
 * Returns the reports of a list, with a constant number of statements. Omits checksums of results, which may be large.
 */
export async function showReports(
  db: Db,
  principal: Principal,
  reached: readonly ReportWithLevel[],
): Promise<Report[]> {
  if (reached.length === 0) return [];
  const placements = await placementsOf(
    db,
    reached.map(({ report }) => report.id),
  );
  return describeAll(
    db,
    principal,
    reached,
    placements.map(placement => ({ ...placement, resultChecksum: null })),
  );
}

/** Related data of reports, read for all of them together. */
interface Surroundings {
  readonly users: ReadonlyMap<number, UserSummary>;
  readonly tenants: ReadonlyMap<number, string>;
  readonly paths: ReadonlyMap<number, PathEntry[]>;
  readonly placements: ReadonlyMap<number, StoredPlacement[]>;
  /** `null` if the caller may not see roles. */
  rolesOf(reached: ReportWithLevel): RoleWithAccess[] | null;
}

/**
 * True if the caller may see which roles grant access to a report. Pages of embed tenants must not see the account's
 * roles.
 */
function mayKnowRoles({ kind, rights }: Principal, level: Level): boolean {
  return level >= Level.manage && (kind !== 'embed' || rights.isAdmin);
}

async function describeAll(
  db: Db,
  principal: Principal,
  reached: readonly ReportWithLevel[],
  placements: readonly StoredPlacement[],
): Promise<Report[]> {
  const stored = reached.map(({ report }) => report);
  const managed = reached.filter(({ level }) => mayKnowRoles(principal, level)).map(({ report }) => report);
  const workbookFolders = await foldersOfWorkbooks(
    db,
    managed.flatMap(({ workbookId }) => workbookId ?? []),
  );
  const paths = await folderPathsOf(db, [...stored.map(({ folderId }) => folderId), ...workbookFolders.values()]);
  const users = await summarizeUsers(
    db,
    stored.flatMap(({ createdBy, refreshedBy }) => [createdBy, refreshedBy ?? createdBy]),
  );
  const roles = managed.length > 0 ? await listPolicyRoles(db) : [];
  const tenants = await tenantNames(
    db,
    stored.map(({ embedTenantId }) => embedTenantId),
  );
  const around: Surroundings = {
    users,
    tenants,
    paths,
    placements: byReport(placements),
    rolesOf({ report: { id, workbookId, folderId }, level }) {
      if (!mayKnowRoles(principal, level)) return null;
      const folderIds = [folderId, workbookFolders.get(workbookId ?? 0)]
        .flatMap(inner => paths.get(inner ?? 0) ?? [])
        .map(folder => folder.id);
      return rolesReaching(roles, { reportId: id, workbookId, folderIds });
    },
  };
  return reached.flatMap(each => describe(each, around) ?? []);
}

function byReport(placements: readonly StoredPlacement[]): Map<number, StoredPlacement[]> {
  const grouped = new Map<number, StoredPlacement[]>();
  for (const placement of placements) {
    const own = grouped.get(placement.reportId);
    if (own) own.push(placement);
    else grouped.set(placement.reportId, [placement]);
  }
  return grouped;
}

/**
 * Describes a report for its caller. Returns `null` if the report was deleted in the meantime, together with its owner.
 */
function describe(reached: ReportWithLevel, around: Surroundings): Report | null {
  const { report, level } = reached;
  const { embedTenantId, refreshedAt: _refreshedAt, createdAt, updatedAt, ...fields } = report;
  const { createdBy, refreshedBy } = fields;
  const owner = around.users.get(createdBy);
  if (!owner) return null;
  const rolesWithAccess = around.rolesOf(reached);
  const checksum = queryChecksum(report);
  const placements = around.placements.get(report.id) ?? [];
  return {
    ...fields,
    embedTenantName: around.tenants.get(embedTenantId ?? 0),
    publicId: displayPublicId(report),
    type: 'REPORT',
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    userId: createdBy,
    user: owner,
    refreshedByUser: around.users.get(refreshedBy ?? createdBy) ?? owner,
    folderPath: around.paths.get(report.folderId ?? 0) ?? [],
    currentQueryChecksum: checksum,
    externalWorkbookPlacements: placements.map(placement => describePlacement(placement, checksum)),
    canEdit: level >= Level.edit,
    canManage: level >= Level.manage,
    ...(rolesWithAccess && { rolesWithAccess }),
  };
}

function describePlacement(placement: StoredPlacement, current: string | null): ReportPlacement {
  const { reportId: _report, externalWorkbookId, placedBy, placedAt, refreshedBy, refreshedAt, ...fields } = placement;
  return {
    ...fields,
    workbookId: externalWorkbookId,
    placedAt: placedAt.toISOString(),
    placedByUserId: placedBy,
    refreshedAt: refreshedAt?.toISOString(),
    refreshedByUserId: refreshedBy,
    syncStatus: statusOf(placement.queryChecksum, current),
  };
}

function statusOf(stored: string | null, current: string | null): SyncStatus {
  if (stored === null || current === null) return SyncStatus.unknown;
  return stored === current ? SyncStatus.upToDate : SyncStatus.changed;
}
