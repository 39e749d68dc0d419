import { Hono } from 'hono';
import * as z from 'zod/mini';
import { MetaResponse } from '../../../contract/meta.js';
import { JsonObject, optional } from '../../../contract/wire.js';
import { pollUntilReady } from '../answers/continue-wait.js';
import { createCallerData } from '../caller-data.js';
import { dataRoutes } from '../data-routes.js';
import type { DataAnswers } from '../data-service.js';
import type { DataApi } from '../open-data.js';
import type { QueryLimits } from '../query-limits.js';
import { plainMessage } from './upstream-answer.js';
import { UpstreamClient } from './upstream-client.js';
import type { Upstream } from './upstream-options.js';

const GeneratedSql = z.union([JsonObject, z.array(JsonObject)]);
const ConvertedQuery = z.object({ status: z.string(), query: optional(JsonObject), error: optional(z.string()) });

/**
 * The Data API of a cluster. The routes have read what callers send, and it is written anew from what they read: nothing reaches a
 * cluster that isn't of the Data API.
 */
export function createUpstreamService(client: UpstreamClient): DataAnswers {
  return {
    load: (body, context, options) => client.ask({ method: 'POST', path: '/v1/load', body }, context, options),
    async dryRun(query, context, options) {
      const call = { method: 'POST', path: '/v1/dry-run', body: { query } } as const;
      return client.askFor(JsonObject, call, context, options);
    },
    async meta(context, { onlyViews = false, ...options }) {
      const path = onlyViews ? '/v1/meta?onlyViews=true' : '/v1/meta';
      return client.askFor(MetaResponse, { method: 'GET', path }, context, options);
    },
    sql(request, context, options) {
      const body = { ...request, throwContinueWait: true };
      const ask = () => client.ask({ method: 'POST', path: '/v1/cubesql', body }, context, options);
      // Who doesn't want to be told to wait, waits here: no request to a cluster is open for long without an answer.
      return request.throwContinueWait ? ask() : pollUntilReady(ask, options.signal ?? new AbortController().signal);
    },
    async generatedSql(query, context, options) {
      const call = { method: 'POST', path: '/v1/sql', body: { query } } as const;
      return client.askFor(GeneratedSql, call, context, options);
    },
    async convertSql(query, context, options) {
      const call = {
        method: 'POST',
        path: '/v1/convert-query',
        body: { input: 'sql', output: 'rest', query },
      } as const;
      const { error, ...answer } = await client.askFor(ConvertedQuery, call, context, options);
      return error ? { ...answer, error: plainMessage(error) } : answer;
    },
  };
}

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
