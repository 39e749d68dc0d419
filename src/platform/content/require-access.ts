import type { Principal } from '../auth/principal.js';
import { isAllowed } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { canReadDeployment } from '../models/require-deployment.js';
import { contentAccess, Level } from './content-access.js';
import type { ReportWithLevel } from './reports/report-store.js';
import { findWorkbookWithLevel, type WorkbookWithLevel } from './workbooks/workbook-store.js';

/** Parsed path parameters of a workbook. */
export interface WorkbookRef {
  readonly deploymentId: number;
  readonly workbookId: number;
}

/**
 * Returns the workbook in the path if the caller has at least this level of access.
 * @throws PlatformError 404 if it does not exist or the caller may not read it, 403 below the level.
 */
export async function requireWorkbook(
  db: Db,
  principal: Principal,
  { deploymentId, workbookId }: WorkbookRef,
  level: Level,
): Promise<WorkbookWithLevel> {
  const found = canReadDeployment(principal, deploymentId)
    ? await findWorkbookWithLevel(db, contentAccess(principal), deploymentId, { id: workbookId })
    : null;
  return checkLevel(found, level);
}

/** Checks the caller's access level on a workbook. */
export function checkLevel(found: WorkbookWithLevel | null, level: Level): WorkbookWithLevel {
  if (!found || found.level < Level.read) throw notFound('Workbook');
  if (found.level >= level) return found;
  const needed = level === Level.manage ? 'manage' : 'edit';
  throw new PlatformError(403, `This operation requires ${needed} access to the workbook.`);
}

/** Returns the embed tenant that owns content created by the caller: that of an embed session, otherwise none. */
export function tenantOf(principal: Principal): number | null {
  return principal.kind === 'embed' ? principal.embedTenantId : null;
}

/**
 * Checks the caller's access level on a report.
 * @throws PlatformError 404 if it does not exist or the caller may not read it, 403 below the level.
 */
export function reportAtLevel(found: ReportWithLevel | null | undefined, level: Level): ReportWithLevel {
  if (!found || found.level < Level.read) throw notFound('Report');
  if (found.level >= level) return found;
  throw new PlatformError(
    403,
    `This operation requires ${level === Level.manage ? 'manage' : 'edit'} access to the report.`,
  );
}

/**
 * Checks that the caller may delete or move a report: requires manage access, or edit access and the action
 * `ReportManage` ("Workspace rights").
 * @throws PlatformError 404, 403
 */
export function reportToManage(principal: Principal, found: ReportWithLevel | null | undefined): ReportWithLevel {
  const { report, level } = reportAtLevel(found, Level.edit);
  const { rights } = principal;
  const isGranted =
    isAllowed(rights, 'ReportManage', 'Report', report.id) || isAllowed(rights, 'ReportManage', 'Global', 'All');
  return isGranted ? { report, level } : reportAtLevel(found, Level.manage);
}
