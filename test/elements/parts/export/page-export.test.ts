import { expect } from '@open-wc/testing';
import { readXlsx } from 'hucre/xlsx';
import type { DashboardWidget } from '../../../../src/contract/dashboards.js';
import type { PaDashboard } from '../../../../src/elements/dashboard/dashboard-element.js';
import type { PaExport } from '../../../../src/elements/parts/export/export-element.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard, type FakeSession } from '../../fake-session.js';
import { decode } from '../image/compare-images.js';
import { carrierReport, carriers, dashboardPage } from '../tile/tile-page.js';

const { createObjectURL } = URL;
const { click } = HTMLAnchorElement.prototype;
const { fillText, drawImage } = OffscreenCanvasRenderingContext2D.prototype;

interface Saved {
  readonly name: string;
  readonly content: Blob;
}

/** Captures saved files, and what is painted. */
function catchFiles() {
  const [files, texts]: [Saved[], string[]] = [[], []];
  const painted = { files, texts, charts: 0 };
  let content: Blob | null = null;
  URL.createObjectURL = given => {
    if (given instanceof Blob) content = given;
    return 'blob:none';
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    if (content) files.push({ name: this.download, content });
  };
  OffscreenCanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    texts.push(text.replace(/[\u2066-\u2069]/g, ''));
    fillText.call(this, text, ...at);
  };
  OffscreenCanvasRenderingContext2D.prototype.drawImage = function (this: OffscreenCanvasRenderingContext2D, ...given) {
    painted.charts += 1;
    (drawImage as (...all: readonly unknown[]) => void).apply(this, given);
  } as typeof drawImage;
  return painted;
}

afterEach(() => {
  URL.createObjectURL = createObjectURL;
  HTMLAnchorElement.prototype.click = click;
  Object.assign(OffscreenCanvasRenderingContext2D.prototype, { fillText, drawImage });
  document.body.replaceChildren();
});

const chart = carrierReport(2, {
  kind: 'vega',
  name: 'Bars',
  spec: {
    mark: 'bar',
    encoding: {
      x: { field: 'flights\\.carrier', type: 'nominal' },
      y: { field: 'flights\\.count', type: 'quantitative' },
    },
  },
});
const tabs: DashboardWidget = {
  id: 'tabs',
  type: 'CONTAINER',
  position: { x: 0, y: 8, w: 12, h: 8 },
  config: {
    layout: 'tabs',
    children: ['w3', 'w4'],
  },
};

/** Creates a dashboard with a table, a chart and two tabs, without `export-url`. */
async function pageOf(prepare: (element: PaDashboard, session: FakeSession) => void = () => {}) {
  const widgets = [chartWidget(1), chartWidget(2), chartWidget(3), chartWidget(4), tabs];
  const published = dashboard(widgets, [
    carrierReport(1),
    chart,
    carrierReport(3, { name: 'In the open tab' }),
    carrierReport(4, { name: 'In the closed tab' }),
  ]);
  let session: FakeSession | null = null;
  const { element } = await dashboardPage(published, (given, made) => {
    session = given;
    prepare(made, given);
  });
  const found = () => element.renderRoot.querySelector<PaExport>('pa-export');
  return { element, inner: found, session: session as unknown as FakeSession };
}

const partOf = (inner: PaExport | null, part: string) =>
  inner?.shadowRoot?.querySelector<HTMLElement>(`[part=${part}]`) ?? null;

async function choose(inner: () => PaExport | null, label: string): Promise<void> {
  await eventually(() => partOf(inner(), 'export-button'), 'the button is shown');
  partOf(inner(), 'export-button')?.click();
  const items = [...(inner()?.shadowRoot?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  expect(items.map(item => item.textContent?.trim())).to.deep.equal(['Download PNG', 'Download XLSX', 'Copy image']);
  items.find(item => item.textContent?.trim() === label)?.click();
}

describe('an export by the page', () => {
  it('paints all tiles, including those of closed tabs, as one image', async () => {
    const { inner, element } = await pageOf();
    const painted = catchFiles();
    await choose(inner, 'Download PNG');
    await eventually(() => painted.files.length === 1, 'the picture is saved');
    const [file] = painted.files;
    expect(file?.name).to.match(/\.png$/);
    expect(painted.charts).to.equal(1);
    const image = await decode(file?.content ?? new Blob());
    expect(image.width).to.equal(Math.round((element.getBoundingClientRect().width + 48) * 2));
    expect(painted.texts).to.include.members(['Departures', 'AA', '=DL', 'In the open tab', 'In the closed tab']);
    expect(partOf(inner(), 'exports')?.matches(':popover-open')).to.equal(false);
  });

  it('writes a sheet for each report', async () => {
    const { inner } = await pageOf();
    const painted = catchFiles();
    await choose(inner, 'Download XLSX');
    await eventually(() => painted.files.length === 1, 'the file is saved');
    const bytes = new Uint8Array((await painted.files[0]?.content.arrayBuffer()) ?? new ArrayBuffer(0));
    const { sheets } = await readXlsx(bytes);
    expect(sheets.map(({ name }) => name)).to.deep.equal(['Flights', 'Bars', 'In the open tab', 'In the closed tab']);
    expect(sheets[0]?.rows.slice(1)).to.deep.equal([
      ['AA', 12],
      ['=DL', 7],
    ]);
  });

  it('applies the filters of the viewer', async () => {
    const { inner, element, session } = await pageOf();
    element.setState({ filters: { 'flights.carrier': { operator: 'equals', value: ['AA'] } } });
    const painted = catchFiles();
    session.calls.length = 0;
    session.model = { cubes: [] };
    await choose(inner, 'Download XLSX');
    await eventually(() => painted.files.length === 1, 'the file is saved');
    expect(session.calls.at(-1)?.query.filters).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['AA'] },
    ]);
  });

  it('shows its progress, and stops its queries when it is canceled', async () => {
    const { inner, session } = await pageOf();
    const painted = catchFiles();
    session.answers = null;
    session.calls.length = 0;
    await choose(inner, 'Download PNG');
    await eventually(() => session.calls.length === 4, 'the rows are requested');
    for (const call of session.calls.slice(0, 2)) call.answer(carriers);
    const list = partOf(inner(), 'exports');
    await eventually(() => Number(list?.querySelector('progress')?.value) > 0.3, 'the progress is shown');
    list?.querySelector('button')?.click();
    await eventually(() => list?.matches(':popover-open') === false, 'the list is closed');
    expect(session.calls.slice(2).map(({ signal }) => signal?.aborted)).to.deep.equal([true, true]);
    expect(painted.files).to.deep.equal([]);
  });

  it('says in the file why a report is missing', async () => {
    const { inner, session } = await pageOf();
    const painted = catchFiles();
    session.answers = null;
    session.calls.length = 0;
    await choose(inner, 'Download XLSX');
    await eventually(() => session.calls.length === 4, 'the rows are requested');
    const [first, ...others] = session.calls;
    first?.fail(new Error('a secret of the database'));
    for (const call of others) call.answer(carriers);
    await eventually(() => painted.files.length === 1, 'the file is saved');
    const bytes = new Uint8Array((await painted.files[0]?.content.arrayBuffer()) ?? new ArrayBuffer(0));
    const { sheets } = await readXlsx(bytes);
    expect(sheets).to.have.length(4);
    expect(JSON.stringify(sheets[0]?.rows)).to.contain('Something went wrong');
    expect(JSON.stringify(sheets)).not.to.contain('secret');
  });

  it('is not offered if downloads are restricted, and can be canceled by the page', async () => {
    const { inner, element } = await pageOf();
    const painted = catchFiles();
    let detail: unknown;
    element.addEventListener('pa-download', event => {
      detail = event.detail;
      event.preventDefault();
    });
    await choose(inner, 'Download PNG');
    expect(detail).to.deep.include({ format: 'png', widgetId: null });
    expect(painted.files).to.deep.equal([]);
    element.restrictDownload = true;
    await element.updateComplete;
    expect(inner()).to.equal(null);
  });
});
