import * as z from 'zod/mini';
import { operation } from './operation.js';
import { optional } from './wire.js';

/**
 * Settings of the account. The platform stores and returns them, but most have no effect: the audit log is always
 * written, so `auditLogEnabledCurrent` is always `true`, there is no support access or maintenance window, and OpenID
 * Connect is configured at startup. `singleSignOnOnly` (extension) rejects passwords, except those of break-glass
 * administrators. `auditLogEnabledTimestamp` is the time when `auditLogEnabled` was last changed, in Unix seconds, or 0
 * if it was never changed.
 */
export const TenantSettings = z.looseObject({
  auditLogEnabled: z.boolean(),
  auditLogEnabledCurrent: z.boolean(),
  auditLogEnabledTimestamp: z.int(),
  hasSupportAccess: z.boolean(),
  maintenanceWindowDay: z.string(),
  maintenanceWindowEnabled: z.boolean(),
  maintenanceWindowTime: z.string(),
  oidcEnabled: z.boolean(),
  singleSignOnOnly: z.boolean(),
  useAIBIUserInterface: z.boolean(),
});
/** Settings of the account. */
export type TenantSettings = z.infer<typeof TenantSettings>;

const common = { api: 'platform', path: '/api/v1/tenant/settings', access: 'admin' } as const;

/** Returns the settings of the account. */
export const getTenantSettings = operation({
  ...common,
  id: 'getTenantSettings',
  method: 'GET',
  response: TenantSettings,
  errors: {},
});

/**
 * Updates settings of the account. Omitted settings stay unchanged; `null` restores a default. `singleSignOnOnly: true`
 * requires an administrator who signed in through the OpenID provider, and a break-glass administrator: the first
 * administrator with a password. Ends the sessions of users who signed in with a password.
 */
export const updateTenantSettings = operation({
  ...common,
  id: 'updateTenantSettings',
  method: 'PUT',
  body: z.strictObject({
    auditLogEnabled: optional(z.boolean()),
    hasSupportAccess: optional(z.boolean()),
    maintenanceWindowDay: optional(
      z
        .string()
        .check(z.regex(/^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/i, 'must be a day of the week, such as Sunday')),
    ),
    maintenanceWindowEnabled: optional(z.boolean()),
    maintenanceWindowTime: optional(
      z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 03:00')),
    ),
    oidcEnabled: optional(z.boolean()),
    singleSignOnOnly: optional(z.boolean()),
    useAIBIUserInterface: optional(z.boolean()),
  }),
  response: TenantSettings,
  errors: { 409: 'no administrator could sign in without single sign-on' },
});
