import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataService } from '../../../src/platform/data/data-service.js';
import { openDuckDbEngine } from '../../../src/platform/data/duckdb/open-duckdb-engine.js';
import { compileModel } from '../../../src/platform/data/model/compile-model.js';
import type { SemanticModel } from '../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { dataRoutes } from '../../../src/platform/routes/data.js';
import { writeParquet } from './duckdb/parquet.js';
import { caller } from './fakes.js';

/** The tenants that have rows; every text in a row starts with its tenant, and ids of one tenant are those of the other too. */
export const tenants = ['tenant_a', 'tenant_b'] as const;

/** Callers by the token they send: the tenants, one that has no rows, and all ways of having no tenant at all. */
const callers = new Map<string, ReturnType<typeof caller>>([
  ...tenants.map(tenant => [tenant, caller({ tenant })] as const),
  ['tenant_x', caller({ tenant: 'tenant_x' })],
  ["' OR 1=1 --", caller({ tenant: "' OR 1=1 --" })],
  ['missing', caller()],
  ['null', caller({ tenant: null })],
  ['empty', caller({ tenant: '' })],
  ['list', caller({ tenant: [] })],
  ['object', caller({ tenant: { constructor: 'tenant_a' } })],
]);
/** Callers who have a tenant, but one without rows. */
export const strangers = ['tenant_x', "' OR 1=1 --"] as const;
/** Callers whose policy can't match. */
export const nobodies = ['missing', 'null', 'empty', 'list', 'object'] as const;

/** A running Data API. */
export interface Server {
  readonly app: ReturnType<typeof dataRoutes>;
  close(): Promise<void>;
}

const ownRows = `filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }]`;
const allRows = 'allow_all: true';

/** One server over the rows of all tenants, each of whom sees the own ones alone. */
export async function startShared(): Promise<Server> {
  return start(tenants, await compile(ownRows));
}

/**
 * For each tenant and stranger a server that holds the caller's own rows and no others, and shows them all: what the shared one has to
 * answer to that caller.
 */
export async function startAlone(): Promise<ReadonlyMap<string, Server>> {
  const model = await compile(allRows);
  const empty = await start([], model);
  const own = tenants.map(async tenant => [tenant, await start([tenant], model)] as const);
  return new Map([...(await Promise.all(own)), ...strangers.map(stranger => [stranger, empty] as const)]);
}

async function compile(rowLevel: string): Promise<SemanticModel> {
  const directory = await mkdtemp(join(tmpdir(), 'pa-property-'));
  await writeFile(join(directory, 'model.yml'), modelText(rowLevel));
  const model = await compileModel({ directory, tables: ['orders', 'customers'] });
  await rm(directory, { recursive: true });
  return model;
}

async function start(present: readonly string[], model: SemanticModel): Promise<Server> {
  const sources = await mkdtemp(join(tmpdir(), 'pa-property-'));
  for (const [table, select] of Object.entries(tableSelects(present))) {
    await writeParquet(join(sources, `${table}.parquet`), select);
  }
  const engine = await openDuckDbEngine({ sources, threads: 1, memoryLimit: '256MB' });
  const service = createDataService({ engine, model: { current: model } });
  const app = dataRoutes({ service, authenticate: async request => readCaller(request) });
  const close = async () => {
    await engine.close();
    await rm(sources, { recursive: true, force: true });
  };
  return { app, close };
}

function readCaller(request: Request) {
  const found = callers.get(request.headers.get('authorization') ?? '');
  if (!found) throw new PlatformError(403, 'Invalid token');
  return found;
}

/** Rows of each tenant, their numbers told apart by the tenant's place; a tenant that is absent keeps the table and its types. */
function tableSelects(present: readonly string[]): Record<string, string> {
  const rowsOf = (select: (tenant: string, place: number) => string) =>
    tenants.map((tenant, place) => `(${select(tenant, place + 1)} ${present.includes(tenant) ? '' : 'LIMIT 0'})`);
  const union = (selects: string[]) => selects.join(' UNION ALL ');
  return {
    orders: union(
      rowsOf(
        (
          tenant,
          place,
        ) => `SELECT range AS id, '${tenant}' AS tenant, '${tenant} ' || (['Rom', 'Köln', 'O''Hara', 'a%b_c\\'])[1 + range % 4] AS city,
          range * 7 % 100 * ${place} AS amount, TIMESTAMP '2024-01-01 22:30:00' + INTERVAL (range * 31 * ${place}) HOUR AS placed_at,
          1 + range % 5 AS customer_id, '${tenant} secret' AS secret, range % 3 = 0 AS paid
          FROM range(${100 + 20 * place})`,
      ),
    ),
    customers: union(
      rowsOf(
        (tenant, place) =>
          `SELECT 1 + range AS id, '${tenant}' AS tenant, '${tenant} customer ' || range AS name FROM range(${4 + place})`,
      ),
    ),
  };
}

function modelText(rowLevel: string): string {
  return `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: customers
        sql: "{CUBE}.customer_id = {customers}.id"
        relationship: many_to_one
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: city, sql: city, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: paid, sql: paid, type: boolean }
      - { name: placed_at, sql: placed_at, type: time }
      - { name: secret, sql: secret, type: string }
      - { name: internal, sql: secret, type: string, public: false }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: average, sql: amount, type: avg }
      - { name: largest, sql: amount, type: max }
      - { name: cities, sql: city, type: count_distinct }
      - { name: leaked, sql: secret, type: max }
    segments:
      - { name: large, sql: "{CUBE}.amount > 50" }
    access_policy:
      - group: "*"
        row_level: { ${rowLevel} }
        member_level: { excludes: [secret, leaked] }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: name, sql: name, type: string }
    measures:
      - { name: count, type: count }
      - { name: last, sql: name, type: max }
    access_policy:
      - group: "*"
        row_level: { ${rowLevel} }
  - name: vault
    sql_table: orders
    dimensions:
      - { name: secret, sql: secret, type: string }
    measures:
      - { name: count, type: count }
    access_policy:
      - group: nobody
        row_level: { allow_all: true }
views:
  - name: sales
    cubes:
      - join_path: orders
        includes: [count, total, city, tenant, placed_at, secret]
      - join_path: orders.customers
        includes: [name]
    access_policy:
      - group: "*"
        row_level: { allow_all: true }
  - name: vault_view
    cubes:
      - join_path: vault
        includes: "*"
    access_policy:
      - group: "*"
        row_level: { allow_all: true }
`;
}
