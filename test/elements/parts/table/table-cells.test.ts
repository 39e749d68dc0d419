import { expect } from '@open-wc/testing';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import { barOf, heatOf, lineOf, linePath, toneOf } from '../../../../src/report/table/cell-graphics.js';
import type { CellFormat } from '../../../../src/report/table/table-settings.js';
import { palette } from '../../../../src/report/theme/palette.js';
import { columnOf, rowSetOf } from '../../../report/fixtures.js';
import { withMedia } from '../../media.js';
import { cellOf, cities, gridOf, press, renderedTexts, renderTable, settle, tableSnapshot } from './table-fixture.js';

const addresses = (...links: string[]) =>
  rowSetOf(
    [columnOf('o.city', 'string'), columnOf('o.site', 'string')],
    links.map((link, index) => ({ 'o.city': `City ${index}`, 'o.site': link })),
  );

/** Sets the color scheme of the page. */
function setScheme(element: PaTileTable, scheme: 'light' | 'dark'): void {
  for (const [name, shade] of Object.entries(palette)) element.style.setProperty(`--_${name}`, shade[scheme]);
  element.style.setProperty('color-scheme', scheme);
  element.style.setProperty('color', palette.text[scheme]);
}

const pixels = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

function luminance(color: string): number {
  if (!pixels) return Number.NaN;
  pixels.fillStyle = color;
  pixels.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...pixels.getImageData(0, 0, 1, 1).data].map(value => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(cell: Element): number {
  const { color, backgroundColor } = getComputedStyle(cell);
  const [light = 0, dark = 0] = [luminance(color), luminance(backgroundColor)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

afterEach(() => document.body.replaceChildren());

describe('table cells with links', () => {
  it('link to allowed URLs, and open other origins in a new tab', async () => {
    const rowSet = addresses(
      'https://example.com/a',
      '/here',
      'javascript:alert(1)',
      '//example.com',
      'data:text/html,x',
    );
    const columns = { 'o.city': { display: 'link', url: 'o.site' } };
    const element = await renderTable({ rowSet, snapshot: tableSnapshot({ columns }) });
    const links = [...element.renderRoot.querySelectorAll('a')];
    expect(links.map(link => [link.textContent, link.getAttribute('href'), link.target])).to.deep.equal([
      ['City 0', 'https://example.com/a', '_blank'],
      ['City 1', '/here', ''],
    ]);
    for (const { rel } of links) expect(rel).to.contain('noopener').and.contain('noreferrer');
    expect(renderedTexts(element)[2]).to.deep.equal(['City 2', 'javascript:alert(1)']);
  });

  it('show the start of a truncated link', async () => {
    const long = 'Fayetteville/Springdale/Rogers and wherever else there is room for it';
    const rowSet = rowSetOf(
      [columnOf('o.city', 'string'), columnOf('o.site', 'string')],
      [{ 'o.city': long, 'o.site': '/here' }],
    );
    const columns = { 'o.city': { width: 120, display: 'link', url: 'o.site' } };
    document.documentElement.dir = 'rtl';
    const element = await renderTable({ rowSet, snapshot: tableSnapshot({ columns }) }, 'rtl');
    const cell = cellOf(element, 0, 0).getBoundingClientRect();
    const start = document.createRange();
    const text = [...(element.renderRoot.querySelector('a')?.childNodes ?? [])].find(node => node instanceof Text);
    if (text) start.setStart(text, 0);
    if (text) start.setEnd(text, 3);
    const { left } = start.getBoundingClientRect();
    document.documentElement.removeAttribute('dir');
    expect(left).to.be.within(cell.left, cell.right);
  });

  it('follow their link on Enter', async () => {
    const columns = { 'o.city': { display: 'link', url: 'o.site' } };
    let picks = 0;
    const element = await renderTable({
      rowSet: addresses('#followed', 'javascript:alert(1)'),
      snapshot: tableSnapshot({ columns }),
      onPick: () => {
        picks += 1;
      },
    });
    gridOf(element).focus();
    await press(element, 'Enter');
    expect(location.hash).to.equal('#followed');
    expect(picks).to.equal(0);
    await press(element, 'ArrowDown');
    await press(element, 'Enter');
    expect(picks).to.equal(1);
    history.replaceState(null, '', location.pathname + location.search);
  });
});

describe('table cells with text and figures', () => {
  it('follow the direction of their text, aligned with their column', async () => {
    const arabic = 'مطار (هيثرو)';
    const airports = rowSetOf([columnOf('o.city', 'string')], [{ 'o.city': 'Oslo (OSL)' }, { 'o.city': arabic }]);
    /**
     * Returns the text of each cell, the direction of the text, and whether the text is at the given edge of the cell.
     */
    const alignment = (element: PaTileTable, side: 'left' | 'right') =>
      [...element.renderRoot.querySelectorAll('.words')].map(words => {
        const [own, cell] = [words, words.closest('td') ?? words].map(each => each.getBoundingClientRect()[side]);
        const isBeside = Math.abs((own ?? 0) - (cell ?? 0)) < 12;
        return [words.textContent, getComputedStyle(words).direction, isBeside];
      });
    expect(alignment(await renderTable({ rowSet: airports }), 'left')).to.deep.equal([[arabic, 'rtl', true]]);
    document.documentElement.dir = 'rtl';
    const mirrored = alignment(await renderTable({ rowSet: airports }, 'rtl'), 'right');
    document.documentElement.removeAttribute('dir');
    expect(mirrored).to.deep.equal([
      ['Oslo (OSL)', 'ltr', true],
      [arabic, 'rtl', true],
    ]);
  });

  it('keep signs, dates and times ltr on a right-to-left page', async () => {
    const rowSet = rowSetOf(
      [columnOf('o.at', 'string'), columnOf('o.delay', 'number')],
      [{ 'o.at': '2001-02-05 05:30', 'o.delay': '-11' }],
    );
    document.documentElement.dir = 'rtl';
    const element = await renderTable({ rowSet }, 'rtl');
    const firstIsLeft = [0, 1].map(column => {
      const walker = document.createTreeWalker(cellOf(element, 0, column), NodeFilter.SHOW_TEXT);
      const rects: DOMRect[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let index = 0; index < (node.textContent?.trim() ?? '').length; index += 1) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          rects.push(range.getBoundingClientRect());
        }
      }
      return rects.length > 2 && (rects[0]?.left ?? 0) < (rects.at(-1)?.left ?? 0);
    });
    document.documentElement.removeAttribute('dir');
    expect(firstIsLeft).to.deep.equal([true, true]);
  });

  it('show complete figures in print', async () => {
    const months = Array.from({ length: 8 }, (_, index) => columnOf(`o.m${index}`, 'number'));
    const names = months.map(({ member }): [string, string] => [member, '123456']);
    const cities = { 'o.city': 'Minneapolis and St Paul' };
    const rowSet = rowSetOf([columnOf('o.city', 'string'), ...months], [{ ...cities, ...Object.fromEntries(names) }]);
    const element = await renderTable({ rowSet });
    await withMedia(element, 'print', () => {
      for (const cell of element.renderRoot.querySelectorAll('td.end')) {
        const figure = document.createRange();
        figure.selectNodeContents(cell);
        const lines = [...figure.getClientRects()].filter(({ width }) => width > 0);
        expect([cell.textContent?.trim(), lines.length]).to.deep.equal(['123,456', 1]);
      }
      expect(element.renderRoot.querySelectorAll('td.end').length).to.equal(8);
      // The column is at least eleven digits wide, in any font.
      const name = element.renderRoot.querySelector<HTMLElement>('td.start') ?? element;
      const { width } = name.getBoundingClientRect();
      expect(width).to.be.at.least(Number.parseFloat(getComputedStyle(name).minInlineSize) - 0.5);
      expect(Number.parseFloat(getComputedStyle(name).minInlineSize)).to.be.greaterThan(60);
      const padding = [...element.renderRoot.querySelectorAll('td.end')].map(
        cell => getComputedStyle(cell).paddingLeft,
      );
      expect(new Set(padding)).to.deep.equal(new Set(['6px']));
    });
  });

  it('escape markup in the data', async () => {
    const hostile = ['<b>x</b>', '{{alert(1)}}', '__proto__', 'constructor', 'javascript:alert(1)'];
    const rows = hostile.map(city => ({ 'o.city': city, 'o.count': city }));
    const spec = {
      columns: {
        'o.city': { display: {}, formats: 'x', width: [], url: {}, scale: '__proto__' },
        __proto__: { hidden: 1 },
      },
      order: { length: -1 },
      header: 7,
    };
    const element = await renderTable({ rowSet: rowSetOf(cities.columns, rows), snapshot: tableSnapshot(spec) });
    expect(renderedTexts(element).map(([text]) => text)).to.deep.equal(hostile);
    expect(element.renderRoot.querySelectorAll('tbody b, tbody script').length).to.equal(0);
  });
});

describe('table cells with images, bars and sparklines', () => {
  it('show images of allowed origins only', async () => {
    const columns = { 'o.city': { display: 'image', url: 'o.site' } };
    const rowSet = addresses(`${location.origin}/none.png`, 'https://example.com/x.png', 'javascript:alert(1)');
    const element = await renderTable({ rowSet, snapshot: tableSnapshot({ columns }) });
    expect(element.renderRoot.querySelectorAll('img').length).to.equal(0);
    expect(renderedTexts(element).map(([text]) => text)).to.deep.equal(['City 0', 'City 1', 'City 2']);
    element.imageOrigins = [location.origin];
    await settle(element);
    const images = [...element.renderRoot.querySelectorAll('img')];
    expect(images.map(image => [image.alt, image.getAttribute('src')])).to.deep.equal([
      ['City 0', `${location.origin}/none.png`],
    ]);
  });

  it('show bars proportional to their figures, negative ones on the other side', async () => {
    const rows = ['50', '-50', '100', null].map(count => ({ 'o.city': 'x', 'o.count': count }));
    const columns = { 'o.count': { display: 'bar' } };
    const element = await renderTable({ rowSet: rowSetOf(cities.columns, rows), snapshot: tableSnapshot({ columns }) });
    const bars = [...element.renderRoot.querySelectorAll('rect')];
    const barAttributes = (bar: Element) => [
      bar.getAttribute('x'),
      bar.getAttribute('width'),
      bar.getAttribute('class'),
    ];
    expect(bars.map(barAttributes)).to.deep.equal([
      ['33.33%', '33.33%', ''],
      ['0.00%', '33.33%', 'negative'],
      ['33.33%', '66.67%', ''],
    ]);
    expect(renderedTexts(element)[0]?.[1]?.trim()).to.equal('50');
    await expect(element).to.be.accessible();
  });

  it('show sparklines with a text alternative', async () => {
    const rows = ['[1, 5, 3]', '2,4', 'nothing', '[1', '{"__proto__": 1}'].map(city => ({
      'o.city': city,
      'o.count': '1',
    }));
    const columns = { 'o.city': { display: 'sparkline' } };
    const element = await renderTable({ rowSet: rowSetOf(cities.columns, rows), snapshot: tableSnapshot({ columns }) });
    const lines = [...element.renderRoot.querySelectorAll('svg.line')];
    expect(lines.map(line => line.getAttribute('aria-label'))).to.deep.equal([
      '3 values, from 1 to 3',
      '2 values, from 2 to 4',
    ]);
    expect(lines[0]?.querySelector('path')?.getAttribute('d')).to.equal('M0.0 18.0L50.0 2.0L100.0 10.0');
    expect(renderedTexts(element)[2]?.[0]).to.equal('nothing');
    await expect(element).to.be.accessible();
  });
});

describe('table cells with conditional formats', () => {
  it('use the tone of the first matching format, with text and icon', async () => {
    const formats = [
      { operator: 'greater_than', value: 50, tone: 'positive' },
      { operator: 'less_than', value: 10, tone: 'negative' },
    ];
    const element = await renderTable({
      rowSet: cities,
      snapshot: tableSnapshot({ columns: { 'o.count': { formats } } }),
    });
    expect(renderedTexts(element).map(([, text]) => text)).to.deep.equal(['20', '3, bad', '100, good', '3, bad']);
    expect(getComputedStyle(cellOf(element, 1, 1), '::before').content).to.contain('▼');
    expect(getComputedStyle(cellOf(element, 0, 1), '::before').content).to.equal('none');
    expect(getComputedStyle(cellOf(element, 1, 1)).fontWeight).to.equal('600');
  });

  for (const scheme of ['light', 'dark'] as const) {
    it(`keep text contrast on every tone and scale step (${scheme})`, async () => {
      const tones = ['positive', 'negative', 'warning', 'accent', 'muted'];
      const formats = tones.map((tone, index) => ({ operator: 'equals', value: index, tone }));
      const columns = { 'o.tone': { formats }, 'o.heat': { scale: 'sequential' }, 'o.cold': { scale: 'diverging' } };
      const rows = Array.from({ length: 21 }, (_, index) => ({
        'o.tone': String(index),
        'o.heat': String(index),
        'o.cold': String(index - 10),
      }));
      const rowSet = rowSetOf(
        ['o.tone', 'o.heat', 'o.cold'].map(name => columnOf(name, 'number')),
        rows,
      );
      const element = await renderTable({ rowSet, snapshot: tableSnapshot({ columns }) });
      setScheme(element, scheme);
      const cells = [...element.renderRoot.querySelectorAll('tbody td')];
      for (const cell of cells) expect(contrast(cell), `${cell.className} ${cell.textContent}`).to.be.at.least(4.5);
      const colors = (index: number) =>
        new Set(rows.map((_, row) => getComputedStyle(cellOf(element, row, index)).backgroundColor));
      expect(colors(1).size).to.equal(9);
      expect(colors(2).size).to.equal(17);
    });
  }
});

describe('cell values', () => {
  const matches = (format: Omit<CellFormat, 'tone'>, ...values: (string | number | boolean | null)[]): boolean[] =>
    values.map(value => toneOf([{ ...format, tone: 'accent' }], value) === 'accent');

  it('compare figures by number, strings alphabetically, and never across types', () => {
    expect(matches({ operator: 'equals', values: [10] }, '10.0', 10, '11', null)).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
    expect(matches({ operator: 'not_equals', values: ['a'] }, 'a', 'b', null)).to.deep.equal([false, true, false]);
    expect(matches({ operator: 'greater_than', values: [9] }, '10', '9', 'x', null)).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
    expect(matches({ operator: 'less_than', values: ['2024-02-01'] }, '2024-01-31', '2024-02-01')).to.deep.equal([
      true,
      false,
    ]);
    expect(matches({ operator: 'between', values: [1, 3] }, '1', '3', '4', '0')).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
    expect(matches({ operator: 'contains', values: ['AU'] }, 'Austin', 'Reno')).to.deep.equal([true, false]);
    expect(matches({ operator: 'is_null', values: [] }, null, '', 0)).to.deep.equal([true, false, false]);
  });

  it('map to a scale from minimum to maximum, or diverging from zero', () => {
    expect(['0', '5', '10', 'x', null].map(value => heatOf('sequential', value, { min: 0, max: 10 }))).to.deep.equal([
      'heat-0',
      'heat-4',
      'heat-8',
      null,
      null,
    ]);
    expect(['-10', '0', '5'].map(value => heatOf('diverging', value, { min: -10, max: 5 }))).to.deep.equal([
      'cold-8',
      'heat-0',
      'heat-4',
    ]);
    expect(heatOf('sequential', '3', { min: 3, max: 3 })).to.equal('heat-0');
    expect(heatOf(null, '3', { min: 0, max: 3 })).to.equal(null);
  });

  it('have no bar without a maximum', () => {
    expect(barOf('0', { min: 0, max: 0 })).to.equal(null);
    expect(barOf('1', null)).to.equal(null);
    expect(barOf('1e308', { min: -1e308, max: 1.7e308 })).to.equal(null);
  });

  it('parse sparklines from lists and commas, thinned if long', () => {
    expect(lineOf('[1, "2", null, {"a": 1}, "x"]')).to.deep.equal([1, 2]);
    expect(lineOf(' 1, 2,x ,3')).to.deep.equal([1, 2, 3]);
    expect(lineOf(12)).to.deep.equal([]);
    expect(lineOf(Array.from({ length: 1000 }, (_, index) => index).join(',')).length).to.be.at.most(200);
    expect(linePath([4])).to.equal('');
    expect(linePath([4, 4])).to.equal('M0.0 10.0L100.0 10.0');
  });
});
