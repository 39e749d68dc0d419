import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { ancestorsOf } from './folder-visibility.js';
import { dashboards, folders, GroupKind, groups, workbookShares, workbooks } from './schema.js';
import { sharedFolders } from './shares.js';
import type { WorkspaceView } from './workspace.js';

/**
 * What is shared with the users of an embed tenant, the same for all of them: workbooks with a published dashboard that are shared
 * with the tenant or all embed users, themselves or by a folder above; folders that are shared, and those on the way to either. What
 * another tenant's users made is never among it.
 */
export function sharedWorkspace(embedTenantId: number): WorkspaceView {
  const workbook = sharedWorkbooks(embedTenantId);
  const onTheWay = ancestorsOf([
    sql`select id from ${sharedFolders(embedTenantId)} direct`,
    sql`select ${workbooks.folderId} from ${workbooks} where ${workbooks.folderId} is not null and ${workbook}`,
  ]);
  return {
    name: 'shared workspace',
    folder: sql`(${notOfOthers(folders.embedTenantId, embedTenantId)} and ${folders.id} in (${onTheWay}))`,
    workbooks: [{ where: workbook, order: 'by index' }],
    reports: [{ where: sql`false`, order: 'by index' }],
  };
}

/** True for the workbooks of a shared workspace. */
function sharedWorkbooks(embedTenantId: number): SQL {
  return sql`(${notOfOthers(workbooks.embedTenantId, embedTenantId)}
    and exists (select from ${dashboards} where ${dashboards.workbookId} = ${workbooks.id})
    and (${workbooks.folderId} in ${sharedFolders(embedTenantId)} or ${workbooks.id} in (
      select ${workbookShares.workbookId} from ${workbookShares} join ${groups} on ${groups.id} = ${workbookShares.groupId}
      where ${groups.kind} = ${GroupKind.sharing} and (${groups.embedTenantId} is null or ${groups.embedTenantId} = ${embedTenantId}))))`;
}

function notOfOthers(owner: PgColumn, embedTenantId: number): SQL {
  return sql`(${owner} is null or ${owner} = ${embedTenantId})`;
}
