import { connect, type Socket } from 'node:net';
import { requestText } from './host.js';

// A process of its own: mints and exchanges sessions over connections that are kept. Raw sockets, because it shares the cores with
// what it measures.

/** What is sent, and how. */
export interface MintLoad {
  readonly url: string;
  readonly connections: number;
  readonly measureMs: number;
  /** Whole requests that mint; connections share them out. Each is sent once before it counts. */
  readonly mints: readonly string[];
}

/** How long requests took. */
export interface Spread {
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** What came back. */
export interface MintResult {
  /** Sessions that were minted and exchanged. */
  readonly perSecond: number;
  readonly failed: number;
  /** Sessions of users who come for the first time. */
  readonly firstPerSecond: number;
  readonly mint: Spread;
  readonly exchange: Spread;
}

const headEnd = '\r\n\r\n';

/** Sends one request after the other. */
class Line {
  readonly #socket: Socket;
  #received = '';
  #settle: (body: string | null) => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => this.#receive(chunk));
    this.#socket.on('error', () => this.#settle(null));
  }

  /** The body of the answer; null of one that is no 200. */
  ask(request: string): Promise<string | null> {
    return new Promise(resolve => {
      this.#settle = resolve;
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    const head = this.#received.indexOf(headEnd);
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, head))?.[1]);
    const body = this.#received.slice(head + headEnd.length);
    if (body.length < length) return;
    const ok = this.#received.startsWith('200', 9);
    this.#received = '';
    this.#settle(ok ? body : null);
  }
}

/** Times of requests. */
class Times {
  readonly mint: number[] = [];
  readonly exchange: number[] = [];
  failed = 0;
}

/** Sends what it is handed, one after the other. */
async function run(line: Line, url: string, next: () => string | undefined, times: Times): Promise<void> {
  for (let mint = next(); mint !== undefined; mint = next()) {
    const begin = performance.now();
    const minted = await line.ask(mint);
    const between = performance.now();
    const exchanged =
      minted === null ? null : await line.ask(requestText('POST', '/api/v1/embed/session/token', url, minted));
    if (exchanged === null) times.failed += 1;
    times.mint.push(between - begin);
    times.exchange.push(performance.now() - between);
  }
}

async function generate({ url, connections, measureMs, mints }: MintLoad): Promise<MintResult> {
  const lines = Array.from({ length: connections }, () => new Line(Number(new URL(url).port)));
  /** Hands out requests until it hands out none. */
  const pass = async (next: () => string | undefined) => {
    const times = new Times();
    const begin = performance.now();
    await Promise.all(lines.map(line => run(line, url, next, times)));
    return { times, perSecond: times.exchange.length / ((performance.now() - begin) / 1000) };
  };
  let sent = 0;
  const first = await pass(() => mints[sent++]);
  const end = performance.now() + measureMs;
  const repeated = await pass(() => (performance.now() < end ? mints[sent++ % mints.length] : undefined));
  for (const line of lines) line.end();
  return {
    perSecond: repeated.perSecond,
    failed: first.times.failed + repeated.times.failed,
    firstPerSecond: first.perSecond,
    mint: spreadOf(repeated.times.mint),
    exchange: spreadOf(repeated.times.exchange),
  };
}

function spreadOf(times: number[]): Spread {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { medianMs: at(0.5), p99Ms: at(0.99) };
}

process.once('message', (load: MintLoad) => {
  void generate(load).then(result => process.send?.(result, () => process.disconnect()));
});
