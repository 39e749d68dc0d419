import * as z from 'zod/mini';
import { openEnum, optional } from './wire.js';

/** Kinds of spreadsheets in which reports are placed. */
export const placementHosts = ['ONLINE_SHEETS', 'DESKTOP_SHEETS'] as const;

/** Whether a spreadsheet contains the result of the report's current query. */
export const SyncStatus = { upToDate: 'UP_TO_DATE', changed: 'CHANGED', unknown: 'UNKNOWN' } as const;
/** Whether a spreadsheet contains the result of the report's current query. */
export type SyncStatus = (typeof SyncStatus)[keyof typeof SyncStatus];
const syncStatuses = [SyncStatus.upToDate, SyncStatus.changed, SyncStatus.unknown] as const;

const Row = z.int().check(z.gte(0));

/** Checksums of the written cells, one per range of rows. The spreadsheet add-in uses them to detect edited cells. */
export const ResultChecksum = z.looseObject({
  chunks: z.array(z.looseObject({ from: z.int(), hash: z.string(), to: optional(z.int()) })),
  v: z.int(),
});
/** Checksums of the written cells, one per range of rows. */
export type ResultChecksum = z.infer<typeof ResultChecksum>;

const ResultChecksumInput = z.strictObject({
  chunks: z
    .array(z.strictObject({ from: Row, hash: z.string().check(z.minLength(1), z.maxLength(64)), to: optional(Row) }))
    .check(z.maxLength(2000)),
  v: z.int().check(z.gte(1)),
});

/**
 * Placement of a report in a spreadsheet (spec 2.2; the other fields are those of `ReportPlacement` in the schemas).
 * `workbookId` is the id of the spreadsheet. `resultChecksum` is returned by operations on a single report, but not in
 * lists.
 */
export const ReportPlacement = z.looseObject({
  workbookId: z.string(),
  resultLocation: z.string(),
  endResultCell: optional(z.string()),
  id: optional(z.string()),
  host: optional(openEnum(placementHosts)),
  workbookName: optional(z.string()),
  sheetId: optional(z.string()),
  sheetName: optional(z.string()),
  anchorCell: optional(z.string()),
  placedAt: optional(z.string()),
  placedByUserId: optional(z.int()),
  refreshedAt: optional(z.string()),
  refreshedByUserId: optional(z.int()),
  queryChecksum: optional(z.string()),
  resultChecksum: optional(ResultChecksum),
  syncStatus: optional(openEnum(syncStatuses)),
});
/** Placement of a report in a spreadsheet. */
export type ReportPlacement = z.infer<typeof ReportPlacement>;

const Name = z.string().check(z.maxLength(255));
const SpreadsheetId = z.string().check(z.minLength(1), z.maxLength(255));
/** The limit is long enough for a sheet name whose quotes are doubled, followed by a range. */
const Location = z.string().check(z.minLength(1), z.maxLength(1000));
const Cell = z.string().check(z.maxLength(64));

/** Fields that record the placement of a report when it is created or updated. */
export const placementFields = {
  endResultCell: optional(Cell),
  externalWorkbookId: optional(SpreadsheetId),
  host: optional(z.enum(placementHosts)),
  resultChecksum: optional(ResultChecksumInput),
  resultLocation: optional(Location),
  sheetId: optional(Name),
  workbookName: optional(Name),
};

const address = {
  anchorCell: optional(Cell),
  externalWorkbookId: optional(SpreadsheetId),
  placementId: optional(Cell),
  resultLocation: optional(Location),
  sheetId: optional(Name),
  sheetName: optional(Name),
};

/**
 * Body of connect-workbook: the placement of the report (spec 2.8, 4.5). Updates the placement with `placementId`, or
 * the one with the same spreadsheet, sheet name and anchor cell; `resultLocation` (`'Sheet 1'!A1`) can provide both.
 * Otherwise adds a placement. `addressOnly` states that the placement was moved or renamed and that its result is
 * unchanged.
 */
export const ConnectReport = z.strictObject({
  ...placementFields,
  addressOnly: optional(z.boolean()),
  anchorCell: address.anchorCell,
  externalWorkbookId: SpreadsheetId,
  placementId: address.placementId,
  resultLocation: Location,
  sheetName: address.sheetName,
});
/** Body of connect-workbook. */
export type ConnectReport = z.infer<typeof ConnectReport>;

/**
 * Body of disconnecting one placement: by `placementId`, or by the spreadsheet's id with sheet name and anchor cell;
 * `resultLocation` can provide both. `sheetId` excludes placements in another sheet with the same name; it does not
 * identify a placement by itself.
 */
export const DisconnectReport = z.strictObject(address);
/** Body of disconnecting one placement. */
export type DisconnectReport = z.infer<typeof DisconnectReport>;

/**
 * Body of refresh: the placement with the refreshed result, addressed as for disconnecting. Without a placement, only
 * the report itself is updated.
 */
export const RefreshReport = z.strictObject({ ...address, resultChecksum: placementFields.resultChecksum });
/** Body of refresh. */
export type RefreshReport = z.infer<typeof RefreshReport>;
