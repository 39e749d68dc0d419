import { Level } from '../access/content-access.js';
import { allows } from '../access/rights.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import type { ReachedReport } from '../store/reports.js';
import { notFound } from './access.js';

/**
 * A report that was looked up, when the caller may do that much to it.
 * @throws PlatformError 404 for one that is not there or that the caller may not read, 403 for one below the level.
 */
export function reportAtLevel(found: ReachedReport | null | undefined, level: Level): ReachedReport {
  if (!found || found.level < Level.read) throw notFound('Report');
  if (found.level >= level) return found;
  throw new PlatformError(403, `This needs ${level === Level.manage ? 'manage' : 'edit'} access to the report.`);
}

/**
 * A report that was looked up, when the caller may delete or move it: that takes to manage it, or edit access and the action
 * `ReportManage` ("Workspace rights").
 * @throws PlatformError 404, 403
 */
export function reportToManage(principal: Principal, found: ReachedReport | null | undefined): ReachedReport {
  const { report, level } = reportAtLevel(found, Level.edit);
  const { rights } = principal;
  const isGranted =
    allows(rights, 'ReportManage', 'Report', report.id) || allows(rights, 'ReportManage', 'Global', 'All');
  return isGranted ? { report, level } : reportAtLevel(found, Level.manage);
}
