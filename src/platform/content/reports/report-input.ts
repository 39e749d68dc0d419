import * as z from 'zod/mini';
import { describeIssues } from '../../../contract/messages.js';
import { Query } from '../../../contract/query.js';
import type { CreateReport, UpdateReport } from '../../../contract/reports.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { rejectUnstorable } from '../../http/serve.js';
import { Level } from '../content-access.js';
import { requireWorkbook } from '../require-access.js';
import { requireTargetFolder, type TargetFolder } from '../workspace/folders.js';
import { placeholderReportId, type ReportChange } from './report-store.js';

/** Rejects ids that look like a generated placeholder (spec 4.2, rule 4). */
export function rejectPlaceholder(publicId: string | null | undefined, field: string): void {
  if (publicId == null || placeholderReportId(publicId) === null) return;
  throw new PlatformError(400, `${field}: ids that start with 0000 are generated placeholders; choose another id`);
}

/**
 * Reads and checks the columns that a body changes. The folder or workbook must belong to the deployment and be
 * editable by the caller; it is locked until the transaction ends. Content of an embed tenant cannot be mixed with
 * other content, because it is deleted with the tenant.
 * @param of - deployment of the report, and the embed tenant that owns it.
 * @throws PlatformError 400, 403, 404
 */
export async function readReportChange(
  tx: Db,
  principal: Principal,
  of: Pick<TargetFolder, 'deploymentId' | 'embedTenantId'>,
  body: CreateReport | UpdateReport,
): Promise<ReportChange> {
  const { deploymentId, embedTenantId } = of;
  const { folderId, workbookId, jsonQuery, sqlQuery } = body;
  if (jsonQuery) checkQuery(jsonQuery);
  if (folderId != null) await requireTargetFolder(tx, principal, { ...of, folderId, field: 'body.folderId' });
  if (workbookId != null) {
    const { workbook } = await requireWorkbook(tx, principal, { deploymentId, workbookId }, Level.edit);
    if (workbook.embedTenantId !== embedTenantId) {
      throw new PlatformError(400, 'body.workbookId: content of an embed tenant cannot be mixed with other content');
    }
  }
  const written = withoutNulls({
    publicId: body.publicId,
    name: body.name,
    title: body.title,
    jsonQuery,
    sqlQuery,
    meta: body.meta,
    pivotItems: body.pivotItems,
    externalWorkbookId: body.externalWorkbookId,
    resultLocation: body.resultLocation,
    endResultCell: body.endResultCell,
    folderId,
    workbookId,
  });
  // `null` means omitted; an empty string clears the field.
  return { ...written, ...(jsonQuery === '' && { jsonQuery: null }), ...(sqlQuery === '' && { sqlQuery: null }) };
}

/** Removes keys with a value of `null` or `undefined`. */
export function withoutNulls<T extends object>(record: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(record).filter(([, value]) => value != null);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

function checkQuery(text: string): void {
  let query: unknown;
  try {
    query = JSON.parse(text);
  } catch {
    throw new PlatformError(400, 'body.jsonQuery: is not valid JSON');
  }
  // Limits the nesting before the schema recurses into nested filters.
  rejectUnstorable(query, 'body.jsonQuery');
  const result = z.safeParse(Query, query);
  if (!result.success) throw new PlatformError(400, describeIssues('body.jsonQuery', result.error.issues));
}
