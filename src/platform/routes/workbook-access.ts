import { contentAccess, Level } from '../access/content-access.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import type { Db } from '../store/database.js';
import { type ReachedWorkbook, reachWorkbook } from '../store/workbooks.js';
import { mayReadDeployment, notFound } from './access.js';

/** Path parameters of one workbook, read. */
export interface WorkbookRef {
  readonly deploymentId: number;
  readonly workbookId: number;
}

/**
 * The workbook of a path, on which the caller has at least this level.
 * @throws PlatformError 404 for a workbook that is not there or that the caller may not read, 403 for one below the level.
 */
export async function requireWorkbook(
  db: Db,
  principal: Principal,
  { deploymentId, workbookId }: WorkbookRef,
  level: Level,
): Promise<ReachedWorkbook> {
  const found = mayReadDeployment(principal, deploymentId)
    ? await reachWorkbook(db, contentAccess(principal), deploymentId, { id: workbookId })
    : null;
  return checkLevel(found, level);
}

/** What was found, when the caller may do that much to it. */
export function checkLevel(found: ReachedWorkbook | null, level: Level): ReachedWorkbook {
  if (!found || found.level < Level.read) throw notFound('Workbook');
  if (found.level >= level) return found;
  const needed = level === Level.manage ? 'manage' : 'edit';
  throw new PlatformError(403, `This needs ${needed} access to the workbook.`);
}

/** The embed tenant that a caller's content belongs to: that of an embed session, or none. */
export function tenantOf(principal: Principal): number | null {
  return principal.kind === 'embed' ? principal.embedTenantId : null;
}
