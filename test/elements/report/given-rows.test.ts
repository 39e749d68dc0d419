import { expect, oneEvent } from '@open-wc/testing';
import type { RowSet } from '../../../src/contract/row-set.js';
import '../../../src/elements/report/pa-report.js';
import type { PaReport } from '../../../src/elements/report/report-element.js';
import { eventually } from '../eventually.js';
import { carrierReport, carriers, reportPage } from '../parts/tile/tile-page.js';

const words = (element: Element | null | undefined): string => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const part = (element: PaReport, name: string): ShadowRoot | null | undefined =>
  element.renderRoot.querySelector('pa-tile')?.renderRoot.querySelector(name)?.shadowRoot;

/** Renders a report on a page without a session. */
async function renderReport(fields: Partial<PaReport>): Promise<PaReport> {
  const element = Object.assign(document.createElement('pa-report'), fields);
  document.body.append(element);
  await element.loadAll();
  return element;
}

describe('<pa-report> with host rows', () => {
  afterEach(() => document.body.replaceChildren());

  it('renders them without a session, as a table by default', async () => {
    const element = await renderReport({ rows: carriers });
    await eventually(() => words(part(element, 'pa-tile-table')?.querySelector('table')).includes('AA'));
    await expect(element).to.be.accessible();
  });

  it('sends no query if there is a session', async () => {
    const { session } = await reportPage({ rows: carriers });
    expect(session.calls.length).to.equal(0);
  });

  it('renders them with a specification, and replaces them', async () => {
    const snapshot = {
      title: 'By carrier',
      mark: 'bar',
      encoding: { x: { field: 'flights.carrier' }, y: { field: 'flights.count', type: 'quantitative' } },
    };
    const element = await renderReport({ rows: carriers, snapshot });
    const barCount = () => part(element, 'pa-tile-chart')?.querySelectorAll('.mark-rect path').length;
    await eventually(() => barCount() === 2);
    expect(words(element.renderRoot.querySelector('pa-tile')?.renderRoot.querySelector('h3'))).to.equal('By carrier');
    element.rows = { ...carriers, rows: carriers.rows.slice(1) };
    await eventually(() => barCount() === 1);
  });

  it('reports empty rows', async () => {
    const element = await renderReport({ rows: { ...carriers, rows: [] } });
    expect(words(element.renderRoot.querySelector('pa-tile')?.renderRoot.querySelector('[part=notice]'))).to.equal(
      'No data This report has no rows yet.',
    );
  });

  it('reports invalid rows', async () => {
    const element = document.createElement('pa-report');
    const failure = oneEvent(element, 'pa-error');
    element.rows = { columns: [{}], rows: [] } as unknown as RowSet;
    document.body.append(element);
    const { detail } = (await failure) as HTMLElementEventMap['pa-error'];
    expect(detail.message).to.contain('columns[0].member');
    expect(words(element.renderRoot.querySelector('[part=notice]'))).to.contain('This report can’t be displayed');
    element.rows = carriers;
    await eventually(() => part(element, 'pa-tile-table'));
  });

  it('reports an invalid report', async () => {
    const element = await renderReport({ rows: carriers, snapshot: { nothing: 'known' } });
    expect(words(element.renderRoot.querySelector('pa-tile')?.renderRoot.querySelector('[part=notice]'))).to.contain(
      'Report not found',
    );
  });

  it('fires one event when it settles, and one per refresh', async () => {
    const loads: unknown[] = [];
    const listener = (event: HTMLElementEventMap['pa-load']) => loads.push(event.detail);
    document.body.addEventListener('pa-load', listener);
    const { element } = await reportPage();
    await eventually(() => loads.length === 1);
    expect(loads[0]).to.deep.equal({ tiles: 1, failed: 0, waiting: 0 });
    await element.refresh();
    await eventually(() => loads.length === 2);
    document.body.removeEventListener('pa-load', listener);
  });

  it('fires an event with queue, query and render times, without values', async () => {
    const timings: HTMLElementEventMap['pa-timing'][] = [];
    const listener = (event: HTMLElementEventMap['pa-timing']) => void timings.push(event);
    document.body.addEventListener('pa-timing', listener);
    await reportPage();
    await eventually(() => timings.length === 1);
    document.body.removeEventListener('pa-timing', listener);
    const { queue, query, draw, ...others } = timings[0]?.detail ?? { queue: -1, query: -1, draw: -1 };
    expect(others).to.deep.equal({ widgetId: null, report: 'report000001', rows: 2 });
    for (const ms of [queue, query, draw]) expect(ms).to.be.at.least(0);
  });

  it('filters by host filters and keeps a state', async () => {
    const { session, element } = await reportPage({ filters: { 'flights.carrier': { value: 'AA' } } });
    expect(session.calls[0]?.query.filters).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['AA'] },
    ]);
    element.setState({ filters: { 'flights.carrier': { value: 'DL' } } });
    await eventually(() => session.calls.length === 2);
    expect(session.calls[1]?.query.filters).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['DL'] },
    ]);
    expect(element.getState().filters).to.deep.equal({ 'flights.carrier': { value: 'DL' } });
    element.snapshot = carrierReport(2);
    await eventually(() => session.calls.length === 3);
  });
});
