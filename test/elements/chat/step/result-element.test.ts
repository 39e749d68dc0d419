import { expect, fixture, html } from '@open-wc/testing';
import type { DataResult } from '../../../../src/controllers/chat/chat-result.js';
import '../../../../src/elements/chat/step/result-element.js';
import type { PaChatResult } from '../../../../src/elements/chat/step/result-element.js';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import { eventually } from '../../eventually.js';
import { FakeSession, manyRows } from '../../fake-session.js';

const spec = {
  mark: 'bar',
  encoding: {
    x: { field: 'flights.carrier', type: 'nominal' },
    y: { field: 'flights.count', type: 'quantitative' },
  },
};
const resultOf = (rows: number, fields: Partial<DataResult> = {}): DataResult => ({
  title: 'Flights by carrier',
  description: '',
  query: { measures: ['flights.count'], dimensions: ['flights.carrier'], limit: 100 },
  rowSet: manyRows(rows),
  totalRows: rows,
  checksum: '',
  spec: null,
  isSupporting: false,
  ...fields,
});

async function show(result: DataResult, source: FakeSession | null = null): Promise<PaChatResult> {
  return fixture<PaChatResult>(
    html`<pa-chat-result .result=${result} .source=${source} .locale=${'en'}></pa-chat-result>`,
  );
}

const button = (element: PaChatResult, words: string): HTMLButtonElement | undefined =>
  [...element.renderRoot.querySelectorAll('button')].find(found => found.textContent?.includes(words));
const tableOf = (element: PaChatResult): Element | null | undefined =>
  element.renderRoot.querySelector('pa-tile-table')?.shadowRoot?.querySelector('table');

/** Clicks the button that saves a picture, and returns the file. */
async function savedPicture(element: PaChatResult): Promise<{ readonly name: string; readonly image: ImageBitmap }> {
  const saved: string[] = [];
  const files: Blob[] = [];
  const { createObjectURL } = URL;
  const { click } = HTMLAnchorElement.prototype;
  try {
    URL.createObjectURL = (file: Blob) => {
      files.push(file);
      return createObjectURL.call(URL, file);
    };
    HTMLAnchorElement.prototype.click = function save() {
      saved.push(this.download);
    };
    button(element, 'PNG')?.click();
    await eventually(() => saved.length === 1);
  } finally {
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
  }
  return { name: saved[0] ?? '', image: await createImageBitmap(files[0] ?? new Blob()) };
}

describe('query result in an answer', () => {
  it('is a table if it has no chart', async () => {
    const element = await show(resultOf(3));
    await eventually(() => tableOf(element)?.querySelectorAll('tbody tr').length === 3);
    expect(button(element, 'Chart')).to.equal(undefined);
    await expect(element).to.be.accessible();
  });

  it('shows one row of figures without a table, and its whole title', async () => {
    const { columns, rows } = manyRows(1);
    const rowSet = {
      columns: columns.filter(({ kind }) => kind === 'measure'),
      rows,
      truncated: false,
      lastRefreshTime: null,
    };
    const title = 'Flights and destinations of all carriers in the first half of the year '.repeat(3);
    const element = await show(resultOf(1, { rowSet, title }));
    await eventually(() => element.renderRoot.querySelectorAll('dl dd').length === rowSet.columns.length);
    expect(tableOf(element)).to.equal(undefined);
    const heading = element.renderRoot.querySelector('[part=heading]');
    expect(heading?.scrollWidth).to.equal(heading?.clientWidth);
    await expect(element).to.be.accessible();
  });

  it('renders its chart and shows the same rows as a table', async () => {
    const element = await show(resultOf(3, { spec }));
    await eventually(() => element.renderRoot.querySelector('pa-tile-chart')?.shadowRoot?.querySelector('svg'));
    button(element, 'Table')?.click();
    await eventually(() => tableOf(element)?.querySelectorAll('tbody tr').length === 3);
    expect(element.renderRoot.querySelector('pa-tile-chart')).to.equal(null);
  });

  it('saves its table as PNG with a line for each row', async () => {
    const heights: number[] = [];
    for (const rows of [3, 5, 300]) {
      const element = await show(resultOf(rows));
      element.restricted = false;
      await element.updateComplete;
      const { name, image } = await savedPicture(element);
      expect(name).to.equal('Flights by carrier.png');
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
      expect(new Set(data).size).to.be.greaterThan(10);
      heights.push(image.height);
    }
    const [three = 0, five = 0, many = 0] = heights;
    expect(five - three).to.equal(2 * 28 * 2);
    // The header, 200 rows, and a line for the remaining ones.
    expect(many - three).to.equal((200 + 1 - 3) * 28 * 2);
  });

  it('saves its chart as PNG, unless downloads are restricted', async () => {
    const element = await show(resultOf(3, { spec }));
    await eventually(() => element.renderRoot.querySelector('pa-tile-chart')?.shadowRoot?.querySelector('svg'));
    expect(button(element, 'PNG')).to.equal(undefined);
    element.restricted = false;
    await element.updateComplete;
    const { name, image } = await savedPicture(element);
    expect(name).to.equal('Flights by carrier.png');
    const chart = element.renderRoot.querySelector('pa-tile-chart')?.getBoundingClientRect();
    expect(image.width).to.be.within((chart?.width ?? 0) * 1.9, (chart?.width ?? 0) * 2.1);
  });

  it('is tall enough for the labels of its bars', async () => {
    const horizontal = { ...spec, encoding: { x: spec.encoding.y, y: spec.encoding.x } };
    const element = await show(resultOf(30, { spec: horizontal }));
    await eventually(() =>
      element.renderRoot.querySelector('pa-tile-chart')?.shadowRoot?.querySelector('svg .role-mark path'),
    );
    const labels = element.renderRoot
      .querySelector('pa-tile-chart')
      ?.shadowRoot?.querySelectorAll('.role-axis-label text:not([opacity="0"])');
    const texts = [...(labels ?? [])].map(label => label.textContent);
    const carriers = manyRows(30).rows.map(row => row['flights.carrier']);
    expect(carriers.filter(carrier => !texts.includes(String(carrier)))).to.deep.equal([]);
  });

  it('falls back to the table if the chart fails', async () => {
    const element = await show(resultOf(2, { spec: { mark: 'image', data: { url: 'https://elsewhere.example/' } } }));
    await eventually(() => tableOf(element)?.querySelectorAll('tbody tr').length === 2);
    await eventually(() => element.renderRoot.textContent?.includes('can’t be displayed'));
  });

  it('loads all rows of a chart of points by itself, because the first ones would mislead', async () => {
    const session = new FakeSession();
    const query = { dimensions: ['flights.carrier'], measures: ['flights.count'], limit: 100 };
    const points = resultOf(100, { totalRows: 250, query, spec: { ...spec, mark: 'point' } });
    const element = await show(points, session);
    await eventually(() => session.calls.length === 1);
    session.calls[0]?.answer(manyRows(250));
    await eventually(() => !element.renderRoot.textContent?.includes('First 100'));
    const bars = await show(resultOf(100, { totalRows: 250, spec }), session);
    await eventually(() => button(bars, 'Load all'));
    expect(session.calls.length).to.equal(1);
  });

  it('loads the points again only on request after a cancellation', async () => {
    const session = new FakeSession();
    const element = await show(resultOf(100, { totalRows: 250, spec: { ...spec, mark: 'point' } }), session);
    await eventually(() => button(element, 'Cancel'));
    button(element, 'Cancel')?.click();
    await eventually(() => button(element, 'Load all'));
    expect(session.calls.length).to.equal(1);
  });

  it('shows that rows are missing and loads all rows through the session', async () => {
    const session = new FakeSession();
    const element = await show(resultOf(2, { totalRows: 5 }), session);
    expect(element.renderRoot.textContent).to.contain('First 2 of 5 rows');
    button(element, 'Load all')?.click();
    await eventually(() => session.calls.length === 1);
    expect(session.calls[0]?.query.limit).to.equal(50_000);
    session.calls[0]?.answer(manyRows(5));
    await eventually(() => tableOf(element)?.querySelectorAll('tbody tr').length === 5);
    expect(element.renderRoot.textContent).not.to.contain('First 2');
  });

  it('cancels loading and reports a load failure', async () => {
    const session = new FakeSession();
    const element = await show(resultOf(2, { totalRows: 5 }), session);
    button(element, 'Load all')?.click();
    await eventually(() => button(element, 'Cancel'));
    button(element, 'Cancel')?.click();
    expect(session.calls[0]?.signal?.aborted).to.equal(true);
    await eventually(() => button(element, 'Load all'));
    button(element, 'Load all')?.click();
    await eventually(() => session.calls.length === 2);
    session.calls[1]?.fail(new Error('no'));
    await eventually(() => element.renderRoot.querySelector('[role=alert]')?.textContent?.includes('could not'));
  });

  it('offers no more rows if its query does not return all of its columns', async () => {
    const query = { measures: ['flights.count'] };
    const element = await show(resultOf(2, { totalRows: 5, query }), new FakeSession());
    expect(element.renderRoot.textContent).to.contain('First 2 of 5 rows');
    expect(button(element, 'Load all')).to.equal(undefined);
  });

  it('offers no more rows without a session', async () => {
    const element = await show(resultOf(2, { totalRows: 5 }));
    expect(button(element, 'Load all')).to.equal(undefined);
  });

  it('offers export only if it is allowed', async () => {
    const element = await show(resultOf(3));
    const table = (): PaTileTable | null => element.renderRoot.querySelector('pa-tile-table');
    expect(button(element, 'CSV')).to.equal(undefined);
    expect(table()?.copyable).to.equal(false);
    element.restricted = false;
    await element.updateComplete;
    expect(button(element, 'CSV')).not.to.equal(undefined);
    expect(table()?.copyable).to.equal(true);
  });

  it('opens its query and chart as a report in a dialog, unless the host opens it', async () => {
    const reports: unknown[] = [];
    let isOpenedByHost = true;
    const openReport = (_: string, report: unknown) => {
      reports.push(report);
      return !isOpenedByHost;
    };
    const session = new FakeSession();
    session.answers = () => manyRows(4);
    const element = await show(resultOf(3, { spec }), session);
    expect(button(element, 'Open as report')).to.equal(undefined);
    Object.assign(element, { actions: { openReport } });
    await element.updateComplete;
    const open = button(element, 'Open as report');
    open?.click();
    expect(reports).to.deep.equal([
      {
        id: 0,
        reportId: 0,
        versionNumber: 1,
        title: 'Flights by carrier',
        kind: 'vega',
        spec: {
          mark: 'bar',
          encoding: {
            x: { ...spec.encoding.x, field: 'flights\\.carrier' },
            y: { ...spec.encoding.y, field: 'flights\\.count' },
          },
        },
        meta: { jsonQuery: { measures: ['flights.count'], dimensions: ['flights.carrier'], limit: 100 } },
      },
    ]);
    const dialog = () => element.renderRoot.querySelector('pa-chat-report')?.shadowRoot?.querySelector('dialog');
    expect(element.renderRoot.querySelector('pa-chat-report')).to.equal(null);
    isOpenedByHost = false;
    open?.focus();
    open?.click();
    const tile = () => dialog()?.querySelector('pa-tile')?.shadowRoot;
    await eventually(() => tile()?.querySelector('pa-tile-chart')?.shadowRoot?.querySelector('svg'));
    expect(dialog()?.open).to.equal(true);
    expect(tile()?.querySelector('#heading')?.textContent?.trim()).to.equal('Flights by carrier');
    await expect(element).to.be.accessible();
    dialog()?.querySelector('button')?.click();
    await eventually(() => !element.renderRoot.querySelector('pa-chat-report'));
    expect(element.shadowRoot?.activeElement).to.equal(open);
  });

  it('opens its own rows as a report if there is no session', async () => {
    const element = await show(resultOf(3));
    Object.assign(element, { actions: { openReport: () => true } });
    await element.updateComplete;
    button(element, 'Open as report')?.click();
    const dialog = () => element.renderRoot.querySelector('pa-chat-report')?.shadowRoot;
    const table = () => dialog()?.querySelector('pa-tile')?.shadowRoot?.querySelector('pa-tile-table')?.shadowRoot;
    await eventually(() => table()?.querySelectorAll('tbody tr').length === 3);
  });

  it('shows an empty result', async () => {
    const element = await show(resultOf(0, { spec }));
    expect(element.renderRoot.textContent).to.contain('No rows match');
    expect(button(element, 'CSV')).to.equal(undefined);
  });
});
