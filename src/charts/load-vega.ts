import type { Vega } from './vega.js';

export type { Vega } from './vega.js';

/** Loads the chunk that holds Vega, and sets Vega up. */
export async function loadVega(): Promise<Vega> {
  const { openVega } = await import('./vega.js');
  return openVega();
}
