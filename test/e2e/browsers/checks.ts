import { expect } from 'vitest';
import { formatNumber } from '../board-page.js';
import { flightsTo, referenceFor } from '../reference.js';
import { slowAnswer } from '../slow-model.js';
import type { PageOfElements, Target } from './page-of-elements.js';

/** Environment of a check. */
export interface Scene {
  readonly page: PageOfElements;
  /** Origin of the demo. */
  readonly demo: string;
  /** Origin of a host with a chat whose language model pauses after the first words. */
  readonly slowChat: string;
}

/** One check of the smoke suite. */
export interface Check {
  readonly name: string;
  run(scene: Scene): Promise<void>;
}

const tenant = 'ohare';
const airport = 'ORD';

const figure: Target = { tile: 'Flights', selector: '[part~="figure"]' };
const filterChip = (text: string): Target => ({ selector: 'pa-filter >>> #chip', text });
const filterWith = (text: string): Target => ({ selector: 'pa-filter', text });
const panel: Target = { selector: 'pa-filter-panel' };
const openMenu: Target = { selector: '[role="menu"]' };
const menuItem: Target = { selector: '[role="menuitem"]' };
const bar: Target = { tile: 'By state of arrival', selector: '.chart svg .mark-rect.role-mark path' };

const expectFigure = (page: PageOfElements, value: number) =>
  expect.poll(() => page.texts(figure)).toEqual([formatNumber(value)]);

/** Sets a select of the demo page. */
const selectOption = (page: PageOfElements, list: string, value: string) =>
  page.browser.run(
    `(list, value) => {
      const select = document.querySelector('#' + list);
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }`,
    list,
    value,
  );

async function openAnalysis({ page, demo }: Scene): Promise<number> {
  await page.openDemo(`${demo}/analysis`, tenant);
  const { flights } = await referenceFor(airport);
  await expectFigure(page, flights);
  return flights;
}

/** All checks, in order of cost. Each opens a separate page. */
export const checks: readonly Check[] = [
  {
    name: 'renders every tile of every page',
    async run({ page, demo }) {
      for (const path of ['/', '/network', '/analysis']) {
        await page.openDemo(`${demo}${path}`, tenant);
        expect(await page.count({ selector: 'pa-tile' }), path).toBeGreaterThan(4);
        expect(await page.texts({ selector: '.notice' }), path).toEqual([]);
        expect(await page.count({ selector: '.chart svg, .drawing svg, table' }), path).toBeGreaterThan(2);
      }
      await page.openDemo(`${demo}/ask`, tenant);
      await page.appears({ selector: 'pa-chat >>> textarea' });
    },
  },
  {
    name: 'filters by values selected in a panel that fits its content',
    async run(scene) {
      const { page } = scene;
      const all = await openAnalysis(scene);
      await page.click(filterChip('State'));
      const item = { selector: 'pa-filter-panel >>> .item', text: 'CA' };
      await page.appears(item);
      const { height } = await page.box(panel);
      expect(height).toBeGreaterThan(200);
      await page.click(item);
      await expectFigure(page, await flightsTo(airport, 'CA'));
      await page.browser.press('Escape');
      await expect.poll(() => page.count(panel)).toBe(0);
      await page.appears(filterWith('CA'));
      await page.click({ selector: '[part~="reset"]' });
      await expectFigure(page, all);
    },
  },
  {
    name: 'filters other tiles by a clicked bar',
    async run(scene) {
      const { page } = scene;
      const all = await openAnalysis(scene);
      await page.click(bar);
      await page.appears({ selector: 'pa-mark-chip' });
      await expect.poll(() => page.texts(figure)).not.toEqual([formatNumber(all)]);
      await page.click({ selector: 'pa-mark-chip >>> button' });
      await expectFigure(page, all);
    },
  },
  {
    name: 'filters other tiles by a chart brush',
    async run(scene) {
      const { page } = scene;
      const all = await openAnalysis(scene);
      const { x, y, width, height } = await page.box({ tile: 'By state of arrival', selector: '.chart svg' });
      await page.browser.drag({ x: x + width * 0.2, y: y + height * 0.1 }, { x: x + width * 0.9, y: y + height * 0.5 });
      await page.appears({ selector: 'pa-mark-chip' });
      await expect.poll(() => page.texts(figure)).not.toEqual([formatNumber(all)]);
    },
  },
  {
    name: 'sorts a table by its heading and moves between its cells by arrow keys',
    async run(scene) {
      const { page } = scene;
      await openAnalysis(scene);
      const heading: Target = { tile: 'Destinations', selector: 'thead th', text: 'city' };
      const cells: Target = { tile: 'Destinations', selector: 'tbody tr td:nth-child(2), tbody tr th:nth-child(2)' };
      const before = await page.texts(cells);
      await page.click(heading);
      await expect.poll(() => page.texts(cells)).not.toEqual(before);
      const active: Target = { tile: 'Destinations', selector: 'td.active, th.active' };
      await page.browser.press('ArrowDown');
      const first = await page.texts(active);
      await page.browser.press('ArrowDown');
      await expect.poll(() => page.texts(active)).not.toEqual(first);
    },
  },
  {
    name: 'moves between tabs by arrow keys with a focus ring, after a click',
    async run({ page, demo }) {
      await page.openDemo(`${demo}/network`, tenant);
      await page.click({ selector: '[role="tab"]', text: 'Airports' });
      await page.appears({ selector: '[role="tab"][aria-selected="true"]', text: 'Airports' });
      await page.browser.press('ArrowRight');
      const next = { selector: '[role="tab"]', text: 'Flows' };
      await expect.poll(() => page.hasFocusRing(next)).toBe(true);
      await page.browser.press('Enter');
      await page.appears({ selector: '[role="tab"][aria-selected="true"]', text: 'Flows' });
    },
  },
  {
    name: 'opens a tile menu by pointer, moves through it by arrow keys with a focus ring, and closes it',
    async run(scene) {
      const { page } = scene;
      await openAnalysis(scene);
      await page.click({ tile: 'By state of arrival', selector: '.menu' });
      await page.appears(openMenu);
      await page.browser.press('ArrowDown');
      await expect.poll(() => page.hasFocusRing(menuItem)).toBe(true);
      await page.browser.press('Escape');
      await expect.poll(() => page.count(openMenu)).toBe(0);
    },
  },
  {
    name: 'stops a chat answer and announces it',
    async run({ page, slowChat }) {
      await page.openDemo(`${slowChat}/ask`, tenant);
      await page.click({ selector: 'pa-chat-composer >>> textarea' });
      await page.browser.type('Say something');
      await page.browser.press('Enter');
      const answer = { selector: 'pa-chat-turn >>> .answer', text: slowAnswer[0]?.trim() ?? '' };
      await page.appears(answer);
      await page.click({ selector: 'pa-chat-composer >>> button[aria-label="Stop"]' });
      await page.appears({ selector: '.ending.aborted' });
      const said = await page.texts({ selector: 'pa-chat >>> [role="status"]' });
      expect(said.join(' ')).toContain('You stopped this answer.');
      expect(said.join(' ')).not.toContain('Answer complete');
      expect((await page.texts(answer)).join(' ')).not.toContain('the second');
    },
  },
  {
    name: 'follows the page’s dark mode',
    async run(scene) {
      const { page } = scene;
      await openAnalysis(scene);
      const lightness = () =>
        page.read<number>(
          { tile: 'Flights', selector: 'article' },
          `element => getComputedStyle(element).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)`,
        );
      const before = await lightness();
      await page.click({ selector: '#scheme' });
      await expect.poll(async () => Math.abs((await lightness()) - before)).toBeGreaterThan(400);
    },
  },
  {
    name: 'shows Arabic from right to left, with Latin digits',
    async run({ page, demo }) {
      await page.openDemo(`${demo}/`, tenant);
      await selectOption(page, 'language', 'ar');
      await page.appears({ selector: 'pa-dashboard >>> [dir="rtl"]' });
      await page.tilesAreDrawn();
      const languageOf = () =>
        page.browser.run<string>(
          `() => document.querySelector('pa-dashboard').shadowRoot.querySelector('[lang]').lang`,
        );
      await expect.poll(languageOf).toBe('ar');
      const texts = (await page.texts({ selector: 'pa-tile' })).join('\n');
      expect(texts).toMatch(/[\u0600-\u06ff]/u);
      expect(texts.match(/[\u0660-\u0669\u06f0-\u06f9]/gu)).toBeNull();
      await selectOption(page, 'language', '');
    },
  },
  {
    name: 'keeps to a strict content security policy',
    async run({ page, demo }) {
      for (const path of ['/', '/network', '/analysis', '/ask']) {
        await page.openWatched(`${demo}${path}`, tenant);
        expect(await page.policyViolations(), path).toEqual([]);
      }
      // By now, any violation would have been reported.
      await page.browser.run(
        `() => document.body.append(Object.assign(new Image(), { src: 'http://localhost:9/x.png' }))`,
      );
      await expect
        .poll(() => page.policyViolations())
        .toEqual([expect.stringMatching(/^img-src http:\/\/localhost:9/)]);
    },
  },
];
