import { describe, expect, it } from 'vitest';
import { tooltipEntries } from '../../../src/charts/interaction/tooltip.js';
import { dataMarks } from '../../../src/charts/scene.js';
import { createView, lightTheme } from '../../../src/charts/view.js';
import { columnOf, rowSetOf } from '../../report/fixtures.js';

const week = columnOf('o.at.week', 'time', { shortTitle: 'Week', granularity: { name: 'week', title: 'Week' } });
const share = columnOf('o.share', 'number', { format: 'percent_1' });
const sales = columnOf('o.sales', 'number', { format: 'currency', currency: 'EUR' });
const rows = [
  { 'o.at.week': '2001-04-16T00:00:00.000', 'o.share': '0.25', 'o.sales': '12000' },
  { 'o.at.week': '2001-04-23T00:00:00.000', 'o.share': '0.75', 'o.sales': '250000' },
];

async function drawn(x: object, y: object, { locale = 'en', formats = {} } = {}) {
  const spec = { mark: 'bar', encoding: { x: { field: 'o\\.at\\.week', ...x }, y: { type: 'quantitative', ...y } } };
  const rowSet = rowSetOf([week, share, sales], rows);
  const size = { width: 400, height: 300 };
  const chart = await createView({ spec, rowSet, formats, theme: lightTheme, locale, size });
  const svg = await chart.toSvg();
  const [bars] = [...dataMarks(chart.scene.root)];
  const [bar] = bars?.mark.items ?? [];
  const tooltip = bar ? tooltipEntries(bar).map(([, text]) => text) : [];
  chart.dispose();
  return { labels: [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label]) => label), tooltip };
}

const temporal = { type: 'temporal' };

describe('a chart without formats', () => {
  it('has a percent axis for a share', async () => {
    const { labels, tooltip } = await drawn(temporal, { field: 'o\\.share' });
    expect(labels).toEqual(expect.arrayContaining(['0%', '20%']));
    expect(tooltip).toContain('25%');
  });

  it.each([
    ['en', '€200k', '€12,000'],
    ['de', '200k\u00a0€', '12.000\u00a0€'],
  ])('has a short axis in the currency of the measure in %s', async (locale, label, value) => {
    const { labels, tooltip } = await drawn(temporal, { field: 'o\\.sales' }, { locale });
    expect(labels).toContain(label);
    expect(tooltip).toContain(value);
  });

  it('finds the measure of an aggregate and of a stack', async () => {
    const { labels } = await drawn({ type: 'ordinal' }, { field: 'o\\.share', aggregate: 'sum' });
    expect(labels).toContain('0%');
  });

  it('prefers the column formats of the report to those of the model', async () => {
    const formats = { 'o.sales': { type: 'number', decimalPlaces: 1 } };
    const { labels, tooltip } = await drawn(temporal, { field: 'o\\.sales' }, { formats });
    expect(labels).toContain('200k');
    expect(tooltip).toContain('12,000.0');
  });

  it.each([
    ['en', 'temporal', 'Apr 16 – 22, 2001'],
    ['en', 'ordinal', 'Apr 16 – 22, 2001'],
    ['de', 'temporal', '16.–22. Apr. 2001'],
  ])('shows the whole week in its tooltip in %s on a %s axis', async (locale, type, period) => {
    const { tooltip } = await drawn({ type }, { field: 'o\\.share' }, { locale });
    expect(tooltip.map(text => text.replaceAll('\u2009', ' '))).toContain(period);
  });

  it('keeps a format of the specification', async () => {
    const { labels } = await drawn(temporal, { field: 'o\\.share', axis: { format: '.2f' } });
    expect(labels).toContain('0.20');
  });
});
