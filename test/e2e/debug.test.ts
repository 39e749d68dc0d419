import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { embedSessionHandler } from '../../src/node/embed-session-handler.js';
import { toNodeHandler } from '../../src/node/to-node-handler.js';
import type { Platform } from '../../src/platform/create-platform.js';
import { createBuiltPlatform } from './own-platform.js';
import { launchBrowser } from './page.js';

// Output of `debug` on misconfigured pages, with a platform on a separate origin.

const root = fileURLToPath(new URL('../..', import.meta.url));
const scripts = join(root, 'dist/standalone');
const adminKey = randomBytes(24).toString('base64url');
/** Part of the session URL’s query; no output may contain it. */
const secret = 'word-of-the-page';

const kpi = (report: string) => ({
  widgets: [{ id: 'kpi', type: 'CHART', position: { x: 0, y: 0, w: 4, h: 4 }, config: { report } }],
});
const content: Readonly<Record<string, object>> = {
  'reports/DebugFlights.json': {
    name: 'Flights',
    query: { measures: ['departures.count'] },
    meta: { kind: 'kpi' },
  },
  'workbooks/shared.json': {
    name: 'Shared',
    dashboard: kpi('DebugFlights'),
    publish: true,
    embedAccess: { allowEmbed: true, allEmbedUsers: true },
  },
  'workbooks/unshared.json': {
    name: 'Unshared',
    dashboard: kpi('DebugFlights'),
    publish: true,
    embedAccess: { allowEmbed: true },
  },
  'workbooks/off.json': {
    name: 'Off',
    dashboard: kpi('DebugFlights'),
    publish: true,
    embedAccess: { allowEmbed: false, allEmbedUsers: true },
  },
};

let host: Server;
let service: Server;
let platform: Platform | undefined;
let browser: Browser;
let page: Page;
/** Origin of the page that the platform allows; `disallowedOrigin` is another name of the same server. */
let origin = '';
let disallowedOrigin = '';
let platformUrl = '';
let dashboards: Readonly<Record<string, string>> = {};
const folder = mkdtempSync(join(tmpdir(), 'pa-embed-debug-'));
const routes: { host: RequestListener; service: RequestListener } = {
  host: respondUnavailable,
  service: respondUnavailable,
};

function respondUnavailable(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(503).end();
}

async function listen(side: keyof typeof routes): Promise<[Server, number]> {
  const server = createServer((request, response) => routes[side](request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return [server, typeof address === 'object' ? (address?.port ?? 0) : 0];
}

async function applyContent(): Promise<Readonly<Record<string, string>>> {
  for (const [name, entry] of Object.entries(content)) {
    const file = join(folder, 'content', name.replace(/json$/, 'yml'));
    mkdirSync(join(file, '..'), { recursive: true });
    // JSON is valid YAML.
    writeFileSync(file, JSON.stringify(entry));
  }
  const args = ['apply', join(folder, 'content'), '--url', platformUrl, '--deployment', '1', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli/pa-platform.js'), ...args], {
    env: { ...process.env, PA_ADMIN_KEY: adminKey },
  });
  return JSON.parse(stdout).dashboards;
}

/** Headers and body of the next page. */
let nextPage: { readonly headers: Readonly<Record<string, string>>; readonly body: string } = { headers: {}, body: '' };

const html = (body: string): string => `<!doctype html>
<html lang="en">
  <head><title>Host</title><script type="module" src="/pa-embed/pa-embed.js"></script></head>
  <body>${body}</body>
</html>`;

beforeAll(async () => {
  const [hostServer, hostPort] = await listen('host');
  const [serviceServer, servicePort] = await listen('service');
  host = hostServer;
  service = serviceServer;
  origin = `http://127.0.0.1:${hostPort}`;
  disallowedOrigin = `http://localhost:${hostPort}`;
  platformUrl = `http://127.0.0.1:${servicePort}`;
  const demo: { prepareSources(): Promise<string> } = await import(
    new URL('../../demo/sources.js', import.meta.url).href
  );
  const started = await createBuiltPlatform({
    publicUrl: platformUrl,
    allowOrigins: [origin],
    adminKey,
    modelDirectory: join(root, 'demo/model'),
    sourcesDirectory: await demo.prepareSources(),
  });
  platform = started;
  const apis = getRequestListener(request => started.fetch(request));
  routes.service = (request, response) => void apis(request, response);
  const grant = { deploymentId: 1, externalId: 'someone', embedTenantName: 'ohare' };
  const mint = toNodeHandler(
    embedSessionHandler({
      baseUrl: platformUrl,
      apiKey: adminKey,
      grantFor: () => ({ ...grant, securityContext: { airport: 'ORD' } }),
    }),
  );
  routes.host = (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    if (pathname === '/session') return void mint(request, response);
    if (pathname === '/') {
      for (const [name, value] of Object.entries(nextPage.headers)) response.setHeader(name, value);
      return void response.setHeader('content-type', 'text/html').end(html(nextPage.body));
    }
    const file = /^\/pa-embed\/([\w.-]+\.js)$/.exec(pathname)?.[1];
    if (!file) return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/javascript');
    createReadStream(join(scripts, file)).pipe(response);
  };
  dashboards = await applyContent();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  for (const server of [host, service]) {
    server?.closeAllConnections();
    server?.close();
  }
  await platform?.drain();
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => page?.close());

interface Shown {
  /** Origin in the address bar. */
  readonly at?: string;
  readonly policy?: string;
  /** The report-only policy blocks nothing. */
  readonly header?: 'content-security-policy' | 'content-security-policy-report-only';
}

const inSession = (workbook: string, attributes = 'debug'): string =>
  `<pa-session session-url="/session?for=${secret}" base-url="${platformUrl}">
    <pa-dashboard ${attributes} public-id="${dashboards[workbook]}"></pa-dashboard>
  </pa-session>`;

/** Secrets of the elements and services: all sessions and tokens of the page. */
let secrets: string[] = [];

/** Records the secrets of a session or token response. */
async function recordSecrets(response: Response): Promise<void> {
  if (!/\/(session|token)$/.test(new URL(response.url()).pathname) || response.status() !== 200) return;
  const given: Record<string, unknown> = await response.json().catch(() => ({}));
  secrets.push(...[given.sessionId, given.token, given.platformApiToken].filter(text => typeof text === 'string'));
}

async function open(
  body: string,
  { at = origin, policy = '', header = 'content-security-policy' }: Shown = {},
): Promise<Locator> {
  nextPage = { headers: policy ? { [header]: policy } : {}, body };
  secrets = [secret];
  page = await browser.newPage();
  page.on('response', response => void recordSecrets(response));
  await page.goto(at);
  return page.locator('pa-debug details');
}

/** Waits until `debug` shows all phrases, in any order, and checks that it shows no secrets. */
async function expectDebugText(debug: Locator, ...awaited: readonly (string | RegExp)[]): Promise<string> {
  const currentText = async () => ((await debug.count()) ? debug.innerText() : '');
  for (const words of awaited) await expect.poll(currentText).toMatch(words);
  const text = await debug.innerText();
  for (const word of secrets) expect(text).not.toContain(word);
  expect(text).not.toMatch(/eyJ|\/\/\S*\?/);
  return text;
}

/** Returns a policy that allows all package files except those whose names match. */
const scriptsWithout = (file: RegExp): string =>
  readdirSync(scripts)
    .filter(name => name.endsWith('.js') && !file.test(name))
    .map(name => `${origin}/pa-embed/${name}`)
    .join(' ');

describe('debug', () => {
  it.each([
    ['absent', '<pa-dashboard debug public-id="Dashboard001"></pa-dashboard>', 'Put <pa-session session-url="…"'],
    [
      'without a session URL',
      '<pa-session><pa-dashboard debug public-id="Dashboard001"></pa-dashboard></pa-session>',
      'Set base-url, and session-url',
    ],
  ])('lists what is missing if the surrounding session is %s', async (_, body, advice) => {
    await expectDebugText(await open(body), 'session', advice);
  });

  it('names the origin that the platform must allow', async () => {
    await expectDebugText(
      await open(inSession('shared'), { at: disallowedOrigin }),
      'could not be reached',
      'The session has the status "failed".',
      `(CORS): start it with --allow-origin ${disallowedOrigin}.`,
    );
  });

  it.each([
    [
      'omits the platform',
      () => "script-src 'self'; connect-src 'self'",
      () => `Add ${platformUrl} to connect-src in the Content-Security-Policy header.`,
    ],
    [
      'omits the page’s own server',
      () => `connect-src ${platformUrl}`,
      () => "Add 'self' to connect-src in the Content-Security-Policy header.",
    ],
    [
      'falls back to default-src',
      () => "default-src 'self'",
      () => `Add connect-src to the Content-Security-Policy header, with the values of default-src and ${platformUrl}.`,
    ],
  ])('names the directive if a policy %s', async (_, policy, advice) => {
    const debug = await open(inSession('shared'), { policy: policy() });
    const text = await expectDebugText(debug, 'The content security policy blocked it (see above).', advice());
    expect(text).not.toContain('CORS');
  });

  it.each([
    ['of a tile', /^kpi-element-/, 'Tile kpi: A chunk of the package could not be loaded.'],
    ['of all tiles', /^(chart|html|kpi|map|sankey|table)-element-/, 'A chunk of the package could not be loaded.'],
    ['of the session', /^session-services-/, 'Could not load a part of pa-embed'],
  ])('names the directive that blocked a file %s', async (_, file, failed) => {
    const policy = `default-src 'self' ${platformUrl}; script-src ${scriptsWithout(file)}`;
    const text = await expectDebugText(
      await open(inSession('shared'), { policy }),
      failed,
      `The page's content security policy blocked ${origin} (script-src).`,
      "Add 'self' to script-src in the Content-Security-Policy header.",
      'The content security policy blocked it (see above).',
    );
    expect(text).not.toMatch(/CORS|deploy all files/);
  });

  it('shows what blocked the code of pa-debug', async () => {
    await open(inSession('shared'), { policy: `script-src ${scriptsWithout(/^debug-element-/)}` });
    await expect.poll(() => page.locator('pa-debug').innerText()).toBe(`script-src-elem blocked ${origin}`);
  });

  it('ignores a report-only policy', async () => {
    const header = 'content-security-policy-report-only';
    const debug = await open(inSession('shared'), { policy: "connect-src 'self'", header });
    await expectDebugText(debug, 'kpi', 'no problems found');
  });

  it.each([
    ['not shared with the tenant', 'unshared', 'shared with the tenant of the session (embedAccess).'],
    ['not to be embedded', 'off', 'Embedding is disabled for this dashboard'],
  ])('reports a dashboard that is %s', async (_, workbook, reason) => {
    await expectDebugText(await open(inSession(workbook)), /\((403|404)\)/, reason);
  });

  it.each([
    ['is not shared', 'unshared', '', 'shared with the tenant'],
    ['was blocked', 'shared', "connect-src 'self'", 'to connect-src in the Content-Security-Policy header'],
  ])('enabled later, reports a dashboard that %s', async (_, workbook, policy, reason) => {
    const debug = await open(inSession(workbook, ''), { policy });
    await page.locator('pa-dashboard [part~="notice"]').waitFor();
    await page.evaluate(() => document.querySelector('pa-dashboard')?.toggleAttribute('debug', true));
    await expectDebugText(debug, 'problems found', reason);
  });

  it('shows the time of each tile if there are no problems', async () => {
    const debug = await open(inSession('shared'));
    const expected = ['no problems found; session status: ready', /^kpi(\s+\d+){3}\s+1$/m];
    await expectDebugText(debug, ...expected);
    // The page secret, the session ID, and the tokens exchanged for it; the test reads them later than the page.
    await expect.poll(() => secrets).toHaveLength(4);
    await expectDebugText(debug, ...expected);
  });
});
