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
import { caller } from '../fakes.js';

/** The secret of every cluster in these tests. */
export const secret = 'the-secret-of-the-cluster';

/** A request as a cluster has received it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether the connection was broken off. */
  readonly isGone: () => boolean;
}

/** Says something; nothing of it is framed where it writes to the socket itself. */
export type Answer = (response: ServerResponse, socket: Socket, seen: Seen) => void | Promise<void>;

const usual: UpstreamLimits = { concurrency: 8, queueLimit: 8, headMs: 10_000, silenceMs: 10_000 };

/** A cluster that answers what it is told to, on loopback, and the routes of a Data API that is passed on to it. */
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
    /** What was said to whoever runs the platform. */
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

/** A running fake. */
export type FakeCluster = Awaited<ReturnType<typeof startFakeCluster>>;

/** Routes of a Data API that is passed on; a token is the tenant that the caller is of. */
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
      const securityContext = caller({ tenant });
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

/** A query that is as good as any. */
export const query = { measures: ['t.count'] };

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Writes to the socket as it stands, piece by piece, and ends it or leaves it open. */
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
