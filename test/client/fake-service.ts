/** One request as the fake services received it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly body: unknown;
  readonly init: RequestInit;
}

type Answer = Response | Promise<Response>;
type Route = (seen: Seen) => Answer;

/** Returns a JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** Returns an unsigned JWT: clients decode tokens without verifying them. */
export function jwt(payload: Record<string, unknown>): string {
  const encode = (value: unknown): string => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const text = btoa(String.fromCharCode(...bytes));
    return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.c2lnbmF0dXJl`;
}

/** Returns a promise that can be settled from outside. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

export const publicId = 'Flights00001';
export const query = { measures: ['flights.count'], dimensions: ['flights.origin'] };

export const dashboard = {
  allowEmbed: true,
  config: { widgets: [] },
  deploymentId: 1,
  id: 1,
  publicId,
  reportSnapshots: [],
  status: 'published',
  versionId: 1,
  versionNumber: 1,
  workbookId: 1,
};

const member = (title: string, type: string) => ({ title, shortTitle: title, type });

export function loadAnswer(rows: readonly Record<string, unknown>[], limit = 10_000): Record<string, unknown> {
  return {
    query: { ...query, limit },
    data: rows,
    annotation: {
      measures: { 'flights.count': member('Flights', 'number') },
      dimensions: { 'flights.origin': member('Origin', 'string') },
      segments: {},
      timeDimensions: {},
    },
    lastRefreshTime: '2026-01-02T03:04:05.000Z',
  };
}

/**
 * Host, Platform API and Data API behind one `fetch`. Every request is recorded, any route can be replaced, and an
 * aborted request rejects as `fetch` does.
 */
export class FakeService {
  readonly seen: Seen[] = [];
  readonly routes = new Map<string, Route>();
  /** Claims that distinguish the user in the next token. */
  user: Record<string, unknown> = { sub: 'rosa', securityContext: { airport: 'ORD' } };
  lifetime = 86_400;
  #issued = 0;

  constructor() {
    this.routes.set('POST /api/embed-session', () => json({ sessionId: this.nextSessionId() }));
    this.routes.set('POST /api/v1/embed/session/token', () => json({ token: this.nextToken() }));
    this.routes.set('GET /api/v1/deployments/1', () =>
      json({ id: 1, name: 'local', deploymentUrl: 'https://data.example/', creationStep: 'ready' }),
    );
    this.routes.set('POST /api/v1/deployments/1/token', () => json({ platformApiToken: this.nextDataToken() }));
    this.routes.set(`GET /api/v1/embed/dashboard/${publicId}`, () => json(dashboard));
    this.routes.set('POST /data-api/v1/load', () =>
      json(loadAnswer([{ 'flights.origin': 'ORD', 'flights.count': '3' }])),
    );
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(String(input), 'https://host.example');
    const seen: Seen = {
      method: init.method ?? 'GET',
      path: url.pathname,
      authorization: new Headers(init.headers).get('authorization'),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      init,
    };
    this.seen.push(seen);
    const signal = init.signal;
    signal?.throwIfAborted();
    const route = this.routes.get(`${seen.method} ${seen.path}`);
    const answer = route ? route(seen) : json({ message: `no route ${seen.path}` }, 404);
    if (!signal) return answer;
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      Promise.resolve(answer).then(resolve, reject);
    });
  };

  nextSessionId(): string {
    this.#issued += 1;
    return this.#issued.toString(16).padStart(32, '0');
  }

  nextToken(): string {
    this.#issued += 1;
    const iat = Math.floor(Date.now() / 1000);
    return jwt({
      ...this.user,
      deploymentId: 1,
      settings: { locale: 'de-DE' },
      iat,
      exp: iat + this.lifetime,
      jti: `${this.#issued}`,
      sid: `s${this.#issued}`,
    });
  }

  nextDataToken(): string {
    this.#issued += 1;
    return jwt({ data: this.#issued });
  }

  /** Returns the requests to a path, in order. */
  to(path: string): Seen[] {
    return this.seen.filter(seen => seen.path === path);
  }

  get mints(): number {
    return this.to('/api/embed-session').length;
  }

  get exchanges(): number {
    return this.to('/api/v1/embed/session/token').length;
  }

  get loads(): number {
    return this.to('/data-api/v1/load').length;
  }
}
