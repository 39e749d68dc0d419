import { openDuckDbWorld, openPostgresWorld, type World } from '../worlds.js';
import { modelText } from './model.js';
import { type PostgresWorld, startPostgres } from './on-postgres.js';
import { tableSelects } from './tables.js';

/** Engines of the platform. */
export const engines = ['duckdb', 'postgres'] as const;

/** The corpus' tables in Postgres, and behind the platform. */
export interface CorpusWorlds {
  readonly postgres: PostgresWorld;
  /** The platform, by engine. */
  readonly ours: Readonly<Record<(typeof engines)[number], World>>;
  close(): Promise<void>;
}

/** Starts all servers and engines. */
export async function startCorpus(): Promise<CorpusWorlds> {
  const options = { tables: tableSelects, model: modelText };
  const postgres = await startPostgres();
  const ours = { duckdb: await openDuckDbWorld(options), postgres: await openPostgresWorld(postgres.source, options) };
  return {
    postgres,
    ours,
    async close() {
      await Promise.all(Object.values(ours).map(world => world.close()));
      await postgres.close();
    },
  };
}
