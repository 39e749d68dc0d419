import { describe, expect, it } from 'vitest';
import type { Row } from '../../../src/contract/data.js';
import type { Column, ComparisonOutput } from '../../../src/contract/row-set.js';
import { createFormatter } from '../../../src/report/format/format.js';
import { type Kpi, toKpi, trendPath } from '../../../src/report/kpi/kpi.js';
import { groupKey } from '../../../src/report/query/report-data.js';
import { DrawingError } from '../../../src/report/table/report-columns.js';
import fc from '../../property.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const total = columnOf('orders.total', 'number', { format: 'currency', shortTitle: 'Total' });
const count = columnOf('orders.count', 'number', { shortTitle: 'Orders' });
const month = columnOf('orders.at.month', 'time');
const compared = (output: ComparisonOutput): Column => ({
  ...columnOf(`orders.count_1_month_${output}`, 'number'),
  comparison: { measure: 'orders.count', amount: 1, unit: 'month', output },
});

interface Given {
  readonly spec?: Record<string, unknown>;
  readonly preferences?: Record<string, unknown>;
  readonly totals?: Row;
  readonly locale?: string;
}

function kpi(columns: readonly Column[], rows: readonly Row[], given: Given = {}): Kpi {
  const { spec = {}, preferences, totals, locale = 'en' } = given;
  const data = {
    rowSet: rowSetOf(columns, rows),
    totals: new Map(totals ? [[groupKey([]), rowSetOf(columns, [totals])]] : []),
  };
  const presentation = { formatter: createFormatter(locale), ...(preferences && { preferences }) };
  return toKpi({ snapshot: { spec }, data, presentation, locale });
}

describe('toKpi', () => {
  it('shows the first measure of the first row', () => {
    const shown = kpi(
      [columnOf('orders.status', 'string'), total],
      [{ 'orders.status': 'new', 'orders.total': '1234.5' }],
    );
    expect(shown).toMatchObject({ label: 'Total', text: '$1,234.5', value: 1234.5, change: null, trend: null });
  });

  it('shows the named measure with the label of the report', () => {
    const spec = { measure: 'orders.count', label: 'All orders' };
    const shown = kpi([total, count], [{ 'orders.total': '1', 'orders.count': '7' }], { spec });
    expect(shown).toMatchObject({ label: 'All orders', text: '7' });
    expect(() => kpi([total], [], { spec })).toThrow(DrawingError);
  });

  it('lets the report override the format', () => {
    const preferences = { columnFormats: { 'orders.total': { type: 'number', decimalPlaces: 0 } } };
    expect(kpi([total], [{ 'orders.total': '1234.5' }], { preferences }).text).toBe('1,235');
  });

  it('falls back to the first column if there is no measure', () => {
    const shown = kpi([columnOf('orders.status', 'string')], [{ 'orders.status': 'new' }]);
    expect(shown).toMatchObject({ label: 'orders.status', text: 'new', value: null });
  });

  it('shows a missing value', () => {
    expect(kpi([total], [])).toMatchObject({ label: 'Total', text: '∅', value: null });
    expect(kpi([total], [{ 'orders.total': null }]).value).toBeNull();
    expect(kpi([], [])).toMatchObject({ label: '', text: '∅', value: null });
  });
});

describe('a comparison', () => {
  const spec = { display: 'comparison' };
  const change = (columns: readonly Column[], row: Row, more: Record<string, unknown> = {}, locale = 'en') =>
    kpi([count, ...columns], [row], { spec: { ...spec, ...more }, locale }).change;

  it('shows the change from the earlier period', () => {
    const row = { 'orders.count': '104.2', 'orders.count_1_month_value': '100' };
    expect(change([compared('value')], row)).toEqual({
      direction: 'up',
      text: '+4.2%',
      tone: 'good',
      against: { amount: 1, unit: 'month' },
    });
    expect(change([compared('value')], row, {}, 'de')?.text).toBe('+4,2\u00a0%');
    const less = { 'orders.count': '95.8', 'orders.count_1_month_value': '100' };
    expect(change([compared('value')], less, {}, 'de')?.text).toBe('\u22124,2\u00a0%');
  });

  it('prefers the relative change of the report, otherwise shows the absolute change', () => {
    const share = { 'orders.count': '5', 'orders.count_1_month_relativeChange': '-0.5' };
    expect(change([compared('relativeChange')], share)).toMatchObject({
      direction: 'down',
      text: '\u221250%',
      tone: 'bad',
    });
    const figure = { 'orders.count': '5', 'orders.count_1_month_absoluteChange': '3' };
    expect(change([compared('absoluteChange')], figure)).toMatchObject({ direction: 'up', text: '+3' });
  });

  it('inverts the tone if less is better, and is neutral if neither is better', () => {
    const row = { 'orders.count': '90', 'orders.count_1_month_value': '100' };
    expect(change([compared('value')], row, { better: 'less' })).toMatchObject({ direction: 'down', tone: 'good' });
    expect(change([compared('value')], row, { better: 'neither' })?.tone).toBe('neutral');
  });

  it('compares with another column by its title', () => {
    const goal = columnOf('orders.goal', 'number', { shortTitle: 'Goal' });
    const shown = change([goal], { 'orders.count': '50', 'orders.goal': '100' }, { comparison: 'orders.goal' });
    expect(shown).toMatchObject({ text: '\u221250%', against: 'Goal' });
  });

  it('has no relative change from zero, and no text without an earlier value', () => {
    const column = compared('value');
    expect(change([column], { 'orders.count': '5', 'orders.count_1_month_value': '0' })?.text).toBe('+5');
    const none = change([column], { 'orders.count': '5', 'orders.count_1_month_value': null });
    expect(none).toMatchObject({ text: null, direction: 'none', tone: 'neutral' });
    expect(change([], { 'orders.count': '5' })).toBeNull();
  });

  it('uses the latest of several periods', () => {
    const rows = [
      { 'orders.at.month': '2024-03-01T00:00:00.000', 'orders.count': '30', 'orders.count_1_month_value': '20' },
      { 'orders.at.month': '2024-01-01T00:00:00.000', 'orders.count': '10', 'orders.count_1_month_value': null },
    ];
    const shown = kpi([{ ...month, kind: 'timeDimension' }, count, compared('value')], rows, { spec });
    expect(shown).toMatchObject({ text: '30', change: { text: '+50%' } });
  });
});

describe('progress', () => {
  const progress = (spec: Record<string, unknown>, row: Row = { 'orders.count': '640', 'orders.total': '1000' }) =>
    kpi([count, total], [row], { spec: { display: 'progress', ...spec } }).progress;

  it('shows the share of a fixed target or of a column', () => {
    expect(progress({ target: 1000 })).toEqual({ share: 0.64, percent: '64%', target: '1,000', tone: 'neutral' });
    expect(progress({ target: 'orders.total' })).toMatchObject({ share: 0.64 });
    expect(progress({ target: '1000' })).toMatchObject({ share: 0.64 });
  });

  it('is good when the target is reached, bad beyond a limit', () => {
    expect(progress({ target: 640 })?.tone).toBe('good');
    expect(progress({ target: 600, better: 'less' })?.tone).toBe('bad');
    expect(progress({ target: 700, better: 'less' })?.tone).toBe('neutral');
  });

  it('has no share without a positive target', () => {
    for (const target of [0, -5, null, Number.NaN, {}]) expect(progress({ target })?.share).toBeNull();
    expect(progress({ target: 10 }, { 'orders.count': null })?.share).toBeNull();
  });
});

describe('a trend', () => {
  const spec = { display: 'sparkline' };
  const rows: Row[] = [
    { 'orders.at.month': '2024-02-01T00:00:00.000', 'orders.count': '9' },
    { 'orders.at.month': '2024-01-01T00:00:00.000', 'orders.count': '3' },
    { 'orders.at.month': '2024-03-01T00:00:00.000', 'orders.count': null },
  ];
  const timed = [{ ...month, kind: 'timeDimension' as const }, count];

  it('is in order of time, with the latest value above it', () => {
    const shown = kpi(timed, rows, { spec });
    expect(shown.text).toBe('9');
    expect(shown.trend).toMatchObject({ figures: [3, 9, null], lowest: '3', highest: '9' });
  });

  it('has the total above it if it was queried', () => {
    expect(kpi(timed, rows, { spec, totals: { 'orders.count': '12' } }).text).toBe('12');
  });

  it('does not exist for a single value', () => {
    expect(kpi(timed, rows.slice(0, 1), { spec }).trend).toBeNull();
  });

  it('has gaps for missing values, and remains in its box', () => {
    expect(trendPath({ figures: [0, 10, null, 5, 5] })).toBe('M0.0,29.0L25.0,1.0M75.0,15.0L100.0,15.0');
    expect(trendPath({ figures: [7, 7] })).toBe('M0.0,15.0L100.0,15.0');
  });

  it('keeps the peaks of many values', () => {
    const peaks = new Map([
      [4321, 100],
      [7000, -100],
    ]);
    const figures = Array.from({ length: 10_000 }, (_, index) => peaks.get(index) ?? 0);
    const path = trendPath({ figures });
    expect(path).toContain(',1.0');
    expect(path).toContain(',29.0');
    expect(path.length).toBeLessThan(10_000);
  });

  it('draws any values within its box', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), { maxLength: 900 }),
        figures => {
          for (const [, x, y] of trendPath({ figures }).matchAll(/[ML]([^,]+),([^ML]+)/g)) {
            expect(Number(x)).toBeGreaterThanOrEqual(0);
            expect(Number(x)).toBeLessThanOrEqual(100);
            expect(Number(y)).toBeGreaterThanOrEqual(0);
            expect(Number(y)).toBeLessThanOrEqual(30);
          }
        },
      ),
    );
  });
});
