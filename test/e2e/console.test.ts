import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { violationsOn } from './board-page.js';
import { type DemoPage, launchBrowser, openDemo } from './page.js';
import { referenceFor } from './reference.js';

// The console page of the demo's platform.

const { origin, keyFile } = inject('platform');
const key = readFileSync(keyFile, 'utf8').trim();
const { port } = new URL(origin);

function request(path: string, host: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${origin}${path}`, { headers: { host } }, response => {
      response.resume();
      resolve(response);
    }).on('error', reject);
  });
}

describe('HTTP', () => {
  it('serves the page with a strict policy, and its files as immutable', async () => {
    for (const path of ['/', '/console']) {
      const { status, headers } = await fetch(origin + path);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; .*frame-ancestors 'none'$/,
        ),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(headers.has('set-cookie')).toBe(false);
    }
    const [, script] = /src="(\/console\/[^"]+)"/.exec(await (await fetch(origin)).text()) ?? [];
    const { headers } = await fetch(origin + script);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('serves the files that it has in common with the standalone bundle, such as Vega, from there', async () => {
    const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
    const file = readdirSync(`${dist}standalone`).find(name => /^vega-lite-[\w-]{8}\.js$/.test(name));
    expect(readdirSync(`${dist}console/page`)).not.toContain(file);
    expect((await fetch(`${origin}/console/${file}`)).headers.get('cache-control')).toContain('immutable');
  });

  it('serves the documentation that the page links to', async () => {
    const response = await fetch(`${origin}/console/docs/getting-started.md`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toContain('# Getting started');
  });

  it.each([
    '/console/docs/nothing.md',
    '/console/docs/..%2fREADME.md',
    '/console/nothing.js',
    '/console/..%2fmain.js',
    '/console/%2e%2e%2fmain.js',
    '/console/index.html',
    '/console/pa-embed.js',
    `/console/${'long'.repeat(100)}.js`,
    `/console/docs/${'long'.repeat(100)}.md`,
  ])('has no %s', async path => {
    expect((await fetch(origin + path)).status).toBe(401);
  });

  it('redirects another name of the loopback address, and rejects any other host', async () => {
    const { statusCode, headers } = await request('/console', `localhost:${port}`);
    expect([statusCode, headers.location]).toEqual([302, `${origin}/console`]);
    expect((await request('/', 'attacker.example')).statusCode).toBe(421);
  });
});

describe('page', () => {
  let browser: Browser;
  let opened: DemoPage;
  let page: Page;
  const messages: string[] = [];
  const urls: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    opened = await openDemo(browser, origin, '', {
      prepare: async prepared => {
        prepared.on('console', message => messages.push(message.text()));
        prepared.on('request', sent => urls.push(sent.url()));
      },
    });
    page = opened.page;
  });
  afterAll(() => browser.close());

  const signIn = async (text: string) => {
    await page.fill('#key', text);
    await page.keyboard.press('Enter');
  };
  const viewAs = async (airport: string) => {
    if (!(await page.locator('#securityContext').isVisible()))
      await page.locator('summary', { hasText: 'View as' }).click();
    await page.fill('#securityContext', JSON.stringify({ airport }));
    await page.click('#apply');
  };

  it('says that a wrong key is not accepted', async () => {
    expect(await violationsOn(page)).toEqual([]);
    for (const link of await page.locator('main a').all()) {
      expect((await fetch(origin + (await link.getAttribute('href')))).status).toBe(200);
    }
    await signIn('not-the-key');
    await page.getByText('The platform rejected this key').waitFor();
    expect(
      await page.locator('#key').evaluate(field => field === (field.getRootNode() as ShadowRoot).activeElement),
    ).toBe(true);
    // The browser itself logs responses with status 401.
    expect((await opened.problems()).filter(problem => !problem.includes('401'))).toEqual([]);
  });

  it('shows nothing without a security context, and each tenant its own rows', async () => {
    await signIn(key);
    await page.getByText('This viewer sees no members').waitFor();
    for (const airport of ['ORD', 'DFW']) {
      await viewAs(airport);
      await page.getByText(/^\d rows · /).waitFor();
      await page.locator('pa-tile-chart svg').waitFor();
      await page.click('#tab-table');
      const cells = page.locator('pa-tile-table').locator('td, [role=gridcell]');
      await cells.first().waitFor();
      const figures = (await cells.allTextContents()).flatMap(text =>
        /^[\d,]+$/.test(text.trim()) ? [Number(text.replace(',', ''))] : [],
      );
      expect(figures.reduce((sum, figure) => sum + figure, 0)).toBe((await referenceFor(airport)).flights);
      await page.click('#tab-sql');
      await page.getByText(`-- $1 = "${airport}"`).waitFor();
      await page.click('#tab-chart');
    }
  });

  it('filters with the values of the session, by keyboard', async () => {
    await page.locator('[data-filter="departures.destination_state"]').press('Enter');
    await page.keyboard.press('Enter');
    await page.locator('pa-filter-panel').getByLabel('CA').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.click('#tab-yaml');
    await page.getByText('member: departures.destination_state').waitFor();
    expect(await violationsOn(page)).toEqual([]);
  });

  it('keeps the key out of the document, URLs, storage and messages', async () => {
    const kept = await page.evaluate(() => {
      const markup = (root: ParentNode): string =>
        [...root.querySelectorAll('*')]
          .map(element => {
            const { shadowRoot, outerHTML } = element;
            const value = element instanceof HTMLInputElement ? element.value : '';
            return outerHTML + value + (shadowRoot ? shadowRoot.innerHTML + markup(shadowRoot) : '');
          })
          .join('');
      const storage = [localStorage, sessionStorage].map(each => JSON.stringify(each));
      return [markup(document), location.href, document.cookie, ...storage, JSON.stringify(history.state)].join('\n');
    });
    expect(kept).toContain('departures.destination_state');
    const all = [kept, ...messages, ...urls].join('\n');
    expect(all).not.toContain(key);
    expect(new Set(urls.map(url => new URL(url).origin))).toEqual(new Set([origin]));
    expect((await opened.problems()).filter(problem => !problem.includes('401'))).toEqual([]);
  });

  it('forgets the key on sign-out', async () => {
    await page.click('#sign-out');
    expect(await page.inputValue('#key')).toBe('');
    expect(await page.locator('pa-console-playground').count()).toBe(0);
  });
});
