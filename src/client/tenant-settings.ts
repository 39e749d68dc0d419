import type { BodyOf } from '../contract/operation.js';
import * as settings from '../contract/tenant-settings.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** The settings of the account. */
export function getTenantSettings(
  connection: PlatformConnection,
  options?: RequestOptions,
): Promise<settings.TenantSettings> {
  return call(settings.getTenantSettings, connection, {}, options);
}

/** Changes settings of the account: what is left out stays, null gives a setting its default again. */
export function updateTenantSettings(
  connection: PlatformConnection,
  body: BodyOf<typeof settings.updateTenantSettings>,
  options?: RequestOptions,
): Promise<settings.TenantSettings> {
  return call(settings.updateTenantSettings, connection, { body }, options);
}
