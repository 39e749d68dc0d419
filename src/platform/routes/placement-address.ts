import type { StoredPlacement } from '../store/report-placements.js';

type Given<T> = T | null | undefined;

/** How a caller says which placement it means. */
export interface PlacementAddress {
  readonly placementId?: Given<string>;
  readonly externalWorkbookId?: Given<string>;
  readonly sheetId?: Given<string>;
  readonly sheetName?: Given<string>;
  readonly anchorCell?: Given<string>;
  readonly resultLocation?: Given<string>;
}

/** Sheet and first cell of a place. */
export interface SheetCell {
  readonly sheetName: string;
  readonly anchorCell: string;
}

const location = /^(?:'((?:[^']|'')+)'|([^'!]+))!(\$?[A-Za-z]{1,3}\$?\d{1,7})(?::[^!]*)?$/;

/** Sheet and first cell that an address names, in its own fields or in `resultLocation` such as `'Sheet 1'!$A$1:B9`; null unless both. */
export function sheetCellOf({ sheetName, anchorCell, resultLocation }: PlacementAddress): SheetCell | null {
  const [, quoted, plain, cell] = location.exec(resultLocation ?? '') ?? [];
  const sheet = sheetName ?? quoted?.replaceAll("''", "'") ?? plain;
  const anchor = anchorCell ?? cell;
  if (!sheet || !anchor) return null;
  return { sheetName: sheet, anchorCell: anchor.replaceAll('$', '').toUpperCase() };
}

/**
 * Those of a report's placements that an address means: the one of its `placementId`, else all in the same spreadsheet at the same sheet
 * name and anchor cell. A `sheetId` leaves out those that are known to be on another sheet.
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
