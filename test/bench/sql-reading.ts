import type { SecurityContext } from '../../src/platform/auth/principal.js';
import { compileModel } from './data-engine.js';
import { median } from './figures.js';
import { varied } from './sql-statements.js';

type OpenDuckDbEngine = typeof import('../../src/platform/data/engines/duckdb/open-duckdb-engine.js').openDuckDbEngine;

/** Folders of model, data and imports. */
export interface ReadingSetting {
  readonly model: string;
  readonly sources: string;
  readonly workDirectory: string;
}

const caller: SecurityContext = { platform: { groups: [], userAttributes: {} } };

/** Measures the time from a statement's text to SQL for the engine, warm, with the code of the build. */
export async function measureReading({
  model: directory,
  sources,
  workDirectory,
}: ReadingSetting): Promise<{ medianMs: number; slowestMs: number }> {
  const path = new URL('../../dist/platform/data/engines/duckdb/open-duckdb-engine.js', import.meta.url).href;
  const { openDuckDbEngine }: { openDuckDbEngine: OpenDuckDbEngine } = await import(path);
  const engine = await openDuckDbEngine({ sources, workDirectory });
  try {
    const model = await compileModel({ directory, tables: engine.tables });
    const times = new Map(varied.map(text => [text, [] as number[]]));
    for (let round = 0; round < 12; round++) {
      for (const [text, taken] of times) {
        const begin = performance.now();
        (await model.planSql({ text }, caller, engine)).statement();
        if (round >= 2) taken.push(performance.now() - begin);
      }
    }
    const medians = [...times.values()].map(median);
    return { medianMs: median(medians), slowestMs: Math.max(...medians) };
  } finally {
    await engine.close();
  }
}
