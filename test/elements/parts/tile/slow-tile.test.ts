import { expect } from '@open-wc/testing';
import type { PaTile } from '../../../../src/elements/parts/tile/tile-element.js';
import '../../../../src/elements/report/pa-report.js';
import type { PaReport } from '../../../../src/elements/report/report-element.js';
import { eventually } from '../../eventually.js';
import { FakeSession, oneNumber, provide, rowSet, snapshot } from '../../fake-session.js';

const now = performance.now.bind(performance);

interface Setup {
  readonly session: FakeSession;
  readonly report: PaReport;
  readonly tile: PaTile;
  /** Moves the start of the query back by this time. */
  ageQuery(ms: number): Promise<void>;
}

async function setUp(): Promise<Setup> {
  const session = new FakeSession();
  const report = document.createElement('pa-report');
  report.snapshot = snapshot(1);
  const provider = provide(session);
  provider.append(report);
  document.body.append(provider);
  await eventually(() => session.calls.length === 1);
  const tile = report.renderRoot.querySelector('pa-tile');
  if (!tile) throw new Error('no tile');
  const ageQuery = async (ms: number) => {
    performance.now = () => now() + ms;
    tile.requestUpdate();
    await tile.updateComplete;
  };
  return { session, report, tile, ageQuery };
}

const inner = (tile: PaTile, selector: string): HTMLElement | null => tile.renderRoot.querySelector(selector);
const chip = (tile: PaTile): HTMLElement | null => inner(tile, 'pa-tile-wait');
const textOf = (element: ParentNode | null | undefined, selector: string): string =>
  element?.querySelector(selector)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const noteText = (tile: PaTile): string => textOf(chip(tile)?.shadowRoot, '.wait');
/** Returns the displayed seconds. */
const displayedSeconds = (tile: PaTile): number => Number(/^Still working… (\d+)s/.exec(noteText(tile))?.[1]);
const figure = (tile: PaTile): string => textOf(inner(tile, 'pa-tile-kpi')?.shadowRoot, '.figure');
const press = (tile: PaTile): void => chip(tile)?.shadowRoot?.querySelector('button')?.click();
const focused = (tile: PaTile): string | undefined => tile.shadowRoot?.activeElement?.localName;

/** Creates a tile with rows whose next query is slow. */
async function setUpRefresh(): Promise<Setup> {
  const given = await setUp();
  given.session.calls[0]?.answer(oneNumber);
  await eventually(() => figure(given.tile) === '1,234,567');
  void given.report.refresh();
  await eventually(() => given.session.calls.length === 2);
  await given.ageQuery(12_000);
  await eventually(() => displayedSeconds(given.tile) >= 12);
  return given;
}

describe('tile with a slow query', () => {
  afterEach(() => {
    performance.now = now;
    document.body.replaceChildren();
  });

  it('shows a progress note after 3 s, until the rows arrive', async () => {
    const start = now();
    const { session, tile } = await setUp();
    expect(chip(tile)).to.equal(null);
    await eventually(() => noteText(tile) !== '');
    expect(now() - start).to.be.greaterThan(2500);
    expect(noteText(tile)).to.match(/^Still working… \d+s Cancel$/);
    expect(displayedSeconds(tile)).to.be.at.least(3);
    expect(inner(tile, '[part=body]')?.getAttribute('aria-busy')).to.equal('true');
    expect(chip(tile)?.closest('[aria-busy]')).to.equal(null);
    session.calls[0]?.answer(oneNumber);
    await eventually(() => figure(tile) === '1,234,567' && chip(tile) === null);
  });

  it('can be canceled, stays idle, and retries on request', async () => {
    const { session, report, tile, ageQuery } = await setUp();
    await ageQuery(12_000);
    await eventually(() => noteText(tile) !== '');
    const rest = report.loadAll();
    press(tile);
    await rest;
    expect(session.calls[0]?.signal?.aborted).to.equal(true);
    await eventually(() => textOf(tile.renderRoot, '.title') === 'Canceled');
    expect(chip(tile)).to.equal(null);
    expect(focused(tile)).to.equal('article');
    inner(tile, '.notice button')?.click();
    await eventually(() => session.calls.length === 2);
    await eventually(() => textOf(tile.renderRoot, '.title') === '');
    expect(chip(tile)).to.equal(null);
    expect(focused(tile)).to.equal('article');
    session.calls[1]?.answer(oneNumber);
    await eventually(() => figure(tile) === '1,234,567');
  });

  it('does not count cancellation as a failure', async () => {
    const { report, tile, ageQuery } = await setUp();
    let failures = 0;
    report.addEventListener('pa-error', () => {
      failures += 1;
    });
    await ageQuery(12_000);
    await eventually(() => noteText(tile) !== '');
    press(tile);
    await eventually(() => textOf(tile.renderRoot, '.title') === 'Canceled');
    expect(failures).to.equal(0);
  });

  it('keeps its old rows while it waits and after cancellation', async () => {
    const { session, tile } = await setUpRefresh();
    expect(figure(tile)).to.equal('1,234,567');
    press(tile);
    await eventually(() => noteText(tile) === 'Canceled Retry');
    expect(session.calls[1]?.signal?.aborted).to.equal(true);
    expect(figure(tile)).to.equal('1,234,567');
    expect(inner(tile, '.stale')).to.equal(null);
    expect(focused(tile)).to.equal('article');
    press(tile);
    await eventually(() => session.calls.length === 3);
    await eventually(() => chip(tile) === null);
    session.calls[2]?.answer(rowSet(oneNumber.columns, [{ 'flights.count': '5' }]));
    await eventually(() => figure(tile) === '5');
  });

  it('shows its failure instead of the progress note', async () => {
    const { session, tile } = await setUpRefresh();
    session.calls[1]?.fail(new TypeError('something'));
    await eventually(() => textOf(tile.renderRoot, '.title') === 'Something went wrong');
    expect(chip(tile)).to.equal(null);
  });

  it('clears the cancellation together with the rows of another identity', async () => {
    const { session, tile } = await setUpRefresh();
    press(tile);
    await eventually(() => noteText(tile) === 'Canceled Retry');
    session.emit({ type: 'identity', identity: 'another' });
    await eventually(() => session.calls.length === 3);
    expect(chip(tile)).to.equal(null);
    expect(figure(tile)).to.equal('');
  });

  it('is accessible while it waits and after cancellation', async () => {
    const { session, tile, ageQuery, report } = await setUp();
    await ageQuery(12_000);
    await eventually(() => noteText(tile) !== '');
    await expect(report).to.be.accessible();
    press(tile);
    await eventually(() => textOf(tile.renderRoot, '.title') === 'Canceled');
    await expect(report).to.be.accessible();
    expect(session.calls.length).to.equal(1);
  });

  it('is accessible after cancellation over old rows', async () => {
    const { report, tile } = await setUpRefresh();
    press(tile);
    await eventually(() => noteText(tile) === 'Canceled Retry');
    await expect(report).to.be.accessible();
  });
});
