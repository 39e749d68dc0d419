import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { PaError } from '../../../src/client/errors.js';
import {
  createSessionSource,
  type SessionEvent,
  type SessionSource,
} from '../../../src/client/session/session-source.js';
import { FakeService, publicId } from '../fake-service.js';

const sessionUrl = '/api/embed-session';
export const mintRoute = `POST ${sessionUrl}`;
export const exchangeRoute = 'POST /api/v1/embed/session/token';
export const dashboardRoute = `GET /api/v1/embed/dashboard/${publicId}`;
export const loadRoute = 'POST /data-api/v1/load';

/** A session with fake services and a fake clock. */
export class SessionHarness {
  readonly service = new FakeService();
  readonly events: SessionEvent[] = [];
  #source: SessionSource | null = null;

  /** Returns the session of this test, with default or other settings. */
  open(options: Partial<Parameters<typeof createSessionSource>[0]> = {}): SessionSource {
    const source = createSessionSource({
      baseUrl: 'https://platform.example',
      sessionUrl,
      fetch: this.service.fetch,
      ...options,
    });
    source.subscribe(event => this.events.push(event));
    this.#source = source;
    return source;
  }

  statuses(): string[] {
    return this.events.flatMap(event => (event.type === 'status' ? [event.status] : []));
  }

  types(): string[] {
    return this.events.map(event => event.type);
  }

  dispose(): void {
    this.#source?.dispose();
  }
}

/** Runs all pending work that needs no timer. */
export const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** Returns the rejection of a promise. */
export const failure = (promise: Promise<unknown>): Promise<PaError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  );

/** Creates a harness for each test. Leftover timers of a session fail the test. */
export function eachWithSession(begin: (harness: SessionHarness) => void): void {
  let harness: SessionHarness;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    harness = new SessionHarness();
    begin(harness);
  });

  afterEach(async () => {
    harness.dispose();
    await settle();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}
