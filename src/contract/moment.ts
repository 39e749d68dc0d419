import * as z from 'zod/mini';

const message = 'must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z';

/** An optional date and time (ISO 8601) as a query parameter. */
export const Moment = z.optional(
  z
    .string()
    // Excludes years before 1900, because subtracting the time zone offset from the earliest years gives a time out of
    // range.
    .check(z.regex(/^(19|2\d)\d\d-/, message))
    .check(z.iso.datetime({ offset: true, error: message })),
);
