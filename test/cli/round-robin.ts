import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Proxy that distributes requests over several servers. */
export interface RoundRobin {
  readonly url: string;
  /** Ports of the servers. The header `x-replica: 1` selects one of them. */
  readonly ports: number[];
  close(): Promise<void>;
}

/**
 * Starts a proxy. If a server refuses the connection, the request goes to the next one, since nothing was sent yet; if
 * a connection breaks later, the client's connection is aborted too.
 */
export async function startRoundRobin(): Promise<RoundRobin> {
  const ports: number[] = [];
  let turn = 0;
  const take = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const body = await buffer(incoming);
    const chosen = incoming.headers['x-replica'];
    const first = chosen === undefined ? turn++ : Number(chosen);
    const order = ports.map((_, index) => ports[(first + index) % ports.length] ?? 0);
    forward(incoming, body, answer, chosen === undefined ? order : order.slice(0, 1));
  };
  const server = createServer((incoming, answer) => {
    take(incoming, answer).catch(() => answer.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, ports, close };
}

function forward(incoming: IncomingMessage, body: Buffer, answer: ServerResponse, order: readonly number[]): void {
  const [port, ...others] = order;
  if (port === undefined) return void answer.writeHead(502).end();
  const { connection: _, ...headers } = incoming.headers;
  const { method, url: path } = incoming;
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, response => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    pipeline(response, answer, () => undefined);
  });
  outgoing.on('error', error => {
    if ('code' in error && error.code === 'ECONNREFUSED') forward(incoming, body, answer, others);
    else answer.destroy();
  });
  outgoing.end(body);
}
