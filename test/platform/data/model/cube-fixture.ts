import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, Json } from '@duckdb/node-api';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import { createSqlCompiler } from '../../../../src/platform/data/compiler/sql-compiler.js';
import { SqlDialect } from '../../../../src/platform/data/engines/engine.js';
import { AccessControl } from '../../../../src/platform/data/model/access-control.js';
import { readModelFiles } from '../../../../src/platform/data/model/model-files.js';
import { collectSources } from '../../../../src/platform/data/model/model-sources.js';
import { resolveModel } from '../../../../src/platform/data/model/resolve-model.js';
import { QueryPlanner } from '../../../../src/platform/data/planner/plan-query.js';
import { Reach } from '../../../../src/platform/data/planner/reach.js';
import { RowMeasures } from '../../../../src/platform/data/planner/row-measures.js';
import type { CubePlan } from '../../../../src/platform/data/sql/sql-model.js';
import { SqlType } from '../../../../src/platform/data/sql/sql-type.js';
import type { CubeColumn, CubeQuery, Expression } from '../../../../src/platform/data/sql/tree.js';
import { PlatformError } from '../../../../src/platform/errors.js';

/** The parts of a model that statements use to plan rows. */
export interface CubeModel {
  readonly planner: QueryPlanner;
  readonly access: AccessControl;
  readonly rowLevel: RowMeasures;
  plan(query: CubeQuery, context: SecurityContext, timezone?: string): CubePlan;
  /** Returns the error of planning a query, or a note that planning succeeds. */
  refusal(query: CubeQuery, context: SecurityContext): string;
}

/** Compiles a single file. */
export async function cubeModel(text: string, dialect: SqlDialect = SqlDialect.duckdb): Promise<CubeModel> {
  const directory = await mkdtemp(join(tmpdir(), 'pa-cube-'));
  await writeFile(join(directory, 'model.yml'), text);
  const { files } = await readModelFiles(directory);
  await rm(directory, { recursive: true });
  const sources = collectSources(files, []);
  const tables = [...sources.cubes.values()].flatMap(({ source }) => source.sql_table ?? []);
  const model = resolveModel(sources, tables);
  const compiler = await createSqlCompiler(sources, model, dialect);
  const access = new AccessControl(model);
  const rowLevel = new RowMeasures(sources);
  const reach = new Reach(sources);
  const planner = new QueryPlanner({ compiler, reach, rowLevel, dialect, now: () => new Date('2001-02-15T12:00:00Z') });
  const plan: CubeModel['plan'] = (query, context, timezone = 'UTC') =>
    planner.planCube(access.of(context), query, planner.dates(timezone));
  return { planner, access, rowLevel, plan, refusal: (query, context) => refusalOf(() => plan(query, context)) };
}

function refusalOf(plan: () => CubePlan): string {
  try {
    plan().statement(alone());
    return 'planned';
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return error.message;
    throw error;
  }
}

/** Returns the place of a top-level statement. */
export function alone(firstParameter = 1) {
  const subquery = () => {
    throw new Error('no select was expected');
  };
  return { firstParameter, subquery };
}

/** Returns the rows of a planned query, sorted. */
export async function rowsOf(database: DuckDBConnection, plan: CubePlan): Promise<Json[][]> {
  const { sql, parameters } = plan.statement(alone());
  const rows = (await database.runAndReadAll(sql, [...parameters])).getRowsJson();
  return rows
    .map(row => JSON.stringify(row))
    .sort()
    .map((row): Json[] => JSON.parse(row));
}

/** Returns a grouped query of one cube or view. */
export function grouped(columns: readonly CubeColumn[], rest: Partial<CubeQuery> = {}): CubeQuery {
  return { entity: 'orders', grouped: true, columns, filters: [], conditions: [], ...rest };
}

/** Returns an ungrouped query of one cube or view. */
export function single(columns: readonly CubeColumn[], rest: Partial<CubeQuery> = {}): CubeQuery {
  return { ...grouped(columns, rest), grouped: false };
}

/** Shorthands for columns and values. */
export const dimension = (path: string): CubeColumn => ({ kind: 'dimension', path, type: SqlType.text });
export const measure = (path: string): CubeColumn => ({ kind: 'measure', path, type: SqlType.numeric });
export const time = (path: string, granularity: string): CubeColumn => ({
  kind: 'time',
  path,
  granularity,
  type: SqlType.timestamp,
});
export const computed = (value: Expression): CubeColumn => ({ kind: 'computed', value, type: value.type });
export const member = (path: string, type: SqlType = SqlType.text): Expression => ({ kind: 'member', path, type });
export const literal = (type: SqlType, value: string | number): Expression => ({ kind: 'literal', type, value });
export const text = (value: string) => literal(SqlType.text, value);
export const integer = (value: number) => literal(SqlType.integer, value);
export const call = (name: string, type: SqlType, ...args: Expression[]): Expression => ({
  kind: 'call',
  name,
  type,
  args,
});
