/** Loads the chunk that holds Vega. */
export function loadVega(): Promise<typeof import('./vega.js')> {
  return import('./vega.js');
}
