import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { Browser } from 'playwright-core';
import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './page.js';

// A page that React renders on the server and hydrates after the elements are defined and rendered.

const root = fileURLToPath(new URL('../..', import.meta.url));
const origin = 'http://host.test';

/** Each element with defaults, and the other chat modes. The page script renders the same. */
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

describe('React hydration', () => {
  let browser: Browser;
  let bundled = '';
  beforeAll(async () => {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: script, resolveDir: root },
      bundle: true,
      format: 'esm',
      write: false,
      // React warns of mismatches in development only.
      define: { 'process.env.NODE_ENV': '"development"' },
    });
    bundled = outputFiles[0]?.text ?? '';
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('matches the server-rendered markup', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(error.message));
    const html = `<!doctype html><link rel="icon" href="data:,"><main>${renderToString(app())}</main><script type="module" src="/app.js"></script>`;
    await page.route(`${origin}/**`, route =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: bundled })
        : route.fulfill({ contentType: 'text/html', body: html }),
    );
    await page.goto(origin);
    await page.waitForFunction(() => document.title === 'hydrated');
    expect(complaints).toEqual([]);
    await page.close();
  });
});
