import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbEngine } from '../../../../../src/platform/data/engines/duckdb/open-duckdb-engine.js';

/** Columns (`id BIGINT`) and rows that an engine reads from one file, in the order of the file. */
export interface OneSource {
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Serves a folder that contains only this file, and reads its table `t`. */
export async function readSource(name: string, content: string | Buffer, select = '*'): Promise<OneSource> {
  const sources = await mkdtemp(join(tmpdir(), 'pa-source-'));
  try {
    await writeFile(join(sources, name), content);
    const engine = await openDuckDbEngine({ sources, threads: 2, memoryLimit: '256MB', pollMs: 60_000 });
    try {
      const types = await engine.run(
        `SELECT column_name || ' ' || data_type FROM information_schema.columns
         WHERE table_catalog = 'source_t' ORDER BY ordinal_position`,
        [],
      );
      const { columns } = await engine.run(`SELECT ${select} FROM t`, []);
      const rows = (columns[0] ?? []).map((_, row) => columns.map(column => column[row]));
      return { types: types.columns[0]?.map(String) ?? [], rows };
    } finally {
      await engine.close();
    }
  } finally {
    await rm(sources, { recursive: true });
  }
}

/** Returns the error for a folder that contains only this file. */
export async function refusal(name: string, content: string | Buffer): Promise<string> {
  return readSource(name, content).then(
    () => 'taken',
    (error: unknown) => String(error),
  );
}
