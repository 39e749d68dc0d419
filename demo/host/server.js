import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chatProxyHandler, embedSessionHandler, exportHandler, toNodeHandler } from 'pa-embed/node';
import { mailHandler } from './mail.js';
import { analyst, tenants } from './tenants.js';

const demo = fileURLToPath(new URL('..', import.meta.url));
const page = join(demo, 'page');
/** The documentation that `npm run docs` builds. */
const docs = join(demo, '../site/dist');
const standalone = fileURLToPath(new URL('.', import.meta.resolve('pa-embed/standalone/pa-embed.js')));
const styles = fileURLToPath(import.meta.resolve('pa-embed/styles.css'));

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
};

/** Returns the CSP of the pages: no inline scripts or styles, no eval, and connections only to the platform. */
const contentPolicy = platformUrl =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${platformUrl}`,
    "img-src 'self' data:",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** All pages use one document; its script adds the elements. */
const pages = new Set(['/', '/network', '/analysis', '/build', '/ask', '/mail']);

/** The accounts that can sign in. */
const accounts = [...tenants, analyst];
/** Matches the visitor's cookie: the id of an account, or empty after signing out. */
const cookie = /(?:^|;\s*)tenant=([a-z]*)/;
const tenantOf = header => accounts.find(tenant => tenant.id === cookie.exec(header ?? '')?.[1]) ?? null;
const setTenant = (response, id) => response.setHeader('set-cookie', `tenant=${id}; Path=/; HttpOnly; SameSite=Strict`);

/**
 * Starts the host application. It listens immediately, so that its origin is known, and returns 503 until `open` is
 * called with the platform's URL.
 */
export async function startHost({ port, adminKey }) {
  let routes = null;
  const server = createServer((request, response) => {
    if (routes) return routes(request, response);
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' }).end('Starting …');
  });
  server.listen(port, '127.0.0.1');
  await Promise.race([
    once(server, 'listening'),
    once(server, 'error').then(([error]) => {
      throw new Error(
        error.code === 'EADDRINUSE'
          ? `Port ${port} is in use. Stop the process that uses it, or choose another port with --port.`
          : error.message,
      );
    }),
  ]);
  return {
    origin: `http://localhost:${server.address().port}`,
    open: options => {
      routes = createRoutes({ ...options, adminKey });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function createRoutes({ platformUrl, dashboards, adminKey, mail, notificationId }) {
  /** Returns the viewer of a request, for page sessions and for the chat through this host. */
  const viewer = request => {
    const tenant = tenantOf(request.headers.get('cookie'));
    if (!tenant) return null;
    if (tenant === analyst) return { internalId: analyst.user };
    return { externalId: tenant.user, embedTenantName: tenant.id, securityContext: { airport: tenant.airport } };
  };
  const connection = { baseUrl: platformUrl, apiKey: adminKey };
  const grantFor = request => {
    const who = viewer(request);
    const { roles } = tenantOf(request.headers.get('cookie')) ?? {};
    // Only external users get roles and settings from the host. An internal user has roles on the platform.
    const settings = { allowSubscriptions: true };
    return who && { deploymentId: 1, ...who, ...(who.externalId && { roles, settings }) };
  };
  const mintSession = toNodeHandler(embedSessionHandler({ ...connection, grantFor }));
  const exportFile = toNodeHandler(exportHandler({ ...connection, grantFor }));
  // Only the page on which users build dashboards has sessions with creator mode.
  const mintCreatorSession = toNodeHandler(
    embedSessionHandler({
      ...connection,
      grantFor(request) {
        const who = viewer(request);
        const settings = { allowSavedViews: true };
        return who && { deploymentId: 1, ...who, ...(who.externalId && { creatorMode: true, settings }) };
      },
    }),
  );
  const chat = toNodeHandler(chatProxyHandler({ ...connection, agentId: 1, sessionFor: viewer }));
  const handleMail = mailHandler({ connection: { baseUrl: platformUrl, token: adminKey }, mail, notificationId });
  const config = {
    platformUrl,
    dashboard: dashboards.departures,
    dashboards,
    tenants: accounts,
  };
  return (request, response) => {
    // The target of a request can be anything, such as `//`, which is not a valid URL.
    if (!URL.canParse(request.url, 'http://host')) return response.writeHead(400).end();
    const { pathname } = new URL(request.url, 'http://host');
    response.setHeader('content-security-policy', contentPolicy(platformUrl));
    response.setHeader('x-content-type-options', 'nosniff');
    if (pathname === '/api/embed-session') return mintSession(request, response);
    if (pathname === '/api/export') return exportFile(request, response);
    if (pathname === '/api/creator-session') return mintCreatorSession(request, response);
    if (pathname.startsWith('/api/assistant/')) return chat(request, response);
    if (pathname === '/api/mail' || pathname.startsWith('/api/mail/')) {
      const tenant = tenantOf(request.headers.cookie);
      return tenant ? handleMail(request, response, tenant.user) : response.writeHead(401).end();
    }
    if (pathname === '/api/config')
      return sendJson(response, { ...config, tenant: tenantOf(request.headers.cookie)?.id ?? null });
    if (pathname === '/api/sign-in' && request.method === 'POST') return signIn(request, response);
    if (pathname.startsWith('/source/'))
      return sendFile(response, inside(demo, pathname.slice('/source/'.length)), 'text/plain; charset=utf-8');
    if (pathname === '/docs') return response.writeHead(301, { location: '/docs/' }).end();
    if (pathname.startsWith('/docs/'))
      return sendFile(response, inside(docs, pathname.slice('/docs/'.length).replace(/(^|\/)$/, '$1index.html')));
    if (pathname === '/pa-embed/styles.css') return sendFile(response, styles);
    if (pathname.startsWith('/pa-embed/'))
      return sendFile(response, inside(standalone, pathname.slice('/pa-embed/'.length)));
    if (!pages.has(pathname)) return sendFile(response, inside(page, pathname));
    // The first visit to a page signs in as the first tenant. Requests for sessions and data never sign in.
    if (!cookie.test(request.headers.cookie ?? '')) setTenant(response, tenants[0].id);
    return sendFile(response, join(page, 'index.html'));
  };
}

async function signIn(request, response) {
  let id = '';
  try {
    for await (const chunk of request) {
      id += chunk;
      if (id.length > 50) break;
    }
  } catch {
    // The client disconnected.
    return;
  }
  const known = accounts.some(tenant => tenant.id === id);
  setTenant(response, known ? id : '');
  response.writeHead(known || id === '' ? 204 : 400).end();
}

function sendJson(response, body) {
  response
    .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

/** Returns the path of a file in a folder, or `null` if the path is outside it. */
function inside(folder, path) {
  const file = normalize(join(folder, path));
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? file : null;
}

async function sendFile(response, file, type = types[extname(file ?? '')] ?? 'application/octet-stream') {
  const found = file === null ? null : await stat(file).catch(() => null);
  if (!found?.isFile()) return response.writeHead(404).end('Not found');
  response.writeHead(200, {
    'content-type': type,
    'content-length': found.size,
    'cache-control': 'no-cache',
  });
  createReadStream(file).pipe(response);
}
