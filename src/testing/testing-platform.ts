import { exchangeSession } from '../contract/embed.js';
import type { EmbedGrant } from '../contract/embed-grant.js';
import { createEmbedSession } from '../node/create-embed-session.js';
import { createPlatform, type PlatformOptions } from '../platform/create-platform.js';

/** Options of a testing platform. By default, it has no model and no data, only content and sessions. */
export type TestingOptions = Pick<
  PlatformOptions,
  'modelDirectory' | 'sourcesDirectory' | 'dataSourceUrl' | 'dataSchema' | 'allowOrigins' | 'groups'
> & {
  /** Public URL if a test serves the platform on a port: `http://localhost:PORT`. */
  readonly publicUrl?: string;
};

/** The real platform for the duration of a test, on a temporary database and without a port. */
export interface TestingPlatform {
  /** Use it as `baseUrl` of clients and helpers, together with `fetch`. */
  readonly baseUrl: string;
  /** Admin API key. */
  readonly apiKey: string;
  /** Sends requests to this platform only. Pass it to clients and helpers instead of the global `fetch`. */
  readonly fetch: typeof fetch;
  /** Creates a one-time session, as `createEmbedSession` does, for deployment 1 by default. */
  createSession(grant: Partial<EmbedGrant>): Promise<{ sessionId: string }>;
  /** Returns the embed token of a new session, as a page has it after the exchange. */
  embedToken(grant: Partial<EmbedGrant>): Promise<string>;
  /** Closes the platform and deletes its data. */
  close(): Promise<void>;
}

/**
 * Starts a platform for the tests of a host. Takes about two seconds, so start one for all tests of a file. Requires
 * the packages of the platform (README, installation).
 * @throws {Error} if the platform cannot start. For an invalid model, the message lists every problem.
 */
export async function startTestingPlatform(options: TestingOptions = {}): Promise<TestingPlatform> {
  const apiKey = `pa_testing_${crypto.randomUUID()}`;
  const { publicUrl: baseUrl = 'http://localhost', ...others } = options;
  const platform = await createPlatform({ ...others, publicUrl: baseUrl, adminKey: apiKey });
  const reach: typeof fetch = (input, init) => platform.fetch(new Request(input, init));
  const createSession: TestingPlatform['createSession'] = grant =>
    createEmbedSession({ baseUrl, apiKey, fetch: reach }, { deploymentId: 1, ...grant });
  return {
    baseUrl,
    apiKey,
    fetch: reach,
    createSession,
    async embedToken(grant) {
      const { sessionId } = await createSession(grant);
      const headers = { 'content-type': 'application/json' };
      const { method, path, response } = exchangeSession;
      const answer = await reach(`${baseUrl}${path}`, { method, headers, body: JSON.stringify({ sessionId }) });
      return response.parse(await answer.json()).token;
    },
    async close() {
      await platform.drain();
      await platform.close();
    },
  };
}
