import { join } from 'node:path';
import { SqlDialect } from '../platform/data/engines/engine.js';
import { type DataLocation, openEngine, readDataLocation } from '../platform/data/engines/open-engine.js';
import { VariableEngine } from '../platform/data/engines/variable-engine.js';
import type { ModelProblem } from '../platform/data/model/model-error.js';
import { bindUrl, type ModelVariables, VariableTokens } from '../platform/data/model/variables.js';
import { ExitCode, parseFlags, plural, UsageError } from './command.js';

/** Options of `pa-platform check`. */
export interface CheckOptions {
  readonly modelDirectory: string;
  /** Data location whose tables and columns the model may use; `null` allows any name. */
  readonly place: DataLocation | null;
  /** SQL dialect of the model. */
  readonly dialect: SqlDialect;
  readonly json: boolean;
  /** Environment variables of the model. */
  readonly variables: ModelVariables;
}

/** Output of `check`. */
export interface CheckOutput {
  readonly print: (line: string) => void;
  readonly note: (text: string) => void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Text of `pa-platform check --help`. */
export const checkHelp = `Validates a semantic model, for example in CI. Exits with 0 if the model is valid, with 1 if it is not.
Prints each problem to stderr as "file:line: message". Problems that do not prevent serving start with "warning: ".

  pa-platform check --model DIR [options]

  --model DIR    folder of the semantic model (YAML)
  --sources DIR  folder of the data: checks that all tables and columns exist; reads all files
  --dialect D    SQL dialect of the model: duckdb or postgres; by default the dialect of the data source
  --data-schema NAME
                 schema of the tables in the data source of PA_DATA_SOURCE_URL (public)
  --variable NAME=VALUE
                 an environment variable that the model uses; repeatable
  --json         prints one JSON object instead: {"cubes", "views", "problems": [{"file", "line", "message"}], "warnings"}
  --help         this text

Environment
  PA_DATA_SOURCE_URL  Postgres server with the data, instead of --sources`;

const flags = {
  model: { type: 'string' },
  sources: { type: 'string' },
  dialect: { type: 'string' },
  'data-schema': { type: 'string' },
  variable: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Parses the arguments after `check`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readCheckOptions(args: readonly string[], environment: Environment): CheckOptions | null {
  const { model, sources, dialect, 'data-schema': dataSchema, variable, json, help } = parseFlags('check', args, flags);
  if (help) return null;
  if (model === undefined)
    throw new UsageError(
      '--model is required. Set it to the folder that contains the model. See pa-platform check --help.',
    );
  const dataSourceUrl = environment.PA_DATA_SOURCE_URL || undefined;
  const place = readDataLocation({ sourcesDirectory: sources, dataSourceUrl, dataSchema });
  const variables = readVariables(variable ?? []);
  return { modelDirectory: model, place, dialect: readDialect(dialect, place), json, variables };
}

function readVariables(list: readonly string[]): ModelVariables {
  const variables = list.map(text => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new UsageError('--variable must have the form NAME=VALUE.');
    return [name, { value, revision: value }] as const;
  });
  return new Map(variables);
}

function readDialect(given: string | undefined, place: DataLocation | null): SqlDialect {
  const own = place && (place.kind === 'postgres' ? SqlDialect.postgres : SqlDialect.duckdb);
  if (given === undefined) return own ?? SqlDialect.duckdb;
  const dialect = Object.values(SqlDialect).find(name => name === given);
  if (dialect === undefined) throw new UsageError(`--dialect must be duckdb or postgres, not "${given}".`);
  if (own !== null && own !== dialect) {
    throw new UsageError(
      own === SqlDialect.duckdb
        ? '--dialect must be duckdb with --sources: DuckDB reads the files.'
        : '--dialect must be postgres with PA_DATA_SOURCE_URL: the Postgres server runs the SQL of the model.',
    );
  }
  return dialect;
}

/**
 * Compiles a model and reports its problems.
 * @throws Error if the folder or the data cannot be read. The message is one sentence.
 */
export async function check(options: CheckOptions, { print, note }: CheckOutput): Promise<ExitCode> {
  const { modelDirectory, dialect, json, variables } = options;
  // Load only the compiler. A check does not use the database of the platform, and uses an engine only if the data
  // location is set.
  const [{ checkModel }, { ModelError }] = await Promise.all([
    import('../platform/data/compile-model.js'),
    import('../platform/data/model/model-error.js'),
  ]);
  const tokens = new VariableTokens();
  const place = options.place && placeWith(options.place, variables);
  const engine = place && new VariableEngine(await openEngine(place, { onProblem: note }), tokens);
  try {
    const scope = { variables: { values: variables, tokens } };
    const model = { directory: modelDirectory, dialect, ...scope, ...(engine && { tables: engine.tables }) };
    const { cubes, views, warnings } = await checkModel(model, engine ?? undefined);
    for (const warning of json ? [] : warnings) note(`warning: ${lineOf(modelDirectory, warning)}`);
    const counted = `${plural(cubes, 'cube')}, ${plural(views, 'view')}`;
    print(json ? JSON.stringify({ cubes, views, problems: [], warnings }) : `ok: ${counted}`);
    return ExitCode.done;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (json) print(JSON.stringify({ cubes: 0, views: 0, problems: error.problems, warnings: [] }));
    for (const problem of json ? [] : error.problems) note(lineOf(modelDirectory, problem));
    return ExitCode.failed;
  } finally {
    await engine?.close();
  }
}

function placeWith(place: DataLocation, variables: ModelVariables): DataLocation {
  if (place.kind !== 'postgres') return place;
  const bound = bindUrl(place.url, variables);
  if ('url' in bound) return { ...place, url: bound.url };
  throw new Error(
    `PA_DATA_SOURCE_URL uses the environment variable ${bound.unset}, which is not set. Set it with --variable ${bound.unset}=VALUE.`,
  );
}

function lineOf(directory: string, { file, line, message }: ModelProblem): string {
  return `${join(directory, file)}:${line}: ${message.replaceAll('\n', ' ')}`;
}
