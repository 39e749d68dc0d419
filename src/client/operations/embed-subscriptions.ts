import * as subscriptions from '../../contract/embed-subscriptions.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/**
 * Lists the caller's subscriptions to a dashboard. All functions of this module require the embed token of a tenant's
 * user whose session has `allowSubscriptions`.
 */
export const listDashboardSubscriptions: Endpoint<typeof subscriptions.listDashboardSubscriptions, 'publicId'> =
  /* @__PURE__ */ endpoint(subscriptions.listDashboardSubscriptions, 'publicId');

/** Subscribes the caller to a dashboard by mail. */
export const createDashboardSubscription: Endpoint<typeof subscriptions.createDashboardSubscription, 'publicId'> =
  /* @__PURE__ */ endpoint(subscriptions.createDashboardSubscription, 'publicId');

/** Ends one of the caller's subscriptions. */
export const deleteDashboardSubscription: Endpoint<typeof subscriptions.deleteDashboardSubscription> =
  /* @__PURE__ */ endpoint(subscriptions.deleteDashboardSubscription);

/** Sends one of the caller's subscriptions now. */
export const sendDashboardSubscription: Endpoint<typeof subscriptions.sendDashboardSubscription> =
  /* @__PURE__ */ endpoint(subscriptions.sendDashboardSubscription);
