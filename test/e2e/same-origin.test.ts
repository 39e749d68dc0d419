import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedSessionHandler } from '../../src/node/embed-session-handler.js';
import { toNodeHandler } from '../../src/node/to-node-handler.js';
import type { Platform } from '../../src/platform/create-platform.js';
import { createBuiltPlatform } from './own-platform.js';
import { launchBrowser } from './page.js';
import { referenceFor } from './reference.js';
import { strictestPolicy } from './strictest-policy.js';

// The platform in the host’s own server. One origin serves the page, the elements, the session and all APIs.

const root = fileURLToPath(new URL('../..', import.meta.url));
const adminKey = randomBytes(24).toString('base64url');

const page = (dashboard: string, query: string): string => `<!doctype html>
<html lang="en">
  <head><title>Host</title><script type="module" src="/pa-embed/pa-embed.js${query}"></script></head>
  <body>
    <pa-session session-url="/session" base-url="/"><pa-dashboard public-id="${dashboard}"></pa-dashboard></pa-session>
  </body>
</html>`;

const content: Readonly<Record<string, object>> = {
  'reports/SameOriginKp.json': { name: 'Flights', query: { measures: ['departures.count'] }, meta: { kind: 'kpi' } },
  'reports/SameOriginCh.json': {
    name: 'Flights by hour',
    query: { measures: ['departures.count'], dimensions: ['departures.hour'] },
    meta: {
      kind: 'vega',
      spec: {
        $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
        data: { name: 'rows' },
        mark: 'bar',
        encoding: {
          x: { field: 'departures.hour', type: 'ordinal' },
          y: { field: 'departures.count', type: 'quantitative' },
        },
      },
    },
  },
  'workbooks/same-origin.json': {
    name: 'Same origin',
    dashboard: {
      widgets: [
        { id: 'kpi', type: 'CHART', position: { x: 0, y: 0, w: 4, h: 4 }, config: { report: 'SameOriginKp' } },
        { id: 'chart', type: 'CHART', position: { x: 4, y: 0, w: 8, h: 8 }, config: { report: 'SameOriginCh' } },
      ],
    },
    publish: true,
    embedAccess: { allowEmbed: true, allEmbedUsers: true },
  },
};

let server: Server;
let platform: Platform | undefined;
let browser: Browser;
let origin = '';
const folder = mkdtempSync(join(tmpdir(), 'pa-embed-same-origin-'));
const site: { routes: RequestListener } = { routes: (_request, response) => void response.writeHead(503).end() };

async function applyContent(): Promise<string> {
  for (const [name, entry] of Object.entries(content)) {
    const file = join(folder, 'content', name.replace(/json$/, 'yml'));
    mkdirSync(join(file, '..'), { recursive: true });
    // JSON is valid YAML.
    writeFileSync(file, JSON.stringify(entry));
  }
  const args = ['apply', join(folder, 'content'), '--url', origin, '--deployment', '1', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli/pa-platform.js'), ...args], {
    env: { ...process.env, PA_ADMIN_KEY: adminKey },
  });
  return JSON.parse(stdout).dashboards['same-origin'];
}

beforeAll(async () => {
  server = createServer((request, response) => site.routes(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const demo: { prepareSources(): Promise<string> } = await import(
    new URL('../../demo/sources.js', import.meta.url).href
  );
  const mounted = await createBuiltPlatform({
    publicUrl: origin,
    adminKey,
    modelDirectory: join(root, 'demo/model'),
    sourcesDirectory: await demo.prepareSources(),
  });
  platform = mounted;
  const apis = getRequestListener(request => mounted.fetch(request));
  const mint = toNodeHandler(
    embedSessionHandler({
      baseUrl: origin,
      apiKey: adminKey,
      grantFor: () => ({
        deploymentId: 1,
        externalId: 'someone',
        embedTenantName: 'ohare',
        securityContext: { airport: 'ORD' },
      }),
    }),
  );
  let dashboard = '';
  site.routes = (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', origin);
    if (/^\/(api|data-api|build)\//.test(pathname)) return void apis(request, response);
    response.setHeader('content-security-policy', strictestPolicy);
    if (pathname === '/session') return void mint(request, response);
    if (pathname === '/') return void response.setHeader('content-type', 'text/html').end(page(dashboard, search));
    const file = /^\/pa-embed\/([\w.-]+\.js)$/.exec(pathname)?.[1];
    if (!file) return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/javascript');
    createReadStream(join(root, 'dist/standalone', file)).pipe(response);
  };
  dashboard = await applyContent();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  await platform?.drain();
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(query = ''): Promise<{ opened: Page; problems: string[]; origins: Set<string> }> {
  const opened = await browser.newPage();
  const problems: string[] = [];
  const origins = new Set<string>();
  opened.on('console', message => {
    if (message.type() === 'error') problems.push(message.text());
  });
  opened.on('pageerror', error => problems.push(error.message));
  opened.on('request', request => origins.add(new URL(request.url()).origin));
  await opened.goto(`${origin}/${query}`);
  return { opened, problems, origins };
}

describe('platform on the host origin', () => {
  it('serves the page under the strictest policy without other requests (vega-embed#1214, metabase#67409, carbon-ai-chat#1309)', async () => {
    const { opened, problems, origins } = await open();
    const expected = await referenceFor('ORD');
    const figure = opened.locator('pa-tile [part~="figure"]');
    await figure.waitFor();
    expect((await figure.innerText()).trim()).toBe(expected.flights.toLocaleString('en-US'));
    await opened.locator('pa-tile-chart svg').waitFor();
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([origin]);
    await opened.close();
  });

  it('runs once if the page loads the elements from a second URL', async () => {
    const { opened, problems } = await open('?v=2');
    await opened.locator('pa-tile-chart svg').waitFor();
    expect(problems).toEqual([]);
    await opened.close();
  });

  it('exports the same to a page as the package', async () => {
    const { opened } = await open();
    // A string, because vitest rewrites imports in functions.
    const handed = await opened.evaluate<string[]>("import('/pa-embed/pa-embed.js').then(Object.keys)");
    expect(handed.toSorted()).toEqual(
      Object.keys(await import(new URL('../../dist/index.js', import.meta.url).href)).toSorted(),
    );
    await opened.close();
  });
});
