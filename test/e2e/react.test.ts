import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { createElement, type FunctionComponent, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './page.js';

// A page that React renders on the server and hydrates after the elements are defined and rendered.

const root = fileURLToPath(new URL('../..', import.meta.url));
const origin = 'http://host.test';

/** Each element with defaults, and the other chat modes. The page script renders the same elements. */
const tags: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['pa-dashboard', { 'public-id': 'abcdefghijkl' }],
  ['pa-report', { dashboard: 'abcdefghijkl', report: 'Orders' }],
  ['pa-chat', { account: 'local', 'agent-id': '1' }],
  ['pa-chat', { account: 'local', 'agent-id': '1', mode: 'panel' }],
  ['pa-chat', { account: 'local', 'agent-id': '1', mode: 'docked' }],
];

const app = (): ReactElement =>
  createElement('pa-session', {}, ...tags.map(([tag, attributes], key) => createElement(tag, { key, ...attributes })));

const script = `
  import { createElement, useEffect } from 'react';
  import { hydrateRoot } from 'react-dom/client';
  import 'pa-embed';
  const tags = ${JSON.stringify(tags)};
  const App = () => {
    useEffect(() => { document.title = 'hydrated'; }, []);
    return createElement('pa-session', {}, ...tags.map(([tag, attributes], key) => createElement(tag, { key, ...attributes })));
  };
  const main = document.querySelector('main');
  await Promise.all([...main.querySelectorAll('*')].map(element => element.updateComplete));
  hydrateRoot(main, createElement(App), { onRecoverableError: error => console.error(error.message) });
`;

/** The React application in the browser. Its fake service is separate from the one of the server. */
const wrapperScript = `
  import { createElement } from 'react';
  import { hydrateRoot } from 'react-dom/client';
  import * as components from 'pa-embed/react';
  import { createApp } from './test/e2e/react-wrappers.js';
  import { FakeService, json, loadAnswer } from './test/client/fake-service.ts';
  const service = new FakeService();
  service.routes.set('POST /data-api/v1/load', () => json(loadAnswer([{ 'flights.count': 7 }])));
  window.fetch = service.fetch;
  const main = document.querySelector('main');
  await Promise.all([...main.querySelectorAll('*')].map(element => element.updateComplete));
  hydrateRoot(main, createElement(createApp(components)), { onRecoverableError: error => console.error(error.message) });
`;

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    write: false,
    // React warns of mismatches in development only.
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]?.text ?? '';
}

describe('React hydration', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** Opens a page with server-rendered markup and a script, and waits until it is hydrated. */
  async function open(markup: string, script: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(error.message));
    const html = `<!doctype html><link rel="icon" href="data:,"><main>${markup}</main><script type="module" src="/app.js"></script>`;
    const body = await bundle(script);
    await page.route(`${origin}/**`, route =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body })
        : route.fulfill({ contentType: 'text/html', body: html }),
    );
    await page.goto(origin);
    await page.waitForFunction(() => document.title.startsWith('hydrated'));
    return { page, complaints };
  }

  it('matches the server-rendered markup', async () => {
    const { page, complaints } = await open(renderToString(app()), script);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('sets properties and listeners of the React components, which a server renders as attributes', async () => {
    const load = (file: string): Promise<Record<string, FunctionComponent>> =>
      import(pathToFileURL(`${root}${file}`).href);
    const { createApp } = await load('test/e2e/react-wrappers.js');
    const App = createApp?.(await load('dist/frameworks/react/index.js')) as unknown as FunctionComponent;
    const markup = renderToString(createElement(App));
    expect(markup).toContain(
      '<pa-dashboard class="board" public-id="abcdefghijkl" heading-level="3" restrict-download=""></pa-dashboard>',
    );
    expect(markup).toContain('<output>waiting</output>');
    const { page, complaints } = await open(markup, wrapperScript);
    expect(await page.title()).toBe('hydrated pa-dashboard');
    await page.getByText('Flights: 7', { exact: true }).waitFor();
    const filters = () => page.evaluate(() => Object(document.querySelector('pa-dashboard')).filters);
    const drill = () =>
      page.evaluate(() => void document.querySelector('pa-dashboard')?.dispatchEvent(new Event('pa-drill')));
    expect(await filters()).toEqual({ 'orders.status': { value: ['open'] } });
    for (const text of ['Drills: 1', 'Drills: 2']) {
      await drill();
      await page.getByText(text, { exact: true }).waitFor();
    }
    expect(await filters()).toBeNull();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
