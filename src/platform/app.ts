import { STATUS_CODES } from 'node:http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { DataErrorBody, PlatformErrorBody } from '../contract/error.js';
import { PlatformError } from './errors.js';
import type { RenderedMetrics } from './metrics.js';
import type { Authenticate } from './mount.js';
import { problemOf } from './problem-of.js';
import { hostsOf } from './public-url.js';
import { readRequestId } from './request-id.js';

/** What the platform's HTTP side is put together from. */
export interface AppOptions {
  /** Where the platform is reached; no other `Host` is answered. */
  readonly publicUrl: URL;
  /** Origins whose pages may call; none by default, never `*`. */
  readonly allowOrigins: readonly string[];
  /** Base path of the Data API. */
  readonly dataApiPath: string;
  readonly authenticate: Authenticate;
  readonly platformRoutes: Hono;
  readonly dataRoutes: Hono;
  /** Hears of every failure that is not the caller's doing; the answer is a 500 without details. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * The platform's one Hono app: what holds for every request stands here, everything else in the routes. Paths work with and
 * without a trailing slash, and no path tells a stranger whether it exists.
 */
export function createApp(options: AppOptions): Hono {
  const { authenticate, dataApiPath, onFailure } = options;
  const app = new Hono({ strict: false });
  const isData = (context: Context) =>
    context.req.path === dataApiPath || context.req.path.startsWith(`${dataApiPath}/`);

  app.use(
    setHeaders,
    cors({
      origin: [...options.allowOrigins],
      allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowHeaders: ['authorization', 'content-type', 'x-request-id'],
      exposeHeaders: ['x-request-id', 'retry-after'],
      maxAge: 7200,
    }),
    refuseOtherHosts(hostsOf(options.publicUrl)),
  );
  app.route(dataApiPath, options.dataRoutes);
  app.route('/', options.platformRoutes);
  app.all('*', async context => {
    await authenticate(context.req.raw);
    throw new PlatformError(404, 'There is no such operation.');
  });
  app.onError((error, context) => {
    if (!(error instanceof PlatformError)) onFailure(error, context.res.headers.get('x-request-id') ?? '');
    const problem = problemOf(error);
    const { status } = problem;
    return Response.json(isData(context) ? dataBody(problem) : platformBody(problem), {
      status,
      headers: status === 503 ? { 'retry-after': '1' } : {},
    });
  });
  return app;
}

/**
 * Whether the process lives, and whether it can serve: for an orchestrator, on a listener of its own.
 * @param render - what `/metrics` answers; without it there is no such path.
 */
export function createOpsApp(isReady: () => Promise<boolean>, render?: () => Promise<RenderedMetrics>): Hono {
  const app = new Hono({ strict: false });
  app.get('/livez', context => context.json({ status: 'ok' }));
  app.get('/readyz', async context => {
    const ready = await isReady();
    return context.json({ status: ready ? 'ok' : 'unavailable' }, ready ? 200 : 503);
  });
  if (render) {
    app.get('/metrics', async context => {
      const { contentType, text } = await render();
      return context.body(text, 200, { 'content-type': contentType });
    });
  }
  return app;
}

function platformBody({ status, message, code }: PlatformError): PlatformErrorBody {
  const error = STATUS_CODES[status] ?? 'Error';
  return code === undefined ? { statusCode: status, message, error } : { statusCode: status, message, error, code };
}

function dataBody({ message }: PlatformError): DataErrorBody {
  return { error: message };
}

/** Answers hold tokens or a tenant's data, so nothing may keep them. They are set first, so that errors carry them too. */
const setHeaders: MiddlewareHandler = async (context, next) => {
  context.header('x-request-id', readRequestId(context.req.header('x-request-id')));
  context.header('cache-control', 'no-store');
  context.header('x-content-type-options', 'nosniff');
  await next();
};

/** A page that rebinds its own name to our address would otherwise be of our origin. */
function refuseOtherHosts(hosts: ReadonlySet<string>): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? new URL(context.req.url).host;
    if (!hosts.has(host.toLowerCase())) {
      throw new PlatformError(421, 'This host name is not served here: call the platform under its public URL.');
    }
    await next();
  };
}
