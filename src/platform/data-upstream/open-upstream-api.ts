import { Hono } from 'hono';
import { createCallerData } from '../data/caller-data.js';
import type { DataApi } from '../open-data.js';
import type { QueryLimits } from '../query-limits.js';
import { dataRoutes } from '../routes/data.js';
import { UpstreamClient } from './upstream-client.js';
import type { Upstream } from './upstream-options.js';
import { createUpstreamService } from './upstream-service.js';

/** What a Data API that is passed on is opened on. */
export interface UpstreamApiOptions {
  readonly upstream: Upstream;
  readonly limits: Pick<QueryLimits, 'queueLimit'>;
  /** Hears, in a sentence, what is wrong with the cluster. */
  readonly onProblem: (message: string) => void;
}

/** Requests that are under way at once: many of them do nothing but wait for the cluster. */
const concurrency = 256;
const times = { headMs: 60_000, silenceMs: 60_000 } as const;

/**
 * The Data API of a cluster, under our own tokens and checks. Nothing is asked of the cluster before a caller does: the platform
 * starts, and is ready, without it.
 */
export function openUpstreamApi({ upstream, limits, onProblem }: UpstreamApiOptions): DataApi {
  const { queueLimit = 1000 } = limits;
  const client = new UpstreamClient({ upstream, limits: { concurrency, queueLimit, ...times }, onProblem });
  const service = createUpstreamService(client);
  return {
    routes({ authenticate, ...seams }) {
      // Nothing is sent in the name of a caller whose session is still looked up.
      const routes = dataRoutes({ service, authenticate: request => authenticate(request), ...seams });
      return new Hono({ strict: false }).route('/', routes);
    },
    dataOf: context => createCallerData(service, context),
    // What is public there can't be told from what one caller may see: a report in SQL is drawn as it stands.
    convert: async () => null,
    publicModel: () => null,
    state: () => ({ ...client.stats, cacheBytes: 0, cacheEntries: 0, modelVersion: null }),
    close: async () => client.close(),
  };
}
