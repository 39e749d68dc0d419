import { expect } from '@open-wc/testing';
import type { PaDashboard } from '../../../../src/elements/dashboard/dashboard-element.js';
import '../../../../src/elements/parts/export/export-element.js';
import type { PaExport } from '../../../../src/elements/parts/export/export-element.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard } from '../../fake-session.js';
import { carrierReport, dashboardPage, focusedElement, labels, openMenu, press, runItem } from '../tile/tile-page.js';

const { fetch } = globalThis;
const createObjectURL = URL.createObjectURL;
const { click } = HTMLAnchorElement.prototype;

interface HostCall {
  readonly method: string;
  readonly query: string;
  readonly body: Record<string, unknown> | null;
}

/** Answers the requests of pages to their host with the states of one export, in order. The last state repeats. */
function answerAs(states: readonly object[], start: () => Response = () => json({ job: 'job.signature' }, 202)) {
  const calls: HostCall[] = [];
  let next = 0;
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), location.href);
    if (url.pathname !== '/export') return fetch(input, init);
    const method = init?.method ?? 'GET';
    calls.push({ method, query: url.search, body: init?.body ? JSON.parse(String(init.body)) : null });
    if (method === 'POST') return start();
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (url.searchParams.has('file')) return new Response('the file');
    const state = states[Math.min(next, states.length - 1)] ?? {};
    next += 1;
    return json(state);
  };
  return calls;
}

const json = (body: object, status = 200): Response => Response.json(body, { status });

/** Captures the names of files instead of saving them. */
function catchFiles(): string[] {
  const names: string[] = [];
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    names.push(this.download);
  };
  return names;
}

async function exportPage(prepare: (element: PaDashboard) => void = () => {}) {
  const published = dashboard([chartWidget(1)], [carrierReport(1)]);
  const { element, tiles } = await dashboardPage(published, (_session, made) => {
    made.exportUrl = '/export';
    prepare(made);
  });
  const [tile] = tiles;
  if (!tile) throw new Error('no tile');
  const inner = element.renderRoot.querySelector<PaExport>('pa-export');
  return { published, element, tile, inner };
}

const button = (inner: PaExport | null) => inner?.shadowRoot?.querySelector<HTMLButtonElement>('[part=export-button]');
const menuItems = (inner: PaExport | null) => [
  ...(inner?.shadowRoot?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];
const listOf = (inner: PaExport | null) => inner?.shadowRoot?.querySelector<HTMLElement>('[part=exports]');

/** Opens the menu of the dashboard and chooses a format. */
function choose(inner: PaExport | null, label: string): void {
  button(inner)?.click();
  const item = menuItems(inner).find(({ textContent }) => textContent?.trim() === label);
  if (!item) throw new Error(`no item ${label}`);
  item.click();
}

afterEach(() => {
  globalThis.fetch = fetch;
  URL.createObjectURL = createObjectURL;
  HTMLAnchorElement.prototype.click = click;
  document.body.replaceChildren();
});

describe('an export by the host', () => {
  it('is saved once it is complete, with the control values of the viewer', async () => {
    const files = catchFiles();
    const calls = answerAs([{ status: 'processing', progress: 0.5 }, { status: 'completed' }]);
    const { element, inner, published } = await exportPage(made => {
      made.filters = { 'flights.carrier': { operator: 'equals', value: ['AA'] } };
    });
    element.setState({ filters: { 'flights.id': null } });
    choose(inner, 'Download PDF');
    await eventually(() => files.length === 1, 'the file is saved');
    expect(files[0]).to.match(/\.pdf$/);
    expect(calls[0]?.body).to.deep.include({
      dashboardPublicId: published.publicId,
      format: 'pdf',
      filters: [{ member: 'flights.carrier', operator: 'equals', value: ['AA'] }, { member: 'flights.id' }],
    });
    expect(calls.at(-1)?.query).to.equal('?job=job.signature&file');
    expect(listOf(inner)?.matches(':popover-open')).to.equal(false);
  });

  it('shows its progress, and stops on the server when it is canceled', async () => {
    const files = catchFiles();
    const calls = answerAs([{ status: 'processing', progress: 0.5 }]);
    const { inner } = await exportPage();
    choose(inner, 'Download PNG');
    await eventually(() => listOf(inner)?.querySelector('progress')?.value === 0.5, 'the progress is shown');
    await expect(inner).to.be.accessible();
    listOf(inner)?.querySelector('button')?.click();
    await eventually(() => calls.some(({ method }) => method === 'DELETE'), 'the export is canceled');
    await eventually(() => listOf(inner)?.matches(':popover-open') === false, 'the list is closed');
    expect(files).to.deep.equal([]);
  });

  it('says why it failed, until it is dismissed', async () => {
    catchFiles();
    answerAs([{ status: 'failed', error: 'A failure of a newer platform.', errorCode: 'export_moon' }]);
    const { inner } = await exportPage();
    choose(inner, 'Download XLSX');
    await eventually(() => listOf(inner)?.querySelector('[role=alert]'), 'the failure is shown');
    expect(listOf(inner)?.querySelector('[role=alert]')?.textContent).to.equal('The export failed.');
    expect(listOf(inner)?.textContent).to.include('A failure of a newer platform.');
    listOf(inner)?.querySelector('button')?.click();
    await eventually(() => listOf(inner)?.matches(':popover-open') === false, 'the failure is dismissed');
  });

  it('says why it failed in the language of the page', async () => {
    answerAs([{ status: 'failed', error: 'The file would be larger than 50 MB.', errorCode: 'export_too_large' }]);
    const { inner } = await exportPage(made => {
      made.locale = 'de';
    });
    await eventually(() => button(inner)?.textContent?.trim() === 'Exportieren', 'the page is in German');
    choose(inner, 'PDF herunterladen');
    await eventually(() => listOf(inner)?.querySelector('[role=alert]'), 'the failure is shown');
    expect(listOf(inner)?.querySelector('[role=alert]')?.textContent).to.equal('Die Datei wäre größer als 50 MB.');
    expect(listOf(inner)?.textContent).not.to.include('larger than');
  });

  it('leaves the end of the window to the button of the chat', async () => {
    answerAs([{ status: 'processing' }]);
    const { inner } = await exportPage();
    choose(inner, 'Download PNG');
    await eventually(() => listOf(inner)?.matches(':popover-open'), 'the list is open');
    const list = listOf(inner)?.getBoundingClientRect();
    expect(list?.left).to.equal(16);
    expect(list?.right).to.be.at.most(window.innerWidth - 44);
    listOf(inner)?.querySelector('button')?.click();
  });

  it('says that the server rejects it', async () => {
    answerAs([], () => json({ statusCode: 403, message: 'Downloads of data are restricted.' }, 403));
    const { inner } = await exportPage();
    choose(inner, 'Download PDF');
    await eventually(() => listOf(inner)?.querySelector('[role=alert]'), 'the failure is shown');
    expect(listOf(inner)?.textContent).to.include('You do not have permission to download this data.');
  });

  it('is offered by the menu of a tile, for its widget', async () => {
    const files = catchFiles();
    const calls = answerAs([{ status: 'completed' }]);
    const { tile } = await exportPage();
    await openMenu(tile);
    expect(labels(tile)).to.include.members(['Download PNG', 'Download PDF', 'Download XLSX', 'Copy image']);
    runItem(tile, 'Download XLSX');
    await eventually(() => files.length === 1, 'the file is saved');
    expect(files[0]).to.match(/\.xlsx$/);
    expect(calls[0]?.body).to.deep.include({ format: 'xlsx', widgetId: tile.widgetId });
  });

  it('is not offered if downloads are restricted, and can be canceled by the page', async () => {
    const { inner } = await exportPage(made => {
      made.restrictDownload = true;
    });
    expect(inner).to.equal(null);
    const calls = answerAs([{ status: 'completed' }]);
    const { element, inner: other } = await exportPage();
    element.addEventListener('pa-download', event => event.preventDefault());
    choose(other, 'Download PDF');
    expect(calls).to.deep.equal([]);
  });

  it('has a menu that works by keyboard', async () => {
    answerAs([{ status: 'completed' }]);
    const { inner } = await exportPage();
    button(inner)?.click();
    await eventually(() => focusedElement() === menuItems(inner)[0], 'the first item has focus');
    press('ArrowDown');
    expect(focusedElement() === menuItems(inner)[1]).to.equal(true);
    press('End');
    expect(focusedElement() === menuItems(inner).at(-1)).to.equal(true);
    await expect(inner).to.be.accessible();
  });
});
