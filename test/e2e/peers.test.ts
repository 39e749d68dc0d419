import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Board, drawBoard, figureOf, openBoard, tileOf, written } from './board-page.js';
import { launchBrowser, openDemo } from './page.js';
import { flightsTo, referenceFor } from './reference.js';

// What users of other libraries complain of, on the demo; each name tells the threads that it answers. What a session does over the
// life of a page stands in session.test.ts, what elements leave behind in session-elements.test.ts.

const demo = inject('demo');
const patient = { timeout: 15_000 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const close = (page: Page): Promise<void> => page.context().close();

describe('the page around', () => {
  it('has no frame and one scrollbar (powerbi-client-react#118, superset PR 44313)', async () => {
    const { page } = await openBoard(browser, `${demo}/network`, 'ohare');
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
    await close(page);
  });

  it('keeps its styles, and the elements theirs (metabase#79414, lightdash#21166)', async () => {
    const { page } = await openBoard(browser, `${demo}/network`, 'ohare');
    const looks = (side: 'inside' | 'outside'): Promise<string[]> =>
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
    const inside = await looks('inside');
    expect(inside.length).toBeGreaterThan(30);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        header, h1, h2, h3, p, button, select, label, svg, table, td { padding: 31px; border: 7px solid red; color: red; text-transform: uppercase; display: inline }
        .tile, .body, .panel, .chart, .bar, [part] { color: red; padding: 31px; border: 7px solid red }`);
      document.adoptedStyleSheets = [sheet];
    });
    expect(await looks('inside')).toEqual(inside);
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
    const outside = await looks('outside');
    await page.evaluate(() => document.querySelector('pa-session')?.remove());
    expect(await looks('outside')).toEqual(outside);
    await close(page);
  });

  it('is dark from the first frame on (superset#40759)', async () => {
    const opened = await openDemo(browser, demo, 'ohare', { colorScheme: 'dark' });
    const { page } = opened;
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const look = (): void => {
        const tiles = document.querySelector('pa-dashboard')?.shadowRoot?.querySelectorAll('pa-tile') ?? [];
        for (const tile of tiles) {
          const frame = tile.shadowRoot?.querySelector('[part~=tile]');
          const color = frame && getComputedStyle(frame).backgroundColor;
          // A text stands on the page's own ground.
          if (color && color !== 'rgba(0, 0, 0, 0)') seen.push(color);
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.reload();
    await drawBoard(page);
    const seen = await page.evaluate(() => [...new Set<string>(Object(window).seen)]);
    expect(seen).toEqual(['rgb(23, 26, 33)']);
    await page.locator('#scheme').click();
    await expect.poll(() => page.evaluate(() => new Set<string>(Object(window).seen).size), patient).toBe(2);
    await close(page);
  });
});

describe('what is chosen', () => {
  it('calls off older queries, and only the last shows (cube#5524, cube#4806)', async () => {
    const { page } = await openBoard(browser, demo, 'ohare');
    const held: (() => void)[] = [];
    const aborted: string[] = [];
    page.on('requestfailed', request => aborted.push(request.postData() ?? ''));
    const isOf = (text: string, state: string): boolean => text.includes(`"${state}"`);
    await page.route('**/data-api/v1/load', async route => {
      if (isOf(route.request().postData() ?? '', 'CA')) await new Promise<void>(resolve => held.push(resolve));
      await route.continue().catch(() => {});
    });
    const list = page.getByRole('group', { name: 'Controls' }).getByRole('combobox', { name: 'Destination state' });
    await list.selectOption('CA');
    await expect.poll(() => held.length, patient).toBeGreaterThan(0);
    await list.selectOption('TX');
    await expect.poll(() => aborted.length, patient).toBeGreaterThan(0);
    expect(aborted.every(text => isOf(text, 'CA'))).toBe(true);
    for (const release of held) release();
    const wanted = written(await flightsTo('ORD', 'TX'));
    await expect.poll(() => figureOf(page, 'Flights'), patient).toBe(wanted);
    await drawBoard(page);
    expect(await figureOf(page, 'Flights')).toBe(wanted);
    await close(page);
  });
});

describe('a chart', () => {
  it('has a name, keys and a table (superset#27016, vega#3878)', async () => {
    const { page } = await openBoard(browser, demo, 'ohare');
    const name = 'Flights by distance (miles)';
    const chart = tileOf(page, name).getByRole('application', { name });
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => tileOf(page, name).locator('[role=status]').allInnerTexts(), patient)
      .toContainEqual(expect.stringContaining('1 of 4'));
    await tileOf(page, name)
      .getByRole('button', { name: `Menu of ${name}` })
      .press('Enter');
    await page.getByRole('menuitem', { name: 'Show as table' }).press('Enter');
    await tileOf(page, name).getByRole('grid', { name }).waitFor();
    expect(await tileOf(page, name).getByRole('row').count()).toBe(5);
    await close(page);
  });
});

it('prints every tile, those in tabs too (superset#30913)', async () => {
  const { page } = await openDemo(browser, `${demo}/network`, 'ohare');
  await page.locator('pa-dashboard pa-tile').first().waitFor();
  const printed = await page.evaluate(async () => {
    const names: string[] = [];
    window.print = () => {
      for (const tile of document.querySelector('pa-dashboard')?.shadowRoot?.querySelectorAll('pa-tile') ?? []) {
        names.push(`${Object(tile).heading} ${Object(tile).rest}`);
      }
    };
    await document.querySelector<Board>('pa-dashboard')?.print();
    return names;
  });
  expect(printed.filter(line => !line.endsWith(' shown'))).toEqual([]);
  for (const name of ['Airports by flights and average delay', 'From haul to punctuality']) {
    expect(printed).toContain(`${name} shown`);
  }
  await close(page);
});

it.each(['de', 'ar'])('writes figures as readers of %s do (cube#9080, cube#11280)', async locale => {
  const { page } = await openBoard(browser, demo, 'ohare');
  await page.evaluate(language => document.querySelector('pa-session')?.setAttribute('locale', language), locale);
  const { flights } = await referenceFor('ORD');
  const wanted = await page.evaluate(([value, language]) => new Intl.NumberFormat(language).format(value), [
    flights,
    locale,
  ] as const);
  await expect.poll(() => figureOf(page, 'Flights'), patient).toBe(wanted);
  await close(page);
});
