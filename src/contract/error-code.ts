// Separate from the schemas, so that error handling does not load them.

/** Error codes that the platform returns with the message of errors that programs must distinguish (spec 4.3, 7). */
export const ErrorCode = {
  /** A concurrent write created or deleted the item during an upsert. Nothing was applied; retry. */
  upsertBranchChanged: 'upsert_branch_changed',
  /** Another workbook has the slug. Choose a different slug, or take this one over with `slugTakeover`. */
  slugTaken: 'slug_taken',
  /** A placeholder id matches more than one report. Set an explicit `publicId` first. */
  ambiguousLegacyId: 'ambiguous_legacy_id',
  /** The SQL can run, but no load query is equivalent to it. */
  noLoadQuery: 'no_load_query',
  /** The draft of a dashboard has changed since the caller read it. Read it again, and decide which version to keep. */
  draftChanged: 'draft_changed',
  /** The answer with this checksum does not exist, or an AI widget no longer shows it. Read the thread again. */
  checksumConflict: 'checksum_conflict',
  /** Model files were changed since the caller read them. `conflicts` contains both versions of each file. */
  fileConflict: 'file_conflict',
  /** A merge conflicts. `conflicts` contains the paths of the files. */
  mergeConflict: 'merge_conflict',
} as const;
/** Error codes that the platform returns with the message of errors that programs must distinguish (spec 4.3, 7). */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
