import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileModel } from '../../../../src/platform/data/compile-model.js';
import { openDuckDbEngine } from '../../../../src/platform/data/engines/duckdb/open-duckdb-engine.js';
import type { Engine } from '../../../../src/platform/data/engines/engine.js';
import { openPostgresEngine } from '../../../../src/platform/data/engines/postgres/open-postgres-engine.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { caller } from '../callers.js';
import { writeParquet } from '../engines/duckdb/parquet.js';
import type { DataSource } from '../engines/postgres/data-source.js';
import type { Answer } from './corpus/answer.js';

/** Tables and a model. */
export interface WorldOptions {
  /** SELECTs of the tables, by name. */
  readonly tables: Readonly<Record<string, string>>;
  /** YAML of the model. */
  readonly model: string;
}

/** Semantic SQL over an engine, without HTTP. */
export interface World {
  readonly engine: Engine;
  readonly model: SemanticModel;
  /** Returns the result; rejects with the platform's error. */
  ask(text: string, context?: ReturnType<typeof caller>): Promise<Answer>;
  close(): Promise<void>;
}

/** Opens a world on DuckDB. */
export async function openDuckDbWorld(options: WorldOptions): Promise<World> {
  const sources = await mkdtemp(join(tmpdir(), 'pa-world-'));
  for (const [table, select] of Object.entries(options.tables)) {
    await writeParquet(join(sources, `${table}.parquet`), select);
  }
  const engine = await openDuckDbEngine({ sources, threads: 1, memoryLimit: '256MB' });
  return worldOf(engine, options, () => rm(sources, { recursive: true, force: true }));
}

/** Opens a world on a Postgres server that has its tables. */
export async function openPostgresWorld(source: DataSource, options: WorldOptions): Promise<World> {
  return worldOf(await openPostgresEngine({ url: source.url }), options, async () => {});
}

/** @param clear - removes the engine's files after it is closed. */
async function worldOf(
  engine: Engine,
  { tables, model: text }: WorldOptions,
  clear: () => Promise<void>,
): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'pa-world-'));
  await writeFile(join(directory, 'model.yml'), text);
  const model = await compileModel({ directory, tables: Object.keys(tables), dialect: engine.dialect });
  await rm(directory, { recursive: true });
  return {
    engine,
    model,
    async ask(text, context = caller()) {
      const plan = await model.planSql({ text }, context, engine);
      const { sql, parameters } = plan.statement();
      const stream = await engine.stream(sql, parameters);
      try {
        const rows: (string | null)[][] = [];
        for await (const { json } of stream.pieces) rows.push(...JSON.parse(`[${Buffer.from(json).toString()}]`));
        return { columns: plan.columns, rows };
      } finally {
        await stream.close();
      }
    },
    async close() {
      await engine.close();
      await clear();
    },
  };
}
