import type { DataClient, Sending } from './data-client.js';
import { dashboard } from './data-queries.js';
import { median } from './figures.js';

/** How it went when all tenants asked for everything at once. */
export interface Crowd {
  /** Of each answer that was not rows, its status; of each that did not come, why. */
  readonly errors: readonly string[];
  /** When the tenant in the middle, and the last one, had all of its answers. */
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** All tenants open their dashboard at the same moment, and none of it is at hand. */
export async function measureCrowd(client: DataClient, tokens: readonly string[]): Promise<Crowd> {
  const begin = performance.now();
  const errors: string[] = [];
  const ask = async (sending: Sending) => {
    const told = await client.load(sending).then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    );
    if (told !== '200') errors.push(told);
  };
  const ends = await Promise.all(
    tokens.map(async token => {
      await Promise.all(dashboard.map(query => ask({ token, query, fresh: true })));
      return performance.now() - begin;
    }),
  );
  return { errors, medianMs: median(ends), slowestMs: Math.max(...ends) };
}
