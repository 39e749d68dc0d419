import { connect, type Socket } from 'node:net';

// A separate process that sends prepared requests sequentially on each of its keep-alive connections, and counts the
// responses. It uses raw sockets, because it shares the cores with the measured process.

/** The load to generate. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Complete requests with head and body. Each connection sends them in a cycle. */
  readonly requests: readonly string[];
}

/** The measured results. */
export interface LoadResult {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Number of responses with another status than 200 or with `Continue wait`. */
  readonly failed: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** Sends requests on one connection until it is stopped. */
class Line {
  readonly #socket: Socket;
  readonly #requests: readonly Buffer[];
  readonly #onAnswer: (ms: number, ok: boolean) => void;
  #next: number;
  #sentAt = 0;
  #received: Buffer = Buffer.alloc(0);

  constructor(port: number, requests: readonly Buffer[], first: number, onAnswer: (ms: number, ok: boolean) => void) {
    this.#requests = requests;
    this.#next = first;
    this.#onAnswer = onAnswer;
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true }, () => this.#send());
    this.#socket.on('data', chunk => this.#receive(chunk));
    this.#socket.on('error', () => onAnswer(0, false));
  }

  end(): void {
    this.#socket.destroy();
  }

  #send(): void {
    const request = this.#requests[this.#next % this.#requests.length];
    this.#next += 1;
    this.#sentAt = performance.now();
    if (request) this.#socket.write(request);
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const length = answerLength(this.#received);
    if (length === null || this.#received.length < length) return;
    const ok = this.#received.subarray(9, 12).equals(ok200) && !(length < 600 && this.#received.includes('"error"'));
    this.#received = Buffer.alloc(0);
    this.#onAnswer(performance.now() - this.#sentAt, ok);
    this.#send();
  }
}

const ok200 = Buffer.from('200');

/** Returns the length of the response including its head, or `null` if it is not known yet. */
function answerLength(received: Buffer): number | null {
  const head = received.indexOf(headEnd);
  if (head < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1];
  if (length !== undefined) return head + headEnd.length + Number(length);
  return received.subarray(-lastChunk.length).equals(lastChunk) ? received.length : null;
}

function generate({ port, connections, warmUpMs, measureMs, requests }: Load): Promise<LoadResult> {
  const times: number[] = [];
  let failed = 0;
  let measuring = false;
  const onAnswer = (ms: number, ok: boolean) => {
    if (!measuring) return;
    times.push(ms);
    if (!ok) failed += 1;
  };
  const buffers = requests.map(request => Buffer.from(request));
  const lines = Array.from({ length: connections }, (_, index) => new Line(port, buffers, index * 7, onAnswer));
  return new Promise(resolve => {
    setTimeout(() => {
      measuring = true;
      const begin = performance.now();
      setTimeout(() => {
        measuring = false;
        const seconds = (performance.now() - begin) / 1000;
        for (const line of lines) line.end();
        times.sort((a, b) => a - b);
        const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
        resolve({ perSecond: times.length / seconds, medianMs: at(0.5), p99Ms: at(0.99), failed });
      }, measureMs);
    }, warmUpMs);
  });
}

process.once('message', (load: Load) => {
  void generate(load).then(result => process.send?.(result, () => process.disconnect()));
});
