import type { Hono } from 'hono';
import { getTenantSettings, type TenantSettings, updateTenantSettings } from '../../contract/tenant-settings.js';
import type { JsonObject } from '../../contract/wire.js';
import { merged } from '../merge.js';
import { changeTenantSettings, tenantSettings } from '../store/accounts.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';
import { write } from './write.js';

const defaults: TenantSettings = {
  auditLogEnabled: true,
  auditLogEnabledCurrent: true,
  auditLogEnabledTimestamp: 0,
  hasSupportAccess: false,
  maintenanceWindowDay: 'Sunday',
  maintenanceWindowEnabled: false,
  maintenanceWindowTime: '03:00',
  oidcEnabled: false,
  useAIBIUserInterface: true,
};

/** Settings of the account (operations.md, Tenant Settings): a record of what an administrator wants. */
export function mountTenantSettings(app: Hono, deps: PlatformRoutesDeps): void {
  serve(app, getTenantSettings, deps, async () => show(await tenantSettings(deps.db)));

  write(app, updateTenantSettings, deps, async ({ body }, tx) =>
    show(
      await changeTenantSettings(tx, stored => {
        const changed = merged(stored, body);
        if (show(changed).auditLogEnabled === show(stored).auditLogEnabled) return changed;
        return { ...changed, auditLogEnabledTimestamp: Math.floor(Date.now() / 1000) };
      }),
    ),
  );
}

function show(stored: JsonObject): TenantSettings {
  return { ...defaults, ...stored };
}
