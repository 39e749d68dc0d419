import * as notifications from '../../contract/notifications.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Which notification is meant. */
export type NotificationRef = ParamsOf<typeof notifications.getNotification>;

/** One page of the notifications, the newest first (spec 4.5). */
export function listNotifications(
  connection: PlatformConnection,
  deploymentId: number,
  query: QueryOf<typeof notifications.getNotifications> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof notifications.getNotifications>> {
  return call(notifications.getNotifications, connection, { params: { deploymentId }, query }, options);
}

/** Creates a notification without recipients (spec 2.8). */
export function createNotification(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof notifications.createNotification>,
  options?: RequestOptions,
): Promise<notifications.Notification> {
  return call(notifications.createNotification, connection, { params: { deploymentId }, body }, options);
}

/** One notification. */
export function getNotification(
  connection: PlatformConnection,
  params: NotificationRef,
  options?: RequestOptions,
): Promise<notifications.Notification> {
  return call(notifications.getNotification, connection, { params }, options);
}

/** Changes the fields of a notification that are given. */
export function updateNotification(
  connection: PlatformConnection,
  params: NotificationRef,
  body: BodyOf<typeof notifications.updateNotification>,
  options?: RequestOptions,
): Promise<notifications.Notification> {
  return call(notifications.updateNotification, connection, { params, body }, options);
}

/** Deletes a notification. */
export function deleteNotification(
  connection: PlatformConnection,
  params: NotificationRef,
  options?: RequestOptions,
): Promise<void> {
  return call(notifications.deleteNotification, connection, { params }, options);
}

/** One page of a notification's recipients, the newest first. */
export function listNotificationRecipients(
  connection: PlatformConnection,
  params: NotificationRef,
  query: QueryOf<typeof notifications.getRecipients> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof notifications.getRecipients>> {
  return call(notifications.getRecipients, connection, { params, query }, options);
}

/** Adds recipients, all of them or none. */
export function addNotificationRecipients(
  connection: PlatformConnection,
  params: NotificationRef,
  recipients: BodyOf<typeof notifications.addRecipients>['recipients'],
  options?: RequestOptions,
): Promise<ResponseOf<typeof notifications.addRecipients>> {
  return call(notifications.addRecipients, connection, { params, body: { recipients } }, options);
}

/** Removes recipients; one that isn't there is none to remove. */
export function removeNotificationRecipients(
  connection: PlatformConnection,
  params: NotificationRef,
  recipients: BodyOf<typeof notifications.removeRecipients>['recipients'],
  options?: RequestOptions,
): Promise<void> {
  return call(notifications.removeRecipients, connection, { params, body: { recipients } }, options);
}
