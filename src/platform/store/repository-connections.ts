import { sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from './database.js';
import { repositoryConnections } from './schema.js';

/** Connects a deployment to a repository, in place of the one before. */
export async function connectRepository(
  tx: Db,
  deploymentId: number,
  connection: JsonObject,
  connectedBy: number,
): Promise<void> {
  const values = { connection, connectedBy, connectedAt: sql`now()` };
  await tx
    .insert(repositoryConnections)
    .values({ deploymentId, ...values })
    .onConflictDoUpdate({
      target: repositoryConnections.deploymentId,
      set: values,
      // `json` can't be compared, its text can: the same connection again is not written.
      setWhere: sql`${repositoryConnections.connection}::text is distinct from excluded.connection::text`,
    });
}
