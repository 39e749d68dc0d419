import { isTransient, PaError } from '../client/errors.js';
import type { EmbedGrant } from '../contract/embed-grant.js';
import { createEmbedSession, type EmbedSessionOptions } from './create-embed-session.js';
import { failureWarning, isCrossSite, json, problem } from './page-responses.js';

/** How sessions are minted, and for whom. */
export interface EmbedSessionHandlerOptions<Context extends unknown[]> extends Omit<EmbedSessionOptions, 'signal'> {
  /**
   * Who asks, by your own sign-in, and what they may see; null if nobody is signed in. Whatever the framework hands over beside
   * the request (Express' own request, Hono's context) comes after it. What it throws is for the framework to handle.
   */
  readonly grantFor: (
    request: Request,
    ...context: Context
  ) => EmbedGrant | null | undefined | Promise<EmbedGrant | null | undefined>;
  /** Told of every session that could not be minted: the page gets the code alone. By default it is a warning of the process. */
  readonly onError?: (error: PaError) => void;
}

/**
 * What the page's `session-url` leads to: a Fetch-API handler that mints a session for whoever `grantFor` finds signed in. POST only,
 * never cached, and refused to pages of other sites.
 */
export function embedSessionHandler<Context extends unknown[] = []>(
  options: EmbedSessionHandlerOptions<Context>,
): (request: Request, ...context: Context) => Promise<Response> {
  const { grantFor, onError = failureWarning('No embed session was created'), ...minting } = options;
  return async (request, ...context) => {
    if (request.method !== 'POST') return problem(405, 'Use POST.', { allow: 'POST' });
    if (isCrossSite(request)) return problem(403, 'Only pages of this site may ask for a session.');
    const grant = await grantFor(request, ...context);
    if (!grant) return problem(401, 'Sign in first.');
    try {
      return json(200, await createEmbedSession({ ...minting, signal: request.signal }, grant));
    } catch (error) {
      if (!(error instanceof PaError)) throw error;
      onError(error);
      const message = 'The session could not be created: the server of this page knows why.';
      return problem(isTransient(error) ? 503 : 500, message, {}, error.code);
    }
  };
}
