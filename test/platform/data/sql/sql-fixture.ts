import type { DuckDBConnection, Json } from '@duckdb/node-api';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import { sqlTypeOf } from '../../../../src/platform/data/engines/duckdb/row-stream.js';
import { SqlDialect } from '../../../../src/platform/data/engines/engine.js';
import { MemberTypeReader } from '../../../../src/platform/data/planner/member-types.js';
import type { ColumnDescriber, SqlPlan, Statement } from '../../../../src/platform/data/semantic-model.js';
import { analyzeSql, planSql } from '../../../../src/platform/data/sql/plan-sql.js';
import type { SqlModel } from '../../../../src/platform/data/sql/sql-model.js';
import { convertSql } from '../../../../src/platform/data/sql/to-load-query.js';
import type { CubeQuery } from '../../../../src/platform/data/sql/tree.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import type { ConvertedSql } from '../../../../src/platform/http/route-deps.js';
import { tenantCaller } from '../callers.js';
import { cubeModel } from '../model/cube-fixture.js';
import { openDatabase } from '../model/fixture.js';
import { shop } from '../model/shop.js';

/** Default caller: tenant a with all groups. */
export const finance = tenantCaller('a', 'finance', 'sales');

/** Caller, time zone and dialect of a statement. */
interface PlanOptions {
  readonly context?: SecurityContext;
  readonly timezone?: string;
  /** Dialect of the engine; DuckDB by default. */
  readonly dialect?: SqlDialect;
}

/** Runs statements over the tables of the fixture on DuckDB. */
export interface SqlShop {
  readonly database: DuckDBConnection;
  plan(text: string, options?: PlanOptions): Promise<SqlPlan>;
  rows(text: string, options?: PlanOptions): Promise<Json[][]>;
  /** Returns the queries of cubes and views in a statement. */
  queries(text: string, options?: PlanOptions): Promise<readonly CubeQuery[]>;
  convert(text: string, options?: PlanOptions): Promise<ConvertedSql>;
  /** Returns rows of the equivalent load query in the statement's columns. */
  loaded(text: string, options?: PlanOptions): Promise<Json[][]>;
  /** Returns the reason for a rejection. */
  refusal(text: string, options?: PlanOptions): Promise<string>;
  /** Returns the reason why there is no load query. */
  noQuery(text: string, options?: PlanOptions): Promise<string>;
}

/** The model of the fixture, in which customers are visible. */
const openedShop = shop.replace('public: false\n    dimensions', 'dimensions');

/** Compiles a model over the fixture's tables. */
export async function openShop(text: string = openedShop): Promise<SqlShop> {
  const { planner, access, rowLevel } = await cubeModel(text);
  const database = await openDatabase();
  const reader = new MemberTypeReader({ planner, rowLevel, access: access.ofPublic() });
  const modelOf = ({ context = finance, timezone, dialect = SqlDialect.duckdb }: PlanOptions = {}): SqlModel => {
    const dates = planner.dates(timezone);
    return {
      ...dates,
      access: access.of(context),
      dialect,
      memberTypes: paths => reader.typesOf(paths, describing(database)),
      planCube: query => planner.planCube(access.of(context), query, dates),
    };
  };
  const run = async ({ sql, parameters }: Statement) =>
    (await database.runAndReadAll(sql, [...parameters])).getRowsJson();
  const plan: SqlShop['plan'] = (sql, options) => planSql(sql, modelOf(options));
  const convert: SqlShop['convert'] = (sql, options) => convertSql(sql, modelOf(options));
  return {
    database,
    plan,
    convert,
    rows: async (sql, options) => run((await plan(sql, options)).statement()),
    queries: async (sql, options) => (await analyzeSql(sql, modelOf(options))).queries,
    loaded: async (sql, options) => {
      const { query, columns } = await convert(sql, options);
      const { timezone = 'UTC' } = options ?? {};
      const loading = planner.plan(modelOf(options).access, { ...query, timezone });
      const members = loading.columns.map(({ member }) => member);
      const rows = await run(loading.statement());
      return rows.map(row => Object.values(columns).map(member => row[members.indexOf(member)] ?? null));
    },
    refusal: (sql, options) => refusalOf(async () => (await plan(sql, options)).statement()),
    noQuery: (sql, options) => refusalOf(() => convert(sql, options)),
  };
}

function describing(database: DuckDBConnection): ColumnDescriber {
  return {
    dataVersion: '1',
    describe: async sql => {
      const prepared = await database.prepare(sql);
      return Array.from({ length: prepared.columnCount }, (_, index) => sqlTypeOf(prepared.columnTypeId(index)));
    },
  };
}

async function refusalOf(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return error.message;
    throw error;
  }
  return 'not rejected';
}
