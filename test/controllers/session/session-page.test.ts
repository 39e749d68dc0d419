import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionPage, type SessionSettings, sameSettings } from '../../../src/controllers/session/session-page.js';
import { FakeService, json, loadAnswer, query } from '../../client/fake-service.js';

/** The parts of a document and its window that sessions need. Counts the listeners. */
class FakeDocument extends EventTarget {
  visibilityState = 'visible';
  readonly baseURI = 'https://host.example/app/';
  readonly defaultView = new CountingTarget();
  listeners = 0;

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1;
    super.addEventListener(...args);
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1;
    super.removeEventListener(...args);
  }
}

class CountingTarget extends EventTarget {
  listeners = 0;

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1;
    super.addEventListener(...args);
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1;
    super.removeEventListener(...args);
  }
}

const settings: SessionSettings = { sessionUrl: '/api/embed-session', baseUrl: 'https://platform.example' };

/** Returns a session of the page that is not started and counts calls of the page. */
function opened() {
  const source = page.open(settings);
  return Object.assign(source, {
    wake: vi.spyOn(source, 'wake'),
    suspend: vi.spyOn(source, 'suspend'),
    resume: vi.spyOn(source, 'resume'),
  });
}

const transition = (type: string, persisted: boolean): Event => Object.assign(new Event(type), { persisted });

let document: FakeDocument;
let page: SessionPage;
let service: FakeService;

beforeEach(() => {
  service = new FakeService();
  vi.stubGlobal('fetch', service.fetch);
  document = new FakeDocument();
  page = new SessionPage(document as unknown as Document);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the page', () => {
  it('wakes its sessions in the foreground and back online, but not when hidden', () => {
    const source = opened();
    document.dispatchEvent(new Event('visibilitychange'));
    document.defaultView.dispatchEvent(new Event('online'));
    expect(source.wake).toHaveBeenCalledTimes(2);
    document.visibilityState = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(source.wake).toHaveBeenCalledTimes(2);
  });

  it('suspends its sessions only for the back/forward cache', () => {
    const source = opened();
    document.defaultView.dispatchEvent(transition('pagehide', false));
    document.defaultView.dispatchEvent(transition('pageshow', false));
    expect(source.suspend).not.toHaveBeenCalled();
    document.defaultView.dispatchEvent(transition('pagehide', true));
    expect(source.suspend).toHaveBeenCalledTimes(1);
    document.defaultView.dispatchEvent(transition('pageshow', true));
    expect(source.suspend).toHaveBeenCalledTimes(2);
    expect(source.resume).toHaveBeenCalledTimes(1);
  });

  it('has listeners only while it has sessions', () => {
    const [a, b] = [opened(), opened()];
    expect([document.listeners, document.defaultView.listeners]).toEqual([1, 3]);
    page.close(a);
    expect(document.listeners).toBe(1);
    page.close(b);
    page.close(b);
    expect([document.listeners, document.defaultView.listeners]).toEqual([0, 0]);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(b.wake).not.toHaveBeenCalled();
  });
});

describe('warming', () => {
  it('leaves nothing behind after cancellation', async () => {
    vi.useFakeTimers();
    try {
      const warming = page.warm(settings);
      page.cool();
      await warming;
      expect([page.size, document.listeners, document.defaultView.listeners]).toEqual([0, 0, 0]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('sharing', () => {
  it('shares one session between equal settings until the last release', async () => {
    const first = page.acquire(settings);
    const second = page.acquire({ ...settings, session: null });
    expect(second).toBe(first);
    await Promise.all([first.start(), second.start()]);
    expect(service.exchanges).toBe(1);
    page.release(first);
    expect(first.status).toBe('ready');
    page.release(second);
    expect(first.status).toBe('ended');
    expect(page.size).toBe(0);
    expect(page.acquire(settings)).not.toBe(first);
  });

  it.each([
    { sessionUrl: '/other' },
    { baseUrl: 'https://other.example' },
    { dataApiPath: '/data' },
    { dialect: 'cube' as const },
    { session: async () => '' },
  ])('distinguishes sessions by %j', other => {
    expect(sameSettings(settings, { ...settings, ...other })).toBe(false);
    expect(page.acquire({ ...settings, ...other })).not.toBe(page.acquire(settings));
  });

  it('resolves URLs against the page', async () => {
    const source = page.acquire({ sessionUrl: '../api/embed-session', baseUrl: '//platform.example' });
    await source.start();
    expect(service.seen[0]?.path).toBe('/api/embed-session');
    expect(source.status).toBe('ready');
    page.release(source);
  });

  it('uses the dialect of the settings', async () => {
    service.routes.set('POST /api/v1/deployments/1/token', () => json({ cubeApiToken: service.nextDataToken() }));
    service.routes.set('POST /cubejs-api/v1/load', () => json(loadAnswer([])));
    const source = page.acquire({ sessionUrl: '/api/embed-session', baseUrl: '//platform.example', dialect: 'cube' });
    await expect(source.load(query, {})).resolves.toMatchObject({ rows: [] });
    page.release(source);
  });
});
