import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbEngine } from '../../../../../src/platform/data/duckdb/open-duckdb-engine.js';
import type { Engine } from '../../../../../src/platform/data/engine.js';
import { compileModel } from '../../../../../src/platform/data/model/compile-model.js';
import type { SemanticModel } from '../../../../../src/platform/data/semantic-model.js';
import { writeParquet } from '../../duckdb/parquet.js';
import { caller } from '../../fakes.js';
import type { Answer } from './answer.js';
import { modelText } from './model.js';
import { tableSelects } from './tables.js';

/** A model of the corpus' tables and an engine that holds them. */
export interface OurWorld {
  readonly model: SemanticModel;
  readonly engine: Engine;
  /** What we answer; throws what we say against a statement. */
  ask(text: string): Promise<Answer>;
  close(): Promise<void>;
}

/** The corpus in DuckDB. */
export async function startDuckDb(): Promise<OurWorld> {
  const sources = await mkdtemp(join(tmpdir(), 'pa-corpus-'));
  for (const [table, select] of Object.entries(tableSelects)) {
    await writeParquet(join(sources, `${table}.parquet`), select);
  }
  const engine = await openDuckDbEngine({ sources, threads: 1, memoryLimit: '256MB' });
  return worldOf(engine, () => rm(sources, { recursive: true, force: true }));
}

/** @param clear - takes away what the engine was made of, once it is closed. */
async function worldOf(engine: Engine, clear: () => Promise<void>): Promise<OurWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'pa-corpus-'));
  await writeFile(join(directory, 'model.yml'), modelText);
  const model = await compileModel({ directory, tables: Object.keys(tableSelects) });
  await rm(directory, { recursive: true });
  return {
    model,
    engine,
    async ask(text) {
      const plan = await model.planSql({ text }, caller(), engine);
      const { sql, parameters } = plan.statement();
      const { pieces } = await engine.stream(sql, parameters);
      const rows: (string | null)[][] = [];
      for await (const { json } of pieces) rows.push(...JSON.parse(`[${Buffer.from(json).toString()}]`));
      return { columns: plan.columns, rows };
    },
    async close() {
      await engine.close();
      await clear();
    },
  };
}
