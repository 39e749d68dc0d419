import { isTransient, PaError } from '../client/errors.js';
import type { EmbedGrant } from '../contract/embed-grant.js';
import { createEmbedSession, type EmbedSessionOptions } from './create-embed-session.js';
import { failureWarning, isCrossSite, json, problem } from './page-responses.js';

/** Options of the session handler: how sessions are created, and for which user. */
export interface EmbedSessionHandlerOptions<Context extends unknown[]> extends Omit<EmbedSessionOptions, 'signal'> {
  /**
   * Identifies the user with your own sign-in and returns what the user may see; `null` if no user is signed in.
   * Receives the framework's own arguments (such as Express' request or Hono's context) after the request. Errors that
   * it throws are passed to the framework.
   */
  readonly grantFor: (
    request: Request,
    ...context: Context
  ) => EmbedGrant | null | undefined | Promise<EmbedGrant | null | undefined>;
  /**
   * Called for every session that could not be created; the page only receives the error code. By default, emits a
   * process warning.
   */
  readonly onError?: (error: PaError) => void;
}

/**
 * Returns a Fetch API handler for the page's `session-url`. It creates a session for the user that `grantFor`
 * identifies. Accepts only POST, disables caching and rejects requests from other sites.
 */
export function embedSessionHandler<Context extends unknown[] = []>(
  options: EmbedSessionHandlerOptions<Context>,
): (request: Request, ...context: Context) => Promise<Response> {
  const { grantFor, onError = failureWarning('No embed session was created'), ...minting } = options;
  return async (request, ...context) => {
    if (request.method !== 'POST') return problem(405, 'Use POST.', { allow: 'POST' });
    if (isCrossSite(request)) return problem(403, 'Requests from other sites are not allowed.');
    const grant = await grantFor(request, ...context);
    if (!grant) return problem(401, 'Sign in first.');
    try {
      return json(200, await createEmbedSession({ ...minting, signal: request.signal }, grant));
    } catch (error) {
      if (!(error instanceof PaError)) throw error;
      onError(error);
      const message = 'The session could not be created. See the server log.';
      return problem(isTransient(error) ? 503 : 500, message, {}, error.code);
    }
  };
}
