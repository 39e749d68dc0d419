import { expect } from '@open-wc/testing';
import { sessionPageOf } from '../../src/controllers/session/session-page.js';
import { preload } from '../../src/elements/preload.js';
import '../../src/elements/report/pa-report.js';
import '../../src/elements/session/pa-session.js';
import { FakeService, json } from '../client/fake-service.js';

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve));
}

describe('preload', () => {
  it('defines the elements for the given kinds', async () => {
    expect(customElements.get('pa-tile-kpi')).to.equal(undefined);
    await preload({ kinds: ['kpi'] });
    expect(customElements.get('pa-tile-kpi')).to.be.a('function');
    expect(customElements.get('pa-tile-table')).to.equal(undefined);
  });

  it('starts no session without session settings', async () => {
    const before = sessionPageOf(document).size;
    await preload({ kinds: [] });
    expect(sessionPageOf(document).size).to.equal(before);
  });
});

describe('preloaded session', () => {
  const nativeFetch = window.fetch;
  const settings = { sessionUrl: '/api/embed-session', baseUrl: 'https://platform.example' };
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
    window.fetch = service.fetch;
  });

  afterEach(async () => {
    for (const element of document.querySelectorAll('pa-session, pa-report')) element.remove();
    await waitFor(() => sessionPageOf(document).size === 0);
    window.fetch = nativeFetch;
  });

  /** Adds an element with session settings to the page and counts its ready events. */
  async function addElement(
    tag: 'pa-session' | 'pa-report',
    attributes: Record<string, string> = {},
  ): Promise<() => number> {
    const element = document.createElement(tag);
    element.setAttribute('session-url', settings.sessionUrl);
    element.setAttribute('base-url', settings.baseUrl);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    let ready = 0;
    element.addEventListener('pa-session-ready', () => {
      ready += 1;
    });
    document.body.append(element);
    await waitFor(() => ready > 0);
    return () => ready;
  }

  it('is used by the pa-session with the same settings, which fires its ready event', async () => {
    await preload({ ...settings, kinds: [] });
    const ready = await addElement('pa-session');
    expect(service.exchanges).to.equal(1);
    expect(ready()).to.equal(1);
    expect(sessionPageOf(document).size).to.equal(1);
  });

  it('can be ended and restarted in the first ready event', async () => {
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
    await waitFor(() => ready > 1);
    expect(service.exchanges).to.equal(2);
  });

  it('ends with its pa-session; the next pa-session starts a new one', async () => {
    await addElement('pa-session');
    await preload({ ...settings, kinds: [] });
    expect(service.exchanges).to.equal(2);
    document.querySelector('pa-session')?.end();
    expect(sessionPageOf(document).size).to.equal(1);
    await addElement('pa-session');
    expect(service.exchanges).to.equal(3);
  });

  it('is used once: a second pa-session starts its own', async () => {
    await preload({ ...settings, kinds: [] });
    await addElement('pa-session');
    await addElement('pa-session');
    expect(service.exchanges).to.equal(2);
  });

  it('is shared by elements with the same settings', async () => {
    await preload({ ...settings, kinds: [] });
    await addElement('pa-report');
    const ready = await addElement('pa-report');
    expect(service.exchanges).to.equal(1);
    expect(ready()).to.equal(1);
  });

  it('is shared between preloads, but not with another Chat API URL', async () => {
    await Promise.all([preload({ ...settings, kinds: [] }), preload({ ...settings, kinds: [] })]);
    expect(service.exchanges).to.equal(1);
    await addElement('pa-session', { 'ai-url': 'https://chat.example' });
    expect(service.exchanges).to.equal(2);
    await addElement('pa-session');
    expect(service.exchanges).to.equal(2);
  });

  it('ends if unused', async () => {
    const warming = sessionPageOf(document).warm(settings, { retainMs: 10 });
    expect(sessionPageOf(document).size).to.equal(1);
    await waitFor(() => sessionPageOf(document).size === 0);
    await warming;
    const before = service.exchanges;
    await addElement('pa-session');
    expect(service.exchanges).to.equal(before + 1);
  });

  it('ends on cancellation before its first use, but not after', async () => {
    const signingOut = new AbortController();
    await preload({ ...settings, kinds: [], signal: signingOut.signal });
    signingOut.abort();
    expect(sessionPageOf(document).size).to.equal(0);
    await preload({ ...settings, kinds: [], signal: signingOut.signal });
    expect(service.exchanges).to.equal(1);
    const later = new AbortController();
    await preload({ ...settings, kinds: [], signal: later.signal });
    await addElement('pa-session');
    later.abort();
    expect(sessionPageOf(document).size).to.equal(1);
  });

  it('retries after a failure on first use', async () => {
    let isMinting = false;
    service.routes.set('POST /api/embed-session', () =>
      isMinting ? json({ sessionId: service.nextSessionId() }) : json({}, 503),
    );
    await preload({ ...settings, kinds: [] });
    isMinting = true;
    await addElement('pa-session');
    expect(service.exchanges).to.equal(1);
  });
});
