import type { Db } from './db/database.js';
import { describeFailure } from './errors.js';
import { DeploymentLog } from './models/status/deployment-log.js';
import { Heartbeat } from './models/status/replica-store.js';
import type { Settings } from './platform-options.js';
import type { CleanupStack } from './runtime/cleanup-stack.js';
import { readPlatformVersion } from './runtime/platform-version.js';

/** Announces this process, and opens its log of deployments. */
export async function openDeploymentLog(
  { report }: Pick<Settings, 'report'>,
  db: Db,
  cleanUp: CleanupStack,
): Promise<DeploymentLog> {
  const onFailure = (error: unknown) => report(describeFailure(error));
  const heartbeat = new Heartbeat(db, await readPlatformVersion(), onFailure);
  await heartbeat.start();
  cleanUp.add(() => heartbeat.close());
  const log = new DeploymentLog(db, heartbeat.name, onFailure);
  cleanUp.add(() => log.close());
  return log;
}
