import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { DataErrorBody } from '../contract/error.js';
import { type ScimError, ScimUrn, scimPath } from '../contract/scim.js';
import type { Authenticate } from './auth/authenticate.js';
import type { ScimCaller } from './auth/authenticate-scim.js';
import { withoutDeployment } from './auth/model-target.js';
import { PlatformError } from './errors.js';
import { appFrame } from './http/app-frame/app-frame.js';
import { errorBody, statusOf, toPlatformError } from './http/error-response.js';
import type { LimitProblems } from './http/limit-requests.js';
import { hostsOf } from './http/public-url.js';
import { type RequestIdEnv, type RequestOrigin, readRequestId } from './http/request-id.js';
import type { RenderedMetrics } from './metrics.js';
import { usagePath } from './usage/usage-token.js';

const methods = 'GET,POST,PUT,PATCH,DELETE';
const requestHeaders =
  'accept,authorization,content-type,if-match,if-none-match,last-event-id,mcp-method,mcp-name,mcp-protocol-version,x-platform-auth-token,x-request-id';
const answerHeaders = 'etag,x-branch-name,x-request-id,retry-after';
const maxAgeSeconds = '7200';

/**
 * Allows cross-origin requests from these origins (CORS), never with cookies. Sets the headers before the response is
 * created. Hono's own middleware copies the response instead, which takes a third of the time of a cached response.
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

/** Options of the HTTP app. */
interface AppOptions {
  /** Public URL of the platform. Requests for any other `Host` return 421. */
  readonly publicUrl: URL;
  /** Origins that may send cross-origin requests (CORS); none by default, and never `*`. */
  readonly allowOrigins: readonly string[];
  /** Base path of the Data API. */
  readonly dataApiPath: string;
  readonly authenticate: Authenticate;
  /** Identifies the caller of the Provisioning API; `authenticate` by default. */
  readonly authenticateScim?: Authenticate<ScimCaller>;
  readonly platformRoutes: Hono;
  /** The Data API of the folder deployment. */
  readonly dataRoutes: Hono;
  /** The Data API of all other deployments, below the path of the deployment; `null` if there are none. */
  readonly deploymentDataRoutes?: Hono | null;
  readonly chatRoutes: Hono;
  /** The Data API over the platform’s own usage; `undefined` if it is turned off. */
  readonly usageRoutes?: Hono | undefined;
  /** The console page; `null` if it is turned off. */
  readonly consoleRoutes?: Hono<RequestIdEnv> | null;
  /** Pages for recipients of mail, without authentication. */
  readonly mailPages?: Hono;
  /** The sign-in with an OpenID provider; `undefined` if there is none. */
  readonly oidcRoutes?: Hono<RequestIdEnv> | undefined;
  /** The address to which services of OAuth integrations send browsers back. */
  readonly oauthCallback?: Hono<RequestIdEnv>;
  /** The MCP endpoint; `undefined` if it is turned off. */
  readonly mcpRoutes?: Hono<RequestIdEnv> | undefined;
  /** Decides how an error of the Platform or Chat API is reported; see `limitFailures`. */
  readonly limitProblems?: LimitProblems;
  /** Called with every failure that the client did not cause. The client receives a 500 without details. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Default `Retry-After` in seconds, by status, for errors that do not set their own. */
const retryAfter: Readonly<Record<number, string>> = { 503: '1', 429: '5' };

/** Maximum length of a URL in characters. The Data API has its own limit, because it accepts whole queries in URLs. */
const maxUrl = 16 * 1024;

/**
 * Creates the platform's Hono app: the middleware of all requests, and the routes. Paths work with and without a
 * trailing slash. Unauthenticated callers cannot detect whether a path exists.
 */
export function createApp(options: AppOptions): Hono<RequestIdEnv> {
  const { authenticate, dataApiPath, onFailure } = options;
  const app = new Hono<RequestIdEnv>({ strict: false });
  const isData = (context: Context) => {
    const path = withoutDeployment(context.req.path);
    return path === dataApiPath || path.startsWith(`${dataApiPath}/`);
  };

  app.use(setHeaders, allowOrigins(options.allowOrigins), rejectOtherHosts(options.publicUrl));
  app.use(async (context, next) => {
    if (context.req.raw.url.length > maxUrl && !isData(context)) {
      throw new PlatformError(414, `The URL exceeds the limit of ${maxUrl / 1024} KB.`);
    }
    await next();
  });
  app.route(dataApiPath, options.dataRoutes);
  if (options.deploymentDataRoutes)
    for (const branch of ['', '/dev-mode/:branch'])
      app.route(`/deployments/:deploymentId{[1-9][0-9]*}${branch}${dataApiPath}`, options.deploymentDataRoutes);
  if (options.usageRoutes) app.route(usagePath, options.usageRoutes);
  // Mount these routes before the operations, because one operation has a parameter at the same place in its path.
  if (options.oauthCallback) app.route('/', options.oauthCallback);
  app.route('/', options.platformRoutes);
  app.route('/', options.chatRoutes);
  app.route('/', appFrame(options));
  if (options.mailPages) app.route('/', options.mailPages);
  if (options.oidcRoutes) app.route('/', options.oidcRoutes);
  if (options.mcpRoutes) app.route('/', options.mcpRoutes);
  if (options.consoleRoutes) app.route('/', options.consoleRoutes);
  app.all('*', async context => {
    await ((isScim(context) ? options.authenticateScim : undefined) ?? authenticate)(context.req.raw);
    // A directory's key belongs to no user, so there is no `/Me` resource (RFC 7644, section 3.11).
    if (context.req.path === `${scimPath}/Me`) throw new PlatformError(501, 'This platform does not support /Me.');
    throw new PlatformError(404, 'No such operation.');
  });
  const judge: LimitProblems = options.limitProblems ?? (async problem => problem);
  app.onError(async (error, context) => {
    if (!(error instanceof PlatformError)) onFailure(error, context.get('requestId'));
    const found = toPlatformError(error);
    const problem = isData(context) ? found : await judge(found, originOf(context)?.remoteAddress ?? null);
    const wait = problem.retryAfter?.toString() ?? retryAfter[problem.status];
    if (wait !== undefined) context.header('retry-after', wait);
    // Closes the connection, so that the rest of a request that timed out is not parsed as the next request.
    if (problem.status === 408) context.header('connection', 'close');
    if (isScim(context)) return context.body(JSON.stringify(scimBody(problem)), statusOf(problem), scimHeaders);
    return context.json(isData(context) ? dataBody(problem) : errorBody(problem), statusOf(problem));
  });
  return app;
}

/**
 * Creates the app of the liveness and readiness checks, for a separate listener.
 * @param render - returns the content of `/metrics`; without it the path does not exist.
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

/** Returns the origin of a request; `undefined` if the app is called without a listener, as in tests. */
function originOf({ env }: { readonly env: RequestOrigin | undefined }): RequestOrigin | undefined {
  return env;
}

function isScim({ req }: Context): boolean {
  return req.path === scimPath || req.path.startsWith(`${scimPath}/`);
}

const scimHeaders = { 'content-type': 'application/scim+json' } as const;

function scimBody({ status, message, code }: PlatformError): ScimError {
  return { schemas: [ScimUrn.error], status: String(status), ...(code && { scimType: code }), detail: message };
}

function dataBody({ message }: PlatformError): DataErrorBody {
  return { error: message };
}

/**
 * Sets headers that prevent caching, because responses contain tokens or data of a tenant. Sets them first, so that
 * errors have them too.
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
 * Returns the hosts of a request: that of the `Host` header, and that of the request target if it is in absolute form
 * (RFC 9112, section 3.2.2).
 */
function hostsIn({ req }: Context, origin: RequestOrigin | undefined): readonly string[] {
  const host = origin?.host ?? req.header('host') ?? new URL(req.url).host;
  const target = origin?.incoming?.url ?? origin?.url ?? '/';
  return target.startsWith('/') || !URL.canParse(target) ? [host] : [host, new URL(target).host];
}

/**
 * Prevents DNS rebinding, in which an attacker's page calls the platform as same-origin because the page's host name
 * resolves to the platform's address.
 */
function rejectOtherHosts(publicUrl: URL): MiddlewareHandler<RequestIdEnv> {
  const hosts = hostsOf(publicUrl);
  return async (context, next) => {
    const origin = originOf(context);
    if (!hostsIn(context, origin).every(host => hosts.has(host.toLowerCase()))) {
      throw new PlatformError(421, 'The host name does not match the public URL of the platform.');
    }
    if (origin?.scheme !== undefined && origin.scheme !== 'https' && publicUrl.protocol === 'https:') {
      throw new PlatformError(421, 'Plain HTTP is not supported: call the platform at its public URL.');
    }
    await next();
  };
}
