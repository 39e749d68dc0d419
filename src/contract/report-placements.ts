import * as z from 'zod/mini';
import { openEnum, optional } from './wire.js';

/** Kinds of spreadsheets that reports are placed in. */
export const placementHosts = ['ONLINE_SHEETS', 'DESKTOP_SHEETS'] as const;

/** Whether what a spreadsheet holds was made by the query that the report has now. */
export const SyncStatus = { upToDate: 'UP_TO_DATE', changed: 'CHANGED', unknown: 'UNKNOWN' } as const;
/** Whether what a spreadsheet holds was made by the query that the report has now. */
export type SyncStatus = (typeof SyncStatus)[keyof typeof SyncStatus];
const syncStatuses = [SyncStatus.upToDate, SyncStatus.changed, SyncStatus.unknown] as const;

const Row = z.int().check(z.gte(0));

/** Checksum of the cells that were written, by ranges of rows: a spreadsheet tells by it which of them someone has edited. */
export const ResultChecksum = z.looseObject({
  chunks: z.array(z.looseObject({ from: z.int(), hash: z.string(), to: optional(z.int()) })),
  v: z.int(),
});
/** Checksum of the cells that were written, by ranges of rows. */
export type ResultChecksum = z.infer<typeof ResultChecksum>;

const ResultChecksumInput = z.strictObject({
  chunks: z
    .array(z.strictObject({ from: Row, hash: z.string().check(z.minLength(1), z.maxLength(64)), to: optional(Row) }))
    .check(z.maxLength(2000)),
  v: z.int().check(z.gte(1)),
});

/**
 * A place of a report in a spreadsheet (spec 2.2; the other fields are those of `ReportPlacement` in the schemas). `workbookId` is
 * the spreadsheet's own id. `resultChecksum` is told by the operations on one report, not in lists.
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
/** A place of a report in a spreadsheet. */
export type ReportPlacement = z.infer<typeof ReportPlacement>;

const Name = z.string().check(z.maxLength(255));
const SpreadsheetId = z.string().check(z.minLength(1), z.maxLength(255));
/** Room for the name of a sheet with its quotes doubled, and for a range. */
const Location = z.string().check(z.minLength(1), z.maxLength(1000));
const Cell = z.string().check(z.maxLength(64));

/** Fields by which creating and updating a report record where it stands as well. */
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
 * Body of connect-workbook: where the caller placed the report (spec 2.8, 4.5). The placement of `placementId` is changed, or the one at
 * the same sheet name and anchor cell of the same spreadsheet, which `resultLocation` (`'Sheet 1'!A1`) may name both; else there is a
 * new one. With `addressOnly` it was moved or renamed and holds the result that it held.
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
 * Body of disconnecting one placement: by `placementId`; or by the spreadsheet's id with sheet name and anchor cell, which
 * `resultLocation` may name both. `sheetId` leaves out placements of another sheet that has the same name, and names none alone.
 */
export const DisconnectReport = z.strictObject(address);
/** Body of disconnecting one placement. */
export type DisconnectReport = z.infer<typeof DisconnectReport>;

/** Body of refresh: which placement holds a result that was just made, addressed as for disconnecting; none is the report alone. */
export const RefreshReport = z.strictObject({ ...address, resultChecksum: placementFields.resultChecksum });
/** Body of refresh. */
export type RefreshReport = z.infer<typeof RefreshReport>;
