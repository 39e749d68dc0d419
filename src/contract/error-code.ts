// Apart from the schemas: whoever tells errors apart need not load what checks them.

/** Codes that the platform puts beside a message where a program must tell cases apart (spec 4.3, 7). */
export const ErrorCode = {
  /** The create-or-update decision was overtaken by another writer: nothing was applied, retry. */
  upsertBranchChanged: 'upsert_branch_changed',
  /** Another workbook holds the slug: choose another one, or take it over. */
  slugTaken: 'slug_taken',
  /** A placeholder id stands for more than one report: assign an own `publicId` first. */
  ambiguousLegacyId: 'ambiguous_legacy_id',
  /** The SQL can be run as it stands, but no load query says the same. */
  noLoadQuery: 'no_load_query',
} as const;
/** Codes that the platform puts beside a message where a program must tell cases apart (spec 4.3, 7). */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
