import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CopyProgress, DatabasePlace } from '../platform/db/backup/backup.js';
import { startPostgresServer } from '../platform/db/embedded-postgres/postgres-server.js';
import { createDataDirectory } from '../platform/runtime/data-directory.js';
import { UsageError } from './command.js';
import { databaseUrlOf, type StoreOptions } from './database-options.js';

/** Behavior if a folder has no database yet. */
export const MissingDatabase = { create: 'create', reject: 'reject' } as const;
/** Behavior if a folder has no database yet. */
export type MissingDatabase = (typeof MissingDatabase)[keyof typeof MissingDatabase];

/**
 * Runs `work` with the database of a platform. Starts the embedded database if it is not running.
 * @throws UsageError if no database is set; Error if the folder has none.
 */
export async function withStore<T>(
  { dataDirectory, databaseUrl }: StoreOptions,
  environment: Readonly<Record<string, string | undefined>>,
  missing: MissingDatabase,
  work: (place: DatabasePlace) => Promise<T>,
): Promise<T> {
  if (dataDirectory === undefined) {
    const connectionString = databaseUrlOf(databaseUrl, environment);
    if (connectionString === undefined) {
      throw new UsageError('Missing database: set --data DIR, --database-url URL or PA_DATABASE_URL.');
    }
    return work({ connectionString });
  }
  const directory = join(resolve(dataDirectory), 'postgres');
  if (missing === MissingDatabase.create) await createDataDirectory(resolve(dataDirectory));
  else await requireDatabase(directory, dataDirectory);
  const server = await startPostgresServer({ directory });
  try {
    return await work(server.connection);
  } finally {
    await server.stop();
  }
}

async function requireDatabase(directory: string, dataDirectory: string): Promise<void> {
  try {
    await access(directory);
  } catch (error) {
    throw new Error(`There is no platform database in ${dataDirectory}. Set --data to the data folder of a platform.`, {
      cause: error,
    });
  }
}

/** Formats the progress of a table copy as one line. */
export function progressLine({ table, rows, of }: CopyProgress): string {
  return rows === of ? `${table}: ${rows}` : `${table}: ${rows} of ${of}`;
}
