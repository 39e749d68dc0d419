import * as z from 'zod/mini';
import { deliveryStates } from './notification-deliveries.js';
import { controlValues, notificationFormats, scheduleTime, TimeZone } from './notifications.js';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional, PublicId } from './wire.js';

/** How often a viewer can receive a dashboard. */
export const subscriptionSchedules = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY'] as const;
/** How often a viewer can receive a dashboard. */
export type SubscriptionSchedule = (typeof subscriptionSchedules)[number];

/** A viewer's subscription to a dashboard by mail. */
export const DashboardSubscription = z.looseObject({
  id: z.int(),
  scheduleType: openEnum(subscriptionSchedules),
  ...scheduleTime,
  timezone: z.string(),
  notificationFormat: openEnum(notificationFormats),
  filters: optional(z.array(JsonObject)),
  memberSwitchers: optional(z.array(JsonObject)),
  timeGrains: optional(z.array(JsonObject)),
  /** `false` if an administrator has disabled the subscription. */
  isEnabled: z.boolean(),
  nextRunAt: optional(z.string()),
  createdAt: z.string(),
});
/** A viewer's subscription to a dashboard by mail. */
export type DashboardSubscription = z.infer<typeof DashboardSubscription>;

/**
 * Input for subscribing. Defaults: 0 for `minute` and `hour`; 1 for `dayOfWeek` and `dayOfMonth`; the session's time
 * zone or UTC for `timezone`; png for `notificationFormat`; the session's or the account's language for `locale`.
 */
export const CreateDashboardSubscription = z.strictObject({
  scheduleType: z.enum(subscriptionSchedules),
  ...scheduleTime,
  timezone: optional(TimeZone),
  notificationFormat: optional(z.enum(notificationFormats)),
  /** Language of the messages (BCP 47). */
  locale: optional(z.string().check(z.minLength(2), z.maxLength(35))),
  ...controlValues,
});
/** Input for subscribing. */
export type CreateDashboardSubscription = z.infer<typeof CreateDashboardSubscription>;

const OfDashboard = z.strictObject({ publicId: PublicId });
const OfSubscription = z.strictObject({ publicId: PublicId, id: IdParam });

const refusals = {
  403: 'The caller has no session of an embed tenant with `allowSubscriptions`, or embedding is disabled.',
  404: 'The dashboard or subscription does not exist, or is not visible to the caller.',
} as const;

/**
 * Lists the caller's subscriptions to a dashboard, newest first, with the address that receives them (extension). The
 * address is the email of the session's user, or its external id if that is an email address; otherwise `null`.
 */
export const listDashboardSubscriptions = operation({
  id: 'listDashboardSubscriptions',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}/subscriptions',
  access: 'authenticated',
  params: OfDashboard,
  response: z.looseObject({ email: optional(z.string()), items: z.array(DashboardSubscription) }),
  errors: refusals,
});

/**
 * Subscribes the caller to a dashboard with these control values (extension). The address is that of the session's user
 * and cannot be chosen. Messages are rendered with the security context of this session, and with the groups and
 * attributes that are stored for the user. If an equal subscription exists, only its security context is replaced by
 * that of this session.
 */
export const createDashboardSubscription = operation({
  id: 'createDashboardSubscription',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/subscriptions',
  access: 'authenticated',
  params: OfDashboard,
  body: CreateDashboardSubscription,
  response: DashboardSubscription,
  errors: {
    ...refusals,
    403: `${refusals[403]} Also returned if the user has no email address.`,
    409: 'The user has reached the limit of subscriptions.',
  },
});

/**
 * Ends one of the caller's subscriptions (extension). Messages that were not yet handed over to the mail server are not
 * sent.
 */
export const deleteDashboardSubscription = operation({
  id: 'deleteDashboardSubscription',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/embed/dashboard/{publicId}/subscriptions/{id}',
  access: 'authenticated',
  params: OfSubscription,
  response: null,
  errors: refusals,
});

/**
 * Sends one of the caller's subscriptions now, and returns the state of the delivery (extension). If that state is not
 * final, the message was not sent within `waitSeconds` (20 by default).
 */
export const sendDashboardSubscription = operation({
  id: 'sendDashboardSubscription',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/subscriptions/{id}/send',
  access: 'authenticated',
  params: OfSubscription,
  query: z.strictObject({ waitSeconds: z.optional(z.coerce.number().check(z.gte(0), z.lte(60))) }),
  response: z.looseObject({ state: openEnum(deliveryStates) }),
  errors: { ...refusals, 429: 'The subscription was sent within the last minute.' },
});
