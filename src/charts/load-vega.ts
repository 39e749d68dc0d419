import type { TextMeasure, Vega } from './vega.js';

export type { TextMeasure, Vega } from './vega.js';

/** Loads the Vega chunk and initializes Vega. */
export async function loadVega(): Promise<Vega> {
  const { openVega } = await import('./vega.js');
  return openVega();
}

/** Measures the labels of all charts with a function: on a server, with the font that is drawn. */
export async function measureChartTexts(measure: TextMeasure): Promise<void> {
  (await loadVega()).measureTexts(measure);
}
