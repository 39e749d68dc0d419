import type { PaError } from '../client/errors.js';

/**
 * Says on the server, as a warning of its process, what a page is not told: why something failed. No error holds a key or a token.
 * @param what - what came to nothing, as the beginning of a sentence.
 */
export function warnOf(what: string): (error: PaError) => void {
  return ({ code, message, requestId }) => {
    const request = requestId === null ? '' : ` (request ${requestId})`;
    process.emitWarning(`${what}: ${message}${request}`, { code });
  };
}
