import type { DataClient, Sending } from './data-client.js';
import { dashboard } from './data-queries.js';
import { median } from './figures.js';

/** Results of concurrent requests of all tenants. */
export interface Crowd {
  /** The status of each response without rows, or the reason of each failed request. */
  readonly errors: readonly string[];
  /** Time until the median tenant and the last tenant had all responses. */
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** Measures all tenants opening their dashboard concurrently with an empty cache. */
export async function measureCrowd(client: DataClient, tokens: readonly string[]): Promise<Crowd> {
  const begin = performance.now();
  const errors: string[] = [];
  const send = async (sending: Sending) => {
    const result = await client.load(sending).then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    );
    if (result !== '200') errors.push(result);
  };
  const ends = await Promise.all(
    tokens.map(async token => {
      await Promise.all(dashboard.map(query => send({ token, query, fresh: true })));
      return performance.now() - begin;
    }),
  );
  return { errors, medianMs: median(ends), slowestMs: Math.max(...ends) };
}
