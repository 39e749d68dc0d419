import * as z from 'zod/mini';
import { optional } from './wire.js';

/** Codes that the platform puts beside a message where a program must tell cases apart (spec 4.3, 7). */
export const ErrorCode = {
  /** The create-or-update decision was overtaken by another writer: nothing was applied, retry. */
  upsertBranchChanged: 'upsert_branch_changed',
  /** A placeholder id stands for more than one report: assign an own `publicId` first. */
  ambiguousLegacyId: 'ambiguous_legacy_id',
} as const;
/** Codes that the platform puts beside a message where a program must tell cases apart (spec 4.3, 7). */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Error body of the Platform API (the spec leaves its shape open beyond `code`). */
export const PlatformErrorBody = z.looseObject({
  statusCode: z.int(),
  message: z.string(),
  error: z.string(),
  code: optional(z.string()),
});
/** Error body of the Platform API (the spec leaves its shape open beyond `code`). */
export type PlatformErrorBody = z.infer<typeof PlatformErrorBody>;

/** Error body of the Data API: `error` is the message, or `Continue wait` with status 200. */
export const DataErrorBody = z.looseObject({ error: z.string(), requestId: optional(z.string()) });
/** Error body of the Data API: `error` is the message, or `Continue wait` with status 200. */
export type DataErrorBody = z.infer<typeof DataErrorBody>;
