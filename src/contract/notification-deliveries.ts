import * as z from 'zod/mini';
import { NotificationRecipient } from './notification-recipients.js';
import { NotificationParams } from './notifications.js';
import { operation } from './operation.js';
import { IdParam, openEnum, optional, PageQuery, pageOf, recordOf } from './wire.js';

/**
 * States of a delivery. `failed` is retried at `nextAttemptAt`; `sent`, `dead`, `canceled` and `skipped` are final.
 * After a crash in `handing-over`, the message is sent again with the same id. A message is canceled if the
 * notification is disabled, and skipped if the condition of the alert is not met.
 */
export const deliveryStates = [
  'pending',
  'rendering',
  'handing-over',
  'sent',
  'failed',
  'dead',
  'canceled',
  'skipped',
] as const;
/** Reason why a run started: its schedule, or a request to send it now. */
const runTriggers = ['schedule', 'test'] as const;
/**
 * What a delivery contains: the dashboard, or a list of a run's failed deliveries for the owner of the notification.
 */
const deliveryPurposes = ['dashboard', 'failure-notice'] as const;
/**
 * States of a run. `skipped` means that no platform was running at the scheduled time, and that a later run replaced
 * this one.
 */
const runStates = ['running', 'done', 'skipped'] as const;

/**
 * A message of a run to one recipient (extension). `messageId` is the local part of the `Message-ID` header, the same
 * for all attempts; `responseCode` and `problem` describe the last attempt.
 */
export const NotificationDelivery = z.looseObject({
  id: z.int(),
  runId: z.int(),
  scheduledAt: z.string(),
  trigger: openEnum(runTriggers),
  purpose: openEnum(deliveryPurposes),
  recipient: NotificationRecipient,
  state: openEnum(deliveryStates),
  attempts: z.int(),
  messageId: z.string(),
  responseCode: optional(z.int()),
  problem: optional(z.string()),
  nextAttemptAt: optional(z.string()),
  updatedAt: z.string(),
});
/** A message of a run to one recipient. */
export type NotificationDelivery = z.infer<typeof NotificationDelivery>;

/**
 * An evaluation of an alert (extension): one per run for all recipients with the same permissions. `holds` is `null` if
 * the evaluation failed. `value` is the value of the measure; for the kind `noRows`, it is 1 if the report has rows,
 * otherwise 0.
 */
export const NotificationEvaluation = z.looseObject({
  id: z.int(),
  runId: z.int(),
  scheduledAt: z.string(),
  trigger: openEnum(runTriggers),
  embedTenantName: optional(z.string()),
  recipientCount: z.int(),
  holds: optional(z.boolean()),
  value: optional(z.number()),
  previousValue: optional(z.number()),
  problem: optional(z.string()),
  createdAt: z.string(),
});
/** An evaluation of an alert. */
export type NotificationEvaluation = z.infer<typeof NotificationEvaluation>;

/** A run of a notification (extension), with the number of its deliveries by state. */
export const NotificationRun = z.looseObject({
  id: z.int(),
  scheduledAt: z.string(),
  trigger: openEnum(runTriggers),
  state: openEnum(runStates),
  endedAt: optional(z.string()),
  deliveries: recordOf(z.int()),
});
/** A run of a notification. */
export type NotificationRun = z.infer<typeof NotificationRun>;

/**
 * Lists the deliveries of a notification in the last 90 days, newest first (extension). `state=dead` lists the
 * messages that failed permanently.
 */
export const getNotificationDeliveries = operation({
  id: 'getNotificationDeliveries',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/deliveries',
  access: 'admin',
  params: NotificationParams,
  query: z.strictObject({
    ...PageQuery.shape,
    state: z.optional(z.enum(deliveryStates)),
    runId: z.optional(IdParam),
  }),
  response: pageOf(NotificationDelivery),
  errors: { 404: 'The notification does not exist in the deployment.' },
});

/** Lists the runs of a notification in the last 90 days, newest first (extension). */
export const getNotificationRuns = operation({
  id: 'getNotificationRuns',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/runs',
  access: 'admin',
  params: NotificationParams,
  query: PageQuery,
  response: pageOf(NotificationRun),
  errors: { 404: 'The notification does not exist in the deployment.' },
});

/** Lists the evaluations of a notification's alert in the last 90 days, newest first (extension). */
export const getNotificationEvaluations = operation({
  id: 'getNotificationEvaluations',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/evaluations',
  access: 'admin',
  params: NotificationParams,
  query: PageQuery,
  response: pageOf(NotificationEvaluation),
  errors: { 404: 'The notification does not exist in the deployment.' },
});

/**
 * Sends a notification to its recipients now, regardless of its schedule, and returns the state of each delivery
 * (extension). Waits at most `waitSeconds` (60 by default); later states are not included. A `failed` delivery is
 * retried as usual. The owner is not notified of failures.
 */
export const sendNotification = operation({
  id: 'sendNotification',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/send',
  access: 'admin',
  params: NotificationParams,
  query: z.strictObject({ waitSeconds: z.optional(z.coerce.number().check(z.gte(0), z.lte(60))) }),
  response: z.looseObject({ runId: z.int(), deliveries: z.array(NotificationDelivery) }),
  errors: {
    404: 'The notification does not exist in the deployment.',
    409: 'Another request is sending the notification.',
  },
});
