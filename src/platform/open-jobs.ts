import { join } from 'node:path';
import type { ModelTarget } from './auth/model-target.js';
import { deleteExpiredPersonSessions } from './auth/person-session-store.js';
import type { SecurityContext } from './auth/principal.js';
import type { SealedSecrets } from './auth/sealed-secrets.js';
import { deleteExpiredSessions } from './auth/sessions.js';
import { maintainSigningKeys } from './auth/signing-key-store.js';
import { mentionMailKind } from './content/dashboards/comment-mentions.js';
import type { DeploymentData } from './data/deployment-data.js';
import type { Database, Db } from './db/database.js';
import { openSlackSender } from './delivery/channels/slack-sender.js';
import { openWebhookSender } from './delivery/channels/webhook-sender.js';
import { type DeliveryEvent, deliveryHandler } from './delivery/deliver-run.js';
import { deleteExpiredExports } from './delivery/exports/export-store.js';
import { exportKind } from './delivery/exports/exports.js';
import { exportHandler } from './delivery/exports/render-export.js';
import { openMailSender } from './delivery/mail/mail-sender.js';
import { mentionHandler } from './delivery/mention-mail.js';
import { deleteOldRuns, deliveryKind } from './delivery/run-store.js';
import { scheduleHandler, scheduleKind } from './delivery/start-runs.js';
import { createUnsubscribeUrl } from './delivery/unsubscribe.js';
import { describeFailure } from './errors.js';
import { deleteOldRateLimitWindows } from './http/rate-limiter.js';
import { type JobHandler, JobQueue } from './jobs/job-queue.js';
import type { Metrics } from './metrics.js';
import { contentRunKind } from './models/content-runs/content-run-store.js';
import {
  type ApplyRepositoryContent,
  contentCheckHandler,
  contentCheckKind,
  contentRunHandler,
} from './models/content-runs/run-content.js';
import { deleteExpiredEnvironmentTokens } from './models/environment-store.js';
import type { Repositories } from './models/git/repositories.js';
import { repositoryPullHandler, repositoryPullKind } from './models/repohost/webhook.js';
import type { DeploymentLog } from './models/status/deployment-log.js';
import { transformSyncHandler, transformSyncKind } from './models/transform-sync-runs.js';
import type { ChatApi } from './open-chat.js';
import type { Settings } from './platform-options.js';
import type { CleanupStack } from './runtime/cleanup-stack.js';
import { deleteOldAuditEntries } from './settings/audit-log.js';
import { deleteOldQueries } from './usage/query-log.js';

const cleanUpKind = 'clean-up';
const cleanUpEveryMs = 10 * 60_000;

/** Parts of the platform that jobs use. */
interface JobParts {
  readonly data: DeploymentData;
  readonly chat: ChatApi;
  readonly metrics: Metrics | null;
  readonly repositories: Repositories | null;
  readonly applyContent: ApplyRepositoryContent;
  readonly log: DeploymentLog;
}

/** Opens the queue of background jobs, which all platforms on the database share. */
export async function openJobs(
  { dataDirectory, mail, channels, gitHosts, publicUrl, report }: Settings,
  sealedSecrets: SealedSecrets,
  { db, listen }: Database,
  { data, chat, metrics, repositories, applyContent, log }: JobParts,
  cleanUp: CleanupStack,
): Promise<JobQueue> {
  const sender = await openMailSender(mail, dataDirectory === undefined ? null : join(dataDirectory, 'mail'));
  cleanUp.add(async () => sender.close());
  const deliveries = {
    db,
    sender,
    channels: { slack: openSlackSender(channels), webhook: openWebhookSender(channels) },
    dataOf: (context: SecurityContext, target: ModelTarget) => data.dataOf(context, target),
    writeSummary: chat.summarize,
    unsubscribeUrl: createUnsubscribeUrl(sealedSecrets, publicUrl.origin),
    onFailure: (error: unknown) => report(describeFailure(error)),
    onEvent: (event: DeliveryEvent) => metrics?.onDelivery(event),
  };
  const jobs = new JobQueue({
    db,
    listen,
    handlers: {
      [transformSyncKind]: transformSyncHandler(db, deploymentId => data.publicModel(deploymentId)),
      [cleanUpKind]: cleanUpHandler(db, sealedSecrets),
      [scheduleKind]: scheduleHandler(db),
      [deliveryKind]: deliveryHandler(deliveries),
      [exportKind]: exportHandler(deliveries),
      [mentionMailKind]: mentionHandler(deliveries),
      [contentRunKind]: contentRunHandler({ db, repositories, apply: applyContent, log }),
      [contentCheckKind]: contentCheckHandler({ db, repositories }),
      [repositoryPullKind]: repositoryPullHandler({
        db,
        sealedSecrets,
        gitHosts,
        repositories,
        checkModel: (deploymentId, files) => data.check(deploymentId, files),
      }),
    },
    onFailure: (error, job) => {
      const source = job ? `Job ${job.kind} ${job.id}, attempt ${job.attempts}: ` : '';
      report(`${source}${describeFailure(error)}`);
    },
  });
  cleanUp.add(() => jobs.close());
  return jobs;
}

/** Creates the handler of the recurring job that deletes expired rows. */
function cleanUpHandler(db: Db, secrets: SealedSecrets): JobHandler {
  return {
    everyMs: cleanUpEveryMs,
    async run() {
      const deletions = [
        deleteExpiredSessions,
        deleteExpiredPersonSessions,
        deleteExpiredEnvironmentTokens,
        deleteOldAuditEntries,
        deleteOldQueries,
        deleteOldRateLimitWindows,
        deleteOldRuns,
        deleteExpiredExports,
        (db: Db) => maintainSigningKeys(db, secrets),
      ];
      // A failed deletion must not prevent the others.
      const ends = await Promise.allSettled(deletions.map(deleteFrom => deleteFrom(db)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
    // The queue has already reported the failures, and the next run deletes the rows.
    failPermanently: async () => undefined,
  };
}
