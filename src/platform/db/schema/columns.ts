import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

// Documents are stored as `json`, not `jsonb`, because `jsonb` reorders keys, and the order of keys is significant in
// `order: {a: 'asc', b: 'desc'}`.

/**
 * Creates a JSON column that may hold a plain string. Drizzle's `json` parses strings that contain JSON a second time:
 * '1' would become the number 1.
 */
export const jsonValue = <T>() =>
  customType<{ data: T }>({ dataType: () => 'json', toDriver: value => JSON.stringify(value) })();

/** A column of bytes. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
/** Creates the primary key that the database generates, a number. */
export const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
/** Creates a reference to a numeric key. */
export const ref = () => bigint({ mode: 'number' });
/** Creates a timestamp column with millisecond precision, so that a cursor represents it exactly. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 });
/** Creates the column with the creation time of a row. */
export const createdAt = () => moment().notNull().defaultNow();
