import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { ExternalId } from './embed-grant.js';
import { operation } from './operation.js';
import { dashboardFilterOperators } from './widget-config.js';
import { IdParam, JsonObject, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** How often a notification is sent. CUSTOM uses a cron expression. */
export const scheduleTypes = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM'] as const;
/** How often a notification is sent. */
export type ScheduleType = (typeof scheduleTypes)[number];

/** File formats of the dashboard in a notification. */
export const notificationFormats = ['png', 'pdf'] as const;

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

/** Control values of a notification (`filters`, `memberSwitchers`, `timeGrains`). */
export const controlValues = {
  filters: optional(z.array(DashboardFilterInput).check(z.maxLength(maxControls))),
  memberSwitchers: optional(z.array(DashboardMemberSwitcherInput).check(z.maxLength(maxControls))),
  timeGrains: optional(z.array(DashboardTimeGrainInput).check(z.maxLength(maxControls))),
};

/** Kinds of alerts: a measure compared with a value, a report without rows, or a measure that changed. */
const alertKinds = ['measure', 'noRows', 'change'] as const;

/**
 * Condition of a notification (extension). The notification is sent only to recipients whose rows meet the condition.
 * The kind `measure` compares `measure` with `value` by `operator`; `noRows` is met if the report of `widgetId` has no
 * rows; `change` is met if `measure` differs from its value in the last scheduled run, by at least `value` if it is
 * set.
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
  /** Name for content files, unique in the deployment (extension). */
  name: optional(z.string()),
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
  /** The viewer who subscribed on an embedded page; `null` for notifications of administrators (extension). */
  subscriberId: optional(z.int()),
  /** Language of the messages (BCP 47); `null` for that of the account (extension). */
  locale: optional(z.string()),
});
/** A scheduled delivery of a dashboard. */
export type Notification = z.infer<typeof Notification>;

/** Time of a schedule. Which parts apply depends on its type. */
export const scheduleTime = {
  minute: optional(z.int().check(z.gte(0), z.lte(59))),
  hour: optional(z.int().check(z.gte(0), z.lte(23))),
  /** Day of the week; 0 is Sunday. */
  dayOfWeek: optional(z.int().check(z.gte(0), z.lte(6))),
  dayOfMonth: optional(z.int().check(z.gte(1), z.lte(31))),
};

/** IANA time zone, such as Europe/Berlin. */
export const TimeZone = z.string().check(z.minLength(1), z.maxLength(64));

/** Cron expression with five fields: minute, hour, day of the month, month, day of the week. */
export const CronExpression = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

const schedule = {
  ...scheduleTime,
  customCron: optional(CronExpression),
  timezone: optional(TimeZone),
};

const delivery = {
  notificationEnabled: optional(z.boolean()),
  notificationAiSummary: optional(z.boolean()),
  notificationFormat: optional(z.enum(notificationFormats)),
  /** Condition of an alert (extension); `null` removes it. */
  alert: optional(NotificationAlert),
};

/** Name of a notification for content files. */
export const NotificationName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/**
 * Input for creating a notification. Requires exactly one of `dashboardId` and `dashboardPublicId` (spec 2.8).
 * Defaults: `minute` and `hour` 0, `dayOfWeek` and `dayOfMonth` 1, `timezone` UTC, `notificationEnabled` true,
 * `notificationAiSummary` false, `notificationFormat` png.
 */
export const CreateNotification = z.strictObject({
  name: optional(NotificationName),
  dashboardId: optional(z.int().check(z.positive())),
  dashboardPublicId: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  scheduleType: z.enum(scheduleTypes),
  ...schedule,
  ...delivery,
  ...controlValues,
});
/** Input for creating a notification. */
export type CreateNotification = z.infer<typeof CreateNotification>;

/**
 * Input for updating a notification. Omitted fields stay unchanged; `filters`, `memberSwitchers` and `timeGrains` are
 * replaced as a whole.
 */
export const UpdateNotification = z.strictObject({
  name: optional(NotificationName),
  scheduleType: optional(z.enum(scheduleTypes)),
  isEnabled: optional(z.boolean()),
  ...schedule,
  ...delivery,
  ...controlValues,
});
/** Input for updating a notification. */
export type UpdateNotification = z.infer<typeof UpdateNotification>;

/** Path parameters of a notification. */
export const NotificationParams = z.strictObject({ deploymentId: IdParam, id: IdParam });

const nameTaken = { 409: 'Another notification of the deployment has this name.' } as const;

const NameQuery = z.optional(z.string().check(z.minLength(1), z.maxLength(255)));

/**
 * Lists notifications, newest first (spec 4.5), without their recipients. Filters by dashboard with one form of its id,
 * and by recipient with one of: `recipientUserId`, `recipientEmail` (a console user, ignoring case), or
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
    recipientExternalId: z.optional(ExternalId),
  }),
  response: pageOf(Notification),
  errors: { 404: 'The deployment does not exist.' },
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
  errors: { 404: 'The deployment does not exist, or has no such dashboard.', ...nameTaken },
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
  errors: { 404: 'The notification does not exist in the deployment.' },
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
  errors: { 404: 'The notification does not exist in the deployment.', ...nameTaken },
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
  errors: { 404: 'The notification does not exist in the deployment.' },
});
