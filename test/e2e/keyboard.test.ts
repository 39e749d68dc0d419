import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { drawBoard, figureOf, openBoard, tileOf, written } from './board-page.js';
import { expectFocus, press, tabTo } from './keys.js';
import { type DemoPage, launchBrowser } from './page.js';
import { flightsTo, referenceFor } from './reference.js';

// A whole analysis by somebody who has no pointer: each test goes on where the one before it has ended. After each step stands what is
// seen, and where the focus is.

const demo = inject('demo');

let browser: Browser;
let opened: DemoPage;
let page: Page;

declare global {
  interface Window {
    pointed?: string[];
  }
}

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openBoard(browser, `${demo}/analysis`, 'ohare', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = opened.page;
  await page.evaluate(() => {
    const pointed: string[] = [];
    window.pointed = pointed;
    for (const type of ['mousedown', 'mousemove', 'pointerdown', 'pointermove', 'touchstart'])
      addEventListener(type, () => pointed.push(type), { capture: true });
  });
});
afterAll(() => browser.close());

const controls = (): Locator => page.getByRole('group', { name: 'Controls' });
const chip = (name: string): Locator => controls().getByRole('button', { name, exact: true });
const list = (name: string): Locator => controls().getByRole('combobox', { name });
const menuOf = (name: string): Locator =>
  tileOf(page, name).getByRole('button', { name: `Menu of ${name}`, exact: true });
const chartOf = (name: string): Locator => tileOf(page, name).getByRole('application', { name });
const gridOf = (name: string): Locator => tileOf(page, name).getByRole('grid', { name, exact: true });
const item = (name: string): Locator => page.getByRole('menuitem', { name, exact: true });
const dialog = (): Locator => page.getByRole('dialog');

/** What is told to those who listen, by any part of a place. */
const toldIn = async (place: Locator): Promise<string> => (await place.getByRole('status').allInnerTexts()).join(' ');
const isTold = (place: Locator, text: string | RegExp) =>
  expect
    .poll(() => toldIn(place))
    .toEqual(typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text));
/** What the dashboard tells of its controls. */
const announced = (text: string) => isTold(page.locator('pa-controls'), text);

/** The cell that the keys stand on. */
const cellOf = (grid: Locator): Promise<string> =>
  grid.evaluate(table => {
    const root = table.getRootNode() as ShadowRoot;
    const cell = root.getElementById(table.getAttribute('aria-activedescendant') ?? '');
    return cell?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  });
const isAtCell = (grid: Locator, text: string) => expect.poll(() => cellOf(grid)).toBe(text);
/** What a column of a table shows, from its first row on. */
const columnOf = (grid: Locator, column: number, rows: number): Promise<string[]> =>
  grid.evaluate(
    (table, [at, most]) =>
      [...table.querySelectorAll('tbody tr')]
        .slice(0, most)
        .map(row => row.children[at]?.textContent?.replace(/\s+/g, ' ').trim() ?? ''),
    [column, rows] as const,
  );
const summaryOf = (name: string): Promise<string> =>
  chartOf(name).getByRole('img').getAttribute('aria-label').then(String);

describe('the way to a dashboard', () => {
  it('leads by Tab past the page’s own links to the first control', async () => {
    expect(await figureOf(page, 'Flights')).toBe(written((await referenceFor('ORD')).flights));
    await press(page, 'Tab');
    await expectFocus(page.getByRole('link', { name: 'Departures' }));
    await tabTo(page, list('Focus'));
  });
});

describe('a filter', () => {
  it('opens with Enter, and takes the focus', async () => {
    await tabTo(page, chip('State: All'));
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
  });

  it('suggests the values of the data, and is searched by typing', async () => {
    expect(await dialog().getByRole('checkbox').count()).toBeGreaterThan(20);
    await page.keyboard.type('ca');
    await expect.poll(() => dialog().getByRole('checkbox').count()).toBe(1);
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await press(page, 'Tab');
    await expectFocus(dialog().getByRole('checkbox', { name: 'CA' }));
  });

  it('is applied with Space: figures are others, and it is said', async () => {
    await press(page, 'Space');
    const wanted = written(await flightsTo('ORD', 'CA'));
    await expect.poll(() => figureOf(page, 'Flights')).toBe(wanted);
    await expectFocus(dialog().getByRole('checkbox', { name: 'CA', checked: true }));
    await announced('State is CA.');
    const inAddress = () => new URL(page.url()).searchParams.get('f_departures.destination_state');
    await expect.poll(inAddress).toBe('{"value":"CA"}');
  });

  it('closes with Escape, and gives the focus back to what it was opened by', async () => {
    await press(page, 'Escape');
    await expectFocus(chip('State is CA'));
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('closes as well when the focus goes on by Tab', async () => {
    await tabTo(page, chip('City: All'));
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await tabTo(page, chip('Time of day: All'));
    await expect.poll(() => dialog().count()).toBe(0);
  });
});

describe('the grain of times', () => {
  it('is chosen with the arrows, and keeps the focus', async () => {
    await tabTo(page, list('Granularity'));
    expect(await summaryOf('Over time')).toContain('2001-01-01 W01');
    await press(page, 'ArrowDown');
    await expect.poll(() => list('Granularity').inputValue()).toBe('month');
    await expect.poll(() => summaryOf('Over time')).toContain('2001 Jan to 2001 Jun');
    await expectFocus(list('Granularity'));
    await announced('Granularity: Month.');
  });
});

describe('the tiles', () => {
  const rowOfFigures = ['Flights', 'Flights in June', 'On-time share', 'Average delay (minutes)'];

  it('follow one another in the order in which they are read', async () => {
    for (const name of [...rowOfFigures, 'Over time', 'How punctual', 'By state of arrival']) {
      await tabTo(page, menuOf(name));
    }
    for (const name of ['How punctual', 'Over time']) await tabTo(page, menuOf(name), 'Shift+Tab');
  });

  it('have drawings that are one stop each, with one mark of a map among the stops', async () => {
    await tabTo(page, menuOf('Where they land'));
    await press(page, 'Tab');
    await expectFocus(tileOf(page, 'Where they land').locator('circle[tabindex="0"]'));
    await tabTo(page, menuOf('Time of day by distance'));
  });
});

describe('the marks of a chart', () => {
  const name = 'How punctual';
  const ring = (): Locator => tileOf(page, name).locator('[part=active-mark]');
  /** How wide the ring around the mark is; 0 where there is none. */
  const ringed = (): Promise<number> =>
    ring().evaluate(element => (element.hasAttribute('hidden') ? 0 : element.getBoundingClientRect().width));

  it('are walked over with the arrows, each in words and with a ring', async () => {
    await tabTo(page, chartOf(name), 'Shift+Tab');
    expect(await ringed()).toBe(0);
    for (const [key, told] of [
      ['ArrowRight', /Punctuality early, Flights [\d,]+, 1 of 4/],
      ['ArrowRight', /Punctuality on time, Flights [\d,]+, 2 of 4/],
      ['End', /Punctuality very late, Flights [\d,]+, 4 of 4/],
      ['Home', /Punctuality early, Flights [\d,]+, 1 of 4/],
    ] as const) {
      await press(page, key);
      await isTold(tileOf(page, name), told);
      await expect.poll(ringed).toBeGreaterThan(10);
      await expectFocus(chartOf(name));
    }
  });

  it('are left with Escape, by which the focus stays on the chart', async () => {
    await press(page, 'Escape');
    await expect.poll(ringed).toBe(0);
    await expectFocus(chartOf(name));
  });

  it('filter the other tiles with Enter, and no more with Escape', async () => {
    const before = await figureOf(page, 'Flights');
    await press(page, 'ArrowRight', 'Enter');
    await controls().getByRole('button', { name: 'Stop filtering: Punctuality is early' }).waitFor();
    await expect.poll(() => figureOf(page, 'Flights')).not.toBe(before);
    await announced('Punctuality is early.');
    await expectFocus(chartOf(name));
    // The first leaves the mark, the second gives the other tiles back.
    await press(page, 'Escape', 'Escape');
    await expect.poll(() => figureOf(page, 'Flights')).toBe(before);
    await announced('No longer filtered by marks.');
    await expectFocus(chartOf(name));
  });
});

describe('the menu of a tile', () => {
  const name = 'By state of arrival';

  it('opens with Enter on its first item, and is walked with arrows, Home and End', async () => {
    await tabTo(page, menuOf(name));
    await press(page, 'Enter');
    await expectFocus(item('Show as table'));
    await press(page, 'ArrowDown');
    await expectFocus(item('Download CSV'));
    await press(page, 'End');
    await expectFocus(item('Full screen'));
    await press(page, 'Home');
    await expectFocus(item('Show as table'));
  });

  it('closes with Escape, and gives the focus back to its button', async () => {
    await press(page, 'Escape');
    await expectFocus(menuOf(name));
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  });

  it('shows a chart as the table of its rows, which is the next stop', async () => {
    await press(page, 'Enter');
    await expectFocus(item('Show as table'));
    await press(page, 'Enter');
    await gridOf(name).waitFor();
    await expectFocus(menuOf(name));
    await press(page, 'Tab');
    await expectFocus(gridOf(name));
    await isAtCell(gridOf(name), 'CA');
    await press(page, 'ArrowRight');
    await isAtCell(gridOf(name), written(await flightsTo('ORD', 'CA')));
  });

  it('shows the chart again', async () => {
    await tabTo(page, menuOf(name), 'Shift+Tab');
    await press(page, 'Enter');
    await expectFocus(item('Show as chart'));
    await press(page, 'Enter');
    await chartOf(name).getByRole('img').waitFor();
    await expectFocus(menuOf(name));
  });
});

describe('what is behind a mark', () => {
  it('stands in a dialog, whose heading has the focus', async () => {
    await tabTo(page, chartOf('How punctual'), 'Shift+Tab');
    await press(page, 'End', 'Shift+F10');
    await expectFocus(item('Show the rows behind this'));
    await press(page, 'Enter');
    await dialog().getByRole('grid').waitFor();
    await expectFocus(dialog().getByRole('heading', { name: 'Flights · Punctuality very late' }));
  });

  it('is walked inside of the dialog', async () => {
    await tabTo(page, dialog().getByRole('button', { name: 'Close' }));
    await press(page, 'Tab');
    const grid = dialog().getByRole('grid');
    await expectFocus(grid);
    await press(page, 'ArrowDown', 'ArrowRight', 'ArrowRight');
    await isAtCell(grid, (await columnOf(grid, 2, 2)).at(-1) ?? '');
    await expectFocus(grid);
  });

  it('is left with Escape, which leads back to the chart', async () => {
    await press(page, 'Escape');
    await expectFocus(chartOf('How punctual'));
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('is reached from a mark of a map too, which gets the focus back', async () => {
    const mark = tileOf(page, 'Where they land').locator('circle[tabindex="0"]');
    await tabTo(page, mark);
    await press(page, 'ArrowRight');
    const name = String(await mark.getAttribute('aria-label'));
    await press(page, 'Shift+F10');
    await expectFocus(item('Show the rows behind this'));
    await press(page, 'Enter');
    await dialog().getByRole('grid').waitFor();
    await expectFocus(dialog().getByRole('heading', { name: /^Flights · / }));
    await press(page, 'Escape');
    await expectFocus(tileOf(page, 'Where they land').getByRole('button', { name, exact: true }));
  });
});

describe('the cells of a table', () => {
  const name = 'Destinations';

  it('are walked with arrows, Home, End and Ctrl', async () => {
    await tabTo(page, gridOf(name));
    const grid = gridOf(name);
    const [first, second] = await columnOf(grid, 0, 2);
    await isAtCell(grid, first ?? '');
    await press(page, 'ArrowDown');
    await isAtCell(grid, second ?? '');
    await press(page, 'Control+End', 'Home');
    await expectFocus(grid);
    await press(page, 'Control+Home');
    await isAtCell(grid, first ?? '');
    await expectFocus(grid);
  });

  it('are sorted with Enter on a heading, and it is said', async () => {
    const grid = gridOf(name);
    await press(page, 'ArrowUp');
    await isAtCell(grid, 'Destination');
    await press(page, 'Enter');
    await isTold(tileOf(page, name), 'Sorted by Destination, ascending');
    const isSorted = (codes: readonly string[]): boolean => codes.join() === [...codes].sort().join();
    await expect.poll(async () => isSorted(await columnOf(grid, 0, 5))).toBe(true);
    const codes = await columnOf(grid, 0, 5);
    await expectFocus(grid);
    await press(page, 'Enter');
    await isTold(tileOf(page, name), 'Sorted by Destination, descending');
    await expect.poll(async () => (await columnOf(grid, 0, 1))[0]).not.toBe(codes[0]);
    await isAtCell(grid, 'Destination');
  });

  it('are chosen with Shift and copied with Ctrl+C', async () => {
    const grid = gridOf(name);
    await press(page, 'ArrowDown', 'Shift+ArrowDown', 'Control+c');
    await isTold(tileOf(page, name), '2 cells copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\r\n')).toEqual(await columnOf(grid, 0, 2));
    await expectFocus(grid);
  });
});

describe('what was chosen', () => {
  it('is cleared in the filter, where the focus stays', async () => {
    await tabTo(page, chip('State is CA'), 'Shift+Tab');
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await tabTo(page, dialog().getByRole('button', { name: 'Clear' }));
    await press(page, 'Enter');
    await expect.poll(() => figureOf(page, 'Flights')).toBe(written((await referenceFor('ORD')).flights));
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await press(page, 'Escape');
    await expectFocus(chip('State: All'));
  });

  it('is reset by a button, which leaves the focus among the controls', async () => {
    await tabTo(page, controls().getByRole('button', { name: 'Reset' }));
    await press(page, 'Enter');
    await announced('Controls were reset.');
    await expect.poll(() => list('Granularity').inputValue()).toBe('week');
    await expectFocus(list('Focus'));
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });
});

describe('another dashboard', () => {
  it('is opened by its link', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Departures' }), 'Shift+Tab');
    expect(await page.evaluate(() => window.pointed)).toEqual([]);
    await press(page, 'Enter');
    await page.waitForURL(`${demo}/`);
    await drawBoard(page);
  });

  it('leads from a figure down to what is behind it, further down, and back', async () => {
    const figure = tileOf(page, 'Destinations').getByRole('button', { name: /^Destinations: / });
    await tabTo(page, figure);
    await press(page, 'Enter');
    await expectFocus(item('Show the rows behind this'));
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('heading', { name: 'Destinations', exact: true }));
    const grid = dialog().getByRole('grid');
    await tabTo(page, grid);
    const [city] = await columnOf(grid, 0, 1);
    await press(page, 'ArrowRight', 'Enter');
    await expectFocus(dialog().getByRole('heading', { name: `Flights · Destination city ${city}` }));
    await tabTo(page, dialog().getByRole('navigation').getByRole('button', { name: 'Destinations' }), 'Shift+Tab');
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('heading', { name: 'Destinations', exact: true }));
    await press(page, 'Escape');
    await expectFocus(figure);
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('was all seen without a pointer, an error or a violation of the policy', async () => {
    expect(await opened.problems()).toEqual([]);
  });
});
