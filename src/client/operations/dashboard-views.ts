import * as views from '../../contract/dashboard-views.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/**
 * Lists the views of a dashboard that the caller saved or that its tenant shares. All functions of this module require
 * the embed token of a tenant's user whose session has `allowSavedViews`.
 */
export const listDashboardViews: Endpoint<typeof views.listDashboardViews, 'publicId'> = /* @__PURE__ */ endpoint(
  views.listDashboardViews,
  'publicId',
);

/** Saves control values under a name. */
export const createDashboardView: Endpoint<typeof views.createDashboardView, 'publicId'> = /* @__PURE__ */ endpoint(
  views.createDashboardView,
  'publicId',
);

/** Changes one of the caller's views. */
export const updateDashboardView: Endpoint<typeof views.updateDashboardView> = /* @__PURE__ */ endpoint(
  views.updateDashboardView,
);

/** Deletes one of the caller's views. */
export const deleteDashboardView: Endpoint<typeof views.deleteDashboardView> = /* @__PURE__ */ endpoint(
  views.deleteDashboardView,
);

/** Sets the view that opens with the dashboard for the caller. */
export const setDefaultDashboardView: Endpoint<typeof views.setDefaultDashboardView, 'publicId'> =
  /* @__PURE__ */ endpoint(views.setDefaultDashboardView, 'publicId');
