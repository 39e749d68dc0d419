import * as z from 'zod/mini';
import { operation } from './operation.js';
import { optional } from './wire.js';

/**
 * Settings of the account. `auditLogEnabled` turns the audit log on or off immediately; changes to these settings are
 * always recorded. `auditLogEnabledCurrent` is equal to it, and `auditLogEnabledTimestamp` is the time of its last
 * change in Unix seconds, or 0 if it was never changed. Extensions: `singleSignOnOnly` rejects passwords, except those
 * of break-glass administrators; sessions of users end after `sessionLifetimeHours`, or after `sessionIdleMinutes`
 * without use, including existing sessions. `oidcEnabled` states whether an OpenID provider is configured at startup.
 * There is no support access and no maintenance window, so both are always off. The day and time of the window and
 * `useAIBIUserInterface` are stored but have no effect.
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
  sessionIdleMinutes: z.int(),
  sessionLifetimeHours: z.int(),
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
 * administrator with a password. Ends the sessions of users who signed in with a password. Embed sessions cannot change
 * `auditLogEnabled` and the settings of sign-in. Returns 400 for `hasSupportAccess: true`,
 * `maintenanceWindowEnabled: true` and another value of `oidcEnabled`, because the platform does not enforce them.
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
    /** 5 to 1440; 120 by default. */
    sessionIdleMinutes: optional(z.int().check(z.minimum(5), z.maximum(1440))),
    /** 1 to 24; 12 by default. */
    sessionLifetimeHours: optional(z.int().check(z.minimum(1), z.maximum(24))),
    singleSignOnOnly: optional(z.boolean()),
    useAIBIUserInterface: optional(z.boolean()),
  }),
  response: TenantSettings,
  errors: { 409: 'The change would leave no administrator who can sign in without single sign-on.' },
});
