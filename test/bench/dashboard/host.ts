import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { build } from 'vite';
import { createEmbedSession } from '../../../src/node/create-embed-session.js';
import { prepareSources } from '../data.js';
import { type RunningPlatform, startPlatform } from '../data-platform.js';
import type { BenchOptions } from '../figures.js';
import { root } from '../root.js';
import { type Board, boards, filtered, writeContent } from './content.js';
import { largeSnapshots } from './large-charts.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Returns the CSP of both pages: no inline scripts or styles, no eval. Inline styles are allowed for a peer that needs
 * them.
 */
const policy = (platformUrl: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self' ${platformUrl}; img-src data:`;

/** A host application with our page and the peer's page, which request the same rows from the same platform. */
export interface BenchHost {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts platform and host. The rows are the flights of one airport. */
export async function startBenchHost({ onStop, note, profileDirectory }: BenchOptions): Promise<BenchHost> {
  const folder = mkdtempSync(join(tmpdir(), 'pa-embed-bench-'));
  onStop(async () => rmSync(folder, { recursive: true, force: true }));
  const site: { routes: RequestListener } = { routes: (_request, response) => void response.writeHead(503).end() };
  const server = createServer((request, response) => site.routes(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stopServer = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  onStop(stopServer);
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  note('dashboard: starting the platform');
  const platform = await startPlatform({
    model: join(root, 'demo', 'model'),
    sources: await prepareSources(),
    data: join(folder, 'data'),
    allowOrigin: origin,
    profileDirectory,
    onStop,
  });
  const dashboards = applyContent(folder, platform);
  await bundlePeer(folder);
  site.routes = routesOf({ folder, platform, dashboards, large: await largeSnapshots() });
  return {
    origin,
    stop: async () => {
      await stopServer();
      await platform.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function applyContent(folder: string, { url, adminKey }: RunningPlatform): Readonly<Record<Board, string>> {
  const content = join(folder, 'content');
  writeContent(content);
  const cli = join(root, 'dist', 'cli', 'pa-platform.js');
  const output = execFileSync(process.execPath, [cli, 'apply', content, '--url', url, '--deployment', '1', '--json'], {
    encoding: 'utf8',
    env: { ...process.env, PA_ADMIN_KEY: adminKey },
  });
  const { dashboards } = JSON.parse(output);
  return { all: dashboards['bench-all'], some: dashboards['bench-some'] };
}

/** Bundles the peer as a host application would. */
async function bundlePeer(folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: join(folder, 'peer'),
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: join(root, 'test', 'bench', 'dashboard', 'page', 'peer.js'),
        output: { entryFileNames: 'peer.js' },
      },
    },
  });
}

interface Served {
  readonly large: object;
  readonly folder: string;
  readonly platform: RunningPlatform;
  readonly dashboards: Readonly<Record<Board, string>>;
}

function routesOf({ folder, platform, dashboards, large }: Served): RequestListener {
  const config = { platformUrl: platform.url, dashboards, boards, filtered };
  const files: Readonly<Record<string, string>> = {
    '/pa-embed/': join(root, 'dist', 'standalone'),
    '/peer/': join(folder, 'peer'),
    '/': join(root, 'test', 'bench', 'dashboard', 'page'),
  };
  const mint = async (response: ServerResponse): Promise<void> => {
    const { sessionId } = await createEmbedSession(
      { baseUrl: platform.url, apiKey: platform.adminKey },
      { deploymentId: 1, externalId: 'bench', embedTenantName: 'tenant-ord', securityContext: { airport: 'ORD' } },
    );
    sendJson(response, { sessionId });
  };
  return (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    response.setHeader('content-security-policy', policy(platform.url));
    if (pathname === '/api/embed-session') return void mint(response);
    if (pathname === '/api/config') return sendJson(response, config);
    if (pathname === '/api/large') return sendJson(response, large);
    return sendFile(response, pathname, files);
  };
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendFile(response: ServerResponse, pathname: string, files: Readonly<Record<string, string>>): void {
  const [prefix = '/', folder = ''] = Object.entries(files).find(([start]) => pathname.startsWith(start)) ?? [];
  const file = normalize(join(folder, pathname.slice(prefix.length)));
  try {
    if (!file.startsWith(folder)) throw new Error('outside');
    const body = readFileSync(file);
    response
      .writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'cache-control': 'max-age=600',
      })
      .end(body);
  } catch {
    response.writeHead(404).end();
  }
}
