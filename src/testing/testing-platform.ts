import { exchangeSession } from '../contract/embed.js';
import type { EmbedGrant } from '../contract/embed-grant.js';
import { createEmbedSession } from '../node/create-embed-session.js';
import { createPlatform, type PlatformOptions } from '../platform/create-platform.js';

/** What a platform for tests is started on: by default no model and no data, so that content and sessions are all there is. */
export type TestingOptions = Pick<
  PlatformOptions,
  'modelDirectory' | 'sourcesDirectory' | 'dataSourceUrl' | 'dataSchema' | 'allowOrigins' | 'groups'
> & {
  /** Where the platform is reached when a test puts it on a port: `http://localhost:PORT`. */
  readonly publicUrl?: string;
};

/** A platform that lives as long as a test: the real one, on a database that is thrown away, without a port of its own. */
export interface TestingPlatform {
  /** For `baseUrl` of clients and helpers, together with `fetch`. */
  readonly baseUrl: string;
  /** Key of the admin. */
  readonly apiKey: string;
  /** Reaches this platform and nothing else: hand it to clients and helpers in place of the global one. */
  readonly fetch: typeof fetch;
  /** Mints a one-time session, as `createEmbedSession` does; deployment 1 unless the grant says otherwise. */
  createSession(grant: Partial<EmbedGrant>): Promise<{ sessionId: string }>;
  /** The embed token of a new session: what a page has after the exchange. */
  embedToken(grant: Partial<EmbedGrant>): Promise<string>;
  /** Gives everything back; nothing of it remains. */
  close(): Promise<void>;
}

/**
 * Starts a platform for the tests of a host: takes about two seconds, so one for all tests of a file is a good number. It needs the packages
 * of the platform (README, installation).
 * @throws Error that says in one sentence why it can't start; of a broken model, every place.
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
