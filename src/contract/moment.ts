import * as z from 'zod/mini';

const message = 'must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z';

/** An optional date and time (ISO 8601) in a query. */
export const Moment = z.optional(
  z
    .string()
    // Excludes early years, which would be out of range after the time zone offset is subtracted.
    .check(z.regex(/^(19|2\d)\d\d-/, message))
    .check(z.iso.datetime({ offset: true, error: message })),
);
