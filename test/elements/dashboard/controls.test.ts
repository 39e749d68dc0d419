import { expect } from '@open-wc/testing';
import { PaError } from '../../../src/client/errors.js';
import type { DashboardWidget, ReportSnapshot } from '../../../src/contract/dashboards.js';
import type { Query } from '../../../src/contract/query.js';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import type { PaControl } from '../../../src/elements/parts/controls/control-element.js';
import type { PaTile } from '../../../src/elements/parts/tile/tile-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, count, dashboard, FakeSession, provide, rowSet, snapshot } from '../fake-session.js';

const position = { x: 0, y: 0, w: 3, h: 1 };
const stateFilter: DashboardWidget = {
  id: 'state',
  type: 'FILTER',
  position,
  config: { member: 'flights.state', single: true },
};
const grain: DashboardWidget = {
  id: 'grain',
  type: 'TIME_GRAIN',
  position: { ...position, x: 3 },
  config: { member: 'flights.date', title: 'Step', granularities: ['week', 'month'] },
};

const statement = 'SELECT carrier, rank FROM (SELECT …)';
const monthly: Query = {
  timeDimensions: [{ dimension: 'flights.date', granularity: 'month' }],
  measures: ['flights.count'],
};
const plain = snapshot(0, { name: 'Plain', meta: { jsonQuery: { measures: ['flights.count'] } } });
const converted = snapshot(1, {
  name: 'Converted',
  kind: 'table',
  sqlQuery: "SELECT DATE_TRUNC('month', date) AS month, MEASURE(count) AS n FROM flights GROUP BY 1",
  preferences: { columnFormats: { n: { type: 'number', decimalPlaces: 1 } } },
  meta: { jsonQuery: monthly, columns: { n: 'flights.count', month: 'flights.date.month' } },
});
const alone = snapshot(2, { name: 'Plain SQL', kind: 'table', sqlQuery: statement, meta: { publicId: 'x' } });

const text = (member: string): Column => ({
  member,
  kind: 'dimension',
  annotation: { title: member, shortTitle: member, type: 'string' },
});
const date = (granularity: string): Column => ({
  member: `flights.date.${granularity}`,
  kind: 'timeDimension',
  annotation: { title: 'Date', shortTitle: 'Date', type: 'time', granularity: { name: granularity, title: '' } },
});
const states = rowSet([text('flights.state')], [{ 'flights.state': 'CA' }, { 'flights.state': null }]);
const sqlRows = rowSet([text('carrier'), text('rank')], [{ carrier: 'AA', rank: '1' }]);

/** Answers like the Data API: CA has five flights, all states have nine. */
function answer({ dimensions, timeDimensions, filters }: Query): RowSet {
  if (dimensions?.includes('flights.state')) return states;
  const flights = filters?.length ? '5' : '9';
  const granularity = timeDimensions?.[0]?.granularity;
  if (!granularity) return rowSet([count], [{ 'flights.count': flights }]);
  const day = '2001-01-01T00:00:00.000';
  return rowSet([date(granularity), count], [{ [`flights.date.${granularity}`]: day, 'flights.count': flights }]);
}

interface Setup {
  readonly session: FakeSession;
  readonly element: PaDashboard;
  readonly parent: HTMLElement;
}

async function setUp(
  reports: readonly ReportSnapshot[],
  controls: readonly DashboardWidget[] = [stateFilter, grain],
  prepare: (session: FakeSession) => void = () => {},
): Promise<Setup> {
  const session = new FakeSession();
  const widgets = reports.map(({ reportId }, index) => ({ ...chartWidget(index), config: { reportId } }));
  session.dashboards = async () => dashboard([...controls, ...widgets], reports);
  session.answers = answer;
  prepare(session);
  const parent = document.createElement('div');
  parent.style.setProperty('width', '1300px');
  const provider = provide(session);
  provider.append(parent);
  document.body.append(provider);
  const element = document.createElement('pa-dashboard');
  element.publicId = 'Dashboard001';
  parent.append(element);
  await eventually(() => tilesOf(element).length === reports.length);
  return { session, element, parent };
}

const tilesOf = (element: PaDashboard): PaTile[] => [...element.renderRoot.querySelectorAll('pa-tile')];
const tileOf = (element: PaDashboard, index = 0): PaTile => {
  const tile = tilesOf(element)[index];
  if (!tile) throw new Error(`no tile ${index}`);
  return tile;
};
const textOf = (element: Element | null | undefined): string => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const contentText = (tile: PaTile): string =>
  textOf(tile.renderRoot.querySelector('pa-tile-kpi')?.shadowRoot?.querySelector('.figure')) ||
  textOf(tile.renderRoot.querySelector('pa-tile-table')?.shadowRoot?.querySelector('[role=table], [role=grid], table'));
const mark = (tile: PaTile) => tile.renderRoot.querySelector('pa-hint');
const marks = (tile: PaTile): string[] =>
  [...tile.renderRoot.querySelectorAll('pa-hint')].map(hint => textOf(hint.shadowRoot?.querySelector('button')));
const barOf = (element: PaDashboard) => element.renderRoot.querySelector('pa-controls');
const controlsOf = (element: PaDashboard): PaControl[] => [
  ...(barOf(element)?.shadowRoot?.querySelectorAll('pa-control') ?? []),
];
const selectOf = (element: PaDashboard, index: number): HTMLSelectElement => {
  const select = controlsOf(element)[index]?.shadowRoot?.querySelector('select');
  if (!select) throw new Error(`no control ${index}`);
  return select;
};
const optionsOf = (element: PaDashboard, index: number): string[] =>
  [...selectOf(element, index).options].map(option => textOf(option));
const waitForControls = (element: PaDashboard) =>
  eventually(
    () => controlsOf(element).length > 0 && controlsOf(element).every(control => control.shadowRoot?.firstElementChild),
  );

function selectOption(element: PaDashboard, index: number, value: string): void {
  const select = selectOf(element, index);
  select.value = value;
  select.dispatchEvent(new Event('change'));
}

describe('dashboard controls', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  it('appear above the grid with names and options, and are not hidden widgets', async () => {
    const { element } = await setUp([plain]);
    await waitForControls(element);
    await eventually(() => optionsOf(element, 0).includes('CA'));
    expect(optionsOf(element, 0)).to.deep.equal(['All', 'CA']);
    expect(optionsOf(element, 1)).to.deep.equal(['As in the report', 'Week', 'Month']);
    const chips = controlsOf(element).map(control => textOf(control.shadowRoot?.querySelector('.text')));
    expect(chips).to.deep.equal(['State: All', 'Step: As in the report']);
    expect([0, 1].map(index => selectOf(element, index).ariaLabel)).to.deep.equal(['State', 'Step']);
    expect(element.renderRoot.querySelector('.note')).to.equal(null);
    expect(tilesOf(element).length).to.equal(1);
    await expect(element).to.be.accessible();
  });

  it('have their space before they load', async () => {
    const { element } = await setUp([plain]);
    const early = barOf(element)?.getBoundingClientRect().height;
    await waitForControls(element);
    expect(barOf(element)?.getBoundingClientRect().height).to.equal(early);
    expect(early).to.be.at.least(34);
  });

  it('show a custom arrow each instead of the arrow of the browser', async () => {
    const { element } = await setUp([plain]);
    await waitForControls(element);
    const select = selectOf(element, 0);
    const chip = select.parentElement ?? select;
    expect(getComputedStyle(select).appearance).to.equal('none');
    expect(getComputedStyle(chip, '::after').borderRightWidth).to.not.equal('0px');
    // The list covers the chip up to its end.
    const [list, chipEnd] = [select, chip].map(each => each.getBoundingClientRect().right);
    expect((chipEnd ?? 0) - (list ?? 0)).to.be.at.most(2);
  });

  it('change a report before its rows are loaded, and keep the old rows until then', async () => {
    const { element, session } = await setUp([plain]);
    await eventually(() => contentText(tileOf(element)) === '9');
    await waitForControls(element);
    session.answers = null;
    selectOption(element, 0, 'CA');
    await eventually(() => tileOf(element).renderRoot.querySelector('.stale'));
    await eventually(() => marks(tileOf(element)).join() === 'Filtered');
    expect(contentText(tileOf(element))).to.equal('9');
    const call = session.calls.at(-1);
    expect(call?.query.filters).to.deep.equal([{ member: 'flights.state', operator: 'equals', values: ['CA'] }]);
    call?.answer(answer(call.query));
    await eventually(() => contentText(tileOf(element)) === '5' && marks(tileOf(element)).join() === 'Filtered');
    session.answers = answer;
    selectOption(element, 0, '');
    await eventually(() => contentText(tileOf(element)) === '9');
  });

  it('apply to an SQL report with an equivalent query, with the column names of its SQL', async () => {
    const { element, session } = await setUp([converted]);
    await eventually(() => contentText(tileOf(element)).includes('9.0'));
    expect(contentText(tileOf(element))).to.match(/Count.*Date.*9\.0.*2001 Jan/);
    expect(marks(tileOf(element))).to.deep.equal([]);
    await waitForControls(element);
    selectOption(element, 1, 'week');
    await eventually(() => contentText(tileOf(element)).includes('W01'));
    selectOption(element, 0, 'CA');
    await eventually(() => contentText(tileOf(element)).includes('5.0'));
    expect(contentText(tileOf(element))).to.include('W01');
    expect(session.sqlCalls.length).to.equal(0);
  });

  it('query only affected reports again', async () => {
    const { element, session } = await setUp([plain, converted]);
    await eventually(() => contentText(tileOf(element, 1)).includes('9.0') && contentText(tileOf(element)) === '9');
    await waitForControls(element);
    await eventually(() => optionsOf(element, 0).includes('CA'));
    const before = session.calls.length;
    selectOption(element, 1, 'week');
    await eventually(() => contentText(tileOf(element, 1)).includes('W01'));
    expect(session.calls.length).to.equal(before + 1);
  });

  it('start with the defaults of the dashboard', async () => {
    const preset = {
      ...stateFilter,
      config: { member: 'flights.state', single: true, value: 'CA', values: ['CA', 'NY'] },
    };
    const { element, session } = await setUp([plain], [preset]);
    await eventually(() => contentText(tileOf(element)) === '5');
    await waitForControls(element);
    expect(selectOf(element, 0).value).to.equal('CA');
    expect(session.calls.length).to.equal(1);
  });

  it('show that no rows match the selection', async () => {
    const { element } = await setUp([plain], [stateFilter], session => {
      session.answers = query => (query.filters ? rowSet([count], []) : answer(query));
    });
    await eventually(() => contentText(tileOf(element)) === '9');
    await waitForControls(element);
    await eventually(() => optionsOf(element, 0).includes('CA'));
    selectOption(element, 0, 'CA');
    const hint = () => textOf(tileOf(element).renderRoot.querySelector('.hint'));
    await eventually(() => hint() === 'No rows match the selection for State.');
    tileOf(element).renderRoot.querySelector<HTMLElement>('.message button')?.click();
    await eventually(() => contentText(tileOf(element)) === '9');
    expect(selectOf(element, 0).value).to.equal('');
  });

  it('query unavailable values again when the control opens', async () => {
    const { element, session } = await setUp([plain], [stateFilter], fake => {
      fake.answers = query => {
        if (query.dimensions) throw new PaError('server_failed', 'no', { status: 500 });
        return answer(query);
      };
    });
    await waitForControls(element);
    await eventually(() => optionsOf(element, 0).includes('Something went wrong'));
    session.answers = answer;
    selectOf(element, 0).focus();
    await eventually(() => optionsOf(element, 0).join() === 'All,CA');
  });

  it('reset when the identity changes', async () => {
    const { element, session } = await setUp([plain]);
    await waitForControls(element);
    await eventually(() => optionsOf(element, 0).includes('CA'));
    selectOption(element, 0, 'CA');
    await eventually(() => contentText(tileOf(element)) === '5');
    session.emit({ type: 'identity', identity: 'another' });
    await eventually(() => tilesOf(element).length === 1 && contentText(tileOf(element)) === '9');
    await waitForControls(element);
    expect(selectOf(element, 0).value).to.equal('');
  });
});

describe('SQL report without an equivalent query', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  it('runs its SQL unchanged, regardless of controls, and says so', async () => {
    const { element, session } = await setUp([alone]);
    await eventually(() => session.sqlCalls.length === 1);
    expect(session.sqlCalls[0]?.text).to.equal(statement);
    session.sqlCalls[0]?.answer(sqlRows);
    await eventually(() => contentText(tileOf(element)).includes('AA'));
    await waitForControls(element);
    await eventually(() => optionsOf(element, 0).includes('CA'));
    selectOption(element, 0, 'CA');
    await eventually(() => selectOf(element, 0).value === 'CA');
    await element.updateComplete;
    expect(session.sqlCalls.length).to.equal(1);
    expect(contentText(tileOf(element))).to.include('AA');
  });

  it('names ignored controls to pointer, keyboard and screen reader', async () => {
    const { element, session } = await setUp([alone]);
    await eventually(() => session.sqlCalls.length === 1);
    session.sqlCalls[0]?.answer(sqlRows);
    await eventually(
      () => contentText(tileOf(element)).includes('AA') && mark(tileOf(element))?.shadowRoot?.firstElementChild,
    );
    const hint = mark(tileOf(element));
    const button = hint?.shadowRoot?.querySelector('button');
    expect(textOf(button)).to.equal('Ignores controls');
    button?.focus();
    const said = hint?.shadowRoot?.querySelector('[role=tooltip]');
    expect(said?.matches(':popover-open')).to.equal(true);
    expect(textOf(said)).to.equal('Ignores controls The selection for State and Step does not apply to this report.');
    expect(button?.getAttribute('aria-describedby')).to.equal(said?.id);
    await expect(element).to.be.accessible();
  });

  it('shows the reason found on publishing', async () => {
    const noLoadQuery = 'no member is the same as column 2, rank.';
    const { element, session } = await setUp([{ ...alone, meta: { noLoadQuery } }], [stateFilter]);
    await eventually(() => session.sqlCalls.length === 1);
    await eventually(() =>
      textOf(mark(tileOf(element))?.shadowRoot?.querySelector('[role=tooltip]')).endsWith(
        `does not apply to this report. Its SQL runs unchanged: ${noLoadQuery}`,
      ),
    );
  });

  it('shows the reason in the viewer’s language', async () => {
    const { element } = await setUp([alone], [stateFilter], session => {
      session.settings = { locale: 'de' };
    });
    await eventually(
      () => textOf(mark(tileOf(element))?.shadowRoot?.querySelector('button')) === 'Folgt der Auswahl nicht',
    );
    await waitForControls(element);
    await eventually(() => optionsOf(element, 0).includes('Alle'));
  });

  it('has no mark on a dashboard without controls', async () => {
    const { element, session } = await setUp([alone], []);
    await eventually(() => session.sqlCalls.length === 1);
    session.sqlCalls[0]?.answer(sqlRows);
    await eventually(() => contentText(tileOf(element)).includes('AA'));
    expect(marks(tileOf(element))).to.deep.equal([]);
    expect(barOf(element) === null).to.equal(true);
  });

  it('keeps heading and marks apart in a narrow tile', async () => {
    const { element, parent, session } = await setUp([{ ...alone, title: 'A heading that is longer than its tile' }]);
    await eventually(() => session.sqlCalls.length === 1);
    session.sqlCalls[0]?.answer({ ...sqlRows, truncated: true });
    await eventually(() => tileOf(element).renderRoot.querySelectorAll('pa-hint').length === 2);
    for (const width of [1300, 600, 320, 160]) {
      parent.style.setProperty('width', `${width}px`);
      await eventually(() => {
        const header = tileOf(element).renderRoot.querySelector('header');
        const shown = [...(header?.children ?? [])].filter(child => child.localName !== 'button');
        const boxes = shown.map(child => child.getBoundingClientRect());
        const apart = boxes.every((box, index) => {
          const before = boxes[index - 1];
          return before === undefined || box.left >= before.right || box.top >= before.bottom;
        });
        const inside = boxes.every(box => box.right <= (header?.getBoundingClientRect().right ?? 0) + 0.5);
        return (
          header &&
          boxes.length === 2 &&
          apart &&
          inside &&
          boxes.every((box, index) => box.width >= 20 && box.height <= (index === 0 ? 72 : 24))
        );
      }, `at ${width} px`);
    }
  });

  it('shows icons instead of words in a narrow tile, on the heading line', async () => {
    const { element, parent, session } = await setUp([{ ...alone, title: 'A heading that is longer than its tile' }]);
    parent.style.setProperty('width', '320px');
    await eventually(() => session.sqlCalls.length === 1);
    session.sqlCalls[0]?.answer({ ...sqlRows, truncated: true });
    await eventually(() => {
      const header = tileOf(element).renderRoot.querySelector('header');
      const [title, hint] = [...(header?.children ?? [])].map(child => child.getBoundingClientRect());
      if (!header || !title || !hint || header.clientWidth < 200) return false;
      return hint.top < title.bottom && hint.width < 30 && title.width > header.clientWidth / 2;
    });
  });

  it('shows empty, failed, retried and refreshed states like any report', async () => {
    const { element, session } = await setUp([alone], []);
    await eventually(() => session.sqlCalls.length === 1);
    expect(tileOf(element).renderRoot.querySelector('.body')?.getAttribute('aria-busy')).to.equal('true');
    session.sqlCalls[0]?.fail(new PaError('bad_request', 'division by zero', { status: 400 }));
    await eventually(() => textOf(tileOf(element).renderRoot.querySelector('.title')) === 'This report can’t be run');
    tileOf(element).renderRoot.querySelector<HTMLElement>('.message button')?.click();
    await eventually(() => session.sqlCalls.length === 2);
    session.sqlCalls[1]?.answer(rowSet(sqlRows.columns, []));
    await eventually(
      () => textOf(tileOf(element).renderRoot.querySelector('.hint')) === 'This report has no rows yet.',
    );
    void element.refresh();
    await eventually(() => session.sqlCalls.length === 3);
    session.sqlCalls[2]?.answer(sqlRows);
    await eventually(() => contentText(tileOf(element)).includes('AA'));
    void element.refresh();
    await eventually(() => tileOf(element).renderRoot.querySelector('.stale'));
    expect(contentText(tileOf(element))).to.include('AA');
  });

  it('is canceled when it leaves the page', async () => {
    const { element, session } = await setUp([alone], []);
    await eventually(() => session.sqlCalls.length === 1);
    element.remove();
    await eventually(() => session.sqlCalls[0]?.signal?.aborted);
  });
});
