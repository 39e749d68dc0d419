import { expect } from '@open-wc/testing';
import type { PlatformConnection } from '../../../src/client/http/connection.js';
import type { DashboardView } from '../../../src/contract/dashboard-views.js';
import type { DashboardComment, DashboardCommentThread } from '../../../src/contract/embed-comments.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, FakeSession, oneNumber, provide, snapshot } from '../fake-session.js';
import { container } from './dashboard-page.js';

const at = '2026-01-02T03:04:05Z';
const monthly: DashboardView = {
  id: 1,
  name: 'Monthly',
  state: { filters: { 'flights.carrier': { operator: 'equals', value: 'AA' } }, timeGrains: {}, members: {} },
  isShared: true,
  isOwn: true,
  author: { username: 'ann' },
  createdAt: at,
  updatedAt: at,
};

/** A session that may comment and save views, on a platform that stores both in memory. */
class ViewerSession extends FakeSession {
  views: DashboardView[] = [];
  defaultViewId: number | null = null;
  threads: DashboardCommentThread[] = [];
  unread = 0;
  unreadTiles: { widgetId: string; unread: number }[] = [];
  mentioned: { username: string; firstName: string }[] = [];
  readUpTo = 0;
  /** Requests that change something. */
  readonly log: string[] = [];
  /** Status of responses with lists of views; 0 for success. */
  failsWith = 0;
  /** Responses wait for this promise. */
  gate: Promise<unknown> = Promise.resolve();

  override authorize<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    const fetch: typeof globalThis.fetch = async (input, init) => this.#answer(new Request(input, init));
    return call({ baseUrl: 'https://platform.example', token: 'token', fetch, retries: 0 });
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace('/api/v1/embed/dashboard/Dashboard001', '');
    const body = request.method === 'GET' || !request.body ? {} : await request.json();
    if (request.method !== 'GET') this.log.push(`${request.method} ${path} ${JSON.stringify(body)}`);
    await this.gate;
    const answer = this.#respond(`${request.method} ${path}`, body, searchParams);
    if (typeof answer === 'number') return Response.json({ message: 'No.', error: 'No' }, { status: answer });
    return answer === null ? new Response(null, { status: 204 }) : Response.json(answer);
  }

  #respond(operation: string, body: Record<string, unknown>, query: URLSearchParams): unknown {
    switch (operation) {
      case 'GET /views':
        return this.failsWith || { items: this.views, defaultViewId: this.defaultViewId };
      case 'POST /views':
        this.views = [...this.views, { ...monthly, ...body, id: 9 }];
        return this.views.at(-1);
      case 'DELETE /views/1':
        this.views = [];
        this.defaultViewId = null;
        return null;
      case 'PUT /default-view':
        this.defaultViewId = Number(body.viewId);
        return null;
      case 'GET /comments': {
        const from = Number(query.get('after') ?? 0);
        const end = from + Math.min(50, Number(query.get('first') ?? 50));
        const pageInfo = { hasNextPage: end < this.threads.length, hasPreviousPage: false, endCursor: String(end) };
        const { unread, unreadTiles, mentioned, readUpTo } = this;
        return { items: this.threads.slice(from, end), pageInfo, unread, unreadTiles, mentioned, readUpTo };
      }
      default:
        return null;
    }
  }
}

const comment = (id: number, fields: Partial<DashboardComment> = {}): DashboardComment => ({
  id,
  dashboardId: 'Dashboard001',
  body: `Comment ${id}`,
  createdAt: at,
  isOwn: false,
  author: { username: 'bob', firstName: 'Bob' },
  ...fields,
});
const thread = (id: number, replies: DashboardComment[] = [], fields = {}): DashboardCommentThread => ({
  root: comment(id, fields),
  replies,
});

const board = dashboard(
  [
    { id: 'carrier', type: 'FILTER', position: { x: 0, y: 0, w: 3, h: 1 }, config: { member: 'flights.carrier' } },
    chartWidget(0),
    chartWidget(1),
    chartWidget(2),
    container('box', ['w1', 'w2'], { layout: 'tabs' }),
  ],
  [snapshot(0), snapshot(1), snapshot(2)],
);

interface Shown {
  readonly session: ViewerSession;
  readonly element: PaDashboard;
}

async function show(prepare: (shown: Shown) => void = () => {}): Promise<Shown> {
  const session = new ViewerSession();
  session.dashboards = async () => board;
  session.answers = () => oneNumber;
  session.settings = { allowSavedViews: true };
  session.config = {
    applyThemeGlobally: false,
    restrictDataDownload: false,
    sheetsAgentChatEnabled: false,
    embedding: { enableDashboardComments: true },
  };
  const element = document.createElement('pa-dashboard');
  element.publicId = 'Dashboard001';
  prepare({ session, element });
  const provider = provide(session);
  provider.append(element);
  document.body.append(provider);
  await element.updateComplete;
  return { session, element };
}

const rootOf = (element: Element | null | undefined): ParentNode => element?.shadowRoot ?? document.createElement('p');
const views = ({ element }: Shown): ParentNode => rootOf(element.renderRoot.querySelector('pa-views'));
const comments = ({ element }: Shown): ParentNode => rootOf(element.renderRoot.querySelector('pa-comments'));
const panel = (shown: Shown): ParentNode => rootOf(comments(shown).querySelector('pa-comment-panel'));
const composer = (shown: Shown): ParentNode => rootOf(panel(shown).querySelector('footer pa-comment-composer'));
const threadsIn = (shown: Shown): ParentNode[] => [...panel(shown).querySelectorAll('pa-comment-thread')].map(rootOf);
const textOf = (node: ParentNode | null | undefined): string => node?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const toggle = (root: ParentNode): HTMLButtonElement | null => root.querySelector<HTMLButtonElement>('.toggle');

async function press(root: () => ParentNode, name: string): Promise<void> {
  const find = () =>
    [...root().querySelectorAll('button')].find(each => (each.ariaLabel ?? textOf(each)) === name) ?? null;
  await eventually(find, `there is a button "${name}"`);
  find()?.click();
}

async function openComments(shown: Shown): Promise<void> {
  await eventually(() => toggle(comments(shown)));
  toggle(comments(shown))?.click();
  await eventually(() => composer(shown).querySelector('textarea'));
}

function type(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) throw new Error('There is no field.');
  field.value = text;
  field.dispatchEvent(new InputEvent('input'));
}

afterEach(() => document.body.replaceChildren());

describe('saved views of a dashboard', () => {
  it('query each tile once, with the default view', async () => {
    let open = () => {};
    const shown = await show(({ session }) => {
      session.views = [monthly];
      session.defaultViewId = 1;
      session.gate = new Promise<void>(resolve => {
        open = resolve;
      });
    });
    await eventually(() => shown.element.renderRoot.querySelector('pa-views'));
    await eventually(() => customElements.get('pa-views'));
    expect(shown.session.calls.length).to.equal(0);
    open();
    await shown.element.loadAll();
    const { calls } = shown.session;
    expect(calls.map(({ query }) => query.filters?.length)).to.deep.equal([1, 1, 1]);
    await eventually(() => textOf(toggle(views(shown))) === 'Monthly');
  });

  it('do not hold back the tiles if they cannot be loaded, or the page has filters', async () => {
    const failed = await show(({ session }) => {
      session.failsWith = 500;
    });
    await failed.element.loadAll();
    expect(failed.session.calls.length).to.equal(3);
    const filtered = await show(({ session, element }) => {
      session.views = [monthly];
      session.defaultViewId = 1;
      session.gate = new Promise(() => {});
      element.setState({ filters: { 'flights.carrier': { operator: 'equals', value: 'DL' } } });
    });
    await filtered.element.loadAll();
    expect(filtered.session.calls.length).to.equal(3);
  });

  it('stay if the list cannot be loaded again', async () => {
    const shown = await show(({ session }) => {
      session.views = [monthly];
    });
    await eventually(() => toggle(views(shown)));
    toggle(views(shown))?.click();
    shown.session.failsWith = 500;
    await press(() => views(shown), 'Set Monthly as my default view');
    await eventually(() => views(shown).querySelector('.notice'));
    expect(textOf(views(shown).querySelector('li'))).to.equal('Monthly');
    shown.session.failsWith = 0;
    await press(() => views(shown), 'Retry');
    await press(() => views(shown), 'Remove Monthly as my default view');
  });

  it('can be restored after they were deleted', async () => {
    const shown = await show(({ session }) => {
      session.views = [monthly];
      session.defaultViewId = 1;
    });
    await eventually(() => toggle(views(shown)));
    toggle(views(shown))?.click();
    await press(() => views(shown), 'Delete Monthly');
    await press(() => views(shown), 'Undo');
    await press(() => views(shown), 'Remove Monthly as my default view');
    const { name, state, isShared } = monthly;
    expect(shown.session.log.slice(0, 3)).to.deep.equal([
      'DELETE /views/1 {}',
      `POST /views ${JSON.stringify({ name, state, isShared })}`,
      'PUT /default-view {"viewId":9}',
    ]);
  });
});

describe('comments on a dashboard', () => {
  it('keep unsent text when the panel is closed, but not for the next user', async () => {
    const shown = await show(({ session }) => {
      session.threads = [thread(1)];
    });
    await openComments(shown);
    type(composer(shown).querySelector('textarea'), 'Half a thought');
    const reply = () => rootOf(threadsIn(shown)[0]?.querySelector('pa-comment-composer')).querySelector('textarea');
    await press(() => threadsIn(shown)[0] ?? document.createElement('p'), 'Reply');
    await eventually(reply);
    type(reply(), 'Half a reply');
    await press(() => panel(shown), 'Close comments');
    await eventually(() => !comments(shown).querySelector('pa-comment-panel'));
    await openComments(shown);
    expect(composer(shown).querySelector('textarea')?.value).to.equal('Half a thought');
    await eventually(() => reply()?.value === 'Half a reply');
    shown.session.emit({ type: 'identity', identity: 'other' });
    await eventually(() => !comments(shown).querySelector('pa-comment-panel'));
    await openComments(shown);
    expect(composer(shown).querySelector('textarea')?.value).to.equal('');
  });

  it('stay unread in threads that are not loaded yet', async () => {
    const shown = await show(({ session }) => {
      session.threads = Array.from({ length: 51 }, (_, index) => thread(100 - index));
      session.threads[50] = thread(50, [comment(101)]);
      session.readUpTo = 99;
      session.unread = 2;
    });
    await openComments(shown);
    await eventually(() => threadsIn(shown).length === 50);
    await eventually(() => textOf(comments(shown).querySelector('.badge')) === '1');
    expect(shown.session.log).to.deep.equal([]);
    await press(() => panel(shown), 'Show more');
    await eventually(() => shown.session.log.length > 0);
    expect(shown.session.log[0]).to.match(/\{"upTo":101\}$/);
    await eventually(() => !comments(shown).querySelector('.badge'));
  });

  it('are counted on each tile until they are read, also in a tab that is opened later', async () => {
    const shown = await show(({ session }) => {
      const body = 'Late again, @[zed]';
      session.threads = [
        thread(2, [], { body, context: { widgetId: 'w0' } }),
        thread(1, [], { context: { widgetId: 'w2' } }),
      ];
      session.unread = 2;
      session.unreadTiles = ['w0', 'w2'].map(widgetId => ({ widgetId, unread: 1 }));
      session.mentioned = [{ username: 'zed', firstName: 'Zed' }];
    });
    const counts = () =>
      [...(shown.element.shadowRoot?.querySelectorAll('pa-tile-comments') ?? [])].map(({ label }) => label);
    await eventually(() => counts().join() === 'Report 0, 1 unread comment');
    shown.element.setState({ tabs: { box: 'w2' } });
    await eventually(() => counts().length === 2);
    expect(counts()[1]).to.equal('Report 2, 1 unread comment');
    await press(
      () => rootOf(shown.element.shadowRoot?.querySelector('pa-tile-comments')),
      'Report 0, 1 unread comment',
    );
    await eventually(() => threadsIn(shown).length === 2);
    await eventually(() => counts().length === 0);
    expect(textOf(threadsIn(shown)[0])).to.contain('@Zed');
    await eventually(() => textOf(panel(shown).querySelector('footer .context')) === 'Report 0');
  });

  it('name a tile in a tab that is not open, and open the tab', async () => {
    const context = { widgetId: 'w2' };
    const shown = await show(({ session }) => {
      session.threads = [thread(2, [], { context: { widgetId: 'gone' } }), thread(1, [], { context })];
    });
    await openComments(shown);
    await eventually(() => threadsIn(shown).length === 2);
    expect(textOf(threadsIn(shown)[0])).to.contain('The tile no longer exists');
    await press(() => threadsIn(shown)[1] ?? document.createElement('p'), 'Show Report 2 as the author saw it');
    await eventually(() => shown.element.shadowRoot?.activeElement?.hasAttribute('data-marked'));
    expect(shown.element.getState().tabs).to.deep.equal({ box: 'w2' });
  });
});

for (const { scheme, locale } of [
  { scheme: 'light', locale: 'en' },
  { scheme: 'dark', locale: 'en' },
  { scheme: 'dark', locale: 'ar' },
]) {
  describe(`panels of viewers, ${scheme}, ${locale}`, () => {
    it('have no axe violations', async () => {
      document.body.style.setProperty('color-scheme', scheme);
      document.body.style.setProperty('background', scheme === 'dark' ? '#0f1116' : '#f6f7f9');
      const shown = await show(({ session, element }) => {
        element.locale = locale;
        session.views = [monthly, { ...monthly, id: 2, name: 'Theirs', isOwn: false }];
        const context = { widgetId: 'w0' };
        const own = { isOwn: true, context };
        session.threads = [thread(4, [comment(5), comment(6, { isOwn: true })], own), thread(1)];
        session.readUpTo = 4;
        session.unread = 1;
      });
      const isTranslated = () => locale === 'en' || /[\u0600-\u06ff]/.test(textOf(toggle(views(shown))));
      await eventually(() => toggle(views(shown)) && toggle(comments(shown)) && isTranslated());
      await shown.element.loadAll();
      toggle(views(shown))?.click();
      await eventually(() => views(shown).querySelector('form'));
      await expect(shown.element).to.be.accessible();
      views(shown).querySelector<HTMLElement>('#panel')?.hidePopover();
      await openComments(shown);
      await eventually(() => threadsIn(shown).length === 2);
      await expect(shown.element).to.be.accessible();
    });
  });
}
