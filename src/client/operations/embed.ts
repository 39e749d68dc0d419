import type { Dashboard } from '../../contract/dashboards.js';
import * as embed from '../../contract/embed.js';
import { LenientDashboard } from '../../contract/lenient-dashboard.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import { type RequestOptions, request } from '../http/request.js';

/** Exchanges a one-time session id for its embed token. The id is the credential, and used up by success. */
export async function exchangeSession(
  connection: Omit<PlatformConnection, 'token'>,
  sessionId: string,
  options: RequestOptions = {},
): Promise<string> {
  const { token } = await request(embed.exchangeSession, {
    baseUrl: connection.baseUrl,
    body: { sessionId },
    fetch: connection.fetch,
    dialect: connection.dialect,
    timeoutMs: options.timeoutMs ?? connection.timeoutMs,
    signal: options.signal,
    requestId: options.requestId ?? connection.newRequestId?.(),
  });
  return token;
}

/** Revokes a session before or after its exchange; needs an admin key. */
export function revokeSession(
  connection: PlatformConnection,
  sessionId: string,
  options?: RequestOptions,
): Promise<void> {
  return call(embed.revokeSession, connection, { body: { sessionId } }, options);
}

/**
 * A published dashboard with its frozen report snapshots; 404 where it is not visible, 403 where embedding is off. What of a widget or a
 * report is not as the contract says is left out.
 */
export function getDashboard(
  connection: PlatformConnection,
  publicId: string,
  options?: RequestOptions,
): Promise<Dashboard> {
  const strict = embed.getDashboard;
  // What is broken of a widget costs that widget alone.
  const lenient = { ...strict, response: LenientDashboard };
  return call(lenient, connection, { params: { publicId } }, options);
}

/** Allows or refuses embedding of a published dashboard; needs the admin role. */
export const updateDashboardEmbedding: Endpoint<typeof embed.updateDashboardEmbedding, 'publicId'> =
  /* @__PURE__ */ endpoint(embed.updateDashboardEmbedding, 'publicId');
