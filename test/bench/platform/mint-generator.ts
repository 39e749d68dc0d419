import { connect, type Socket } from 'node:net';
import { requestText } from './host.js';

// A process of its own: mints and exchanges sessions over connections that are kept. Raw sockets, because it shares the cores with
// what it measures.

/** What is sent, and how. */
export interface MintLoad {
  readonly url: string;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Whole requests that mint; connections share them out. */
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

/** Times of requests while they are to be measured. */
class Times {
  readonly mint: number[] = [];
  readonly exchange: number[] = [];
  failed = 0;
  isOn = false;
}

async function run(line: Line, { url, mints }: MintLoad, first: number, step: number, times: Times): Promise<void> {
  for (let index = first; ; index += step) {
    const begin = performance.now();
    const minted = await line.ask(mints[index % mints.length] ?? '');
    const between = performance.now();
    const exchanged =
      minted === null ? null : await line.ask(requestText('POST', '/api/v1/embed/session/token', url, minted));
    if (!times.isOn) continue;
    if (exchanged === null) times.failed += 1;
    times.mint.push(between - begin);
    times.exchange.push(performance.now() - between);
  }
}

function generate(load: MintLoad): Promise<MintResult> {
  const { connections, warmUpMs, measureMs } = load;
  const times = new Times();
  const lines = Array.from({ length: connections }, () => new Line(Number(new URL(load.url).port)));
  for (const [index, line] of lines.entries()) void run(line, load, index, connections, times);
  return new Promise(resolve => {
    setTimeout(() => {
      times.isOn = true;
      const begin = performance.now();
      setTimeout(() => {
        times.isOn = false;
        const perSecond = times.exchange.length / ((performance.now() - begin) / 1000);
        for (const line of lines) line.end();
        resolve({ perSecond, failed: times.failed, mint: spreadOf(times.mint), exchange: spreadOf(times.exchange) });
      }, measureMs);
    }, warmUpMs);
  });
}

function spreadOf(times: number[]): Spread {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { medianMs: at(0.5), p99Ms: at(0.99) };
}

process.once('message', (load: MintLoad) => {
  void generate(load).then(result => process.send?.(result, () => process.disconnect()));
});
