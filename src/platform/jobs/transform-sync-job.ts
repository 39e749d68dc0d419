import type { MetaResponse } from '../../contract/meta.js';
import type { SyncStats } from '../../contract/transform-sync.js';
import type { PublicModel } from '../routes/deps.js';
import type { Db } from '../store/database.js';
import { enqueueJob } from '../store/jobs.js';
import { createSync, endSync, type NewSync, type StoredSync, takeSync } from '../store/transform-syncs.js';
import type { JobHandler } from './job-queue.js';

/** Kind of the jobs that do a run of the model-transform sync. */
export const transformSyncKind = 'transform-sync';

/** A run that was started, and the job that does it. */
export interface StartedSync {
  readonly sync: StoredSync;
  readonly jobId: string;
}

/** Starts a run, in the transaction of what asks for it; null when one runs on the branch already. */
export async function startSync(tx: Db, request: NewSync): Promise<StartedSync | null> {
  const sync = await createSync(tx, request);
  return sync && { sync, jobId: await enqueueJob(tx, transformSyncKind, { syncJobId: sync.id }) };
}

/**
 * What a run does here: there is no project to compile, so that it reads the served model anew and records what is in it. Done twice it
 * changes nothing, since a run ends once.
 */
export function transformSyncHandler(db: Db, publicModel: PublicModel): JobHandler {
  return {
    async run({ syncJobId }) {
      const sync = await takeSync(db, String(syncJobId));
      if (!sync) return;
      const model = publicModel();
      if (model) {
        await endSync(db, sync.id, { status: 'COMPLETED', outcome: { ...sync.outcome, ...countModel(model) } });
        return;
      }
      const errorMessage = 'No semantic model is served here: start the platform with --model, and with its data.';
      await endSync(db, sync.id, { status: 'FAILED', errorMessage });
    },
    async giveUp({ syncJobId }) {
      const errorMessage = 'The sync failed every time that it was tried: the log of the platform says why.';
      await endSync(db, String(syncJobId), { status: 'FAILED', errorMessage });
    },
  };
}

function countModel({ cubes }: MetaResponse): SyncStats {
  const views = cubes.filter(({ type }) => type === 'view').length;
  return { modelCount: cubes.length, cubes: cubes.length - views, views, generatedFileCount: 0 };
}
