import type { Hono } from 'hono';
import type { ConnectReport, RefreshReport } from '../../../contract/report-placements.js';
import {
  connectReportToWorkbook,
  disconnectReportFromWorkbook,
  refreshReport,
  type UpdateReport,
} from '../../../contract/reports.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { write } from '../../http/serve.js';
import { requireDeployment } from '../../models/require-deployment.js';
import { contentAccess, Level } from '../content-access.js';
import { reportAtLevel } from '../require-access.js';
import { withoutNulls } from './report-input.js';
import type { StoredPlacement } from './report-placement-store.js';
import * as placements from './report-placement-store.js';
import { lockReport, markRefreshed, type ReportKey, type StoredReport } from './report-store.js';
import { showReport } from './show-report.js';

type Given<T> = T | null | undefined;

/** Fields that identify a placement. */
interface PlacementAddress {
  readonly placementId?: Given<string>;
  readonly externalWorkbookId?: Given<string>;
  readonly sheetId?: Given<string>;
  readonly sheetName?: Given<string>;
  readonly anchorCell?: Given<string>;
  readonly resultLocation?: Given<string>;
}

/** Sheet and first cell of a placement. */
interface SheetCell {
  readonly sheetName: string;
  readonly anchorCell: string;
}

const location = /^(?:'((?:[^']|'')+)'|([^'!]+))!(\$?[A-Za-z]{1,3}\$?\d{1,7})(?::[^!]*)?$/;

/**
 * Returns the sheet and the first cell of an address, from its own fields or from `resultLocation` such as `'Sheet
 * 1'!$A$1:B9`; `null` unless both are known.
 */
export function sheetCellOf({ sheetName, anchorCell, resultLocation }: PlacementAddress): SheetCell | null {
  const [, quoted, plain, cell] = location.exec(resultLocation ?? '') ?? [];
  const sheet = sheetName ?? quoted?.replaceAll("''", "'") ?? plain;
  const anchor = anchorCell ?? cell;
  if (!sheet || !anchor) return null;
  return { sheetName: sheet, anchorCell: anchor.replaceAll('$', '').toUpperCase() };
}

/**
 * Returns the placements at an address: the one with its `placementId`, otherwise all in the same spreadsheet with the
 * same sheet name and anchor cell. A `sheetId` excludes placements with another known sheet id.
 */
export function placementsAt(
  placements: readonly StoredPlacement[],
  address: PlacementAddress,
): readonly StoredPlacement[] {
  const { placementId, externalWorkbookId, sheetId } = address;
  if (placementId != null) return placements.filter(({ id }) => id === placementId);
  const at = sheetCellOf(address);
  if (at === null) return [];
  return placements.filter(
    placement =>
      placement.externalWorkbookId === externalWorkbookId &&
      placement.sheetName === at.sheetName &&
      placement.anchorCell === at.anchorCell &&
      (sheetId == null || placement.sheetId === null || placement.sheetId === sheetId),
  );
}

/** Maximum number of placements per report, because every response for the report contains all of them. */
const maxPlacements = 100;

/** Placement in a request. */
type PlacementInput = Omit<ConnectReport, 'addressOnly'>;

/** Checksums of a placement's content; empty if only its position changes. */
type HeldChecksums = Partial<Pick<placements.StoredPlacement, 'queryChecksum' | 'resultChecksum'>>;

/** Returns the checksums of a placement into which the report's result was just written. */
export function resultOf(
  report: StoredReport,
  { resultChecksum }: Pick<RefreshReport, 'resultChecksum'>,
): HeldChecksums {
  return { queryChecksum: placements.queryChecksum(report), resultChecksum: resultChecksum ?? null };
}

/**
 * Adds or updates a placement of a report, found by id or address. The report must be locked to prevent duplicates.
 * Also updates the placement fields of the report.
 * @throws PlatformError 409 if the report has the maximum number of placements.
 */
async function recordPlacement(
  tx: Db,
  report: StoredReport,
  userId: number,
  body: PlacementInput,
  checksums: HeldChecksums,
): Promise<void> {
  const known = await placements.placementsOf(tx, [report.id]);
  const named = body.placementId == null ? [] : placementsAt(known, body);
  const there = withAddress(known, { ...body, placementId: null });
  const found = named[0] ?? there[0];
  if (!found && known.length >= maxPlacements) {
    throw new PlatformError(
      409,
      `A report can have at most ${maxPlacements} placements. Disconnect one of them first.`,
    );
  }
  // A cell can contain only one result, so other placements in the same cell are removed.
  const doubled = there.filter(placement => placement !== found);
  await placements.removePlacements(
    tx,
    doubled.map(({ id }) => id),
  );
  const change = { ...placeOf(body), ...checksums };
  const placed = found
    ? await placements.changePlacement(tx, found, userId, change)
    : await placements.addPlacement(tx, { reportId: report.id, userId }, change);
  await placements.mirrorPlacement(tx, report, placed);
}

/** Returns the placements at an address. If the address has no cell, only placements with the same position match. */
function withAddress(
  known: readonly placements.StoredPlacement[],
  address: PlacementAddress,
): readonly placements.StoredPlacement[] {
  if (sheetCellOf(address) !== null) return placementsAt(known, address);
  return known.filter(
    ({ externalWorkbookId, resultLocation, anchorCell }) =>
      anchorCell === null &&
      externalWorkbookId === address.externalWorkbookId &&
      resultLocation === address.resultLocation,
  );
}

function placeOf(body: PlacementInput): placements.PlacementChange {
  const { externalWorkbookId, resultLocation, workbookName, host, sheetId, endResultCell } = body;
  const at = sheetCellOf(body);
  return {
    externalWorkbookId,
    resultLocation,
    sheetName: at?.sheetName ?? null,
    anchorCell: at?.anchorCell ?? null,
    ...withoutNulls({ workbookName, host, sheetId, endResultCell }),
  };
}

/** Records the placement that the fields of a created or updated report describe, if they are sufficient. */
export async function recordWrittenPlacement(
  tx: Db,
  report: StoredReport,
  userId: number,
  body: UpdateReport,
  checksums: HeldChecksums,
): Promise<void> {
  const { externalWorkbookId, resultLocation, endResultCell, host, resultChecksum, sheetId, workbookName } = body;
  const fields = { externalWorkbookId, resultLocation, endResultCell, host, resultChecksum, sheetId, workbookName };
  const sent = withoutNulls({ ...fields, placementId: body.placementId });
  if (Object.keys(sent).length === 0) return;
  const known = body.placementId == null ? [] : await placements.placementsOf(tx, [report.id]);
  const [named = report] = placementsAt(known, { placementId: body.placementId });
  const workbook = externalWorkbookId ?? named.externalWorkbookId;
  const location = resultLocation ?? named.resultLocation;
  if (workbook === null || location === null) return;
  await recordPlacement(
    tx,
    report,
    userId,
    { ...sent, externalWorkbookId: workbook, resultLocation: location },
    checksums,
  );
}

/** Deletes the placement at an address; the last one if there are several. Also succeeds if there is none. */
async function deletePlacement(tx: Db, report: StoredReport, address: PlacementAddress): Promise<void> {
  const known = await placements.placementsOf(tx, [report.id]);
  const [gone] = placementsAt(known, address);
  if (!gone) return;
  await placements.removePlacements(tx, [gone.id]);
  await placements.mirrorPlacement(tx, report, known.find(({ id }) => id !== gone.id) ?? null);
}

/**
 * Records that the placement at an address contains the current result of the report. Does nothing if there is none.
 */
async function refreshReportPlacements(
  tx: Db,
  report: StoredReport,
  userId: number,
  body: RefreshReport,
): Promise<void> {
  const [placed] = placementsAt(await placements.placementsOf(tx, [report.id]), body);
  if (placed) await placements.refreshPlacement(tx, placed.id, userId, resultOf(report, body));
}

/**
 * Mounts the routes for placements of reports in spreadsheets: connect, disconnect, refresh. They require read access
 * to the report (spec 4.5).
 */
export function mountReportPlacements(app: Hono, deps: RouteDeps): void {
  write(app, connectReportToWorkbook, deps, async ({ params, body, principal }, tx) => {
    const report = await lockReadable(tx, principal, params);
    const checksums = body.addressOnly === true ? {} : resultOf(report, body);
    await recordPlacement(tx, report, principal.userId, body, checksums);
    return showReport(tx, principal, params);
  });

  write(app, disconnectReportFromWorkbook, deps, async ({ params, body, principal }, tx) => {
    await deletePlacement(tx, await lockReadable(tx, principal, params), body);
    return showReport(tx, principal, params);
  });

  write(app, refreshReport, deps, async ({ params, body, principal }, tx) => {
    const report = await lockReadable(tx, principal, params);
    await markRefreshed(tx, report.id, principal.userId);
    await refreshReportPlacements(tx, report, principal.userId, body);
    return showReport(tx, principal, params);
  });
}

/** Returns the report in the path, locked until the transaction ends. */
async function lockReadable(tx: Db, principal: Principal, key: ReportKey): Promise<StoredReport> {
  await requireDeployment(tx, principal, key.deploymentId);
  const found = await lockReport(tx, contentAccess(principal), key);
  return reportAtLevel(found, Level.read).report;
}
