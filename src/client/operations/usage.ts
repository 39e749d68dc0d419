import * as contract from '../../contract/usage-analytics.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Creates a token for the Data API over the platform's own usage. */
export const createUsageAnalyticsToken: Endpoint<typeof contract.createUsageAnalyticsToken> = /* @__PURE__ */ endpoint(
  contract.createUsageAnalyticsToken,
);

/** Lists requests to the Data API, newest first, one page at a time. This operation is an extension. */
export const listQueryLog: Endpoint<typeof contract.getQueryLog> = /* @__PURE__ */ endpoint(contract.getQueryLog);
