import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startPostgresServer } from '../platform/store/postgres-server.js';
import type { DatabasePlace } from '../platform/store/single-connection.js';
import type { StoreOptions } from './backup-options.js';
import { databaseUrlOf } from './database-url.js';
import { UsageError } from './usage-error.js';

/** Whether a folder that holds no database yet gets one. */
export const Missing = { isMade: 'is made', isRefused: 'is refused' } as const;
/** Whether a folder that holds no database yet gets one. */
export type Missing = (typeof Missing)[keyof typeof Missing];

/**
 * Does something with the database of a platform, which is started for it where it isn't running.
 * @throws UsageError where none is named; Error, in a sentence, where there is none.
 */
export async function withStore<T>(
  { dataDirectory, databaseUrl }: StoreOptions,
  environment: Readonly<Record<string, string | undefined>>,
  missing: Missing,
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
  if (missing === Missing.isMade) await mkdir(resolve(dataDirectory), { recursive: true, mode: 0o700 });
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
