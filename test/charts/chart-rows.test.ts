import { describe, expect, it } from 'vitest';
import { chartRows } from '../../src/charts/chart-rows.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

const status = columnOf('orders.status', 'string');
const total = columnOf('orders.total', 'number');
const created = columnOf('orders.created.month', 'time');

describe('chartRows', () => {
  it('provides every value under its flat key and nested', () => {
    const rows = rowSetOf([status, total], [{ 'orders.status': 'new', 'orders.total': '12.5' }]);
    const [row] = chartRows(rows);
    expect({ ...row }).toMatchObject({ 'orders.status': 'new', 'orders.total': 12.5 });
    expect({ ...(row?.orders as object) }).toEqual({ status: 'new', total: 12.5 });
  });

  it('interprets wall-clock time as UTC', () => {
    const rows = rowSetOf([created], [{ 'orders.created.month': '2001-01-01T00:00:00.000' }]);
    expect(chartRows(rows)[0]?.['orders.created.month']).toEqual(new Date(Date.UTC(2001, 0, 1)));
  });

  it('treats invalid numbers and dates as missing', () => {
    const rows = rowSetOf([total, created], [{ 'orders.total': 'n/a', 'orders.created.month': 'soon' }, {}]);
    for (const row of chartRows(rows)) {
      expect(row).toMatchObject({ 'orders.total': null, 'orders.created.month': null });
    }
  });

  it('keeps a member flat if another member is nested in its name', () => {
    const day = columnOf('orders.created', 'time');
    const rows = rowSetOf([day, created], [{ 'orders.created': '2001-02-03', 'orders.created.month': '2001-02-01' }]);
    const [row] = chartRows(rows);
    expect(row?.['orders.created']).toEqual(new Date(Date.UTC(2001, 1, 3)));
    expect(row?.orders).toEqual({ created: { month: new Date(Date.UTC(2001, 1, 1)) } });
  });

  it('creates new objects without a prototype on each call', () => {
    const rows = rowSetOf([columnOf('__proto__.polluted', 'string')], [{ '__proto__.polluted': 'yes' }]);
    const [first] = chartRows(rows);
    expect(Object.getPrototypeOf(first)).toBeNull();
    expect('polluted' in {}).toBe(false);
    expect(chartRows(rows)[0]).not.toBe(first);
  });
});
