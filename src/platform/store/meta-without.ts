import { type SQL, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { reports, workbooks } from './schema.js';

/** Metadata without one key that may hold megabytes, which then never leave the database; the others keep their order. */
export const metaWithout = (key: string, meta: typeof workbooks.meta | typeof reports.meta): SQL<JsonObject> =>
  sql<JsonObject>`(select coalesce(json_object_agg(entry.key, entry.value), '{}') from json_each(coalesce(${meta}, '{}')) entry
    where entry.key <> ${key})`;
