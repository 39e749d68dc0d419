import * as appConfig from '../contract/app-config.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** The account's configuration. */
export function getAppConfig(connection: PlatformConnection, options?: RequestOptions): Promise<appConfig.AppConfig> {
  return call(appConfig.getAppConfig, connection, {}, options);
}
