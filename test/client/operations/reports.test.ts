import { expect, test } from 'vitest';
import * as reports from '../../../src/client/operations/reports.js';
import { type Connection, serviceReturning } from '../data/one-answer.js';

const owner = { id: 1, email: 'ann@host.example' };
const report = {
  id: 7,
  deploymentId: 1,
  name: 'Sales',
  publicId: '000000000007',
  type: 'REPORT',
  user: owner,
  userId: 1,
  refreshedByUser: owner,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  // Fields of newer platforms are preserved.
  shininess: 3,
};
const page = { items: [report], pageInfo: { hasNextPage: false, hasPreviousPage: false } };
const at = { deploymentId: 1, reportId: 7 };
const place = { externalWorkbookId: 'b', resultLocation: 'S!A1' };

test.each<[string, unknown, (connection: Connection) => Promise<unknown>]>([
  ['GET /reports', page, to => reports.listReports(to, 1)],
  [
    'GET /reports?first=5&sortBy=name&search=a+b',
    page,
    to => reports.listReports(to, 1, { first: 5, sortBy: 'name', search: 'a b' }),
  ],
  ['POST /reports {"name":"Sales"}', report, to => reports.createReport(to, 1, { name: 'Sales' })],
  [
    'PUT /reports/by-public-id/OwnReport001 {"title":"T"}',
    report,
    to => reports.upsertReportByPublicId(to, { deploymentId: 1, publicId: 'OwnReport001' }, { title: 'T' }),
  ],
  ['GET /reports/7', report, to => reports.getReport(to, at)],
  ['PUT /reports/7 {"title":"T"}', report, to => reports.updateReport(to, at, { title: 'T' })],
  ['DELETE /reports/7', undefined, to => reports.deleteReport(to, at)],
  [
    'PUT /reports/7/connect-workbook {"externalWorkbookId":"b","resultLocation":"S!A1"}',
    report,
    to => reports.connectReportToWorkbook(to, at, place),
  ],
  [
    'DELETE /reports/7/connect-workbook {"placementId":"p"}',
    report,
    to => reports.disconnectReportFromWorkbook(to, at, { placementId: 'p' }),
  ],
  ['PUT /reports/7/refresh {}', report, to => reports.refreshReport(to, at)],
])('%s (spec 4.2, 4.5)', async (asked, answer, ask) => {
  const { connection, seen } = serviceReturning(answer);
  expect(await ask(connection)).toEqual(answer);
  expect(seen).toEqual([asked]);
});
