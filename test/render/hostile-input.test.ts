import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, it } from 'vitest';
import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../src/contract/dashboards.js';
import type { RowSet } from '../../src/contract/row-set.js';
import { type DashboardOutput, renderDashboard, renderReport } from '../../src/node/index.js';

const hasPdfTools = spawnSync('pdftotext', ['-v']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'pa-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Text that markup, spreadsheets, PDF readers and terminals could interpret. */
const hostile = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '"><a href="javascript:alert(3)">x</a>]]></title>&lt;',
  '=HYPERLINK("http://evil.example","x")',
  '+1|calc!A0',
  '@SUM(1)',
  '\u202eevil\u202d \u2066\u2067\u0000\u0008\ud800 \uffff',
  ') /JS (app.alert(1)) /S /JavaScript <</Type/Action>>',
  '{{7*7}} %0d%0aSet-Cookie: a=1\r\nX: y',
  'a'.repeat(5_000),
];
const all = hostile.join(' ');

const rowSet = (rows: number): RowSet => ({
  columns: [
    { member: 'o.name', kind: 'dimension', annotation: { title: all, shortTitle: all, type: 'string' } },
    { member: 'o.sum', kind: 'measure', annotation: { title: hostile[0] ?? '', shortTitle: 'Sum', type: 'number' } },
  ],
  rows: Array.from({ length: rows }, (_, index) => ({
    'o.name': hostile[index % hostile.length] ?? '',
    'o.sum': String(index),
  })),
  truncated: true,
  lastRefreshTime: null,
});
const load = async () => rowSet(20);

const reportOf = (
  reportId: number,
  kind: ReportSnapshot['kind'],
  more: Partial<ReportSnapshot> = {},
): ReportSnapshot => ({
  id: reportId,
  reportId,
  versionNumber: 1,
  kind,
  title: all,
  name: all,
  meta: { jsonQuery: { dimensions: ['o.name'], measures: ['o.sum'], limit: 100 } },
  ...more,
});
const field = (name: string, type: string) => ({ field: `o\\.${name}`, type, title: all });
const bars = { mark: 'bar', encoding: { x: field('name', 'nominal'), y: field('sum', 'quantitative') } };
const markdown = `# ${all}\n\n${all}\n\n[x](javascript:alert(1)) [y](data:text/html,x) ![z](http://evil.example/z.png)\n\n<b onclick=x>`;
const html = `<p style="background:url(http://evil.example/a)" onclick="x">${all}</p><img src="http://evil.example/b"><iframe src="x"></iframe>`;

const widget = (id: string, type: string, config: object, y: number): DashboardWidget =>
  ({ id, type, position: { x: 0, y, w: 12, h: 5 }, config }) as DashboardWidget;

const dashboard: Dashboard = {
  allowEmbed: true,
  config: {
    widgets: [
      widget('bars', 'CHART', { reportId: 1, title: all }, 0),
      widget('table', 'CHART', { reportId: 2 }, 5),
      widget('figure', 'CHART', { reportId: 3 }, 10),
      widget('flows', 'CHART', { reportId: 4 }, 15),
      widget('page', 'CHART', { reportId: 5 }, 20),
      widget('text', 'TEXT', { markdown, text: markdown, content: markdown }, 25),
      widget('missing', 'CHART', { reportId: 99, title: all }, 30),
      widget('other', all, {}, 35),
    ],
    title: all,
  },
  deploymentId: 1,
  id: 1,
  publicId: 'AbCdEfGhIjKl',
  reportSnapshots: [
    reportOf(1, 'vega', { spec: bars }),
    reportOf(2, 'table'),
    reportOf(3, 'kpi'),
    reportOf(4, 'sankey'),
    reportOf(5, 'html', { spec: { html } as never }),
  ],
  status: 'published',
  versionId: 1,
  versionNumber: 1,
  workbookId: 1,
  title: all,
};
const controls = {
  filters: { [`o.${all}`]: { operator: 'equals' as const, value: [all] }, 'o.name': { value: [all] } },
};

const fileOf = <O extends DashboardOutput>(output: O, more = {}) =>
  renderDashboard({ dashboard, load, controls, output, ...more });

/**
 * Patterns that a file of text and drawings must not contain: active elements, event handlers, external addresses and
 * reordered text.
 */
function problemsOf(file: string): string[] {
  const found: string[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (/^(?:script|iframe|object|embed|foreignobject|img|image|link|base|form|use)$/i.test(tag)) found.push(tag);
        for (const [name, value] of Object.entries(attributes)) {
          const isAddress = /^(?:href|src|xlink:href|action)$/i.test(name) && !/^(?:#|https?:|mailto:)/i.test(value);
          const isOutside = name === 'style' && value.includes('url(');
          if (/^on/i.test(name) || isAddress || isOutside) found.push(`${name}=${value}`);
        }
      },
    },
    { decodeEntities: true },
  );
  parser.end(file);
  return /[\u202a-\u202e]/.test(file) ? [...found, 'direction'] : found;
}

/** Returns the width and height of a PNG. */
const sizeOf = (png: Uint8Array) => {
  const file = Buffer.from(png);
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
};

/** Returns the output of a program of poppler for a PDF. */
function inspect(pdf: Uint8Array, program: string, ...options: readonly string[]): string {
  const path = join(folder, 'file.pdf');
  writeFileSync(path, pdf);
  const last = program === 'pdftotext' ? ['-'] : [];
  const { stdout, status } = spawnSync(program, [...options, path, ...last], {
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  expect(status).toBe(0);
  return stdout;
}

describe('hostile text in all fields', () => {
  it.each(['svg', 'html'] as const)('stays text in a file of type %s', async output => {
    const { content } = await fileOf(output);
    expect(problemsOf(content)).toEqual([]);
    expect(content).toContain('&lt;script&gt;alert(1)');
  });

  it.skipIf(!hasPdfTools)('stays text in a PDF', async () => {
    const { content } = await fileOf('pdf');
    expect(inspect(content, 'pdftotext')).toContain('<script>alert(1)</script>');
    expect(inspect(content, 'pdfinfo', '-js').trim()).toBe('');
    expect(inspect(content, 'pdfinfo', '-url')).not.toMatch(/javascript:|data:/);
  });

  it('is no formula in XLSX and CSV', async () => {
    const { sheets } = await readXlsx((await fileOf('xlsx')).content);
    expect(sheets.length).toBeGreaterThan(1);
    const cells = sheets.flatMap(({ cells: own }) => [...(own?.values() ?? [])]);
    expect(cells.filter(({ formula }) => formula)).toEqual([]);
    const names = sheets.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[^[\]:*?/\\]{1,31}$/);
    const { content } = await fileOf('csv', { widgetId: 'table' });
    const starts = content.split(/\r?\n/).map(line => /^\ufeff?"?(.)/.exec(line)?.[1]);
    expect(starts.filter(start => start !== undefined && '=+@-'.includes(start))).toEqual([]);
  });
});

describe('absurd options', () => {
  const report = reportOf(1, 'vega', { spec: bars });
  const sizes = [Number.NaN, -5, 0, 1e12, Number.POSITIVE_INFINITY];

  it.each(sizes)('render a report of %d px', async length => {
    const { content } = await renderReport({
      report,
      load,
      size: { width: length, height: length },
      scale: 0.1,
      output: 'png',
    });
    expect(sizeOf(content).width).toBeGreaterThan(0);
  });

  it.each(sizes)('render a PNG with a scale and a width of %d', async value => {
    const file = await fileOf('png', { widgetId: 'figure', scale: value, width: value });
    const { width, height } = sizeOf(file.content);
    expect(width * height).toBeLessThan(25_000_000);
  });

  it('render tiles of absurd positions and sizes', async () => {
    const positions = [
      { x: -3, y: 1e9, w: 1e9, h: 1e9 },
      { x: Number.NaN, y: 0, w: 0, h: -7 },
      { x: 0.5, y: 2e15, w: 0.0001, h: 3 },
    ];
    const widgets = positions.map((position, index) => ({
      ...widget(`w${index}`, 'CHART', { reportId: 3 }, 0),
      position,
    }));
    const absurd = {
      ...dashboard,
      config: { widgets, layout: { rowHeight: 1e9, margin: [1e9, -4] } },
    } as unknown as Dashboard;
    for (const output of ['png', 'pdf'] as const) {
      const { content, pageCount } = await renderDashboard({ dashboard: absurd, load, output, scale: 0.2 });
      expect(content.byteLength).toBeGreaterThan(100);
      expect(pageCount).toBeLessThan(1_001);
    }
  });

  it('load rows without a limit of time', async () => {
    const { failedTiles } = await fileOf('svg', { widgetId: 'figure', timeoutMs: Number.POSITIVE_INFINITY });
    expect(failedTiles).toEqual([]);
  });
});

describe('hanging and failing queries', () => {
  it('leave the other tiles complete, and say what is missing', async () => {
    let calls = 0;
    const { failedTiles, content } = await renderDashboard({
      dashboard: { ...dashboard, config: { widgets: dashboard.config.widgets?.slice(0, 3) ?? [] } },
      load: async (_query, { signal }) => {
        calls += 1;
        if (calls === 1)
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('x'))));
        if (calls === 2) throw Object.assign(new Error('secret row value'), { status: 500 });
        return rowSet(3);
      },
      timeoutMs: 400,
      output: 'svg',
    });
    expect(failedTiles.map(({ message }) => message)).toEqual([
      expect.stringContaining('too long'),
      expect.stringContaining('wrong'),
    ]);
    expect(content).not.toContain('secret row value');
  });
});
