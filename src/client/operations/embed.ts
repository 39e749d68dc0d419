import type { Dashboard } from '../../contract/dashboards.js';
import * as embed from '../../contract/embed.js';
import { LenientDashboard } from '../../contract/lenient-dashboard.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import { type RequestOptions, request } from '../http/request.js';

/** Exchanges a one-time session id for its embed token. The id is the credential; a successful exchange consumes it. */
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

/** Revokes a session before or after its exchange. Requires an admin key. */
export function revokeSession(
  connection: PlatformConnection,
  sessionId: string,
  options?: RequestOptions,
): Promise<void> {
  return call(embed.revokeSession, connection, { body: { sessionId } }, options);
}

/**
 * Returns a published dashboard with its frozen report snapshots. Parts of widgets and reports that do not match the
 * contract are dropped.
 * @throws {PaError} 404 if the dashboard is not visible, 403 if embedding is disabled.
 */
export function getDashboard(
  connection: PlatformConnection,
  publicId: string,
  options?: RequestOptions,
): Promise<Dashboard> {
  const strict = embed.getDashboard;
  // An invalid widget must not fail the whole dashboard.
  const lenient = { ...strict, response: LenientDashboard };
  return call(lenient, connection, { params: { publicId } }, options);
}

/** Enables or disables embedding of a published dashboard. Requires the admin role. */
export const updateDashboardEmbedding: Endpoint<typeof embed.updateDashboardEmbedding, 'publicId'> =
  /* @__PURE__ */ endpoint(embed.updateDashboardEmbedding, 'publicId');

/** Runs the Python code of a published report. The platform of this package runs no Python and returns 403. */
export const runDashboardPython: Endpoint<typeof embed.runDashboardPython, 'publicId'> = /* @__PURE__ */ endpoint(
  embed.runDashboardPython,
  'publicId',
);
