import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

// Documents are `json`, not `jsonb`: `jsonb` reorders keys, and in `order: {a: 'asc', b: 'desc'}` the order of keys counts.

/** JSON that may be a bare text: Drizzle's own `json` reads a text that is JSON itself once more, so that '1' would come back as the number. */
export const jsonValue = <T>() =>
  customType<{ data: T }>({ dataType: () => 'json', toDriver: value => JSON.stringify(value) })();

/** Key of a table: a number that the database gives. */
export const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
/** Reference to a numeric key. */
export const ref = () => bigint({ mode: 'number' });
/** A moment, to the millisecond: what a cursor tells of it is all there is of it. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 });
/** When a row came to be. */
export const createdAt = () => moment().notNull().defaultNow();
