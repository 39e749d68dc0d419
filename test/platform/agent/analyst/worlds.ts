import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { RowSet } from '../../../../src/contract/row-set.js';
import type { AgentContext, AgentTurn } from '../../../../src/platform/agent/agent.js';
import { createTools } from '../../../../src/platform/agent/tools/create-tools.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import type { CallerData } from '../../../../src/platform/data/caller-data.js';
import { compileModel } from '../../../../src/platform/data/compile-model.js';
import type { QueryPlan, SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { shopModel, shopTables } from './shop.js';

/** A model and its data as seen by one caller, with the time of the questions. */
export interface World {
  readonly data: CallerData;
  readonly timezone: string;
  readonly now: Date;
  /** Cube of names without a dot. */
  readonly cube: string;
  context(signal?: AbortSignal): AgentContext;
  turn(input: string, more?: Partial<AgentTurn>): AgentTurn;
  close(): void;
}

const samples = 'node_modules/vega-datasets/data';

/** Returns the demo model and data, as Atlanta airport on 15 June 2001. */
export async function flightWorld(airport = 'ATL', now = new Date('2001-06-15T12:00:00Z')): Promise<World> {
  const connection = await connect();
  await connection.run(
    `CREATE TABLE flights AS FROM '${samples}/flights-3m.parquet' WHERE origin = '${airport}'; CREATE TABLE airports AS FROM '${samples}/airports.csv'`,
  );
  const model = await compileModel({ directory: 'demo/model', tables: ['flights', 'airports'] });
  return worldOf({ connection, model, keys: { airport }, timezone: 'UTC', now, cube: 'departures' });
}

/** Returns a shop with joined cubes, on 15 June 2024 in Berlin. */
export async function shopWorld(source = shopModel): Promise<World> {
  const connection = await connect();
  await connection.run(shopTables);
  const directory = await mkdtemp(join(tmpdir(), 'pa-analyst-'));
  await writeFile(join(directory, 'shop.yml'), source);
  const model = await compileModel({ directory, tables: ['orders', 'customers', 'products'] });
  await rm(directory, { recursive: true });
  return worldOf({
    connection,
    model,
    keys: {},
    timezone: 'Europe/Berlin',
    now: new Date('2024-06-15T12:00:00Z'),
    cube: 'orders',
  });
}

/** Opens an empty engine. */
export async function connect(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run("SET TimeZone = 'UTC'");
  return connection;
}

interface Parts {
  readonly connection: DuckDBConnection;
  readonly model: SemanticModel;
  readonly keys: Record<string, unknown>;
  readonly timezone: string;
  readonly now: Date;
  readonly cube: string;
}

/** Creates the world of a compiled model. */
export function worldOf({ connection, model, keys, timezone, now, cube }: Parts): World {
  const security: SecurityContext = { ...keys, platform: { groups: [], userAttributes: {} } };
  const data: CallerData = {
    meta: () => model.meta(security),
    async load(query, { signal }) {
      signal.throwIfAborted();
      const plan = model.plan({ timezone, ...query }, security);
      const rows = await rowsOf(connection, plan);
      const { sql, parameters } = plan.totalStatement();
      const [total] = (await connection.runAndReadAll(sql, [...parameters])).getRowsJson();
      return { rowSet: rows, totalRows: Number(total?.[0] ?? 0) };
    },
  };
  const tools = createTools(data, { timezone });
  return {
    data,
    timezone,
    now,
    cube,
    context: (signal = new AbortController().signal) => ({ data, tools, signal }),
    turn: (input, more) => ({ history: [], input, images: [], now, timezone, locale: 'en', resumeFrom: null, ...more }),
    close: () => connection.closeSync(),
  };
}

async function rowsOf(connection: DuckDBConnection, plan: QueryPlan): Promise<RowSet> {
  const { sql, parameters } = plan.statement();
  const rows = (await connection.runAndReadAll(sql, [...parameters])).getRowsJson();
  const { annotation } = plan;
  const columns = plan.columns.map(({ member, kind }) => {
    const described = annotation.measures[member] ?? annotation.dimensions[member] ?? annotation.timeDimensions[member];
    if (described === undefined) throw new Error(`nothing is known of ${member}`);
    return { member, kind, annotation: described };
  });
  const cell = (value: unknown) =>
    value === null || value === undefined ? null : String(value).replace(/^(\d{4}-\d\d-\d\d) (.+)$/, '$1T$2.000');
  return {
    columns,
    rows: rows.map(row => Object.fromEntries(columns.map(({ member }, index) => [member, cell(row[index])]))),
    truncated: false,
    lastRefreshTime: null,
  };
}
