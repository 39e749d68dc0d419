import { serviceUrl } from '../client/address.js';
import { PaError, PaErrorCode } from '../client/errors.js';

/**
 * Checks who calls the platform, before anything is sent.
 * @throws {PaError} `invalid_options`: in a browser, without a key, or with an address that is none.
 */
export function checkCaller(what: string, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }): void {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') {
    throw new PaError(
      PaErrorCode.invalidOptions,
      `${what} runs on a server: in a browser everyone could read the API key.`,
    );
  }
  if (typeof apiKey !== 'string' || apiKey.trim() === '') {
    throw new PaError(PaErrorCode.invalidOptions, 'Set apiKey to an admin API key of the platform.');
  }
  serviceUrl(baseUrl, '/');
}
