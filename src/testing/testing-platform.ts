import { applyContent } from '../content/apply-content.js';
import { readContent } from '../content/read-content.js';
import { exchangeSession } from '../contract/embed.js';
import type { EmbedGrant } from '../contract/embed-grant.js';
import { createEmbedSession } from '../node/create-embed-session.js';
import type { Platform } from '../platform/create-platform.js';
import { explainMissingPackage } from '../platform/missing-package.js';
import type { PlatformOptions } from '../platform/platform-options.js';

/** Options of a testing platform. By default, it has no model and no data, only content and sessions. */
export type TestingOptions = Pick<
  PlatformOptions,
  'modelDirectory' | 'sourcesDirectory' | 'dataSourceUrl' | 'dataSchema' | 'allowOrigins' | 'groups'
> & {
  /** Public URL if a test serves the platform on a port: `http://localhost:PORT`. */
  readonly publicUrl?: string;
  /** Folder of `pa-platform apply`: dashboards and reports that exist when the platform has started. */
  readonly contentDirectory?: string;
};

/** Public ids of published dashboards, by slug: `dashboards.orders` is that of `workbooks/orders.yml`. */
export type DashboardIds = Readonly<Record<string, string>>;

/** The real platform for the duration of a test, on a temporary database and without a port. */
export interface TestingPlatform {
  /** Use it as `baseUrl` of clients and helpers, together with `fetch`. */
  readonly baseUrl: string;
  /** Admin API key. */
  readonly apiKey: string;
  /** Sends requests to this platform only. Pass it to clients and helpers instead of the global `fetch`. */
  readonly fetch: typeof fetch;
  /** Dashboards of `contentDirectory`; empty without it. */
  readonly dashboards: DashboardIds;
  /**
   * Creates and updates dashboards and reports from a folder, as `pa-platform apply` does. Embed tenants that the files
   * name must exist: create a session of each tenant first.
   * @throws {Error} if the content is invalid. The message lists every problem as `file:line: what to do`.
   */
  applyContent(directory: string): Promise<DashboardIds>;
  /** Creates a one-time session, as `createEmbedSession` does, for deployment 1 by default. */
  createSession(grant: Partial<EmbedGrant>): Promise<{ sessionId: string }>;
  /** Returns the embed token of a new session, as a page has it after the exchange. */
  embedToken(grant: Partial<EmbedGrant>): Promise<string>;
  /** Closes the platform and deletes its data. */
  close(): Promise<void>;
}

/**
 * Starts a platform for the tests of a host. Takes about two seconds, so start one for all tests of a file. Requires
 * the package `pa-embed-platform`.
 * @throws {Error} if the platform cannot start. For an invalid model or content, the message lists every problem.
 */
export async function startTestingPlatform(options: TestingOptions = {}): Promise<TestingPlatform> {
  const apiKey = `pa_testing_${crypto.randomUUID()}`;
  const { publicUrl: baseUrl = 'http://localhost', contentDirectory, ...others } = options;
  const platform = await openPlatform({ ...others, publicUrl: baseUrl, adminKey: apiKey });
  const reach: typeof fetch = (input, init) => platform.fetch(new Request(input, init));
  const close = async () => {
    await platform.drain();
    await platform.close();
  };
  const apply: TestingPlatform['applyContent'] = async directory => {
    const connection = { baseUrl, token: apiKey, fetch: reach };
    const target = { connection, deploymentId: 1, signal: new AbortController().signal };
    const { published } = await applyContent(await readContent(directory), target, {});
    return Object.fromEntries(published);
  };
  const createSession: TestingPlatform['createSession'] = grant =>
    createEmbedSession({ baseUrl, apiKey, fetch: reach }, { deploymentId: 1, ...grant });
  try {
    return {
      baseUrl,
      apiKey,
      fetch: reach,
      dashboards: contentDirectory === undefined ? {} : await apply(contentDirectory),
      applyContent: apply,
      createSession,
      async embedToken(grant) {
        const { sessionId } = await createSession(grant);
        const headers = { 'content-type': 'application/json' };
        const { method, path, response } = exchangeSession;
        const answer = await reach(`${baseUrl}${path}`, { method, headers, body: JSON.stringify({ sessionId }) });
        return response.parse(await answer.json()).token;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loads the platform on demand, so that this module can report which package is missing. */
async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { createPlatform } = await import('../platform/create-platform.js').catch((error: unknown) => {
    const message = explainMissingPackage(error);
    throw message === null ? error : new Error(message, { cause: error });
  });
  return createPlatform(options);
}
