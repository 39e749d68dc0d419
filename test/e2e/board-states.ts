import type { Locator, Page } from 'playwright-core';
import { type AxeOptions, type Board, drawBoard, tileOf } from './board-page.js';

// States of the demo dashboards, caused by a viewer, a host or a failure: Each has a function that enters the state and
// a function that restores the initial state.

/** One state. `enter` resolves when the state is visible. */
export interface BoardState {
  readonly name: string;
  readonly enter: (page: Page) => Promise<unknown>;
  readonly leave?: (page: Page) => Promise<unknown>;
  /**
   * Scope of the axe rules if the state changes only a part of the page. By default, axe runs all rules on the page.
   */
  readonly checks?: (page: Page) => AxeOptions;
  /** Whether only a deep run enters this state, because other states cover its parts in a quick run. */
  readonly isDeep?: true;
}

const pressEscape = (page: Page): Promise<void> => page.keyboard.press('Escape');
const controls = (page: Page): Locator => page.getByRole('group', { name: 'Controls' });
const chartOf = (page: Page, name: string): Locator => tileOf(page, name).getByRole('application');
const runItem = (page: Page, name: string): Promise<void> =>
  page.getByRole('menuitem', { name, exact: true }).press('Enter');

async function openTileMenu(page: Page, name: string): Promise<void> {
  await tileOf(page, name)
    .getByRole('button', { name: `Menu of ${name}`, exact: true })
    .press('Enter');
  await page.getByRole('menu').waitFor();
}

async function openMarkMenu(page: Page, name: string): Promise<void> {
  await chartOf(page, name).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menu').waitFor();
}

async function openRows(page: Page): Promise<void> {
  await runItem(page, 'Show underlying rows');
  await page.getByRole('dialog').getByRole('grid').waitFor();
}

async function openFilter(page: Page, name: string, field: Locator): Promise<void> {
  await controls(page)
    .getByRole('button', { name: new RegExp(`^${name.replaceAll(/[()]/g, '\\$&')}`) })
    .press('Enter');
  await field.waitFor();
}

/** Replaces the dashboard state, and waits until no tile shows old rows. */
async function setState(page: Page, state: object): Promise<void> {
  await page.evaluate(chosen => document.querySelector<Board>('pa-dashboard')?.setState(chosen), state);
  await waitForFreshRows(page);
}

/**
 * Time after which tiles count as fresh, in ms. Longer than the 300 ms after which a tile dims its old rows while it
 * queries new ones.
 */
const freshMs = 500;

/** Waits until every tile shows current rows. */
async function waitForFreshRows(page: Page): Promise<void> {
  await page.evaluate(async requiredMs => {
    const isFresh = (): boolean =>
      [...(document.querySelector('pa-dashboard')?.shadowRoot?.querySelectorAll('pa-tile') ?? [])].every(
        tile => !tile.shadowRoot?.querySelector('.stale, [aria-busy=true]'),
      );
    let since = performance.now();
    while (performance.now() - since < requiredMs) {
      await new Promise(requestAnimationFrame);
      if (!isFresh()) since = performance.now();
    }
  }, freshMs);
}

const initialState = { filters: {}, timeGrains: {}, members: {}, tabs: {} };
const resetState = (page: Page): Promise<void> => setState(page, initialState);

async function setLocale(page: Page, locale: string | null): Promise<void> {
  await page.evaluate(language => {
    const session = document.querySelector('pa-session');
    if (language === null) session?.removeAttribute('locale');
    else session?.setAttribute('locale', language);
  }, locale);
  await page.waitForFunction(
    expected =>
      document
        .querySelector('pa-dashboard')
        ?.shadowRoot?.querySelector('[dir], section')
        ?.closest('[dir]')
        ?.getAttribute('dir') === expected || expected === null,
    locale === 'ar' ? 'rtl' : null,
  );
  await drawBoard(page);
}

const widen = (page: Page, width: number): Promise<void> => page.setViewportSize({ width, height: 900 });
const narrow = async (page: Page): Promise<void> => {
  await widen(page, 360);
  await page.getByRole('button', { name: 'Filters' }).waitFor();
};
const setScheme = (page: Page, to: 'Dark' | 'Light'): Promise<void> =>
  page.getByRole('button', { name: to, exact: true }).press('Enter');
const unroute = (page: Page): Promise<void> => page.unrouteAll({ behavior: 'ignoreErrors' });

const dark = {
  enter: (page: Page): Promise<void> => setScheme(page, 'Dark'),
  leave: (page: Page): Promise<void> => setScheme(page, 'Light'),
};

const inTile =
  (name: string) =>
  (page: Page): AxeOptions => ({ scope: tileOf(page, name) });
const within =
  (selector: string) =>
  (page: Page): AxeOptions => ({ scope: page.locator(selector).first() });
const inColors = (): AxeOptions => ({ rules: 'color' });

const atRest: BoardState = { name: 'at rest', enter: drawBoard };
const inTheDark: BoardState = { name: 'in dark mode', checks: inColors, ...dark };
const inForcedColours: BoardState = {
  name: 'in forced colours',
  checks: inColors,
  enter: page => page.emulateMedia({ forcedColors: 'active' }),
  leave: page => page.emulateMedia({ forcedColors: 'none' }),
};
const inArabic: BoardState = {
  name: 'in Arabic',
  checks: () => ({ rules: 'structure' }),
  enter: page => setLocale(page, 'ar'),
  leave: page => setLocale(page, null),
};
const onAPhone: BoardState = { name: 'on a phone', isDeep: true, enter: narrow, leave: page => widen(page, 1440) };
const onAPhoneWithControls: BoardState = {
  name: 'on a phone with the controls open',
  enter: async page => {
    await narrow(page);
    await page.getByRole('button', { name: 'Filters' }).press('Enter');
    await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: 'Done' }).waitFor();
  },
  leave: async page => {
    await pressEscape(page);
    await widen(page, 1440);
  },
};

/** The first page, with KPIs, charts, a table and select controls. */
export const departuresStates: readonly BoardState[] = [
  {
    name: 'at rest, with the files of the page',
    enter: async page => {
      await drawBoard(page);
      await page.getByText('How this page is made').click();
    },
    leave: page => page.getByText('How this page is made').click(),
  },
  inTheDark,
  inForcedColours,
  inArabic,
  onAPhone,
  onAPhoneWithControls,
  { name: 'in Japanese', isDeep: true, enter: page => setLocale(page, 'ja'), leave: page => setLocale(page, null) },
  {
    name: 'with a focused select control',
    isDeep: true,
    enter: page => controls(page).getByRole('combobox', { name: 'Destination state' }).focus(),
  },
  {
    name: 'with an active filter',
    isDeep: true,
    enter: page => setState(page, { filters: { 'departures.destination_state': { value: ['CA'] } } }),
    leave: resetState,
  },
  {
    name: 'with a report that ignores a control',
    checks: inTile('Running share of the top ten cities'),
    enter: async page => {
      await setState(page, { timeGrains: { 'departures.date': 'week' } });
      await tileOf(page, 'Running share of the top ten cities')
        .getByRole('button', { name: 'Ignores controls' })
        .focus();
      await page.getByRole('tooltip').waitFor();
    },
    leave: async page => {
      await pressEscape(page);
      await resetState(page);
    },
  },
  {
    name: 'emptied by a filter',
    isDeep: true,
    enter: async page => {
      await setState(page, { filters: { 'departures.destination_state': { value: ['nowhere'] } } });
      await page.getByText('No data').first().waitFor();
    },
    leave: resetState,
  },
  {
    name: 'with a locked filter',
    isDeep: true,
    enter: async page => {
      await page.evaluate(() => {
        const board = document.querySelector<Board>('pa-dashboard');
        if (board) board.lockedFilters = { 'departures.destination_state': { value: ['TX'] } };
      });
      await page.getByTitle('Set by this page').first().waitFor();
      await waitForFreshRows(page);
    },
    leave: page =>
      page.evaluate(() => {
        const board = document.querySelector<Board>('pa-dashboard');
        if (board) board.lockedFilters = null;
      }),
  },
  {
    name: 'with an open tile menu',
    checks: inTile('Flights over time'),
    enter: page => openTileMenu(page, 'Flights over time'),
    leave: pressEscape,
  },
  {
    name: 'with a chart as a table',
    checks: inTile('Flights over time'),
    enter: async page => {
      await openTileMenu(page, 'Flights over time');
      await runItem(page, 'Show as table');
      await tileOf(page, 'Flights over time').getByRole('grid').waitFor();
    },
    leave: async page => {
      await openTileMenu(page, 'Flights over time');
      await runItem(page, 'Show as chart');
      await chartOf(page, 'Flights over time').getByRole('img').waitFor();
    },
  },
  {
    name: 'with a focused chart mark',
    checks: inTile('Flights by distance (miles)'),
    enter: async page => {
      await chartOf(page, 'Flights by distance (miles)').focus();
      await page.keyboard.press('ArrowRight');
      await page.getByText('1 of 4').waitFor({ state: 'attached' });
    },
    leave: pressEscape,
  },
  {
    name: 'with an open mark menu',
    checks: inTile('Flights by distance (miles)'),
    enter: page => openMarkMenu(page, 'Flights by distance (miles)'),
    leave: pressEscape,
  },
  {
    name: 'with drill-down rows of a mark',
    isDeep: true,
    enter: async page => {
      await openMarkMenu(page, 'Flights by distance (miles)');
      await openRows(page);
    },
    leave: pressEscape,
  },
  {
    name: 'with the second drill-down level of a figure, in dark mode',
    isDeep: true,
    enter: async page => {
      await dark.enter(page);
      await tileOf(page, 'Destinations')
        .getByRole('button', { name: /^Destinations: / })
        .press('Enter');
      await page.getByRole('menu').waitFor();
      await openRows(page);
      await page.getByRole('dialog').getByRole('grid').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('navigation').waitFor();
      await page.getByRole('dialog').getByRole('columnheader', { name: 'Departure' }).waitFor();
    },
    leave: async page => {
      await pressEscape(page);
      await dark.leave(page);
    },
  },
  {
    name: 'with a full-screen tile',
    checks: inTile('Flights over time'),
    enter: async page => {
      await openTileMenu(page, 'Flights over time');
      await runItem(page, 'Full screen');
      await page.waitForFunction(() => document.fullscreenElement !== null);
    },
    leave: page => page.evaluate(() => document.exitFullscreen()),
  },
  {
    name: 'with debug details',
    checks: within('pa-debug'),
    enter: async page => {
      await page.evaluate(() => document.querySelector('pa-dashboard')?.setAttribute('debug', ''));
      await page.locator('pa-debug').getByText('no problems found').waitFor();
      await page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.refresh());
      await page.locator('pa-debug').getByRole('table').waitFor();
    },
    leave: page => page.evaluate(() => document.querySelector('pa-dashboard')?.removeAttribute('debug')),
  },
  {
    name: 'with failed tiles and open details',
    checks: within('pa-dashboard'),
    enter: async page => {
      await page.route('**/data-api/v1/*', route => route.fulfill({ status: 500, json: { error: 'Out of order' } }));
      await page.reload();
      await drawBoard(page);
      const banner = page.locator('pa-dashboard .banner');
      await banner.getByText('Details').press('Enter');
      await banner.getByText('Code: ').waitFor();
    },
    leave: unroute,
  },
  {
    name: 'while it loads',
    checks: within('pa-dashboard'),
    enter: async page => {
      await page.route('**/data-api/v1/*', () => {});
      await page.reload();
      await page.locator('pa-dashboard [part~=body][aria-busy=true]').first().waitFor();
    },
  },
  {
    name: 'with slow tiles',
    isDeep: true,
    enter: page => page.getByText('Still working…').first().waitFor(),
    leave: unroute,
  },
  {
    name: 'missing',
    checks: within('pa-dashboard'),
    enter: async page => {
      await page.route('**/api/v1/embed/dashboard/*', route =>
        route.fulfill({ status: 404, json: { message: 'Not found' } }),
      );
      await page.reload();
      await page.getByText('No dashboard with this public id').first().waitFor();
    },
    leave: unroute,
  },
  {
    name: 'without a session',
    checks: within('pa-session'),
    enter: async page => {
      await page.route('**/api/embed-session', route => route.fulfill({ status: 500, json: {} }));
      await page.reload();
      await page.getByText('The session could not be started').first().waitFor();
    },
    leave: unroute,
  },
  {
    name: 'after its session has ended',
    checks: within('pa-session'),
    enter: async page => {
      await page.reload();
      await drawBoard(page);
      await page.route('**/api/embed-session', route => route.fulfill({ status: 401, json: {} }));
      await page.route('**/api/v1/**', route => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
      await page.route('**/data-api/**', route => route.fulfill({ status: 403, json: { error: 'Invalid token' } }));
      await page.evaluate(() => {
        void document.querySelector<Board>('pa-dashboard')?.refresh();
      });
      await page.locator('pa-dashboard').getByText('Your session has ended').waitFor();
    },
    leave: unroute,
  },
];

const openTab = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('tab', { name }).press('Enter');
  await page.getByRole('tabpanel', { name }).waitFor();
  await drawBoard(page);
};

/** Returns a state for the deep run only: a quick run enters it on the first dashboard. */
const deep = (state: BoardState): BoardState => ({ ...state, isDeep: true });

/** The page with maps, flows, HTML and containers. */
export const networkStates: readonly BoardState[] = [
  atRest,
  ...[inTheDark, inForcedColours, inArabic, onAPhone, onAPhoneWithControls].map(deep),
  {
    name: 'with an open list of suggested values',
    checks: within('pa-controls'),
    enter: page => openFilter(page, 'Time of day', page.getByRole('dialog').getByRole('checkbox').first()),
    leave: pressEscape,
  },
  {
    name: 'with an open list of suggested values, in Arabic',
    isDeep: true,
    enter: async page => {
      await setLocale(page, 'ar');
      await page.locator('pa-filter').first().getByRole('button').press('Enter');
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    },
    leave: async page => {
      await pressEscape(page);
      await setLocale(page, null);
    },
  },
  {
    name: 'with an open menu of a map region',
    checks: inTile('Flights by state of arrival'),
    enter: async page => {
      await tileOf(page, 'Flights by state of arrival').locator('path[tabindex="0"]').focus();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menu').waitFor();
    },
    leave: pressEscape,
  },
  { name: 'with a tab with a point map', isDeep: true, enter: page => openTab(page, 'Airports') },
  { name: 'with a tab with flows', enter: page => openTab(page, 'Flows') },
  {
    name: 'with a focused flow, in dark mode',
    checks: page => ({
      scope: page.locator('pa-tile-sankey').filter({ has: page.locator('.tooltip:popover-open') }),
    }),
    enter: async page => {
      await dark.enter(page);
      await page.locator('pa-tile-sankey [data-mark][tabindex="0"]').first().focus();
      await page.keyboard.press('End');
      await page.locator('pa-tile-sankey .tooltip:popover-open').waitFor();
    },
    leave: dark.leave,
  },
];

/** The page with all other controls, pivots, links and cross-filtering. */
export const analysisStates: readonly BoardState[] = [
  atRest,
  deep(inTheDark),
  {
    name: 'with a search without results',
    checks: within('pa-controls'),
    enter: async page => {
      await openFilter(page, 'State', page.getByRole('dialog').getByRole('checkbox').first());
      await page.getByRole('searchbox', { name: 'Search' }).fill('zzz');
      await page.getByRole('dialog').getByText('Nothing found').waitFor();
    },
    leave: pressEscape,
  },
  {
    name: 'with number inputs',
    checks: within('pa-controls'),
    enter: page => openFilter(page, 'Distance (miles)', page.getByRole('dialog').getByRole('spinbutton').first()),
    leave: pressEscape,
  },
  {
    name: 'with an open calendar',
    checks: within('pa-controls'),
    enter: page => openFilter(page, 'Departure', page.getByRole('textbox', { name: 'From' })),
    leave: pressEscape,
  },
  {
    name: 'with a parent control',
    isDeep: true,
    enter: async page => {
      await controls(page).getByRole('combobox', { name: 'Focus' }).selectOption({ label: 'Late evenings' });
      await controls(page).getByRole('button', { name: 'Reset' }).waitFor();
      await waitForFreshRows(page);
    },
    leave: async page => {
      await controls(page).getByRole('button', { name: 'Reset' }).press('Enter');
      await waitForFreshRows(page);
    },
  },
  {
    name: 'with marks that cross-filter',
    isDeep: true,
    enter: async page => {
      await chartOf(page, 'How punctual').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Stop filtering/ }).waitFor();
      await waitForFreshRows(page);
    },
    leave: async page => {
      await page.getByRole('button', { name: /^Stop filtering/ }).press('Enter');
      await waitForFreshRows(page);
    },
  },
  {
    name: 'with a sorted table, selected cells and an open cell menu',
    checks: inTile('Destinations'),
    enter: async page => {
      await tileOf(page, 'Destinations').getByRole('grid').focus();
      for (const key of ['ArrowUp', 'Enter', 'ArrowDown', 'Shift+ArrowRight', 'End', 'Shift+F10'])
        await page.keyboard.press(key);
      await page.getByRole('menu').waitFor();
    },
    leave: pressEscape,
  },
];
