import { connect, type Socket } from 'node:net';
import { requestText } from './host.js';

// A separate process that mints and exchanges sessions over keep-alive connections. It uses raw sockets, because it
// shares the cores with the measured process.

/** The load to generate. */
export interface MintLoad {
  readonly url: string;
  readonly connections: number;
  readonly measureMs: number;
  /** Complete mint requests, distributed over the connections. Each is sent once as warm-up. */
  readonly mints: readonly string[];
}

/** Percentiles of request times. */
export interface Spread {
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** The measured results. */
export interface MintResult {
  /** Number of sessions minted and exchanged per second. */
  readonly perSecond: number;
  readonly failed: number;
  /** The same for sessions of new users. */
  readonly firstPerSecond: number;
  readonly mint: Spread;
  readonly exchange: Spread;
}

const headEnd = '\r\n\r\n';

/** A connection that sends requests sequentially. */
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

  /** Returns the body of the response, or `null` if the status is not 200. */
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

/** Collects request times. */
class Times {
  readonly mint: number[] = [];
  readonly exchange: number[] = [];
  failed = 0;
}

/** Sends requests sequentially until `next` returns undefined. */
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
  /** Sends requests on all connections until `next` returns undefined. */
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
