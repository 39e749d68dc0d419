import { Agent, request } from 'node:http';
import type { Query } from '../../src/contract/query.js';

/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** Time from the first byte sent to the last byte received. */
  readonly ms: number;
}

/** How a query is sent. */
export interface Sending {
  readonly token: string;
  readonly query: Query;
  /** True to bypass the cache. */
  readonly fresh: boolean;
}

/** Path of the measured operation. */
export const loadPath = '/data-api/v1/load';

/** Returns the body of a request. */
export function bodyOf({ query, fresh }: Omit<Sending, 'token'>): string {
  return JSON.stringify(fresh ? { query, cache: 'no-cache' } : { query });
}

/**
 * A minimal client with keep-alive connections. Its own cost must be low, because it runs on the cores that it
 * measures.
 */
export class DataClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, noDelay: true });

  constructor(platformUrl: string) {
    this.#url = new URL(loadPath, platformUrl);
  }

  /** Sends a query once. */
  async send(sending: Sending): Promise<Answer> {
    const body = bodyOf(sending);
    const headers = {
      authorization: sending.token,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const begin = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - begin;
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), ms });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Sends a query until rows arrive, like a client that receives `Continue wait`. */
  async load(sending: Sending): Promise<Answer> {
    let ms = 0;
    for (;;) {
      const answer = await this.send(sending);
      ms += answer.ms;
      if (!isContinueWait(answer)) return { ...answer, ms };
    }
  }

  /**
   * Like `load`, but the response must contain rows.
   * @throws Error with the response if it contains no rows.
   */
  async rows(sending: Sending): Promise<Answer> {
    const answer = await this.load(sending);
    if (answer.status !== 200) throw new Error(`A query returned ${answer.status}: ${answer.body.subarray(0, 300)}`);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function isContinueWait({ status, body }: Answer): boolean {
  return status === 200 && body.length < 500 && body.includes('"Continue wait"');
}
