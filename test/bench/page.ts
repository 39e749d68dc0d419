import type { Page } from 'playwright-core';
import { startDemo } from '../e2e/demo.js';
import { launchBrowser, openDemo } from '../e2e/page.js';

/** Measurements of one visit of the demo's page. */
export interface Visit {
  /** Time from navigation until the last visible tile was rendered, in ms. */
  readonly drawn: number;
  /** Cumulative layout shift. */
  readonly shift: number;
}

type Tile = HTMLElement & { readonly settled: Promise<void> };

/** Resolves when every visible tile is rendered and painted. */
function lastVisibleTile(page: Page): Promise<Visit> {
  return page.evaluate(async () => {
    const frame = (): Promise<number> => new Promise(requestAnimationFrame);
    const tilesOf = (tag: string): Tile[] => [
      ...(document.querySelector(tag)?.shadowRoot?.querySelectorAll<Tile>('pa-tile') ?? []),
    ];
    const inSight = (tile: Tile): boolean => tile.getBoundingClientRect().top < innerHeight;
    while (tilesOf('pa-dashboard').length === 0 || tilesOf('pa-report').length === 0) await frame();
    const tiles = [...tilesOf('pa-dashboard'), ...tilesOf('pa-report')].filter(inSight);
    await Promise.all(tiles.map(tile => tile.settled));
    await frame();
    await frame();
    const drawn = performance.now();
    const shift = await new Promise<number>(resolve => {
      let sum = 0;
      const add = (entries: PerformanceEntryList): void => {
        for (const entry of entries) sum += 'value' in entry ? Number(entry.value) : 0;
      };
      new PerformanceObserver(list => add(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(sum), 500);
    });
    return { drawn, shift };
  });
}

/** Visits the warm demo repeatedly at 1440x900, with scripts in the browser's cache. */
export async function measureVisits(times: number): Promise<Visit[]> {
  const demo = await startDemo();
  const browser = await launchBrowser();
  try {
    const { page } = await openDemo(browser, demo.origin, 'ohare');
    // tsx wraps named functions in a helper that is not defined in the page.
    await page.addInitScript('globalThis.__name = value => value');
    await page.reload();
    await lastVisibleTile(page);
    const visits: Visit[] = [];
    for (let visit = 0; visit < times; visit++) {
      await page.goto(demo.origin, { waitUntil: 'commit' });
      visits.push(await lastVisibleTile(page));
    }
    return visits;
  } finally {
    await browser.close();
    await demo.stop();
  }
}
