import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowSet } from '../../src/contract/row-set.js';
import { hostileSpecs } from '../charts/hostile-specs.js';
import { casesAtDepth, testDepth } from '../property.js';
import {
  absurdDashboard,
  chartsDashboard,
  crowdedDashboard,
  markupDashboard,
  misfitDashboard,
  nonsenseDashboard,
  poisonedDashboard,
  poisons,
} from './hostile-dashboards.js';
import { type HostilePlatform, startHostilePlatform } from './hostile-platform.js';
import { launchBrowser } from './page.js';

// Content from a platform and values from a page may be broken or hostile. Each tile shows it as harmless text or an
// error; no script runs, and no request goes to another origin.

declare global {
  interface Window {
    pwned?: string;
    violations: string[];
    /** Rows set by the page. */
    given?: RowSet;
  }
}

let platform: HostilePlatform;
let browser: Browser;

beforeAll(async () => {
  platform = await startHostilePlatform();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  platform?.close();
});

interface Opened {
  readonly page: Page;
  /** Forbidden effects: executed scripts, policy violations, cross-origin requests, uncaught errors. */
  problems(): Promise<string[]>;
}

const idOf = (index: number): string => `Hostile${String(index).padStart(5, '0')}`;

/** Serves dashboards and opens a page that shows them. */
async function open(dashboards: readonly ((publicId: string) => object)[], search = ''): Promise<Opened> {
  const ids = dashboards.map((make, index) => {
    platform.dashboards.set(idOf(index), JSON.parse(JSON.stringify(make(idOf(index)))));
    return idOf(index);
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const seen: string[] = [];
  page.on('pageerror', error => seen.push(`uncaught: ${error.stack?.slice(0, 600)}`));
  page.on('dialog', dialog => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', popup => seen.push(`window: ${popup.url()}`));
  page.on('request', request => {
    if (new URL(request.url()).origin !== platform.origin) seen.push(`request: ${request.url().slice(0, 200)}`);
  });
  await page.addInitScript(() => {
    const natives = Object.getOwnPropertyNames(Object.prototype).length;
    window.violations = [];
    window.alert = () => {
      window.pwned = 'alert';
    };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      window.violations.push(`policy: ${violatedDirective} ${blockedURI.slice(0, 200)} ${sample}`);
    });
    window.addEventListener('pagehide', () => {
      if (Object.getOwnPropertyNames(Object.prototype).length !== natives) window.pwned = 'prototype';
    });
  });
  await page.goto(`${platform.origin}/?show=${ids.join(',')}${search}`);
  return { page, problems: async () => [...seen, ...(await page.evaluate(findHarm))] };
}

/** Finds everything on the page that could run or load, across shadow roots. Runs in the page. */
function findHarm(): string[] {
  const found = [...window.violations];
  if (window.pwned !== undefined) found.push(`ran: ${window.pwned}`);
  if ('polluted' in {} || Object.keys(Object.prototype).length > 0) found.push('prototype: polluted');
  const active =
    /^(script|iframe|frame|object|embed|applet|base|link|meta|form|foreignobject|animate|set|video|audio)$/i;
  const visit = (scope: ParentNode): void => {
    for (const element of scope.querySelectorAll('*')) {
      if (element.ownerDocument.head.contains(element)) continue;
      if (active.test(element.localName)) found.push(`element: ${element.localName} in ${hostOf(element)}`);
      for (const { name, value } of element.attributes) {
        const isAddress = /^(xlink:)?href$|^src|^action$|^formaction$|^poster$|^ping$|^background$|^data$/.test(name);
        const isText = element instanceof HTMLAnchorElement && isSafeLink(element);
        if (/^on/.test(name)) found.push(`attribute: ${name} in ${hostOf(element)}`);
        if (isAddress && value !== '' && !/^#/.test(value) && !isText)
          found.push(`address: ${name}=${value.slice(0, 80)} in ${hostOf(element)}`);
        if (
          name !== 'title' &&
          /url\s*\(/i.test(value) &&
          /^(style|fill|stroke|filter|mask|clip-path|cursor)$/.test(name) &&
          /evil/.test(value)
        ) {
          found.push(`style: ${name}=${value.slice(0, 80)} in ${hostOf(element)}`);
        }
      }
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  const hostOf = (element: Element): string => {
    const top = element.getRootNode();
    return top instanceof ShadowRoot ? top.host.localName : 'page';
  };
  // The protocol of an invalid URL is `:`.
  const isSafeLink = (link: HTMLAnchorElement): boolean => ['http:', 'https:', 'mailto:', ':'].includes(link.protocol);
  visit(document);
  return found.slice(0, 20);
}

/** Returns the number of elements on the page, including shadow roots. Runs in the page. */
function countElements(): number {
  const count = (scope: ParentNode): number =>
    [...scope.querySelectorAll('*')].reduce((sum, { shadowRoot }) => sum + 1 + (shadowRoot ? count(shadowRoot) : 0), 0);
  return count(document);
}

/** Time after which an unsettled tile counts as hung, in ms. Hundreds of tiles take half a minute on a busy machine. */
const restMs = 90_000;

/** Loads all tiles of every dashboard, and returns their outcomes and rendered text. */
async function drawAll(page: Page): Promise<{ state: string; words: string; name: string }[]> {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('pa-dashboard')].every(one =>
        one.shadowRoot?.querySelector('pa-tile, [part~=notice], .note'),
      ),
    null,
    { timeout: restMs },
  );
  return page.evaluate(async limit => {
    const dashboards = [...document.querySelectorAll('pa-dashboard')];
    const inTime = new Promise(resolve => setTimeout(resolve, limit));
    await Promise.race([inTime, Promise.all(dashboards.map(dashboard => dashboard.loadAll()))]);
    const textOf = (node: Node): string => {
      const own = node instanceof Element && node.shadowRoot ? textOf(node.shadowRoot) : '';
      if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
      return node instanceof HTMLStyleElement ? '' : own + [...node.childNodes].map(textOf).join(' ');
    };
    return dashboards.flatMap(dashboard =>
      [...dashboard.renderRoot.querySelectorAll('pa-tile')].map(tile => {
        const body = tile.renderRoot.querySelector('[part~=body]');
        return {
          name: tile.heading,
          state: tile.outcome ?? 'hangs',
          words: (body ? textOf(body) : '').replace(/\s+/g, ' ').trim().slice(0, 200),
        };
      }),
    );
  }, restMs);
}

/** Renders dashboards and checks that no tile hangs, no script runs and no request leaves, then runs further checks. */
async function expectHarmless(
  dashboards: Parameters<typeof open>[0],
  check: (tiles: Awaited<ReturnType<typeof drawAll>>, page: Page) => unknown = () => undefined,
): Promise<void> {
  const { page, problems } = await open(dashboards);
  const tiles = await drawAll(page);
  expect(tiles.filter(({ state }) => state === 'hangs')).toEqual([]);
  await check(tiles, page);
  expect(await problems()).toEqual([]);
  await page.close();
}

describe('hostile platform', () => {
  // Each string has a separate dashboard. A quick run has one or two strings of each kind: markup, styles, addresses,
  // templates, keys of prototypes, control characters, long words.
  const tested = poisons.flatMap((_, index) =>
    testDepth() === 'deep' || [0, 4, 10, 12, 16].includes(index) ? [index] : [],
  );
  const groups = Array.from({ length: Math.ceil(tested.length / 5) }, (_, index) =>
    tested.slice(index * 5, index * 5 + 5),
  );

  it.each(groups)('renders strings %i, %i, %i, %i, %i as plain text everywhere (dust#12359)', async (...group) => {
    const texts = group.map(index => poisons[index] ?? '');
    const { page, problems } = await open(group.map(index => (id: string) => poisonedDashboard(id, index)));
    const tiles = await drawAll(page);
    expect(tiles.length).toBeGreaterThan(texts.length * 20);
    expect(tiles.filter(({ state }) => state === 'hangs')).toEqual([]);
    expect(await problems()).toEqual([]);
    const headings = await page.locator('pa-dashboard #title').allTextContents();
    // The browser pipe does not preserve lone surrogates and control characters.
    const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\ufffd]/gu, '').slice(0, 500);
    expect(headings.map(plain)).toEqual(texts.map(plain));
    const filters = page.locator('pa-filter button[part~=control]');
    for (const at of [0, 1, 8]) {
      await filters.nth(at).click();
      await page.locator('pa-filter-panel').first().waitFor();
      await page.keyboard.press('Escape');
    }
    expect(await problems()).toEqual([]);
    await page.close();
  });

  it('renders no chart that runs scripts, loads resources or never ends', async () => {
    await expectHarmless([chartsDashboard], tiles => {
      const outcomes = hostileSpecs.map(({ name, outcome }, index) => ({
        name,
        outcome,
        state: tiles[index]?.state,
        words: tiles[index]?.words,
      }));
      expect(outcomes.filter(({ outcome, state }) => outcome === 'refused' && state !== 'failed')).toEqual([]);
      expect(outcomes.filter(({ outcome, state }) => outcome === 'drawn' && state !== 'shown')).toEqual([]);
    });
  });

  it('renders no active markup, and places tiles with invalid positions', () =>
    expectHarmless([markupDashboard, absurdDashboard]));

  it('reports invalid reports tile by tile', async () => {
    await expectHarmless([nonsenseDashboard, misfitDashboard], tiles => {
      expect(tiles.filter(({ state, words }) => state === 'failed' && words === '')).toEqual([]);
    });
  });

  it('places hundreds of tiles', async () => {
    const tileCount = casesAtDepth(300, 100);
    await expectHarmless([id => crowdedDashboard(id, tileCount)], async (_tiles, page) => {
      expect(await page.locator('pa-dashboard pa-tile').count()).toBe(tileCount);
    });
  });

  it('treats hostile session and account values as text', async () => {
    const text = poisons[0] ?? '';
    platform.grant = {
      settings: { locale: text, timezone: 'javascript:alert(1)' },
      embedTheme: {
        font: `x;src:url(https://evil.example/f)`,
        primaryColor: 'url(https://evil.example/a)',
        [text]: text,
      },
      security: poisons,
    };
    platform.appConfig = {
      applyThemeGlobally: true,
      restrictDataDownload: false,
      sheetsAgentChatEnabled: true,
      appTheme: {
        logoUrl: 'javascript:alert(1)',
        light: { accentColor: poisons[10], logoUrl: 'https://evil.example/logo.png' },
        palette: { accent: { color: poisons[11] }, themes: { danger: { color: text, hue: '1;}' } } },
        typography: {
          body: { fontRef: 'f', fontWeight: 1e9 },
          heading: { fontRef: '__proto__', fontWeight: '1;}*{}' },
          fonts: [{ id: 'f', family: poisons[11], format: text, url: 'https://evil.example/f.woff2' }],
        },
      },
      embedding: { locale: text, timezone: text },
    };
    const { page, problems } = await open([id => poisonedDashboard(id, 0)]);
    platform.grant = {};
    platform.appConfig = null;
    const tiles = await drawAll(page);
    expect(tiles.filter(({ state }) => state === 'hangs')).toEqual([]);
    expect(await problems()).toEqual([]);
    await page.close();
  });
});

describe('hostile URL and invalid properties', () => {
  it('change nothing that the dashboard does not offer, and throw no errors', async () => {
    const view = 'poison0';
    const params = [
      `${view}.label`,
      `${view}.other`,
      '__proto__',
      'constructor.prototype',
      '<img src=x onerror=alert(1)>',
    ].flatMap(member => [
      ...[
        '{"operator":"__proto__","value":"x"}',
        '{"value":{"__proto__":{"polluted":1}}}',
        '{"__proto__":{"polluted":1}}',
        '[[[',
        'null',
        `{"value":${JSON.stringify(poisons.slice(0, 12))}}`,
      ].map(value => [`f_${member}`, value]),
      [`tg_${member}`, '__proto__'],
      [`ms_${member}`, 'constructor'],
      [`tab_${member}`, 'javascript:alert(1)'],
    ]);
    const search = params
      .map(([name = '', value = '']) => `&${encodeURIComponent(`${idOf(0)}.${name}`)}=${encodeURIComponent(value)}`)
      .join('');
    const { page, problems } = await open(
      [id => poisonedDashboard(id, 0)],
      `${search}&%E0%A4%A=%&=&tab_tabs=${'x'.repeat(2500)}&__proto__[polluted]=1`,
    );
    await drawAll(page);
    const state = await page.evaluate(() => document.querySelector('pa-dashboard')?.getState());
    expect(Object.keys(state?.timeGrains ?? {})).toEqual([]);
    expect(Object.keys(state?.members ?? {})).toEqual([]);
    expect(Object.keys(state?.tabs ?? {})).toEqual([]);
    expect(await problems()).toEqual([]);
    const thrown = await page.evaluate(async texts => {
      const board = document.querySelector('pa-dashboard');
      if (!board) return ['no dashboard'];
      const errors: string[] = [];
      const wicked: unknown[] = [
        null,
        7,
        'text',
        [],
        [null],
        JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
        ...texts.map(text => ({
          'poison0.label': text,
          [text]: { value: text },
          'poison0.other': { operator: text, value: [text, {}, null] },
        })),
        { 'poison0.label': { value: Array.from({ length: 100_000 }, (_, index) => index) } },
        {
          'poison0.label': {
            get value() {
              return { toString: () => window.alert(1) };
            },
          },
        },
      ];
      for (const given of wicked) {
        for (const use of [
          () => Object.assign(board, { filters: given }),
          () => Object.assign(board, { lockedFilters: given }),
          () => Object.assign(board, { theme: given }),
          () => board.setState({ filters: given } as object),
          () => board.setState({ timeGrains: given, members: given, tabs: given } as object),
          () => board.setState(given as object),
        ]) {
          try {
            use();
            await board.updateComplete;
          } catch (error) {
            errors.push(
              `${JSON.stringify(given)?.slice(0, 80)} ${use} ${error instanceof Error ? error.stack?.slice(0, 300) : error}`,
            );
          }
        }
      }
      await new Promise(resolve => setTimeout(resolve, 500));
      return errors;
    }, poisons);
    expect(thrown).toEqual([]);
    await drawAll(page);
    expect(await problems()).toEqual([]);
    await page.close();
  });

  it('report errors in invalid rows', async () => {
    const { page, problems } = await open([]);
    const words = await page.evaluate(async () => {
      const column = { member: 'a', kind: 'dimension', annotation: { title: 'A', shortTitle: 'A', type: 'string' } };
      const round: Record<string, unknown> = {};
      round.self = round;
      const wrong: unknown[] = [
        7,
        'rows',
        [],
        {},
        { columns: 7 },
        { columns: [], rows: 7 },
        { columns: [null], rows: [] },
        { columns: [{ member: 7 }], rows: [] },
        { columns: [column, column], rows: [] },
        { columns: [column], rows: [null] },
        { columns: [column], rows: [{ a: {} }] },
        { columns: [column], rows: [{ a: Symbol('x') }] },
        { columns: [column], rows: [{ a: () => window.alert(1) }] },
        { columns: [column], rows: { length: 1e9 } },
        { columns: [column], rows: [{ a: round }] },
        { columns: [column], rows: new Array(2_000_000) },
        { columns: Array.from({ length: 5000 }, (_, index) => ({ ...column, member: `m${index}` })), rows: [] },
      ];
      const notices: string[] = [];
      for (const rows of wrong) {
        const report = Object.assign(document.createElement('pa-report'), { rows: rows as RowSet });
        document.body.append(report);
        await report.updateComplete;
        notices.push(
          report.renderRoot.querySelector('[part~=notice]')?.textContent?.replace(/\s+/g, ' ').trim() ??
            `nothing: ${String(Object.keys(Object(rows)))}`,
        );
        report.remove();
      }
      return notices;
    });
    expect(words.filter(text => !text.includes('rows'))).toEqual([]);
    expect(await problems()).toEqual([]);
    await page.close();
  });

  // A quick run covers the kinds with the most rows: table and chart.
  it.each(
    Object.entries({
      table: {},
      kpi: { display: 'sparkline' },
      map: { type: 'countries', region: 'label' },
      sankey: { source: 'label', target: 'at', value: 'count' },
      html: '<p data-each-row>{{label}} {{count}}</p>',
      vega: {
        data: { name: 'rows' },
        mark: 'point',
        encoding: { x: { field: 'at', type: 'temporal' }, y: { field: 'count', type: 'quantitative' } },
      },
    }).filter(([kind]) => testDepth() === 'deep' || kind === 'table'),
  )('render many rows as %s in bounded memory', async (kind, spec) => {
    const { page, problems } = await open([]);
    const devtools = await page.context().newCDPSession(page);
    const heapUsed = async (): Promise<number> => {
      await devtools.send('HeapProfiler.collectGarbage');
      return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
    };
    await page.evaluate(
      length => {
        const annotation = (title: string, type: string) => ({ title, shortTitle: title, type });
        const rows = Array.from({ length }, (_, index) => ({
          at: `${1900 + (index % 200)}-01-01T00:00:00.000`,
          label: `L${index % 5000}`,
          count: String(index),
        }));
        window.given = {
          columns: [
            { member: 'at', kind: 'timeDimension', annotation: annotation('At', 'time') },
            { member: 'label', kind: 'dimension', annotation: annotation('Label', 'string') },
            { member: 'count', kind: 'measure', annotation: annotation('Count', 'number') },
          ],
          rows,
          truncated: false,
          lastRefreshTime: null,
        };
      },
      casesAtDepth(1_000_000, 250_000),
    );
    const before = await heapUsed();
    const rest = await page.evaluate(
      async snapshot => {
        const rows = window.given ?? null;
        const report = Object.assign(document.createElement('pa-report'), { rows, snapshot });
        document.body.replaceChildren(report);
        await report.loadAll();
        return report.renderRoot.querySelector('pa-tile')?.outcome;
      },
      { kind, spec, id: 1, reportId: 1, versionNumber: 1, name: kind },
    );
    expect({ kind, rest }).toEqual({ kind, rest: 'shown' });
    expect(await page.evaluate(countElements)).toBeLessThan(2000);
    // Rendering must at most double the size of the heap, which contains the rows.
    expect((await heapUsed()) - before).toBeLessThan(before);
    expect(await problems()).toEqual([]);
    await page.close();
  });
});
