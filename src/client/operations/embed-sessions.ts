import * as grants from '../../contract/embed-grant.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/**
 * Creates a one-time embed session with an admin key. Only for pages whose viewer enters the key; host back ends use
 * `createEmbedSession` of `pa-embed/node`, which also validates the grant.
 */
export const generateSession: Endpoint<typeof grants.generateSession> = /* @__PURE__ */ endpoint(
  grants.generateSession,
);
