import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CopyProgress, DatabasePlace } from '../platform/db/backup/backup.js';
import { startPostgresServer } from '../platform/db/embedded-postgres/postgres-server.js';
import { UsageError } from './command.js';
import { databaseUrlOf, type StoreOptions } from './database-options.js';

/** Whether a folder that holds no database yet gets one. */
export const MissingDatabase = { isMade: 'is made', isRefused: 'is refused' } as const;
/** Whether a folder that holds no database yet gets one. */
export type MissingDatabase = (typeof MissingDatabase)[keyof typeof MissingDatabase];

/**
 * Does something with the database of a platform, which is started for it where it isn't running.
 * @throws UsageError where none is named; Error, in a sentence, where there is none.
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
      throw new UsageError('Say which database: --data DIR, --database-url URL or PA_DATABASE_URL.');
    }
    return work({ connectionString });
  }
  const directory = join(resolve(dataDirectory), 'postgres');
  if (missing === MissingDatabase.isMade) await mkdir(resolve(dataDirectory), { recursive: true, mode: 0o700 });
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
    throw new Error(`${dataDirectory} holds no database of a platform.`, { cause: error });
  }
}

/** How far a table is copied, as a line. */
export function progressLine({ table, rows, of }: CopyProgress): string {
  return rows === of ? `${table}: ${rows}` : `${table}: ${rows} of ${of}`;
}
