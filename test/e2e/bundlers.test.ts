import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { Browser } from 'playwright-core';
import * as rolldown from 'rolldown';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { drawBoard } from './board-page.js';
import { type DemoPage, launchBrowser, openDemo } from './page.js';

// Bundles the built package with bundlers that hosts use, instead of the demo’s standalone script. Bundlers honor
// `sideEffects` of package.json; they must not drop modules that render.

const demo = inject('demo');
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pa-embed-bundlers-'));
const app = join(folder, 'app.js');

/** Bundles the host script and returns the bundler’s warnings. */
type Bundle = (outFolder: string) => Promise<string[]>;

const withEsbuild: Bundle = async outdir => {
  const { warnings } = await esbuild.build({
    entryPoints: [app],
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    outdir,
    entryNames: 'pa-embed',
    logLevel: 'silent',
  });
  return warnings.map(({ text }) => text);
};

const withRolldown: Bundle = async dir => {
  const warnings: string[] = [];
  await rolldown.build({
    input: app,
    platform: 'browser',
    output: { dir, entryFileNames: 'pa-embed.js', minify: true },
    onLog: (_level, { message }) => warnings.push(message),
  });
  return warnings;
};

// A quick run covers only the other bundler. Vite bundles with Rolldown, which also bundles the demo's standalone
// script.
const bundlers: readonly (readonly [string, Bundle])[] = [
  ['esbuild', withEsbuild],
  ['rolldown', withRolldown],
];

describe.each(bundlers)('a page that %s has bundled', (name, bundle) => {
  let browser: Browser;
  let warnings: string[];
  const bundled = join(folder, name);

  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    rmSync(join(folder, 'node_modules/pa-embed'), { force: true });
    symlinkSync(root, join(folder, 'node_modules/pa-embed'));
    writeFileSync(
      app,
      ['session', 'dashboard', 'report', 'chat'].map(tag => `import 'pa-embed/pa-${tag}';\n`).join(''),
    );
    warnings = await bundle(bundled);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (path: string): Promise<DemoPage> =>
    openDemo(browser, `${demo}${path}`, 'ohare', {
      prepare: page =>
        page.route(/\/pa-embed\/[^/]+\.js$/, route => {
          const file = join(bundled, basename(new URL(route.request().url()).pathname));
          return route.fulfill({ contentType: 'text/javascript', body: readFileSync(file) });
        }),
    });

  it('renders charts, maps, flows and HTML', async () => {
    const { page, problems } = await open('/network');
    await drawBoard(page);
    for (const part of ['chart svg', 'map svg', 'sankey svg', 'html [part~=html]']) {
      await page.locator(`pa-tile-${part}`).first().waitFor({ state: 'attached' });
    }
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it('renders figures, tables, controls and a single report, and answers with a chart and accepts an image', async () => {
    const { page, problems } = await open('/');
    await drawBoard(page);
    await page.locator('pa-controls pa-control').first().waitFor();
    await page.locator('pa-tile-kpi [part~=figure]').first().waitFor();
    await page.locator('pa-tile-table tbody tr').first().waitFor();
    await page.locator('pa-report pa-tile').first().waitFor();
    await page.locator('pa-chat .launcher').click();
    await page.locator('pa-chat textarea').fill('Flights by month');
    await page.locator('pa-chat textarea').press('Enter');
    await page.locator('pa-chat-result pa-tile-chart svg').first().waitFor();
    const image = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') };
    await page.locator('pa-chat input[type=file]').setInputFiles(image);
    await page.locator('pa-chat-attachments img').waitFor();
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it('causes no bundler warnings', () => {
    expect(warnings).toEqual([]);
  });
});

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
