import * as deliveryOperations from '../../contract/notification-deliveries.js';
import * as recipientOperations from '../../contract/notification-recipients.js';
import * as notifications from '../../contract/notifications.js';
import type { BodyOf, ParamsOf, ResponseOf } from '../../contract/operation.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Identifies a notification. */
export type NotificationRef = ParamsOf<typeof notifications.getNotification>;

/** Lists the notifications, newest first, one page at a time (spec 4.5). */
export const listNotifications: Endpoint<typeof notifications.getNotifications, 'deploymentId'> =
  /* @__PURE__ */ endpoint(notifications.getNotifications, 'deploymentId');

/** Creates a notification without recipients (spec 2.8). */
export const createNotification: Endpoint<typeof notifications.createNotification, 'deploymentId'> =
  /* @__PURE__ */ endpoint(notifications.createNotification, 'deploymentId');

/** Returns a notification. */
export const getNotification: Endpoint<typeof notifications.getNotification> = /* @__PURE__ */ endpoint(
  notifications.getNotification,
);

/** Updates a notification. Omitted fields stay unchanged. */
export const updateNotification: Endpoint<typeof notifications.updateNotification> = /* @__PURE__ */ endpoint(
  notifications.updateNotification,
);

/** Deletes a notification. */
export const deleteNotification: Endpoint<typeof notifications.deleteNotification> = /* @__PURE__ */ endpoint(
  notifications.deleteNotification,
);

/** Lists a notification's recipients, newest first, one page at a time. */
export const listNotificationRecipients: Endpoint<typeof recipientOperations.getRecipients> = /* @__PURE__ */ endpoint(
  recipientOperations.getRecipients,
);

/** Adds recipients atomically: if one is invalid, none is added. */
export function addNotificationRecipients(
  connection: PlatformConnection,
  params: NotificationRef,
  recipients: BodyOf<typeof recipientOperations.addRecipients>['recipients'],
  options?: RequestOptions,
): Promise<ResponseOf<typeof recipientOperations.addRecipients>> {
  return call(recipientOperations.addRecipients, connection, { params, body: { recipients } }, options);
}

/** Removes recipients. Unknown recipients are ignored. */
export function removeNotificationRecipients(
  connection: PlatformConnection,
  params: NotificationRef,
  recipients: BodyOf<typeof recipientOperations.removeRecipients>['recipients'],
  options?: RequestOptions,
): Promise<void> {
  return call(recipientOperations.removeRecipients, connection, { params, body: { recipients } }, options);
}

/** Lists the deliveries of a notification, newest first, one page at a time. */
export const listNotificationDeliveries: Endpoint<typeof deliveryOperations.getNotificationDeliveries> =
  /* @__PURE__ */ endpoint(deliveryOperations.getNotificationDeliveries);

/** Lists the evaluations of the alert of a notification, newest first, one page at a time. */
export const listNotificationEvaluations: Endpoint<typeof deliveryOperations.getNotificationEvaluations> =
  /* @__PURE__ */ endpoint(deliveryOperations.getNotificationEvaluations);

/** Lists the runs of a notification, newest first, one page at a time. */
export const listNotificationRuns: Endpoint<typeof deliveryOperations.getNotificationRuns> = /* @__PURE__ */ endpoint(
  deliveryOperations.getNotificationRuns,
);

/** Sends a notification now and returns what happened to each recipient. */
export const sendNotification: Endpoint<typeof deliveryOperations.sendNotification> = /* @__PURE__ */ endpoint(
  deliveryOperations.sendNotification,
);

/** Removes the recipient that a `List-Unsubscribe` header names. The token of its address is the credential. */
export const unsubscribe: Endpoint<typeof recipientOperations.unsubscribe> = /* @__PURE__ */ endpoint(
  recipientOperations.unsubscribe,
);
