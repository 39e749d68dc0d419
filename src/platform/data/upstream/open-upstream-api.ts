import { Hono } from 'hono';
import * as z from 'zod/mini';
import { MetaResponse } from '../../../contract/meta.js';
import { JsonObject, optional } from '../../../contract/wire.js';
import { pollUntilReady } from '../answers/continue-wait.js';
import { createCallerData } from '../caller-data.js';
import { createCallerSql } from '../caller-sql.js';
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
 * Forwards the Data API to a cluster. The routes parse the requests of callers, and new requests are built from the
 * parsed values, so nothing outside the Data API reaches the cluster.
 */
export function createUpstreamService(client: UpstreamClient): DataAnswers {
  return {
    load: (body, context, options) => client.send({ method: 'POST', path: '/v1/load', body }, context, options),
    async dryRun(query, context, options) {
      const call = { method: 'POST', path: '/v1/dry-run', body: { query } } as const;
      return client.sendAndRead(JsonObject, call, context, options);
    },
    async meta(context, { onlyViews = false, ...options }) {
      const path = onlyViews ? '/v1/meta?onlyViews=true' : '/v1/meta';
      return client.sendAndRead(MetaResponse, { method: 'GET', path }, context, options);
    },
    sql(request, context, options) {
      const body = { ...request, throwContinueWait: true };
      const send = () => client.send({ method: 'POST', path: '/v1/cubesql', body }, context, options);
      // Repeat the request for callers that do not accept `Continue wait`, because each request to the cluster ends
      // after a short wait.
      return request.throwContinueWait ? send() : pollUntilReady(send, options.signal ?? new AbortController().signal);
    },
    async generatedSql(query, context, options) {
      const call = { method: 'POST', path: '/v1/sql', body: { query } } as const;
      return client.sendAndRead(GeneratedSql, call, context, options);
    },
    async convertSql(query, context, options) {
      const call = {
        method: 'POST',
        path: '/v1/convert-query',
        body: { input: 'sql', output: 'rest', query },
      } as const;
      const { error, ...answer } = await client.sendAndRead(ConvertedQuery, call, context, options);
      return error ? { ...answer, error: plainMessage(error) } : answer;
    },
  };
}

/** Options for opening a forwarded Data API. */
export interface UpstreamApiOptions {
  readonly upstream: Upstream;
  readonly limits: Pick<QueryLimits, 'queueLimit'>;
  /** Called with a description of a problem with the cluster. */
  readonly onProblem: (message: string) => void;
}

/** Maximum number of concurrent requests. Most of them only wait for the cluster. */
const concurrency = 256;
const times = { headMs: 60_000, silenceMs: 60_000 } as const;

/**
 * Opens a Data API that forwards to a cluster after authenticating callers with the platform's tokens. The first
 * request of a caller contacts the cluster, so the platform can start without it.
 */
export function openUpstreamApi({ upstream, limits, onProblem }: UpstreamApiOptions): DataApi {
  const { queueLimit = 1000 } = limits;
  const client = new UpstreamClient({ upstream, limits: { concurrency, queueLimit, ...times }, onProblem });
  const service = createUpstreamService(client);
  return {
    routes({ authenticate, ...hooks }) {
      // Wait for the session lookup, so that nothing is sent on behalf of an unconfirmed caller.
      const routes = dataRoutes({ service, authenticate: request => authenticate(request), ...hooks });
      return new Hono({ strict: false }).route('/', routes);
    },
    dataOf: context => createCallerData(service, context),
    sqlOf: context => createCallerSql(service, context),
    // The public part of the cluster's model is unknown, so reports in SQL are not converted to load queries.
    convert: async () => null,
    publicModel: () => null,
    state: () => ({ ...client.stats, cacheBytes: 0, cacheEntries: 0, modelVersion: null }),
    close: async () => client.close(),
  };
}
