import type { ConnectReport, RefreshReport } from '../../contract/report-placements.js';
import type { UpdateReport } from '../../contract/reports.js';
import { PlatformError } from '../errors.js';
import type { Db } from '../store/database.js';
import * as placements from '../store/report-placements.js';
import type { StoredReport } from '../store/reports.js';
import { type PlacementAddress, placementsAt, sheetCellOf } from './placement-address.js';
import { given } from './report-body.js';

/** Most placements of one report: each is told with it. */
const maxPlacements = 100;

/** A placement as a caller describes it. */
type Placing = Omit<ConnectReport, 'addressOnly'>;

/** What a placement is said to hold; nothing where the cells only moved. */
type Held = Partial<Pick<placements.StoredPlacement, 'queryChecksum' | 'resultChecksum'>>;

/** What a placement holds into which the report's result was just written. */
export function resultOf(report: StoredReport, { resultChecksum }: Pick<RefreshReport, 'resultChecksum'>): Held {
  return { queryChecksum: placements.queryChecksum(report), resultChecksum: resultChecksum ?? null };
}

/**
 * Records that a report stands somewhere: the placement of that id or address is changed, else there is a new one. The report must be
 * locked, so that no two are made of one. Its own fields follow the placement.
 * @throws PlatformError 409 when the report stands in as many places as it can.
 */
export async function placeReport(
  tx: Db,
  report: StoredReport,
  userId: number,
  body: Placing,
  held: Held,
): Promise<void> {
  const known = await placements.placementsOf(tx, [report.id]);
  const named = body.placementId == null ? [] : placementsAt(known, body);
  const there = withAddress(known, { ...body, placementId: null });
  const found = named[0] ?? there[0];
  if (!found && known.length >= maxPlacements) {
    throw new PlatformError(409, `The report stands in ${maxPlacements} places: disconnect it from one of them first.`);
  }
  // Two placements in one cell would be one and the same result.
  const doubled = there.filter(placement => placement !== found);
  await placements.removePlacements(
    tx,
    doubled.map(({ id }) => id),
  );
  const change = { ...placeOf(body), ...held };
  const placed = found
    ? await placements.changePlacement(tx, found, userId, change)
    : await placements.addPlacement(tx, { reportId: report.id, userId }, change);
  await placements.mirrorPlacement(tx, report, placed);
}

/** The placements at an address; of one that names no cell, those that stand at the very same place. */
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

function placeOf(body: Placing): placements.PlacementChange {
  const { externalWorkbookId, resultLocation, workbookName, host, sheetId, endResultCell } = body;
  const at = sheetCellOf(body);
  return {
    externalWorkbookId,
    resultLocation,
    sheetName: at?.sheetName ?? null,
    anchorCell: at?.anchorCell ?? null,
    ...given({ workbookName, host, sheetId, endResultCell }),
  };
}

/** Records the placement that creating or updating a report tells of, where its fields and what is known say where it is. */
export async function placeWritten(
  tx: Db,
  report: StoredReport,
  userId: number,
  body: UpdateReport,
  held: Held,
): Promise<void> {
  const { externalWorkbookId, resultLocation, endResultCell, host, resultChecksum, sheetId, workbookName } = body;
  const told = { externalWorkbookId, resultLocation, endResultCell, host, resultChecksum, sheetId, workbookName };
  const sent = given({ ...told, placementId: body.placementId });
  if (Object.keys(sent).length === 0) return;
  const known = body.placementId == null ? [] : await placements.placementsOf(tx, [report.id]);
  const [named = report] = placementsAt(known, { placementId: body.placementId });
  const workbook = externalWorkbookId ?? named.externalWorkbookId;
  const location = resultLocation ?? named.resultLocation;
  if (workbook === null || location === null) return;
  await placeReport(tx, report, userId, { ...sent, externalWorkbookId: workbook, resultLocation: location }, held);
}

/** Forgets the placement of an address, the last one where there are several; none is fine. */
export async function displaceReport(tx: Db, report: StoredReport, address: PlacementAddress): Promise<void> {
  const known = await placements.placementsOf(tx, [report.id]);
  const [gone] = placementsAt(known, address);
  if (!gone) return;
  await placements.removePlacements(tx, [gone.id]);
  await placements.mirrorPlacement(tx, report, known.find(({ id }) => id !== gone.id) ?? null);
}

/** Notes on the placement of an address that it holds the report's result of just now; on none, where none is there. */
export async function refreshPlaced(tx: Db, report: StoredReport, userId: number, body: RefreshReport): Promise<void> {
  const [placed] = placementsAt(await placements.placementsOf(tx, [report.id]), body);
  if (placed) await placements.refreshPlacement(tx, placed.id, userId, resultOf(report, body));
}
