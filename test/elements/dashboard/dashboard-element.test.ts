import { aTimeout, expect, nextFrame, oneEvent } from '@open-wc/testing';
import { PaAbortError, PaConnectionError, PaError } from '../../../src/client/errors.js';
import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../../src/contract/dashboards.js';
import { SessionStatus } from '../../../src/controllers/session/session-context.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import type { PaTile } from '../../../src/elements/parts/tile/tile-element.js';
import { eventually } from '../eventually.js';
import {
  chartWidget,
  dashboard,
  FakeSession,
  manyRows,
  oneNumber,
  provide,
  rowSet,
  snapshot,
} from '../fake-session.js';

interface Setup {
  readonly session: FakeSession;
  readonly element: PaDashboard;
  readonly parent: HTMLElement;
}

async function setUp(given: Dashboard | null, prepare: (session: FakeSession) => void = () => {}): Promise<Setup> {
  const session = new FakeSession();
  if (given) session.dashboards = async () => given;
  prepare(session);
  const parent = document.createElement('div');
  parent.style.setProperty('width', '1300px');
  const provider = provide(session);
  provider.append(parent);
  document.body.append(provider);
  const element = document.createElement('pa-dashboard');
  element.publicId = 'Dashboard001';
  parent.append(element);
  await element.updateComplete;
  return { session, element, parent };
}

const simpleDashboard = (
  number: number,
  fields: Partial<ReportSnapshot> = {},
  widgets: DashboardWidget[] = [],
): Dashboard => {
  const indexes = Array.from({ length: number }, (_, index) => index);
  return dashboard(
    [...indexes.map(index => chartWidget(index)), ...widgets],
    indexes.map(index => snapshot(index, fields)),
  );
};

const tilesOf = (element: PaDashboard): PaTile[] => [...element.renderRoot.querySelectorAll('pa-tile')];
const within = (host: LitHost | undefined, selector: string): HTMLElement | null =>
  host?.renderRoot.querySelector<HTMLElement>(selector) ?? null;
type LitHost = { readonly renderRoot: ParentNode };
const textOf = (element: Element | null): string => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const figureOf = (tile: PaTile | undefined): string =>
  textOf(tile?.renderRoot.querySelector('pa-tile-kpi')?.shadowRoot?.querySelector('.figure') ?? null);
const waitForFigure = (element: PaDashboard, index = 0) =>
  eventually(() => figureOf(tilesOf(element)[index]) !== '', `tile ${index} shows its figure`);

afterEach(() => {
  document.body.replaceChildren();
});

describe('<pa-dashboard> layout', () => {
  it('shows its title and all tile headings before any rows', async () => {
    const { element } = await setUp(simpleDashboard(2));
    await eventually(() => tilesOf(element).length === 2);
    expect(textOf(within(element, 'h2'))).to.equal('Departures');
    expect(tilesOf(element).map(tile => textOf(within(tile, 'h3')))).to.deep.equal(['Report 0', 'Report 1']);
  });

  it('takes its heading level from the host', async () => {
    const { element } = await setUp(simpleDashboard(1));
    element.headingLevel = 4;
    await eventually(() => within(tilesOf(element)[0], 'h5'));
    expect(within(element, 'h4')).to.exist;
  });

  it('formats a figure in the session locale', async () => {
    const { element } = await setUp(simpleDashboard(1), session => {
      session.answers = () => oneNumber;
      session.settings = { locale: 'de-DE' };
    });
    await waitForFigure(element);
    expect(figureOf(tilesOf(element)[0])).to.equal('1.234.567');
  });

  it('places its tiles on the grid by its own width', async () => {
    const { element, parent } = await setUp(simpleDashboard(4));
    await eventually(() => tilesOf(element).length === 4);
    const tops = () => new Set(tilesOf(element).map(tile => Math.round(tile.getBoundingClientRect().top))).size;
    parent.style.setProperty('width', '1300px');
    await eventually(() => tops() === 1, 'one row when wide');
    parent.style.setProperty('width', '300px');
    await eventually(() => tops() === 4, 'one column when narrow');
  });

  it('gives the figures of equal tiles in a row one font size, that of the longest figure', async () => {
    const given = dashboard(
      [0, 1, 2].map(index => ({
        ...chartWidget(index),
        position: { x: index === 2 ? 0 : index * 2, y: index === 2 ? 4 : 0, w: 2, h: 4 },
      })),
      [0, 1, 2].map(index => snapshot(index)),
    );
    const { element, session, parent } = await setUp(given);
    parent.style.setProperty('width', '700px');
    await eventually(() => session.calls.length === 3);
    ['123456789012345', '7', '7'].forEach((count, index) => {
      session.calls[index]?.answer(rowSet(oneNumber.columns, [{ 'flights.count': count }]));
    });
    const size = (index: number): number => {
      const figure = within(tilesOf(element)[index]?.renderRoot.querySelector('pa-tile-kpi') ?? undefined, '.figure');
      return figure ? Number.parseFloat(getComputedStyle(figure).fontSize) : 0;
    };
    for (const index of [0, 1, 2]) await waitForFigure(element, index);
    await eventually(() => size(0) > 8 && size(0) < 36 && size(1) === size(0));
    expect(size(2)).to.be.greaterThan(size(0));
  });

  it('aligns the figures of equal tiles in a row below the tallest heading', async () => {
    const given = dashboard(
      [0, 1, 2].map(index => ({
        ...chartWidget(index, { title: index === 0 ? 'Average delay by hour of departure (minutes)' : 'Flights' }),
        position: { x: index === 2 ? 0 : index * 2, y: index === 2 ? 6 : 0, w: 2, h: 6 },
      })),
      [0, 1, 2].map(index => snapshot(index)),
    );
    const { element, parent } = await setUp(given, session => {
      session.answers = () => oneNumber;
    });
    const top = (index: number): number => {
      const tile = tilesOf(element)[index];
      const figure = within(tile?.renderRoot.querySelector('pa-tile-kpi') ?? undefined, '.figure');
      return (figure?.getBoundingClientRect().top ?? 0) - (tile?.getBoundingClientRect().top ?? 0);
    };
    for (const index of [0, 1, 2]) await waitForFigure(element, index);
    parent.style.setProperty('width', '700px');
    await eventually(() => top(0) === top(1) && top(1) > top(2), 'the figures of the row align, below two lines');
    parent.style.setProperty('width', '3000px');
    await eventually(() => top(0) === top(1) && top(1) === top(2), 'one line suffices in a wide row');
  });
});

describe('<pa-dashboard> loading', () => {
  it('queries visible tiles first and nearby tiles after the first scroll', async () => {
    const { element, session, parent } = await setUp(simpleDashboard(120));
    await eventually(() => session.calls.length > 0);
    const onScreen = tilesOf(element).filter(tile => {
      const { top, left } = tile.getBoundingClientRect();
      return top < innerHeight && left < innerWidth;
    });
    expect(session.calls.length).to.equal(onScreen.length);
    expect(onScreen.length).to.be.lessThan(100);
    for (const call of [...session.calls]) call.answer(oneNumber);
    await eventually(() => onScreen.every(tile => figureOf(tile) !== ''));
    expect(session.calls.length).to.equal(onScreen.length);
    parent.dispatchEvent(new Event('scroll'));
    await eventually(() => session.calls.length > onScreen.length, 'the tiles near the viewport load');
    expect(session.calls.length).to.be.lessThan(120);
  });

  for (const { name, fold, unfold } of [
    { name: 'a box without height', fold: 'height: 0; overflow: hidden', unfold: 'height: auto' },
    { name: 'hidden content', fold: 'content-visibility: hidden', unfold: 'content-visibility: visible' },
  ]) {
    it(`queries nothing in ${name} until it expands`, async () => {
      let answer: (given: Dashboard) => void = () => {};
      const given = new Promise<Dashboard>(resolve => {
        answer = resolve;
      });
      const { element, session, parent } = await setUp(null, fake => {
        fake.dashboards = () => given;
      });
      parent.style.cssText += fold;
      answer(simpleDashboard(2));
      await eventually(() => tilesOf(element).length === 2);
      await element.updateComplete;
      await nextFrame();
      await nextFrame();
      expect(session.calls.length).to.equal(0);
      parent.style.cssText += unfold;
      await eventually(() => session.calls.length === 2, 'both reports are queried');
    });
  }

  it('loads nearby tiles on scroll inside a shadow root', async () => {
    const { element, session } = await setUp(simpleDashboard(120));
    await eventually(() => session.calls.length > 0);
    const before = session.calls.length;
    for (const call of [...session.calls]) call.answer(oneNumber);
    await waitForFigure(element);
    // Scroll events inside a shadow root do not reach the page.
    const box = document.body.appendChild(document.createElement('div'));
    const inner = box.attachShadow({ mode: 'open' }).appendChild(document.createElement('div'));
    inner.dispatchEvent(new Event('scroll'));
    inner.dispatchEvent(new WheelEvent('wheel', { bubbles: true, composed: true }));
    await eventually(() => session.calls.length > before, 'the tiles near the viewport load');
  });

  it('loads a distant tile on focus', async () => {
    const { element, session } = await setUp(simpleDashboard(120));
    await eventually(() => session.calls.length > 0);
    const last = tilesOf(element).at(-1);
    expect(last?.isRequested).to.equal(false);
    // Its heading is rendered when the page is idle, for assistive technology and find-in-page.
    await eventually(() => Boolean(within(last, '#heading')?.textContent?.trim()));
    within(last, 'article')?.focus({ preventScroll: true });
    await eventually(() => session.calls.some(call => call.query.measures?.includes('flights.m119')));
  });

  it('loads everything on loadAll and resolves when every tile settles', async () => {
    const { element, session } = await setUp(simpleDashboard(60), fake => {
      fake.answers = query => {
        if (query.measures?.includes('flights.m7')) throw new PaConnectionError('no answer');
        return oneNumber;
      };
    });
    await element.loadAll();
    expect(session.calls.length).to.equal(60);
    expect(tilesOf(element).filter(tile => figureOf(tile) === '1,234,567').length).to.equal(59);
    expect(textOf(within(tilesOf(element)[7], '.title'))).to.equal('Can’t reach the data');
  });

  it('keeps old rows, readable and marked as loading, until the new rows arrive', async () => {
    const { element, session } = await setUp(simpleDashboard(1));
    await eventually(() => session.calls.length === 1);
    session.calls[0]?.answer(oneNumber);
    await waitForFigure(element);
    const refreshed = element.refresh();
    await eventually(() => within(tilesOf(element)[0], '.stale'));
    const body = within(tilesOf(element)[0], '.stale');
    expect(body && getComputedStyle(body).opacity).to.equal('1');
    expect(body && getComputedStyle(body, '::before').blockSize).to.equal('2px');
    expect(figureOf(tilesOf(element)[0])).to.equal('1,234,567');
    session.calls[1]?.answer(rowSet(oneNumber.columns, [{ 'flights.count': '5' }]));
    await refreshed;
    await eventually(() => figureOf(tilesOf(element)[0]) === '5');
    expect(within(tilesOf(element)[0], '.stale')).to.equal(null);
  });
});

describe('<pa-dashboard> messages', () => {
  it('isolates a failed tile, names it in an event, and retries', async () => {
    const { element, session } = await setUp(simpleDashboard(2));
    await eventually(() => session.calls.length === 2);
    const failing = oneEvent(element, 'pa-error');
    session.calls[0]?.fail(new PaError('server_failed', 'The query failed.', { status: 500, requestId: 'r-1' }));
    session.calls[1]?.answer(oneNumber);
    const { detail } = (await failing) as HTMLElementEventMap['pa-error'];
    expect(detail).to.deep.include({ widgetId: 'w0', status: 500, requestId: 'r-1' });
    await waitForFigure(element, 1);
    await eventually(() => textOf(within(element, '[role=status]')) === '1 tile could not be loaded.');
    const first = tilesOf(element)[0];
    expect(textOf(within(first, 'details'))).to.contain('r-1');
    within(first, '.notice button')?.click();
    await eventually(() => session.calls.length === 3);
    session.calls[2]?.answer(oneNumber);
    await waitForFigure(element, 0);
    await eventually(() => textOf(within(element, '[role=status]')) === '');
    expect(first?.shadowRoot?.activeElement?.localName).to.equal('article');
  });

  it('shows one message if all tiles fail, and retries all of them', async () => {
    const { element, session } = await setUp(simpleDashboard(2));
    await eventually(() => session.calls.length === 2);
    const banner = () => within(element, '.banner');
    session.calls[0]?.fail(new PaConnectionError('no answer'));
    await eventually(() => within(tilesOf(element)[0], '.notice'));
    expect(banner()).to.equal(null);
    session.calls[1]?.fail(new PaConnectionError('no answer'));
    await eventually(() => banner());
    expect(textOf(banner())).to.contain('No tile could be loaded').and.to.contain('Check your connection');
    expect(banner()?.querySelector('details')?.open).to.equal(false);
    await eventually(() => tilesOf(element).every(tile => textOf(within(tile, '.message')) === 'Not loaded'));
    await expect(element).to.be.accessible();
    banner()?.querySelector('button')?.click();
    await eventually(() => session.calls.length === 4);
    expect(banner()).to.equal(null);
    expect(element.shadowRoot?.activeElement?.id, 'the focus').to.equal('title');
    for (const call of session.calls.slice(2)) call.fail(new PaConnectionError('no answer'));
    await eventually(() => banner(), 'the banner is shown again');
    banner()?.querySelector('button')?.click();
    await eventually(() => session.calls.length === 6);
    for (const call of session.calls.slice(4)) call.answer(oneNumber);
    await waitForFigure(element, 0);
    expect(banner()).to.equal(null);
  });

  it('shows why a dashboard is empty', async () => {
    const query = {
      measures: ['flights.count'],
      filters: [{ member: 'flights.carrier', operator: 'equals', values: ['AA'] }],
    };
    const filtered = snapshot(1, { meta: { jsonQuery: query as never } });
    const given = dashboard([chartWidget(0), chartWidget(1)], [snapshot(0), filtered]);
    const { element } = await setUp(given, session => {
      session.answers = () => rowSet([], []);
    });
    await eventually(() => tilesOf(element).every(tile => within(tile, '.hint')) && tilesOf(element).length === 2);
    expect(tilesOf(element).map(tile => textOf(within(tile, '.hint')))).to.deep.equal([
      'This report has no rows yet.',
      'No rows match the filters of this report.',
    ]);
  });

  it('marks a response that the row limit truncated', async () => {
    const { element } = await setUp(simpleDashboard(1, { kind: 'table' }), session => {
      session.answers = () => manyRows(50, true);
    });
    await eventually(() => within(tilesOf(element)[0], 'pa-hint:defined'));
    const hint = tilesOf(element)[0]?.renderRoot.querySelector('pa-hint');
    await eventually(() => textOf(within(hint ?? undefined, 'button')) === 'First 50 rows; there may be more');
    within(hint ?? undefined, 'button')?.focus();
    const popover = within(hint ?? undefined, '[popover]');
    expect(popover?.matches(':popover-open')).to.equal(true);
    expect(textOf(popover)).to.contain('limited to 50 rows');
  });

  it('shows unsupported content as a note', async () => {
    const nothing = snapshot(1, { kind: 'table', meta: {} });
    const given = dashboard(
      [
        chartWidget(0),
        chartWidget(1),
        chartWidget(2),
        { ...chartWidget(3), type: 'FILTER' },
        { ...chartWidget(4), type: 'NEWER' },
      ],
      [snapshot(0, { kind: 'globe' }), nothing],
    );
    const { element, session } = await setUp(given);
    await eventually(() => tilesOf(element).length === 3 && tilesOf(element).every(tile => within(tile, '.hint')));
    expect(tilesOf(element).map(tile => textOf(within(tile, '.hint')))).to.deep.equal([
      'Reports of this kind can’t be shown here yet.',
      'This report has no query. Its author needs to fix it.',
      'The report of this tile is not part of the published dashboard.',
    ]);
    // A control without a target has no placeholder.
    await eventually(() => within(element, '.note'));
    expect(textOf(within(element, '.note'))).to.equal('1 item can’t be shown here yet.');
    await eventually(() => within(element, 'pa-widget-error')?.shadowRoot?.querySelector('.hint'));
    const hint = within(element, 'pa-widget-error')?.shadowRoot?.querySelector('.hint') ?? null;
    expect(textOf(hint)).to.equal('Widgets of type NEWER can’t be shown here yet.');
    expect(session.calls.length).to.equal(0);
  });

  it('shows a dashboard load error and retries', async () => {
    let isRejecting = true;
    const { element } = await setUp(null, session => {
      session.dashboards = async () => {
        if (isRejecting) throw new PaError('not_found', 'No such dashboard.', { status: 404 });
        return simpleDashboard(1);
      };
    });
    await eventually(() => textOf(within(element, '.notice .title')) === 'No dashboard with this public id');
    isRejecting = false;
    within(element, '.notice button')?.click();
    await eventually(() => tilesOf(element).length === 1);
  });
});

describe('<pa-dashboard> session', () => {
  it('does not change on session renewal', async () => {
    const { element, session } = await setUp(simpleDashboard(1), fake => {
      fake.answers = () => oneNumber;
    });
    await waitForFigure(element);
    const tile = tilesOf(element)[0];
    session.emit({ type: 'expiring' });
    await nextFrame();
    expect(tilesOf(element)[0]).to.equal(tile);
    expect(session.calls.length).to.equal(1);
  });

  it('is blank while the session is suspended and restores its content immediately', async () => {
    const { element, session } = await setUp(simpleDashboard(1), fake => {
      fake.answers = () => oneNumber;
    });
    await waitForFigure(element);
    const tile = tilesOf(element)[0];
    session.suspend();
    await element.updateComplete;
    expect(tile && getComputedStyle(tile).visibility).to.equal('hidden');
    session.setStatus(SessionStatus.ready);
    await element.updateComplete;
    expect(tile && getComputedStyle(tile).visibility).to.equal('visible');
    expect(tilesOf(element)[0]).to.equal(tile);
    expect(session.calls.length).to.equal(1);
  });

  it('clears everything when the session ends, and starts over', async () => {
    const { element, session } = await setUp(simpleDashboard(1), fake => {
      fake.answers = () => oneNumber;
    });
    await waitForFigure(element);
    session.end();
    await element.updateComplete;
    expect(tilesOf(element)).to.deep.equal([]);
    expect(textOf(element.renderRoot.querySelector('.reserved'))).to.equal('');
    session.emit({ type: 'identity', identity: 'someone else' });
    session.setStatus(SessionStatus.ready);
    await waitForFigure(element);
    expect(session.calls.length).to.equal(2);
  });

  it('starts over for another identity', async () => {
    const { element, session } = await setUp(simpleDashboard(1), fake => {
      fake.answers = () => oneNumber;
    });
    await waitForFigure(element);
    const tile = tilesOf(element)[0];
    session.emit({ type: 'identity', identity: 'someone else' });
    await element.updateComplete;
    expect(tile?.isConnected).to.equal(false);
    await waitForFigure(element);
  });

  it('shows an expired session, keeps its content, and requests a new session', async () => {
    const { element, session } = await setUp(simpleDashboard(1), fake => {
      fake.answers = () => oneNumber;
    });
    await waitForFigure(element);
    session.setStatus(SessionStatus.expired);
    await eventually(() => textOf(within(element, '.banner .title')) === 'Your session has ended');
    expect(figureOf(tilesOf(element)[0])).to.equal('1,234,567');
    within(element, '.banner button')?.click();
    expect(session.starts).to.equal(1);
    session.setStatus(SessionStatus.ready);
    await eventually(() => within(element, '.banner') === null);
  });

  it('shows once that no session is available, and reserves no height', async () => {
    const { element, session } = await setUp(null);
    let errors = 0;
    element.addEventListener('pa-error', () => {
      errors += 1;
    });
    expect(element.offsetHeight).to.be.at.least(window.innerHeight);
    session.error = new PaConnectionError('no answer');
    session.setStatus(SessionStatus.failed);
    await eventually(() => textOf(within(element, '.notice .title')) === 'The session could not be started');
    expect(element.offsetHeight).to.be.below(window.innerHeight / 2);
    expect(errors).to.equal(0);
  });

  it('repeats queries that the session aborted when it returns', async () => {
    const { element, session } = await setUp(simpleDashboard(1));
    await eventually(() => session.calls.length === 1);
    session.suspend();
    session.calls[0]?.fail(new PaAbortError());
    await aTimeout(0);
    session.setStatus(SessionStatus.ready);
    await eventually(() => session.calls.length === 2);
    session.calls[1]?.answer(oneNumber);
    await waitForFigure(element);
  });
});

describe('<pa-dashboard> moves and removal', () => {
  it('moves in the document without new queries', async () => {
    const { element, session, parent } = await setUp(simpleDashboard(1), fake => {
      fake.answers = () => oneNumber;
    });
    await waitForFigure(element);
    const other = document.createElement('div');
    parent.after(other);
    other.append(element);
    await element.updateComplete;
    await nextFrame();
    await waitForFigure(element);
    expect(session.calls.length).to.equal(1);
  });

  it('cancels its queries and releases the session on removal', async () => {
    const { element, session } = await setUp(simpleDashboard(3));
    await eventually(() => session.calls.length === 3);
    element.remove();
    await eventually(() => session.listeners === 0, 'all listeners are removed');
    expect(session.calls.every(call => call.signal?.aborted)).to.equal(true);
  });
});

describe('<pa-dashboard> language and accessibility', () => {
  it('uses the page language', async () => {
    document.documentElement.lang = 'de';
    const { element } = await setUp(simpleDashboard(1), session => {
      session.answers = () => rowSet([], []);
    });
    await eventually(() => textOf(within(tilesOf(element)[0], '.title')) === 'Keine Daten');
    document.documentElement.lang = 'en';
  });

  it('is accessible in every state', async () => {
    const text = {
      id: 't',
      type: 'TEXT',
      position: { x: 0, y: 20, w: 6, h: 4 },
      config: { markdown: '# Notes\n\nSee [this](https://example.com).' },
    };
    const rule = { id: 'd', type: 'DIVIDER', position: { x: 0, y: 30, w: 12, h: 1 } };
    const spacer = { id: 's', type: 'SPACER', position: { x: 0, y: 31, w: 12, h: 1 } };
    const given = dashboard(
      [chartWidget(0), chartWidget(1), chartWidget(2), chartWidget(3), text, rule, spacer],
      [snapshot(0), snapshot(1, { kind: 'table' }), snapshot(2), snapshot(3, { kind: 'globe' })],
    );
    const { element, session } = await setUp(given);
    await eventually(() => session.calls.length === 3);
    await expect(element).to.be.accessible();
    session.calls[0]?.answer(oneNumber);
    session.calls[1]?.answer(manyRows(300, true));
    session.calls[2]?.fail(new PaConnectionError('no answer'));
    await element.loadAll();
    await expect(element).to.be.accessible();
    session.setStatus(SessionStatus.expired);
    await element.updateComplete;
    await expect(element).to.be.accessible();
  });
});
