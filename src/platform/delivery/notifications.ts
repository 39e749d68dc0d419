import type { Hono } from 'hono';
import { lowerAscii } from '../../contract/lower-ascii.js';
import {
  type CreateNotification,
  createNotification,
  deleteNotification,
  getNotification,
  getNotifications,
  type Notification,
  type UpdateNotification,
  updateNotification,
} from '../../contract/notifications.js';
import type { Principal } from '../auth/principal.js';
import { DatabaseCode, type Db, databaseCode } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { requireDeployment } from '../models/require-deployment.js';
import { readAlert } from './alert.js';
import * as store from './notification-store.js';
import { cancelScheduledRuns, isActive } from './run-store.js';
import { cronOf, describeCron, isTimezone, nextRun } from './schedule.js';

/** Mounts the routes for scheduled deliveries of dashboards (spec 2.8, 4.5). */
export function mountNotifications(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getNotifications, deps, async ({ params, query, principal }) => {
    const { deploymentId } = params;
    await requireDeployment(db, principal, deploymentId);
    const filter = { deploymentId, dashboard: readDashboard(query, 'query'), recipient: readRecipient(query) };
    const { items, pageInfo } = await store.listNotifications(db, filter, query);
    return { items: items.map(show), pageInfo };
  });

  write(app, createNotification, deps, async ({ params, body, principal }, tx, target) => {
    const { deploymentId } = params;
    await requireDeployment(tx, principal, deploymentId);
    const dashboard = readDashboard(body, 'body');
    if (!dashboard) throw new PlatformError(400, 'body.dashboardId: send dashboardId or dashboardPublicId');
    const schedule = { cronExpression: cronOf(body), timezone: readTimezone(body) ?? 'UTC' };
    const dashboardId = await store.lockDashboard(tx, deploymentId, dashboard);
    if (dashboardId === null) throw notFound('Dashboard');
    const created = await withNameProblem(() =>
      store.createNotification(tx, {
        deploymentId,
        name: body.name ?? null,
        dashboardId,
        ...schedule,
        nextRunAt: nextRun(schedule.cronExpression, schedule.timezone, new Date()),
        isEnabled: true,
        notificationEnabled: true,
        notificationAiSummary: false,
        notificationFormat: 'png',
        ...readDelivery(body),
        createdBy: principal.userId,
      }),
    );
    target.id = created.id;
    return show(created);
  });

  serve(app, getNotification, deps, async ({ params, principal }) =>
    show(await requireNotification(db, principal, params, store.findNotification)),
  );

  write(app, updateNotification, deps, async ({ params, body, principal }, tx) => {
    const locked = await requireNotification(tx, principal, params, store.lockNotification);
    const timezone = readTimezone(body);
    const cronExpression = cronOf(body, locked.cronExpression);
    const schedule = { cronExpression, timezone: timezone ?? locked.timezone };
    const change = {
      ...schedule,
      ...(restartsSchedule(locked, schedule, body) && {
        nextRunAt: nextRun(cronExpression, schedule.timezone, new Date()),
      }),
      ...(body.name != null && { name: body.name }),
      ...(body.isEnabled != null && { isEnabled: body.isEnabled }),
      ...readDelivery(body),
    };
    const updated = await withNameProblem(() => store.updateNotification(tx, locked, change));
    if (!isActive(updated)) await cancelScheduledRuns(tx, updated.id);
    return show(updated);
  });

  write(app, deleteNotification, deps, async ({ params, principal }, tx) => {
    await requireDeployment(tx, principal, params.deploymentId);
    if (!(await store.deleteNotification(tx, params.deploymentId, params.id))) throw notFound('Notification');
    return undefined;
  });
}

/** Runs a write. @throws PlatformError 409 if another notification has the name. */
async function withNameProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseCode(error) !== DatabaseCode.uniqueViolation) throw error;
    throw new PlatformError(409, 'body.name: another notification of the deployment has this name');
  }
}

/** True if an update changes or enables the schedule. Runs that were missed before the update are then not sent. */
function restartsSchedule(
  stored: store.StoredNotification,
  { cronExpression, timezone }: Pick<store.StoredNotification, 'cronExpression' | 'timezone'>,
  { isEnabled, notificationEnabled }: UpdateNotification,
): boolean {
  if (cronExpression !== stored.cronExpression || timezone !== stored.timezone) return true;
  return (!stored.isEnabled && isEnabled === true) || (!stored.notificationEnabled && notificationEnabled === true);
}

/** Returns the notification that the path parameters identify. @throws PlatformError 404 */
export async function requireNotification(
  db: Db,
  principal: Principal,
  { deploymentId, id }: { readonly deploymentId: number; readonly id: number },
  find: typeof store.findNotification,
): Promise<store.StoredNotification> {
  await requireDeployment(db, principal, deploymentId);
  const notification = await find(db, deploymentId, id);
  if (!notification) throw notFound('Notification');
  return notification;
}

interface DashboardInput {
  readonly dashboardId?: number | null | undefined;
  readonly dashboardPublicId?: string | null | undefined;
}

/**
 * Returns the dashboard that one of two fields of the input identifies, or `null` if both are missing.
 * @throws PlatformError 400 if both are set.
 */
export function readDashboard(
  { dashboardId, dashboardPublicId }: DashboardInput,
  where: string,
): store.DashboardRef | null {
  if (dashboardId != null && dashboardPublicId != null) {
    throw new PlatformError(400, `${where}.dashboardPublicId: send dashboardId or dashboardPublicId, not both`);
  }
  if (dashboardId != null) return { id: dashboardId };
  return dashboardPublicId == null ? null : { publicId: dashboardPublicId };
}

interface RecipientInput {
  readonly recipientUserId?: number | undefined;
  readonly recipientEmail?: string | undefined;
  readonly recipientEmbedTenantName?: string | undefined;
  readonly recipientExternalId?: string | undefined;
}

function readRecipient(query: RecipientInput): store.RecipientRef | null {
  const { recipientUserId: userId, recipientEmail: email } = query;
  const { recipientEmbedTenantName: embedTenantName, recipientExternalId: externalId } = query;
  if ((embedTenantName === undefined) !== (externalId === undefined)) {
    const missing = embedTenantName === undefined ? 'recipientEmbedTenantName' : 'recipientExternalId';
    throw new PlatformError(
      400,
      `query.${missing}: recipientEmbedTenantName and recipientExternalId must be sent together`,
    );
  }
  if ([userId, email, externalId].filter(each => each !== undefined).length > 1) {
    const forms = 'recipientUserId, recipientEmail, or recipientEmbedTenantName with recipientExternalId';
    throw new PlatformError(400, `query: send at most one of ${forms}`);
  }
  if (userId !== undefined) return { userId };
  if (email !== undefined) return { email };
  if (embedTenantName === undefined || externalId === undefined) return null;
  return { embedTenantName, externalId: lowerAscii(externalId.trim()) };
}

function readTimezone({ timezone }: Pick<UpdateNotification, 'timezone'>): string | null {
  if (timezone == null) return null;
  if (!isTimezone(timezone)) {
    throw new PlatformError(400, 'body.timezone: must be the name of a time zone, such as Europe/Berlin or UTC');
  }
  return timezone;
}

/**
 * Reads the delivery options and the values of the dashboard's controls. Omits fields that the request does not set.
 */
function readDelivery(body: CreateNotification | UpdateNotification): store.NotificationChange {
  const {
    notificationEnabled,
    notificationAiSummary,
    notificationFormat,
    filters,
    memberSwitchers,
    timeGrains,
    alert,
  } = body;
  return {
    ...(notificationEnabled != null && { notificationEnabled }),
    ...(notificationAiSummary != null && { notificationAiSummary }),
    ...(notificationFormat != null && { notificationFormat }),
    ...(alert !== undefined && { alert: alert && readAlert(alert) }),
    ...(filters != null && { filters }),
    ...(memberSwitchers != null && { memberSwitchers }),
    ...(timeGrains != null && { timeGrains }),
  };
}

function show(notification: store.StoredNotification): Notification {
  const { createdBy: _, createdAt, ...settings } = notification;
  const { cronExpression, timezone, isEnabled } = notification;
  const next = isEnabled ? nextRun(cronExpression, timezone, new Date()) : null;
  return {
    ...settings,
    // Copy the arrays, because the store returns read-only arrays.
    filters: settings.filters && [...settings.filters],
    memberSwitchers: settings.memberSwitchers && [...settings.memberSwitchers],
    timeGrains: settings.timeGrains && [...settings.timeGrains],
    humanReadableSchedule: describeCron(cronExpression, timezone),
    createdAt: createdAt.toISOString(),
    nextRunAt: next?.toISOString() ?? null,
  };
}
