import { setImmediate } from 'node:timers/promises';
import { UserError } from '@cubejs-backend/schema-compiler';
import type { AcceptedSql } from './accepted-sql.js';
import { createSqlCompiler } from './compiler/sql-compiler.js';
import { type Engine, SqlDialect } from './engines/engine.js';
import { type Access, AccessControl } from './model/access-control.js';
import { MemberKind } from './model/definition.js';
import { MetaCache } from './model/meta-cache.js';
import type { ModelCaches } from './model/model-caches.js';
import { MissingVariableError, ModelError, type ModelProblem } from './model/model-error.js';
import { type ModelFiles, type ModelLocation, readModelFiles, type VariableScope } from './model/model-files.js';
import { collectSources, type ModelSources } from './model/model-sources.js';
import { resolveModel, warnAboutModel } from './model/resolve-model.js';
import { VariableTokens } from './model/variables.js';
import { MemberTypeReader } from './planner/member-types.js';
import { QueryPlanner } from './planner/plan-query.js';
import { Reach } from './planner/reach.js';
import { RowMeasures } from './planner/row-measures.js';
import { reportRejectedSql } from './report-rejected-sql.js';
import type { ColumnDescriber, QueryPlan, SemanticModel } from './semantic-model.js';
import { planSql } from './sql/plan-sql.js';
import type { SqlModel } from './sql/sql-model.js';
import { convertSql } from './sql/to-load-query.js';

/** Inputs of a model compilation. */
export interface ModelOptions {
  /** Folder that contains the YAML files, including subfolders; or the files themselves. */
  readonly directory: ModelLocation;
  /** Names of the tables that cubes may read. If omitted, cubes may name any table. */
  readonly tables?: readonly string[];
  /** Returns the reference time for relative dates; the system time by default. */
  readonly now?: () => Date;
  /** SQL dialect of the generated statements and of the SQL in the model; DuckDB by default. */
  readonly dialect?: SqlDialect;
  /** Environment variables of the model, and the tokens that replace them in statements; none by default. */
  readonly variables?: VariableScope;
  /** Results of earlier compilations; none by default. */
  readonly caches?: ModelCaches;
}

/** Engine for checking the SQL of a model. */
type CheckEngine = Pick<Engine, 'describe' | 'run'> & {
  /** SQL that the engine accepted in earlier checks and that is not checked again. By default, all SQL is checked. */
  readonly accepted?: AcceptedSql;
};

/** Summary of a model that compiles. */
export interface CheckedModel {
  readonly cubes: number;
  readonly views: number;
  /** Names of the public members. */
  readonly members: ReadonlySet<string>;
  /** Probable mistakes that do not prevent the model from compiling. */
  readonly warnings: readonly ModelProblem[];
}

/**
 * Compiles the cubes and views of a folder for an engine. The generated statements require a connection whose time zone
 * is UTC.
 * @throws ModelError with every problem, each with file and line.
 */
export async function compileModel(options: ModelOptions): Promise<SemanticModel> {
  const files = await readModelFiles(options.directory, scopeOf(options), options.caches?.parsed);
  return semanticModel(await compile(files, options), options);
}

/** Compiles a model without cubes, which is served while the values of environment variables are missing. */
export async function compileEmptyModel(options: ModelOptions): Promise<SemanticModel> {
  const nothing = { files: [], problems: [], missingValues: [], version: 'empty' };
  return semanticModel(await compile(nothing, options), options);
}

function scopeOf({ variables }: Pick<ModelOptions, 'variables'>): VariableScope {
  return variables ?? { values: new Map(), tokens: new VariableTokens() };
}

function semanticModel(
  { sources, model, compiler, version }: Awaited<ReturnType<typeof compile>>,
  options: ModelOptions,
): SemanticModel {
  const access = new AccessControl(model);
  const metaCache = new MetaCache(version);
  const rowLevel = new RowMeasures(sources);
  const { dialect = SqlDialect.duckdb } = options;
  const planner = createPlanner({ sources, compiler }, options);
  const publicAccess = access.ofPublic();
  const types = new MemberTypeReader({ planner, rowLevel, access: publicAccess });
  const sqlModel = (caller: Access, engine: ColumnDescriber, timezone?: string): SqlModel => {
    const dates = planner.dates(timezone);
    return {
      ...dates,
      access: caller,
      dialect,
      memberTypes: paths => types.typesOf(paths, engine),
      planCube: query => planner.planCube(caller, query, dates),
    };
  };
  return {
    version,
    plan: (query, context) => planner.plan(access.of(context), query),
    planSql: async ({ text, timezone }, context, engine) =>
      planSql(text, sqlModel(access.of(context), engine, timezone)),
    convertSql: (text, context, engine) =>
      convertSql(text, sqlModel(context === null ? publicAccess : access.of(context), engine)),
    meta: (context, options) => metaCache.of(context === null ? publicAccess : access.of(context), options),
    rehearsals: () => rehearse(publicAccess, planner),
  };
}

/**
 * Compiles a model to check it.
 * @param engine - checks the columns of every cube; without it, columns are not checked.
 * @throws ModelError with every problem, each with file and line.
 */
export async function checkModel(options: ModelOptions, engine?: CheckEngine): Promise<CheckedModel> {
  const files = await readModelFiles(options.directory, scopeOf(options), options.caches?.parsed);
  const { sources, problems, model, compiler } = await compile(files, options);
  if (engine) {
    const planner = createPlanner({ sources, compiler }, options);
    const access = new AccessControl(model).ofAll();
    const accepted = engine.accepted?.ofModel(sources, options.dialect ?? SqlDialect.duckdb);
    const reach = new Reach(sources);
    await reportRejectedSql({ sources, tables: model.tables, access, planner, reach, engine, accepted });
    const { tokens } = scopeOf(options);
    if (problems.length > 0) throw new ModelError(problems.map(problem => hideTokens(problem, tokens)));
  }
  // Problems reported from here on are warnings.
  warnAboutModel(sources);
  const members = new Set(new AccessControl(model).ofPublic().members.keys());
  return { cubes: sources.cubes.size, views: sources.views.size, members, warnings: problems };
}

function createPlanner(
  { sources, compiler }: Pick<Awaited<ReturnType<typeof compile>>, 'sources' | 'compiler'>,
  { now, dialect = SqlDialect.duckdb }: ModelOptions,
): QueryPlanner {
  const rowLevel = new RowMeasures(sources);
  return new QueryPlanner({ compiler, reach: new Reach(sources), rowLevel, dialect, ...(now && { now }) });
}

async function compile({ files, version, missingValues, ...read }: ModelFiles, options: ModelOptions) {
  const { tables, dialect = SqlDialect.duckdb, caches } = options;
  const { tokens } = scopeOf(options);
  const problems: ModelProblem[] = [...read.problems];
  if (missingValues.length > 0) {
    throw problems.length > 0
      ? new ModelError([...problems, ...missingValues])
      : new MissingVariableError(missingValues);
  }
  const sources = collectSources(files, problems);
  const reveal = (table: string) => tokens.reveal(table);
  const model = resolveModel(sources, tables ?? tablesOf(sources).map(reveal), reveal);
  if (problems.length > 0) throw new ModelError(problems.map(problem => hideTokens(problem, tokens)));
  // Yield to the event loop, because the checks above block it.
  await setImmediate();
  const compiler = await createSqlCompiler(sources, model, dialect, caches?.valid).catch((error: unknown) => {
    const known = error instanceof UserError || (error instanceof Error && error.constructor.name === 'CompileError');
    throw known ? new ModelError([hideTokens({ file: '.', line: 1, message: error.message }, tokens)]) : error;
  });
  return { sources, model, compiler, version, problems };
}

function hideTokens(problem: ModelProblem, tokens: VariableTokens): ModelProblem {
  return { ...problem, message: tokens.hide(problem.message) };
}

function tablesOf({ cubes }: ModelSources): string[] {
  return [...cubes.values()].flatMap(({ source }) => source.sql_table ?? []);
}

/** Maximum number of members of one kind in a trial query. */
const rehearsedMembers = 40;

/**
 * Returns one query per cube and view with all members that require no date range. Running them checks the SQL of every
 * member.
 */
function rehearse(access: Access, planner: QueryPlanner): QueryPlan[] {
  return [...access.entities.values()].flatMap(entity => {
    const members = [...entity.members.values()].filter(({ path }) => access.members.has(path));
    const pathsOf = (memberKind: MemberKind) =>
      members
        .filter(member => member.kind === memberKind && !(member.kind === MemberKind.measure && member.cumulative))
        .slice(0, rehearsedMembers)
        .map(({ path }) => path);
    const query = { measures: pathsOf(MemberKind.measure), dimensions: pathsOf(MemberKind.dimension), limit: 1 };
    if (query.measures.length + query.dimensions.length === 0) return [];
    return [planner.plan(access, query)];
  });
}
