import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Locator, Page } from 'playwright-core';
import { waitTimeoutMs } from '../eventually.js';
import { type DemoOptions, type DemoPage, openDemo } from './page.js';

// Helpers for demo dashboards.

/** Methods and properties that tests use. */
export type Board = HTMLElement & {
  filters: unknown;
  lockedFilters: unknown;
  loadAll(): Promise<void>;
  refresh(): Promise<void>;
  print(): Promise<void>;
  getState(): Record<string, Record<string, unknown>>;
  setState(state: object): void;
};

/** Opens a demo dashboard as a tenant, and waits until all tiles settle. */
export async function openBoard(
  browser: Browser,
  address: string,
  tenant: string,
  options: DemoOptions = {},
): Promise<DemoPage> {
  const opened = await openDemo(browser, address, tenant, options);
  opened.page.setDefaultTimeout(waitTimeoutMs);
  await drawBoard(opened.page);
  return opened;
}

/** Waits until every tile settles, including those in unopened tabs. */
export async function drawBoard(page: Page): Promise<void> {
  await page.locator('pa-dashboard pa-tile').first().waitFor();
  await page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.loadAll());
}

/** Returns the tile with this heading. */
export const tileOf = (page: Page, name: string): Locator =>
  page.locator('pa-dashboard pa-tile').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** Returns the displayed number of a KPI. */
export const figureOf = async (page: Page, name: string): Promise<string> =>
  (await tileOf(page, name).locator('[part~="figure"]').innerText()).trim();

/** Formats a number like the elements do in English. */
export const formatNumber = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns the source of the axe engine. */
const axeScript = (): string => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose result depends on colors. Only these rules can differ between color schemes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Scope of the axe rules: the page, or the element of `scope` with its content, with all rules or some of them. */
export interface AxeOptions {
  readonly scope?: Locator;
  /** `color` runs only the rules that depend on colors, `structure` all others. */
  readonly rules?: 'all' | 'color' | 'structure';
}

/**
 * Returns one line per violated axe rule, with the first violating node. Injects the engine through the debugger,
 * so the page’s content security policy stays unchanged.
 */
export async function violationsOn(page: Page, { scope, rules = 'all' }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript());
  await waitForAnimations(page);
  return (scope ?? page.locator('html')).evaluate(
    async (root, [chosen, ids]) => {
      type Axe = {
        run(root: Node, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
      const selection = {
        all: {},
        color: { runOnly: ids },
        structure: { rules: Object.fromEntries(ids.map(id => [id, { enabled: false }])) },
      }[chosen];
      const { axe } = window as unknown as { axe: Axe };
      const node = root === document.documentElement ? document : root;
      const { violations } = await axe.run(node, { resultTypes: ['violations'], ...selection });
      return violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html}`);
    },
    [rules, colorRules] as const,
  );
}

/** Waits until all finite transitions and animations end. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isMoving = (root: Document | ShadowRoot): boolean =>
      root
        .getAnimations()
        .some(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity) ||
      [...root.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot !== null && isMoving(shadowRoot));
    return !isMoving(document);
  });
}
