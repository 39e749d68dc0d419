import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { DataErrorBody } from '../contract/error.js';
import type { Authenticate } from './auth/authenticate.js';
import { PlatformError } from './errors.js';
import { errorBody, statusOf, toPlatformError } from './http/error-response.js';
import type { LimitProblems } from './http/limit-requests.js';
import { hostsOf } from './http/public-url.js';
import { type RequestIdEnv, type RequestOrigin, readRequestId } from './http/request-id.js';
import type { RenderedMetrics } from './metrics.js';

const methods = 'GET,POST,PUT,PATCH,DELETE';
const requestHeaders = 'accept,authorization,content-type,last-event-id,x-platform-auth-token,x-request-id';
const answerHeaders = 'x-request-id,retry-after';
const maxAgeSeconds = '7200';

/**
 * Lets pages of these origins call (Fetch standard, CORS protocol); never with cookies. Headers are set before there is
 * an answer: Hono's own middleware takes the answer apart again, which would be a third of the time of one that is at
 * hand.
 */
function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  const allowed = new Set(origins);
  return async (context, next) => {
    const origin = context.req.header('origin') ?? '';
    const isAllowed = allowed.has(origin);
    context.header('vary', 'Origin');
    if (isAllowed) context.header('access-control-allow-origin', origin);
    if (context.req.method !== 'OPTIONS') {
      if (isAllowed) context.header('access-control-expose-headers', answerHeaders);
      return next();
    }
    if (isAllowed) {
      context.header('access-control-allow-methods', methods);
      context.header('access-control-allow-headers', requestHeaders);
      context.header('access-control-max-age', maxAgeSeconds);
    }
    return context.body(null, 204);
  };
}

/** What the platform's HTTP side is put together from. */
interface AppOptions {
  /** Where the platform is reached; no other `Host` is answered. */
  readonly publicUrl: URL;
  /** Origins whose pages may call; none by default, never `*`. */
  readonly allowOrigins: readonly string[];
  /** Base path of the Data API. */
  readonly dataApiPath: string;
  readonly authenticate: Authenticate;
  readonly platformRoutes: Hono;
  readonly dataRoutes: Hono;
  readonly chatRoutes: Hono;
  /** Has the last word on a problem of the Platform or Chat API: see `limitFailures`. */
  readonly limitProblems?: LimitProblems;
  /** Hears of every failure that is not the caller's doing; the answer is a 500 without details. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * Seconds until it is worth asking again, by status: a database that is coming up, runs of the same user that have to
 * end.
 */
const retryAfter: Readonly<Record<number, string>> = { 503: '1', 429: '5' };

/** Most characters of a URL; the Data API, which takes whole queries in URLs, has a limit of its own. */
const maxUrl = 16 * 1024;

/**
 * The platform's one Hono app: what holds for every request stands here, everything else in the routes. Paths work with
 * and without a trailing slash, and no path tells a stranger whether it exists.
 */
export function createApp(options: AppOptions): Hono<RequestIdEnv> {
  const { authenticate, dataApiPath, onFailure } = options;
  const app = new Hono<RequestIdEnv>({ strict: false });
  const isData = (context: Context) =>
    context.req.path === dataApiPath || context.req.path.startsWith(`${dataApiPath}/`);

  app.use(setHeaders, allowOrigins(options.allowOrigins), refuseOtherHosts(options.publicUrl));
  app.use(async (context, next) => {
    if (context.req.raw.url.length > maxUrl && !isData(context)) {
      throw new PlatformError(414, `The URL is too long: ${maxUrl / 1024} KB is the most.`);
    }
    await next();
  });
  app.route(dataApiPath, options.dataRoutes);
  app.route('/', options.platformRoutes);
  app.route('/', options.chatRoutes);
  app.all('*', async context => {
    await authenticate(context.req.raw);
    throw new PlatformError(404, 'There is no such operation.');
  });
  const judge: LimitProblems = options.limitProblems ?? (async problem => problem);
  app.onError(async (error, context) => {
    if (!(error instanceof PlatformError)) onFailure(error, context.get('requestId'));
    const found = toPlatformError(error);
    const problem = isData(context) ? found : await judge(found, originOf(context)?.remoteAddress ?? null);
    const wait = problem.retryAfter?.toString() ?? retryAfter[problem.status];
    if (wait !== undefined) context.header('retry-after', wait);
    // The rest of a request that did not arrive in time is of no use to a next one.
    if (problem.status === 408) context.header('connection', 'close');
    return context.json(isData(context) ? dataBody(problem) : errorBody(problem), statusOf(problem));
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

/** An app that is called without a listener, as in tests, has no environment. */
function originOf({ env }: { readonly env: RequestOrigin | undefined }): RequestOrigin | undefined {
  return env;
}

function dataBody({ message }: PlatformError): DataErrorBody {
  return { error: message };
}

/**
 * Answers hold tokens or a tenant's data, so nothing may keep them. They are set first, so that errors carry them too.
 */
const setHeaders: MiddlewareHandler<RequestIdEnv> = async (context, next) => {
  const requestId = readRequestId(context.req.raw);
  context.set('requestId', requestId);
  context.header('x-request-id', requestId);
  context.header('cache-control', 'no-store');
  context.header('x-content-type-options', 'nosniff');
  await next();
};

/**
 * The hosts that a request names: a request target in absolute form names one beside the `Host` header (RFC 9112,
 * 3.2.2).
 */
function hostsIn({ req }: Context, told: RequestOrigin | undefined): readonly string[] {
  const host = told?.host ?? req.header('host') ?? new URL(req.url).host;
  const target = told?.incoming?.url ?? told?.url ?? '/';
  return target.startsWith('/') || !URL.canParse(target) ? [host] : [host, new URL(target).host];
}

/** A page that rebinds its own name to our address would otherwise be of our origin. */
function refuseOtherHosts(publicUrl: URL): MiddlewareHandler<RequestIdEnv> {
  const hosts = hostsOf(publicUrl);
  return async (context, next) => {
    const told = originOf(context);
    if (!hostsIn(context, told).every(host => hosts.has(host.toLowerCase()))) {
      throw new PlatformError(421, 'This host name is not served here: call the platform under its public URL.');
    }
    if (told?.scheme !== undefined && told.scheme !== 'https' && publicUrl.protocol === 'https:') {
      throw new PlatformError(421, 'Plain HTTP is not served here: call the platform under its public URL.');
    }
    await next();
  };
}
