import { compileVegaLite } from '../../../src/charts/view.js';
import type { JsonObject } from '../../../src/contract/wire.js';

const field = (name: string): JsonObject => ({ field: name, type: 'quantitative', title: null });

/** Returns a report whose rows the page provides, with a chart compiled as on publishing. */
async function snapshotOf(mark: string): Promise<JsonObject> {
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    data: { name: 'rows' },
    mark: { type: mark },
    encoding: { x: field('x'), y: field('y') },
  };
  const vega = await compileVegaLite(spec);
  return {
    id: 1,
    reportId: 1,
    versionNumber: 1,
    name: `100,000 rows as a ${mark}`,
    kind: 'vega',
    spec,
    meta: { vega },
  };
}

/** Returns reports of 100,000 rows with the columns `x` and `y`: a line and points. */
export async function largeSnapshots(): Promise<{ readonly line: JsonObject; readonly points: JsonObject }> {
  return { line: await snapshotOf('line'), points: await snapshotOf('point') };
}
