import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { testDepth } from '../property.js';
import { openBoard, violationsOn } from './board-page.js';
import { analysisStates, departuresStates, networkStates } from './board-states.js';
import { launchBrowser } from './page.js';

// Runs all axe rules on every demo dashboard, including its page, in each of its states. Element tests run them on each
// element.

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

  it.each(states.filter(({ isDeep }) => testDepth() === 'deep' || !isDeep))('$name', async ({ enter, leave }) => {
    await enter(page);
    const found = await violationsOn(page);
    // Restore the initial state even if violations were found.
    await leave?.(page);
    expect(found).toEqual([]);
  });
});

it('covers at least 40 states with unique names', () => {
  const names = boards.flatMap(({ path, states }) => states.map(({ name }) => `${path} ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
});

it('finds an actual violation', async () => {
  const { page } = await openBoard(browser, demo, 'ohare');
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('input')));
  expect(await violationsOn(page)).toEqual([expect.stringMatching(/^label \(1\)/)]);
  await page.context().close();
});
