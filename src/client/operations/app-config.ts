import * as appConfig from '../../contract/app-config.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Returns the account's configuration. */
export const getAppConfig: Endpoint<typeof appConfig.getAppConfig> = /* @__PURE__ */ endpoint(appConfig.getAppConfig);

/** Updates the account's configuration. Omitted keys stay unchanged; `null` restores a default. */
export const updateAppConfig: Endpoint<typeof appConfig.updateAppConfig> = /* @__PURE__ */ endpoint(
  appConfig.updateAppConfig,
);
