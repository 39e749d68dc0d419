import { expect } from '@open-wc/testing';
import type { AiWidget, AiWidgets } from '../../../src/contract/ai-widgets.js';
import type { DashboardWidget } from '../../../src/contract/dashboards.js';
import type { PaTile } from '../../../src/elements/parts/tile/tile-element.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import { pinTargetOf } from '../../../src/elements/parts/pin-target.js';
import { eventually } from '../eventually.js';
import { dashboard, type FakeSession, manyRows, snapshot } from '../fake-session.js';
import { type DashboardPage, dashboardPage, textIn, tilesOf } from './dashboard-page.js';

const position = { x: 0, y: 0, w: 6, h: 6 };
const ai = (id: string, config: Record<string, unknown> = {}): DashboardWidget => ({
  id,
  type: 'AI',
  position,
  config,
});
const filter: DashboardWidget = {
  id: 'carrier',
  type: 'FILTER',
  position: { x: 0, y: 0, w: 3, h: 1 },
  config: { member: 'flights.carrier', operator: 'equals', value: ['AA'] },
};
/** The report that the platform makes of an answer. */
const report = snapshot(0, {
  id: 0,
  name: null,
  kind: 'table',
  title: 'Count · Carrier',
  meta: { jsonQuery: { dimensions: ['flights.carrier'], measures: ['flights.count'] } },
});

/** A request to the platform. */
interface Sent {
  readonly path: string;
  readonly body: unknown;
}

interface AiPage extends DashboardPage {
  readonly sent: Sent[];
}

/** Opens a dashboard whose platform answers with these AI widgets; `null` makes the request fail. */
async function aiPage(widgets: DashboardWidget[], list: () => AiWidgets | null | Promise<AiWidgets>): Promise<AiPage> {
  const sent: Sent[] = [];
  const given = dashboard(widgets, []);
  const answerRequest: typeof fetch = async (input, init) => {
    const { pathname: path } = new URL(String(input));
    sent.push({ path, body: init?.body ? JSON.parse(String(init.body)) : null });
    const body = path.endsWith('/ai-widgets') ? await list() : given;
    return body ? Response.json(body) : Response.json({ message: 'no' }, { status: 500 });
  };
  const prepare = ({ session }: { readonly session: FakeSession }) => {
    session.answers = () => manyRows(3);
    session.authorize = call =>
      call({ baseUrl: 'https://platform.example', token: 'token', fetch: answerRequest, retries: 0 });
  };
  return { ...(await dashboardPage(given, prepare)), sent };
}

const item = (widgetId: string, state: string, more: Partial<AiWidget> = {}): AiWidget => ({
  widgetId,
  state,
  ...more,
});
const ready = (widgetId = 'a') => item(widgetId, 'ready', { snapshot: structuredClone(report) });
const tileOf = (page: DashboardPage, index = 0): PaTile => {
  const tile = tilesOf(page.element)[index];
  if (!tile) throw new Error(`no tile ${index}`);
  return tile;
};
const drawn = (page: DashboardPage, text: string) => eventually(() => textIn(page.element).includes(text), text);

describe('AI widgets of <pa-dashboard>', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  it('draws a pinned answer like a report, with the filters of the controls', async () => {
    const page = await aiPage([filter, ai('a')], () => ({ canPin: false, items: [ready()] }));
    await drawn(page, 'Carrier 1');
    expect(tileOf(page).heading).to.equal('Count · Carrier');
    expect(page.session.calls.map(({ query }) => query.filters)).to.deep.equal([
      [{ member: 'flights.carrier', operator: 'equals', values: ['AA'] }],
    ]);
    expect(pinTargetOf(page.element)).to.equal(null);
  });

  it('uses the title of the widget, and states why it shows no answer', async () => {
    const states = ['empty', 'deleted', 'noQuery', 'unavailable', 'newer'];
    const items = states.map(state => item(state, state));
    const page = await aiPage(
      states.map(state => ai(state, { title: `Title ${state}` })),
      () => ({ canPin: false, items }),
    );
    await drawn(page, 'has not pinned an answer yet');
    expect(tilesOf(page.element).map(({ heading }) => heading)).to.deep.equal(states.map(state => `Title ${state}`));
    await page.element.loadAll();
    const all = textIn(page.element);
    for (const text of ['The answer was deleted', 'No data to show', 'not available to you'])
      expect(all).to.include(text);
    expect(page.session.calls).to.deep.equal([]);
  });

  it('shows an author how to pin an answer, pins it and undoes that', async () => {
    let shown = [item('a', 'empty')];
    const page = await aiPage([ai('a', { title: 'Trend' })], () => ({ canPin: true, items: shown }));
    await drawn(page, 'Pin to dashboard');
    const target = pinTargetOf(page.element);
    expect(target?.widgets).to.deep.equal([{ id: 'a', title: 'Trend', isTaken: false }]);
    shown = [ready()];
    await target?.pin('a', { threadId: 'thread', checksum: 'sum' });
    await drawn(page, 'Carrier 1');
    expect(pinTargetOf(page.element)?.widgets[0]?.isTaken).to.equal(true);
    shown = [item('a', 'empty')];
    await target?.undo('a', 'sum');
    await drawn(page, 'Pin to dashboard');
    const path = '/api/v1/deployments/1/workbooks/1/dashboard/ai-widget-thread';
    expect(page.sent.filter(sent => sent.body)).to.deep.equal([
      { path, body: { widgetId: 'a', threadId: 'thread', checksum: 'sum' } },
      { path, body: { widgetId: 'a', threadId: null, checksum: 'sum' } },
    ]);
  });

  it('offers a retry if the answers cannot be loaded', async () => {
    let list: AiWidgets | null = null;
    const page = await aiPage([ai('a')], () => list);
    await drawn(page, 'Something went wrong');
    list = { canPin: false, items: [ready()] };
    tileOf(page).renderRoot.querySelector<HTMLButtonElement>('.notice button')?.click();
    await drawn(page, 'Carrier 1');
  });

  it('keeps an unchanged answer on refresh, and shows a newly pinned one', async () => {
    let shown = ready();
    const page = await aiPage([ai('a')], () => ({ canPin: false, items: [shown] }));
    await drawn(page, 'Carrier 1');
    const { content } = tileOf(page);
    await page.element.refresh();
    expect(tileOf(page).content).to.equal(content);
    shown = item('a', 'deleted');
    await page.element.refresh();
    await drawn(page, 'The answer was deleted');
  });

  it('loads pinned answers on loadAll', async () => {
    let answer = () => {};
    const held = new Promise<void>(resolve => {
      answer = resolve;
    });
    const page = await aiPage([ai('a')], async () => {
      await held;
      return { canPin: false, items: [ready()] };
    });
    const loaded = page.element.loadAll();
    await eventually(() => page.sent.some(({ path }) => path.endsWith('/ai-widgets')));
    answer();
    await loaded;
    expect(textIn(page.element)).to.include('Carrier 1');
  });

  it('requests nothing for a dashboard without AI widgets', async () => {
    const page = await aiPage([filter], () => null);
    await page.element.loadAll();
    await eventually(() => page.element.renderRoot.querySelector('section'));
    expect(page.sent).to.deep.equal([]);
  });
});
