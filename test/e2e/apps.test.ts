import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppInterface } from '../../src/contract/app-bridge.js';
import { embedSessionHandler } from '../../src/node/embed-session-handler.js';
import { toNodeHandler } from '../../src/node/to-node-handler.js';
import type { Platform } from '../../src/platform/create-platform.js';
import { testDepth } from '../property.js';
import { createBuiltPlatform } from './own-platform.js';
import { launchBrowser } from './page.js';
import { referenceFor } from './reference.js';
import { strictestPolicy } from './strictest-policy.js';

// Dashboards of kind APP in the page of a host, and apps that try to leave their frame.

declare global {
  interface Window {
    pa: AppInterface;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const adminKey = randomBytes(24).toString('base64url');

let browser: Browser;
let platform: Platform;
let hostOrigin = '';
let platformOrigin = '';
let evilOrigin = '';
/** Requests, connections and packets that reach the server of the attacker. */
let leaks = 0;
let stun: Socket;
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  // A host name other than that of the platform, and therefore another site.
  return `http://localhost:${typeof address === 'object' ? address?.port : 0}`;
}

const page = (dashboard: string, attributes: string): string => `<!doctype html>
<html lang="en">
  <head><title>Host</title><script type="module" src="/pa-embed/pa-embed.js"></script></head>
  <body>
    <pa-session session-url="/session" base-url="${platformOrigin}">
      <pa-dashboard public-id="${dashboard}" ${attributes}></pa-dashboard>
    </pa-session>
  </body>
</html>`;

/** The host: `?apps` sets `allow-apps`, `?frames` permits the frame in its policy. */
const host: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', hostOrigin);
  const connect = strictestPolicy.replace("connect-src 'self'", `connect-src 'self' ${platformOrigin}`);
  const frames = searchParams.has('frames') ? `; frame-src ${platformOrigin}` : '';
  response.setHeader('content-security-policy', connect + frames);
  if (pathname === '/session') return void mint(request, response);
  const file = /^\/pa-embed\/([\w.-]+\.js)$/.exec(pathname)?.[1];
  if (file) {
    response.setHeader('content-type', 'text/javascript');
    return void createReadStream(join(root, 'dist/standalone', file)).pipe(response);
  }
  const attributes = searchParams.has('apps') ? 'allow-apps' : '';
  response.setHeader('content-type', 'text/html');
  response.end(page(searchParams.get('dashboard') ?? '', attributes));
};
const mint: RequestListener = (request, response) =>
  toNodeHandler(
    embedSessionHandler({
      baseUrl: platformOrigin,
      apiKey: adminKey,
      grantFor: () => ({
        deploymentId: 1,
        externalId: 'ann',
        embedTenantName: 'ohare',
        securityContext: { airport: 'ORD' },
      }),
    }),
  )(request, response);

async function api(path: string, body: object, method = 'POST') {
  const response = await fetch(`${platformOrigin}/api/v1/deployments/1/${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, `${path} ${await response.clone().text()}`).toBeLessThan(300);
  return response.json();
}

const position = { x: 0, y: 0, w: 12, h: 8 };
const member = 'departures.destination_state';
let reportId = 0;
/** A report that no dashboard of kind APP contains. */
let otherReportId = 0;

/** Publishes an app for all embed users. */
async function publish(app: object, kind = 'APP'): Promise<string> {
  const { id } = await api('workbooks', { name: 'App' });
  const widgets = [
    { id: 'chart', type: 'CHART', position, config: { reportId } },
    { id: 'state', type: 'FILTER', position, config: { member } },
  ];
  const { publicId } = await api(`workbooks/${id}/publish`, { config: { kind, app, widgets } });
  await api(`workbooks/${id}/embed-access`, { allEmbedUsers: true, action: 'read', allowEmbed: true }, 'PUT');
  return publicId;
}

beforeAll(async () => {
  const site: { routes: RequestListener } = { routes: (_request, response) => void response.writeHead(503).end() };
  platformOrigin = (await serve((request, response) => site.routes(request, response))).replace(
    'localhost',
    '127.0.0.1',
  );
  hostOrigin = await serve(host);
  evilOrigin = await serve((_request, response) => {
    leaks += 1;
    response.end('console.log("leak")');
  });
  servers.at(-1)?.on('connection', () => {
    leaks += 1;
  });
  stun = createSocket('udp4').on('message', () => {
    leaks += 1;
  });
  stun.bind(0, '127.0.0.1');
  await once(stun, 'listening');
  const demo: { prepareSources(): Promise<string> } = await import(
    new URL('../../demo/sources.js', import.meta.url).href
  );
  platform = await createBuiltPlatform({
    publicUrl: platformOrigin,
    adminKey,
    modelDirectory: join(root, 'demo/model'),
    sourcesDirectory: await demo.prepareSources(),
    allowOrigins: [hostOrigin],
  });
  const apis = getRequestListener(request => platform.fetch(request));
  site.routes = (request, response) => void apis(request, response);
  const report = { jsonQuery: '{"measures":["departures.count"]}', meta: { kind: 'kpi' } };
  reportId = (await api('reports', { name: 'Flights', ...report })).id;
  otherReportId = (await api('reports', { name: 'Other', ...report })).id;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  stun.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await platform?.drain();
  await platform?.close();
});

/** Opens a dashboard in the page of the host, and records its requests and problems. */
async function open(dashboard: string, flags = 'apps&frames') {
  const opened = await browser.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  opened.on('console', message => {
    if (message.type() === 'error') problems.push(message.text());
  });
  opened.on('pageerror', error => problems.push(error.message));
  opened.on('request', request => requests.push(request.url()));
  await opened.goto(`${hostOrigin}/?dashboard=${dashboard}&${flags}`);
  return { opened, problems, requests };
}

/** Returns the frame of the app, once its text matches. */
async function appFrame(opened: Page, text: RegExp): Promise<Frame> {
  await expect
    .poll(
      async () => {
        const texts = await Promise.all(opened.frames().map(textOf));
        return texts.join('\n');
      },
      { timeout: 20_000 },
    )
    .toMatch(text);
  const frame = opened.frames().find(each => each.url() === 'about:srcdoc');
  if (!frame) throw new Error('There is no app.');
  return frame;
}

/** A frame can be removed while it is being read. */
const textOf = (frame: Frame): Promise<string> => frame.evaluate(() => document.body?.innerText ?? '').catch(() => '');

const isApp = (url: string): boolean => /app-element|app-frame/.test(url);

describe('a dashboard of kind APP', () => {
  const app = {
    html: '<h1 id="title">Flights</h1><p id="count">…</p><p id="inline"></p><script>inline.textContent = "inline";</script>',
    files: {
      'index.js': `import { show } from 'app/lib/show.js';
        const load = async () => show(await pa.load(pa.reports[0].id));
        pa.onChange(load);
        pa.resize(321);
        await load();`,
      'lib/show.js': `export const show = ({ rows }) => {
          count.textContent = [rows[0]['departures.count'], pa.files['note.txt'], pa.context.locale].join(' ');
        };`,
      'style.css': '#title { color: rgb(1, 2, 3); }',
      'note.txt': 'flights',
    },
    entry: 'index.js',
  };

  it('loads its reports with the filters of the viewer, and nothing else', async () => {
    const { opened, problems, requests } = await open(await publish(app));
    const { flights } = await referenceFor('ORD');
    const frame = await appFrame(opened, new RegExp(`${flights} flights en`));
    expect(await frame.evaluate(() => getComputedStyle(document.querySelector('h1') ?? document.body).color)).toBe(
      'rgb(1, 2, 3)',
    );
    expect(await textOf(frame)).toContain('inline');
    expect(await frame.evaluate(() => window.pa.reports)).toEqual([{ id: reportId, title: 'Flights', kind: 'kpi' }]);
    const height = () => opened.locator('pa-app iframe').evaluate(({ clientHeight }) => clientHeight);
    await expect.poll(height).toBe(321);

    await opened.evaluate(filtered => {
      document
        .querySelector<HTMLElement & { setState(state: object): void }>('pa-dashboard')
        ?.setState({ filters: { [filtered]: { value: 'CA' } } });
    }, member);
    await expect.poll(() => textOf(frame)).not.toContain(String(flights));
    expect(await textOf(frame)).toMatch(/\d+ flights en/);

    expect(problems).toEqual([]);
    const framed = requests.filter(url => url.includes('app-frame'));
    expect(framed).toEqual([`${platformOrigin}/api/v1/embed/app-frame`]);
    await opened.close();
  });

  it('is removed when the session ends', async () => {
    const { opened } = await open(await publish(app));
    await appFrame(opened, /\d+ flights en/);
    await opened.evaluate(() => document.querySelector<HTMLElement & { end(): void }>('pa-session')?.end());
    await expect.poll(() => opened.frames().length).toBe(1);
    await opened.close();
  });

  it('is not loaded unless the page sets allow-apps, nor for other dashboards', async () => {
    const without = await open(await publish(app), 'frames');
    await without.opened.locator('pa-tile [part~="figure"]').waitFor();
    const classic = await open(await publish(app, 'CLASSIC'));
    await classic.opened.locator('pa-tile [part~="figure"]').waitFor();
    for (const { opened, requests } of [without, classic]) {
      expect(requests.filter(isApp)).toEqual([]);
      expect(opened.frames()).toHaveLength(1);
      await opened.close();
    }
  });

  it('names the missing directive of the page', async () => {
    const { opened } = await open(await publish(app), 'apps');
    const source = `frame-src ${platformOrigin}/api/v1/embed/app-frame`;
    await opened.getByText(`Add ${source} to the content security policy of the page.`).waitFor();
    await opened.close();
  });
});

const script = (code: string) => ({ html: `<script>${code.replaceAll('</', '<\\/')}</script>` });

describe('a hostile app', () => {
  it('reaches neither the page, nor a network, nor storage, nor other reports', async () => {
    const before = leaks;
    const target = JSON.stringify({ evil: evilOrigin, port: stun.address().port, report: otherReportId });
    const attack = readFileSync(new URL('hostile-app.js', import.meta.url), 'utf8');
    const { opened } = await open(await publish(script(`const target = ${target};\n${attack}`)));
    const frame = await appFrame(opened, /done: /);
    expect(await textOf(frame)).toBe('done: nothing.');
    expect(leaks - before).toBe(0);
    expect(opened.url()).toMatch(hostOrigin);
    // The page still works.
    expect(await opened.locator('pa-app iframe').count()).toBe(1);
    await opened.close();
  });

  const attacks = [
    ['sends too many messages', 'for (let i = 0; i < 20_000; i += 1) pa.resize(i);', 'It sent too many messages.'],
    [
      'sends too many messages slowly',
      'setInterval(() => pa.load(1).catch(() => {}), 5);',
      'It sent too many messages.',
    ],
    ['sends large messages', "pa.load('x'.repeat(50_000_000));", 'It sent an invalid message.'],
    ['sends objects', 'pa.load({ sql: "SELECT 1" });', 'It sent an invalid message.'],
    [
      'leaves its page',
      `setTimeout(() => { location.href = 'EVIL/leave?rows=1'; }, 300);`,
      'It tried to leave its page.',
    ],
    ['refreshes its page', `setTimeout(() => { location.reload(); }, 300);`, 'It tried to leave its page.'],
    [
      'leaves by a link',
      `const a = document.createElement('a'); a.href = 'EVIL/link'; setTimeout(() => a.click(), 300);`,
      'It tried to leave its page.',
    ],
  ] as const;
  // A quick run tests one attack for each message.
  const tested = attacks.filter(([, , message], index) => {
    const isFirst = attacks.findIndex(each => each[2] === message) === index;
    return testDepth() === 'deep' || isFirst;
  });

  it.each(tested)('is stopped if it %s', async (_name, code, message) => {
    const before = leaks;
    const { opened } = await open(await publish(script(code.replace('EVIL', evilOrigin))));
    await opened.getByText(message).waitFor();
    expect(await opened.locator('pa-app iframe').count()).toBe(0);
    expect(leaks - before).toBe(0);
    // The page responds, and the viewer can start the app again, which is stopped again.
    await opened.getByRole('button', { name: 'Restart' }).click();
    await opened.getByText(message).waitFor();
    await opened.close();
  });
});
