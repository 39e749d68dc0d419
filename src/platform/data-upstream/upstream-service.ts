import * as z from 'zod/mini';
import { MetaResponse } from '../../contract/data.js';
import { JsonObject, optional } from '../../contract/wire.js';
import { textOf } from '../data/answer-body.js';
import type { DataAnswers } from '../data/data-service.js';
import type { AnswerOptions } from '../data/loads.js';
import { patiently } from '../data/patiently.js';
import type { SecurityContext } from '../data/semantic-model.js';
import { PlatformError } from '../errors.js';
import { plain } from './refusal.js';
import type { UpstreamCall, UpstreamClient } from './upstream-client.js';

/** Bytes of an answer that is read as a whole. */
const maxWholeBytes = 32 * 1024 * 1024;

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
      return read(JsonObject, await wholeOf(client, call, context, options));
    },
    async meta(context, { onlyViews = false, ...options }) {
      const path = onlyViews ? '/v1/meta?onlyViews=true' : '/v1/meta';
      return read(MetaResponse, await wholeOf(client, { method: 'GET', path }, context, options));
    },
    sql(request, context, options) {
      const body = { ...request, throwContinueWait: true };
      const ask = () => client.ask({ method: 'POST', path: '/v1/cubesql', body }, context, options);
      // Who doesn't want to be told to wait, waits here: no request to a cluster is open for long without an answer.
      return request.throwContinueWait ? ask() : patiently(ask, options.signal ?? new AbortController().signal);
    },
    async generatedSql(query, context, options) {
      const call = { method: 'POST', path: '/v1/sql', body: { query } } as const;
      return read(GeneratedSql, await wholeOf(client, call, context, options));
    },
    async convertSql(query, context, options) {
      const call = {
        method: 'POST',
        path: '/v1/convert-query',
        body: { input: 'sql', output: 'rest', query },
      } as const;
      const { error, ...answer } = read(ConvertedQuery, await wholeOf(client, call, context, options));
      return error ? { ...answer, error: plain(error) } : answer;
    },
  };
}

async function wholeOf(
  client: UpstreamClient,
  call: UpstreamCall,
  context: SecurityContext,
  options: AnswerOptions,
): Promise<string> {
  return textOf(await client.ask(call, context, options), maxWholeBytes);
}

function read<S extends z.ZodMiniType>(schema: S, text: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw new PlatformError(502, "The data service's answer can't be read.");
}
