import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../src/contract/dashboards.js';
import type { RowSet } from '../../src/contract/row-set.js';
import { renderDashboard } from '../../src/node/index.js';
import type { RowSource } from '../../src/render/render-options.js';
import { openShop, type Shop, snapshotOf } from '../platform/report/shop.js';
import { readPng } from './read-png.js';

const hasPdfTools = spawnSync('pdftotext', ['-v']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'pa-render-'));

/** Extracts the text of a PDF file with poppler. */
function textOf(pdf: Uint8Array, ...options: readonly string[]): string {
  const file = join(folder, 'file.pdf');
  writeFileSync(file, pdf);
  return execFileSync('pdftotext', [...options, file, '-'], { encoding: 'utf8' });
}

const orders = (id: number, others: Partial<ReportSnapshot>, query = {}): ReportSnapshot => ({
  ...snapshotOf({ dimensions: ['orders.state'], measures: ['orders.count'], ...query }, others),
  reportId: id,
});
const reports: readonly ReportSnapshot[] = [
  orders(1, { kind: 'kpi', title: 'All orders' }, { dimensions: [] }),
  orders(2, {
    kind: 'vega',
    title: 'Orders by state',
    spec: {
      mark: 'bar',
      encoding: {
        x: { field: 'orders\\.state', type: 'nominal' },
        y: { field: 'orders\\.count', type: 'quantitative' },
      },
    },
  }),
  orders(3, { kind: 'table', title: 'Every order' }, { dimensions: ['orders.id', 'orders.city'], limit: 10_000 }),
  orders(4, { kind: 'map', title: 'No map', spec: { type: 'points' } }),
  orders(5, { kind: 'sankey', title: 'Flows' }, { dimensions: ['orders.state', 'orders.paid'] }),
];
const noState = [{ member: 'orders.state', operator: 'equals', values: ['none'] }];
const chart = (id: string, reportId: number, position: DashboardWidget['position']): DashboardWidget => ({
  id,
  type: 'CHART',
  position,
  config: { reportId },
});

function dashboardOf(widgets: readonly DashboardWidget[], others: Partial<Dashboard> = {}): Dashboard {
  return {
    allowEmbed: true,
    config: { widgets: [...widgets] },
    deploymentId: 1,
    id: 1,
    publicId: 'AbCdEfGhIjKl',
    reportSnapshots: [...reports],
    status: 'published',
    versionId: 1,
    versionNumber: 1,
    workbookId: 1,
    title: 'Shop',
    ...others,
  };
}

const tiles = [
  chart('figure', 1, { x: 0, y: 0, w: 3, h: 3 }),
  chart('bars', 2, { x: 3, y: 0, w: 9, h: 6 }),
  chart('rows', 3, { x: 0, y: 6, w: 12, h: 6 }),
];

describe('renderDashboard', () => {
  let shop: Shop;
  let source: RowSource;
  beforeAll(async () => {
    shop = await openShop();
    const { session } = shop;
    source = {
      load: (query, options) => session.load(query, options),
      meta: options => session.meta(options),
    };
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await shop.close();
  });

  it('draws all tiles as one PNG, and reports its progress', async () => {
    const progress: number[] = [];
    const { content, mediaType, pageCount, failedTiles } = await renderDashboard({
      ...source,
      dashboard: dashboardOf(tiles.slice(0, 2)),
      output: 'png',
      width: 800,
      scale: 1,
      onProgress: share => progress.push(share),
    });
    expect([mediaType, pageCount, failedTiles]).toEqual(['image/png', 1, []]);
    expect(readPng(content).width).toBe(800);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it.each([
    [{ widgetId: 'none' }, 'unknown_widget'],
    [{ reportId: 'none' }, 'unknown_report'],
  ])('rejects a part that the dashboard does not have: %j', async (part, code) => {
    const file = renderDashboard({ ...source, dashboard: dashboardOf(tiles), output: 'png', ...part });
    await expect(file).rejects.toMatchObject({ name: 'RenderError', code });
  });

  it.skipIf(!hasPdfTools)('continues a table on further pages, with its header on each', async () => {
    const { content, pageCount } = await renderDashboard({ ...source, dashboard: dashboardOf(tiles), output: 'pdf' });
    const pages = textOf(content, '-layout').split('\f').slice(0, -1);
    expect(pages).toHaveLength(pageCount);
    expect(pageCount).toBeGreaterThan(20);
    const ids = pages.flatMap(page =>
      [...page.matchAll(/^\s*(\d+)\s+(?:city \d+|∅)\s+1\s*$/gm)].map(match => match[1]),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const { rows } = await shop.session.load({ measures: ['orders.count'] });
    expect(String(ids.length)).toBe(String(rows[0]?.['orders.count']));
    const tablePages = pages.slice(1);
    for (const page of tablePages) expect(page).toMatch(/ID\s+City\s+Count/);
    expect(pages[0]).toContain('Shop');
    expect(pages.at(-1)).toContain(`Page ${pageCount} of ${pageCount}`);
  });

  it.skipIf(!hasPdfTools)('says how many rows follow the first 2,000', async () => {
    const rows = Array.from({ length: 2_345 }, (_, index) => ({
      'orders.state': `state ${index}`,
      'orders.count': index,
    }));
    const load = async (): Promise<RowSet> => ({
      columns: ['orders.state', 'orders.count'].map((member, index) => ({
        member,
        kind: index === 0 ? ('dimension' as const) : ('measure' as const),
        annotation: { title: member, shortTitle: member, type: index === 0 ? 'string' : 'number' },
      })),
      rows,
      truncated: false,
      lastRefreshTime: null,
    });
    const dashboard = dashboardOf([chart('rows', 3, { x: 0, y: 0, w: 12, h: 6 })]);
    const { content } = await renderDashboard({ load, dashboard, output: 'pdf', orientation: 'portrait' });
    const text = textOf(content);
    expect(text).toContain('state 1999');
    expect(text).not.toContain('state 2000');
    expect(text).toContain('345 more rows are not printed.');
  });

  it('bounds the cells of a table with many columns', async () => {
    const members = Array.from({ length: 200 }, (_, index) => `orders.c${index}`);
    const row = Object.fromEntries(members.map(member => [member, 'x']));
    const load = async (): Promise<RowSet> => ({
      columns: members.map(member => ({
        member,
        kind: 'dimension',
        annotation: { title: member, shortTitle: member, type: 'string' },
      })),
      rows: Array.from({ length: 1_000 }, () => row),
      truncated: false,
      lastRefreshTime: null,
    });
    const dashboard = dashboardOf([chart('rows', 3, { x: 0, y: 0, w: 12, h: 6 })]);
    const { content } = await renderDashboard({ load, dashboard, output: 'html' });
    expect(content.split('<tr>')).toHaveLength(1 + 1 + 300);
    expect(content).toContain('700 more rows are not printed.');
  });

  it.skipIf(!hasPdfTools)('includes all tabs with their titles, and the control values in words', async () => {
    const filter: DashboardWidget = {
      id: 'state',
      type: 'FILTER',
      position: { x: 0, y: 0, w: 2, h: 1 },
      config: { member: 'orders.state', title: 'State' },
    };
    const tabs: DashboardWidget = {
      id: 'tabs',
      type: 'CONTAINER',
      position: { x: 0, y: 0, w: 12, h: 10 },
      config: {
        layout: 'tabs',
        title: 'Views',
        children: [
          { id: 'bars', title: 'First tab' },
          { id: 'figure', title: 'Second tab' },
        ],
      },
    };
    const { content, filters } = await renderDashboard({
      ...source,
      dashboard: dashboardOf([filter, tabs, ...tiles.slice(0, 2)]),
      controls: { filters: { 'orders.state': { value: ['CA', 'TX'] } } },
      output: 'pdf',
    });
    expect(filters).toEqual(['State is CA, TX']);
    const text = textOf(content);
    for (const part of ['Views · First tab', 'Views · Second tab', 'All orders', 'State is CA, TX', 'CA', 'TX']) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('WA');
  });

  it.skipIf(!hasPdfTools)('writes Latin, Arabic and Japanese text that can be extracted', async () => {
    const words = ['Zürich', 'مرحبا بالعالم', 'المبيعات', '東京の売上'];
    const load = async (): Promise<RowSet> => ({
      columns: [
        {
          member: 'orders.state',
          kind: 'dimension',
          annotation: { title: 'المدينة', shortTitle: 'المدينة', type: 'string' },
        },
      ],
      rows: words.map(word => ({ 'orders.state': word })),
      truncated: false,
      lastRefreshTime: null,
    });
    const dashboard = dashboardOf([chart('rows', 3, { x: 0, y: 0, w: 12, h: 6 })], { title: 'لوحة' });
    for (const locale of ['en', 'ar', 'ja']) {
      const { content } = await renderDashboard({ load, dashboard, locale, output: 'pdf' });
      // Poppler marks the direction of each line.
      const text = textOf(content).replace(/[\u200e\u200f\u202a-\u202c]/g, '');
      expect(Buffer.from(content).toString('latin1')).toContain(`/Lang (${locale})`);
      for (const part of [...words, 'المدينة', 'لوحة']) expect(text, locale).toContain(part);
    }
  });

  it('names characters that the fonts lack, and still draws the text around them', async () => {
    const dashboard = dashboardOf([], { title: 'Sales 😀 東京' });
    const { content } = await renderDashboard({ ...source, dashboard, output: 'svg' });
    expect(content).toContain('>Sales \ufffd 東京<');
    expect(content).toContain('U+1F600');
  });

  it('has a bookmark for each tile, and a text alternative for charts', async () => {
    const { content } = await renderDashboard({ ...source, dashboard: dashboardOf(tiles.slice(0, 2)), output: 'pdf' });
    const file = Buffer.from(content).toString('latin1');
    const utf16 = (text: string) => [...text].map(letter => `\0${letter}`).join('');
    for (const title of ['All orders', 'Orders by state']) {
      expect(file.includes(`/Title (${title})`) || file.includes(utf16(title)), title).toBe(true);
    }
    expect(file).toMatch(/\/Lang \(en\)/);
    expect(file).toMatch(/\/S \/Figure[\s\S]{0,40}\/Alt/);
    expect(file).not.toContain('/Subtype /Image');
  });

  it('writes tables as HTML, and charts as SVG with a name', async () => {
    const widgets = [
      ...tiles.slice(0, 2),
      chart('flows', 5, { x: 0, y: 6, w: 12, h: 6 }),
      chart('rows', 3, { x: 0, y: 12, w: 12, h: 6 }),
    ];
    const { content } = await renderDashboard({
      ...source,
      dashboard: dashboardOf(widgets),
      locale: 'fr',
      output: 'html',
    });
    expect(content).toMatch(/^<!doctype html><html lang="fr" dir="ltr"><head><meta charset="utf-8">/);
    expect(content).toContain('<h3 dir="auto">Every order</h3><div class="wide"><table><thead><tr><th scope="col"');
    expect(content).toMatch(/<svg [^>]*aria-label="Orders by state\. 5 barres/);
    expect(content).not.toMatch(/<script|src=|@import|url\(http/);
  });

  it('has a sheet with headings for a report without rows, and CSV of the first report with rows', async () => {
    const none = orders(6, { kind: 'table', title: 'No order' }, { dimensions: ['orders.id'], filters: noState });
    const widgets = [chart('none', 6, { x: 0, y: 0, w: 12, h: 4 }), chart('rows', 3, { x: 0, y: 4, w: 12, h: 6 })];
    const input = { ...source, dashboard: dashboardOf(widgets, { reportSnapshots: [...reports, none] }) };
    const { sheets } = await readXlsx((await renderDashboard({ ...input, output: 'xlsx' })).content);
    expect(sheets.map(({ name, rows }) => [name, rows.length > 1])).toEqual([
      ['No order', false],
      ['Every order', true],
    ]);
    expect(sheets[0]?.rows).toEqual([['ID', 'Count']]);
    const { content } = await renderDashboard({ ...input, output: 'csv' });
    expect(content.split('\n').length).toBeGreaterThan(2);
  });

  it('has pages of the requested format', async () => {
    const mediaBoxes = async (options: Partial<Parameters<typeof renderDashboard>[0]>) => {
      const dashboard = dashboardOf(tiles.slice(0, 2));
      const { content } = await renderDashboard<'pdf'>({ ...source, dashboard, ...options, output: 'pdf' });
      const boxes = Buffer.from(content)
        .toString('latin1')
        .matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g);
      return [...boxes].map(([, width, height]) => [Math.round(Number(width)), Math.round(Number(height))]);
    };
    expect(await mediaBoxes({})).toEqual([[842, 595]]);
    expect(await mediaBoxes({ page: 'Letter', orientation: 'portrait' })).toEqual([[612, 792]]);
    const [tall] = await mediaBoxes({ page: 'tall', width: 800 });
    expect(tall?.[0]).toBe(600);
  });

  it('includes 300 tiles, and says how many are missing', async () => {
    const widgets = Array.from(
      { length: 305 },
      (_, index): DashboardWidget => ({
        id: `text-${index}`,
        type: 'TEXT',
        position: { x: 0, y: index, w: 12, h: 1 },
        config: { markdown: `Note ${index}.` },
      }),
    );
    const { content } = await renderDashboard({ ...source, dashboard: dashboardOf(widgets), output: 'svg' });
    expect(content).toContain('>Note 299.<');
    expect(content).not.toContain('>Note 300.<');
    expect(content).toContain('5 tiles are not included.');
  });

  it('draws the answers pinned to AI widgets, with locked filters', async () => {
    const widget = (id: string, x: number): DashboardWidget => ({ id, type: 'AI', position: { x, y: 0, w: 6, h: 6 } });
    const snapshot = orders(0, { kind: 'table', title: 'Pinned' });
    const { content, filters, failedTiles } = await renderDashboard({
      ...source,
      dashboard: dashboardOf([widget('pinned', 0), widget('empty', 6)]),
      aiWidgets: [{ widgetId: 'pinned', state: 'ready', snapshot }],
      controls: { filters: { 'orders.state': { value: ['CA'] } } },
      lockedFilters: { 'orders.state': { value: ['TX'] } },
      output: 'svg',
    });
    expect(content).toContain('>Pinned<');
    expect(content).toContain('>TX<');
    expect(content).not.toContain('>CA<');
    expect(content).toContain('has not pinned an answer yet');
    expect([filters, failedTiles]).toEqual([['State is TX'], []]);
  });

  it('shows the error of a failed tile, and the others', async () => {
    const { content, failedTiles } = await renderDashboard({
      ...source,
      dashboard: dashboardOf([
        chart('map', 4, { x: 0, y: 0, w: 6, h: 6 }),
        chart('bars', 2, { x: 6, y: 0, w: 6, h: 6 }),
      ]),
      output: 'svg',
    });
    expect(failedTiles).toEqual([
      { widgetId: 'map', title: 'No map', message: expect.stringContaining('coordinates in degrees') },
    ]);
    expect(content).toContain('A map of points requires');
    expect(content).toContain('>CA<');
  });

  it('escapes hostile text in titles and rows', async () => {
    const hostile = '</text><script>alert(1)</script>\u202e"\'&';
    const load = async (): Promise<RowSet> => ({
      columns: [
        {
          member: 'orders.state',
          kind: 'dimension',
          annotation: { title: hostile, shortTitle: hostile, type: 'string' },
        },
      ],
      rows: [{ 'orders.state': hostile }],
      truncated: false,
      lastRefreshTime: null,
    });
    const dashboard = dashboardOf([chart('rows', 3, { x: 0, y: 0, w: 12, h: 6 })], { title: hostile });
    for (const output of ['svg', 'html'] as const) {
      const { content } = await renderDashboard({ load, dashboard, output });
      expect(content).not.toContain('<script');
      expect(content).not.toContain('\u202e');
      expect(content).toContain('&lt;script&gt;');
    }
  });

  it('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    const load = () => {
      stop.abort(new Error('canceled'));
      return new Promise<never>(() => {});
    };
    const dashboard = dashboardOf(tiles);
    await expect(renderDashboard({ load, dashboard, signal: stop.signal, output: 'pdf' })).rejects.toThrow('canceled');
  });
});
