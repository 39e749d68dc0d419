import * as appConfig from '../../contract/app-config.js';
import type { BodyOf } from '../../contract/operation.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** The account's configuration. */
export function getAppConfig(connection: PlatformConnection, options?: RequestOptions): Promise<appConfig.AppConfig> {
  return call(appConfig.getAppConfig, connection, {}, options);
}

/** Changes the account's configuration: what is left out stays, null gives a key its default again. */
export function updateAppConfig(
  connection: PlatformConnection,
  body: BodyOf<typeof appConfig.updateAppConfig>,
  options?: RequestOptions,
): Promise<appConfig.AppConfig> {
  return call(appConfig.updateAppConfig, connection, { body }, options);
}
