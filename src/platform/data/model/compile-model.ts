import { UserError } from '@cubejs-backend/schema-compiler';
import type { SemanticModel } from '../semantic-model.js';
import { AccessControl } from './access.js';
import { metaOf } from './annotate.js';
import { ModelError, type ModelProblem } from './model-error.js';
import { readModelFiles } from './model-files.js';
import { collectSources } from './model-sources.js';
import { QueryPlanner } from './plan-query.js';
import { resolveModel } from './resolve-model.js';
import { createSqlCompiler, type SqlCompiler } from './sql-compiler.js';

/** What a model is compiled from. */
export interface ModelOptions {
  /** Folder of the YAML files, subfolders included. */
  readonly directory: string;
  /** Names of the tables that cubes may read. */
  readonly tables: readonly string[];
}

/**
 * Compiles the cubes and views of a folder for DuckDB. Statements expect a connection whose time zone is UTC.
 * @throws ModelError with every problem, each with file and line.
 */
export async function compileModel({ directory, tables }: ModelOptions): Promise<SemanticModel> {
  const { files, version, ...read } = await readModelFiles(directory);
  const problems: ModelProblem[] = [...read.problems];
  const sources = collectSources(files, problems);
  const model = resolveModel(sources, tables);
  if (problems.length > 0) throw new ModelError(problems);
  const compiler: SqlCompiler = await createSqlCompiler(sources, model).catch((error: unknown) => {
    const known = error instanceof UserError || (error instanceof Error && error.constructor.name === 'CompileError');
    throw known ? new ModelError([{ file: '.', line: 1, message: error.message }]) : error;
  });
  const access = new AccessControl(model);
  return {
    version,
    plan: (query, context) => new QueryPlanner(access.of(context), query).plan(compiler),
    meta: context => metaOf(access.of(context), version),
  };
}
