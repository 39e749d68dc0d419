import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { UserAttributeInput } from './embed-grant.js';
import { operation } from './operation.js';
import { dashboardFilterOperators } from './widget-config.js';
import { EmbedTenantName, IdParam, JsonObject, openEnum, optional, PageQuery, pageOf, recordOf } from './wire.js';

/** How often a notification is sent. CUSTOM uses a cron expression. */
export const scheduleTypes = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM'] as const;
/** How often a notification is sent. */
export type ScheduleType = (typeof scheduleTypes)[number];

/** File formats of the dashboard in a notification. */
export const notificationFormats = ['png', 'pdf'] as const;

/** Types of recipients: a user of the console, a user of an embed tenant, a channel, or a URL (our extension). */
export const recipientTypes = ['USER', 'EMBED_USER', 'SLACK', 'WEBHOOK'] as const;

const maxControls = 100;
const Member = z
  .string()
  .check(z.maxLength(255), z.regex(/^[^\0]+\.[^\0]+$/, 'must be a member, such as orders.status'));
const Choice = z.string().check(z.minLength(1), z.maxLength(255));
const Text = z.string().check(z.maxLength(1000));
const FilterValue = z.nullable(
  z.union([
    Text,
    z.number(),
    z.boolean(),
    z.array(z.nullable(z.union([Text, z.number(), z.boolean()]))).check(z.maxLength(1000)),
  ]),
);

/** Value of a dashboard filter (`DashboardFilterInput`). */
export const DashboardFilterInput = z.strictObject({
  member: Member,
  operator: optional(z.enum(dashboardFilterOperators)),
  value: optional(FilterValue),
  caseSensitive: optional(z.boolean()),
  startInclusive: optional(z.boolean()),
  endInclusive: optional(z.boolean()),
});
/** Selected granularity of a dashboard's time control (`DashboardTimeGrainInput`). */
export const DashboardTimeGrainInput = z.strictObject({ member: Member, grain: Choice });
/** Selected member of a dashboard's member switcher (`DashboardMemberSwitcherInput`). */
export const DashboardMemberSwitcherInput = z.strictObject({ member: Member, selected: Choice });

const controls = {
  filters: optional(z.array(DashboardFilterInput).check(z.maxLength(maxControls))),
  memberSwitchers: optional(z.array(DashboardMemberSwitcherInput).check(z.maxLength(maxControls))),
  timeGrains: optional(z.array(DashboardTimeGrainInput).check(z.maxLength(maxControls))),
};

/** Kinds of alerts: a measure compared with a value, a report without rows, or a measure that changed. */
const alertKinds = ['measure', 'noRows', 'change'] as const;

/**
 * Condition of a notification (our extension): it is sent only to recipients for whose rows the condition holds.
 * `measure` compares `measure` with `value` by `operator`; `noRows` holds if the report of `widgetId` has no rows;
 * `change` holds if `measure` differs from the last scheduled run, by at least `value` if set.
 */
export const NotificationAlert = z.strictObject({
  kind: z.enum(alertKinds),
  measure: optional(Member),
  operator: optional(z.enum(['gt', 'gte', 'lt', 'lte', 'equals', 'notEquals'])),
  value: optional(z.number()),
  widgetId: optional(z.string().check(z.minLength(1), z.maxLength(255))),
});
/** Condition of a notification. */
export type NotificationAlert = z.infer<typeof NotificationAlert>;

/**
 * A scheduled delivery of a dashboard (spec 2.8). `nextRunAt`, an extension, is the next scheduled time; `null` while
 * the notification is disabled.
 */
export const Notification = z.looseObject({
  id: z.int(),
  dashboardId: z.int(),
  deploymentId: z.int(),
  cronExpression: z.string(),
  timezone: z.string(),
  humanReadableSchedule: z.string(),
  isEnabled: z.boolean(),
  notificationEnabled: z.boolean(),
  notificationAiSummary: z.boolean(),
  notificationFormat: openEnum(notificationFormats),
  filters: optional(z.array(JsonObject)),
  memberSwitchers: optional(z.array(JsonObject)),
  timeGrains: optional(z.array(JsonObject)),
  alert: optional(JsonObject),
  nextRunAt: optional(z.string()),
});
/** A scheduled delivery of a dashboard. */
export type Notification = z.infer<typeof Notification>;

/** A recipient of a notification (spec 2.8). */
export const NotificationRecipient = z.looseObject({
  type: openEnum(recipientTypes),
  userId: optional(z.int()),
  username: optional(z.string()),
  embedUserId: optional(z.int()),
  embedTenantName: optional(z.string()),
  externalId: optional(z.string()),
  email: optional(z.string()),
  channelId: optional(z.string()),
  channelName: optional(z.string()),
  url: optional(z.string()),
});
/** A recipient of a notification. */
export type NotificationRecipient = z.infer<typeof NotificationRecipient>;

const schedule = {
  minute: optional(z.int().check(z.gte(0), z.lte(59))),
  hour: optional(z.int().check(z.gte(0), z.lte(23))),
  /** 0 is Sunday. */
  dayOfWeek: optional(z.int().check(z.gte(0), z.lte(6))),
  dayOfMonth: optional(z.int().check(z.gte(1), z.lte(31))),
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  customCron: optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
  /** IANA time zone, such as Europe/Berlin. */
  timezone: optional(z.string().check(z.minLength(1), z.maxLength(64))),
};

const delivery = {
  notificationEnabled: optional(z.boolean()),
  notificationAiSummary: optional(z.boolean()),
  notificationFormat: optional(z.enum(notificationFormats)),
  /** Our extension. `null` removes the condition. */
  alert: optional(NotificationAlert),
};

/**
 * Input for creating a notification. Requires exactly one of `dashboardId` and `dashboardPublicId` (spec 2.8).
 * Defaults: `minute` and `hour` 0, `dayOfWeek` and `dayOfMonth` 1, `timezone` UTC, `notificationEnabled` true,
 * `notificationAiSummary` false, `notificationFormat` png.
 */
export const CreateNotification = z.strictObject({
  dashboardId: optional(z.int().check(z.positive())),
  dashboardPublicId: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  scheduleType: z.enum(scheduleTypes),
  ...schedule,
  ...delivery,
  ...controls,
});
/** Input for creating a notification. */
export type CreateNotification = z.infer<typeof CreateNotification>;

/**
 * Input for updating a notification. Omitted fields stay unchanged; `filters`, `memberSwitchers` and `timeGrains` are
 * replaced as a whole.
 */
export const UpdateNotification = z.strictObject({
  scheduleType: optional(z.enum(scheduleTypes)),
  isEnabled: optional(z.boolean()),
  ...schedule,
  ...delivery,
  ...controls,
});
/** Input for updating a notification. */
export type UpdateNotification = z.infer<typeof UpdateNotification>;

/** An email address. Host names without a dot are allowed, because company networks use them. */
export const MailAddress = z.string().check(z.maxLength(255), z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'));

/**
 * Input for adding a recipient: USER by `userId` or `email`; EMBED_USER by `embedTenantName` and `externalId`, with the
 * groups, attributes and security context for rendering. Our extensions: SLACK by `channelId` if the platform has a
 * token for Slack, and WEBHOOK by `url` if its host is allowed, with the same fields for rendering, and with
 * `embedTenantName` for a dashboard that is shared with this tenant.
 */
export const NotificationRecipientInput = z.strictObject({
  type: z.enum(recipientTypes),
  userId: optional(z.int().check(z.positive())),
  email: optional(MailAddress),
  embedTenantName: optional(EmbedTenantName),
  externalId: optional(z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(255))),
  groups: optional(z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(1000))),
  userAttributes: optional(z.array(UserAttributeInput).check(z.maxLength(1000))),
  securityContext: optional(JsonObject),
  channelId: optional(z.string().check(z.maxLength(255))),
  channelName: optional(z.string().check(z.maxLength(255))),
  url: optional(z.string().check(z.minLength(1), z.maxLength(2000))),
});
/** Input for adding a recipient. */
export type NotificationRecipientInput = z.infer<typeof NotificationRecipientInput>;

const maxRecipients = 1000;

/** Input for removing a recipient. `id` is the `userId`, `embedUserId`, `channelId` or `url`. */
export const RemovedRecipient = z.strictObject({
  type: z.enum(recipientTypes),
  id: z.union([z.int().check(z.positive()), z.string().check(z.minLength(1), z.maxLength(2000))]),
  embedTenantName: optional(EmbedTenantName),
});
/** Input for removing a recipient. */
export type RemovedRecipient = z.infer<typeof RemovedRecipient>;

/** Path parameters of a notification. */
export const NotificationParams = z.strictObject({ deploymentId: IdParam, id: IdParam });

const NameQuery = z.optional(z.string().check(z.minLength(1), z.maxLength(255)));

/**
 * Lists notifications, newest first (spec 4.5), without their recipients. Accepts one form of the dashboard's id and
 * one form of the recipient: `recipientUserId`, `recipientEmail` (a console user, ignoring case), or
 * `recipientEmbedTenantName` with `recipientExternalId`.
 */
export const getNotifications = operation({
  id: 'getNotifications',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications',
  access: 'admin',
  params: DeploymentParams,
  query: z.strictObject({
    ...PageQuery.shape,
    dashboardId: z.optional(IdParam),
    dashboardPublicId: NameQuery,
    recipientUserId: z.optional(IdParam),
    recipientEmail: NameQuery,
    recipientEmbedTenantName: NameQuery,
    recipientExternalId: NameQuery,
  }),
  response: pageOf(Notification),
  errors: { 404: 'no such deployment' },
});

/** Creates a notification without recipients (spec 2.8). */
export const createNotification = operation({
  id: 'createNotification',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/notifications',
  access: 'admin',
  params: DeploymentParams,
  body: CreateNotification,
  response: Notification,
  errors: { 404: 'no such deployment, or no such dashboard in it' },
});

/** Returns a notification. */
export const getNotification = operation({
  id: 'getNotification',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}',
  access: 'admin',
  params: NotificationParams,
  response: Notification,
  errors: { 404: 'no such notification in the deployment' },
});

/**
 * Updates a notification. Omitted fields stay unchanged, including those of the schedule; recipients stay unchanged.
 */
export const updateNotification = operation({
  id: 'updateNotification',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}',
  access: 'admin',
  params: NotificationParams,
  body: UpdateNotification,
  response: Notification,
  errors: { 404: 'no such notification in the deployment' },
});

/** Deletes a notification with its recipients. */
export const deleteNotification = operation({
  id: 'deleteNotification',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}',
  access: 'admin',
  params: NotificationParams,
  response: null,
  errors: { 404: 'no such notification in the deployment' },
});

/** Lists the recipients of a notification, newest first. */
export const getRecipients = operation({
  id: 'getRecipients',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/recipients',
  access: 'admin',
  params: NotificationParams,
  query: PageQuery,
  response: pageOf(NotificationRecipient),
  errors: { 404: 'no such notification in the deployment' },
});

/**
 * Adds recipients atomically. Each must have an email address. If an embed user is already a recipient, `groups`,
 * `userAttributes` and `securityContext` are replaced. Embed users that do not exist are created.
 */
export const addRecipients = operation({
  id: 'addRecipients',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/recipients',
  access: 'admin',
  params: NotificationParams,
  body: z.strictObject({
    recipients: z.array(NotificationRecipientInput).check(z.minLength(1), z.maxLength(maxRecipients)),
  }),
  response: z.looseObject({
    createdRecipients: z.array(NotificationRecipient),
    updatedRecipients: z.array(NotificationRecipient),
    unchangedRecipients: z.array(NotificationRecipient),
  }),
  errors: { 404: 'no such notification in the deployment' },
});

/** Removes recipients. Unknown recipients are ignored. */
export const removeRecipients = operation({
  id: 'removeRecipients',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/recipients',
  access: 'admin',
  params: NotificationParams,
  body: z.strictObject({ recipients: z.array(RemovedRecipient).check(z.minLength(1), z.maxLength(maxRecipients)) }),
  response: null,
  errors: { 404: 'no such notification in the deployment' },
});

/**
 * States of a delivery. `failed` is retried at `nextAttemptAt`; `sent`, `dead`, `canceled` and `skipped` are final.
 * After a crash in `handing-over`, the message is sent again with the same id. A message is canceled if the
 * notification is disabled, and skipped if the condition of the alert does not hold.
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
/** Why a run took place: its schedule, or a request to send it now. */
const runTriggers = ['schedule', 'test'] as const;
/** What a delivery contains: the dashboard, or the failed deliveries of a run for the owner of the notification. */
const deliveryPurposes = ['dashboard', 'failure-notice'] as const;
/** States of a run. `skipped`: no platform was running at that time, and a later run replaced it. */
const runStates = ['running', 'done', 'skipped'] as const;

/**
 * A message of a run to one recipient (our extension). `messageId` is the local part of the header, equal for all
 * attempts; `responseCode` and `problem` describe the last attempt.
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
 * An evaluation of an alert (our extension): once per run for recipients with equal rights. `holds` is `null` if it
 * failed. `value` is the measure, or the number of rows up to 1.
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

/** A run of a notification (our extension), with the number of its deliveries by state. */
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
 * Lists the deliveries of a notification, newest first, for 90 days (our extension). `state=dead` lists the messages
 * that failed permanently.
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
  errors: { 404: 'no such notification in the deployment' },
});

/** Lists the runs of a notification, newest first, for 90 days (our extension). */
export const getNotificationRuns = operation({
  id: 'getNotificationRuns',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/runs',
  access: 'admin',
  params: NotificationParams,
  query: PageQuery,
  response: pageOf(NotificationRun),
  errors: { 404: 'no such notification in the deployment' },
});

/** Lists the evaluations of the alert of a notification, newest first, for 90 days (our extension). */
export const getNotificationEvaluations = operation({
  id: 'getNotificationEvaluations',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}/evaluations',
  access: 'admin',
  params: NotificationParams,
  query: PageQuery,
  response: pageOf(NotificationEvaluation),
  errors: { 404: 'no such notification in the deployment' },
});

/**
 * Sends a notification to its recipients now, whatever its schedule, and returns what happened to each of them (our
 * extension). A delivery that is not in a final state was not attempted within `waitSeconds` (60 by default); a
 * `failed` one is retried as usual. The owner gets no notice of failures.
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
  errors: { 404: 'no such notification in the deployment', 409: 'another request sends the notification' },
});

/**
 * Removes the recipient that a `List-Unsubscribe` header names (RFC 8058, our extension). The token is the credential;
 * ignores the body, which mail providers send as a form.
 */
export const unsubscribe = operation({
  id: 'unsubscribe',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/notifications/unsubscribe/{token}',
  access: 'public',
  params: z.strictObject({ token: z.string().check(z.maxLength(300)) }),
  response: null,
  errors: { 404: 'the token is invalid' },
});
