import { and, eq, getTableName, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Principal } from '../auth/principal.js';
import { type ActionName, type Rights, Tier } from '../auth/rights.js';
import { folders, reports, workbooks } from '../db/schema.js';

/** A table of content. */
type ContentTable = PgTable & { readonly id: PgColumn };

/** Condition on the rows of a table that a caller may read, and how to find these rows. */
export interface AccessPath {
  readonly where: SQL;
  /**
   * How to find the first rows in sort order: `by index` reads an index on the condition and the sort keys;
   * `afterwards` finds all rows by an index on the condition and then sorts them. Without `afterwards`, the planner
   * would assume that a scan in sort order finds enough readable rows early, although rows of other users may come
   * first.
   */
  readonly order: 'by index' | 'afterwards';
}

/**
 * Access paths to one table. Each selects some of the rows by its own index. No index could serve all of them in one
 * condition, so a list would also scan the rows of other users.
 */
export type AccessPaths = readonly [AccessPath, ...AccessPath[]];

/** Order and limit; an empty order selects any rows. */
export interface OrderedLimit {
  readonly orderBy: readonly SQL[];
  readonly limit: number;
}

/** Returns the subquery for FROM with the name of the table as alias: the rows of the table on one access path. */
export function rowsOnPath(table: ContentTable, { where, order }: AccessPath, further?: SQL): SQL {
  // OFFSET keeps the planner from merging the subquery into the statement.
  const fence = order === 'by index' ? sql`` : sql` offset 0`;
  return sql`(select * from ${table} where ${and(where, further)}${fence}) ${sql.identifier(getTableName(table))}`;
}

/**
 * Returns the condition that is true for rows on at least one access path.
 * @param further - another condition on the rows.
 * @param first - order and limit of each path. Sufficient, because the first rows of the union are among the first rows
 * of each path.
 */
export function reachableOn(
  table: ContentTable,
  readPaths: AccessPaths,
  further?: SQL,
  first?: OrderedLimit,
): SQL | undefined {
  const [path, ...others] = readPaths;
  if (others.length === 0) return and(path.where, further);
  return sql`${table.id} in (${reachableIds(table, readPaths, further, first)})`;
}

/** Returns the statement that selects the distinct ids of the rows on the access paths. */
export function reachableIds(table: ContentTable, readPaths: AccessPaths, further?: SQL, first?: OrderedLimit): SQL {
  const order = first?.orderBy.length ? sql` order by ${sql.join([...first.orderBy], sql`, `)}` : sql``;
  const tail = first ? sql`${order} limit ${first.limit}` : sql``;
  const parts = readPaths.map(path => sql`(select ${table.id} from ${rowsOnPath(table, path, further)}${tail})`);
  return sql.join(parts, sql` union `);
}

/** Level of access to a workbook, report or folder (spec 5.3), in ascending order. */
export const Level = { none: 0, read: 1, edit: 2, manage: 3 } as const;
/** Level of access to an item. */
export type Level = (typeof Level)[keyof typeof Level];

/**
 * SQL conditions on what a caller may access: own content; content that a policy on the item or on a folder above it
 * allows; and, for reports, content that access to their workbook allows. Embed sessions access only their own content
 * in their own tenant.
 */
export interface ContentAccess {
  /** Condition for rows of `workbooks`. */
  workbook(level: Level): SQL;
  /** Condition for rows of `reports`. */
  report(level: Level): SQL;
  /** Condition for rows of `folders`. */
  folder(level: Level): SQL;
  /** Access paths for lists of readable items. */
  readonly readPaths: ReadPaths;
}

/** Access paths to the rows that a caller may read, for lists. */
interface ReadPaths {
  /** Access paths to rows of `workbooks`. */
  readonly workbooks: AccessPaths;
  /** Access paths to rows of `reports`. */
  readonly reports: AccessPaths;
  /** Access paths to rows of `reports` that belong to no workbook. */
  readonly looseReports: AccessPaths;
}

const always = sql`true`;
const never = sql`false`;

/** Returns the maximum level of a license tier on content of other users. */
function maxLevelOf(tier: Tier): Level {
  if (tier === Tier.none) return Level.none;
  return tier === Tier.view ? Level.read : Level.manage;
}

/** Returns the conditions on the content that a caller may access. */
export function contentAccess(principal: Principal): ContentAccess {
  const { rights } = principal;
  if (rights.isAdmin) {
    const all = (item: Owned) => () => ofTenantOrAccount(principal, item);
    const [workbook, report] = [all(workbooks), all(reports)];
    const reportPaths: AccessPaths = [inOrder(report())];
    const readPaths: ReadPaths = { workbooks: [inOrder(workbook())], reports: reportPaths, looseReports: reportPaths };
    return { workbook, report, folder: all(folders), readPaths };
  }
  const maxLevel = maxLevelOf(rights.tier);
  const own = (item: Owned) => ownedBy(principal, item);
  const reach = (level: Level, condition: () => SQL) => (level > maxLevel ? never : condition());
  const folder = (level: Level) =>
    reach(level, () => sql`(${own(folders)} or ${folders.id} in ${foldersGranted(rights, level)})`);
  const workbook = (level: Level) =>
    reach(
      level,
      () => sql`(${own(workbooks)} or ${isGranted(rights, 'Workbook', level, workbooks.id)}
        or ${workbooks.folderId} in ${foldersGranted(rights, level)})`,
    );
  const report = (level: Level) =>
    reach(
      level,
      () => sql`(${own(reports)} or ${isGranted(rights, 'Report', level, reports.id)}
        or ${reports.folderId} in ${foldersGranted(rights, level)}
        or exists (select from ${workbooks} where ${eq(workbooks.id, reports.workbookId)} and ${workbook(level)}))`,
    );
  return { workbook, report, folder, readPaths: maxLevel < Level.read ? noReadPaths : readPathsOf(principal) };
}

const inOrder = (where: SQL): AccessPath => ({ where, order: 'by index' });
const orderedAfterwards = (where: SQL): AccessPath => ({ where, order: 'afterwards' });

const noPath: AccessPaths = [inOrder(never)];
const noReadPaths: ReadPaths = { workbooks: noPath, reports: noPath, looseReports: noPath };

function readPathsOf(principal: Principal): ReadPaths {
  const { rights } = principal;
  const pathsTo = (
    item: typeof workbooks | typeof reports,
    type: 'Workbook' | 'Report',
    ...more: AccessPath[]
  ): AccessPaths => {
    const named = isGranted(rights, type, Level.read, item.id);
    if (named === always) return [inOrder(always)];
    const others = [orderedAfterwards(named), inFolders(rights, item.folderId), ...more];
    return [inOrder(ownBy(principal, item)), ...others.filter(({ where }) => where !== never)];
  };
  const toWorkbooks = pathsTo(workbooks, 'Workbook');
  return {
    workbooks: toWorkbooks,
    reports: pathsTo(reports, 'Report', inWorkbooks(toWorkbooks)),
    looseReports: pathsTo(reports, 'Report'),
  };
}

// The user id is a subquery, so that the planner cannot estimate the number of rows. For an owner of half of all rows,
// it would scan the table in sort order, in which rows of other users may come first, instead of the rows of the owner.
function ownBy(principal: Principal, item: Owned): SQL {
  return sql`(${item.createdBy} = (select ${principal.userId}::bigint) and ${inOwnSpace(principal, item)})`;
}

// Selects ids of workbooks and folders as arrays, which are computed once and can use an index on the ids.
function inWorkbooks(readPaths: AccessPaths): AccessPath {
  if (readPaths[0].where === always) return inOrder(isNotNull(reports.workbookId));
  return orderedAfterwards(sql`${reports.workbookId} = any(array(${reachableIds(workbooks, readPaths)}))`);
}

function inFolders(rights: Rights, folderId: PgColumn): AccessPath {
  const named = isGranted(rights, 'Folder', Level.read, folders.id);
  if (named === always) return inOrder(isNotNull(folderId));
  if (named === never) return inOrder(never);
  return orderedAfterwards(sql`${folderId} = any(array${foldersGranted(rights, Level.read)})`);
}

/** Returns the column with the caller's access level as a number, for a SELECT on the table of the item. */
export function levelColumn(of: (level: Level) => SQL): SQL<Level> {
  return sql<Level>`case when ${of(Level.manage)} then ${sql.raw(String(Level.manage))} when ${of(Level.edit)} then ${sql.raw(String(Level.edit))}
    when ${of(Level.read)} then ${sql.raw(String(Level.read))} else ${sql.raw(String(Level.none))} end`;
}

interface Owned {
  readonly createdBy: PgColumn;
  readonly embedTenantId: PgColumn;
}

/**
 * Returns a condition for rows of the caller's tenant or of the account. Embed sessions cannot access content of other
 * tenants, regardless of the user's role.
 */
function ofTenantOrAccount(principal: Principal, { embedTenantId }: Pick<Owned, 'embedTenantId'>): SQL {
  if (principal.kind !== 'embed') return always;
  return sql`(${isNull(embedTenantId)} or ${eq(embedTenantId, principal.embedTenantId)})`;
}

function ownedBy(principal: Principal, item: Owned): SQL {
  return sql`(${eq(item.createdBy, principal.userId)} and ${inOwnSpace(principal, item)})`;
}

/**
 * Returns the condition for content of the caller's space: of the tenant in an embed session, otherwise of the account.
 */
function inOwnSpace(principal: Principal, { embedTenantId }: Pick<Owned, 'embedTenantId'>): SQL {
  return principal.kind === 'embed' ? eq(embedTenantId, principal.embedTenantId) : isNull(embedTenantId);
}

const actionsFor = (type: 'Workbook' | 'Report' | 'Folder', level: Level): readonly ActionName[] => {
  const upwards: readonly ActionName[] = [`${type}Read`, `${type}Edit`, `${type}Manage`];
  return ['All', ...upwards.slice(level - 1)];
};

/** Returns the condition for rows whose id is in a policy with a sufficient action. */
function isGranted(rights: Rights, type: 'Workbook' | 'Report' | 'Folder', level: Level, id: PgColumn): SQL {
  const enough = actionsFor(type, level);
  const named = rights.policies
    .filter(({ resourceType, actions }) => resourceType === type && enough.some(action => actions.includes(action)))
    .flatMap(({ resources }) => resources);
  if (named.includes('All')) return always;
  const ids = named.filter(text => /^\d{1,15}$/.test(text)).map(Number);
  return ids.length === 0 ? never : sql`${id} = any(${sql.param(ids)}::bigint[])`;
}

/** Returns the ids of the folders in policies and of all folders below them. */
function foldersGranted(rights: Rights, level: Level): SQL {
  const base = isGranted(rights, 'Folder', level, folders.id);
  if (base === never) return sql`(null)`;
  return sql`(with recursive reached(id) as (
      select ${folders.id} from ${folders} where ${base}
      union select child.id from ${folders} child join reached on child.parent_id = reached.id
    ) select id from reached)`;
}
