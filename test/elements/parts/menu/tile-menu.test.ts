import { expect, oneEvent } from '@open-wc/testing';
import type { HostMenuItem, MenuContext } from '../../../../src/elements/parts/tile/tile-host.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard, oneNumber, rowSet, snapshot } from '../../fake-session.js';
import { withMedia } from '../../media.js';
import {
  carrierReport,
  carriers,
  dashboardPage,
  focusedElement,
  items,
  labels,
  menuButton,
  menuOf,
  openMenu,
  press,
  reportPage,
  runItem,
} from '../tile/tile-page.js';

const createObjectURL = URL.createObjectURL;

/** Captures files instead of saving them. */
function catchFiles(): { readonly name: string; readonly text: Promise<string> }[] {
  const files: { readonly name: string; readonly text: Promise<string> }[] = [];
  let blob: Blob | null = null;
  URL.createObjectURL = (given: Blob) => {
    blob = given;
    return createObjectURL(given);
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    if (blob)
      files.push({
        name: this.download,
        text: blob.arrayBuffer().then(bytes => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
      });
  };
  return files;
}

const chart = (reportId: number) =>
  carrierReport(reportId, {
    kind: 'vega',
    spec: {
      mark: 'bar',
      encoding: {
        x: { field: 'flights.carrier', type: 'nominal' },
        y: { field: 'flights.count', type: 'quantitative' },
      },
    },
  });

const click = HTMLAnchorElement.prototype.click;

afterEach(() => {
  URL.createObjectURL = createObjectURL;
  HTMLAnchorElement.prototype.click = click;
  document.body.replaceChildren();
});

describe('tile menu button and keyboard', () => {
  it('keeps a long title readable with a mouse and on touch screens', async () => {
    const { element, tile } = await reportPage();
    element.snapshot = carrierReport(1, { name: 'Average delay (minutes)' });
    element.style.setProperty('width', '170px');
    const heading = () => tile.renderRoot.querySelector('[part=heading]');
    await eventually(() => heading()?.textContent === 'Average delay (minutes)');
    const expectWhole = () => {
      const { scrollWidth = 1, clientWidth = 0, scrollHeight = 1, clientHeight = 0 } = heading() ?? {};
      expect(scrollWidth).to.be.at.most(clientWidth);
      expect(scrollHeight).to.be.at.most(clientHeight);
    };
    expectWhole();
    await withMedia(tile, '(hover: none)', expectWhole);
  });

  it('loads and opens from its button, which names the tile', async () => {
    const { tile } = await reportPage();
    expect(menuOf(tile) === null).to.equal(true);
    expect(menuButton(tile)?.getAttribute('aria-label')).to.equal('Menu of Flights');
    expect(menuButton(tile)?.getAttribute('aria-expanded')).to.equal('false');
    await openMenu(tile);
    expect(menuButton(tile)?.getAttribute('aria-expanded')).to.equal('true');
    expect(labels(tile)).to.deep.equal([
      'Download PNG',
      'Download XLSX',
      'Download CSV',
      'Copy image',
      'Copy rows',
      'Refresh',
      'Full screen',
    ]);
    expect(focusedElement() === items(tile)[0], focusedElement()?.outerHTML.slice(0, 80)).to.equal(true);
    await expect(tile).to.be.accessible();
  });

  it('supports the arrow keys', async () => {
    const { tile } = await reportPage();
    await openMenu(tile);
    const at = () => focusedElement()?.textContent?.trim();
    press('ArrowDown');
    expect(at()).to.equal('Download XLSX');
    press('ArrowUp');
    press('ArrowUp');
    expect(at()).to.equal('Full screen');
    press('Home');
    expect(at()).to.equal('Download PNG');
    press('r');
    expect(at()).to.equal('Refresh');
    press('End');
    expect(at()).to.equal('Full screen');
  });

  it('closes and returns the focus to its button', async () => {
    const { tile } = await reportPage();
    menuButton(tile)?.focus();
    await openMenu(tile);
    menuOf(tile)?.shadowRoot?.querySelector<HTMLElement>('[role=menu]')?.hidePopover();
    await eventually(() => menuButton(tile)?.getAttribute('aria-expanded') === 'false');
    expect(focusedElement() === menuButton(tile), focusedElement()?.outerHTML.slice(0, 80)).to.equal(true);
  });
});

describe('tile menu export', () => {
  it('saves all rows as CSV named after the tile, after an event', async () => {
    const files = catchFiles();
    const { element, tile } = await reportPage();
    await openMenu(tile);
    const download = oneEvent(element, 'pa-download');
    runItem(tile, 'Download CSV');
    const { detail } = (await download) as HTMLElementEventMap['pa-download'];
    expect(detail).to.deep.equal({
      widgetId: null,
      report: 'report000001',
      format: 'csv',
      fileName: 'Flights.csv',
      rows: 2,
    });
    await eventually(() => files.length === 1);
    expect(files[0]?.name).to.equal('Flights.csv');
    expect(await files[0]?.text).to.equal("\ufeffCarrier,Flights\r\nAA,12\r\n'=DL,7\r\n");
  });

  it('saves nothing if the page cancels the event', async () => {
    const files = catchFiles();
    const { element, tile } = await reportPage();
    element.addEventListener('pa-download', event => event.preventDefault());
    await openMenu(tile);
    runItem(tile, 'Download CSV');
    await eventually(() => items(tile).length === 0);
    expect(files).to.deep.equal([]);
  });

  it('fires a cancelable event for copied cells', async () => {
    const { element, tile } = await reportPage();
    const grid = tile.renderRoot.querySelector('pa-tile-table')?.renderRoot.querySelector<HTMLElement>('[role=grid]');
    if (!grid) throw new Error('no grid');
    grid.focus();
    const copyCells = async (): Promise<string> => {
      const clipboardData = new DataTransfer();
      grid.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData('text/plain');
    };
    const download = oneEvent(element, 'pa-download');
    expect(await copyCells()).to.equal('AA');
    const { detail } = (await download) as HTMLElementEventMap['pa-download'];
    expect(detail).to.deep.equal({ widgetId: null, report: 'report000001', format: 'copy', fileName: '', rows: 1 });
    element.addEventListener('pa-download', event => event.preventDefault());
    expect(await copyCells()).to.equal('');
  });

  it('copies the rows as text and as a table, and confirms it', async () => {
    const { tile } = await reportPage();
    const written: ClipboardItem[] = [];
    const write = navigator.clipboard.write;
    navigator.clipboard.write = async given => void written.push(...given);
    await openMenu(tile);
    runItem(tile, 'Copy rows');
    await eventually(() => menuOf(tile)?.shadowRoot?.querySelector('[role=status]')?.textContent === 'Rows copied');
    navigator.clipboard.write = write;
    const text = await (await written[0]?.getType('text/plain'))?.text();
    const table = await (await written[0]?.getType('text/html'))?.text();
    expect(text).to.equal("Carrier\tFlights\r\nAA\t12\r\n'=DL\t7");
    expect(table).to.contain('<td>AA</td><td>12</td>');
  });

  it('reports that the browser blocked copying', async () => {
    const { tile } = await reportPage();
    const write = navigator.clipboard.write;
    navigator.clipboard.write = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    await openMenu(tile);
    runItem(tile, 'Copy rows');
    await eventually(() =>
      /blocked copying/.test(menuOf(tile)?.shadowRoot?.querySelector('[role=status]')?.textContent ?? ''),
    );
    navigator.clipboard.write = write;
  });

  it('offers no export if downloads are restricted', async () => {
    const { tile } = await reportPage({ restrictDownload: true });
    await openMenu(tile);
    expect(labels(tile)).to.deep.equal(['Refresh', 'Full screen']);
  });

  it('disables export and copy if the dashboard restricts downloads', async () => {
    const restricted = { ...dashboard([chartWidget(1)], [carrierReport(1)]), restrictDataDownload: true };
    const { tiles } = await dashboardPage(restricted);
    const [tile] = tiles;
    if (!tile) throw new Error('no tile');
    await openMenu(tile);
    expect(labels(tile)).to.deep.equal(['Refresh', 'Full screen']);
    expect(tile.host.restricted).to.equal(true);
  });

  it('offers no export for a report without rows', async () => {
    const { session, tile } = await reportPage();
    session.answers = () => rowSet(carriers.columns, []);
    await openMenu(tile);
    runItem(tile, 'Refresh');
    await eventually(() => session.calls.length === 2 && tile.renderRoot.querySelector('.message'));
    await openMenu(tile);
    expect(labels(tile)).to.deep.equal(['Refresh', 'Full screen']);
  });
});

describe('tile menu view', () => {
  it('switches between a chart and a table of its rows', async () => {
    const { tile } = await reportPage({ snapshot: chart(1) });
    await openMenu(tile);
    expect(labels(tile)).to.deep.equal([
      'Show as table',
      'Download PNG',
      'Download XLSX',
      'Download CSV',
      'Download SVG',
      'Copy image',
      'Copy rows',
      'Refresh',
      'Full screen',
    ]);
    runItem(tile, 'Show as table');
    const cells = () =>
      [...(tile.renderRoot.querySelector('pa-tile-table')?.shadowRoot?.querySelectorAll('td') ?? [])].map(
        cell => cell.textContent?.trim() ?? '',
      );
    await eventually(() => cells().includes('AA') && cells().includes('12'));
    await openMenu(tile);
    expect(labels(tile)).to.include('Show as chart').and.not.include('Download SVG');
    runItem(tile, 'Show as chart');
    await eventually(
      () => tile.renderRoot.querySelector('pa-tile-chart') && !tile.renderRoot.querySelector('pa-tile-table'),
    );
  });

  it('refreshes', async () => {
    const { session, tile } = await reportPage();
    await openMenu(tile);
    runItem(tile, 'Refresh');
    await eventually(() => session.calls.length === 2);
  });

  it('fills the window if the frame cannot go full screen, and returns the focus', async () => {
    const { tile } = await reportPage();
    const article = tile.renderRoot.querySelector<HTMLElement>('article');
    if (!article) throw new Error('no frame');
    const table = tile.renderRoot.querySelector('pa-tile-table');
    article.requestFullscreen = () => Promise.reject(new TypeError('not allowed'));
    menuButton(tile)?.focus();
    await openMenu(tile);
    runItem(tile, 'Full screen');
    await eventually(() => tile.renderRoot.querySelector('dialog.full[open]'));
    expect(article.closest('dialog')?.ariaLabel).to.equal('Flights');
    expect(tile.renderRoot.querySelector('pa-tile-table') === table).to.equal(true);
    await openMenu(tile);
    expect(labels(tile)).to.include('Exit full screen');
    runItem(tile, 'Exit full screen');
    await eventually(() => !tile.renderRoot.querySelector('dialog.full'));
    expect(article.isConnected).to.equal(true);
    expect(focusedElement() === menuButton(tile), focusedElement()?.outerHTML.slice(0, 80)).to.equal(true);
  });

  it('shows a figure as a table', async () => {
    const { session, element, tile } = await reportPage({ snapshot: snapshot(3) });
    session.answers = () => oneNumber;
    await element.refresh();
    await openMenu(tile);
    expect(labels(tile)[0]).to.equal('Show as table');
  });
});

describe('tile menu host items', () => {
  it('shows host items', async () => {
    const ran: MenuContext[] = [];
    const item: HostMenuItem = { label: 'Send to a friend', run: context => ran.push(context) };
    const { tile } = await reportPage({ menuItems: [item] });
    await openMenu(tile);
    expect(labels(tile).at(-1)).to.equal('Send to a friend');
    runItem(tile, 'Send to a friend');
    await eventually(() => ran.length === 1);
    expect(ran[0]).to.deep.equal({ widgetId: null, report: 'report000001', mark: null });
  });

  it('omits host items if their function throws', async () => {
    const reported: unknown[] = [];
    const report = globalThis.reportError;
    globalThis.reportError = error => void reported.push(error);
    const { tile } = await reportPage({
      menuItems: () => {
        throw new Error('host error');
      },
    });
    await openMenu(tile);
    globalThis.reportError = report;
    expect(labels(tile)).to.include('Refresh');
    expect(reported.length).to.equal(1);
  });
});
