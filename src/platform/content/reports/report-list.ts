import { and, asc, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { GetReportsQuery } from '../../../contract/reports.js';
import type { PageInfo } from '../../../contract/wire.js';
import type { Db } from '../../db/database.js';
import { containsPattern, Keyset } from '../../db/keyset.js';
import { reportPlacements, reports, reportViews } from '../../db/schema.js';
import { type ContentAccess, levelColumn, type OrderedLimit, reachableIds, reachableOn } from '../content-access.js';
import type { ReportWithLevel, StoredReport } from './report-store.js';

/** Maximum value of the deprecated total, so that the response time does not depend on the length of the list. */
const maxCount = 10_000;
const defaultLimit = 100;
const maxLimit = 1000;

/** Filter, page and caller of a request for a list of reports. */
export interface ReportListRequest {
  readonly deploymentId: number;
  /** User whose views determine `lastViewedAt`. */
  readonly userId: number;
  readonly access: ContentAccess;
  readonly query: GetReportsQuery;
}

/** One page of reports. */
export interface ReportPage {
  readonly items: readonly ReportWithLevel[];
  readonly pageInfo: PageInfo;
  /** Number of items on all pages, up to `maxCount`. */
  readonly count: number;
  /** True if there are more items than `count`. */
  readonly countIsCapped?: true;
}

const orders = {
  name: { key: { name: reports.name, id: reports.id }, usual: 'ASC' },
  createdAt: { key: { createdAt: reports.createdAt, id: reports.id }, usual: 'DESC' },
  updatedAt: { key: { updatedAt: reports.updatedAt, id: reports.id }, usual: 'DESC' },
} as const;

function keysetOf({ sortBy = 'updatedAt', sortDirection }: GetReportsQuery): Keyset<StoredReport> {
  const { key, usual } = orders[sortBy === 'lastViewedAt' ? 'updatedAt' : sortBy];
  const direction = (sortDirection ?? usual) === 'ASC' ? 'asc' : 'desc';
  return new Keyset<StoredReport>(`reports by ${sortBy} ${direction}`, key, direction);
}

/** Lists reports that the caller may read, with a cursor or page numbers. */
export async function listReports(db: Db, request: ReportListRequest): Promise<ReportPage> {
  const { query } = request;
  const matching = matchingReports(db, request);
  const isByCursor = query.page === undefined && query.limit === undefined && query.sortBy !== 'lastViewedAt';
  const page = await (isByCursor ? pageByCursor : pageByNumber)(db, request, matching);
  const { items, pageInfo } = page;
  const isAll = !pageInfo.hasNextPage && !pageInfo.hasPreviousPage;
  const count = isAll ? items.length : await countUpTo(db, request, matching, maxCount + 1);
  return count > maxCount ? { ...page, count: maxCount, countIsCapped: true } : { ...page, count };
}

type PagePart = Omit<ReportPage, 'count' | 'countIsCapped'>;

async function pageByCursor(db: Db, request: ReportListRequest, matching: SQL | undefined): Promise<PagePart> {
  const { query } = request;
  const keyset = keysetOf(query);
  const first = { orderBy: keyset.orderBy, limit: keyset.limit(query) };
  const rows = await byKeys(db, request, and(matching, keyset.after(query)), first).limit(first.limit);
  const { items, pageInfo } = keyset.pageWithinBytes(
    rows.map(({ report }) => report),
    query,
  );
  return { items: rows.slice(0, items.length), pageInfo };
}

async function pageByNumber(db: Db, request: ReportListRequest, matching: SQL | undefined): Promise<PagePart> {
  const { page, sortBy } = request.query;
  const limit = request.query.limit ?? (page === undefined ? maxLimit : defaultLimit);
  const size = Math.min(limit, maxLimit);
  const offset = ((page ?? 1) - 1) * size;
  const first = { orderBy: keysetOf(request.query).orderBy, limit: offset + size + 1 };
  const rows = await (sortBy === 'lastViewedAt' ? byView(db, request, matching) : byKeys(db, request, matching, first))
    .limit(size + 1)
    .offset(offset);
  return {
    items: rows.slice(0, size),
    pageInfo: { hasNextPage: rows.length > size, hasPreviousPage: offset > 0 },
  };
}

const byKeys = (db: Db, request: ReportListRequest, matching: SQL | undefined, first: OrderedLimit) =>
  pick(db, request, reachableOn(reports, request.access.readPaths.reports, matching, first)).orderBy(...first.orderBy);

/** Orders by the last view of the caller. Reports that the caller has not viewed are treated as oldest. */
function byView(db: Db, request: ReportListRequest, matching: SQL | undefined) {
  const order =
    request.query.sortDirection === 'ASC'
      ? [sql`${reportViews.viewedAt} asc nulls first`, asc(reports.id)]
      : [sql`${reportViews.viewedAt} desc nulls last`, desc(reports.id)];
  return pick(db, request, reachableOn(reports, request.access.readPaths.reports, matching))
    .leftJoin(reportViews, and(eq(reportViews.reportId, reports.id), eq(reportViews.userId, request.userId)))
    .orderBy(...order);
}

const pick = (db: Db, { access }: ReportListRequest, where: SQL | undefined) =>
  db
    .select({ report: reports, level: levelColumn(access.report) })
    .from(reports)
    .where(where)
    .$dynamic();

/** Returns the condition for the filters of the query, without access rights. */
function matchingReports(db: Db, { deploymentId, query }: ReportListRequest): SQL | undefined {
  const { workbookId, folderId, externalWorkbookId, search } = query;
  return and(
    eq(reports.deploymentId, deploymentId),
    workbookId === undefined ? undefined : eq(reports.workbookId, workbookId),
    folderId === undefined ? undefined : eq(reports.folderId, folderId),
    externalWorkbookId === undefined ? undefined : inArray(reports.id, placedIn(db, externalWorkbookId)),
    search
      ? or(ilike(reports.name, containsPattern(search)), ilike(reports.title, containsPattern(search)))
      : undefined,
  );
}

// A UNION of two statements, because each can use its own index; a condition with OR would use neither.
const placedIn = (db: Db, externalWorkbookId: string) =>
  union(
    db
      .select({ id: reportPlacements.reportId })
      .from(reportPlacements)
      .where(eq(reportPlacements.externalWorkbookId, externalWorkbookId)),
    db.select({ id: reports.id }).from(reports).where(eq(reports.externalWorkbookId, externalWorkbookId)),
  );

async function countUpTo(
  db: Db,
  { access }: ReportListRequest,
  matching: SQL | undefined,
  limit: number,
): Promise<number> {
  const ids = reachableIds(reports, access.readPaths.reports, matching, { orderBy: [], limit });
  const { rows } = await db.execute<{ count: number }>(
    sql`select least(count(*), ${limit})::int as count from (${ids}) counted`,
  );
  return rows[0]?.count ?? 0;
}
