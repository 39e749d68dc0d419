import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { drawBoard, figureOf, formatNumber, openBoard, tileOf } from './board-page.js';
import { expectFocus, press, tabTo } from './keys.js';
import { type DemoPage, launchBrowser } from './page.js';
import { flightsTo, referenceFor } from './reference.js';

// A complete analysis without a pointer. Each test continues where the previous one ended, and checks the visible
// result and the focus after each step.

const demo = inject('demo');

let browser: Browser;
let opened: DemoPage;
let page: Page;

declare global {
  interface Window {
    pointerEvents?: string[];
  }
}

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openBoard(browser, `${demo}/analysis`, 'ohare', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = opened.page;
  await page.evaluate(() => {
    const pointerEvents: string[] = [];
    window.pointerEvents = pointerEvents;
    for (const type of ['mousedown', 'mousemove', 'pointerdown', 'pointermove', 'touchstart'])
      addEventListener(type, () => pointerEvents.push(type), { capture: true });
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

/** Returns the text of all live regions in the scope. */
const statusIn = async (place: Locator): Promise<string> => (await place.getByRole('status').allInnerTexts()).join(' ');
const expectStatus = (place: Locator, text: string | RegExp) =>
  expect
    .poll(() => statusIn(place))
    .toEqual(typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text));
/** Waits for an announcement of the controls. */
const expectAnnouncement = (text: string) => expectStatus(page.locator('pa-controls'), text);

/** Returns the text of the active cell. */
const cellOf = (grid: Locator): Promise<string> =>
  grid.evaluate(table => {
    const root = table.getRootNode() as ShadowRoot;
    const cell = root.getElementById(table.getAttribute('aria-activedescendant') ?? '');
    return cell?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  });
const expectActiveCell = (grid: Locator, text: string) => expect.poll(() => cellOf(grid)).toBe(text);
/** Returns the text of the first `rows` cells of a column. */
const columnOf = (grid: Locator, column: number, rows: number): Promise<string[]> =>
  grid.evaluate(
    (table, [at, count]) =>
      [...table.querySelectorAll('tbody tr')]
        .slice(0, count)
        .map(row => row.children[at]?.textContent?.replace(/\s+/g, ' ').trim() ?? ''),
    [column, rows] as const,
  );
const summaryOf = (name: string): Promise<string> =>
  chartOf(name).getByRole('img').getAttribute('aria-label').then(String);

describe('opening a dashboard', () => {
  it('moves by Tab past the page links to the first control', async () => {
    expect(await figureOf(page, 'Flights')).toBe(formatNumber((await referenceFor('ORD')).flights));
    await press(page, 'Tab');
    await expectFocus(page.getByRole('link', { name: 'Departures' }));
    await tabTo(page, list('Focus'));
  });
});

describe('filter', () => {
  it('opens with Enter and takes the focus', async () => {
    await tabTo(page, chip('State: All'));
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
  });

  it('lists the values of the data and filters them while typing', async () => {
    expect(await dialog().getByRole('checkbox').count()).toBeGreaterThan(20);
    await page.keyboard.type('ca');
    await expect.poll(() => dialog().getByRole('checkbox').count()).toBe(1);
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await press(page, 'Tab');
    await expectFocus(dialog().getByRole('checkbox', { name: 'CA' }));
  });

  it('applies with Space, updates the figures and announces it', async () => {
    await press(page, 'Space');
    const expected = formatNumber(await flightsTo('ORD', 'CA'));
    await expect.poll(() => figureOf(page, 'Flights')).toBe(expected);
    await expectFocus(dialog().getByRole('checkbox', { name: 'CA', checked: true }));
    await expectAnnouncement('State is CA.');
    const urlFilter = () => new URL(page.url()).searchParams.get('f_departures.destination_state');
    await expect.poll(urlFilter).toBe('{"value":"CA"}');
  });

  it('closes with Escape and returns the focus to its chip', async () => {
    await press(page, 'Escape');
    await expectFocus(chip('State is CA'));
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('closes when Tab moves the focus out', async () => {
    await tabTo(page, chip('City: All'));
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await tabTo(page, chip('Time of day: All'));
    await expect.poll(() => dialog().count()).toBe(0);
  });
});

describe('granularity', () => {
  it('changes with the arrow keys and keeps the focus', async () => {
    await tabTo(page, list('Granularity'));
    expect(await summaryOf('Over time')).toContain('2001-01-01 W01');
    await press(page, 'ArrowDown');
    await expect.poll(() => list('Granularity').inputValue()).toBe('month');
    await expect.poll(() => summaryOf('Over time')).toContain('2001 Jan to 2001 Jun');
    await expectFocus(list('Granularity'));
    await expectAnnouncement('Granularity: Month.');
  });
});

describe('tiles', () => {
  const rowOfFigures = ['Flights', 'Flights in June', 'On-time share', 'Average delay (minutes)'];

  it('follow the reading order', async () => {
    for (const name of [...rowOfFigures, 'Over time', 'How punctual', 'By state of arrival']) {
      await tabTo(page, menuOf(name));
    }
    for (const name of ['How punctual', 'Over time']) await tabTo(page, menuOf(name), 'Shift+Tab');
  });

  it('have one tab stop per chart and one per map', async () => {
    await tabTo(page, menuOf('Where they land'));
    await press(page, 'Tab');
    await expectFocus(tileOf(page, 'Where they land').locator('circle[tabindex="0"]'));
    await tabTo(page, menuOf('Time of day by distance'));
  });
});

describe('chart marks', () => {
  const name = 'How punctual';
  const ring = (): Locator => tileOf(page, name).locator('[part=active-mark]');
  /** Returns the width of the focus ring around the mark; 0 if hidden. */
  const ringWidth = (): Promise<number> =>
    ring().evaluate(element => (element.hasAttribute('hidden') ? 0 : element.getBoundingClientRect().width));

  it('are reached with the arrow keys, each announced and with a ring (superset#27016, vega#3878)', async () => {
    await tabTo(page, chartOf(name), 'Shift+Tab');
    expect(await ringWidth()).toBe(0);
    for (const [key, status] of [
      ['ArrowRight', /Punctuality early, Flights [\d,]+, 1 of 4/],
      ['ArrowRight', /Punctuality on time, Flights [\d,]+, 2 of 4/],
      ['End', /Punctuality very late, Flights [\d,]+, 4 of 4/],
      ['Home', /Punctuality early, Flights [\d,]+, 1 of 4/],
    ] as const) {
      await press(page, key);
      await expectStatus(tileOf(page, name), status);
      await expect.poll(ringWidth).toBeGreaterThan(10);
      await expectFocus(chartOf(name));
    }
  });

  it('are left with Escape, with the focus on the chart', async () => {
    await press(page, 'Escape');
    await expect.poll(ringWidth).toBe(0);
    await expectFocus(chartOf(name));
  });

  it('filter the other tiles with Enter until Escape', async () => {
    const before = await figureOf(page, 'Flights');
    await press(page, 'ArrowRight', 'Enter');
    await controls().getByRole('button', { name: 'Stop filtering: Punctuality is early' }).waitFor();
    await expect.poll(() => figureOf(page, 'Flights')).not.toBe(before);
    await expectAnnouncement('Punctuality is early.');
    await expectFocus(chartOf(name));
    // The first press leaves the mark, the second clears the filter.
    await press(page, 'Escape', 'Escape');
    await expect.poll(() => figureOf(page, 'Flights')).toBe(before);
    await expectAnnouncement('The filter by marks was cleared.');
    await expectFocus(chartOf(name));
  });
});

describe('tile menu', () => {
  const name = 'By state of arrival';

  it('opens with Enter on its first item and supports arrows, Home and End', async () => {
    await tabTo(page, menuOf(name));
    await press(page, 'Enter');
    await expectFocus(item('Show as table'));
    await press(page, 'ArrowDown');
    await expectFocus(item('Download PNG'));
    await press(page, 'End');
    await expectFocus(item('Ask about this tile'));
    await press(page, 'Home');
    await expectFocus(item('Show as table'));
  });

  it('closes with Escape and returns the focus to its button', async () => {
    await press(page, 'Escape');
    await expectFocus(menuOf(name));
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  });

  it('shows a chart as a table of its rows, which is the next stop', async () => {
    await press(page, 'Enter');
    await expectFocus(item('Show as table'));
    await press(page, 'Enter');
    await gridOf(name).waitFor();
    await expectFocus(menuOf(name));
    await press(page, 'Tab');
    await expectFocus(gridOf(name));
    await expectActiveCell(gridOf(name), 'CA');
    await press(page, 'ArrowRight');
    await expectActiveCell(gridOf(name), formatNumber(await flightsTo('ORD', 'CA')));
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

describe('drill-down', () => {
  it('opens a dialog with the focus on its heading', async () => {
    await tabTo(page, chartOf('How punctual'), 'Shift+Tab');
    await press(page, 'End', 'Shift+F10');
    await expectFocus(item('Show underlying rows'));
    await press(page, 'Enter');
    await dialog().getByRole('grid').waitFor();
    await expectFocus(dialog().getByRole('heading', { name: 'Flights · Punctuality very late' }));
  });

  it('supports the keyboard in the dialog', async () => {
    await tabTo(page, dialog().getByRole('button', { name: 'Close' }));
    await press(page, 'Tab');
    const grid = dialog().getByRole('grid');
    await expectFocus(grid);
    await press(page, 'ArrowDown', 'ArrowRight', 'ArrowRight');
    await expectActiveCell(grid, (await columnOf(grid, 2, 2)).at(-1) ?? '');
    await expectFocus(grid);
  });

  it('closes with Escape and returns the focus to the chart', async () => {
    await press(page, 'Escape');
    await expectFocus(chartOf('How punctual'));
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('opens from a map mark, which gets the focus back', async () => {
    const mark = tileOf(page, 'Where they land').locator('circle[tabindex="0"]');
    await tabTo(page, mark);
    await press(page, 'ArrowRight');
    const name = String(await mark.getAttribute('aria-label'));
    await press(page, 'Shift+F10');
    await expectFocus(item('Show underlying rows'));
    await press(page, 'Enter');
    await dialog().getByRole('grid').waitFor();
    await expectFocus(dialog().getByRole('heading', { name: /^Flights · / }));
    await press(page, 'Escape');
    await expectFocus(tileOf(page, 'Where they land').getByRole('button', { name, exact: true }));
  });
});

describe('table cells', () => {
  const name = 'Destinations';

  it('are reached with arrows, Home, End and Ctrl', async () => {
    await tabTo(page, gridOf(name));
    const grid = gridOf(name);
    const [first, second] = await columnOf(grid, 0, 2);
    await expectActiveCell(grid, first ?? '');
    await press(page, 'ArrowDown');
    await expectActiveCell(grid, second ?? '');
    await press(page, 'Control+End', 'Home');
    await expectFocus(grid);
    await press(page, 'Control+Home');
    await expectActiveCell(grid, first ?? '');
    await expectFocus(grid);
  });

  it('are sorted with Enter on a heading, which is announced', async () => {
    const grid = gridOf(name);
    await press(page, 'ArrowUp');
    await expectActiveCell(grid, 'Destination');
    await press(page, 'Enter');
    await expectStatus(tileOf(page, name), 'Sorted by Destination, ascending');
    const isSorted = (codes: readonly string[]): boolean => codes.join() === [...codes].sort().join();
    await expect.poll(async () => isSorted(await columnOf(grid, 0, 5))).toBe(true);
    const codes = await columnOf(grid, 0, 5);
    await expectFocus(grid);
    await press(page, 'Enter');
    await expectStatus(tileOf(page, name), 'Sorted by Destination, descending');
    await expect.poll(async () => (await columnOf(grid, 0, 1))[0]).not.toBe(codes[0]);
    await expectActiveCell(grid, 'Destination');
  });

  it('are selected with Shift and copied with Ctrl+C', async () => {
    const grid = gridOf(name);
    await press(page, 'ArrowDown', 'Shift+ArrowDown', 'Control+c');
    await expectStatus(tileOf(page, name), '2 cells copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\r\n')).toEqual(await columnOf(grid, 0, 2));
    await expectFocus(grid);
  });
});

describe('selection', () => {
  it('is cleared in the filter, which keeps the focus', async () => {
    await tabTo(page, chip('State is CA'), 'Shift+Tab');
    await press(page, 'Enter');
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await tabTo(page, dialog().getByRole('button', { name: 'Clear' }));
    await press(page, 'Enter');
    await expect.poll(() => figureOf(page, 'Flights')).toBe(formatNumber((await referenceFor('ORD')).flights));
    await expectFocus(dialog().getByRole('searchbox', { name: 'Search' }));
    await press(page, 'Escape');
    await expectFocus(chip('State: All'));
  });

  it('is reset by a button; the focus stays in the controls', async () => {
    await tabTo(page, controls().getByRole('button', { name: 'Reset' }));
    await press(page, 'Enter');
    await expectAnnouncement('Controls were reset.');
    await expect.poll(() => list('Granularity').inputValue()).toBe('week');
    await expectFocus(list('Focus'));
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });
});

describe('another dashboard', () => {
  it('opens from its link', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Departures' }), 'Shift+Tab');
    expect(await page.evaluate(() => window.pointerEvents)).toEqual([]);
    await press(page, 'Enter');
    await page.waitForURL(`${demo}/`);
    await drawBoard(page);
  });

  it('drills down from a figure twice and back', async () => {
    const figure = tileOf(page, 'Destinations').getByRole('button', { name: /^Destinations: / });
    await tabTo(page, figure);
    await press(page, 'Enter');
    await expectFocus(item('Show underlying rows'));
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

  it('causes no pointer event, error or policy violation', async () => {
    expect(await opened.problems()).toEqual([]);
  });
});
