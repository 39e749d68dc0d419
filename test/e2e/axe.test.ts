import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { testDepth } from '../property.js';
import { openBoard, violationsOn } from './board-page.js';
import { analysisStates, departuresStates, networkStates } from './board-states.js';
import { launchBrowser, openDemo } from './page.js';

// Runs all axe rules on every demo dashboard and its page. In each state of a dashboard, runs them on the parts that
// the state changes. Element tests run them on each element.

const demo = inject('demo');
const boards = [
  { path: '/', states: departuresStates },
  { path: '/network', states: networkStates },
  { path: '/analysis', states: analysisStates },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(boards)('axe finds no violations on $path', ({ path, states }) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openBoard(browser, `${demo}${path}`, 'ohare'));
  });
  afterAll(() => page.context().close());

  it.each(states.filter(({ isDeep }) => testDepth() === 'deep' || !isDeep))(
    '$name',
    async ({ enter, leave, checks }) => {
      await enter(page);
      const found = await violationsOn(page, checks?.(page));
      // Restore the initial state even if violations were found.
      await leave?.(page);
      expect(found).toEqual([]);
    },
  );
});

it('covers at least 40 states with unique names', () => {
  const names = boards.flatMap(({ path, states }) => states.map(({ name }) => `${path} ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
});

it('finds an actual violation, of the rules and in the element that it checks', async () => {
  const { page } = await openDemo(browser, `${demo}/ask`, 'ohare');
  await page.locator('pa-chat textarea').waitFor();
  await page.evaluate(() => {
    const paragraph = Object.assign(document.createElement('p'), { textContent: 'Pale', id: 'pale' });
    // Use a style sheet of the page, because the policy blocks style attributes.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('#pale { position: fixed; inset: 0 auto auto 0; z-index: 9; color: #eee; background: #fff }');
    document.adoptedStyleSheets = [sheet];
    document.querySelector('main')?.append(document.createElement('input'), paragraph);
  });
  const [label, contrast] = [/^label \(1\)/, /^color-contrast \(1\)/].map(rule => expect.stringMatching(rule));
  expect(await violationsOn(page)).toEqual([contrast, label]);
  expect(await violationsOn(page, { rules: 'color' })).toEqual([contrast]);
  expect(await violationsOn(page, { rules: 'structure' })).toEqual([label]);
  expect(await violationsOn(page, { scope: page.locator('main > input') })).toEqual([label]);
  expect(await violationsOn(page, { scope: page.locator('pa-chat') })).toEqual([]);
  await page.context().close();
});
