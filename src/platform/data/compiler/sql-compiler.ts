import { prepareCompiler, UserError } from '@cubejs-backend/schema-compiler';
import type { Parameter, SqlDialect } from '../engines/engine.js';
import type { ModelDefinition } from '../model/definition.js';
import type { ModelCaches } from '../model/model-caches.js';
import type { ModelSources } from '../model/model-sources.js';
import type { ComputedMember, Piece } from './computed-members.js';
import { dialectOf } from './dialects.js';
import { type Compilers, GovernedQuery, UndecidedCubeError } from './governed-query.js';
import { libraryModel, missingKey } from './library-model.js';
import type { CompileSymbols, RowFilterSymbols, SqlFilter } from './sql-filter.js';

/** A validated query, in which every name exists. */
export interface SqlQuery<P = Piece> {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly segments: readonly string[];
  /** Computed dimensions; their columns follow those of the model's dimensions. */
  readonly computed: readonly ComputedMember<P>[];
  /** Computed conditions, which the library treats as segments. */
  readonly conditions: readonly ComputedMember<P>[];
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity: string }[];
  readonly filters: readonly SqlFilter[];
  readonly order: readonly { readonly id: string; readonly desc: boolean }[];
  /** Maximum number of rows; `null` for all rows. */
  readonly limit: number | null;
  readonly offset: number;
  readonly timezone: string;
  readonly joinHints: readonly (readonly string[])[];
  /**
   * Whether the query is combined with SQL of the caller. Such SQL must not be evaluated on rows that the caller may
   * not read, because its errors would reveal them.
   */
  readonly fenced: boolean;
  /** Whether rows are returned without grouping; measures then have a value per row. */
  readonly ungrouped: boolean;
}

/** A statement with its parameters, or the reason why there is none. */
export type SqlResult =
  | { readonly kind: 'statement'; readonly sql: string; readonly parameters: readonly Parameter[] }
  | { readonly kind: 'not-joinable'; readonly cause: unknown }
  | { readonly kind: 'no-primary-key' };

/** Compiles validated queries to SQL. */
export interface SqlCompiler {
  /**
   * Compiles a query.
   * @param rows - the rows that the caller may read, by cube. A query that needs a cube without an entry returns
   * `not-joinable`, the same as a query whose cubes have no join path.
   * @param firstParameter - number of the first placeholder; 1 by default.
   */
  compile(query: SqlQuery, rows: RowFilterSymbols, firstParameter?: number): SqlResult;
  /** Compiles a statement that counts the rows of a query without limit and offset. */
  compileTotal(query: SqlQuery, rows: RowFilterSymbols): SqlResult;
}

/**
 * Maximum number of cached statements. Small, because each entry holds all filter values, and compiling takes only
 * about a millisecond.
 */
const cachedQueries = 20;

/**
 * Creates the compiler of a validated model. The library receives only names, SQL of members and joins; it does not
 * receive tables, policies or titles.
 * @param valid - definitions of cubes whose schema the library need not check again; none by default.
 * @throws UserError if the library finds a problem that the validation missed.
 */
export async function createSqlCompiler(
  sources: ModelSources,
  model: ModelDefinition,
  dialect: SqlDialect,
  valid?: ModelCaches['valid'],
): Promise<SqlCompiler> {
  const { cubes, content } = libraryModel(sources, model);
  const files = { localPath: () => '.', dataSchemaFiles: async () => [{ fileName: 'model.js', content }] };
  const library = prepareCompiler(files, { nativeInstance: withoutNative(), maxQueryCacheSize: cachedQueries });
  // The model is already in transpiled form, so the library needs no transpiler thread. Its metadata is not used.
  Object.assign(library.compiler, { transpileJsFile: async (file: unknown) => file, metaCompilers: [] });
  if (valid) skipValidCubes(library, cubes, valid);
  await library.compiler.compile();
  const compilers = { ...library, model, dialect: dialectOf(dialect) };
  return {
    compile: (query, rows, firstParameter = 1) =>
      compileQuery(
        compilers,
        { ...optionsOf(query), rowLimit: query.limit },
        { rowFilters: rows, settings: { firstParameter, fenced: query.fenced } },
      ),
    compileTotal(query, rows) {
      const whole = { ...optionsOf(query), order: [], offset: null, rowLimit: null, totalQuery: true };
      const settings = { firstParameter: 1, fenced: query.fenced };
      return compileQuery(compilers, whole, { rowFilters: rows, settings });
    },
  };
}

/** The parts of the library's validator that are replaced or used. */
interface LibraryValidator {
  readonly validCubes: Map<string, boolean>;
  validate(cube: { readonly name: string }, ...rest: unknown[]): { readonly error?: unknown };
}

/**
 * Skips the library's schema check for cubes that have already passed it. This check takes most of the time of a
 * compilation, and its result depends only on the definition of the cube.
 */
function skipValidCubes(
  { cubeEvaluator }: Pick<Compilers, 'cubeEvaluator'>,
  cubes: ReadonlyMap<string, string>,
  valid: ModelCaches['valid'],
): void {
  const { cubeValidator: validator }: { cubeValidator: LibraryValidator } = Object(cubeEvaluator);
  const check = validator.validate.bind(validator);
  validator.validate = (cube, ...rest) => {
    const definition = cubes.get(cube.name);
    if (definition !== undefined && valid.has(definition)) {
      validator.validCubes.set(cube.name, true);
      return {};
    }
    const result = check(cube, ...rest);
    const isValid = validator.validCubes.get(cube.name) === true;
    if (definition !== undefined && isValid && result.error == null) valid.add(definition);
    return result;
  };
}

/** Converts a query to the library's format. */
function optionsOf({ computed, conditions, ...query }: SqlQuery) {
  const { dimensions, segments } = query;
  return { ...query, dimensions: [...dimensions, ...computed], segments: [...segments, ...conditions] };
}

function compileQuery(compilers: Compilers, options: object, contextSymbols: CompileSymbols): SqlResult {
  try {
    const builder = new GovernedQuery(compilers, {
      ...structuredClone(options),
      allowUngroupedWithoutPrimaryKey: true,
      // Time dimensions are converted to the query's time zone, with or without a granularity.
      convertTzForRawTimeDimension: true,
      useNativeSqlPlanner: false,
      contextSymbols,
    });
    const [sql, parameters] = builder.buildSqlAndParams();
    if (sql.includes(missingKey.sql)) return { kind: 'no-primary-key' };
    const fence = contextSymbols.settings.fenced && builder.hasViewFilter ? compilers.dialect.fence : '';
    return { kind: 'statement', sql: `${sql}${fence}`, parameters: parameters.filter(isParameter) };
  } catch (error) {
    if (error instanceof UndecidedCubeError || error instanceof UserError)
      return { kind: 'not-joinable', cause: error };
    throw error;
  }
}

function isParameter(value: unknown): value is Parameter {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

type NativeInstance = NonNullable<NonNullable<Parameters<typeof prepareCompiler>[1]>['nativeInstance']>;

/** Replaces the library's native module, which renders templates. Models have no templates. */
function withoutNative(): NativeInstance {
  const refuse = () => {
    throw new Error('templates are not supported');
  };
  return { newJinjaEngine: () => ({ renderTemplate: refuse }), loadPythonContext: refuse } as unknown as NativeInstance;
}
