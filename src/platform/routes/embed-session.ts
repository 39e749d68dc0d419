import type { Hono } from 'hono';
import { exchangeSession, revokeSession } from '../../contract/embed.js';
import { generateSession } from '../../contract/embed-grant.js';
import { PlatformError } from '../errors.js';
import { requestIdOf } from '../request-id.js';
import * as sessions from '../store/sessions.js';
import { requireManager } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { sessionTaker } from './exchange-session.js';
import { sessionMinter } from './mint-session.js';
import { serve } from './serve.js';
import { write } from './write.js';

/**
 * Embed sessions: minted by a host's back end, exchanged once by a page, revoked by the host (domain facts 1.1 to 1.3). The audit log
 * tells of each, and holds no session's id.
 */
export function mountEmbedSessions(app: Hono, deps: PlatformRoutesDeps): void {
  const { db, tokens } = deps;
  const mintSession = sessionMinter(db);
  const takeSession = sessionTaker(db);

  serve(app, generateSession, deps, async ({ body, principal, request }) => {
    requireManager(principal);
    const minting = { operation: generateSession.id, principal, requestId: requestIdOf(request) };
    return { sessionId: await mintSession(body, minting) };
  });

  serve(app, exchangeSession, deps, async ({ body, request }) => {
    const sessionKey = sessions.sessionKeyOf(body.sessionId);
    const claims = await takeSession({ sessionKey, requestId: requestIdOf(request) });
    if (!claims) throw new PlatformError(401, 'The session is unknown, used or expired: mint a new one.');
    return { token: await tokens.signEmbedToken({ ...claims, sessionKey }) };
  });

  write(app, revokeSession, deps, async ({ body, principal }, tx) => {
    requireManager(principal);
    await sessions.revokeSession(tx, sessions.sessionKeyOf(body.sessionId));
    return undefined;
  });
}
