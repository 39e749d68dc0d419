import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { DataPrincipal } from '../../../../src/platform/auth/authenticate.js';
import type { QueryEvent } from '../../../../src/platform/data/answers/query-event.js';
import { dataRoutes } from '../../../../src/platform/data/data-routes.js';
import { createUpstreamService } from '../../../../src/platform/data/upstream/open-upstream-api.js';
import { UpstreamClient, type UpstreamLimits } from '../../../../src/platform/data/upstream/upstream-client.js';
import { readUpstream } from '../../../../src/platform/data/upstream/upstream-options.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { tenantCaller } from '../callers.js';

/** The secret of every cluster in these tests. */
export const secret = 'the-secret-of-the-cluster';

/** A request as received by a cluster. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether the connection was closed. */
  readonly isGone: () => boolean;
}

/** Writes a response. Data written to the socket directly has no HTTP framing. */
export type Answer = (response: ServerResponse, socket: Socket, seen: Seen) => void | Promise<void>;

const usual: UpstreamLimits = { concurrency: 8, queueLimit: 8, headMs: 10_000, silenceMs: 10_000 };

/** Starts a cluster with scripted responses on loopback, and Data API routes that forward to it. */
export async function startFakeCluster(answer: Answer, limits: Partial<UpstreamLimits> = {}) {
  const requests: Seen[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers, socket } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString(), isGone: () => socket.destroyed };
    requests.push(seen);
    await answer(response, socket, seen);
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const problems: string[] = [];
  const passing = passOnTo(`http://127.0.0.1:${port}/base`, { limits, problems });
  return {
    ...passing,
    port,
    requests,
    /** Messages for the operator of the platform. */
    problems,
    async stop() {
      passing.client.close();
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** A running fake cluster. */
export type FakeCluster = Awaited<ReturnType<typeof startFakeCluster>>;

/** Returns Data API routes that forward to a cluster. A caller's token is the name of its tenant. */
export function passOnTo(
  url: string,
  { limits = {}, problems = [] }: { readonly limits?: Partial<UpstreamLimits>; readonly problems?: string[] } = {},
) {
  const client = new UpstreamClient({
    upstream: readUpstream({ url, secret }),
    limits: { ...usual, ...limits },
    onProblem: problem => problems.push(problem),
  });
  const events: QueryEvent[] = [];
  const callers = new Map<string, DataPrincipal>();
  const app = dataRoutes({
    service: createUpstreamService(client),
    async authenticate(request, begin) {
      const tenant = request.headers.get('authorization') ?? '';
      if (tenant === 'bad') throw new PlatformError(403, 'Invalid token');
      const securityContext = tenantCaller(tenant);
      const known = callers.get(tenant) ?? { securityContext, ...(tenant === 'developer' && { isDeveloper: true }) };
      callers.set(tenant, known);
      begin?.(known);
      return known;
    },
    onQuery: event => events.push(event),
  });
  const send = async (path: string, body?: object, init: RequestInit = {}) =>
    app.request(path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      ...init,
      headers: { authorization: 'a', ...init.headers },
    });
  return { client, app, events, send, load: (init?: RequestInit) => send('/v1/load', { query }, init) };
}

/** Any valid query. */
export const query = { measures: ['t.count'] };

/** Responds with JSON. */
export const json =
  (body: unknown, status = 200): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Writes these pieces to the socket, and then ends it or leaves it open. */
export const raw =
  (pieces: readonly (string | Buffer)[], then: 'end' | 'reset' | 'stay'): Answer =>
  async (_response, socket) => {
    for (const piece of pieces) {
      await new Promise<void>(resolve => {
        socket.write(piece, () => resolve());
      });
    }
    if (then === 'end') socket.end();
    if (then === 'reset') socket.resetAndDestroy();
  };
