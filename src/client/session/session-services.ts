import { EmbedSession } from '../../contract/embed.js';
import { PaError, PaErrorCode } from '../errors.js';
import type { PlatformConnection } from '../http/connection.js';
import { exchangeSession } from '../operations/embed.js';
import { type EmbedToken, readEmbedToken } from './embed-token.js';
import { IdentityScope, type ScopeOptions } from './identity-scope.js';

// Services that a session needs after the host has responded, with its contract schemas. Lazy-loaded while the page
// waits for the host's response, so that loading them adds no delay.

/** Exchanges the session in the host's response for its embed token. */
export async function exchange(
  answer: unknown,
  connection: Omit<PlatformConnection, 'token'>,
  signal: AbortSignal,
): Promise<EmbedToken> {
  const session = EmbedSession.safeParse(answer);
  if (!session.success) {
    const message = 'The host must return a session as {"sessionId": "<32 lowercase hex digits>"}.';
    throw new PaError(PaErrorCode.invalidResponse, message);
  }
  return readEmbedToken(await exchangeSession(connection, session.data.sessionId, { signal }), connection.dialect);
}

/** Opens the scope of one identity. */
export function openScope(options: ScopeOptions): IdentityScope {
  return new IdentityScope(options);
}
