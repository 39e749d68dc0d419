import * as appConfig from '../../contract/app-config.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** The account's configuration. */
export const getAppConfig: Endpoint<typeof appConfig.getAppConfig> = /* @__PURE__ */ endpoint(appConfig.getAppConfig);

/** Changes the account's configuration: what is left out stays, null gives a key its default again. */
export const updateAppConfig: Endpoint<typeof appConfig.updateAppConfig> = /* @__PURE__ */ endpoint(
  appConfig.updateAppConfig,
);
