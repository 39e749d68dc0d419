import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { type ContentAccess, Level } from '../access/content-access.js';
import { reachedBy } from '../access/ways.js';
import { folders, reports, workbooks } from './schema.js';

/**
 * True for the folders of a deployment that a caller may know of: those it may read, and those on the way to anything that it may
 * read, since that could not be found otherwise.
 */
export function visibleFolders(access: ContentAccess, deploymentId: number): SQL {
  const read = access.folder(Level.read);
  const { ways } = access;
  const inFolder = (table: typeof workbooks | typeof reports) =>
    and(eq(table.deploymentId, deploymentId), isNotNull(table.folderId));
  return sql`(${read} or ${folders.id} in (${ancestorsOf([
    sql`select ${folders.parentId} from ${folders} where ${and(eq(folders.deploymentId, deploymentId), isNotNull(folders.parentId), read)}`,
    sql`select ${workbooks.folderId} from ${workbooks} where ${reachedBy(workbooks, ways.workbooks, inFolder(workbooks))}`,
    sql`select ${reports.folderId} from ${reports} where ${reachedBy(reports, ways.looseReports, and(inFolder(reports), isNull(reports.workbookId)))}`,
  ])}))`;
}

/** Ids of the folders that these statements give, and of all folders above them. */
export function ancestorsOf(starts: readonly SQL[]): SQL {
  return sql`with recursive seen(id) as (
      (${sql.join([...starts], sql` union `)})
      union select above.parent_id from ${folders} above join seen on above.id = seen.id where above.parent_id is not null
    ) select id from seen`;
}
