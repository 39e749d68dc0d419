import { ChartError } from '../../../charts/chart-error.js';
import { isVegaLite, readSpec } from '../../../charts/spec.js';
import type { JsonObject } from '../../../contract/wire.js';
import { readAnswerChart } from '../../../report/answer-chart.js';
import { PlatformError } from '../../errors.js';

/** Longest specification without data, in characters of JSON. */
const longest = 20 * 1024;
const $schema = 'https://vega.github.io/schema/vega-lite/v5.json';

/**
 * Makes of a model's chart what may be drawn: Vega-Lite as JSON text, without data, its fields named as Vega reads them
 * (`orders\\.total`).
 * @param members - the columns of the query, as the model names them.
 * @throws PlatformError 400 that says what is wrong with it.
 */
export function chartSpecOf(given: string | JsonObject, members: readonly string[]): string {
  const read = readAnswerChart(readVegaLite(given), members);
  if ('problem' in read) throw new PlatformError(400, `vegaSpec: ${read.problem}`);
  const text = JSON.stringify({ $schema, ...read.chart });
  if (text.length > longest) throw new PlatformError(400, `vegaSpec: must be shorter than ${longest} characters.`);
  return text;
}

function readVegaLite(given: string | JsonObject): JsonObject {
  try {
    const spec = readSpec(given);
    if (isVegaLite(spec)) return spec;
  } catch (error) {
    if (error instanceof ChartError) throw new PlatformError(400, `vegaSpec: ${error.message}`);
    throw error;
  }
  throw new PlatformError(400, 'vegaSpec: must be a Vega-Lite specification.');
}
