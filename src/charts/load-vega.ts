import type { Vega } from './vega.js';

export type { Vega } from './vega.js';

/** Loads the Vega chunk and initializes Vega. */
export async function loadVega(): Promise<Vega> {
  const { openVega } = await import('./vega.js');
  return openVega();
}
