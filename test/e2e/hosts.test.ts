import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedSessionHandler, toNodeHandler } from '../../src/node/index.js';
import { figureOf, formatNumber } from './board-page.js';
import { freePort } from './free-port.js';
import { launchBrowser } from './page.js';
import { flightsTo, referenceFor } from './reference.js';

// Applications of common frameworks, below test/hosts/: installs each from its lock file and the packed package, checks
// its types, builds it for production, and opens it in a browser.

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pa-embed-hosts-'));
const adminKey = randomBytes(24).toString('base64url');
const run = promisify(execFile);

interface DemoPlatform {
  readonly listening: Promise<string>;
  close(): Promise<void>;
}
interface DemoModules {
  prepareSources(): Promise<string>;
  startPlatform(options: object): DemoPlatform;
  applyContent(options: object): Promise<Readonly<Record<string, string>>>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Returns the policy of static hosts; `trustedTypes` are the policies of the framework itself. */
const contentPolicy = (platformUrl: string, trustedTypes: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${platformUrl}`,
    "require-trusted-types-for 'script'",
    `trusted-types lit-html ${trustedTypes}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

describe('an application built with', () => {
  let browser: Browser;
  let platform: DemoPlatform;
  let tarball: string;
  let port: number;
  let origin: string;
  const settings = { platformUrl: '', publicId: '' };

  beforeAll(async () => {
    const [sources, demo]: [Pick<DemoModules, 'prepareSources'>, Omit<DemoModules, 'prepareSources'>] =
      (await Promise.all(
        ['sources', 'platform'].map(name => import(new URL(`../../demo/${name}.js`, import.meta.url).href)),
      )) as never;
    port = await freePort();
    origin = `http://localhost:${port}`;
    const options = { port: 0, adminKey, allowOrigin: origin, sources: await sources.prepareSources() };
    platform = demo.startPlatform(options);
    settings.platformUrl = await platform.listening;
    const dashboards = await demo.applyContent({ platformUrl: settings.platformUrl, adminKey });
    settings.publicId = dashboards.departures ?? '';
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
    tarball = join(folder, stdout.trim());
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await platform?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Installs, checks and builds an application, and returns its folder. */
  async function build(name: string): Promise<string> {
    const cwd = join(folder, name);
    cpSync(join(root, 'test/hosts', name), cwd, { recursive: true });
    const { platformUrl, publicId } = settings;
    const env = {
      ...process.env,
      // Vitest sets NODE_ENV.
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      ...{ VITE_PLATFORM_URL: platformUrl, VITE_PUBLIC_ID: publicId },
      ...{ PUBLIC_PLATFORM_URL: platformUrl, PUBLIC_ID: publicId },
    };
    const npm = (...args: string[]): Promise<unknown> =>
      run('npm', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }).catch(({ stdout, stderr }) => {
        throw new Error(`npm ${args.join(' ')} in test/hosts/${name} failed:\n${stdout}\n${stderr}`);
      });
    await npm('ci', '--ignore-scripts', '--include=dev');
    await npm('install', '--no-save', '--ignore-scripts', tarball);
    await npm('run', 'check');
    await npm('run', 'build');
    return cwd;
  }

  /** Serves a folder of static files with the strictest policy, and creates sessions. */
  async function serveFiles(files: string, trustedTypes: string): Promise<() => void> {
    const mint = toNodeHandler(
      embedSessionHandler({
        baseUrl: settings.platformUrl,
        apiKey: adminKey,
        grantFor: () => ({ deploymentId: 1, externalId: 'rosa', securityContext: { airport: 'ORD' } }),
      }),
    );
    const routes: RequestListener = (request, response) => {
      const { pathname } = new URL(request.url ?? '/', origin);
      if (pathname === '/api/embed-session') return void mint(request, response);
      if (pathname === '/favicon.ico') return void response.writeHead(204).end();
      const file = join(files, pathname === '/' ? 'index.html' : pathname);
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.setHeader('content-security-policy', contentPolicy(settings.platformUrl, trustedTypes));
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
      createReadStream(file).pipe(response);
    };
    const server = createServer(routes).listen(port, 'localhost');
    await once(server, 'listening');
    return () => {
      server.closeAllConnections();
      server.close();
    };
  }

  /** Starts the production server of Next. */
  async function startNext(cwd: string): Promise<() => void> {
    const child: ChildProcess = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', `${port}`], {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        NEXT_TELEMETRY_DISABLED: '1',
        PA_BASE_URL: settings.platformUrl,
        PA_PUBLIC_ID: settings.publicId,
        PA_ADMIN_KEY: adminKey,
      },
    });
    if (child.stdout) {
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.includes('Ready')) break;
      }
    }
    return () => void child.kill('SIGTERM');
  }

  async function open(): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', message => {
      // The complete browser requests an icon, which the applications do not have.
      const isIcon = message.location().url.endsWith('/favicon.ico');
      if (!isIcon && ['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', error => problems.push(error.message));
    await page.goto(origin);
    return { page, problems };
  }

  /** Draws the dashboard, sets a filter as a property, and receives events. */
  async function expectDashboard(page: Page): Promise<void> {
    const figure = expect.poll(() => figureOf(page, 'Flights'));
    await figure.toBe(formatNumber((await referenceFor('ORD')).flights));
    await page.locator('pa-tile-chart svg').first().waitFor({ state: 'attached' });
    await page.getByText(/^Loaded: [1-9]/).waitFor();
    await page.getByRole('button', { name: 'California' }).click();
    await expect.poll(() => figureOf(page, 'Flights')).toBe(formatNumber(await flightsTo('ORD', 'CA')));
  }

  async function expectRows(page: Page): Promise<void> {
    const { flights } = await referenceFor('ORD');
    await page.getByText(`Flights: ${flights}`, { exact: true }).waitFor();
  }

  it.each([
    ['react', 'dist', ''],
    ['vue', 'dist', 'vue'],
    ['svelte', 'dist', 'svelte-trusted-html'],
    ['astro', 'dist', ''],
  ])(
    '%s draws a dashboard under the strictest policy',
    async (name, output, trustedTypes) => {
      const cwd = await build(name);
      const stop = await serveFiles(join(cwd, output), trustedTypes);
      try {
        const { page, problems } = await open();
        await expectDashboard(page);
        if (name === 'react') await expectRows(page);
        expect(problems).toEqual([]);
        await page.close();
      } finally {
        stop();
      }
    },
    600_000,
  );

  it('next renders on the server, hydrates, and draws a dashboard under a policy with a nonce', async () => {
    const stop = await startNext(await build('next'));
    try {
      const html = await (await fetch(origin)).text();
      expect(html).toContain(`<pa-dashboard public-id="${settings.publicId}">`);
      const { page, problems } = await open();
      await expectDashboard(page);
      await expectRows(page);
      expect(problems).toEqual([]);
      await page.close();
    } finally {
      stop();
    }
  }, 600_000);
});
