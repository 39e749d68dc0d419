import { expect, fixture, html } from '@open-wc/testing';
import { type ChartTooltip, type MountOptions, mountChart } from '../../src/charts/mount.js';
import { ChartErrorCode, darkTheme, lightTheme } from '../../src/charts/view.js';
import type { RowSet } from '../../src/contract/row-set.js';
import { eventually } from '../elements/eventually.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

const status = columnOf('orders.status', 'string', { shortTitle: 'Status' });
const total = columnOf('orders.total', 'number', { shortTitle: 'Total' });
const spec = {
  data: { name: 'rows' },
  mark: 'bar',
  encoding: {
    x: { field: 'orders.status', type: 'nominal' },
    y: { field: 'orders.total', type: 'quantitative' },
  },
};
const rowsOf = (...totals: number[]): RowSet =>
  rowSetOf(
    [status, total],
    totals.map((value, index) => ({ 'orders.status': `s${index}`, 'orders.total': String(value) })),
  );
const options: MountOptions = {
  spec,
  rowSet: rowsOf(10, 20),
  theme: lightTheme,
  locale: 'en',
  label: 'Orders',
  describe: ({ marks, columns }) =>
    `${marks.map(({ kind, count }) => `${count} ${kind}`)} of ${columns.map(({ title }) => title).join(' and ')}`,
};

async function container(): Promise<HTMLElement> {
  const element = await fixture<HTMLElement>(html`<div></div>`);
  element.style.setProperty('width', '400px');
  element.style.setProperty('height', '200px');
  return element;
}
const bars = (element: Element) => [...element.querySelectorAll('.mark-rect.role-mark path')];
const fill = (element: Element) => bars(element)[0]?.getAttribute('fill');

describe('mountChart', () => {
  it('renders one labeled image in the size of its container', async () => {
    const element = await container();
    const chart = await mountChart(element, options);
    const svg = element.querySelector('svg');
    expect(bars(element)).to.have.length(2);
    expect(svg?.getAttribute('role')).to.equal('img');
    expect(chart.summary).to.equal('2 bar of Status and Total');
    expect(svg?.getAttribute('aria-label')).to.equal(`Orders. ${chart.summary}`);
    expect([svg?.getAttribute('width'), svg?.getAttribute('height')]).to.deep.equal(['400', '200']);
    await expect(element).to.be.accessible();
    chart.dispose();
    expect(element.childNodes).to.have.length(0);
  });

  it('renders other rows without rebuilding the view', async () => {
    const element = await container();
    const chart = await mountChart(element, options);
    const svg = element.querySelector('svg');
    await chart.update(rowsOf(1, 2, 3));
    expect(element.querySelector('svg')).to.equal(svg);
    expect(bars(element)).to.have.length(3);
    expect(svg?.getAttribute('aria-label')).to.contain('3 bar');
    chart.dispose();
  });

  it('follows size and theme', async () => {
    const element = await container();
    const chart = await mountChart(element, options);
    await chart.resize(300, 150);
    expect(element.querySelector('svg')?.getAttribute('width')).to.equal('300');
    await chart.resize(0, 0);
    await chart.setTheme(darkTheme);
    expect(fill(element)).to.equal(darkTheme.series[0]);
    expect(element.querySelectorAll('svg')).to.have.length(1);
    expect(element.querySelector('svg')?.getAttribute('width')).to.equal('300');
    chart.dispose();
  });

  it('renders the latest rows in the latest theme if calls overlap', async () => {
    const element = await container();
    const chart = await mountChart(element, options);
    await Promise.all([chart.setTheme(darkTheme), chart.setTheme(lightTheme), chart.update(rowsOf(1, 2, 3))]);
    expect(element.querySelectorAll('svg')).to.have.length(1);
    expect(bars(element)).to.have.length(3);
    expect(fill(element)).to.equal(lightTheme.series[0]);
    const late = chart.setTheme(darkTheme);
    chart.dispose();
    await late;
    expect(element.childNodes).to.have.length(0);
  });

  it('describes its content in the language of the host', async () => {
    const element = await container();
    const chart = await mountChart(element, { ...options, describe: ({ marks }) => `${marks[0]?.count} Balken` });
    expect(chart.summary).to.equal('2 Balken');
    chart.dispose();
  });

  it('reports what is under the pointer, and when the pointer leaves', async () => {
    const element = await container();
    const tooltips: (ChartTooltip | null)[] = [];
    const chart = await mountChart(element, { ...options, onTooltip: tooltip => tooltips.push(tooltip) });
    const bar = bars(element)[1];
    bar?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: 5, clientY: 6 }));
    await eventually(() => tooltips.length === 1);
    const rows = [{ label: 'Total', value: '20', color: lightTheme.series[0] }];
    expect(tooltips[0]).to.deep.equal({ title: 's1', rows, x: 5, y: 6, point: null });
    element.querySelector('svg')?.dispatchEvent(new PointerEvent('pointerleave'));
    await eventually(() => tooltips.length === 2);
    expect(tooltips[1]).to.equal(null);
    chart.dispose();
  });

  it('leaves the container empty when it is aborted', async () => {
    const element = await container();
    const controller = new AbortController();
    const mounting = mountChart(element, { ...options, signal: controller.signal });
    controller.abort();
    const problem = await mounting.then(
      () => null,
      (error: unknown) => error,
    );
    expect(problem).to.equal(controller.signal.reason);
    expect(element.childNodes).to.have.length(0);
  });

  it('rejects a specification with external resources, and a missing one', async () => {
    const element = await container();
    const codeOf = (given: Record<string, unknown> | null) =>
      mountChart(element, { ...options, spec: given }).then(
        () => null,
        (error: { code: string }) => error.code,
      );
    expect(await codeOf({ ...spec, data: { url: 'https://x.test/' } })).to.equal(ChartErrorCode.outside);
    expect(await codeOf(null)).to.equal(ChartErrorCode.unreadable);
    expect(element.childNodes).to.have.length(0);
  });

  it('hides page elements from expressions', async () => {
    const element = await container();
    const text = (expr: string) => ({ type: 'text', encode: { update: { text: { signal: expr } } } });
    const hostile = {
      signals: [
        {
          name: 'seen',
          value: 'nothing',
          on: [{ events: 'pointermove', update: "event['target'] ? 'page' : 'data'" }],
        },
      ],
      marks: [text('seen'), text("'' + item['_' + 'svg']")],
    };
    const chart = await mountChart(element, { ...options, spec: hostile });
    element.querySelector('svg')?.dispatchEvent(new PointerEvent('pointermove'));
    await eventually(() => element.textContent?.includes('data'));
    expect(element.textContent).not.to.contain('SVG');
    expect(element.textContent).not.to.contain('page');
    chart.dispose();
  });
});
