import * as z from 'zod/mini';
import { MetaResponse } from '../../contract/meta.js';
import { JsonObject, optional } from '../../contract/wire.js';
import type { DataAnswers } from '../data/data-service.js';
import { patiently } from '../data/patiently.js';
import { plain } from './refusal.js';
import type { UpstreamClient } from './upstream-client.js';

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
      return request.throwContinueWait ? ask() : patiently(ask, options.signal ?? new AbortController().signal);
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
      return error ? { ...answer, error: plain(error) } : answer;
    },
  };
}
