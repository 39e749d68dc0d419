import { and, asc, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { GetReportsQuery } from '../../contract/reports.js';
import type { PageInfo } from '../../contract/wire.js';
import { type ContentAccess, Level, levelColumn } from '../access/content-access.js';
import { containing } from './containing.js';
import type { Db } from './database.js';
import { Keyset } from './keyset.js';
import type { ReachedReport, StoredReport } from './reports.js';
import { reportPlacements, reports, reportViews } from './schema.js';

/** Beyond this the deprecated total of a list isn't counted: a page must not take longer the longer the list is. */
const maxCount = 10_000;
const defaultLimit = 100;
const maxLimit = 1000;

/** Which reports are listed, and for whom. */
export interface ReportListRequest {
  readonly deploymentId: number;
  /** Whose looks `lastViewedAt` tells of. */
  readonly userId: number;
  readonly access: ContentAccess;
  readonly query: GetReportsQuery;
}

/** One page of reports. */
export interface ReportPage {
  readonly items: readonly ReachedReport[];
  readonly pageInfo: PageInfo;
  /** How many there are on all pages; where they are more than are counted, the most that is counted. */
  readonly count: number;
}

type Direction = 'asc' | 'desc';

const orders = {
  name: { key: { name: reports.name, id: reports.id }, direction: 'asc' },
  createdAt: { key: { createdAt: reports.createdAt, id: reports.id }, direction: 'desc' },
  updatedAt: { key: { updatedAt: reports.updatedAt, id: reports.id }, direction: 'desc' },
} as const;

function keysetOf(sortBy: keyof typeof orders, asked: Direction | undefined): Keyset<StoredReport> {
  const { key, direction: usual } = orders[sortBy];
  const direction = asked ?? usual;
  return new Keyset<StoredReport>(`reports by ${sortBy} ${direction}`, key, direction);
}

/** Lists reports that the caller may read, by cursor or by page. */
export async function listReports(db: Db, request: ReportListRequest): Promise<ReportPage> {
  const { query } = request;
  const direction = query.sortDirection === undefined ? undefined : query.sortDirection === 'ASC' ? 'asc' : 'desc';
  const matching = matchingReports(db, request);
  const count = await countUpTo(db, matching);
  if (query.sortBy === 'lastViewedAt') {
    return { ...(await pageByView(db, request, matching, direction ?? 'desc')), count };
  }
  const keyset = keysetOf(query.sortBy ?? 'updatedAt', direction);
  if (query.page !== undefined || query.limit !== undefined) {
    const { limit, offset } = bounds(query);
    const rows = await pick(db, request, matching)
      .orderBy(...keyset.orderBy)
      .limit(limit + 1)
      .offset(offset);
    return { ...pageAt(rows, limit, offset), count };
  }
  const rows = await pick(db, request, and(matching, keyset.after(query)))
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit(query));
  const { items, pageInfo } = keyset.page(
    rows.map(({ report }) => report),
    query,
  );
  return { items: rows.slice(0, items.length), pageInfo, count };
}

const pick = (db: Db, { access }: ReportListRequest, where: SQL | undefined) =>
  db
    .select({ report: reports, level: levelColumn(access.report) })
    .from(reports)
    .where(where)
    .$dynamic();

/** The condition that the reports of a list fulfil. */
function matchingReports(db: Db, { deploymentId, access, query }: ReportListRequest): SQL | undefined {
  const { workbookId, folderId, externalWorkbookId, search } = query;
  return and(
    eq(reports.deploymentId, deploymentId),
    access.report(Level.read),
    workbookId === undefined ? undefined : eq(reports.workbookId, workbookId),
    folderId === undefined ? undefined : eq(reports.folderId, folderId),
    externalWorkbookId === undefined ? undefined : inArray(reports.id, placedIn(db, externalWorkbookId)),
    search ? or(ilike(reports.name, containing(search)), ilike(reports.title, containing(search))) : undefined,
  );
}

// One statement of two that an index serves each; by OR neither would be.
const placedIn = (db: Db, externalWorkbookId: string) =>
  union(
    db
      .select({ id: reportPlacements.reportId })
      .from(reportPlacements)
      .where(eq(reportPlacements.externalWorkbookId, externalWorkbookId)),
    db.select({ id: reports.id }).from(reports).where(eq(reports.externalWorkbookId, externalWorkbookId)),
  );

async function countUpTo(db: Db, matching: SQL | undefined): Promise<number> {
  const counted = db.select({ id: reports.id }).from(reports).where(matching).limit(maxCount).as('counted');
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(counted);
  return row?.count ?? 0;
}

const bounds = ({ page = 1, limit = defaultLimit }: GetReportsQuery) => {
  const size = Math.min(limit, maxLimit);
  return { limit: size, offset: (page - 1) * size };
};

function pageAt(rows: readonly ReachedReport[], limit: number, offset: number): Omit<ReportPage, 'count'> {
  const items = rows.slice(0, limit);
  return { items, pageInfo: { hasNextPage: rows.length > limit, hasPreviousPage: offset > 0 } };
}

/** By when the caller last looked; reports that it never looked at are those of the longest ago. */
async function pageByView(
  db: Db,
  request: ReportListRequest,
  matching: SQL | undefined,
  direction: Direction,
): Promise<Omit<ReportPage, 'count'>> {
  const { limit, offset } = bounds(request.query);
  const order =
    direction === 'asc'
      ? [sql`${reportViews.viewedAt} asc nulls first`, asc(reports.id)]
      : [sql`${reportViews.viewedAt} desc nulls last`, desc(reports.id)];
  const rows = await pick(db, request, matching)
    .leftJoin(reportViews, and(eq(reportViews.reportId, reports.id), eq(reportViews.userId, request.userId)))
    .orderBy(...order)
    .limit(limit + 1)
    .offset(offset);
  return pageAt(rows, limit, offset);
}
