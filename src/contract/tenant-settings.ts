import * as z from 'zod/mini';
import { operation } from './operation.js';
import { optional } from './wire.js';

/**
 * Settings of the account. Kept, and given back; of what they switch, the platform does this: the audit log is written in any case,
 * so that `auditLogEnabledCurrent` is always true; nobody has support access, there is no maintenance window and no sign-in by OIDC.
 * `auditLogEnabledTimestamp` is when `auditLogEnabled` was last changed, in seconds since 1970; 0 for never.
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
  useAIBIUserInterface: z.boolean(),
});
/** Settings of the account. */
export type TenantSettings = z.infer<typeof TenantSettings>;

const common = { api: 'platform', path: '/api/v1/tenant/settings', access: 'admin' } as const;

/** Reads the settings of the account. */
export const getTenantSettings = operation({
  ...common,
  id: 'getTenantSettings',
  method: 'GET',
  response: TenantSettings,
  errors: {},
});

/** Changes settings of the account: what is left out stays, and null gives a setting its default again. */
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
        .check(z.regex(/^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/i, 'must be a day of the week, like Sunday')),
    ),
    maintenanceWindowEnabled: optional(z.boolean()),
    maintenanceWindowTime: optional(
      z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, like 03:00')),
    ),
    oidcEnabled: optional(z.boolean()),
    useAIBIUserInterface: optional(z.boolean()),
  }),
  response: TenantSettings,
  errors: {},
});
