import * as z from 'zod/mini';
import { Query } from '../../../contract/query.js';
import type { CreateReport, UpdateReport } from '../../../contract/reports.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { describeIssues } from '../../http/mount.js';
import { refuseUnstorable } from '../../http/serve.js';
import { Level } from '../content-access.js';
import { requireWorkbook } from '../require-access.js';
import { requireTargetFolder, type TargetFolder } from '../workspace/folders.js';
import { placeholderReportId, type ReportChange } from './report-store.js';

/** Refuses an id that a report without one may show (spec 4.2, rule 4). */
export function refusePlaceholder(publicId: string | null | undefined, field: string): void {
  if (publicId == null || placeholderReportId(publicId) === null) return;
  throw new PlatformError(
    400,
    `${field}: an id that begins with 0000 like this one is a generated placeholder, choose an id of your own`,
  );
}

/**
 * The columns that a body writes, checked: a folder or workbook that is named must be one of the deployment that the caller may edit,
 * and stays until the transaction ends. What an embed tenant's users made stays among theirs, since it goes with the tenant.
 * @param of - the report's deployment, and the embed tenant whose users made it.
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
      throw new PlatformError(400, "body.workbookId: what an embed tenant's users made and other content don't mix");
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
  // Null is as if it were left out: an empty text takes the place of "none".
  return { ...written, ...(jsonQuery === '' && { jsonQuery: null }), ...(sqlQuery === '' && { sqlQuery: null }) };
}

/** A record without the keys that were not given, or given as null. */
export function withoutNulls<T extends object>(record: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(record).filter(([, value]) => value != null);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

function checkQuery(text: string): void {
  let query: unknown;
  try {
    query = JSON.parse(text);
  } catch {
    throw new PlatformError(400, 'body.jsonQuery: is not JSON text');
  }
  // Before the schema, which goes as deep as the filters in it do.
  refuseUnstorable(query, 'body.jsonQuery');
  const result = z.safeParse(Query, query);
  if (!result.success) throw new PlatformError(400, describeIssues('body.jsonQuery', result.error.issues));
}
