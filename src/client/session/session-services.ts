import { EmbedSession } from '../../contract/embed.js';
import { PaError, PaErrorCode } from '../errors.js';
import type { PlatformConnection } from '../http/connection.js';
import { exchangeSession } from '../operations/embed.js';
import { type EmbedToken, readEmbedToken } from './embed-token.js';
import { IdentityScope, type ScopeOptions } from './identity-scope.js';

// What a session needs once the host has answered, the contract's schemas with it: a chunk of its own, which loads while the host
// mints and so keeps nobody waiting.

/** Exchanges the session that a host's answer names for its embed token. */
export async function exchange(
  answer: unknown,
  connection: Omit<PlatformConnection, 'token'>,
  signal: AbortSignal,
): Promise<EmbedToken> {
  const session = EmbedSession.safeParse(answer);
  if (!session.success) {
    const message = 'The host must give a session as {"sessionId": "<32 lower-case hex digits>"}.';
    throw new PaError(PaErrorCode.invalidResponse, message);
  }
  return readEmbedToken(await exchangeSession(connection, session.data.sessionId, { signal }), connection.dialect);
}

/** Opens what is fetched and kept in the name of one identity. */
export function openScope(options: ScopeOptions): IdentityScope {
  return new IdentityScope(options);
}
