import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type DashboardConfigInput, DashboardDraftInput } from '../../../contract/dashboard-input.js';
import { describeIssues } from '../../../contract/messages.js';
import type { JsonObject } from '../../../contract/wire.js';
import { PlatformError } from '../../errors.js';
import { withWidgetIds } from '../dashboards/freeze-report.js';
import type { StoredWorkbook } from './workbook-store.js';

/** Returns the draft of a workbook with widget ids; `null` if there is none. */
export function draftOf({ meta }: Pick<StoredWorkbook, 'meta'>): DashboardConfigInput | null {
  return meta.dashboardDraft == null ? null : withWidgetIds(readDraft(meta.dashboardDraft));
}

/** Returns the revision of the draft in metadata. Equal drafts have equal revisions. */
export function draftRevision({ dashboardDraft = null }: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(dashboardDraft)).digest('base64url').slice(0, 22);
}

/**
 * Validates a stored draft, because drafts of older versions may contain values that are rejected today.
 * @throws PlatformError 400 with the problem.
 */
export function readDraft(draft: unknown): DashboardDraftInput {
  const read = z.safeParse(DashboardDraftInput, draft);
  if (!read.success) throw new PlatformError(400, describeIssues('dashboardDraft', read.error.issues));
  return read.data;
}

/**
 * Checks the draft in metadata before it is stored (spec 4.3, rule 1).
 * @throws PlatformError 400 with the problem.
 */
export function checkDraft(meta: JsonObject | null | undefined): void {
  if (meta?.dashboardDraft == null) return;
  const draft = z.safeParse(DashboardDraftInput, meta.dashboardDraft);
  if (!draft.success) throw new PlatformError(400, describeIssues('body.meta.dashboardDraft', draft.error.issues));
}
