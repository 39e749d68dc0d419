import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { browserFlags, findTestBrowser } from '../browser.js';

/** Starts the test browser, with additional flags for measurements. */
export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findTestBrowser(), args: [...browserFlags, ...flags] });
}

/** A demo page and its problems. */
export interface DemoPage {
  readonly page: Page;
  /** Violations of the content security policy, console errors and uncaught errors. */
  problems(): Promise<string[]>;
}

declare global {
  interface Window {
    policyViolations?: string[];
  }
}

/** Options of `openDemo`; `prepare` is called with the page before it loads. */
export interface DemoOptions extends BrowserContextOptions {
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Opens the demo signed in as a tenant. */
export async function openDemo(
  browser: Browser,
  origin: string,
  tenant: string,
  { prepare, ...options }: DemoOptions = {},
): Promise<DemoPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  await context.addCookies([{ name: 'tenant', value: tenant, url: origin }]);
  await context.addInitScript(() => {
    window.policyViolations = [];
    document.addEventListener('securitypolicyviolation', event => {
      window.policyViolations?.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', error => errors.push(error.message));
  await prepare?.(page);
  await page.goto(origin);
  return { page, problems: async () => [...errors, ...(await page.evaluate(() => window.policyViolations ?? []))] };
}
