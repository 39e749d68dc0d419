import { expect } from '@open-wc/testing';
import { sessionPageOf } from '../../src/controllers/session/session-page.js';
import { preload } from '../../src/elements/preload.js';
import '../../src/elements/report/pa-report.js';
import '../../src/elements/session/pa-session.js';
import { FakeService, json } from '../client/fake-service.js';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve));
}

describe('preload', () => {
  it('defines the elements that draw the kinds that it is told', async () => {
    expect(customElements.get('pa-tile-kpi')).to.equal(undefined);
    await preload({ kinds: ['kpi'] });
    expect(customElements.get('pa-tile-kpi')).to.be.a('function');
    expect(customElements.get('pa-tile-table')).to.equal(undefined);
  });

  it('opens no session that is not named', async () => {
    const before = sessionPageOf(document).size;
    await preload({ kinds: [] });
    expect(sessionPageOf(document).size).to.equal(before);
  });
});

describe('the session that preload warms', () => {
  const nativeFetch = window.fetch;
  const settings = { sessionUrl: '/api/embed-session', baseUrl: 'https://platform.example' };
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
    window.fetch = service.fetch;
  });

  afterEach(async () => {
    for (const element of document.querySelectorAll('pa-session, pa-report')) element.remove();
    await until(() => sessionPageOf(document).size === 0);
    window.fetch = nativeFetch;
  });

  /** Puts an element that names the session on the page, and counts how often it says that there is one. */
  async function put(tag: 'pa-session' | 'pa-report', attributes: Record<string, string> = {}): Promise<() => number> {
    const element = document.createElement(tag);
    element.setAttribute('session-url', settings.sessionUrl);
    element.setAttribute('base-url', settings.baseUrl);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    let ready = 0;
    element.addEventListener('pa-session-ready', () => {
      ready += 1;
    });
    document.body.append(element);
    await until(() => ready > 0);
    return () => ready;
  }

  it('is taken by the pa-session that names it, which says that it is ready', async () => {
    await preload({ ...settings, kinds: [] });
    const ready = await put('pa-session');
    expect(service.exchanges).to.equal(1);
    expect(ready()).to.equal(1);
    expect(sessionPageOf(document).size).to.equal(1);
  });

  it('is there already when the pa-session says so', async () => {
    await preload({ ...settings, kinds: [] });
    const element = document.createElement('pa-session');
    element.setAttribute('session-url', settings.sessionUrl);
    element.setAttribute('base-url', settings.baseUrl);
    let ready = 0;
    element.addEventListener('pa-session-ready', () => {
      ready += 1;
      if (ready > 1) return;
      element.end();
      void element.start();
    });
    document.body.append(element);
    await until(() => ready > 1);
    expect(service.exchanges).to.equal(2);
  });

  it('ends when a pa-session is told to end: the next one is another user’s', async () => {
    await put('pa-session');
    await preload({ ...settings, kinds: [] });
    expect(service.exchanges).to.equal(2);
    document.querySelector('pa-session')?.end();
    expect(sessionPageOf(document).size).to.equal(1);
    await put('pa-session');
    expect(service.exchanges).to.equal(3);
  });

  it('is taken once: a second pa-session has its own', async () => {
    await preload({ ...settings, kinds: [] });
    await put('pa-session');
    await put('pa-session');
    expect(service.exchanges).to.equal(2);
  });

  it('is shared by elements that name it themselves', async () => {
    await preload({ ...settings, kinds: [] });
    await put('pa-report');
    const ready = await put('pa-report');
    expect(service.exchanges).to.equal(1);
    expect(ready()).to.equal(1);
  });

  it('is the same one for all who warm it, and of no use to whoever names another address of the Chat API', async () => {
    await Promise.all([preload({ ...settings, kinds: [] }), preload({ ...settings, kinds: [] })]);
    expect(service.exchanges).to.equal(1);
    await put('pa-session', { 'ai-url': 'https://chat.example' });
    expect(service.exchanges).to.equal(2);
    await put('pa-session');
    expect(service.exchanges).to.equal(2);
  });

  it('ends where nobody comes for it', async () => {
    const warming = sessionPageOf(document).warm(settings, { retainMs: 10 });
    expect(sessionPageOf(document).size).to.equal(1);
    await until(() => sessionPageOf(document).size === 0);
    await warming;
    const before = service.exchanges;
    await put('pa-session');
    expect(service.exchanges).to.equal(before + 1);
  });

  it('ends where it is called off before anybody came, and not after', async () => {
    const signingOut = new AbortController();
    await preload({ ...settings, kinds: [], signal: signingOut.signal });
    signingOut.abort();
    expect(sessionPageOf(document).size).to.equal(0);
    await preload({ ...settings, kinds: [], signal: signingOut.signal });
    expect(service.exchanges).to.equal(1);
    const later = new AbortController();
    await preload({ ...settings, kinds: [], signal: later.signal });
    await put('pa-session');
    later.abort();
    expect(sessionPageOf(document).size).to.equal(1);
  });

  it('is tried again by whoever takes it after it failed', async () => {
    let minting = false;
    service.routes.set('POST /api/embed-session', () =>
      minting ? json({ sessionId: service.nextSessionId() }) : json({}, 503),
    );
    await preload({ ...settings, kinds: [] });
    minting = true;
    await put('pa-session');
    expect(service.exchanges).to.equal(1);
  });
});
