import type { Hono } from 'hono';
import { exchangeSession, revokeSession } from '../../contract/embed.js';
import { generateSession } from '../../contract/embed-grant.js';
import { PlatformError } from '../errors.js';
import * as sessions from '../store/sessions.js';
import { requireManager } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { mintSession } from './mint-session.js';
import { serve } from './serve.js';

/** Embed sessions: minted by a host's back end, exchanged once by a page, revoked by the host (domain facts 1.1 to 1.3). */
export function mountEmbedSessions(app: Hono, deps: PlatformRoutesDeps): void {
  const { db, tokens } = deps;

  serve(app, generateSession, deps, async ({ body, principal }) => {
    requireManager(principal);
    return { sessionId: await mintSession(db, body) };
  });

  serve(app, exchangeSession, deps, async ({ body }) => {
    const sessionKey = sessions.sessionKeyOf(body.sessionId);
    const claims = await sessions.takeSession(db, sessionKey);
    if (!claims) throw new PlatformError(401, 'The session is unknown, used or expired: mint a new one.');
    return { token: await tokens.signEmbedToken({ ...claims, sessionKey }) };
  });

  serve(app, revokeSession, deps, async ({ body, principal }) => {
    requireManager(principal);
    await sessions.revokeSession(db, sessions.sessionKeyOf(body.sessionId));
    return undefined;
  });
}
