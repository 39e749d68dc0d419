import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Board, drawBoard, figureOf, formatNumber, openBoard } from './board-page.js';
import { launchBrowser, openDemo } from './page.js';
import { flightsTo, referenceFor } from './reference.js';
import { open } from './session-page.js';

// Checks problems that users have reported for other libraries on the demo. Test names cite the issue threads.
// session.test.ts covers the session over the life of a page; session-elements.test.ts covers memory leaks.

const demo = inject('demo');

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const close = (page: Page): Promise<void> => page.context().close();

describe('content on a host page', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openDemo(browser, `${demo}/network`, 'ohare'));
    await page.locator('pa-dashboard pa-tile').first().waitFor();
  });
  afterAll(() => close(page));

  it('prints every tile, including tabs (superset#30913)', async () => {
    const printed = await page.evaluate(async () => {
      const names: string[] = [];
      window.print = () => {
        for (const tile of document.querySelector('pa-dashboard')?.shadowRoot?.querySelectorAll('pa-tile') ?? []) {
          names.push(`${Object(tile).heading} ${Object(tile).outcome}`);
        }
      };
      await document.querySelector<Board>('pa-dashboard')?.print();
      return names;
    });
    expect(printed.filter(line => !line.endsWith(' shown'))).toEqual([]);
    for (const name of ['Airports by flights and average delay', 'From haul to punctuality']) {
      expect(printed).toContain(`${name} shown`);
    }
  });

  it('has no frame and one scrollbar (powerbi-client-react#118, superset PR 44313)', async () => {
    const found = await page.evaluate(() => {
      const names: string[] = [];
      const visit = (root: ParentNode): void => {
        for (const element of root.querySelectorAll('*')) {
          const isFrame = element.matches('iframe, frame, object, embed');
          const isBoard = element.matches(
            'pa-session, pa-dashboard, pa-container, pa-tile, [part~=tile], [part~=grid]',
          );
          if (isFrame || (isBoard && element.scrollHeight > element.clientHeight + 1 && scrolls(element)))
            names.push(element.localName);
          if (element.shadowRoot) visit(element.shadowRoot);
        }
      };
      const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY);
      visit(document);
      return names;
    });
    expect(found).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight)).toBe(true);
  });

  it('neither affects nor receives element styles (metabase#79414, lightdash#21166)', async () => {
    const stylesOf = (side: 'inside' | 'outside'): Promise<string[]> =>
      page.evaluate(which => {
        const properties = ['color', 'font-size', 'padding-top', 'border-top-width', 'text-transform', 'display'];
        const lines: string[] = [];
        const visit = (root: ParentNode): void => {
          for (const element of root.querySelectorAll('header, h1, h2, h3, p, button, select, label, svg, table, a')) {
            const style = getComputedStyle(element);
            lines.push([element.localName, ...properties.map(name => style.getPropertyValue(name))].join(' '));
          }
          for (const element of root.querySelectorAll('*'))
            if (which === 'inside' && element.shadowRoot) visit(element.shadowRoot);
        };
        const board = document.querySelector('pa-dashboard')?.shadowRoot;
        if (which === 'outside') visit(document);
        else if (board) visit(board);
        return lines;
      }, side);
    const inside = await stylesOf('inside');
    expect(inside.length).toBeGreaterThan(30);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        header, h1, h2, h3, p, button, select, label, svg, table, td { padding: 31px; border: 7px solid red; color: red; text-transform: uppercase; display: inline }
        .tile, .body, .panel, .chart, .bar, [part] { color: red; padding: 31px; border: 7px solid red }`);
      document.adoptedStyleSheets = [sheet];
    });
    expect(await stylesOf('inside')).toEqual(inside);
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
    const outside = await stylesOf('outside');
    await page.evaluate(() => document.querySelector('pa-session')?.remove());
    expect(await stylesOf('outside')).toEqual(outside);
  });
});

/** Returns the number in a tile in one of several dashboards. */
const figureOn = async (board: Locator, name: string): Promise<string> =>
  (
    await board
      .locator('pa-tile')
      .filter({ has: board.page().getByRole('heading', { name, exact: true }) })
      .locator('[part~="figure"]')
      .innerText()
  ).trim();

it('supports several dashboards with separate selections in one session (metabase#72239)', async () => {
  const sessions: string[] = [];
  const opened = await open(browser, demo, 'ohare', {
    prepare: async page =>
      page.on('request', request => {
        if (request.url().endsWith('/session/token')) sessions.push(request.url());
      }),
  });
  const { page } = opened;
  await page.locator('pa-dashboard').waitFor();
  // Add the same dashboard a second time, and another dashboard.
  await page.evaluate(async () => {
    const { dashboard, dashboards } = await (await fetch('/api/config')).json();
    const session = document.querySelector('pa-session');
    for (const [id, publicId] of Object.entries({ second: dashboard, third: dashboards.analysis })) {
      const board = document.createElement('pa-dashboard');
      board.id = id;
      board.setAttribute('public-id', publicId);
      board.setAttribute('url-state', id);
      session?.append(board);
    }
    const boards = document.querySelectorAll<Board>('pa-dashboard');
    await Promise.all([...boards].map(board => board.loadAll()));
  });
  const [first, second, third] = [
    page.locator('pa-dashboard').first(),
    page.locator('#second'),
    page.locator('#third'),
  ];
  const { flights } = await referenceFor('ORD');
  for (const board of [first, second, third]) expect(await figureOn(board, 'Flights')).toBe(formatNumber(flights));
  await second.getByRole('combobox', { name: 'Destination state' }).selectOption('CA');
  await expect.poll(() => figureOn(second, 'Flights')).toBe(formatNumber(await flightsTo('ORD', 'CA')));
  for (const other of [first, third]) expect(await figureOn(other, 'Flights')).toBe(formatNumber(flights));
  const parameters = () => [...new URL(page.url()).searchParams.keys()];
  await expect.poll(parameters).toEqual(['second.f_departures.destination_state']);
  expect(sessions).toHaveLength(1);
  expect(await opened.problems()).toEqual([]);
  await close(page);
});

/** The first page of the demo. The tests run in sequence on this page, and each leaves it without selections. */
describe('dashboard', () => {
  let page: Page;
  const member = 'departures.destination_state';
  const flightsToState = async (state: string): Promise<string> => formatNumber(await flightsTo('ORD', state));
  const figure = (page: Page) => expect.poll(() => figureOf(page, 'Flights'));
  const list = (page: Page) =>
    page.getByRole('group', { name: 'Controls' }).getByRole('combobox', { name: 'Destination state' });
  const stateOf = (page: Page) => page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.getState());

  beforeAll(async () => {
    const recordColors = (): void => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const look = (): void => {
        const tiles = document.querySelector('pa-dashboard')?.shadowRoot?.querySelectorAll('pa-tile') ?? [];
        for (const tile of tiles) {
          const frame = tile.shadowRoot?.querySelector('[part~=tile]');
          const color = frame && getComputedStyle(frame).backgroundColor;
          // A text widget has the page background.
          if (color && color !== 'rgba(0, 0, 0, 0)') seen.push(color);
        }
        if (matchMedia('(prefers-color-scheme: dark)').matches) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    const prepare = (opened: Page): Promise<unknown> => opened.addInitScript(recordColors);
    ({ page } = await openBoard(browser, demo, 'ohare', { colorScheme: 'dark', prepare }));
  });
  afterAll(() => close(page));

  it('is dark from the first frame (superset#40759)', async () => {
    const seen = await page.evaluate(() => [...new Set<string>(Object(window).seen)]);
    expect(seen).toEqual(['rgb(23, 26, 33)']);
    await page.locator('#scheme').click();
    await expect.poll(() => page.evaluate(() => new Set<string>(Object(window).seen).size)).toBe(2);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('cancels older queries and shows only the latest (cube#5524, cube#4806)', async () => {
    const held: (() => void)[] = [];
    const aborted: string[] = [];
    page.on('requestfailed', request => aborted.push(request.postData() ?? ''));
    const mentions = (text: string, state: string): boolean => text.includes(`"${state}"`);
    await page.route('**/data-api/v1/load*', async route => {
      if (mentions(route.request().postData() ?? '', 'CA')) await new Promise<void>(resolve => held.push(resolve));
      await route.continue().catch(() => {});
    });
    await list(page).selectOption('CA');
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await list(page).selectOption('TX');
    await expect.poll(() => aborted.length).toBeGreaterThan(0);
    expect(aborted.every(text => mentions(text, 'CA'))).toBe(true);
    for (const release of held) release();
    const expected = formatNumber(await flightsTo('ORD', 'TX'));
    await expect.poll(() => figureOf(page, 'Flights')).toBe(expected);
    await drawBoard(page);
    expect(await figureOf(page, 'Flights')).toBe(expected);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.setState({ filters: {} }));
    await figure(page).toBe(formatNumber((await referenceFor('ORD')).flights));
  });

  it('receives a cancelable event for each selection, stored in the URL (metabase#71052)', async () => {
    await page.evaluate(() => {
      const details: unknown[] = [];
      Object.assign(window, { details });
      document.addEventListener('pa-filter-change', event => {
        const { cause, member, value } = Object(event).detail;
        details.push({ cause, member, value });
        if (JSON.stringify(value)?.includes('TX')) event.preventDefault();
      });
    });
    await list(page).selectOption('CA');
    await figure(page).toBe(await flightsToState('CA'));
    await list(page).selectOption('TX');
    await expect.poll(() => list(page).inputValue()).toBe('CA');
    expect(await page.evaluate(() => Object(window).details)).toEqual([
      { cause: 'filter', member, value: { value: 'CA' } },
      { cause: 'filter', member, value: { value: 'TX' } },
    ]);
    expect((await stateOf(page))?.filters).toEqual({ [member]: { value: 'CA' } });
    await page.reload();
    await drawBoard(page);
    expect(await figureOf(page, 'Flights')).toBe(await flightsToState('CA'));
    expect(await list(page).inputValue()).toBe('CA');
  });

  it('sets default, locked and restored filters (metabase#71052)', async () => {
    const setHostFilter = (name: 'filters' | 'lockedFilters', state: string | null): Promise<void> =>
      page.evaluate(
        ([property, key, value]) => {
          const board = document.querySelector<Board>('pa-dashboard');
          if (board) board[property] = value === null ? null : { [key]: { value: [value] } };
        },
        [name, member, state] as const,
      );
    await page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.setState({ filters: {} }));
    await setHostFilter('filters', 'TX');
    await figure(page).toBe(await flightsToState('TX'));
    // Host filters are defaults. They are not part of the viewer’s state, and the viewer may change them.
    expect((await stateOf(page))?.filters).toEqual({});
    await list(page).selectOption('NY');
    await figure(page).toBe(await flightsToState('NY'));
    const saved = await stateOf(page);
    await setHostFilter('lockedFilters', 'CA');
    await figure(page).toBe(await flightsToState('CA'));
    expect(await list(page).count()).toBe(0);
    await setHostFilter('lockedFilters', null);
    await figure(page).toBe(await flightsToState('NY'));
    await page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.setState({ filters: {} }));
    await figure(page).toBe(await flightsToState('TX'));
    await page.evaluate(state => document.querySelector<Board>('pa-dashboard')?.setState(state ?? {}), saved);
    await figure(page).toBe(await flightsToState('NY'));
    await setHostFilter('filters', null);
    await page.evaluate(() => document.querySelector<Board>('pa-dashboard')?.setState({ filters: {} }));
    await figure(page).toBe(formatNumber((await referenceFor('ORD')).flights));
  });

  it('formats figures in the language of the session (cube#9080, cube#11280)', async () => {
    const { flights, onTimeShare } = await referenceFor('ORD');
    for (const locale of ['de', 'ar']) {
      await page.evaluate(language => document.querySelector('pa-session')?.setAttribute('locale', language), locale);
      const write = (value: number, how: Intl.NumberFormatOptions = {}): Promise<string> =>
        page.evaluate(([language, figure, options]) => new Intl.NumberFormat(language, options).format(figure), [
          locale,
          value,
          how,
        ] as const);
      await expect.poll(() => figureOf(page, 'Flights')).toBe(await write(flights));
      // The model defines a percentage with one digit.
      const percent = await write(onTimeShare, {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      });
      await expect.poll(() => figureOf(page, 'On-time share')).toBe(percent);
    }
  });
});
