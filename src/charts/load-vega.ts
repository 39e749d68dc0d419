import type { TextMeasure, Vega } from './vega.js';

export type { TextMeasure, Vega } from './vega.js';

/** Loads the Vega chunk and initializes Vega. */
export async function loadVega(): Promise<Vega> {
  const { openVega } = await import('./vega.js');
  return openVega();
}

/** Sets the function that measures the labels of all charts. A server measures with the font that it renders. */
export async function measureChartTexts(measure: TextMeasure): Promise<void> {
  (await loadVega()).measureTexts(measure);
}
