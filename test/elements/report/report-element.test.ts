import { expect, oneEvent } from '@open-wc/testing';
import { PaError } from '../../../src/client/errors.js';
import { SessionStatus } from '../../../src/controllers/session/session-context.js';
import type { PaTile } from '../../../src/elements/parts/tile/tile-element.js';
import '../../../src/elements/report/pa-report.js';
import type { PaReport } from '../../../src/elements/report/report-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, FakeSession, oneNumber, provide, snapshot } from '../fake-session.js';

interface Setup {
  readonly session: FakeSession;
  readonly element: PaReport;
}

async function setUp(fields: Partial<PaReport>, prepare: (session: FakeSession) => void = () => {}): Promise<Setup> {
  const session = new FakeSession();
  session.dashboards = async () => dashboard([chartWidget(1), chartWidget(2)], [snapshot(1), snapshot(2)]);
  session.answers = () => oneNumber;
  prepare(session);
  const element = Object.assign(document.createElement('pa-report'), fields);
  const provider = provide(session);
  provider.append(element);
  document.body.append(provider);
  await element.updateComplete;
  return { session, element };
}

const tile = (element: PaReport): PaTile | null => element.renderRoot.querySelector('pa-tile');
const figure = (element: PaReport): string =>
  tile(element)?.renderRoot.querySelector('pa-tile-kpi')?.shadowRoot?.querySelector('.figure')?.textContent ?? '';
const textOf = (element: ParentNode | null | undefined, selector: string): string =>
  element?.querySelector(selector)?.textContent?.trim() ?? '';

describe('<pa-report>', () => {
  afterEach(() => document.body.replaceChildren());

  it('renders a dashboard report by number', async () => {
    const { element, session } = await setUp({ dashboard: 'Dashboard001', report: '2' });
    await element.loadAll();
    expect(figure(element)).to.equal('1,234,567');
    expect(textOf(tile(element)?.renderRoot, 'h3')).to.equal('Report 2');
    expect(session.calls.map(call => call.query.measures)).to.deep.equal([['flights.m2']]);
  });

  it('renders a dashboard report by public ID', async () => {
    const { element, session } = await setUp({ dashboard: 'Dashboard001', report: 'report000001' });
    await element.loadAll();
    expect(session.calls[0]?.query.measures).to.deep.equal(['flights.m1']);
  });

  it('renders a given snapshot without a dashboard', async () => {
    let dashboardRequests = 0;
    const { element } = await setUp({ snapshot: snapshot(7) }, session => {
      session.dashboards = () => {
        dashboardRequests += 1;
        return new Promise(() => {});
      };
    });
    await element.loadAll();
    expect(textOf(tile(element)?.renderRoot, 'h3')).to.equal('Report 7');
    expect(dashboardRequests).to.equal(0);
  });

  it('reports that the dashboard does not contain the report', async () => {
    const { element } = await setUp({ dashboard: 'Dashboard001', report: '99' });
    await element.loadAll();
    expect(textOf(tile(element)?.renderRoot, '.title')).to.equal('Report not found');
  });

  it('fires one pa-error if the dashboard does not contain the report', async () => {
    const codes: string[] = [];
    const listen = (event: HTMLElementEventMap['pa-error']) => codes.push(event.detail.code);
    document.body.addEventListener('pa-error', listen);
    const { element } = await setUp({ dashboard: 'Dashboard001', report: '99' });
    await element.loadAll();
    document.body.removeEventListener('pa-error', listen);
    expect(codes).to.deep.equal(['not_found']);
  });

  it('reports a placeholder dashboard ID', async () => {
    const { element } = await setUp({ dashboard: 'PUBLIC_ID', report: '1' }, session => {
      session.dashboards = async () => {
        throw new PaError('bad_request', 'path.publicId: must be 12 letters.', { status: 400 });
      };
    });
    await eventually(() => textOf(element.renderRoot, '.title') !== '');
    expect(textOf(element.renderRoot, '.title')).to.equal('No dashboard with this public id');
    expect(textOf(element.renderRoot, 'details p')).to.equal('No dashboard with this public id.');
  });

  it('switches to another report', async () => {
    const { element, session } = await setUp({ dashboard: 'Dashboard001', report: '1' });
    await element.loadAll();
    element.report = '2';
    await eventually(() => session.calls.length === 2);
    expect(textOf(tile(element)?.renderRoot, 'h3')).to.equal('Report 2');
  });

  it('shows a failure and fires an event', async () => {
    const { element, session } = await setUp({ dashboard: 'Dashboard001', report: '1' }, fake => {
      fake.answers = null;
    });
    await eventually(() => session.calls.length === 1);
    const failing = oneEvent(element, 'pa-error');
    session.calls[0]?.fail(new PaError('not_allowed', 'Not allowed.', { status: 403 }));
    const { detail } = (await failing) as HTMLElementEventMap['pa-error'];
    expect(detail).to.deep.include({ widgetId: null, status: 403, code: 'not_allowed' });
    await eventually(() => textOf(tile(element)?.renderRoot, '.title') === 'You don’t have access to this');
    await expect(element).to.be.accessible();
  });

  it('is blank while the session is suspended or ended', async () => {
    const { element, session } = await setUp({ dashboard: 'Dashboard001', report: '1' });
    await element.loadAll();
    session.suspend();
    await element.updateComplete;
    const shown = tile(element);
    expect(shown && getComputedStyle(shown).visibility).to.equal('hidden');
    session.setStatus(SessionStatus.ready);
    await element.updateComplete;
    expect(shown && getComputedStyle(shown).visibility).to.equal('visible');
    session.end();
    await element.updateComplete;
    expect(tile(element)).to.equal(null);
  });

  it('shows no rows of an ended session in a given snapshot', async () => {
    const { element, session } = await setUp({ snapshot: snapshot(1) });
    await element.loadAll();
    session.end();
    await eventually(() => figure(element) === '');
    session.emit({ type: 'identity', identity: 'next' });
    session.setStatus(SessionStatus.ready);
    await eventually(() => figure(element) !== '');
  });

  it('has the height that its host sets, 360 px by default', async () => {
    const { element } = await setUp({ snapshot: snapshot(1) });
    expect(element.getBoundingClientRect().height).to.equal(360);
    element.style.setProperty('height', '200px');
    await eventually(() => tile(element));
    expect(element.getBoundingClientRect().height).to.equal(200);
    expect(tile(element)?.getBoundingClientRect().height).to.equal(200);
  });
});
