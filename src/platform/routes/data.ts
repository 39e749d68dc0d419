import { type Context, Hono } from 'hono';
import { type LoadResponse, load, meta } from '../../contract/data.js';
import type { LoadRequest } from '../../contract/query.js';
import type { DataService } from '../data/data-service.js';
import { readLoadParameters, readLoadRequest } from '../data/load-request.js';
import type { SecurityContext } from '../data/semantic-model.js';
import { PlatformError } from '../errors.js';
import { readBody } from '../read-body.js';
import { readRequestId } from '../request-id.js';

/** What the routes of the Data API need. */
export interface DataRoutesOptions {
  readonly service: DataService;
  /** Reads the data token of a request; throws PlatformError 403. */
  readonly authenticate: (request: Request) => Promise<SecurityContext>;
  /** Hears of every failure that is not the caller's doing; the answer is a 500 without details. */
  readonly onFailure?: (error: unknown, requestId: string) => void;
}

const maxBodyBytes = 256 * 1024;
/** How a query is asked for; the second is what clients send that take several queries in one request. */
const QueryType = { regular: 'regularQuery', multi: 'multi' } as const;

type Env = { Variables: { requestId: string } };

/**
 * The Data API of one deployment (spec 4.5, domain.md 3): `POST` and `GET /v1/load`, `GET /v1/meta`. Every answer carries an
 * `x-request-id`; errors are `{error, requestId}`.
 */
export function dataRoutes({ service, authenticate, onFailure }: DataRoutesOptions): Hono<Env> {
  const app = new Hono<Env>({ strict: false });

  const answer = async (context: Context<Env>, caller: SecurityContext, request: LoadRequest) => {
    const requestId = context.var.requestId;
    const { cache, queryType } = request;
    checkQueryType(queryType);
    const response = await service.load(request.query, caller, {
      requestId,
      signal: context.req.raw.signal,
      ...(cache && { cache }),
    });
    return context.json(queryType === QueryType.multi ? inMultiShape(response) : response);
  };

  app.use(async (context, next) => {
    context.set('requestId', readRequestId(context.req.header('x-request-id')));
    await next();
    context.header('x-request-id', context.var.requestId);
  });
  app.post(load.path, async context => {
    const caller = await authenticate(context.req.raw);
    return answer(context, caller, readLoadRequest(await readBody(context.req.raw, maxBodyBytes)));
  });
  app.get(load.path, async context => {
    const caller = await authenticate(context.req.raw);
    if (context.req.url.length > maxBodyBytes) refuseSize();
    return answer(context, caller, readLoadParameters(new URL(context.req.url).searchParams));
  });
  app.get(meta.path, async context => context.json(service.meta(await authenticate(context.req.raw))));

  app.all('*', async context => {
    await authenticate(context.req.raw);
    throw new PlatformError(404, 'The Data API has no such path.');
  });
  app.onError((error, context) => {
    if (!(error instanceof PlatformError)) onFailure?.(error, context.var.requestId);
    return errorAnswer(context, error);
  });
  return app;
}

function checkQueryType(queryType: string | undefined): void {
  if (queryType === undefined || queryType === QueryType.regular || queryType === QueryType.multi) return;
  throw new PlatformError(400, 'queryType: only "regularQuery" and "multi" are supported.');
}

/** The answer to one query, as clients read it that can send several. */
function inMultiShape(response: LoadResponse) {
  return {
    queryType: QueryType.regular,
    results: [response],
    pivotQuery: { ...response.query, queryType: QueryType.regular },
    slowQuery: false,
  };
}

function refuseSize(): never {
  throw new PlatformError(413, `The query is too large: ${maxBodyBytes / 1024} KB is the most.`);
}

function errorAnswer(context: Context<Env>, error: unknown): Response {
  const { requestId } = context.var;
  const known = error instanceof PlatformError ? error : new PlatformError(500, 'Internal error.');
  return Response.json(
    { error: known.message, requestId },
    {
      status: known.status,
      headers: { 'x-request-id': requestId, ...(known.status === 503 && { 'retry-after': '1' }) },
    },
  );
}
