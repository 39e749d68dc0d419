import type { Db } from '../db/database.js';
import { deleteAttempt } from '../http/audit.js';
import type { Repositories } from './git/repositories.js';
import { WriteJournal } from './git/write-journal.js';

/**
 * Repairs the audit log after a crash: deletes the entries of writes to repositories that did not happen.
 * @param onFailure - called if the entries of a deployment cannot be repaired; the others are repaired nevertheless.
 */
export async function repairWrites(
  db: Db,
  repositories: Repositories,
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (const deploymentId of await repositories.ids()) {
    try {
      const journal = new WriteJournal(repositories, deploymentId);
      for (const { entryId, operation, isWritten } of await journal.interrupted()) {
        if (!isWritten) await deleteAttempt(db, entryId, operation);
        await journal.close(entryId);
      }
    } catch (error) {
      onFailure(error);
    }
  }
}
