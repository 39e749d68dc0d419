import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { SessionEvent, SessionSource } from '../../../src/controllers/session/session-context.js';
import { SessionController } from '../../../src/controllers/session/session-controller.js';
import { sessionPageOf } from '../../../src/controllers/session/session-page.js';
import type { PaSession } from '../../../src/elements/session/session-element.js';
import { deferred, FakeService, json } from '../../client/fake-service.js';

const baseUrl = 'https://platform.example';
const sessionUrl = '/api/embed-session';

/** An element that shows the identity of its session, where real elements show data. */
class TestView extends LitElement {
  readonly sources: (SessionSource | null)[] = [];
  readonly events: SessionEvent[] = [];
  readonly #session = new SessionController(this);

  @property({ attribute: 'session-url' }) sessionUrl: string | null = null;
  @property({ attribute: false }) session: (() => Promise<string>) | null = null;
  @property({ attribute: 'base-url' }) baseUrl: string | null = null;
  @property({ attribute: 'data-api-path' }) dataApiPath: string | null = null;

  get source(): SessionSource | null {
    return this.#session.source;
  }

  protected override updated(): void {
    if (this.source === (this.sources.at(-1) ?? null)) return;
    this.sources.push(this.source);
    this.source?.subscribe(event => this.events.push(event));
  }

  override render(): TemplateResult {
    const source = this.#session.source;
    return html`${source?.status === 'ready' ? source.identity : ''}`;
  }
}
customElements.define('test-view', TestView);

const nativeFetch = window.fetch;
let service: FakeService;

/** Resolves in the next macrotask, after queued work. */
const nextTask = (): Promise<void> => new Promise(resolve => setTimeout(resolve));
const view = (): TestView => document.createElement('test-view') as TestView;
const identityText = (element: TestView): string => element.shadowRoot?.textContent ?? '';
const pageSessions = (): number => sessionPageOf(document).size;

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTask();
}

beforeEach(() => {
  service = new FakeService();
  window.fetch = service.fetch;
});

afterEach(async () => {
  // Remove the fixture here, because the hook of the testing library that removes it may run after this hook.
  for (const element of document.querySelectorAll('pa-session, test-view')) element.remove();
  await nextTask();
  await nextTask();
  expect(pageSessions()).to.equal(0);
  window.fetch = nativeFetch;
});

/** Counts the listeners that are added to the targets and not removed again, until stopped. */
function countListeners(targets: readonly EventTarget[]): { stop(): number } {
  let count = 0;
  const restore = targets.map(target => {
    const { addEventListener, removeEventListener } = target;
    target.addEventListener = (...args: Parameters<EventTarget['addEventListener']>) => {
      count += 1;
      addEventListener.apply(target, args);
    };
    target.removeEventListener = (...args: Parameters<EventTarget['removeEventListener']>) => {
      count -= 1;
      removeEventListener.apply(target, args);
    };
    return () => Object.assign(target, { addEventListener, removeEventListener });
  });
  return {
    stop: () => {
      for (const each of restore) each();
      return count;
    },
  };
}

async function renderTwoViews(): Promise<{ session: PaSession; views: TestView[] }> {
  const session = await fixture<PaSession>(html`
    <pa-session session-url=${sessionUrl} base-url=${baseUrl}>
      <test-view></test-view>
      <div><test-view></test-view></div>
    </pa-session>
  `);
  return { session, views: [...session.querySelectorAll<TestView>('test-view')] };
}

describe('before pa-session is defined', () => {
  it('lets elements wait for it even if they could start their own session', async () => {
    const root = document.createElement('div');
    root.innerHTML = `<pa-session session-url="${sessionUrl}" base-url="${baseUrl}">
      <test-view session-url="/other" base-url="${baseUrl}"></test-view></pa-session>`;
    document.body.append(root);
    const [inner] = root.querySelectorAll<TestView>('test-view');
    await inner?.updateComplete;
    await nextTask();
    expect(inner?.source).to.equal(null);
    await import('../../../src/elements/session/pa-session.js');
    await waitFor(() => inner?.source?.status === 'ready');
    expect(service.to('/other')).to.have.length(0);
    expect(service.exchanges).to.equal(1);
    root.remove();
  });
});

describe('pa-session', () => {
  it('starts automatically and provides one session to its descendants', async () => {
    const { session, views } = await renderTwoViews();
    if (views[0]?.source?.status !== 'ready') await oneEvent(session, 'pa-session-ready');
    expect(service.exchanges).to.equal(1);
    expect(views[0]?.source).to.equal(views[1]?.source);
    await views[1]?.updateComplete;
    expect(identityText(views[1] ?? view())).to.contain('rosa');
  });

  it('passes axe and takes no space', async () => {
    const { session } = await renderTwoViews();
    await expect(session).to.be.accessible();
    expect(getComputedStyle(session).display).to.equal('contents');
  });

  it('keeps the session when it or its descendants move', async () => {
    const { session, views } = await renderTwoViews();
    await waitFor(() => views[0]?.source?.status === 'ready');
    const source = views[0]?.source;
    const section = document.createElement('section');
    session.parentElement?.append(section);
    section.append(session);
    if (views[0]) section.querySelector('div')?.append(views[0]);
    await nextTask();
    await nextTask();
    expect(views.map(each => each.source)).to.eql([source, source]);
    expect(views[0]?.sources).to.eql([source]);
    expect(source?.status).to.equal('ready');
    expect(service.mints).to.equal(1);
  });

  it('blanks its descendants at the end until the host restarts it', async () => {
    const { session, views } = await renderTwoViews();
    await waitFor(() => views[0]?.source?.status === 'ready');
    session.end();
    await views[0]?.updateComplete;
    expect(views.map(identityText)).to.eql(['', '']);
    await nextTask();
    expect(service.mints).to.equal(1);
    await session.start();
    await views[0]?.updateComplete;
    expect(identityText(views[0] ?? view())).to.contain('rosa');
    expect(service.mints).to.equal(2);
  });

  it('stays ended when reconfigured or moved', async () => {
    const { session, views } = await renderTwoViews();
    await waitFor(() => views[0]?.source?.status === 'ready');
    session.end();
    session.dataApiPath = '/other';
    await session.updateComplete;
    const { parentElement } = session;
    session.remove();
    await nextTask();
    parentElement?.append(session);
    await session.updateComplete;
    await nextTask();
    expect(service.mints).to.equal(1);
    expect(views[0]?.source?.status).to.equal('ended');
  });

  it('provides another session to its descendants when reconfigured', async () => {
    const { session, views } = await renderTwoViews();
    await waitFor(() => views[0]?.source?.status === 'ready');
    const first = views[0]?.source;
    session.dataApiPath = '/other';
    await session.updateComplete;
    await waitFor(() => views[0]?.source?.status === 'ready');
    expect(first?.status).to.equal('ended');
    expect(views[0]?.source).not.to.equal(first);
    expect(pageSessions()).to.equal(1);
  });

  it('accepts a session function that is set after connection', async () => {
    const session = await fixture<PaSession>(
      html`<pa-session base-url=${baseUrl}><test-view></test-view></pa-session>`,
    );
    const inner = session.querySelector<TestView>('test-view');
    expect(inner?.source).to.equal(null);
    session.session = async () => service.nextSessionId();
    await oneEvent(session, 'pa-session-ready');
    expect(inner?.source?.status).to.equal('ready');
    expect(service.mints).to.equal(0);
  });

  it('reports failure and expiry to the host, without secrets', async () => {
    service.routes.set(`POST ${sessionUrl}`, () => json({ message: 'no' }, 401));
    const session = document.createElement('pa-session');
    session.sessionUrl = sessionUrl;
    session.baseUrl = baseUrl;
    const failed = oneEvent(document, 'pa-error');
    document.body.append(session);
    const event = await failed;
    expect(event.target).to.equal(session);
    expect(event.detail).to.include({ code: 'not_authenticated', status: 401, widgetId: null });
    expect(JSON.stringify(event.detail)).not.to.contain('eyJ');
    session.remove();
  });

  it('is blank around the back/forward cache until the identity is confirmed, then restores its content', async () => {
    const { session, views } = await renderTwoViews();
    await waitFor(() => views[0]?.source?.status === 'ready');
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    await views[0]?.updateComplete;
    expect(views.map(identityText)).to.eql(['', '']);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await oneEvent(session, 'pa-session-ready');
    await views[0]?.updateComplete;
    expect(identityText(views[0] ?? view())).to.contain('rosa');
    expect(service.mints).to.equal(2);
    expect(views[0]?.events.map(event => event.type)).not.to.include('identity');
  });

  it('ignores a late response for an ended session', async () => {
    const answer = deferred<Response>();
    service.routes.set('POST /api/v1/embed/session/token', () => answer.promise);
    const { session, views } = await renderTwoViews();
    await waitFor(() => service.exchanges === 1);
    session.end();
    answer.resolve(json({ token: service.nextToken() }));
    await nextTask();
    expect(views[0]?.source?.status).to.equal('ended');
  });

  it('exposes no token in attributes or enumerable properties', async () => {
    let token = '';
    service.routes.set('POST /api/v1/embed/session/token', () => {
      token = service.nextToken();
      return json({ token });
    });
    const { session, views } = await renderTwoViews();
    await waitFor(() => views[0]?.source?.status === 'ready');
    expect(token).not.to.equal('');
    expect(session.outerHTML).not.to.contain(token);
    expect(JSON.stringify(views[0]?.source)).to.equal('{}');
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.to.contain(token);
    expect(document.cookie).not.to.contain(token);
  });
});

describe('element without pa-session', () => {
  const standaloneView = () => html`<test-view session-url=${sessionUrl} base-url=${baseUrl}></test-view>`;

  it('has its own session, shared by elements with the same settings, and fires its events', async () => {
    let ready = 0;
    const count = (): void => {
      ready += 1;
    };
    document.addEventListener('pa-session-ready', count);
    const [a, b] = await Promise.all([fixture<TestView>(standaloneView()), fixture<TestView>(standaloneView())]);
    await waitFor(() => ready === 2);
    document.removeEventListener('pa-session-ready', count);
    expect(a.source).to.equal(b.source);
    expect(service.exchanges).to.equal(1);
    a.remove();
    await nextTask();
    await nextTask();
    expect(b.source?.status).to.equal('ready');
    expect(a.source).to.equal(null);
  });

  it('has no session without session settings', async () => {
    const element = await fixture<TestView>(html`<test-view base-url=${baseUrl}></test-view>`);
    expect(element.source).to.equal(null);
    expect(pageSessions()).to.equal(0);
  });

  it('uses the surrounding session when moved inside, and its own again outside', async () => {
    const { session, views } = await renderTwoViews();
    await waitFor(() => views[0]?.source?.status === 'ready');
    const element = await fixture<TestView>(standaloneView());
    await waitFor(() => element.source?.status === 'ready');
    const own = element.source;
    session.append(element);
    await element.updateComplete;
    expect(element.source).to.equal(views[0]?.source);
    expect(own?.status).to.equal('ended');
    document.body.append(element);
    await element.updateComplete;
    expect(element.source).not.to.equal(views[0]?.source);
    expect(element.sources).to.have.length(3);
  });

  it('keeps its session when moved', async () => {
    const element = await fixture<TestView>(standaloneView());
    await waitFor(() => element.source?.status === 'ready');
    const { source } = element;
    document.body.append(element);
    element.remove();
    document.body.append(element);
    await nextTask();
    await nextTask();
    expect(element.source).to.equal(source);
    expect(service.mints).to.equal(1);
  });

  it('leaves nothing behind after 100 cycles in and out of the document', async () => {
    const listening = countListeners([document, window]);
    const element = view();
    element.sessionUrl = sessionUrl;
    element.baseUrl = baseUrl;
    for (let round = 0; round < 100; round += 1) {
      document.body.append(element);
      await element.updateComplete;
      expect(pageSessions()).to.equal(1);
      element.remove();
      await nextTask();
    }
    expect(listening.stop()).to.equal(0);
    expect(pageSessions()).to.equal(0);
    expect(element.source).to.equal(null);
  });
});
