import * as z from 'zod/mini';
import { ControlValues } from './control-values.js';
import { operation } from './operation.js';
import { IdParam, optional, PublicId } from './wire.js';

/** Control values of a dashboard that a viewer saved under a name. */
export const DashboardView = z.looseObject({
  id: z.int(),
  name: z.string(),
  /** The control values. Only the client validates them. */
  state: z.looseObject({}),
  /** Whether the other users of the embed tenant can see the view. */
  isShared: z.boolean(),
  /** Whether the caller saved the view. */
  isOwn: z.boolean(),
  /** The user who saved the view. */
  author: optional(z.looseObject({ username: z.string(), firstName: optional(z.string()) })),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** Control values of a dashboard that a viewer saved under a name. */
export type DashboardView = z.infer<typeof DashboardView>;

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

const OfDashboard = z.strictObject({ publicId: PublicId });
const OfView = z.strictObject({ publicId: PublicId, viewId: IdParam });

const refusals = {
  403: 'The caller has no session of an embed tenant with `allowSavedViews`, or embedding is disabled.',
  404: 'The dashboard or view does not exist, or is not visible to the caller.',
} as const;
const refusalsOfOthers = {
  ...refusals,
  403: `${refusals[403]} Also returned if the view belongs to another user.`,
} as const;

/**
 * Lists the views of a dashboard that the caller saved, and those that other users of its embed tenant share, by name:
 * at most 50 own and 100 shared views. All operations on views are extensions.
 */
export const listDashboardViews = operation({
  id: 'listDashboardViews',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}/views',
  access: 'authenticated',
  params: OfDashboard,
  response: z.looseObject({
    items: z.array(DashboardView),
    /** Id of the view that is applied when the dashboard opens; `null` if there is none. */
    defaultViewId: optional(z.int()),
  }),
  errors: refusals,
});

/** Saves control values under a name. `isShared` shows them to the other users of the embed tenant. */
export const createDashboardView = operation({
  id: 'createDashboardView',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/views',
  access: 'authenticated',
  params: OfDashboard,
  body: z.strictObject({ name: Name, state: ControlValues, isShared: optional(z.boolean()) }),
  response: DashboardView,
  errors: { ...refusals, 409: 'The caller has reached the limit of views of this dashboard.' },
});

/** Changes one of the caller's views. Omitted fields stay unchanged. */
export const updateDashboardView = operation({
  id: 'updateDashboardView',
  api: 'platform',
  method: 'PATCH',
  path: '/api/v1/embed/dashboard/{publicId}/views/{viewId}',
  access: 'authenticated',
  params: OfView,
  body: z.strictObject({ name: optional(Name), state: optional(ControlValues), isShared: optional(z.boolean()) }),
  response: DashboardView,
  errors: refusalsOfOthers,
});

/** Deletes one of the caller's views. Users who had it as their default then have no default. */
export const deleteDashboardView = operation({
  id: 'deleteDashboardView',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/embed/dashboard/{publicId}/views/{viewId}',
  access: 'authenticated',
  params: OfView,
  response: null,
  errors: refusalsOfOthers,
});

/**
 * Sets the caller's default view, which is applied when the dashboard opens: one of the caller's own or a shared view,
 * or `null` for none.
 */
export const setDefaultDashboardView = operation({
  id: 'setDefaultDashboardView',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/embed/dashboard/{publicId}/default-view',
  access: 'authenticated',
  params: OfDashboard,
  body: z.strictObject({ viewId: z.nullable(z.int().check(z.positive())) }),
  response: null,
  errors: refusals,
});
