import { and, eq, getTableName, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Principal } from '../auth/principal.js';
import { type ActionName, type Rights, Tier } from '../auth/rights.js';
import { folders, reports, workbooks } from '../db/schema.js';

/** A table of content. */
type ContentTable = PgTable & { readonly id: PgColumn };

/** One way to rows of a table that a caller may read. */
export interface AccessPath {
  readonly where: SQL;
  /**
   * What finds the first of the rows in some order: an index on the condition and the order in one; or the rows are found by an index on
   * the condition, all of them, and then ordered. Left to itself the planner would guess that a walk through the whole table in that order
   * meets enough of them soon, while those of others may all come first.
   */
  readonly order: 'by index' | 'afterwards';
}

/**
 * Ways to rows of one table of which each gives some. An index serves each alone, as none would serve all of them in one condition, so
 * that a list passes over whatever others have.
 */
export type AccessPaths = readonly [AccessPath, ...AccessPath[]];

/** The first rows in an order, and how many; of an empty order any rows. */
export interface OrderedLimit {
  readonly orderBy: readonly SQL[];
  readonly limit: number;
}

/** For FROM, under the name of the table: its rows that are reached in one way. */
export function rowsOnPath(table: ContentTable, { where, order }: AccessPath, further?: SQL): SQL {
  // OFFSET keeps the planner from taking the statement around it into account.
  const fence = order === 'by index' ? sql`` : sql` offset 0`;
  return sql`(select * from ${table} where ${and(where, further)}${fence}) ${sql.identifier(getTableName(table))}`;
}

/**
 * A condition that holds for the rows that one of the ways leads to.
 * @param further - another condition on the rows.
 * @param first - of each way no more than these are looked at: those of the whole are among them.
 */
export function reachableOn(
  table: ContentTable,
  ways: AccessPaths,
  further?: SQL,
  first?: OrderedLimit,
): SQL | undefined {
  const [way, ...others] = ways;
  if (others.length === 0) return and(way.where, further);
  return sql`${table.id} in (${reachableIds(table, ways, further, first)})`;
}

/** A statement that gives the ids of the rows that one of the ways leads to, each once. */
export function reachableIds(table: ContentTable, ways: AccessPaths, further?: SQL, first?: OrderedLimit): SQL {
  const order = first?.orderBy.length ? sql` order by ${sql.join([...first.orderBy], sql`, `)}` : sql``;
  const tail = first ? sql`${order} limit ${first.limit}` : sql``;
  const parts = ways.map(way => sql`(select ${table.id} from ${rowsOnPath(table, way, further)}${tail})`);
  return sql.join(parts, sql` union `);
}

/** How far access to a workbook, report or folder goes (spec 5.3), the least first. */
export const Level = { none: 0, read: 1, edit: 2, manage: 3 } as const;
/** How far access to an item goes. */
export type Level = (typeof Level)[keyof typeof Level];

/**
 * Conditions, for the database, on what a caller may reach: own content; what a policy on it, or on a folder above it, opens; of a
 * report also what its workbook opens. Embed sessions reach their own content in their own tenant and no more.
 */
export interface ContentAccess {
  /** Of rows of `workbooks`. */
  workbook(level: Level): SQL;
  /** Of rows of `reports`. */
  report(level: Level): SQL;
  /** Of rows of `folders`. */
  folder(level: Level): SQL;
  /** What the caller may read, way by way: how lists find it. */
  readonly ways: ReadPaths;
}

/** Conditions on what a caller may read, for lists. */
interface ReadPaths {
  /** Of rows of `workbooks`. */
  readonly workbooks: AccessPaths;
  /** Of rows of `reports`. */
  readonly reports: AccessPaths;
  /** Of rows of `reports` that belong to no workbook. */
  readonly looseReports: AccessPaths;
}

const always = sql`true`;
const never = sql`false`;

/** The most that a tier may do to content that is not its own to read alone. */
const mostOf = (tier: Tier): Level =>
  tier === Tier.none ? Level.none : tier === Tier.view ? Level.read : Level.manage;

/** What a caller may reach of content. */
export function contentAccess(principal: Principal): ContentAccess {
  const { rights } = principal;
  if (rights.isAdmin) {
    const all = (item: Owned) => () => ofTenantOrAccount(principal, item);
    const [workbook, report] = [all(workbooks), all(reports)];
    const reportWays: AccessPaths = [inOrder(report())];
    const ways: ReadPaths = { workbooks: [inOrder(workbook())], reports: reportWays, looseReports: reportWays };
    return { workbook, report, folder: all(folders), ways };
  }
  const most = mostOf(rights.tier);
  const own = (item: Owned) => ownedBy(principal, item);
  const reach = (level: Level, condition: () => SQL) => (level > most ? never : condition());
  const folder = (level: Level) =>
    reach(level, () => sql`(${own(folders)} or ${folders.id} in ${foldersGranted(rights, level)})`);
  const workbook = (level: Level) =>
    reach(
      level,
      () => sql`(${own(workbooks)} or ${granted(rights, 'Workbook', level, workbooks.id)}
        or ${workbooks.folderId} in ${foldersGranted(rights, level)})`,
    );
  const report = (level: Level) =>
    reach(
      level,
      () => sql`(${own(reports)} or ${granted(rights, 'Report', level, reports.id)}
        or ${reports.folderId} in ${foldersGranted(rights, level)}
        or exists (select from ${workbooks} where ${eq(workbooks.id, reports.workbookId)} and ${workbook(level)}))`,
    );
  return { workbook, report, folder, ways: most < Level.read ? noReadPaths : readPathsOf(principal) };
}

const inOrder = (where: SQL): AccessPath => ({ where, order: 'by index' });
const orderedAfterwards = (where: SQL): AccessPath => ({ where, order: 'afterwards' });

const noPath: AccessPaths = [inOrder(never)];
const noReadPaths: ReadPaths = { workbooks: noPath, reports: noPath, looseReports: noPath };

function readPathsOf(principal: Principal): ReadPaths {
  const { rights } = principal;
  const waysTo = (
    item: typeof workbooks | typeof reports,
    type: 'Workbook' | 'Report',
    ...more: AccessPath[]
  ): AccessPaths => {
    const named = granted(rights, type, Level.read, item.id);
    if (named === always) return [inOrder(always)];
    const others = [orderedAfterwards(named), inFolders(rights, item.folderId), ...more];
    return [inOrder(ownBy(principal, item)), ...others.filter(({ where }) => where !== never)];
  };
  const toWorkbooks = waysTo(workbooks, 'Workbook');
  return {
    workbooks: toWorkbooks,
    reports: waysTo(reports, 'Report', inWorkbooks(toWorkbooks)),
    looseReports: waysTo(reports, 'Report'),
  };
}

// By a sub-select, whose outcome the planner doesn't foresee: of an owner of half of all rows it would rather go through all of them in
// their order than through those of the owner, and with bad luck the others' half comes first.
function ownBy(principal: Principal, item: Owned): SQL {
  return sql`(${item.createdBy} = (select ${principal.userId}::bigint) and ${inOwnSpace(principal, item)})`;
}

// Workbooks and folders as arrays, which are read once and which an index on their ids serves.
function inWorkbooks(ways: AccessPaths): AccessPath {
  if (ways[0].where === always) return inOrder(isNotNull(reports.workbookId));
  return orderedAfterwards(sql`${reports.workbookId} = any(array(${reachableIds(workbooks, ways)}))`);
}

function inFolders(rights: Rights, folderId: PgColumn): AccessPath {
  const named = granted(rights, 'Folder', Level.read, folders.id);
  if (named === always) return inOrder(isNotNull(folderId));
  if (named === never) return inOrder(never);
  return orderedAfterwards(sql`${folderId} = any(array${foldersGranted(rights, Level.read)})`);
}

/** The level of a caller on an item as a number, for a SELECT on the item's own table. */
export function levelColumn(of: (level: Level) => SQL): SQL<Level> {
  return sql<Level>`case when ${of(Level.manage)} then ${sql.raw(String(Level.manage))} when ${of(Level.edit)} then ${sql.raw(String(Level.edit))}
    when ${of(Level.read)} then ${sql.raw(String(Level.read))} else ${sql.raw(String(Level.none))} end`;
}

interface Owned {
  readonly createdBy: PgColumn;
  readonly embedTenantId: PgColumn;
}

/** An embed session comes near no other tenant's content, whatever the role of its user. */
function ofTenantOrAccount(principal: Principal, { embedTenantId }: Pick<Owned, 'embedTenantId'>): SQL {
  if (principal.kind === 'api-key') return always;
  return sql`(${isNull(embedTenantId)} or ${eq(embedTenantId, principal.embedTenantId)})`;
}

function ownedBy(principal: Principal, item: Owned): SQL {
  return sql`(${eq(item.createdBy, principal.userId)} and ${inOwnSpace(principal, item)})`;
}

/** What was made in an embed session belongs to its tenant, and what was made by key to the account. */
function inOwnSpace(principal: Principal, { embedTenantId }: Pick<Owned, 'embedTenantId'>): SQL {
  return principal.kind === 'api-key' ? isNull(embedTenantId) : eq(embedTenantId, principal.embedTenantId);
}

const actionsFor = (type: 'Workbook' | 'Report' | 'Folder', level: Level): readonly ActionName[] => {
  const upwards: readonly ActionName[] = [`${type}Read`, `${type}Edit`, `${type}Manage`];
  return ['All', ...upwards.slice(level - 1)];
};

/** True for the rows whose id a policy names with an action that is enough. */
function granted(rights: Rights, type: 'Workbook' | 'Report' | 'Folder', level: Level, id: PgColumn): SQL {
  const enough = actionsFor(type, level);
  const named = rights.policies
    .filter(({ resourceType, actions }) => resourceType === type && enough.some(action => actions.includes(action)))
    .flatMap(({ resources }) => resources);
  if (named.includes('All')) return always;
  const ids = named.filter(text => /^\d{1,15}$/.test(text)).map(Number);
  return ids.length === 0 ? never : sql`${id} = any(${sql.param(ids)}::bigint[])`;
}

/** Ids of the folders that policies name, and of all that is in them. */
function foldersGranted(rights: Rights, level: Level): SQL {
  const base = granted(rights, 'Folder', level, folders.id);
  if (base === never) return sql`(null)`;
  return sql`(with recursive reached(id) as (
      select ${folders.id} from ${folders} where ${base}
      union select child.id from ${folders} child join reached on child.parent_id = reached.id
    ) select id from reached)`;
}
