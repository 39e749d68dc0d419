import * as z from 'zod/mini';
import { optional } from './wire.js';

export * from './error-code.js';

/** Error body of the Platform API. The specification defines only `code`. */
export const PlatformErrorBody = z.looseObject({
  statusCode: z.int(),
  message: z.string(),
  error: z.string(),
  code: optional(z.string()),
});
/** Error body of the Platform API. The specification defines only `code`. */
export type PlatformErrorBody = z.infer<typeof PlatformErrorBody>;

/** Error body of the Data API: `error` is the message, or `Continue wait` with status 200. */
export const DataErrorBody = z.looseObject({ error: z.string(), requestId: optional(z.string()) });
/** Error body of the Data API: `error` is the message, or `Continue wait` with status 200. */
export type DataErrorBody = z.infer<typeof DataErrorBody>;
