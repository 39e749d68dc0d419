import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaError } from '../../src/client/errors.js';
import type { ReportSnapshot } from '../../src/contract/dashboards.js';
import { renderReport } from '../../src/node/index.js';
import type { RowSource } from '../../src/render/render-options.js';
import { openShop, type Shop, snapshotOf } from '../platform/report/shop.js';
import { readPng } from './read-png.js';

const byState = { dimensions: ['orders.state'], measures: ['orders.count'], order: { 'orders.state': 'asc' as const } };
const bars: ReportSnapshot = snapshotOf(byState, {
  kind: 'vega',
  title: 'Orders by state',
  spec: {
    mark: 'bar',
    encoding: {
      x: { field: 'orders\\.state', type: 'nominal' },
      y: { field: 'orders\\.count', type: 'quantitative' },
    },
  },
});

describe('renderReport', () => {
  let shop: Shop;
  let source: RowSource;
  beforeAll(async () => {
    shop = await openShop();
    const { session } = shop;
    source = {
      load: (query, options) => session.load(query, options),
      sql: (text, options) => session.sql(text, options),
      meta: options => session.meta(options),
    };
  });
  afterAll(() => shop.close());

  it('draws a chart as SVG with the values of the rows as text', async () => {
    const { content, mediaType, description } = await renderReport({ ...source, report: bars, output: 'svg' });
    expect(mediaType).toBe('image/svg+xml');
    for (const label of ['CA', 'TX', 'WA', "it's &quot;N,Y&quot;"]) expect(content).toContain(`>${label}<`);
    expect(description).toMatch(/^Orders by state\. 5 bars/);
    expect(content).not.toMatch(/<script|<style|href=|class=/);
  });

  it('labels a missing category as tables do, also in Vega-Lite that was not published', async () => {
    const load: RowSource['load'] = async (query, options) => {
      const rowSet = await source.load(query, options);
      const rows = rowSet.rows.map(row => (row['orders.state'] === 'CA' ? { ...row, 'orders.state': null } : row));
      return { ...rowSet, rows };
    };
    const { content } = await renderReport({ ...source, load, report: bars, output: 'svg' });
    expect(content).toContain('>TX<');
    expect(content).toContain('>∅<');
    expect(content).not.toContain('>null<');
  });

  it('draws a chart as PNG in the requested size and in the color of the theme', async () => {
    const size = { width: 300, height: 200 };
    const theme = { own: { primaryColor: '#ff0066' } };
    const { content } = await renderReport({ ...source, report: bars, size, theme, scale: 2, output: 'png' });
    const png = readPng(content);
    expect([png.width, png.height]).toEqual([600, 400]);
    const colors = new Set<string>();
    for (let x = 0; x < png.width; x += 3) for (let y = 0; y < png.height; y += 3) colors.add(png.at(x, y).join());
    expect(colors).toContain('255,0,102,255');
    expect(png.at(1, 1)).toEqual([255, 255, 255, 255]);
  });

  it('applies the filters, the time zone and the language of the caller', async () => {
    const sent = shop.sent.length;
    const { content } = await renderReport({
      ...source,
      report: snapshotOf(byState, { title: 'Bestellungen' }),
      filters: { 'orders.state': { value: ['CA'] } },
      timeZone: 'Europe/Berlin',
      locale: 'de-DE',
      output: 'svg',
    });
    expect(shop.sent.slice(sent)).toMatchObject([
      { filters: [{ member: 'orders.state', operator: 'equals', values: ['CA'] }], timezone: 'Europe/Berlin' },
    ]);
    expect(content).toContain('xml:lang="de-DE"');
    expect(content).toContain('>CA<');
    expect(content).not.toContain('>TX<');
  });

  it('draws a message if the rows cannot be loaded, without the text of the error', async () => {
    const load = () => Promise.reject(new PaError('not_allowed', 'secret of row 7', { status: 403 }));
    const { content } = await renderReport({ load, report: bars, output: 'svg' });
    expect(content).toContain('You don’t have access to this');
    expect(content).not.toContain('secret');
  });

  it('draws a message if the rows do not arrive in time', async () => {
    const load = () => new Promise<never>(() => {});
    const { content } = await renderReport({ load, report: bars, timeoutMs: 1, output: 'svg' });
    expect(content).toContain('This is taking too long');
  });

  it('rejects with the reason of the signal, also if the rows never arrive', async () => {
    const stop = new AbortController();
    const load = () => {
      stop.abort(new Error('no longer needed'));
      return new Promise<never>(() => {});
    };
    await expect(renderReport({ load, report: bars, signal: stop.signal, output: 'png' })).rejects.toThrow(
      'no longer needed',
    );
  });
});
