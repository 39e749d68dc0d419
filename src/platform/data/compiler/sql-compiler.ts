import { prepareCompiler, UserError } from '@cubejs-backend/schema-compiler';
import type { Parameter, SqlDialect } from '../engines/engine.js';
import type { ModelDefinition } from '../model/definition.js';
import type { ModelSources } from '../model/model-sources.js';
import type { ComputedMember, Piece } from './computed-members.js';
import { dialectOf } from './dialects.js';
import { type Compilers, GovernedQuery, UndecidedCubeError } from './governed-query.js';
import { libraryModel, missingKey } from './library-model.js';
import type { CompileSymbols, RowFilterSymbols, SqlFilter } from './sql-filter.js';

/** A checked query: every name in it exists. */
export interface SqlQuery<P = Piece> {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly segments: readonly string[];
  /** Dimensions that the model doesn't have, after those that it has. */
  readonly computed: readonly ComputedMember<P>[];
  /** Segments that the model doesn't have. */
  readonly conditions: readonly ComputedMember<P>[];
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity: string }[];
  readonly filters: readonly SqlFilter[];
  readonly order: readonly { readonly id: string; readonly desc: boolean }[];
  /** Null for all rows. */
  readonly limit: number | null;
  readonly offset: number;
  readonly timezone: string;
  readonly joinHints: readonly (readonly string[])[];
  /** Whether a caller's own SQL is worked out in it or around it: never on rows that the caller may not read, since its errors would tell. */
  readonly fenced: boolean;
  /** Whether rows are given as they are, measures by their value of a row. */
  readonly ungrouped: boolean;
}

/** A statement with its parameters, or why there is none. */
export type SqlResult =
  | { readonly kind: 'statement'; readonly sql: string; readonly parameters: readonly Parameter[] }
  | { readonly kind: 'not-joinable'; readonly cause?: unknown };

/** Turns checked queries into SQL. */
export interface SqlCompiler {
  /**
   * @param rows - what the caller may read, by cube. The SQL of a cube that has no entry is never made: the result is `not-joinable`,
   * as for cubes between which there is no join.
   * @param firstParameter - number of the first placeholder; 1 by default.
   */
  compile(query: SqlQuery, rows: RowFilterSymbols, firstParameter?: number): SqlResult;
  /** Counts the rows that `compile` would return if there were neither limit nor offset. */
  compileTotal(query: SqlQuery, rows: RowFilterSymbols): SqlResult;
}

/** Few, since each holds all values of its filters; compiling anew takes about a millisecond. */
const cachedQueries = 20;

/**
 * Compiles a model that was checked and resolved. The library learns neither tables nor policies nor texts: only names, SQL of members and
 * how cubes join.
 * @throws UserError where the library finds what our checks did not.
 */
export async function createSqlCompiler(
  sources: ModelSources,
  model: ModelDefinition,
  dialect: SqlDialect,
): Promise<SqlCompiler> {
  const content = libraryModel(sources, model);
  const files = { localPath: () => '.', dataSchemaFiles: async () => [{ fileName: 'model.js', content }] };
  const library = prepareCompiler(files, { nativeInstance: withoutNative(), maxQueryCacheSize: cachedQueries });
  // The model is as the library would rewrite it: no thread has to be started for that.
  Object.assign(library.compiler, { transpileJsFile: async (file: unknown) => file });
  await library.compiler.compile();
  const compilers = { ...library, model, dialect: dialectOf(dialect) };
  return {
    compile: (query, rows, firstParameter = 1) =>
      compileQuery(
        compilers,
        { ...optionsOf(query), rowLimit: query.limit },
        { rowFilters: rows, place: { firstParameter, fenced: query.fenced } },
      ),
    compileTotal(query, rows) {
      const whole = { ...optionsOf(query), order: [], offset: null, rowLimit: null, totalQuery: true };
      const place = { firstParameter: 1, fenced: query.fenced };
      return compileQuery(compilers, whole, { rowFilters: rows, place });
    },
  };
}

/** A query as the library takes it. */
function optionsOf({ computed, conditions, ...query }: SqlQuery) {
  const { dimensions, segments } = query;
  return { ...query, dimensions: [...dimensions, ...computed], segments: [...segments, ...conditions] };
}

function compileQuery(compilers: Compilers, options: object, contextSymbols: CompileSymbols): SqlResult {
  try {
    const builder = new GovernedQuery(compilers, {
      ...structuredClone(options),
      allowUngroupedWithoutPrimaryKey: true,
      // Times are those of the query's zone, grouped by or not.
      convertTzForRawTimeDimension: true,
      useNativeSqlPlanner: false,
      contextSymbols,
    });
    const [sql, parameters] = builder.buildSqlAndParams();
    if (sql.includes(missingKey.sql)) return { kind: 'not-joinable' };
    const fence = contextSymbols.place.fenced && builder.hasViewFilter ? compilers.dialect.fence : '';
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

/** The library's native part renders templates, which models don't have. */
function withoutNative(): NativeInstance {
  const refuse = () => {
    throw new Error('templates are not supported');
  };
  return { newJinjaEngine: () => ({ renderTemplate: refuse }), loadPythonContext: refuse } as unknown as NativeInstance;
}
