import { PaError } from './errors.js';
import type { SessionSource } from './session-status.js';

export * from './session-status.js';

/** Where a session comes from and which services it speaks to. */
export interface SessionSourceOptions {
  /** Address of the platform, HTTPS unless on loopback. */
  readonly baseUrl: string;
  /** Path of the Data API below the deployment's address. */
  readonly dataApiPath?: string;
  /** Address on the host's own server that mints a session: POST, answers `{sessionId}`. */
  readonly sessionUrl?: string;
  /** In its place, a function that returns a session id. */
  readonly session?: () => Promise<string>;
  /** The `fetch` to use, where it is not the global one. */
  readonly fetch?: typeof fetch;
}

/** Makes the session of a page. Nothing is sent before `start()`. */
export function createSessionSource(_options: SessionSourceOptions): SessionSource {
  throw new PaError('invalid_options', 'not yet');
}
